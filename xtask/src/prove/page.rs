//! `docs/PROOF.md`: what was found, beside the promises of SECURITY.md.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

use super::beside::BESIDE;
use super::evidence::{Run, Runs, beyond};
use super::kept;
use super::promises::{Line, PROMISES, Promise, TRACES, X86};
use super::quick_runs::Levels;
use super::records::{Figures, sums};
use super::verdicts::Verdicts;
use crate::here::cpu;
use crate::workspace;

/// Where the page is, from the root.
pub(super) const PLACE: &str = "docs/PROOF.md";

/// The hash of the code that the traces judged, and the levels that CPUs have.
pub(super) type Told<'a> = (&'a str, &'a Levels);

/// How times are judged.
const TIMES: &str = "
## Times

Each case is 10 000 calls in a quick run, 100 000 in a full one, of two classes in random order: a
secret whose bits are nearly all equal against random ones, a tag wrong in its first byte against
its last, a padding wrong in one place against others. Welch's t is taken over all times and with the
slowest left out at 100 thresholds, as dudect does. It is a finding if it is beyond 10, where at least half of
the times are left and the means are 0.5 % and 5 ns apart or more, in five measurements of five, three of them
in another process half a minute after all other cases. An early exit and a branch, seeded at every level 128
times a call, must go beyond. How t spreads over hundreds of processes, with and without a
leak, and what that says of the rule, is in [notes/times.md](notes/times.md).
";

/// The processor and the compiler.
pub(super) fn machine() -> Result<String, String> {
    let rustc = workspace::output(Command::new("rustc").arg("--version"))?;
    Ok(format!("{}, {}", cpu(), rustc.trim()))
}

/// What begins the line that tells which run the figures are of.
const FIGURES_OF: &str = "\nThe figures below:";
const FIGURES: &str = "\n## Figures\n";
const OPEN: &str = "\n## Open findings\n";

/// What stands above the figures: the table of the promises.
fn above(runs: &Runs, told: Told<'_>) -> String {
    let mut page = String::from(
        "# Proof\n\nWhat backs the promises of [SECURITY.md](../SECURITY.md), at which levels, when it \
         last ran, and what nobody has\nshown. `cargo xtask prove-quick --write` makes this page in \
         minutes, `cargo xtask prove --write` with more lengths and\nsecrets in hours; \
         `cargo xtask evidence --write` runs every command below.\n\n",
    );
    table(&mut page, runs, told);
    page += "\n![What the attacker does, the promise that stands against it, and what stays open](threats.svg)\n";
    page
}

fn beside(runs: &Runs, told: Told<'_>) -> String {
    let mut page = String::from(
        "\n## Beside the promises\n\n| what is checked | last run | sources | again by | minutes |\n\
         |---|---|---|---|---|\n",
    );
    for (check, command) in BESIDE {
        let [date, sources, minutes] = last(runs, told, command, false);
        let _ = writeln!(page, "| {check} | {date} | {sources} | `{command}` | {minutes} |");
    }
    page
}

