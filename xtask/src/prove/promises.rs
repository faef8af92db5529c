//! The promises of SECURITY.md, by their words in bold: what backs each, at which levels, by which
//! command, and what nobody has shown.

use Line::{Open, Shown};

/// A promise and its lines of the table.
pub(super) struct Promise {
    pub(super) words: &'static str,
    pub(super) lines: &'static [Line],
}

pub(super) enum Line {
    /// At these levels: what is checked, and the command that does it again.
    Shown(&'static str, &'static str, &'static str),
    /// At these levels: what nobody has shown.
    Open(&'static str, &'static str),
}

/// Each level of x86-64 that the CPU of the run has.
pub(super) const X86: &str = "x86-64";
const ARM: &str = "neon, neon-sm4";
const WASM: &str = "simd128";
/// What no level has a part in.
const NONE: &str = "–";

/// The command whose records are of machine code and outlive the sources.
pub(super) const TRACES: &str = "cargo xtask prove-quick";

pub(super) const PROMISES: [Promise; 7] = [
    Promise {
        words: "Right results.",
        lines: &[
            Shown(
                X86,
                "published vectors, in whole and in pieces",
                "cargo run --release -- verify",
            ),
            Shown(
                X86,
                "the same cut in two in every way and at random, and at all places of batches",
                "cargo xtask prove --only=published",
            ),
            Shown(
                X86,
                "faults that other libraries had, by the numbers of their reports",
                "cargo test --release -p cipherlane --test faults_of_others",
            ),
            Shown(
                X86,
                "random inputs against transcriptions of the standards",
                "cargo test --release -p cipherlane",
            ),
            Shown(
                X86,
                "every level against `portable`: lengths, alignments, in place and buffer to buffer",
                "cargo test --release -p cipherlane --test levels_agree",
            ),
            Shown(
                X86,
                "every value of every byte of a block, a key and an IV, in every lane",
                "cargo test --release -p cipherlane --test every_byte",
            ),
            Shown(
                X86,
                "S-boxes, linear layers, rounds of SM4, AES, ZUC and SNOW 3G and products of GHASH, all inputs of each part",
                "cargo xtask equivalence",
            ),
            Shown(
                X86,
                "counters across every width of theirs",
                "cargo test --release -p cipherlane --test counter_wrap",
            ),
            Shown(
                X86,
                "inputs that a fuzzer makes up: levels, ways of calling and pieces against each other and the models",
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
                "the tests of SM4, the instructions emulated in integers; on a CPU with GFNI and VAES",
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
                "proofs by a model checker: the set-up of Kani downloads from where the machines of this \
                 project can't reach. What is small enough is gone through case by case instead",
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
    },
    Promise {
        words: "Time that tells no secret",
        lines: &[
            Shown(
                X86,
                "traces under different secrets are equal, tags that are wrong included (`--all`: of all code, \
                 not only of what changed; where ciphers share kernels, e.g. AES-192 and AES-256, of the \
                 later ones one operation of each kind; at `portable` of every cipher one of each kind and \
                 direction)",
                TRACES,
            ),
            Shown(
                X86,
                "every verdict of the traces is of the machine code that stands here, and every claim has one",
                "cargo xtask check --symbols",
            ),
            Shown(
                "portable, aesni, avx2",
                "no branch and no address depends on bytes marked secret, by valgrind",
                "cargo xtask prove-quick",
            ),
            Shown(
                X86,
                "times under two classes of secrets give no t beyond 10, of means 0.5 % and 5 ns apart, that comes back: keys and data, tags, paddings",
                "cargo xtask prove-quick",
            ),
            Shown(X86, "seeded leaks are found, by each of the three", "cargo xtask prove-quick"),
            Shown(
                X86,
                "a branch, a look-up and an early end put into kernels of three ciphers are found by the \
                 traces, and each makes exactly its kernel's verdicts stale",
                "cargo xtask prove-seeds",
            ),
            Shown(
                "all",
                "nothing is indexed by data in the sources: rule `lane-index`",
                "cargo xtask check",
            ),
            Shown(
                "neon, neon-sm4, simd128; portable on AArch64, RISC-V and WebAssembly; portable, aesni and avx2 on 32-bit x86",
                "the same traces, of all lengths and ways: emulated, watched by a plugin of QEMU; of WebAssembly by a module \
                 that tells of its branches and addresses. Seeded leaks are found by each",
                "cargo xtask prove-elsewhere",
            ),
            Shown(
                "avx2-sm4",
                "the same traces of SM4 in the emulator Bochs, as of code at avx2-gfni and avx512 where no CPU has them",
                "cargo xtask prove-bochs",
            ),
            Open("portable on other architectures", "traces: there is no such CPU here"),
            Open(
                "neon, neon-sm4; 32-bit x86 and RISC-V",
                "divisions by secrets, as QEMU's plugins of this version can't read registers; that the library has none is \
                 seen on x86-64 and WebAssembly",
            ),
            Open(
                "simd128",
                "what a browser's compiler makes of a module, e.g. of `select`: the traces are of the module",
            ),
            Open(
                "avx2-gfni, avx2-vaes, avx512",
                "valgrind, which lacks their instructions; at no level what opens or verifies, and modes with \
                 two keys, as it can't be told that their verdicts are public. The traces have both",
            ),
            Open(
                "all",
                "instructions whose time depends on their operands, but for divisions: which those are is the \
                 CPU maker's to say",
            ),
            Open(
                "all",
                "leaks that cost less time than the clock and the noise of a shared machine let see; the \
                 traces do not depend on either",
            ),
            Open(
                "all",
                "keys and messages other than those tried. A trace shows what the compiler made of a path; \
                 that no other path depends on a secret is shown by the sources, which branch on lengths. \
                 Messages longer than those tried: loops repeat what a message of two tiles shows",
            ),
            Open(
                "x86-64",
                "traces of some kernels: a quick run steps through one message, and above the portable \
                 level through batches of nine (stream ciphers, IDEA and RC5 of 33, too). `cargo xtask check \
                 --symbols` counts the entries of kernels that no trace went through, with the reason of \
                 each, and fails where one has none",
            ),
            Open(
                "avx512",
                "masks of arithmetic whose operand lies within one cache line: the CPU reads such an operand \
                 as a whole. Masks of loads, stores and gathers are compared",
            ),
        ],
    },
    Promise {
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
                "`Debug` of every public type prints nothing that depends on a key",
                "cargo test --release -p cipherlane --test secrecy --test secrecy_of_messages",
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
    },
    Promise {
        words: "A tag has the length that its object has.",
        lines: &[
            Shown(
                NONE,
                "tags of other lengths, forged ones too, are refused by every interface",
                "cargo run --release -- verify; cargo xtask c; cargo xtask python; cargo xtask java; cargo xtask web",
            ),
            Shown(
                NONE,
                "lengths that a standard does not allow are refused by the constructor",
                "cargo test --release -p cipherlane --test misuse",
            ),
        ],
    },
    Promise {
        words: "A MAC with an IV makes one tag.",
        lines: &[Shown(
            NONE,
            "after its end every call but another IV is an error, one message and many",
            "cargo test --release -p cipherlane --test one_use",
        )],
    },
    Promise {
        words: "Errors say nothing secret.",
        lines: &[
            Shown(
                NONE,
                "padding: one error, nothing written",
                "cargo test --release -p cipherlane --test padding",
            ),
            Shown(
                X86,
                "wrong tags: one error, an output of zeros, one trace wherever the tag is wrong",
                "cargo xtask prove-quick",
            ),
        ],
    },
    Promise {
        words: "No memory unsafety.",
        lines: &[
            Shown(
                X86,
                "every buffer against pages that can't be read, both sides, at every length to 300 bytes (at `portable`, in a quick run, at some); slips beside a buffer are noticed",
                "cargo xtask prove-quick",
            ),
            Shown(
                "all",
                "`unsafe` only in the rooms of SAFETY.md: rule `unsafe-rooms`",
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
                "overflow checks and debug assertions on in tests",
                "cargo test -p cipherlane",
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
                "ciphers at every level of the CPU under AddressSanitizer",
                "cargo xtask sanitize --only='ciphers at every level'",
            ),
            Shown(
                X86,
                "objects and files in chunks under Miri (at `avx2`) and AddressSanitizer, the library for C and \
                 the provider for OpenSSL under AddressSanitizer",
                "cargo xtask sanitize --only=bindings",
            ),
            Shown(
                NONE,
                "what threads share under ThreadSanitizer",
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
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn every_promise_of_the_page_on_security_is_backed() {
        let text = workspace::read("SECURITY.md").unwrap();
        let section = text.split("## What the library promises").nth(1).unwrap();
        let section = section.split("\n## ").next().unwrap();
        let promises: Vec<&str> = section
            .split("\n\n")
            .filter_map(|paragraph| paragraph.trim().strip_prefix("**")?.split("**").next())
            .collect();
        let backed: Vec<&str> = PROMISES.iter().map(|it| it.words.trim_end_matches(',')).collect();
        assert_eq!(promises, backed);
    }
}
