//! The AEADs of SM4 and AES by the names that programs write in their types, made from a key.
//!
//! ```
//! use cipherlane::aead::named::{Aes256Gcm, Sm4GcmSiv};
//! use cipherlane::{Aead, Error};
//!
//! struct Channel {
//!     out: Aes256Gcm,
//!     back: Sm4GcmSiv,
//! }
//!
//! let channel = Channel { out: Aes256Gcm::from_key(&[1; 32])?, back: Sm4GcmSiv::from_key(&[2; 16])? };
//! assert_eq!((channel.out.tag_len(), channel.back.tag_len()), (16, 16));
//! assert!(matches!(Aes256Gcm::from_key(&[1; 16]), Err(Error::Length { field: "key", .. })));
//! # Ok::<(), Error>(())
//! ```

use super::ccm::Ccm;
use super::gcm::Gcm;
use super::gcm_siv::GcmSiv;
#[cfg(feature = "aes")]
use crate::ciphers::aes::{Aes128, Aes192, Aes256};
#[cfg(feature = "sm4")]
use crate::ciphers::sm4::Sm4;
use crate::error::Error;
use crate::traits::block::BlockCipher;

mod sealed {
    /// Ours alone, so that more can be asked of it later.
    pub trait Sealed {}
}

/// A block cipher of blocks of 16 bytes that a key of one length makes.
pub trait Keyed: BlockCipher + sealed::Sealed + Sized {
    /// The length of the key in bytes.
    const KEY: usize;

    /// The cipher under a key, at the best level of this CPU.
    ///
    /// # Errors
    /// [`Error::Length`] if the key has another length; [`Error::Level`] if `CIPHERLANE_LEVEL`
    /// names no level.
    fn from_key(key: &[u8]) -> Result<Self, Error>;
}

/// A cipher, the length of its key, and the names of its AEADs.
macro_rules! named {
    ($feature:literal, $cipher:ident, $key:literal, $($alias:ident = $mode:ident, $text:literal;)*) => {
        #[cfg(feature = $feature)]
        impl sealed::Sealed for $cipher {}

        #[cfg(feature = $feature)]
        impl Keyed for $cipher {
            const KEY: usize = $key;

            fn from_key(key: &[u8]) -> Result<Self, Error> {
                Self::new(key)
            }
        }

        #[cfg(all(feature = $feature, feature = "zeroize"))]
        impl zeroize::ZeroizeOnDrop for $cipher {}

        $(
            #[doc = $text]
            #[cfg(feature = $feature)]
            #[cfg_attr(docsrs, doc(cfg(feature = $feature)))]
            pub type $alias = $mode<$cipher>;
        )*
    };
}

named! {
    "sm4", Sm4, 16,
    Sm4Gcm = Gcm, "SM4-GCM (RFC 8998): nonces of 12 bytes, tags of 16.";
    Sm4Ccm = Ccm, "SM4-CCM (RFC 8998): nonces of 7 to 13 bytes, tags of 16.";
    Sm4GcmSiv = GcmSiv, "SM4 in GCM-SIV (RFC 8452's mode): a repeated nonce shows equal messages, no more.";
}
named! {
    "aes", Aes128, 16,
    Aes128Gcm = Gcm, "AES-128-GCM (SP 800-38D): nonces of 12 bytes, tags of 16.";
    Aes128Ccm = Ccm, "AES-128-CCM (SP 800-38C): nonces of 7 to 13 bytes, tags of 16.";
    Aes128GcmSiv = GcmSiv, "AES-128-GCM-SIV (RFC 8452): a repeated nonce shows equal messages, no more.";
}
named! {
    "aes", Aes192, 24,
    Aes192Gcm = Gcm, "AES-192-GCM (SP 800-38D): nonces of 12 bytes, tags of 16.";
    Aes192Ccm = Ccm, "AES-192-CCM (SP 800-38C): nonces of 7 to 13 bytes, tags of 16.";
}
named! {
    "aes", Aes256, 32,
    Aes256Gcm = Gcm, "AES-256-GCM (SP 800-38D): nonces of 12 bytes, tags of 16.";
    Aes256Ccm = Ccm, "AES-256-CCM (SP 800-38C): nonces of 7 to 13 bytes, tags of 16.";
    Aes256GcmSiv = GcmSiv, "AES-256-GCM-SIV (RFC 8452): a repeated nonce shows equal messages, no more.";
}

impl<C: Keyed> Gcm<C> {
    /// Under a key, at the best level of this CPU.
    ///
    /// # Errors
    /// As [`Keyed::from_key`].
    pub fn from_key(key: &[u8]) -> Result<Self, Error> {
        Self::new(C::from_key(key)?)
    }
}

impl<C: Keyed> Ccm<C> {
    /// Under a key, at the best level of this CPU.
    ///
    /// # Errors
    /// As [`Keyed::from_key`].
    pub fn from_key(key: &[u8]) -> Result<Self, Error> {
        Self::new(C::from_key(key)?)
    }
}

impl<C: Keyed> GcmSiv<C> {
    /// Under a key, at the best level of this CPU.
    ///
    /// # Errors
    /// As [`Keyed::from_key`].
    pub fn from_key(key: &[u8]) -> Result<Self, Error> {
        Self::new(key, C::from_key)
    }
}