/// The page with what is made of kept files anew: the tables of commands, and the sums of long runs. What the
/// last run of the prover found stays.
pub(super) fn renewed(
    old: &str,
    (runs, told): (&Runs, Told<'_>),
    kept: &str,
) -> Result<String, String> {
    let part = |from: &str, to: &str| {
        let start = old.find(from).ok_or_else(|| format!("{PLACE} has no `{}`", from.trim()))?;
        let end = old[start..].find(to).map(|end| start + end);
        Ok::<_, String>(&old[start..end.ok_or_else(|| format!("{PLACE} has no `{}`", to.trim()))?])
    };
    let of_run = part(FIGURES_OF, "\n## Beside")?;
    let figures = part(FIGURES, kept::FIRST)?;
    let findings = &old[old.find(OPEN).ok_or("no section of open findings")?..];
    let (above, beside) = (above(runs, told), beside(runs, told));
    Ok([&above, of_run, &beside, figures, kept, findings].concat())
}

/// What begins the section of verdicts, and the sentence that ends it.
const VERDICTS: &str = "\n## Constant time\n";
const WRITTEN: &str = "When this page was written, ";

/// The verdicts.
fn judged(verdicts: &Verdicts, line: &str) -> String {
    let mut text = String::from(VERDICTS);
    verdicts.render(&mut text);
    let _ = writeln!(
        text,
        "\nA verdict holds for the code that ran, whatever becomes of the sources: prove/code.tsv has a hash of each\nfunction, and of the data that it refers to (not of what these lead to in turn, nor of single constants), prove/verdicts.tsv the operations. {WRITTEN}{line}."
    );
    text
}

/// The page with other verdicts.
pub(super) fn rejudged(old: &str, verdicts: &Verdicts, line: &str) -> Result<String, String> {
    let wrong = || format!("{PLACE} has no section of verdicts that ends with `{WRITTEN}…`");
    let start = old.find(VERDICTS).ok_or_else(wrong)?;
    let written = start + old[start..].find(WRITTEN).ok_or_else(wrong)?;
    let end = written + old[written..].find('\n').ok_or_else(wrong)? + 1;
    Ok([&old[..start], &judged(verdicts, line), &old[end..]].concat())
}

/// The page.
pub(super) fn render(
    figures: &Figures,
    (verdicts, line): (&Verdicts, &str),
    (runs, told): (&Runs, Told<'_>),
    (verb, machine): (&str, &str),
    kept: &str,
) -> String {
    let mut page = above(runs, told);
    let _ = writeln!(page, "{FIGURES_OF} `cargo xtask {verb}` on {machine}.");
    page += &beside(runs, told);
    page += FIGURES;
    page += "\n| check | result |\n|---|---|\n";
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
    page += &judged(verdicts, line);
    unclaimed(&mut page, figures);
    page += TIMES;
    page += kept;
    open(&mut page, figures);
    page
}

/// Date, hash and minutes of the last run of a command; date and hash of those before it, too, at levels that
/// the later ones had not, if `levels` are those of the CPU of the run.
fn last(runs: &Runs, (code, levels): Told<'_>, command: &str, all: bool) -> [String; 3] {
    let Some(run) = runs.of(command) else {
        return ["never kept", "–", "–"].map(str::to_owned);
    };
    // What the traces judged is machine code, whatever became of the sources.
    let sources = |run: &Run| {
        if command == TRACES { format!("code {code}") } else { run.sources.clone() }
    };
    let (mut date, mut hash) = (dated(run), sources(run));
    for before in runs.all_of(command).skip(1).filter(|_| all) {
        let _ = write!(date, "; {} {}", beyond(levels, before, run).join(", "), dated(before));
        let _ = write!(hash, "; {}", sources(before));
    }
    // Levels of other CPUs at which no run of it is kept; the traces' are in a table of their own.
    let mut never: BTreeSet<&String> = levels.values().flatten().collect();
    for run in runs.all_of(command) {
        match levels.get(&run.cpu) {
            Some(of) => never.retain(|level| !of.contains(*level)),
            None => never.clear(),
        }
    }
    if all && command != TRACES && !never.is_empty() {
        let never: Vec<&str> = never.into_iter().map(String::as_str).collect();
        let _ = write!(date, "; {} never", never.join(", "));
    }
    [date, hash, format!("{:.1}", run.seconds as f64 / 60.0)]
}

/// When it ran, and how it ended if there is something to say.
fn dated(run: &Run) -> String {
    match run.ended.as_str() {
        "ok" => run.date.clone(),
        "failed" => format!("**failed** {}", run.date),
        other => format!("{}, {}", run.date, other.trim_start_matches("ok, ")),
    }
}

/// The table: what backs each promise, and what is not shown.
fn table(page: &mut String, runs: &Runs, told: Told<'_>) {
    page.push_str(
        "| promise | levels | evidence | last run | sources | again by | minutes |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for Promise { words, lines } in &PROMISES {
        let words = words.trim_end_matches('.');
        for line in *lines {
            let _ = match line {
                Line::Shown(levels, check, command) => {
                    let [date, sources, minutes] = last(runs, told, command, *levels == X86);
                    writeln!(
                        page,
                        "| {words} | {levels} | {check} | {date} | {sources} | `{command}` | {minutes} |"
                    )
                }
                Line::Open(levels, what) => {
                    writeln!(page, "| {words} | {levels} | **not shown:** {what} | – | – | – | – |")
                }
            };
        }
    }
    page.push_str(
        "\nLevels: x86-64 is `portable`, `aesni`, `avx2`, `avx2-gfni`, `avx2-vaes` and `avx512`, as far as the CPU of \
         the run has them; where the last run's CPU lacked some, the last one that had them stands behind it, or that none is kept. Sources: git's hash of `crates` when it \
         ran, `git rev-parse --short=10 HEAD:crates` says\nwhat it is now; of the traces a hash of all machine code \
         that was judged (`prove/code.tsv`), of which\n`cargo xtask check --symbols` says whether it is the code \
         that stands here. Minutes include the compiler's, where something was not built.\n",
    );
    let machines: BTreeSet<&str> = runs.0.iter().map(|run| run.cpu.as_str()).collect();
    if !machines.is_empty() {
        let all: Vec<&str> = machines.into_iter().collect();
        let _ = writeln!(page, "They ran on: {}.", all.join("; "));
    }
}

/// Findings that wait for their remedy; each fails the run too.
fn open(page: &mut String, figures: &Figures) {
    page.push_str(OPEN);
    page.push('\n');
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
    use super::super::evidence::Run;
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
        let run = |command: &str, ended: &str| Run {
            command: command.into(),
            date: "2026-01-02".into(),
            sources: "0123456789".into(),
            cpu: "a CPU".into(),
            seconds: 90,
            ended: ended.into(),
        };
        let two = |cpu: &str, levels: &[&str]| {
            (cpu.to_owned(), levels.iter().map(|it| (*it).to_owned()).collect())
        };
        let levels: Levels = [two("a CPU", &["avx2"]), two("another", &["avx2", "avx512"])].into();
        let runs = Runs(vec![
            run(TRACES, "ok"),
            run("cargo xtask sanitize", "ok, 2 skipped"),
            run("cargo xtask check", "failed"),
            run("cargo xtask prove-seeds", "ok"),
            Run {
                cpu: "another".into(),
                date: "2026-01-01".into(),
                sources: "9876543210".into(),
                ..run("cargo xtask prove-seeds", "ok")
            },
        ]);
        let page = render(
            &figures(),
            (&verdicts, "verdicts: 7"),
            (&runs, ("abcdef", &levels)),
            ("prove-quick", "a CPU"),
            "\n## Constant time on other machines\n\nOld.\n",
        );
        assert!(page.contains("| 2026-01-02 | code abcdef | `cargo xtask prove-quick` | 1.5 |"));
        assert!(page.contains("| 2026-01-02, 2 skipped; avx512 never | 0123456789 |"), "{page}");
        assert!(page.contains("| **failed** 2026-01-02 |"));
        assert!(
            page.contains("| 2026-01-02; avx512 2026-01-01 | 0123456789; 9876543210 |"),
            "{page}"
        );
        assert!(page.contains("| never kept | – | `cargo xtask wasm` | – |"));
        assert!(page.contains("| **not shown:** traces: there is no such CPU here"));
        assert!(
            page.lines()
                .filter(|line| line.starts_with("| Right"))
                .all(|it| it.matches(" | ").count() == 6)
        );
        assert!(page.contains(
            "\n## Constant time on other machines\n\nOld.\n\n## Open findings\n\n- trace"
        ));
        assert!(page.contains("| sm4 | 1 of 2 (32) |"), "{page}");
        assert!(page.contains("2 cases of 2 operations at 1 levels, 1243 steps, 1 findings"));
        assert!(page.contains("not stepped through: rc4."));
        assert!(page.contains("| not run here |"));
        assert!(page.contains("- trace: sm4/ecb-encrypt, alone, avx2: secret 1 parts at step 7"));

        // What is kept is renewed, and nothing else.
        let same = renewed(
            &page,
            (&runs, ("abcdef", &levels)),
            "\n## Constant time on other machines\n\nOld.\n",
        )
        .unwrap();
        assert_eq!(same, page);
        let runs = Runs(vec![run("cargo xtask wasm", "ok")]);
        let new = renewed(
            &page,
            (&runs, ("fedcba", &levels)),
            "\n## Constant time on other machines\n\nNew.\n",
        )
        .unwrap();
        assert!(new.contains("| 2026-01-02 | 0123456789 | `cargo xtask wasm` | 1.5 |"), "{new}");
        assert!(new.contains("| never kept | – | `cargo xtask check` | – |"));
        assert!(new.contains("\nNew.\n\n## Open findings\n") && !new.contains("Old."));
        assert!(new.contains("\nThe figures below: `cargo xtask prove-quick` on a CPU.\n"));
        assert!(new.contains("2 cases of 2 operations at 1 levels, 1243 steps, 1 findings"));
        assert!(
            renewed("# Proof\n", (&runs, ("", &levels)), "")
                .unwrap_err()
                .contains("The figures below")
        );

        // Other verdicts, and nothing else.
        assert_eq!(rejudged(&page, &verdicts, "verdicts: 7").unwrap(), page);
        let other =
            rejudged(&page, &Verdicts::of(&figures(), "another run"), "verdicts: 8").unwrap();
        assert!(other.contains("written, verdicts: 8.\n") && !other.contains("verdicts: 7"));
        assert!(other.contains(": another run.\n") && !other.contains(": this run.\n"));
        assert!(other.ends_with("secret 1 parts at step 7\n"));
        assert!(rejudged("# Proof\n", &verdicts, "").unwrap_err().contains("no section"));
    }
}
