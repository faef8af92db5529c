//! How databases, middleware and UDFs store values encrypted with SM4 or AES: each with its own
//! way from a text to a key, its own IV, padding, layout and coding. Here such a *dialect* is a
//! row of data (`src/rows`), and one engine reads and writes all of them by the operations of
//! [`cipherlane::registry`]. `docs/DIALECTS.md` is the table of all, with sources.
//!
//! A [`Codec`] is made once of a key and then takes any number of values, one after another or
//! from many threads. Beyond what an output grows by, it allocates nothing for a value, but where
//! each value has a key of its own, derived with its salt. A [`Batch`] of it takes the values of a column
//! in one call.
//!
//! ```
//! use dialects::{Coding, Outcome, Settings};
//!
//! let doris = dialects::find("doris-sm4")?;
//! let codec = doris.prepare(&Settings {
//!     mode: Some("SM4_128_CBC"),
//!     iv: Some(b"0123456789"),
//!     coding: Some(Coding::Base64),
//!     ..Settings::new(b"F3229A0B371ED2D9441B830D21A390C3")
//! })?;
//! let mut plain = Vec::new();
//! assert_eq!(codec.decrypt(b"1Y4NGIukSbv9OrkZnRD1bQ==", &mut plain)?, Outcome::Value);
//! assert_eq!(plain, b"text");
//! # Ok::<(), dialects::Error>(())
//! ```
//!
//! # What a dialect does not protect
//!
//! Most of them have no MAC. Then nothing tells that a value was changed, and a wrong key shows
//! in the padding at best. Whoever lets an attacker learn that a padding was wrong, by a message
//! or by the time until it comes, lets him decrypt values that he sends in often enough (Vaudenay
//! 2002). So [`Error::Padding`] is for the owner of the data: it does not belong in an answer to
//! others. Where a dialect has a MAC or a tag, nothing of the plaintext is given out unless that is
//! right. [`Codec::flaws`] names what a dialect lacks.
#![forbid(unsafe_code)]

mod codec;
mod coding;
pub mod detect;
mod dialect;
mod error;
mod find;
mod flaw;
mod form;
mod hash;
mod iv;
mod key;
mod layout;
mod padding;
mod row;
mod settings;
pub mod verify;

pub use codec::{Batch, Codec, Draw, Drawn, Each};
pub use coding::Coding;
pub use detect::detect;
pub use dialect::{Dialect, Mode};
pub use error::Error;
pub use find::{all, find};
pub use flaw::{Flaw, Shows};
pub use form::Form;
pub use hash::Hash;
pub use row::{Source, Status};
pub use settings::{Outcome, Settings};
