//! What is checked beside the promises of SECURITY.md.

/// What is checked and promised nowhere, and its command.
pub(super) const BESIDE: [(&str, &str); 11] = [
    (
        "every order of up to five messages of four lengths in every batch that runs in lanes",
        "cargo test --release -p cipherlane --test batches every_order",
    ),
    (
        "no two chunks of a file have one nonce: all numbers of two bytes, and the edges of the others",
        "cargo test --release -p cipherlane-container --lib nonce",
    ),
    (
        "encrypted files under flipped bits, cuts and moved chunks: nothing opens that was not written",
        "cargo xtask fuzz",
    ),
    (
        "programs that are killed, asked to end, fill the disk or have too little memory leave no torn file",
        "cargo test --release -p cipherlane-cli --test cli files",
    ),
    (
        "each call of the system of the file tool that fails, a disk that is full from there on, one byte \
         written instead of all, a power cut that takes what was not synced: no torn file, nothing left, \
         an error with its remedy",
        "cargo test --release -p cipherlane-cli --test cli faults",
    ),
    (
        "programs over the library for C and over the provider for OpenSSL that get no memory at an allocation \
         of the library's (each in four examples and in `enc`, about a hundred in `mac`), or in the examples from one \
         of theirs on: Rust ends them, or they say so; no output is another one",
        "cargo xtask c; cargo xtask openssl",
    ),
    (
        "engines that hang, die, mumble or lie: each is a clear error, and the run goes on",
        "cargo test --release -p cipherlane-lab --test engine --test run",
    ),
    ("a level that the CPU lacks is refused by name", "cargo test -p cipherlane-lanes --lib level"),
    (
        "licences, sources and a reason for each crate from outside; bills of materials",
        "cargo xtask supply",
    ),
    ("the library built twice, in two folders, is the same byte for byte", "cargo xtask supply"),
    (
        "all 2^32 products of IDEA at every level",
        "CIPHERLANE_TEST_INPUTS=65536 cargo test --release -p cipherlane --features idea --lib every_factor",
    ),
];
