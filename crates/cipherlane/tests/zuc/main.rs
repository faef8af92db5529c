//! The ZUC family's MACs, 3GPP algorithms and AEADs: against the transcriptions in
//! `crates/model`, in every split, and misused.
#![cfg(feature = "zuc")]

mod aead;
mod mac;
mod packets;
mod registered;
