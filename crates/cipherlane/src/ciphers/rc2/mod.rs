//! RC2 (RFC 2268): 64-bit blocks, keys of 1 to 128 bytes, and 1 to 1024 effective key bits,
//! to which the key is narrowed whatever its length. Words are little-endian.
//!
//! **Obsolete**: related-key attacks are known, 40-bit keys were usual, and blocks of 64
//! bits repeat by chance after about 2^32 of them, 32 GiB. Read old data with it, write
//! none.
//!
//! Not constant-time: the key expansion and, for single blocks and at levels without a
//! table in registers, the mashing rounds look up in memory by what is secret.
//!
//! ```
//! use cipherlane::{BlockCipher, Rc2};
//!
//! // RFC 2268 §5: a key of 8 bytes, of which 63 bits count.
//! let rc2 = Rc2::with_effective_bits(&[0; 8], 63)?;
//! let mut block = [0; 8];
//! rc2.encrypt_block(&mut block);
//! assert_eq!(block, [0xeb, 0xb7, 0x73, 0xf9, 0x93, 0x27, 0x8e, 0xff]);
//! rc2.decrypt_block(&mut block);
//! assert_eq!(block, [0; 8]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use lanes::Level;
#[cfg(feature = "alloc")]
use lanes::dispatch_plain;

use crate::block::passes;
use crate::block::tile_object::{tile_cipher_object, tile_cipher_set};
#[cfg(feature = "alloc")]
use crate::entry::parameters::{Allowed, Parameter};
use crate::error::{Error, check_length};
use crate::first_use::answer;
use crate::secret::Depth;
use crate::sizes::Sizes;

mod formulation;
mod key;
mod rounds;

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// The length of a block in bytes.
pub const BLOCK: usize = 8;
/// The lengths of keys in bytes.
pub const KEY: Sizes = Sizes::between(1, 128);
/// The most effective key bits.
pub const MAX_EFFECTIVE_BITS: u32 = 1024;

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(8 << 10);

tile_cipher_object!(
    /// RC2 under one key, for both directions: blocks of 8 bytes.
    Rc2, keys: key::Keys, number: u64, passes: passes::whole
);
tile_cipher_set!(Rc2, keys: key::Keys, usual: key::Keys::EMPTY, lengths: KEY, pieces: 8, short: true);

impl Rc2 {
    /// Expands a key of 1 to 128 bytes all of whose bits count, at the best level of this CPU.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 1 to 128 bytes; [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// As [`new`](Self::new), at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 1 to 128 bytes.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        check_length("key", key.len(), KEY)?;
        Self::with_effective_bits_and_level(key, 8 * key.len() as u32, level)
    }

    /// Expands a key of 1 to 128 bytes to 1 to 1024 effective bits (`T1` of RFC 2268 §2), at
    /// the best level of this CPU.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 1 to 128 bytes, [`Error::Value`] if `bits` is not
    /// 1 to 1024; [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
    pub fn with_effective_bits(key: &[u8], bits: u32) -> Result<Self, Error> {
        Self::with_effective_bits_and_level(key, bits, Level::detect()?)
    }

    /// As [`with_effective_bits`](Self::with_effective_bits), at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 1 to 128 bytes, [`Error::Value`] if `bits` is not
    /// 1 to 1024.
    pub fn with_effective_bits_and_level(
        key: &[u8],
        bits: u32,
        level: Level,
    ) -> Result<Self, Error> {
        check_length("key", key.len(), KEY)?;
        if !(1..=MAX_EFFECTIVE_BITS).contains(&bits) {
            let (got, max) = (u64::from(bits), u64::from(MAX_EFFECTIVE_BITS));
            return Err(Error::Value { field: "effective key bits", got, min: 1, max });
        }
        let mut made = Self::unset(level, key::Keys::EMPTY);
        if let Ok(rc2) = &mut made {
            key::expand(key, bits, &mut rc2.keys.0);
        }
        made
    }

    /// Whether a key of this length may replace another: where not all bits of a key count, one of
    /// another length is for a constructor.
    fn takes(&self, length: usize) -> bool {
        KEY.allow(length) && 8 * length as u32 == self.keys.0.bits
    }

    /// Expands a key of 1 to 128 bytes, all of whose bits count, into its place.
    fn expand(&mut self, key: &[u8]) {
        key::expand(key, 8 * key.len() as u32, &mut self.keys.0);
    }
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: crate::entry::Algorithm = crate::entry::Algorithm {
    name: "rc2",
    title: "RC2",
    standard: "RFC 2268",
    key: KEY,
    new: crate::entry::New::Block {
        block: BLOCK,
        new: crate::block::lane_key_set::boxed::<Rc2>,
        shared: crate::block::lane_key_set::shared::<Rc2>,
        keys: crate::block::lane_key_set::LaneKeySet::<Rc2>::boxed,
    },
    timing: crate::entry::timing::Timing::Table,
    warning: Some(
        "obsolete: related-key attacks; 64-bit blocks: change the key long before \
         32 GiB (2^32 blocks), where blocks are expected to repeat",
    ),
    kernel: |level| dispatch_plain!(level, isa => formulation::describe(isa)),
    answer: crate::entry::known_answer::KnownAnswer::block(
        "88bca90e90875a7f0f79c384627bafb2",
        "0000000000000000",
        "2269552ab0f85ca6",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[("cbc", "1.2.840.113549.3.2")],
};

/// Effective key bits.
#[cfg(feature = "alloc")]
pub const PARAMETERS: crate::entry::parameters::ParameterEntry =
    crate::entry::parameters::ParameterEntry {
        algorithm: "rc2",
        parameters: &[Parameter {
            name: "effective key bits",
            allowed: Allowed::Between(1, MAX_EFFECTIVE_BITS),
            usual: None,
            field: |parameters| parameters.effective_key_bits,
        }],
        new: |key, parameters, level| {
            let bits = parameters.effective_key_bits.unwrap_or(8 * key.len() as u32);
            Ok(alloc::boxed::Box::new(Rc2::with_effective_bits_and_level(key, bits, level)?))
        },
    };
