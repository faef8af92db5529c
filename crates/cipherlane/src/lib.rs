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
mod first_use;
#[cfg(feature = "grain")]
pub mod grain;
#[cfg(feature = "hc128")]
pub mod hc128;
#[cfg(feature = "idea")]
pub mod idea;
#[cfg(any(
    feature = "enocoro",
    feature = "grain",
    feature = "hc128",
    feature = "mickey",
    feature = "trivium"
))]
pub mod keystream;
#[cfg(any(feature = "rabbit", feature = "salsa20", feature = "sosemanuk"))]
mod lane_rows;
#[cfg(any(feature = "hc128", feature = "rabbit", feature = "salsa20", feature = "sosemanuk"))]
mod leftover;
pub mod mac;
#[cfg(feature = "mickey")]
pub mod mickey;
pub mod modes;
#[cfg(feature = "parallel")]
pub mod parallel;
#[cfg(feature = "rabbit")]
pub mod rabbit;
#[cfg(feature = "rc2")]
pub mod rc2;
#[cfg(feature = "rc4")]
pub mod rc4;
#[cfg(feature = "rc5")]
pub mod rc5;
#[cfg(feature = "alloc")]
pub mod registry;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;
#[cfg(feature = "salsa20")]
pub mod salsa20;
mod secret;
#[cfg(feature = "alloc")]
pub mod self_test;
#[cfg(feature = "sm4")]
pub mod sm4;
#[cfg(feature = "sosemanuk")]
pub mod sosemanuk;
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
#[cfg(feature = "idea")]
pub use idea::Idea;
pub use lanes::{InOut, Level, LevelError};
pub use mac::Mac;
#[cfg(feature = "rc2")]
pub use rc2::Rc2;
#[cfg(feature = "rc5")]
pub use rc5::{Rc5, Rc5W16, Rc5W64};
#[cfg(feature = "sm4")]
pub use sm4::Sm4;
pub use stream::{StreamCipher, StreamSeek};
