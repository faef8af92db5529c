//! What runs under which tool.

/// One run of tests under one tool.
pub(super) struct Run {
    /// It has the tool's name in it.
    pub(super) name: &'static str,
    /// A component of the toolchain that must be there.
    pub(super) component: &'static str,
    pub(super) budget: u64,
    /// The workspace, from the root.
    pub(super) folder: &'static str,
    pub(super) verb: &'static [&'static str],
    pub(super) flags: &'static str,
    /// What is tested.
    pub(super) tests: &'static [&'static str],
    /// In a full run only.
    pub(super) long: bool,
}

/// The standard library must be built anew where all accesses count.
const SOURCES: &str = "rust-src";

/// Miri interprets the instructions that it is told to compile for.
const AVX2: &str = "-Ctarget-feature=+ssse3,+sse4.1,+aes,+pclmulqdq,+avx2,+bmi2";

const ADDRESS: &str = "-Zsanitizer=address";
/// Where what is looked for is not in the kernels: one narrow level and one wide.
const ADDRESS_FEW: &str = "-Zsanitizer=address --cfg=cipherlane_few_levels";

pub(super) const RUNS: &[Run] = &[
    Run {
        name: "registers, buffers and wiping under Miri",
        component: "miri",
        budget: 240,
        folder: "",
        verb: &["miri", "test"],
        flags: "",
        // Those left out are arithmetic alone, and take hours in an interpreter.
        tests: &[
            "-p",
            "cipherlane-lanes",
            "--lib",
            "--",
            "--skip",
            "clmul",
            "--skip",
            "aes",
            "--skip",
            "sm4",
            "--skip",
            "x86",
        ],
        long: false,
    },
    Run {
        name: "registers at every level under AddressSanitizer",
        component: "rust-std",
        budget: 180,
        folder: "",
        verb: &["test"],
        flags: ADDRESS,
        // Arrays of functions lie elsewhere than on the stack then.
        tests: &[
            "-p",
            "cipherlane-lanes",
            "--lib",
            "--test",
            "agree",
            "--",
            "--skip",
            "below_the_caller",
        ],
        long: false,
    },
    Run {
        name: "ciphers at levels of x86 under Miri",
        component: "miri",
        budget: 7200,
        folder: "",
        verb: &["miri", "test"],
        flags: AVX2,
        tests: &[
            "-p",
            "cipherlane",
            "--no-default-features",
            "--features",
            "std,all",
            "--test",
            "batches",
            "--",
            "interpreted",
            "--nocapture",
        ],
        long: true,
    },
    Run {
        name: "bindings: objects and files in chunks under Miri",
        component: "miri",
        budget: 1800,
        folder: "",
        verb: &["miri", "test"],
        flags: AVX2,
        // What it leaves out asks every operation for thousands of splits, and files for every bit; whole
        // chunks are the least there are, and take seconds each.
        tests: &[
            "-p",
            "cipherlane-objects",
            "-p",
            "cipherlane-container",
            "--test",
            "objects",
            "--test",
            "files",
            "--test",
            "pieces",
            "--",
            "what_is_",
            "a_whole_message",
            "aeads_open",
            "the_last_nonce",
            "parameters_are",
            "macs_fork",
            "an_iv_serves",
            "names_that",
            "a_header_whose",
            "a_chunk_that",
            "chunks_of_other",
            "a_key_gives",
            "headers_out",
            "behind_a_broken",
        ],
        long: true,
    },
    Run {
        name: "ciphers at every level under AddressSanitizer",
        component: "rust-std",
        budget: 1800,
        folder: "",
        verb: &["test", "--release"],
        flags: ADDRESS,
        tests: &["-p", "cipherlane", "--test", "levels_agree", "--test", "vectors"],
        long: true,
    },
    Run {
        name: "bindings: objects and files in chunks under AddressSanitizer",
        component: "rust-std",
        budget: 900,
        folder: "",
        verb: &["test", "--release"],
        flags: ADDRESS_FEW,
        tests: &["-p", "cipherlane-objects", "-p", "cipherlane-container", "--tests"],
        long: true,
    },
    Run {
        name: "bindings: the library for C under AddressSanitizer",
        component: "rust-std",
        budget: 900,
        folder: "bindings/c",
        verb: &["test", "--release"],
        flags: ADDRESS_FEW,
        tests: &["--lib", "--test", "vectors"],
        long: true,
    },
    Run {
        name: "bindings: the provider for OpenSSL under AddressSanitizer",
        component: "rust-std",
        budget: 900,
        folder: "bindings/openssl",
        verb: &["test", "--release"],
        flags: ADDRESS_FEW,
        tests: &["--lib", "--features", "fuzzed"],
        long: true,
    },
    Run {
        name: "many threads under ThreadSanitizer",
        component: SOURCES,
        budget: 900,
        folder: "",
        verb: &["test", "--release", "-Zbuild-std"],
        flags: "-Zsanitizer=thread",
        tests: &[
            "-p",
            "cipherlane",
            "--features",
            "parallel",
            "--test",
            "parallel",
            "--test",
            "parallel_batches",
        ],
        long: true,
    },
    Run {
        name: "tables that threads share under ThreadSanitizer",
        component: SOURCES,
        budget: 300,
        folder: "",
        verb: &["test", "--release", "-Zbuild-std"],
        flags: "-Zsanitizer=thread",
        tests: &["-p", "cipherlane-lanes", "--lib", "grown"],
        long: true,
    },
];
