//! MICKEY 2.0, a stream cipher of the eSTREAM portfolio, and MICKEY-128 2.0 (S. Babbage,
//! M. Dodd, "The stream cipher MICKEY 2.0" and "The stream cipher MICKEY-128 2.0", 2006).
//!
//! | type | key | IV | stages of each register |
//! |---|---|---|---|
//! | [`Mickey2`] | 80 bits | 0 to 80 bits | 100 |
//! | [`Mickey128`] | 128 bits | 0 to 128 bits | 160 |
//!
//! These are version 2; version 1 is another cipher.
//!
//! # Order of bits
//! The most significant bit of a byte is first, in key, IV and keystream. An IV that ends
//! inside a byte leaves its low bits unused. The IV's length counts: an IV of 32 zero bits
//! and an empty one are different.
//!
//! # Security
//! Keys of MICKEY 2.0 have 80 bits: not for new designs. The papers bound a key and IV to 2⁴⁰
//! bits of keystream (MICKEY-128 2.0: 2⁶⁴), which is not enforced. No two messages may have the
//! same key and IV.
//!
//! # Timing
//! Constant time at every level: what depends on the registers is masks, never a branch. The
//! length of the IV shows.
//!
//! # Example
//! ```
//! use cipherlane::StreamCipher;
//! use cipherlane::mickey::Mickey2;
//!
//! // The first test of the designers.
//! let key = [0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0x12, 0x34];
//! let mut keystream = [0; 4];
//! Mickey2::new(&key, &[0x21, 0x43, 0x65, 0x87])?.keystream(&mut keystream)?;
//! assert_eq!(keystream, [0x98, 0x21, 0xe1, 0x0c]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod one;
mod parameters;
mod sliced;
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
use parameters::{P100, P160};

answer!(|level| crate::entry::known_answer::all(&[&MICKEY_2, &MICKEY_128], level));

/// MICKEY 2.0 as the parameter of [`Keystream`].
#[derive(Clone, Copy, Debug)]
pub enum Of80 {}

/// MICKEY-128 2.0 as the parameter of [`Keystream`].
#[derive(Clone, Copy, Debug)]
pub enum Of128 {}

/// MICKEY 2.0. Its IVs have 0 to 80 bits.
pub type Mickey2 = Keystream<Of80>;

/// MICKEY-128 2.0. Its IVs have 0 to 128 bits.
pub type Mickey128 = Keystream<Of128>;

/// Many messages under MICKEY 2.0.
#[cfg(feature = "alloc")]
pub type Mickey2Batch = KeystreamBatch<Of80>;

/// Many messages under MICKEY-128 2.0.
#[cfg(feature = "alloc")]
pub type Mickey128Batch = KeystreamBatch<Of128>;

impl Generator for Of80 {
    const NAME: &'static str = "MICKEY 2.0";
    const KEY: Sizes = Sizes::exactly(10);
    const IV: Sizes = Sizes::between(0, 10);
}

impl Generator for Of128 {
    const NAME: &'static str = "MICKEY-128 2.0";
    const KEY: Sizes = Sizes::exactly(16);
    const IV: Sizes = Sizes::between(0, 16);
}

/// The kernels with the parameters of a cipher, in functions that are not generic.
macro_rules! kernel_of {
    ($G:ident, $P:ident, $words:literal) => {
        impl Kernel for $G {
            type State = one::State;
            type Many = sliced::Many;
            const BLOCK: usize = sliced::BLOCK;
            const FEW: usize = 12;
            // Bound by its stores where the CPU works on long registers in halves.
            const PASSES: Passes = Passes { full: 24, in_halves: 27, half: 12, alone: 1 };

            fn admit(level: Level) -> Result<(), Error> {
                admit(level, &ANSWER)
            }

            fn start(level: Level, key: &[u8], iv: &[u8], iv_bits: usize) -> Self::State {
                dispatch_plain!(level, isa => one::start::<_, $P, $words>(isa, key, iv, iv_bits))
            }

            fn apply(
                level: Level,
                state: &mut Self::State,
                mut io: InOut<'_>,
                rest: &mut [u8; 16],
            ) -> usize {
                let io = &mut io;
                dispatch_plain!(level, isa => one::apply::<_, $P, $words>(isa, state, io, rest))
            }

            fn lanes(level: Level) -> usize {
                dispatch_plain!(level, isa => sliced::lanes(isa))
            }

            fn start_many<'m>(
                level: Level,
                many: &mut Self::Many,
                count: usize,
                message: &dyn Fn(usize) -> (&'m [u8], &'m [u8]),
            ) {
                sliced::start::<$P>(
                    many,
                    count,
                    message,
                    |clocks| dispatch_plain!(level, isa => sliced::transpose(isa, clocks)),
                    |many, clocks, span| {
                        dispatch_plain!(level, isa => sliced::run::<_, $P, true>(isa, many, clocks, span));
                    },
                );
            }

            fn generate(level: Level, many: &mut Self::Many, out: &mut [u8], _: usize) {
                dispatch_plain!(level, isa => sliced::generate::<_, $P>(isa, many, out));
            }

            fn take(many: &Self::Many, lane: usize) -> Self::State {
                sliced::take::<$P>(many, lane)
            }
        }
    };
}
kernel_of!(Of80, P100, 2);
kernel_of!(Of128, P160, 3);

/// The registry's entry of [`Mickey2`].
#[cfg(feature = "alloc")]
pub const MICKEY_2: Algorithm = Algorithm {
    name: "mickey2",
    title: "MICKEY 2.0",
    standard: "The stream cipher MICKEY 2.0 (eSTREAM, 2006)",
    key: Of80::KEY,
    new: crate::keystream::new::<Of80>(),
    timing: Timing::ConstantTime,
    warning: Some("80-bit key: not for new designs"),
    kernel: words,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "123456789abcdef01234",
        "21436587",
        "9821e10c5ed28d32bbc3d1fb15e93a15",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

/// The registry's entry of [`Mickey128`].
#[cfg(feature = "alloc")]
pub const MICKEY_128: Algorithm = Algorithm {
    name: "mickey-128",
    title: "MICKEY-128 2.0",
    standard: "The stream cipher MICKEY-128 2.0 (eSTREAM, 2006)",
    key: Of128::KEY,
    new: crate::keystream::new::<Of128>(),
    warning: None,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "80000000000000000000000000000000",
        "",
        "d099e3372d5825e31cdcec9d78eefa30",
    )
    .with_sums(include_str!("known.txt")),
    ..MICKEY_2
};

/// Which kernels run, in words.
#[cfg(feature = "alloc")]
fn words(level: Level) -> &'static str {
    match Of80::lanes(level) {
        512 => "one stream: scalar, without branches; many: 512 bit-sliced",
        256 => "one stream: scalar, without branches; many: 256 bit-sliced",
        _ => "one stream: scalar, without branches; many: 128 bit-sliced",
    }
}
