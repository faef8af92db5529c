//! The laboratory: measures ciphers so that others believe the figures.
//!
//! It knows no library: engines are processes that answer requests with raw
//! samples and a digest of their output; digests must agree before a timing
//! counts. `docs/METHOD.md` says what every figure means.

pub mod record;
pub mod report;
