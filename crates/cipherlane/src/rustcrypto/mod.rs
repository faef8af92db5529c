//! The RustCrypto traits (feature `rustcrypto`), so that what is written for that family
//! of crates runs on our ciphers.
//!
//! | traits | types |
//! |---|---|
//! | `cipher` 0.5: block ciphers, with parallel blocks | [`Sm4`](crate::ciphers::sm4::Sm4), [`Aes128`](crate::ciphers::aes::Aes128), [`Aes192`](crate::ciphers::aes::Aes192), [`Aes256`](crate::ciphers::aes::Aes256); any mode crate over them, e.g. `ctr::Ctr128BE<cipherlane::Sm4>` |
//! | `cipher` 0.5: stream ciphers, with seek for CTR | [`Ctr`](crate::modes::ctr::Ctr), [`Ctr32`](crate::modes::ctr::Ctr32), [`Ofb`](crate::modes::ofb::Ofb), ZUC |
//! | `cipher` 0.5: block modes | [`ecb`](crate::modes::ecb), [`cbc`](crate::modes::cbc) |
//! | `aead` 0.6 | [`Gcm`](crate::aead::gcm::Gcm), [`Ccm`](crate::aead::ccm::Ccm), [`GcmSiv`](crate::aead::gcm_siv::GcmSiv), with nonces of 12 and tags of 16 bytes |
//! | `digest` 0.11, `Mac` | [`Cmac`](crate::mac::cmac::Cmac), [`Gmac`](crate::mac::gmac::Gmac), [`CbcMac`](crate::mac::cbc_mac::CbcMac) |
//! | `universal-hash` 0.6 | [`Ghash`](crate::ghash::Ghash), [`Polyval`](crate::ghash::Polyval) |
//!
//! Those traits make objects without a `Result`: they run at the level that
//! [`Level::detect`](lanes::Level::detect) gives, and at `portable` where `CIPHERLANE_LEVEL` names
//! no level. Our own constructors and calls, which return typed errors, stay available.
//!
//! A wrong tag leaves the ciphertext in the buffer, as with other crates of the family, so one
//! key after another can be tried. Our own [`Aead::open`](crate::traits::aead::Aead::open) clears it.
//!
//! ```
//! use cipher::{KeyIvInit, StreamCipher};
//!
//! let mut mode = ctr::Ctr128BE::<cipherlane::Sm4>::new(&[7; 16].into(), &[1; 16].into());
//! let mut data = *b"any number of bytes";
//! mode.apply_keystream(&mut data);
//! assert_ne!(&data, b"any number of bytes");
//! ```

mod aead;
mod block;
mod mac;
mod modes;
mod stream;
mod work;

pub use aead::SivKeySize;
pub use block::PAR_BLOCKS;

use cipher::{BlockSizeUser, KeyInit};

use crate::traits::block::BlockCipher;
use lanes::Level;

/// One of our block ciphers under those traits.
trait Cipher: BlockCipher + BlockSizeUser + KeyInit {}
impl<C: BlockCipher + BlockSizeUser + KeyInit> Cipher for C {}

/// The level of an object whose constructor can't refuse: where the environment names none,
/// the cap that every machine has.
fn level() -> Level {
    Level::detect().unwrap_or(Level::portable())
}

/// A value that can't be refused by its type: what would be an error is a fault of ours.
fn ready<T>(made: Result<T, crate::error::Error>) -> T {
    made.unwrap_or_else(|error| panic!("{error}"))
}
