//! The module behind the package `cipherlane` for JavaScript: classes over the objects of the
//! registry, and files in the program's format. The names that users see are in `js/`.
//!
//! It is built twice, with vector instructions and without: an engine that lacks them refuses
//! a module that has any.
#![forbid(unsafe_code)]

mod aead;
mod bench;
mod buffer;
mod cipher;
mod failures;
mod files;
mod listing;
mod mac;
mod packet;
