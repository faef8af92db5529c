//! What the registry says about the family.

use alloc::boxed::Box;

use lanes::Level;

use super::{IV, KEY, Member, OfSnow5g, OfSnowV, OfSnowVi, Snow, SnowBatch, kernel};
use crate::entry::known_answer::KnownAnswer;
use crate::entry::timing::Timing;
use crate::entry::{Algorithm, Limits, New};
use crate::error::Error;
use crate::traits::batch::BatchCipher;
use crate::traits::stream::StreamCipher;

/// The registry's entry of [`SnowV`](super::SnowV).
pub const SNOW_V: Algorithm = Algorithm {
    name: "snow-v",
    title: "SNOW-V",
    standard: "A new SNOW stream cipher called SNOW-V (IACR ePrint 2018/1143)",
    key: KEY,
    new: stream::<OfSnowV>(),
    timing: Timing::ConstantTime,
    warning: None,
    kernel,
    answer: KnownAnswer::keystream(
        "505152535455565758595a5b5c5d5e5f0a1a2a3a4a5a6a7a8a9aaabacadaeafa",
        "0123456789abcdeffedcba9876543210",
        "aa81eafb8b8616ce3e5ce2222461c50a",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

/// The registry's entry of [`SnowVi`](super::SnowVi).
pub const SNOW_VI: Algorithm = Algorithm {
    name: "snow-vi",
    title: "SNOW-Vi",
    standard: "SNOW-Vi (IACR ePrint 2021/236)",
    new: stream::<OfSnowVi>(),
    answer: KnownAnswer::keystream(
        "505152535455565758595a5b5c5d5e5f0a1a2a3a4a5a6a7a8a9aaabacadaeafa",
        "0123456789abcdeffedcba9876543210",
        "3a40f540f547f00f2d6fe3d001c1403a",
    )
    .with_sums(include_str!("known.txt")),
    ..SNOW_V
};

/// The registry's entry of [`Snow5g`](super::Snow5g).
pub const SNOW_5G: Algorithm = Algorithm {
    name: "snow-5g",
    title: "SNOW 5G",
    standard: "3GPP TS 35.240",
    new: stream::<OfSnow5g>(),
    answer: KnownAnswer::keystream(
        "0000000000000000000000000000000000000000000000000000000000000000",
        "00000000000000000000000000000000",
        "95ce1961b4941273fbd92dcc7457d4eb",
    )
    .with_sums(include_str!("known.txt")),
    ..SNOW_V
};

/// How a member's objects are made.
const fn stream<M: Member>() -> New {
    New::Stream { iv: IV, new: one::<M>, unlimited: one::<M>, limit: None, batch: batch::<M> }
}

fn one<M: Member>(key: &[u8], iv: &[u8], level: Level) -> Result<Box<dyn StreamCipher>, Error> {
    Ok(Box::new(Snow::<M>::with_level(key, iv, level)?))
}

/// The constructor of a batch.
pub(super) fn batch<M: Member>(_: Limits, level: Level) -> Box<dyn BatchCipher> {
    Box::new(SnowBatch::<M>::with_level(level))
}
