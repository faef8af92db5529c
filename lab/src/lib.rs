//! The laboratory: measures ciphers so that others believe the figures.
//!
//! It knows no library: engines are processes that answer requests with raw
//! samples and a digest of their output; digests must agree before a timing
//! counts. `docs/METHOD.md` says what every figure means.
#![deny(unsafe_code)]

pub mod against;
pub mod canary;
mod cell;
pub mod claims;
pub mod clock;
pub mod cold;
pub mod compare;
pub mod differential;
mod digest;
pub mod engine;
mod error;
pub mod floor;
pub mod input;
mod keys;
pub mod machine;
pub mod machines;
mod mix;
mod offer;
pub mod plan;
pub mod power;
pub mod protocol;
pub mod random;
pub mod record;
pub mod reply;
pub mod report;
pub mod request;
pub mod ring;
pub mod run;
pub mod sample;
pub mod serve;
mod shape;
pub mod sheet_join;
pub mod stats;
pub mod study;
pub mod work;

pub use cell::{Cell, KeySetup, Model, Placement};
pub use error::LabError;
pub use mix::Mix;
pub use shape::Shape;
