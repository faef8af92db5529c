//! `docs/PROOF.md`: what was found, beside the promises of SECURITY.md.

use std::fmt::Write as _;
use std::process::Command;

use super::records::{Figures, sums};
use super::verdicts::Verdicts;
use crate::workspace;

/// Where the page is, from the root.
pub(super) const PLACE: &str = "docs/PROOF.md";

/// A promise of SECURITY.md, by its words in bold, and what backs it: the check and its command.
struct Promise {
    words: &'static str,
    backed: &'static [(&'static str, &'static str)],
}

const PROMISES: [Promise; 7] = [
    Promise {
        words: "Right results.",
        backed: &[
            (
                "published vectors at every level, in whole and in pieces",
                "cargo run --release -- verify",
            ),
            (
                "the same cut in two in every way and at random, and at all places of batches",
                "cargo xtask prove",
            ),
            (
                "faults that other libraries had, by the numbers of their reports",
                "cargo test --release -p cipherlane --test faults_of_others",
            ),
            (
                "random inputs against transcriptions of the standards",
                "cargo test --release -p cipherlane",
            ),
            (
                "every level against `portable`: lengths, alignments, in place and buffer to buffer",
                "cargo test --release -p cipherlane --test levels_agree",
            ),
            (
                "every value of every byte of a block, a key and an IV, in every lane, at every level",
                "cargo test --release -p cipherlane --test every_byte",
            ),
            (
                "S-boxes, linear layers, rounds of SM4, AES, ZUC and SNOW 3G and products of GHASH, all inputs of each part",
                "cargo xtask equivalence",
            ),
            (
                "counters across every width of theirs",
                "cargo test --release -p cipherlane --test counter_wrap",
            ),
            (
                "inputs that a fuzzer makes up: levels, ways of calling and pieces against each other and the models",
                "cargo xtask fuzz",
            ),
            ("known answers of every operation at every level", "cargo run --release -- self-test"),
            (
                "a level with a wrong known answer makes no object (feature `self-test`)",
                "cargo test -p cipherlane --all-features --test first_use",
            ),
        ],
    },
    Promise {
        words: "Time that tells no secret",
        backed: &[
            (
                "traces under different secrets are equal, tags that are wrong included (in a quick run, where ciphers share kernels, e.g. AES-192 and AES-256, of the later ones one operation of each kind; at `portable` of every cipher one of each kind and direction)",
                "cargo xtask prove-quick --all",
            ),
            (
                "every verdict of the traces is of the machine code that stands here, and every claim has one at each level of the CPU; what changed is stepped through by `cargo xtask prove-quick`",
                "cargo xtask check --symbols",
            ),
            (
                "no branch and no address depends on bytes marked secret, by valgrind, at the levels it can run",
                "cargo xtask prove-quick",
            ),
            (
                "times under two classes of secrets give no t beyond 10 that comes back: keys and data, tags, paddings",
                "cargo xtask prove-quick",
            ),
            (
                "seeded leaks are found at every level, by each of the three",
                "cargo xtask prove-quick",
            ),
            ("nothing is indexed by data: rule `lane-index`", "cargo xtask check"),
        ],
    },
    Promise {
        words: "Secrets are overwritten.",
        backed: &[
            (
                "what objects leave in memory given back is equal under all secrets, in every way of calling, at every level",
                "cargo xtask prove-quick",
            ),
            (
                "when an object is gone, the stack below its owner and the vector registers are equal \
                 under all secrets but for the output, in every way of calling, wrong tags \
                 included, at every level",
                "cargo xtask prove-quick",
            ),
            (
                "`Debug` of every public type prints nothing that depends on a key",
                "cargo test --release -p cipherlane --test secrecy --test secrecy_of_messages",
            ),
            (
                "a door leaves nothing in registers (feature `clear-registers`)",
                "cargo test -p cipherlane-lanes --features clear-registers --lib clear",
            ),
            (
                "the program leaves no core dump where it has keys",
                "cargo test --release -p cipherlane-cli --test cli no_core",
            ),
        ],
    },
    Promise {
        words: "A tag has the length that its object has.",
        backed: &[
            (
                "tags of other lengths, forged ones too, are refused by every interface",
                "cargo run --release -- verify; cargo xtask c; cargo xtask python; cargo xtask java; cargo xtask web",
            ),
            (
                "lengths that a standard does not allow are refused by the constructor",
                "cargo test --release -p cipherlane --test misuse",
            ),
        ],
    },
    Promise {
        words: "A MAC with an IV makes one tag.",
        backed: &[(
            "after its end every call but another IV is an error, one message and many",
            "cargo test --release -p cipherlane --test one_use",
        )],
    },
    Promise {
        words: "Errors say nothing secret.",
        backed: &[
            (
                "padding: one error, nothing written",
                "cargo test --release -p cipherlane --test padding",
            ),
            (
                "wrong tags: one error, an output of zeros, one trace wherever the tag is wrong",
                "cargo xtask prove-quick",
            ),
        ],
    },
    Promise {
        words: "No memory unsafety.",
        backed: &[
            (
                "every buffer against pages that can't be read, both sides, at every length to 300 bytes (at `portable`, in a quick run, at some)",
                "cargo xtask prove-quick",
            ),
            ("slips beside a buffer are noticed", "cargo xtask prove-quick"),
            ("`unsafe` only in the rooms of SAFETY.md: rule `unsafe-rooms`", "cargo xtask check"),
            ("overflow checks and debug assertions on in tests", "cargo test -p cipherlane"),
            (
                "the crate that has the library's `unsafe` under Miri, and at every level under AddressSanitizer",
                "cargo xtask sanitize",
            ),
            (
                "ciphers at the levels of x86 up to avx2 under Miri, at every level under AddressSanitizer; threads under ThreadSanitizer",
                "cargo xtask sanitize --long",
            ),
        ],
    },
];

