//! Published test vectors, their reader, and the runner that checks the library with them.
//!
//! The vectors are JSON files in `data/`, described in `data/README.md`. They are
//! part of this crate ([`embedded`]), but a checkout reads them anew from its
//! `data` folder at each run ([`all`]), and any folder of files in the same
//! format can be read instead ([`load_dir`]). [`verify`] runs them.
//!
//! ```
//! let files = vectors::all()?;
//! let sm4 = files.iter().find(|file| file.algorithm == "sm4").unwrap();
//! let first = &sm4.groups[0].tests[0];
//! assert_eq!(first.key.as_ref().map(Vec::len), Some(16));
//! # Ok::<(), vectors::Error>(())
//! ```
#![forbid(unsafe_code)]

mod error;
mod fields;
mod files;
mod hex;
mod load;
mod schema;
mod verdict;
pub mod verify;

pub use error::Error;
pub use load::{all, embedded, load_dir, parse};
pub use schema::{Group, Integrity, Test, VectorFile};
pub use verdict::{Segment, Verdict};
