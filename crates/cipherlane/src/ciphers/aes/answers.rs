//! A known answer of each variant (SP 800-38A appendix F.1), for self-tests.

use crate::entry::known_answer::KnownAnswer;

/// The first block of every example.
const INPUT: &str = "6bc1bee22e409f96e93d7e117393172a";

pub(super) const AES_128: KnownAnswer = KnownAnswer::block(
    "2b7e151628aed2a6abf7158809cf4f3c",
    INPUT,
    "3ad77bb40d7a3660a89ecaf32466ef97",
)
.with_sums(include_str!("known.txt"));

pub(super) const AES_192: KnownAnswer = KnownAnswer::block(
    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    INPUT,
    "bd334f1d6e45f25ff712a214571fa5cc",
)
.with_sums(include_str!("known.txt"));

pub(super) const AES_256: KnownAnswer = KnownAnswer::block(
    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
    INPUT,
    "f3eed1bdb5d2a03c064b5a7e3db181f8",
)
.with_sums(include_str!("known.txt"));
