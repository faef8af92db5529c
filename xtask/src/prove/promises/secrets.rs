//! Of keys, tags and errors.

use super::Line::{Open, Shown};
use super::{NONE, Promise, X86};

pub(super) const OVERWRITTEN: Promise = Promise {
    words: "Secrets are overwritten.",
    lines: &[
        Shown(
            X86,
            "what objects leave in memory given back is equal under all secrets, in every way of calling",
            "cargo xtask prove-quick",
        ),
        Shown(
            X86,
            "when an object is gone, the stack below its owner and the vector registers are equal under \
             all secrets but for the output, in every way of calling, wrong tags included",
            "cargo xtask prove-quick",
        ),
        Shown(
            NONE,
            "`Debug` of every public type of the library prints nothing that depends on a key",
            "cargo test --release -p cipherlane --features all --test secrecy --test secrecy_of_messages",
        ),
        Shown(
            X86,
            "a door leaves nothing in registers (feature `clear-registers`)",
            "cargo test -p cipherlane-lanes --features clear-registers --lib clear",
        ),
        Shown(
            NONE,
            "the program leaves no core dump where it has keys",
            "cargo test --release -p cipherlane-cli --test cli no_core",
        ),
        Open(
            "neon, neon-sm4, simd128",
            "what is left in memory, on the stack and in registers: the checks are of x86-64",
        ),
        Open(
            "avx512",
            "what is left by objects that join kernels of two levels, as keys of GHASH do that grow on a CPU which works on 64 \
             bytes in halves, and their traces: the prover takes each level's own kernels. A unit test looks \
             at the memory of such a key",
        ),
        Open(
            "all",
            "copies in the frames of functions that hold an object by value and move it, which no library \
             reaches; what a signal or another thread finds while an object is in use",
        ),
    ],
};

pub(super) const TAGS: Promise = Promise {
    words: "A tag has the length that its object has.",
    lines: &[
        Shown(
            NONE,
            "tags of other lengths, forged ones too, are refused by every interface",
            "cargo run --release -- verify; cargo xtask c; cargo xtask python; cargo xtask java; cargo xtask web",
        ),
        Shown(
            NONE,
            "lengths that a standard does not allow are refused by the constructor: keys, IVs, tags",
            "cargo test --release -p cipherlane --features all --test misuse --test misuse_whole --test one_use --test galois \
             --test zuc",
        ),
    ],
};

pub(super) const ONE_TAG: Promise = Promise {
    words: "A MAC with an IV makes one tag.",
    lines: &[Shown(
        NONE,
        "after its end every call but another IV is an error, one message and many",
        "cargo test --release -p cipherlane --features all --test one_use",
    )],
};

pub(super) const ERRORS: Promise = Promise {
    words: "Errors say nothing secret.",
    lines: &[
        Shown(
            NONE,
            "padding: one error, nothing written",
            "cargo test --release -p cipherlane --features all --test padding",
        ),
        Shown(
            X86,
            "wrong tags: one error, an output of zeros, one trace wherever the tag is wrong",
            "cargo xtask prove-quick",
        ),
    ],
};