/// What is checked and promised nowhere, and its command.
const BESIDE: [(&str, &str); 9] = [
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
        "cargo test --release -p cipherlane-cli files",
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

/// How times are judged.
const TIMES: &str = "
## Times

Each case is 10 000 calls in a quick run, 100 000 in a full one, of two classes in random order: a
secret whose bits are nearly all equal against random ones, a tag wrong in its first byte against
its last, a padding wrong in one place against others. Welch's t is taken over all times and with the
slowest left out at 100 thresholds, as dudect does; beyond 10 in five measurements of five, three of
them after all other cases, it is a finding. An early exit and a branch, seeded at every level
128 times a call, must go beyond. What went beyond on one machine and was not there in another
process, a finding of one later run among it, is in [notes/times.md](notes/times.md).
";

/// What a reader might look for here and will not find.
const ABSENT: [&str; 10] = [
    "Proofs by a model checker: the set-up of Kani downloads from where the machines of this project \
     can't reach. What is small enough is gone through case by case instead.",
    "Traces of the levels of AArch64 and WebAssembly: the tracer needs the trap flag of x86-64.",
    "Instructions whose time depends on their operands, but for divisions: which those are is the \
     CPU maker's to say.",
    "What opens or verifies, and modes with two keys, under valgrind, which can't be told that \
     their verdicts are public; AVX-512 and GFNI, which valgrind lacks. The traces have both.",
    "Copies in the frames of functions that hold an object by value and move it, which no library \
     reaches; what a signal or another thread finds while an object is in use.",
    "Leaks that cost less time than the clock and the noise of a shared machine let see; the traces \
     do not depend on either.",
    "The files of `openssl enc` are not fuzzed: they are read inside of a program. Pipelines of the \
     provider are not, either.",
    "Keys and messages other than those tried. A trace shows what the compiler made of a path; \
     that no other path depends on a secret is shown by the sources, which branch on lengths.",
    "Masks of arithmetic whose operand lies within one cache line: the CPU reads such an operand as \
     a whole. Masks of loads, stores and gathers are compared.",
    "Messages longer than those tried: loops repeat what a message of two tiles shows.",
];

/// The processor and the compiler.
pub(super) fn machine() -> Result<String, String> {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split(": ").nth(1)).unwrap_or("an unnamed CPU");
    let rustc = workspace::output(Command::new("rustc").arg("--version"))?;
    Ok(format!("{model}, {}", rustc.trim()))
}

