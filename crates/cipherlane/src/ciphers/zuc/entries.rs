//! What the registry says about the family.

use alloc::boxed::Box;

use super::{
    Key128, Key256Of2018, Key256Of2021, Key256Of2023, Member, Zuc, Zuc256, ZucBatch, kernel,
};
use crate::entry::timing::Timing;
use crate::entry::{Algorithm, Limits, New, NewStream};
use crate::traits::batch::BatchCipher;

/// The registry's entry of [`Zuc128`](super::Zuc128).
pub const ZUC_128: Algorithm = Algorithm {
    name: "zuc-128",
    title: "ZUC-128",
    standard: "GM/T 0001.1-2012, 3GPP TS 35.222",
    key: Key128::KEY,
    new: stream::<Key128>(limited::<Key128>),
    timing: Timing::ConstantTime,
    warning: None,
    kernel,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "ffffffffffffffffffffffffffffffff",
        "ffffffffffffffffffffffffffffffff",
        "0657cfa07096398b",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

/// The registry's entry of [`Zuc256`].
pub const ZUC_256: Algorithm = Algorithm {
    name: "zuc-256",
    title: "ZUC-256 (2018)",
    standard: "The ZUC-256 Stream Cipher (ZUC team, 2018)",
    key: Key256Of2018::KEY,
    new: stream::<Key256Of2018>(|key, iv, level| Ok(Box::new(Zuc256::unlimited(key, iv, level)?))),
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000",
        "58d03ad62e032ce2dafc683a39bdcb03",
    )
    .with_sums(include_str!("known.txt")),
    ..ZUC_128
};

/// The registry's entry of [`Zuc256Of2021`](super::Zuc256Of2021).
pub const ZUC_256_OF_2021: Algorithm = Algorithm {
    name: "zuc-256-2021",
    title: "ZUC-256 (2021)",
    standard: "An Addendum to the ZUC-256 Stream Cipher (IACR ePrint 2021/1439)",
    key: Key256Of2021::KEY,
    new: stream::<Key256Of2021>(limited::<Key256Of2021>),
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "0000000000000000000000000000000000000000000000000000000000000000",
        "00000000000000000000000000000000",
        "e457e206cee79e167da20fd03bbb22cc",
    )
    .with_sums(include_str!("known.txt")),
    ..ZUC_128
};

/// The registry's entry of [`Zuc256Of2023`](super::Zuc256Of2023).
pub const ZUC_256_OF_2023: Algorithm = Algorithm {
    name: "zuc-256-2023",
    title: "ZUC-256 (2023)",
    standard: "A New Initialization Scheme of the ZUC-256 Stream Cipher (ZUC team, 2023)",
    key: Key256Of2023::KEY,
    new: stream::<Key256Of2023>(limited::<Key256Of2023>),
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "0000000000000000000000000000000000000000000000000000000000000000",
        "00000000000000000000000000000000",
        "0234e932f0c2229238853662aa624def",
    )
    .with_sums(include_str!("known.txt")),
    ..ZUC_128
};

/// How a member's objects are made.
const fn stream<M: Member>(unlimited: NewStream) -> New {
    New::Stream { iv: M::IV, new: limited::<M>, unlimited, limit: M::LIMIT, batch: batch::<M> }
}

fn limited<M: Member>(
    key: &[u8],
    iv: &[u8],
    level: lanes::Level,
) -> Result<Box<dyn crate::traits::stream::StreamCipher>, crate::error::Error> {
    Ok(Box::new(Zuc::<M>::with_level(key, iv, level)?))
}

/// The constructor of a batch.
pub(super) fn batch<M: Member>(limits: Limits, level: lanes::Level) -> Box<dyn BatchCipher> {
    Box::new(match limits {
        Limits::Enforced => ZucBatch::<M>::with_level(level),
        Limits::Lifted => ZucBatch::<M>::unlimited(level),
    })
}
