//! RC5-w/r/b (Rivest, *The RC5 Encryption Algorithm*, 1994; RFC 2040): blocks of two words
//! of w = 16, 32 or 64 bits, r = 0 to 255 rounds, keys of b = 0 to 255 bytes. Words are
//! little-endian.
//!
//! [`Rc5`] has words of 32 bits, and 12 rounds where nothing else is said: with keys of 16
//! bytes it is RC5-32/12/16, the registry's `rc5`. RFC 2040's RC5-CBC-Pad is CBC with
//! [`Padding::Pkcs7`](crate::modes::Padding::Pkcs7): as many bytes as are missing, each
//! their number.
//!
//! Constant-time at every level, given that the CPU rotates in the same time by every
//! count, as those do that these levels are for.
//!
//! Blocks of 64 bits repeat by chance after about 2^32 of them, 32 GiB, those of 32 bits
//! after 2^16, 256 KiB. Twelve rounds of RC5-32 fall to 2^44 chosen plaintexts
//! (Biryukov and Kushilevitz, 1998): take 16 rounds or more, or a newer cipher.
//!
//! ```
//! use cipherlane::modes::{Buffered, Padding, cbc};
//! use cipherlane::{BlockCipher, Rc5};
//!
//! let rc5 = Rc5::new(&[0; 16])?;
//! let mut block = [0; 8];
//! rc5.encrypt_block(&mut block);
//! assert_eq!(block, [0x21, 0xa5, 0xdb, 0xee, 0x15, 0x4b, 0x8f, 0x6d]);
//! rc5.decrypt_block(&mut block);
//! assert_eq!(block, [0; 8]);
//!
//! let mode = Buffered::new(cbc::Encryptor::new(&rc5, &[1; 8])?, Padding::Pkcs7);
//! # let _ = mode;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use lanes::{Level, dispatch_plain};

use crate::block::tile_object::{tile_cipher_object, tile_cipher_set};
use crate::block::{formulation as formulations, passes};
#[cfg(feature = "alloc")]
use crate::entry::parameters::{Allowed, Parameter};
use crate::error::{Error, check_length};
use crate::first_use::answer;
use crate::secret::Depth;
use crate::sizes::Sizes;
use crate::traits::block::Chain;

mod formulation;
mod key;
mod rounds;
mod word;

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// The length of a block of RC5-32 in bytes.
pub const BLOCK: usize = 8;
/// The lengths of keys in bytes.
pub const KEY: Sizes = Sizes::between(0, key::MAX_KEY);
/// The rounds where nothing else is said.
pub const ROUNDS: u8 = 12;

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(8 << 10);

