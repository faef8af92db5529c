//! What is checked beside the promises of SECURITY.md.

/// What is checked and promised nowhere, and its command.
pub(super) const BESIDE: [(&str, &str); 11] = [
    (
        "every order of up to five messages of four lengths in every batch that runs in lanes",
        "cargo test --release -p cipherlane --features all --test batches every_order",
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
        "every operation through the library for C, every cipher and MAC of the provider for OpenSSL, and programs over \
         both, with allocations of theirs refused, alone or with all behind it (of an operation each; of a program and of \
         `mac` fifty to a hundred over its run): an error or the same output, nothing left in the reserve, no end by a signal",
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
        "CIPHERLANE_TEST_INPUTS=65536 cargo test --release -p cipherlane --features all --lib every_factor",
    ),
];
