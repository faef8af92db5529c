//! What the registry says about the three variants.

use alloc::boxed::Box;

use super::{Salsa20, Salsa20Batch, kernel, key};
use crate::entry::timing::Timing;
use crate::entry::{Algorithm, New};
use crate::error::Error;
use crate::first_use::admit;
use crate::traits::stream::StreamCipher;

/// The registry's entry of [`Salsa20_8`](super::Salsa20_8).
pub const SALSA20_8: Algorithm = Algorithm {
    name: "salsa20-8",
    title: "Salsa20/8",
    standard: "Salsa20 specification (Bernstein, 2005), eSTREAM",
    key: key::KEY,
    new: stream::<8>(),
    timing: Timing::ConstantTime,
    warning: Some("8 rounds leave a small margin: prefer 12 or 20"),
    kernel,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "80000000000000000000000000000000",
        "0000000000000000",
        "a9c9f888ab552a2d1bbff9f36bebeb33",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

/// The registry's entry of [`Salsa20_12`](super::Salsa20_12).
pub const SALSA20_12: Algorithm = Algorithm {
    name: "salsa20-12",
    title: "Salsa20/12",
    new: stream::<12>(),
    warning: None,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "80000000000000000000000000000000",
        "0000000000000000",
        "fc207dbfc76c5e1774961e7a5aad0906",
    )
    .with_sums(include_str!("known.txt")),
    ..SALSA20_8
};

/// The registry's entry of [`Salsa20_20`](super::Salsa20_20).
pub const SALSA20_20: Algorithm = Algorithm {
    name: "salsa20-20",
    title: "Salsa20/20",
    new: stream::<20>(),
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "80000000000000000000000000000000",
        "0000000000000000",
        "4dfa5e481da23ea09a31022050859936",
    )
    .with_sums(include_str!("known.txt")),
    ..SALSA20_12
};

const fn stream<const ROUNDS: usize>() -> New {
    New::Stream {
        iv: key::NONCE,
        new: boxed::<ROUNDS>,
        unlimited: boxed::<ROUNDS>,
        limit: None,
        batch: |_, level| Box::new(Salsa20Batch::<ROUNDS>::with_level(level)),
    }
}

fn boxed<const ROUNDS: usize>(
    key: &[u8],
    iv: &[u8],
    level: lanes::Level,
) -> Result<Box<dyn StreamCipher>, Error> {
    admit(level, &super::ANSWER)?;
    key::check(key, iv)?;
    // Made where it stays: words just written are slow to move.
    let mut cipher = Box::new(Salsa20::<ROUNDS>::empty(level));
    key::expand(key, iv, &mut cipher.input.0);
    Ok(cipher)
}
