//! `bench --record`: what must be so before a machine is recorded, and the file.

use std::path::{Path, PathBuf};
use std::process::Command;

use lab::machine::folder;
use lab::machines::{self, FILE, FOLDER};
use lab::record::Results;
use lab::report::write_file;

use super::Args;
use crate::failure::{Exit, Failure, print_note};
use crate::level;

/// What [`Args`] may not choose in a record: option and whether it is given.
fn chosen(args: &Args) -> [(&'static str, bool); 18] {
    [
        ("a filter", !args.filters.is_empty()),
        ("--study", args.study.is_some()),
        ("--all", args.all),
        ("--quick", args.quick),
        ("--within", args.within.is_some()),
        ("--engine", !args.engine.is_empty()),
        ("--level", !args.level.is_empty()),
        ("--size", !args.size.is_empty()),
        ("--model", !args.model.is_empty()),
        ("--messages", !args.messages.is_empty()),
        ("--keys", !args.keys.is_empty()),
        ("--mix", args.mix.is_some()),
        ("--threads", !args.threads.is_empty()),
        ("--aad", !args.aad.is_empty()),
        ("--unaligned", args.unaligned.is_some()),
        ("--cold", args.cold),
        ("--multi", args.multi),
        ("--percentiles", args.percentiles),
    ]
}

/// A checkout, into which a machine may be recorded.
pub(crate) struct Checkout {
    root: PathBuf,
}

/// Sees to it that what is asked for is a whole record of the program that this checkout makes.
///
/// # Errors
/// An option that would make a part of a record; no checkout; a program that is not what stands
/// there.
pub(super) fn begin(args: &Args) -> Result<Checkout, Failure> {
    if let Some((option, _)) = chosen(args).into_iter().find(|(_, given)| *given) {
        return Err(Failure::usage(
            format!("--record is given with {option}"),
            "allowed with --record: --samples, --passes and --time of at least their defaults, \
             --out, --json, --lib, --table, --why, --against; a record is whole, measured as all \
             others are",
        ));
    }
    least("--samples", Some(&args.samples), 21.0)?;
    least("--passes", args.passes.as_ref(), 9.0)?;
    least("--time", args.time.as_ref(), 1.0)?;
    capped()?;
    let here = std::env::current_dir().map_err(|error| {
        let what = format!("can't tell the current folder: {error}");
        Failure::new(Exit::Environment, what, "go to a checkout of cipherlane")
    })?;
    let checkout = Checkout { root: root(&here)? };
    let built = Built {
        debug: cfg!(debug_assertions),
        few_levels: cfg!(cipherlane_few_levels),
        commit: lab::machine::COMMIT.to_owned(),
    };
    let said = |words: &[&str]| {
        let out = Command::new("git").arg("-C").arg(&checkout.root).args(words).output().ok()?;
        out.status.success().then(|| String::from_utf8_lossy(&out.stdout).into_owned())
    };
    let stands = Stands {
        head: said(&["rev-parse", "--short=12", "HEAD"]).map(|it| it.trim().to_owned()),
        changed: said(&["status", "--porcelain", "--untracked-files=no"]),
    };
    is_what_stands(&built, &stands)?;
    Ok(checkout)
}

/// An option that makes figures better may be raised, not lowered.
fn least(option: &str, text: Option<&String>, least: f64) -> Result<(), Failure> {
    // What is no number is refused with all other values.
    match text.and_then(|text| text.trim().parse::<f64>().ok()) {
        Some(value) if value < least => Err(Failure::usage(
            format!("{option} is `{value}` with --record"),
            format!("allowed: {least} and more, so that records can be compared"),
        )),
        _ => Ok(()),
    }
}

/// The level that is recorded must be the one that a caller gets.
fn capped() -> Result<(), Failure> {
    let usable = level::usable()?;
    if usable.len() == cipherlane::Level::available().count() {
        return Ok(());
    }
    Err(Failure::usage(
        "CIPHERLANE_LEVEL caps the level that would be recorded",
        "unset it: a record has the level that a caller gets here",
    ))
}

/// The root of the checkout that a folder lies in.
fn root(here: &Path) -> Result<PathBuf, Failure> {
    let is = |folder: &&Path| {
        folder.join(FOLDER).is_dir() && folder.join("crates/cipherlane/Cargo.toml").is_file()
    };
    here.ancestors().find(is).map(Path::to_owned).ok_or_else(|| {
        Failure::new(
            Exit::Environment,
            format!("--record: {} is in no checkout of cipherlane", here.display()),
            "go to one and run `cargo run --release -- bench --record` there; elsewhere --json FILE \
             keeps a run",
        )
    })
}

/// How this program was built.
struct Built {
    debug: bool,
    few_levels: bool,
    commit: String,
}

/// What stands in the checkout, as far as git tells.
struct Stands {
    head: Option<String>,
    changed: Option<String>,
}

/// Figures are named after a commit, so the program must be made of it, and as users make it.
fn is_what_stands(built: &Built, stands: &Stands) -> Result<(), Failure> {
    let refused = |what: String, remedy: &str| {
        Err(Failure::new(Exit::Environment, format!("--record: {what}"), remedy))
    };
    let again = "run `cargo run --release -- bench --record`";
    if built.debug {
        return refused("this is a debug build, whose figures mean nothing".to_owned(), again);
    }
    if built.few_levels {
        let what = "this program was built with cipherlane_few_levels, so levels are missing";
        return refused(what.to_owned(), "unset RUSTFLAGS and run it with `cargo run --release`");
    }
    let (Some(head), Some(changed)) = (&stands.head, &stands.changed) else {
        let what = "git doesn't tell the commit of this checkout".to_owned();
        return refused(what, "install git, or clone the repository with it");
    };
    if *head != built.commit {
        let what = format!("this program is of commit {}, the checkout of {head}", built.commit);
        return refused(what, again);
    }
    // Pages and records of machines are no part of the program.
    let code = |path: &&str| !path.starts_with("docs/") && !path.ends_with(".md");
    let mut paths = changed.lines().filter_map(|line| line.get(3..));
    match paths.find(code) {
        Some(path) => refused(
            format!("{path} is not as it is at commit {head}"),
            "commit what is changed, and run `cargo run --release -- bench --record` again",
        ),
        None => Ok(()),
    }
}

impl Checkout {
    /// Writes the record of a run.
    ///
    /// # Errors
    /// A run that can't be trusted, and a place that can't be written.
    pub(crate) fn write(&self, results: &Results) -> Result<(), Failure> {
        let record = machines::record(results)?;
        let name = Path::new(FOLDER).join(folder(&record.machine.cpu));
        let place = self.root.join(&name);
        lab::report::check_writable(&place)?;
        write_file(&place.join(FILE), record.to_json().as_bytes())?;
        print_note(&format!(
            "{} is written; `cargo xtask machines --write` takes it into docs/MACHINES.md and \
             README.md",
            name.join(FILE).display()
        ));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(built: &Built, stands: &Stands) -> Option<String> {
        is_what_stands(built, stands).err().map(|failure| format!("{failure:?}"))
    }

    #[test]
    fn only_the_program_that_stands_there_is_recorded() {
        let built = || Built { debug: false, few_levels: false, commit: "abc".to_owned() };
        let stands = |changed: &str| Stands {
            head: Some("abc".to_owned()),
            changed: Some(changed.to_owned()),
        };
        let clean = stands("");
        assert_eq!(refusal(&built(), &clean), None);
        let pages = stands(" M docs/machines/a/tuned.txt\n M README.md\n");
        assert_eq!(refusal(&built(), &pages), None);
        let nothing = Stands { head: None, changed: None };
        let other = Stands { head: Some("def".to_owned()), ..stands("") };
        for (built, stands, expected) in [
            (Built { debug: true, ..built() }, &clean, "debug build"),
            (Built { few_levels: true, ..built() }, &clean, "cipherlane_few_levels"),
            (built(), &nothing, "git"),
            (built(), &other, "commit abc, the checkout of def"),
            (built(), &stands(" M docs/a.svg\n M lab/src/lib.rs\n"), "lab/src/lib.rs is not"),
        ] {
            let text = refusal(&built, stands).expect(expected);
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn options_that_make_figures_better_may_be_raised() {
        for (value, fine) in [("9", true), ("21", true), ("8", false), ("many", true)] {
            assert_eq!(least("--passes", Some(&value.to_owned()), 9.0).is_ok(), fine, "{value}");
        }
        assert!(least("--time", None, 1.0).is_ok());
    }

    #[test]
    fn a_checkout_is_found_from_within_and_nowhere_else() {
        let dir = tempfile::tempdir().unwrap();
        let within = dir.path().join("lab/src");
        std::fs::create_dir_all(&within).unwrap();
        let failure = root(&within).unwrap_err();
        assert_eq!(failure.exit(), Exit::Environment);
        std::fs::create_dir_all(dir.path().join(FOLDER)).unwrap();
        std::fs::create_dir_all(dir.path().join("crates/cipherlane")).unwrap();
        std::fs::write(dir.path().join("crates/cipherlane/Cargo.toml"), "").unwrap();
        assert_eq!(root(&within).unwrap(), dir.path());
    }

    /// A run of one cell, in which ours took so many ticks.
    fn results(ticks: f64) -> Results {
        let row = |engine: &str, level: &str, ticks: f64| {
            serde_json::json!({
                "engine": engine, "algorithm": "sm4", "operation": "ctr", "level": level,
                "model": "message", "size": 64, "messages": 1, "keys": "ready", "threads": 1,
                "nonce_bytes": 16, "aad_bytes": 0, "tag_bytes": 0, "placement": "in-place",
                "clock": "tsc", "repeats": 1, "passes": vec![vec![ticks; 21]; 9],
                "median_cycles": ticks, "q1_cycles": ticks, "q3_cycles": ticks,
                "min_cycles": ticks, "cycles_per_byte": ticks / 64.0, "cycles_per_setup": null,
                "mbps": null, "ns": 1.0, "digest": "", "flags": [], "remark": ""
            })
        };
        let file = serde_json::json!({
            "schema": lab::record::SCHEMA, "created": "2026-11-25T21:00:00Z", "command": "",
            "machine": {
                "cpu": "Test CPU (family 1 stepping 2)", "levels": ["avx512"],
                "default_level": "avx512", "cores": 2, "tsc_hz": 2e9, "core_per_tsc": 1.5,
                "kernel": "Linux", "steal": null, "facts": [["commit", "0123456789ab"]]
            },
            "engines": [],
            "rows": [row("cipherlane", "avx512", ticks), row("ipp", "-", 640.0)]
        });
        Results::from_json("a run", &file.to_string()).unwrap()
    }

    #[test]
    fn a_record_is_written_whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let checkout = Checkout { root: dir.path().to_owned() };
        checkout.write(&results(320.0)).unwrap();
        let folder = dir.path().join(FOLDER).join("test-cpu-family-1");
        let figure = || machines::read(&folder.join(FILE)).unwrap().figures[0].ours.figure;
        // 320 ticks of 1.5 core cycles on 64 bytes.
        assert_eq!(figure(), 7.5);
        let mut stopped = results(160.0);
        stopped.run.partial = true;
        assert_eq!(checkout.write(&stopped).unwrap_err().exit(), Exit::Failed);
        assert_eq!(figure(), 7.5);
        checkout.write(&results(160.0)).unwrap();
        assert_eq!(figure(), 3.75);
        assert_eq!(folder.read_dir().unwrap().count(), 1);
    }
}
