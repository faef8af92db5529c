//! Enocoro-128v2, a stream cipher of Hitachi ("Pseudorandom Number Generator Enocoro", 2010;
//! ISO/IEC 29192-3 §6.1).
//!
//! Keys of 16 bytes, IVs of 8 bytes; key, IV and keystream are plain strings of bytes. A
//! keystream byte is the byte a₁ of the state before the round.
//!
//! # Limits
//! The designers bound a key and IV to 2⁶⁴ bytes of keystream, which nobody reaches. No two
//! messages may have the same key and IV.
//!
//! # Timing
//! Constant time at every level: the S-box is two layers of nibbles in registers or, at
//! `portable`, sums of products of bits, never a table in memory.
//!
//! # Example
//! ```
//! use cipherlane::StreamCipher;
//! use cipherlane::enocoro::Enocoro128v2;
//!
//! // The first test of the designers.
//! let mut keystream = [0; 4];
//! Enocoro128v2::new(&[0; 16], &[0; 8])?.keystream(&mut keystream)?;
//! assert_eq!(keystream, [0x63, 0xd7, 0xda, 0x6b]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod many;
mod one;
mod sbox;
#[cfg(test)]
mod tests;

use lanes::{InOut, Level, dispatch};

#[cfg(feature = "alloc")]
use crate::entry::Algorithm;
#[cfg(feature = "alloc")]
use crate::entry::timing::Timing;
use crate::error::Error;
use crate::first_use::{admit, answer};
#[cfg(feature = "alloc")]
use crate::keystream::batch::KeystreamBatch;
use crate::keystream::generator::{Generator, Kernel, Keystream};
use crate::keystream::passes::Passes;
use crate::sizes::Sizes;

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// Enocoro-128v2 as the parameter of [`Keystream`].
#[derive(Clone, Copy, Debug)]
pub enum OfEnocoro {}

/// Enocoro-128v2.
pub type Enocoro128v2 = Keystream<OfEnocoro>;

/// Many messages under Enocoro-128v2.
#[cfg(feature = "alloc")]
pub type Enocoro128v2Batch = KeystreamBatch<OfEnocoro>;

impl Generator for OfEnocoro {
    const NAME: &'static str = "Enocoro-128v2";
    const KEY: Sizes = Sizes::exactly(16);
    const IV: Sizes = Sizes::exactly(8);
}

impl Kernel for OfEnocoro {
    type State = one::State;
    type Many = many::Many;
    const BLOCK: usize = many::BLOCK;
    const FEW: usize = 3;
    // Most of a pass is waiting for the last round.
    const PASSES: Passes = Passes { full: 13, in_halves: 13, half: 10, alone: 4 };

    fn admit(level: Level) -> Result<(), Error> {
        admit(level, &ANSWER)
    }

    fn start(level: Level, key: &[u8], iv: &[u8], _: usize) -> Self::State {
        let mut state = one::load(key, iv);
        let loaded = &mut state;
        dispatch!(level, isa => one::initialise(isa, loaded));
        state
    }

    fn apply(
        level: Level,
        state: &mut Self::State,
        mut io: InOut<'_>,
        rest: &mut [u8; 16],
    ) -> usize {
        let io = &mut io;
        dispatch!(level, isa => one::apply(isa, state, io, rest))
    }

    fn lanes(level: Level) -> usize {
        dispatch!(level, isa => many::lanes(isa))
    }

    fn start_many<'m>(
        level: Level,
        many: &mut Self::Many,
        count: usize,
        message: &dyn Fn(usize) -> (&'m [u8], &'m [u8]),
    ) {
        for lane in 0..count {
            let (key, iv) = message(lane);
            many::put(many, lane, &one::load(key, iv));
        }
        dispatch!(level, isa => many::initialise(isa, many));
    }

    fn generate(level: Level, many: &mut Self::Many, out: &mut [u8], _: usize) {
        dispatch!(level, isa => many::generate(isa, many, out));
    }

    fn take(many: &Self::Many, lane: usize) -> Self::State {
        many::take(many, lane)
    }
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: Algorithm = Algorithm {
    name: "enocoro-128",
    title: "Enocoro-128v2",
    standard: "Pseudorandom Number Generator Enocoro (Hitachi, 2010), ISO/IEC 29192-3",
    key: OfEnocoro::KEY,
    new: crate::keystream::new::<OfEnocoro>(),
    timing: Timing::ConstantTime,
    warning: None,
    kernel: words,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "00000000000000000000000000000000",
        "0000000000000000",
        "63d7da6b55737fcf5734b6773ae772e8",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

/// Which kernels run, in words.
#[cfg(feature = "alloc")]
fn words(level: Level) -> &'static str {
    match (level == Level::portable(), OfEnocoro::lanes(level)) {
        (true, _) => "scalar, S-boxes by products of bits; many: 16 in lanes of 8 bits",
        (_, 64) => "one stream: scalar, S-boxes by nibbles; many: 64 in lanes of 8 bits",
        (_, 32) => "one stream: scalar, S-boxes by nibbles; many: 32 in lanes of 8 bits",
        _ => "one stream: scalar, S-boxes by nibbles; many: 16 in lanes of 8 bits",
    }
}
