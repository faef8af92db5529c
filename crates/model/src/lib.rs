//! Slow transcriptions of the standards, clause by clause, to compare the library with.
//!
//! They share no code with the library and use no trick: bytes, 32-bit words and
//! the tables as printed. [`table`] finds them by the names the library's
//! registry uses; [`random`] makes reproducible inputs, [`effort`] bounds what slow
//! tests do under an emulator. Nothing here is
//! constant-time or fast, and nothing here is for use outside of tests.
#![forbid(unsafe_code)]

pub mod aes;
pub mod effort;

pub mod eia3;
pub mod enocoro;
pub mod gcm;
pub mod gcm_siv;
pub mod ghash;
pub mod grain;
pub mod hc128;
pub mod idea;
pub mod mac;
pub mod mickey;
pub mod modes;
pub mod rabbit;
pub mod random;
pub mod rc2;
pub mod rc4;
pub mod rc5;
pub mod salsa20;
pub mod sm4;
pub mod sosemanuk;
pub mod table;
pub mod trivium;
pub mod zuc;
pub mod zuc128;
pub mod zuc256;
pub mod zuc_aead;
