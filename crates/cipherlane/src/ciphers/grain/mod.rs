//! Grain v1 and Grain-128, stream ciphers submitted to eSTREAM, of whose portfolio Grain v1 is; and
//! Grain-128AEADv2, a finalist of NIST's Lightweight Cryptography.
//!
//! | type | standard | key | IV |
//! |---|---|---|---|
//! | [`GrainV1`] | M. Hell, T. Johansson, W. Meier, "Grain: A Stream Cipher for Constrained Environments" (eSTREAM, 2006) | 10 bytes | 8 bytes |
//! | [`Grain128`] | the same and A. Maximov, "A Stream Cipher Proposal: Grain-128" (2006) | 16 bytes | 12 bytes |
//!
//! | [`Grain128Aead`] | M. Hell, T. Johansson, A. Maximov, W. Meier, J. Sönnerup, H. Yoshida, "Grain-128AEADv2" (NIST LWC, 2021) | 16 bytes | 12 bytes |
//! | [`Grain128AeadOutput`] | the pre-output of its generator, which nothing is encrypted with | 16 bytes | 12 bytes |
//!
//! Grain-128 is not Grain-128a, nor Grain-128AEAD: those are other ciphers.
//!
//! # Order of bits
//! That of the code submitted to eSTREAM: bit 0 of key, IV and keystream is the least
//! significant bit of the first byte. The paper on Grain-128 prints its test vectors with
//! bit 0 as the most significant one; [`convert_bit_order`] leads from either order to the
//! other, for key, IV and keystream alike.
//!
//! # Security
//! Grain v1 has keys of 80 bits; against Grain-128 there are dynamic cube attacks (Dinur,
//! Güneysu, Paar, Shamir, Zimmermann, 2011). Neither is for new designs. No two messages may
//! have the same key and IV.
//!
//! # Timing
//! Constant time at every level.
//!
//! # Example
//! ```
//! use cipherlane::StreamCipher;
//! use cipherlane::grain::{Grain128, convert_bit_order};
//!
//! // The second test of the paper, as it is printed there.
//! let mut key = 0x0123_4567_89ab_cdef_1234_5678_9abc_def0_u128.to_be_bytes();
//! let mut iv = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x12, 0x34, 0x56, 0x78];
//! convert_bit_order(&mut key);
//! convert_bit_order(&mut iv);
//! let mut keystream = [0; 4];
//! Grain128::new(&key, &iv)?.keystream(&mut keystream)?;
//! convert_bit_order(&mut keystream);
//! assert_eq!(keystream, [0xdb, 0x03, 0x2a, 0xff]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod aead;
#[cfg(feature = "alloc")]
mod batch;
mod grain_128;
mod message;
mod tag;
#[cfg(test)]
mod tests;
mod v1;
mod v2;
mod words;

use lanes::{InOut, Isa, Level, dispatch_plain};

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

pub use aead::Grain128Aead;
#[cfg(feature = "alloc")]
pub(crate) use aead::{OPEN, SEAL};
#[cfg(feature = "alloc")]
pub use batch::Grain128AeadBatch;

answer!(|level| crate::entry::known_answer::all(&[&GRAIN_V1, &GRAIN_128, &GRAIN_128_AEAD], level));

/// Grain v1 as the parameter of [`Keystream`].
#[derive(Clone, Copy, Debug)]
pub enum OfV1 {}

/// Grain-128 as the parameter of [`Keystream`].
#[derive(Clone, Copy, Debug)]
pub enum Of128 {}

/// The generator of Grain-128AEADv2 as the parameter of [`Keystream`].
#[derive(Clone, Copy, Debug)]
pub enum OfAead {}

/// Grain v1.
pub type GrainV1 = Keystream<OfV1>;

/// Grain-128.
pub type Grain128 = Keystream<Of128>;

/// The pre-output of Grain-128AEADv2 (§2.2), from the bits that start the tag's registers on. It is a
/// generator and no cipher: [`Grain128Aead`] encrypts with every other bit of what follows them.
pub type Grain128AeadOutput = Keystream<OfAead>;

/// Many messages under Grain v1.
#[cfg(feature = "alloc")]
pub type GrainV1Batch = KeystreamBatch<OfV1>;

/// Many messages under Grain-128.
#[cfg(feature = "alloc")]
pub type Grain128Batch = KeystreamBatch<Of128>;

/// The pre-outputs of Grain-128AEADv2 under many keys.
#[cfg(feature = "alloc")]
pub type Grain128AeadOutputBatch = KeystreamBatch<OfAead>;

/// Reverses the bits of every byte: from the order of the paper on Grain-128 to the one used
/// here, or back.
pub fn convert_bit_order(bytes: &mut [u8]) {
    for byte in bytes {
        *byte = byte.reverse_bits();
    }
}

impl Generator for OfV1 {
    const NAME: &'static str = "Grain v1";
    const KEY: Sizes = Sizes::exactly(10);
    const IV: Sizes = Sizes::exactly(8);
}

impl Generator for Of128 {
    const NAME: &'static str = "Grain-128";
    const KEY: Sizes = Sizes::exactly(16);
    const IV: Sizes = Sizes::exactly(12);
}

impl Generator for OfAead {
    const NAME: &'static str = "Grain-128AEADv2";
    const KEY: Sizes = Sizes::exactly(16);
    const IV: Sizes = Sizes::exactly(12);
}

