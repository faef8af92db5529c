//! Slow transcriptions of the standards, clause by clause, to compare the library with.
//!
//! They share no code with the library and use no trick: bytes, 32-bit words and
//! the tables as printed. [`ciphers`] finds them by the names the library's
//! registry uses; [`random`] makes reproducible inputs, [`effort`] bounds what slow
//! tests do under an emulator, [`all_cores`] has them done on all cores. Nothing here is
//! constant-time or fast, and nothing here is for use outside of tests.
#![forbid(unsafe_code)]

pub mod all_cores;
pub mod ciphers;
pub mod effort;
pub mod eia3;
pub mod gcm;
pub mod gcm_siv;
pub mod ghash;
pub mod mac;
pub mod modes;
pub mod nca;
pub mod random;
pub mod sm3;
pub mod zuc_aead;

pub use ciphers as table;
pub use ciphers::*;
