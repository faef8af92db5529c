//! That results are right.

use super::Line::{Open, Shown};
use super::{ARM, NONE, Promise, WASM, X86};

pub(super) const RIGHT_RESULTS: Promise = Promise {
    words: "Right results.",
    lines: &[
        Shown(X86, "published vectors, in whole and in pieces", "cargo run --release -- verify"),
        Shown(
            X86,
            "the same cut in two in every way and at random, and at all places of batches",
            "cargo xtask prove --only=published",
        ),
        Shown(
            X86,
            "faults that other libraries had, by the numbers of their reports",
            "cargo test --release -p cipherlane --features all --test faults_of_others",
        ),
        Shown(
            X86,
            "random inputs against transcriptions of the standards",
            "cargo test --release -p cipherlane --features all",
        ),
        Shown(
            X86,
            "every level against `portable`: lengths, alignments, in place and buffer to buffer",
            "cargo test --release -p cipherlane --features all --test levels_agree",
        ),
        Shown(
            X86,
            "every value of every byte of a block, a key and an IV, in every lane",
            "cargo test --release -p cipherlane --features all --test every_byte",
        ),
        Shown(
            X86,
            "S-boxes, linear layers, rounds of SM4 and AES, F of ZUC, rounds of SNOW 3G and products of GHASH: every value of \
             every byte of each part, and bases of what is linear in them, so that by the composition that \
             docs/notes/equivalence.md writes down they are equal for all inputs",
            "cargo xtask equivalence",
        ),
        Shown(
            X86,
            "counters across every width of theirs",
            "cargo test --release -p cipherlane --features all --test counter_wrap",
        ),
        Shown(
            NONE,
            "counters as sums of integers, with carries into and out of every bit, and all 2^32 next ones of 32 bits",
            "CIPHERLANE_TEST_INPUTS=65536 cargo test --release -p cipherlane --features all --lib ctr::counter",
        ),
        Shown(
            X86,
            "inputs that a fuzzer makes up: levels, ways of calling and pieces against each other and the models; at the \
             CPU's own level our provider against OpenSSL's own ones, call by call up to the first difference that \
             `allowed.txt` lists, and encrypted files of chunks to 8 KiB by our reader and by one in Python",
            "cargo xtask fuzz",
        ),
        Shown(X86, "known answers of every operation", "cargo run --release -- self-test"),
        Shown(
            X86,
            "a level with a wrong known answer makes no object (feature `self-test`)",
            "cargo test -p cipherlane --all-features --test first_use",
        ),
        Shown(
            ARM,
            "published vectors and a sample of the cases of the tests above, emulated",
            "cargo xtask aarch64",
        ),
        Shown(
            "avx2-sm4",
            "a sample of the cases of the tests of SM4, the instructions emulated in integers; on a CPU with GFNI and VAES",
            "cargo xtask sm4",
        ),
        Shown(
            "avx2-sm4, avx2-gfni, avx512",
            "lanes, SM4's self-test and its published vectors on an Arrow Lake and a Tiger Lake that the \
             emulator Bochs makes",
            "cargo xtask bochs",
        ),
        Shown(
            WASM,
            "published vectors and a sample of the cases of the tests above, in Node.js",
            "cargo xtask wasm",
        ),
        Open(
            "all",
            "proofs by a model checker: the set-up of Kani downloads from where the machines of this project can't \
             reach; or by a tool for satisfiability, of which none was tried. What is small enough is gone through \
             case by case instead",
        ),
        Open(
            "all",
            "parts of `equivalence` at all 2^32 words (`--all`); sums modulo 2^31 - 1 of ZUC's register, which are compared at random and at edges; at `portable` the rounds of AES on bit planes, of which the \
             circuit of the S-box is proven and the rest is compared with the model",
        ),
        Open(
            NONE,
            "mutants of SNOW 3G and SNOW-V; of the ciphers' own code in all as many as the table below says, which for \
             some is few",
        ),
        Open(
            ARM,
            "anything on a CPU of that architecture: these levels ran under an emulator alone",
        ),
        Open(
            NONE,
            "under a fuzzer: the files of `openssl enc`, as they are read inside of a program; pipelines \
             of the provider; the hash SM3, messages cut among threads, objects of one PDU with lengths in bits, \
             the traits of RustCrypto. All of these but the traits have random inputs in their tests",
        ),
    ],
};