/// What the registry says, but for the names and the constructors.
macro_rules! kernel_of {
    ($G:ident, $kernel:ident) => {
        impl Kernel for $G {
            type State = $kernel::State;
            type Many = $kernel::Many;
            const BLOCK: usize = $kernel::BLOCK;
            const FEW: usize = 1;
            const PASSES: Passes = $kernel::PASSES;

            fn admit(level: Level) -> Result<(), Error> {
                admit(level, &ANSWER)
            }

            // One stream goes in integers, whatever the level: compiled for AVX2 and AVX-512 it is
            // slower than without, on each of five kinds of CPU (docs/notes/grain.md).
            fn start(_: Level, key: &[u8], iv: &[u8], _: usize) -> Self::State {
                let mut state = $kernel::load(key, iv);
                $kernel::initialise(&mut state);
                state
            }

            fn apply(
                _: Level,
                state: &mut Self::State,
                mut io: InOut<'_>,
                rest: &mut [u8; 16],
            ) -> usize {
                $kernel::apply(state, &mut io, rest)
            }

            fn lanes(level: Level) -> usize {
                dispatch_plain!(level, isa => width(isa))
            }

            fn start_many<'m>(
                level: Level,
                many: &mut Self::Many,
                count: usize,
                message: &dyn Fn(usize) -> (&'m [u8], &'m [u8]),
            ) {
                for lane in 0..count {
                    let (key, iv) = message(lane);
                    put(many, lane, &$kernel::load(key, iv));
                }
                dispatch_plain!(level, isa => $kernel::initialise_many(isa, many));
            }

            fn generate(level: Level, many: &mut Self::Many, out: &mut [u8], len: usize) {
                dispatch_plain!(level, isa => $kernel::generate(isa, many, out, len));
            }

            fn take(many: &Self::Many, lane: usize) -> Self::State {
                take(many, lane)
            }
        }
    };
}
kernel_of!(OfV1, v1);
kernel_of!(Of128, grain_128);
kernel_of!(OfAead, v2);

/// Streams side by side; where registers are made of integers, lanes are no gain.
#[inline(always)]
fn width<I: Isa>(_: I) -> usize {
    if const { I::LANES_NATIVE } { I::BYTES / 4 } else { 1 }
}

fn put<const N: usize>(many: &mut [[u8; 64]; N], lane: usize, state: &[u32; N]) {
    for (row, word) in many.iter_mut().zip(state) {
        row[4 * lane..4 * lane + 4].copy_from_slice(&word.to_le_bytes());
    }
}

fn take<const N: usize>(many: &[[u8; 64]; N], lane: usize) -> [u32; N] {
    let mut state = [0; N];
    for (word, row) in state.iter_mut().zip(many) {
        *word = u32::from_le_bytes(row.as_chunks().0[lane]);
    }
    state
}

/// The registry's entry of [`GrainV1`].
#[cfg(feature = "alloc")]
pub const GRAIN_V1: Algorithm = Algorithm {
    name: "grain-v1",
    title: "Grain v1",
    standard: "Grain: A Stream Cipher for Constrained Environments (eSTREAM, 2006)",
    key: OfV1::KEY,
    new: crate::keystream::new::<OfV1>(),
    timing: Timing::ConstantTime,
    warning: Some("80-bit key: not for new designs"),
    kernel: |level| match OfV1::lanes(level) {
        4 => "one stream: scalar, 16 clocks a word; many: 4 in lanes of 32 bits",
        8 => "one stream: scalar, 16 clocks a word; many: 8 in lanes of 32 bits",
        16 => "one stream: scalar, 16 clocks a word; many: 16 in lanes of 32 bits",
        _ => "scalar, 16 clocks a word; many: one after another",
    },
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "80000000000000000000",
        "0000000000000000",
        "ff7710b30f198d75a454ab7a6b92a022",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

/// The registry's entry of [`Grain128`].
#[cfg(feature = "alloc")]
pub const GRAIN_128: Algorithm = Algorithm {
    name: "grain-128",
    title: "Grain-128",
    standard: "A Stream Cipher Proposal: Grain-128 (2006), eSTREAM bit order",
    key: Of128::KEY,
    new: crate::keystream::new::<Of128>(),
    timing: Timing::ConstantTime,
    warning: Some("dynamic cube attacks (2011): not for new designs"),
    kernel: |level| match Of128::lanes(level) {
        4 => "one stream: scalar, 32 clocks a word; many: 4 in lanes of 32 bits",
        8 => "one stream: scalar, 32 clocks a word; many: 8 in lanes of 32 bits",
        16 => "one stream: scalar, 32 clocks a word; many: 16 in lanes of 32 bits",
        _ => "scalar, 32 clocks a word; many: one after another",
    },
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "80000000000000000000000000000000",
        "000000000000000000000000",
        "c9e02c746a64b948e103677385ca0f96",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

/// The registry's entry of [`Grain128AeadOutput`] and [`Grain128Aead`].
#[cfg(feature = "alloc")]
pub const GRAIN_128_AEAD: Algorithm = Algorithm {
    name: "grain-128aead",
    title: "Grain-128AEADv2",
    standard: "Grain-128AEADv2 (NIST Lightweight Cryptography, 2021)",
    key: OfAead::KEY,
    new: crate::keystream::new::<OfAead>(),
    timing: Timing::ConstantTime,
    warning: Some("its keystream is the generator's pre-output: encrypt with `aead-seal`"),
    kernel: GRAIN_128.kernel,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "000102030405060708090a0b0c0d0e0f",
        "000102030405060708090a0b",
        "c77202737ae7c7ee33126dd7a21b9073",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};
