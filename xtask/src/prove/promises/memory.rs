//! That no memory is touched that is not meant.

use super::Line::{Open, Shown};
use super::{NONE, Promise, X86};

pub(super) const MEMORY: Promise = Promise {
    words: "No memory unsafety.",
    lines: &[
        Shown(
            X86,
            "every buffer against pages that can't be read, both sides, at every length to 300 bytes (at `portable`, in a quick run, at some); slips beside a buffer are noticed",
            "cargo xtask prove-quick",
        ),
        Shown(
            "all",
            "`unsafe` only in the rooms of SAFETY.md, in `crates`, `lab`, `cli`, `prove` and `xtask`: rule `unsafe-rooms`",
            "cargo xtask check",
        ),
        Shown(
            X86,
            "all ranges, offsets and lengths of a small domain of `InOut`, `Streams` and parts of registers: \
             what is inside is done, all else is refused",
            "cargo test --release -p cipherlane-lanes --test bounds",
        ),
        Shown(
            X86,
            "`Whole`: places of sizes to 71 bytes, at five alignments to 64, hold zeros when their value is gone, and nothing \
             beside is written; calls of up to 80 bytes or 40 blocks at every distance to 40 from the end of a counter of 32 \
             bits (against the cipher) and of a data unit of XTS (there and back): what fits is done, all else refused",
            "cargo test --release -p cipherlane-prove --lib bounded",
        ),
        Shown(
            X86,
            "overflow checks and debug assertions on in tests",
            "cargo test -p cipherlane --features all",
        ),
        Shown(
            X86,
            "the crates that have the libraries' `unsafe` under AddressSanitizer; at `portable` under Miri",
            "cargo xtask sanitize",
        ),
        Shown(
            "aesni, avx2",
            "two short messages of every operation, alone and at once, under Miri; at `portable` the \
             standards' answers",
            "cargo xtask sanitize --only='ciphers at levels'",
        ),
        Shown(
            X86,
            "a sample of the cases of ciphers at every level of the CPU under AddressSanitizer",
            "cargo xtask sanitize --only='ciphers at every level'",
        ),
        Shown(
            "portable, avx2, avx2-vaes",
            "objects and files in chunks under Miri (at `avx2`) and AddressSanitizer, the library for C and \
             the provider for OpenSSL, by its own tests without OpenSSL, under AddressSanitizer",
            "cargo xtask sanitize --only=bindings",
        ),
        Shown(
            NONE,
            "a sample of the cases of what threads share under ThreadSanitizer",
            "cargo xtask sanitize --only=ThreadSanitizer",
        ),
        Shown(
            X86,
            "inputs that a fuzzer makes up, under AddressSanitizer",
            "cargo xtask fuzz --address",
        ),
        Shown(
            X86,
            "all operations at all levels at random for twenty minutes: memory stays flat",
            "cargo xtask soak",
        ),
        Open(
            "avx2-gfni, avx2-vaes, avx512, neon, neon-sm4, simd128",
            "Miri, which does not interpret their instructions, or was not asked to",
        ),
    ],
};
