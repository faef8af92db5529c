//! The laboratory: measures ciphers so that others believe the figures.
//!
//! It knows no library: engines are processes that answer requests with raw
//! samples and a digest of their output; digests must agree before a timing
//! counts. `docs/METHOD.md` says what every figure means.
#![deny(unsafe_code)]

mod cell;
pub mod compare;
mod error;
pub mod record;
pub mod report;
pub mod run;
pub mod study;

pub use cell::{Cell, Model, Placement};
pub use error::LabError;
