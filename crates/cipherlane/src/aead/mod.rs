//! Authenticated encryption with associated data, under a ready key.

pub mod ccm;
pub mod gcm;
pub mod gcm_siv;
#[cfg(feature = "zuc")]
pub mod gxm;
#[cfg(feature = "zuc")]
pub mod mur;
#[cfg(feature = "aes")]
pub mod nea2_nia2;

pub use crate::traits::aead::{Aead, AeadStream};
