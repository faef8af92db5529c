//! What objects offer to those above them, one kind a file.
//!
//! Users find each trait where its objects are: [`crate::block`], [`crate::modes`],
//! [`crate::aead`], [`crate::mac`], [`crate::traits::stream`], [`crate::batch`].

pub(crate) mod aead;
pub(crate) mod batch;
pub(crate) mod block;
#[cfg(feature = "alloc")]
pub(crate) mod keys;
#[cfg(feature = "alloc")]
pub mod lockstep;
pub(crate) mod mac;
pub(crate) mod mode;
pub mod stream;
pub(crate) mod whole;
