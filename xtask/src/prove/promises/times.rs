//! That time tells no secret.

use super::Line::{Open, Shown};
use super::{Promise, TRACES, X86};

pub(super) const TIMES: Promise = Promise {
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
            "kernels index registers by constants and loop variables alone: rule `lane-index`, which reads functions \
             generic over a level and does not follow names; ciphers that read tables say so in the registry",
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
};
