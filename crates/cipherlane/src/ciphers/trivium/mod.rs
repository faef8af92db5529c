//! Trivium, a stream cipher of the eSTREAM portfolio (C. De Cannière, B. Preneel, "Trivium
//! Specifications", 2005; ISO/IEC 29192-3 §6.2).
//!
//! # Order of bits
//! That of the eSTREAM test vectors. Key bit `K_1` is the most significant bit of the
//! *last* byte of the key, and so on backwards; so are the bits of an IV of whole bytes. An
//! IV of `n` bits, 0 to 80, is a number below 2ⁿ, its least significant byte first, whose
//! highest bit is `IV_1`; the positions behind are 0. The first keystream bit is the least
//! significant bit of the first byte.
//!
//! # Security
//! Keys of 80 bits: not for new designs. No two messages may have the same key and IV. IVs
//! that differ only by zeros in front, as an IV of 32 zero bits and one of 80, are the same.
//!
//! # Timing
//! Constant time at every level.
//!
//! # Example
//! ```
//! use cipherlane::StreamCipher;
//! use cipherlane::trivium::Trivium;
//!
//! // eSTREAM, set 1, vector 0.
//! let mut keystream = [0; 4];
//! Trivium::new(&[0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0], &[0; 10])?.keystream(&mut keystream)?;
//! assert_eq!(keystream, [0x38, 0xeb, 0x86, 0xff]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod kernel;
#[cfg(test)]
mod tests;

use lanes::{InOut, Level, dispatch_plain};

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

/// Trivium as the parameter of [`Keystream`].
#[derive(Clone, Copy, Debug)]
pub enum OfTrivium {}

/// Trivium. Its IVs have 0 to 80 bits.
pub type Trivium = Keystream<OfTrivium>;

/// Many messages under Trivium.
#[cfg(feature = "alloc")]
pub type TriviumBatch = KeystreamBatch<OfTrivium>;

impl Generator for OfTrivium {
    const NAME: &'static str = "Trivium";
    const KEY: Sizes = Sizes::exactly(10);
    const IV: Sizes = Sizes::between(0, 10);
}

impl Kernel for OfTrivium {
    type State = kernel::State;
    type Many = kernel::Many;
    const BLOCK: usize = kernel::BLOCK;
    const FEW: usize = 1;
    // Its sums are of three, which shorter registers take two instructions for.
    const PASSES: Passes = Passes { full: 20, in_halves: 20, half: 21, alone: 15 };
    const UNUSED_HIGH: bool = true;

    fn admit(level: Level) -> Result<(), Error> {
        admit(level, &ANSWER)
    }

    fn start(_: Level, key: &[u8], iv: &[u8], iv_bits: usize) -> Self::State {
        let mut state = kernel::load(key, iv, iv_bits);
        kernel::initialise(&mut state);
        state
    }

    fn apply(_: Level, state: &mut Self::State, mut io: InOut<'_>, rest: &mut [u8; 16]) -> usize {
        kernel::apply(state, &mut io, rest)
    }

    fn lanes(level: Level) -> usize {
        dispatch_plain!(level, isa => kernel::lanes(isa))
    }

    fn start_many<'m>(
        level: Level,
        many: &mut Self::Many,
        count: usize,
        message: &dyn Fn(usize) -> (&'m [u8], &'m [u8]),
    ) {
        for lane in 0..count {
            let (key, iv) = message(lane);
            kernel::put(many, lane, &kernel::load(key, iv, 8 * iv.len()));
        }
        dispatch_plain!(level, isa => kernel::initialise_many(isa, many));
    }

    fn generate(level: Level, many: &mut Self::Many, out: &mut [u8], len: usize) {
        dispatch_plain!(level, isa => kernel::generate(isa, many, out, len));
    }

    fn take(many: &Self::Many, lane: usize) -> Self::State {
        kernel::take(many, lane)
    }
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: Algorithm = Algorithm {
    name: "trivium",
    title: "Trivium",
    standard: "Trivium Specifications (eSTREAM, 2005), ISO/IEC 29192-3",
    key: OfTrivium::KEY,
    new: crate::keystream::new::<OfTrivium>(),
    timing: Timing::ConstantTime,
    warning: Some("80-bit key: not for new designs"),
    kernel: words,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "80000000000000000000",
        "00000000000000000000",
        "38eb86ff730d7a9caf8df13a4420540d",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

/// Which kernels run, in words.
#[cfg(feature = "alloc")]
fn words(level: Level) -> &'static str {
    match OfTrivium::lanes(level) {
        2 => "one stream: scalar, 64 clocks a word; many: 2 in lanes of 64 bits",
        4 => "one stream: scalar, 64 clocks a word; many: 4 in lanes of 64 bits",
        8 => "one stream: scalar, 64 clocks a word; many: 8 in lanes of 64 bits",
        _ => "scalar, 64 clocks a word; many: one after another",
    }
}