macro_rules! width {
    ($(#[$meta:meta])* $name:ident, $word:ty, $number:ty) => {
        tile_cipher_object!(
            $(#[$meta])*
            $name, keys: key::Keys<$word>, number: $number, passes: passes::whole
        );

        impl $name {
            /// Expands a key of 0 to 255 bytes for 12 rounds, at the best level of this CPU.
            ///
            /// # Errors
            /// [`Error::Length`] if the key is longer; [`Error::Level`] if
            /// `CIPHERLANE_LEVEL` names no level.
            pub fn new(key: &[u8]) -> Result<Self, Error> {
                Self::with_rounds(key, ROUNDS)
            }

            /// As [`new`](Self::new), at a given level.
            ///
            /// # Errors
            /// [`Error::Length`] if the key is longer than 255 bytes.
            pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
                Self::with_rounds_and_level(key, ROUNDS, level)
            }

            /// Expands a key of 0 to 255 bytes for 0 to 255 rounds, at the best level of
            /// this CPU. Fewer than 12 rounds are for study only; without any, nothing is
            /// encrypted but by addition of two words.
            ///
            /// # Errors
            /// As [`new`](Self::new).
            pub fn with_rounds(key: &[u8], rounds: u8) -> Result<Self, Error> {
                Self::with_rounds_and_level(key, rounds, Level::detect()?)
            }

            /// As [`with_rounds`](Self::with_rounds), at a given level.
            ///
            /// # Errors
            /// [`Error::Length`] if the key is longer than 255 bytes.
            pub fn with_rounds_and_level(
                key: &[u8],
                rounds: u8,
                level: Level,
            ) -> Result<Self, Error> {
                check_length("key", key.len(), KEY)?;
                let mut made = Self::unset(level, key::Keys::empty(rounds));
                if let Ok(rc5) = &mut made {
                    rc5.expand(key);
                }
                made
            }

            /// Whether a key of this length may replace another.
            fn takes(&self, length: usize) -> bool {
                KEY.allow(length)
            }

            /// Expands a key of at most 255 bytes into its place.
            fn expand(&mut self, key: &[u8]) {
                key::expand(key, &mut self.keys.0);
            }
        }
    };
}

width!(
    /// RC5-32 under one key, for both directions: blocks of 8 bytes.
    Rc5,
    u32,
    u64
);
width!(
    /// RC5-16 under one key, for both directions: blocks of 4 bytes.
    Rc5W16,
    u16,
    u32
);
width!(
    /// RC5-64 under one key, for both directions: blocks of 16 bytes.
    Rc5W64,
    u64,
    u128
);

/// Pieces of an expanded key for the usual rounds.
const KEY_PIECES: usize = (ROUNDS as usize + 1).div_ceil(2);

tile_cipher_set!(
    Rc5, keys: key::Keys<u32>, usual: key::Keys::empty(ROUNDS), lengths: KEY, pieces: KEY_PIECES,
    short: false
);

impl Rc5W16 {
    fn run_chains(&self, chains: &mut [Chain<'_>]) {
        let keys = &self.keys.0;
        dispatch_plain!(self.level, isa => formulations::chains_of_one::<_, _, _, 4>(isa, keys, chains));
    }
}

impl Rc5W64 {
    fn run_chains(&self, chains: &mut [Chain<'_>]) {
        let keys = &self.keys.0;
        dispatch_plain!(self.level, isa => formulations::chains_of_one::<_, _, _, 16>(isa, keys, chains));
    }
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: crate::entry::Algorithm = crate::entry::Algorithm {
    name: "rc5",
    title: "RC5-32/12",
    standard: "Rivest 1994, RFC 2040",
    key: KEY,
    new: crate::entry::New::Block {
        block: BLOCK,
        new: crate::block::lane_key_set::boxed::<Rc5>,
        shared: crate::block::lane_key_set::shared::<Rc5>,
        keys: crate::block::lane_key_set::LaneKeySet::<Rc5>::boxed,
    },
    timing: crate::entry::timing::Timing::ConstantTime,
    warning: Some(
        "12 rounds fall to 2^44 chosen plaintexts; 64-bit blocks: change the key long \
         before 32 GiB (2^32 blocks), where blocks are expected to repeat",
    ),
    kernel: |level| dispatch_plain!(level, isa => formulation::describe(isa)),
    answer: crate::entry::known_answer::KnownAnswer::block(
        "00000000000000000000000000000000",
        "0000000000000000",
        "21a5dbee154b8f6d",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[("cbc", "1.2.840.113549.3.8")],
};

/// Words of 16, 32 and 64 bits, and all numbers of rounds.
#[cfg(feature = "alloc")]
pub const PARAMETERS: crate::entry::parameters::ParameterEntry =
    crate::entry::parameters::ParameterEntry {
        algorithm: "rc5",
        parameters: &[
            Parameter {
                name: "word bits",
                allowed: Allowed::OneOf(&[16, 32, 64]),
                usual: Some(32),
                field: |parameters| parameters.word_bits,
            },
            Parameter {
                name: "rounds",
                allowed: Allowed::Between(0, 255),
                usual: Some(ROUNDS as u32),
                field: |parameters| parameters.rounds,
            },
        ],
        new: |key, parameters, level| {
            let rounds = parameters.rounds.unwrap_or(u32::from(ROUNDS));
            let got = u64::from(rounds);
            let Ok(rounds) = u8::try_from(rounds) else {
                return Err(Error::Value { field: "rounds", got, min: 0, max: 255 });
            };
            Ok(match parameters.word_bits.unwrap_or(32) {
                16 => alloc::boxed::Box::new(Rc5W16::with_rounds_and_level(key, rounds, level)?),
                32 => alloc::boxed::Box::new(Rc5::with_rounds_and_level(key, rounds, level)?),
                64 => alloc::boxed::Box::new(Rc5W64::with_rounds_and_level(key, rounds, level)?),
                bits => {
                    let got = u64::from(bits);
                    return Err(Error::Value { field: "word bits", got, min: 16, max: 64 });
                }
            })
        },
    };
