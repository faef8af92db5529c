//! IDEA, the International Data Encryption Algorithm (Lai and Massey, 1991; ISO/IEC
//! 18033-3 and RFC 3058 refer to it): 64-bit blocks, 128-bit keys, eight and a half
//! rounds. Words are big-endian.
//!
//! Constant-time at every level, the key schedule with its inverses included: the
//! multiplication modulo 2^16 + 1 has neither a branch nor a table. The inverses are taken
//! when something is first decrypted under the key (without `std`, when the key is set).
//!
//! Blocks of 64 bits repeat by chance after about 2^32 of them, 32 GiB: change the key
//! long before that, and take a cipher with larger blocks for anything new.
//!
//! Formulations are chosen in `formulation.rs`: a block of each lane of 16 bits, or scalar.
//!
//! ```
//! use cipherlane::{BlockCipher, Idea};
//!
//! // The example of Lai's thesis: words 1 to 8 as the key, 0 to 3 as the block.
//! let idea = Idea::new(&[0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8])?;
//! let mut block = [0, 0, 0, 1, 0, 2, 0, 3];
//! idea.encrypt_block(&mut block);
//! assert_eq!(block, [0x11, 0xfb, 0xed, 0x2b, 0x01, 0x98, 0x6d, 0xe5]);
//! idea.decrypt_block(&mut block);
//! assert_eq!(block, [0, 0, 0, 1, 0, 2, 0, 3]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use lanes::{Level, dispatch_plain};

use crate::block::tile_object::{tile_cipher_object, tile_cipher_set};
use crate::error::{Error, check_length};
use crate::first_use::answer;
use crate::secret::{Depth, Secret};
use crate::sizes::Sizes;

mod formulation;
mod key;
mod lazy_inverse;
mod multiply;
mod passes;
mod rounds;

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// The length of a block in bytes.
pub const BLOCK: usize = 8;
/// The length of a key in bytes.
pub const KEY: usize = 16;

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(8 << 10);

tile_cipher_object!(
    /// IDEA under one key, for both directions: blocks of 8 bytes.
    Idea, keys: key::Keys, number: u64, passes: passes::next, inverse: need_inverse
);
tile_cipher_set!(
    Idea, keys: key::Keys, usual: key::Keys::empty(), lengths: Sizes::exactly(KEY), pieces: 7,
    short: true,
    inverse: need_inverse
);

impl Idea {
    /// Expands a key of 16 bytes, at the best level of this CPU.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes; [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// Expands a key of 16 bytes, at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        check_length("key", key.len(), Sizes::exactly(KEY))?;
        let mut made = Self::unset(level, key::Keys::empty());
        if let Ok(idea) = &mut made {
            idea.expand(key);
        }
        made
    }

    /// Whether a key of this length may replace another.
    const fn takes(&self, length: usize) -> bool {
        length == KEY
    }

    /// Expands a key of 16 bytes into its place.
    fn expand(&mut self, key: &[u8]) {
        let key: &[u8; KEY] = key.try_into().expect("a key of 16 bytes");
        key::expand(key, &mut self.keys.0);
        #[cfg(not(feature = "std"))]
        {
            let words = self.inverse();
            self.keys.0.later_mut().set(&words.0);
        }
    }

    /// Has the sub-keys of decryption made, if they are not there yet.
    #[inline(always)]
    fn need_inverse(&self) {
        #[cfg(feature = "std")]
        if self.keys.0.later().get().is_none() {
            self.make_inverse();
        }
    }

    #[cfg(feature = "std")]
    #[cold]
    fn make_inverse(&self) {
        self.keys.0.later().set(&self.inverse().0);
    }

    /// The sub-keys of decryption.
    fn inverse(&self) -> Secret<key::Words> {
        let mut words = Secret([0; _]);
        let keys = &self.keys.0;
        // In the door for the level's wider registers: the inverses are taken side by side. Two registers
        // are sooner done than one that the CPU works on in halves.
        let level = self.level.split().unwrap_or(self.level);
        dispatch_plain!(level, isa => key::invert_all(isa, keys, &mut words.0));
        words
    }
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: crate::entry::Algorithm = crate::entry::Algorithm {
    name: "idea",
    title: "IDEA",
    standard: "Lai and Massey 1991, ISO/IEC 18033-3",
    key: Sizes::exactly(KEY),
    new: crate::entry::New::Block {
        block: BLOCK,
        new: crate::block::lane_key_set::boxed::<Idea>,
        shared: crate::block::lane_key_set::shared::<Idea>,
        keys: crate::block::lane_key_set::LaneKeySet::<Idea>::boxed,
    },
    timing: crate::entry::timing::Timing::ConstantTime,
    warning: Some(
        "64-bit blocks: change the key long before 32 GiB (2^32 blocks), where blocks are \
         expected to repeat",
    ),
    kernel: |level| dispatch_plain!(level, isa => formulation::describe(isa)),
    answer: crate::entry::known_answer::KnownAnswer::block(
        "80000000000000000000000000000000",
        "0000000000000000",
        "b1f5f7f87901370f",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[
        ("cbc", "1.3.6.1.4.1.188.7.1.1.2"),
        ("ecb", "1.3.6.1.4.1.188.7.1.1.1"),
        ("cfb", "1.3.6.1.4.1.188.7.1.1.3"),
        ("ofb", "1.3.6.1.4.1.188.7.1.1.4"),
    ],
};
