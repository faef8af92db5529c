//! What bindings to other languages are made of: objects that own all they need, made from
//! the registry by the names of an algorithm and an operation.
//!
//! A [`Context`] ciphers in pieces, [`AeadOneShot`] is an AEAD on whole messages, [`AeadStream`] one
//! in pieces, [`Mac`] a MAC; [`listing()`] tells what there is. A binding adds its
//! language's buffers, errors and locks.
//!
//! ```
//! use objects::{Context, Spec};
//!
//! let spec = Spec { iv: &[1; 16], ..Spec::new("sm4", "ctr", &[7; 16]) };
//! let mut data = *b"any number of bytes";
//! Context::new(&spec)?.update_in_place(&mut data)?;
//! Context::new(&spec)?.update_in_place(&mut data)?;
//! assert_eq!(&data, b"any number of bytes");
//! # Ok::<(), objects::Failure>(())
//! ```
#![forbid(unsafe_code)]

mod aead_one_shot;
mod aead_stream;
mod context;
mod failure;
mod listing;
mod mac;
mod nearest;

pub use aead_one_shot::AeadOneShot;
pub use aead_stream::AeadStream;
pub use context::{Context, Spec};
pub use failure::{Failure, Kind, Query};
pub use listing::{algorithm, batch, listing};
pub use mac::Mac;
