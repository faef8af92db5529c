//! Authenticated encryption with associated data, under a ready key.

pub mod ccm;
pub mod gcm;
pub mod gcm_siv;
#[cfg(feature = "zuc")]
pub mod gxm;
pub mod key;
#[cfg(feature = "zuc")]
pub mod mur;
#[cfg(any(feature = "sm4", feature = "aes"))]
#[cfg_attr(docsrs, doc(cfg(any(feature = "sm4", feature = "aes"))))]
pub mod named;
#[cfg(feature = "aes")]
pub mod nea2_nia2;
#[cfg(feature = "getrandom")]
#[cfg_attr(docsrs, doc(cfg(feature = "getrandom")))]
pub mod sealer;

pub use crate::traits::aead::{Aead, AeadStream};
