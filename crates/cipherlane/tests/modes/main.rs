//! Modes, MACs and AEADs over every cipher there is, and over other people's: the
//! published vectors, the models, any split, misuse.
#![cfg(feature = "sm4")]

mod ccm;
mod feedback;
mod macs;
mod reference;
mod xts;
