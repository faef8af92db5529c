//! Fast symmetric ciphers in software, safe by construction.
//!
//! Every cipher runs at every instruction-set [`Level`] of the CPU from one
//! source; the level is detected once, when an object is made, and `with_level`
//! forces another. The environment variable `CIPHERLANE_LEVEL` caps it.
//!
//! # Where to begin
//! One message under a tag, which is what most programs need:
//!
//! ```
//! use cipherlane::aead::gcm::Gcm;
//! use cipherlane::{Aead, Error, Sm4};
//!
//! let gcm = Gcm::new(Sm4::new(&[7; 16])?)?;
//! let (nonce, header, message) = ([1; 12], b"header", b"any number of bytes");
//! let mut sealed = vec![0; message.len() + 16];
//! gcm.seal_attached(&nonce, header, message, &mut sealed)?;
//!
//! let mut opened = vec![0; message.len()];
//! gcm.open_attached(&nonce, header, &sealed, &mut opened)?;
//! assert_eq!(opened, message);
//!
//! sealed[3] ^= 1;
//! let wrong = gcm.open_attached(&nonce, header, &sealed, &mut opened);
//! assert_eq!(wrong, Err(Error::Authentication));
//! assert_eq!(opened, [0; 19]);
//! # Ok::<(), Error>(())
//! ```
//!
//! | for | see |
//! |---|---|
//! | authenticated messages: GCM, CCM, GCM-SIV, MUR, GXM | [`aead`] |
//! | modes of block ciphers, padding, messages in pieces | [`modes`] |
//! | tags: CMAC, GMAC, CBC-MAC, ZUC's MACs | [`mac`] |
//! | digests, tags and derived keys of SM3 | `sm3` |
//! | keystreams, seeking, messages in pieces | [`stream`] |
//! | many messages in one call, each with its own key, nonce and length | [`batch`] |
//! | one large buffer on all cores | `parallel` |
//! | algorithms and operations by name, sizes, timing property | `registry` |
//! | known answers, before use | `self_test` |
//!
//! # Features
//! | feature | brings | default |
//! |---|---|---|
//! | `sm4`, `aes`, `zuc` | a cipher each | on |
//! | `snow3g`, `snow-v`, `hc128`, `rabbit`, `salsa20`, `sosemanuk`, `mickey`, `trivium`, `grain`, `enocoro` | a cipher or a family each | off |
//! | `sm3` | SM3, HMAC-SM3 and HKDF-SM3 | off |
//! | `idea`, `rc2`, `rc4`, `rc5`; `legacy` for all of them | broken or with small blocks: for old data and comparisons | off |
//! | `all` | every cipher | off |
//! | `std` | the environment variable, and `alloc` | on |
//! | `alloc` | batches of block ciphers, the registry, `self_test` | with `std` |
//! | `parallel` | threads, by rayon | off |
//! | `rustcrypto` | the traits of RustCrypto's `cipher`, `aead`, `digest` and `universal-hash` | off |
//! | `getrandom` | keys and nonces that are drawn here: `Key::generate`, [`aead`]`::sealer::Sealer` | off |
//! | `zeroize` | the mark `ZeroizeOnDrop` on `Key` and the block ciphers | off |
//! | `self-test` | an algorithm's known answer before its first object at a level; none there any more if it is wrong | off |
//! | `clear-registers` | zeros in registers behind every kernel; nanoseconds a call | off |
//!
//! # Promises
//! Constant time where an algorithm's documentation says so, at every level; keys
//! overwritten when dropped; no unverified plaintext; an [`Error`] that names field, value
//! and range, with nothing written. `SECURITY.md` of the repository has their limits, and
//! `docs/PROOF.md` the check behind each.
#![no_std]
#![forbid(unsafe_code)]
// docs.rs alone, whose compiler is a nightly one: which feature an item needs stands beside it.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

pub mod aead;
#[cfg(any(feature = "aes", feature = "snow3g", feature = "snow-v"))]
mod aes_circuit;
#[cfg(any(feature = "aes", feature = "snow3g", feature = "_air256", feature = "alloc"))]
pub mod air;
#[cfg(feature = "_air256")]
pub mod air256;
#[cfg(any(feature = "_aligned", all(feature = "_generators", feature = "alloc")))]
mod aligned;
pub mod batch;
pub mod block;
mod ciphers {
    //! The ciphers and SM3, a folder each; none knows another one, and none a mode.
    //!
    //! What is public here users find at the root, as `cipherlane::sm4` and `cipherlane::Sm4`.

    #[cfg(feature = "aes")]
    pub mod aes;
    #[cfg(feature = "enocoro")]
    pub mod enocoro;
    #[cfg(feature = "grain")]
    pub mod grain;
    #[cfg(feature = "hc128")]
    pub mod hc128;
    #[cfg(feature = "idea")]
    pub mod idea;
    #[cfg(feature = "mickey")]
    pub mod mickey;
    #[cfg(feature = "rabbit")]
    pub mod rabbit;
    #[cfg(feature = "rc2")]
    pub mod rc2;
    #[cfg(feature = "rc4")]
    pub mod rc4;
    #[cfg(feature = "rc5")]
    pub mod rc5;
    #[cfg(feature = "salsa20")]
    pub mod salsa20;
    #[cfg(feature = "sm3")]
    pub mod sm3;
    #[cfg(feature = "sm4")]
    pub mod sm4;
    #[cfg(feature = "snow3g")]
    pub mod snow3g;
    #[cfg(feature = "snow-v")]
    pub mod snow_v;
    #[cfg(feature = "sosemanuk")]
    pub mod sosemanuk;
    #[cfg(feature = "trivium")]
    pub mod trivium;
    #[cfg(feature = "zuc")]
    pub mod zuc;

    #[cfg(feature = "aes")]
    pub use aes::{Aes, Aes128, Aes192, Aes256};
    #[cfg(feature = "idea")]
    pub use idea::Idea;
    #[cfg(feature = "rc2")]
    pub use rc2::Rc2;
    #[cfg(feature = "rc5")]
    pub use rc5::{Rc5, Rc5W16, Rc5W64};
    #[cfg(feature = "sm4")]
    pub use sm4::Sm4;
}
mod ct;
#[cfg(feature = "alloc")]
mod entry;
#[cfg(test)]
mod equivalence;
mod error;
mod first_use;
mod ghash;
#[cfg(feature = "_keystream")]
pub mod keystream;
pub mod mac;
pub mod modes;
#[cfg(feature = "parallel")]
pub mod parallel;
#[cfg(any(feature = "aes", feature = "snow3g", feature = "zuc"))]
mod pdu;
#[cfg(feature = "alloc")]
pub mod registry;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;
mod secret;
#[cfg(feature = "alloc")]
pub mod self_test;
mod sizes;
mod traits;
mod tweaks;

/// The page of the crate, whose example is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Page;

/// What moves from other libraries say; the same.
#[cfg(doctest)]
#[doc = include_str!("../MIGRATION.md")]
struct Migration;

pub use aead::{Aead, key::Key};
pub use batch::BatchCipher;
pub use block::BlockCipher;
pub use ciphers::*;
pub use error::Error;
pub use lanes::{InOut, Level, LevelError, clear_stack};
pub use mac::Mac;
pub use sizes::Sizes;
pub use traits::stream;
pub use traits::stream::{StreamCipher, StreamSeek};
