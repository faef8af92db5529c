//! Encrypted data as other programs have it, without a header of ours: `openssl enc`, GmSSL,
//! dm-crypt, fscrypt.

pub(crate) mod base64;
pub(crate) mod derive;
pub(crate) mod padding;
pub(crate) mod sectors;
mod stealing;
pub(crate) mod transform;
