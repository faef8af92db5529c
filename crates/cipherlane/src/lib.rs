//! Fast symmetric ciphers in software, safe by construction.
//!
//! Every cipher runs at every instruction-set [`Level`] of the CPU from one
//! source; the level is detected once, when an object is made, and `with_level`
//! forces another. The environment variable `CIPHERLANE_LEVEL` caps it.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

pub mod aead;
#[cfg(feature = "aes")]
pub mod aes;
pub mod batch;
pub mod block;
mod ct;
#[cfg(feature = "enocoro")]
pub mod enocoro;
mod error;
#[cfg(feature = "grain")]
pub mod grain;
#[cfg(any(feature = "enocoro", feature = "grain", feature = "mickey", feature = "trivium"))]
pub mod keystream;
pub mod mac;
#[cfg(feature = "mickey")]
pub mod mickey;
pub mod modes;
#[cfg(feature = "parallel")]
pub mod parallel;
#[cfg(feature = "alloc")]
pub mod registry;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;
mod secret;
#[cfg(feature = "sm4")]
pub mod sm4;
pub mod stream;
#[cfg(feature = "trivium")]
pub mod trivium;
mod tweaks;
#[cfg(feature = "zuc")]
pub mod zuc;

pub use aead::Aead;
#[cfg(feature = "aes")]
pub use aes::{Aes, Aes128, Aes192, Aes256};
pub use batch::BatchCipher;
pub use block::BlockCipher;
pub use error::{Error, Sizes};
pub use lanes::{InOut, Level, LevelError};
pub use mac::Mac;
#[cfg(feature = "sm4")]
pub use sm4::Sm4;
pub use stream::{StreamCipher, StreamSeek};