/// The page.
pub(super) fn render(
    figures: &Figures,
    (verdicts, line): (&Verdicts, &str),
    verb: &str,
    machine: &str,
    kept: &str,
) -> String {
    let mut page = String::from(
        "# Proof\n\nWhat backs the promises of [SECURITY.md](../SECURITY.md), and what was found. \
         `cargo xtask prove-quick --write`\nmakes this page in minutes, `cargo xtask prove --write` \
         with more lengths and secrets in hours.\n",
    );
    let _ = write!(page, "\nMade by `cargo xtask {verb}` on {machine}.\n\n");
    page += "## Promises\n\n| promise | backed by | run it |\n|---|---|---|\n";
    for Promise { words, backed } in &PROMISES {
        for (check, command) in *backed {
            let _ = writeln!(page, "| {} | {check} | `{command}` |", words.trim_end_matches('.'));
        }
    }
    page += "\n## Beside the promises\n\n| what is checked | run it |\n|---|---|\n";
    for (check, command) in BESIDE {
        let _ = writeln!(page, "| {check} | `{command}` |");
    }
    page += "\n## Figures\n\n| check | result |\n|---|---|\n";
    for (check, about) in [
        ("published", "published vectors along all paths"),
        ("trace", "operations stepped through under different secrets"),
        ("seeded", "leaks that must be found, and were"),
        (
            "memcheck",
            "operations run by valgrind with secrets marked undefined, seeded leaks included",
        ),
        (
            "remains",
            "what is left in memory given back, forgotten keys that must be found included",
        ),
        (
            "stack",
            "what is left on the stack and in registers, forgotten keys that must be found included",
        ),
        (
            "timing",
            "times of public calls under two classes of secrets by Welch's t, seeded leaks included",
        ),
        ("guard", "calls with every buffer against pages that can't be read"),
        ("slip", "accesses beside a buffer, which must end the process"),
    ] {
        let records = figures.of(check);
        let result = match check {
            _ if !records.is_empty() => sums(&records),
            "trace" if !figures.unclaimed.is_empty() => {
                "no code has changed since it was judged: see below".into()
            }
            _ => "not run here".into(),
        };
        let _ = writeln!(page, "| {about} | {result} |");
    }
    verdicts.render(&mut page);
    let _ = writeln!(
        page,
        "\nA verdict holds for the code that ran, whatever becomes of the sources: prove/code.tsv has a hash of each\nfunction. When this page was written, {line}."
    );
    unclaimed(&mut page, figures);
    page += TIMES;
    page += kept;
    open(&mut page, figures);
    page += "\n## Not shown\n\n";
    for absent in ABSENT {
        let _ = writeln!(page, "- {absent}");
    }
    page
}

/// Findings that wait for their remedy; each fails the run too.
fn open(page: &mut String, figures: &Figures) {
    page.push_str("\n## Open findings\n\n");
    let bad: Vec<_> = figures.records.iter().filter(|it| !it.passed()).collect();
    for record in &bad {
        let _ = writeln!(page, "- {}: {record}", record.check);
    }
    if bad.is_empty() {
        page.push_str("None.\n");
    }
}

/// What claims nothing.
fn unclaimed(page: &mut String, figures: &Figures) {
    let mut names: Vec<&str> = figures.unclaimed.iter().map(|it| it.subject.as_str()).collect();
    names.sort_unstable();
    if !names.is_empty() {
        let _ = writeln!(
            page,
            "\nThese read tables by secrets, say so in the registry, and are not stepped through: {}.",
            names.join(", ")
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::records::Record;
    use super::*;

    fn figures() -> Figures {
        let line = "trace\tsm4/ctr\talone\tavx2\t1234\t32\tok";
        let bad = "trace\tsm4/ecb-encrypt\talone\tavx2\t9\t16\tsecret 1 parts at step 7";
        let none = "unclaimed\trc4\t-\t-\t0\t0\tok";
        let [line, bad, none] = [line, bad, none].map(|line| Record::parse(line).unwrap());
        Figures { records: vec![line, bad], unclaimed: vec![none], code: Vec::new() }
    }

    #[test]
    fn the_page_tells_what_parted() {
        let verdicts = Verdicts::of(&figures(), "this run");
        let page =
            render(&figures(), (&verdicts, "verdicts: 7"), "prove-quick", "a CPU", "\n## Kept\n");
        assert!(page.contains("\n## Kept\n"));
        assert!(page.contains("| sm4 | 1 of 2 (32) |"), "{page}");
        assert!(page.contains("2 cases of 2 operations at 1 levels, 1243 steps, 1 findings"));
        assert!(page.contains("not stepped through: rc4."));
        assert!(page.contains("| not run here |"));
        assert!(page.contains("- trace: sm4/ecb-encrypt, alone, avx2: secret 1 parts at step 7"));
    }

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
