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

use core::fmt;

use lanes::wipe::Whole;
use lanes::{InOut, Level, dispatch_plain};

use crate::block::chains::with_number;
use crate::block::passes::in_passes;
use crate::block::serial;
use crate::error::{Error, check_length};
use crate::first_use::{admit, answer};
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, Chain, Feedback, KeyedChain};

mod formulation;
mod key;
mod later;
#[cfg(feature = "alloc")]
mod many;
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

/// IDEA under one key, for both directions.
#[derive(Clone)]
pub struct Idea {
    trace: Trace,
    /// Overwritten with its gaps: the place of keys that are not made yet holds what the stack
    /// held there.
    inner: Whole<Inner>,
}

#[derive(Clone)]
struct Inner {
    level: Level,
    keys: Secret<key::Keys>,
}

impl fmt::Debug for Idea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Idea").field("level", &self.inner.level.name()).finish_non_exhaustive()
    }
}

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
        admit(level, &ANSWER)?;
        check_length("key", key.len(), Sizes::exactly(KEY))?;
        // Expanded in the place that is returned: moved, it would leave a copy behind.
        let mut made = Ok(Self::empty(level));
        if let Ok(idea) = &mut made {
            idea.trace = Trace::of(level, STACK);
            idea.expand(key);
        }
        made
    }

    const fn empty(level: Level) -> Self {
        let trace = Trace::none();
        Self { trace, inner: Whole::new(Inner { level, keys: Secret(key::Keys::empty()) }) }
    }

    /// Expands a key of 16 bytes into its place.
    fn expand(&mut self, key: &[u8]) {
        let key: &[u8; KEY] = key.try_into().expect("a key of 16 bytes");
        key::expand(key, &mut self.inner.keys.0);
        #[cfg(not(feature = "std"))]
        {
            let words = self.inverse();
            self.inner.keys.0.later_mut().set(&words.0);
        }
    }

    /// Has the sub-keys of decryption made, if they are not there yet.
    #[inline(always)]
    fn need_inverse(&self) {
        #[cfg(feature = "std")]
        if self.inner.keys.0.later().get().is_none() {
            self.make_inverse();
        }
    }

    #[cfg(feature = "std")]
    #[cold]
    fn make_inverse(&self) {
        self.inner.keys.0.later().set(&self.inverse().0);
    }

    /// The sub-keys of decryption.
    fn inverse(&self) -> Secret<key::Words> {
        let mut words = Secret([0; _]);
        let keys = &self.inner.keys.0;
        // In the door for the level's wider registers: the inverses are taken side by side.
        dispatch_plain!(self.inner.level, isa => key::invert_all(isa, keys, &mut words.0));
        words
    }

    fn blocks(&self, back: bool, mut io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        assert_eq!(io.len() % BLOCK, 0, "whole blocks");
        assert!(pre.is_none_or(|pre| pre.len() == io.len()), "as much `pre` as data");
        assert!(post.is_none_or(|post| post.len() == io.len()), "as much `post` as data");
        if back {
            self.need_inverse();
        }
        if io.len() <= formulation::SHORT {
            // Outside the door: there the compiler would put words that wait for each other
            // into one register.
            return serial::short(&self.inner.keys.0, back, io, pre, post);
        }
        // By reference, as in every cipher: moved into the door by value, the pair would be
        // stored and loaded again in other pieces.
        let (keys, io) = (&self.inner.keys.0, &mut io);
        let mut offset = 0;
        while offset < io.len() {
            let (len, level) = passes::next(self.inner.level, io.len() - offset);
            let part = &mut io.part(offset, len);
            let [pre, post] = [pre, post].map(|data| data.map(|data| &data[offset..offset + len]));
            if back {
                dispatch_plain!(level, isa => {
                    formulation::blocks::<_, true>(isa, keys, part.reborrow(), pre, post);
                });
            } else {
                dispatch_plain!(level, isa => {
                    formulation::blocks::<_, false>(isa, keys, part.reborrow(), pre, post);
                });
            }
            offset += len;
        }
    }
}

impl BlockCipher for Idea {
    fn block_size(&self) -> usize {
        BLOCK
    }

    fn level(&self) -> Level {
        self.inner.level
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        let takes = key.len() == KEY && admit(self.inner.level, &ANSWER).is_ok();
        if takes {
            self.expand(key);
        }
        takes
    }

    fn leave_trace(&mut self) {
        self.trace.leave();
    }

    fn encrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        self.blocks(false, io, pre, post);
    }

    fn decrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        self.blocks(true, io, pre, post);
    }

    fn feedback(&self, mode: Feedback, io: &mut InOut<'_>, value: &mut [u8]) -> bool {
        if matches!(mode, Feedback::EcbDecrypt | Feedback::CbcDecrypt) {
            self.need_inverse();
        }
        serial::feedback(&self.inner.keys.0, mode, io, value, formulation::SHORT)
    }

    fn ctr(&self, mut io: InOut<'_>, counter: &mut [u8]) {
        let counter: &mut [u8; BLOCK] = counter.try_into().expect("a counter of one block");
        let mut value = u128::from(<u64>::from_be_bytes(*counter));
        let keys = &self.inner.keys.0;
        if io.len() <= formulation::SHORT {
            serial::ctr(keys, io, &mut value);
        } else {
            let mut offset = 0;
            while offset < io.len() {
                let (len, level) = passes::next(self.inner.level, io.len() - offset);
                let (part, value) = (&mut io.part(offset, len), &mut value);
                dispatch_plain!(level, isa => formulation::ctr(isa, keys, part.reborrow(), value));
                offset += len;
            }
        }
        *counter = (value as u64).to_be_bytes();
    }

    fn encrypt_chains(&self, chains: &mut [Chain<'_>]) {
        for chain in chains.iter() {
            assert_eq!(chain.value.len(), BLOCK, "a chaining value of one block");
            assert_eq!(chain.data.len() % BLOCK, 0, "whole blocks");
        }
        if let [only] = chains {
            return serial::one_chain(&self.inner.keys.0, only, 0);
        }
        with_number(chains, |chains| {
            run_chains(self.inner.level, core::slice::from_ref(self), chains);
        });
    }
}

/// Runs chains, each under its key of a set.
fn run_chains(level: Level, keys: &[Idea], chains: &mut [KeyedChain<'_>]) {
    in_passes(level, chains, |level, chains| {
        dispatch_plain!(level, isa => formulation::chains(isa, keys, chains));
    });
}

impl crate::block::tile_cipher::Under for Idea {
    type Keys = key::Keys;

    #[inline(always)]
    fn keys(&self) -> &key::Keys {
        &self.inner.keys.0
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
        new: crate::block::together::boxed::<Idea>,
        shared: crate::block::together::shared::<Idea>,
        keys: crate::block::together::Together::<Idea>::boxed,
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
