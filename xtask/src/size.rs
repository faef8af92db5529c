//! `cargo xtask size`: text bytes and clean build times against the budgets of ARCHITECTURE.md.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, SectionKind};

use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

const MIB: u64 = 1 << 20;

/// One clean build and what it may cost.
struct Build {
    name: &'static str,
    /// Arguments of `cargo build --release`.
    arguments: &'static [&'static str],
    /// The files whose text is counted, under `release/`.
    files: &'static [&'static str],
    /// The most bytes of text; none where only the time is bounded.
    text: Option<u64>,
    time: Duration,
}

pub(crate) const LIBRARY: &[&str] = &["libcipherlane.rlib", "liblanes.rlib"];

/// What builds the library of the national ciphers alone.
pub(crate) const NATIONAL: &[&str] = &[
    "-p",
    "cipherlane",
    "-p",
    "cipherlane-lanes",
    "--lib",
    "--no-default-features",
    "--features",
    "cipherlane/std,cipherlane/sm4,cipherlane/zuc",
];

/// The library with everything on that a user switches on: not `counting`, which is for `xtask counts`
/// and adds machine code of its own to every kernel.
const ALL_OF_IT: Build = Build {
    name: "library, all features",
    arguments: &[
        "-p",
        "cipherlane",
        "-p",
        "cipherlane-lanes",
        "--lib",
        "--features",
        "cipherlane/all,cipherlane/rustcrypto,cipherlane/self-test,cipherlane/parallel,cipherlane/clear-registers",
    ],
    files: LIBRARY,
    text: Some(5 * MIB),
    time: Duration::from_secs(180),
};

/// The library of the national ciphers.
const OF_NATIONAL: Build = Build {
    name: "library, SM4 and ZUC",
    arguments: NATIONAL,
    files: LIBRARY,
    text: Some(7 * MIB / 4),
    time: Duration::from_secs(180),
};

const PROGRAM: Build = Build {
    name: "program",
    arguments: &["-p", "cipherlane-cli"],
    files: &["cipherlane"],
    text: None,
    time: Duration::from_secs(360),
};

/// Builds the program and the library with all features, of one piece, as everybody reads it who
/// reads machine code; returns the folder where they are.
pub(crate) fn delivered() -> Result<PathBuf, String> {
    workspace::release(&["cipherlane-cli", "cipherlane", "cipherlane-lanes"])
}

/// The bytes of executable code in a program or in the members of an archive.
fn text_bytes(data: &[u8]) -> Result<u64, object::Error> {
    let of = |bytes: &[u8]| {
        object::File::parse(bytes).map(|object| {
            let text = object.sections().filter(|section| section.kind() == SectionKind::Text);
            text.map(|section| section.size()).sum::<u64>()
        })
    };
    let Ok(archive) = ArchiveFile::parse(data) else { return of(data) };
    let mut sum = 0;
    for member in archive.members() {
        // What is no object file is the metadata of Rust.
        sum += of(member?.data(data)?).unwrap_or(0);
    }
    Ok(sum)
}

fn text_in(folder: &Path, files: &[&str]) -> Result<u64, String> {
    let named = |file: &str| {
        let suffix = if file.contains('.') { "" } else { std::env::consts::EXE_SUFFIX };
        text_of(&folder.join(format!("{file}{suffix}")))
    };
    files.iter().map(|file| named(file)).sum()
}

fn text_of(path: &Path) -> Result<u64, String> {
    let data =
        fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    text_bytes(&data).map_err(|error| format!("{}: {error}", path.display()))
}

/// Builds from nothing; returns the seconds and the bytes of text.
fn measure(build: &Build) -> Result<(Duration, u64), String> {
    let target = workspace::scratch("size");
    if target.exists() {
        fs::remove_dir_all(&target)
            .map_err(|error| format!("cannot empty {}: {error}", target.display()))?;
    }
    // What must be downloaded is no part of a build's time.
    workspace::output(&mut workspace::cargo(&["fetch", "--quiet"]))?;
    let mut command = workspace::cargo(&["build", "--release", "--quiet"]);
    command.args(build.arguments).arg("--target-dir").arg(&target);
    let start = Instant::now();
    workspace::run(&mut command)?;
    let took = start.elapsed();
    let text = text_in(&target.join("release"), build.files)?;
    let _ = fs::remove_dir_all(&target);
    Ok((took, text))
}

/// One line of the table; also whether the build kept its budgets. Where it was not built from
/// nothing there is no time.
fn row(build: &Build, took: Option<Duration>, text: u64) -> (String, bool) {
    let mib = |bytes: u64| format!("{:.2} MiB", bytes as f64 / MIB as f64);
    let in_time = took.is_none_or(|took| took <= build.time);
    let kept = in_time && build.text.is_none_or(|most| text <= most);
    let line = format!(
        "   {:<22} {:>10} {:>10} {:>11} {:>7} s   {}",
        build.name,
        mib(text),
        build.text.map_or_else(|| "-".into(), mib),
        took.map_or_else(|| "-".into(), |took| format!("{:.1} s", took.as_secs_f64())),
        build.time.as_secs(),
        if kept { "ok" } else { "OVER BUDGET" }
    );
    (line, kept)
}

/// Prints the table; the names of what is over budget are an error.
fn table(rows: &[(&Build, Option<Duration>, u64)]) -> Outcome {
    println!("   {:<22} {:>10} {:>10} {:>11} {:>9}", "", "text", "budget", "time", "budget");
    let mut over = Vec::new();
    for &(build, took, text) in rows {
        let (line, kept) = row(build, took, text);
        println!("{line}");
        if !kept {
            over.push(build.name);
        }
    }
    if over.is_empty() { Ok(()) } else { Err(format!("over budget: {}", over.join(", "))) }
}

/// The library of the national ciphers that was just built in this folder, from nothing.
pub(crate) fn of_national(folder: &Path, took: Duration) -> Outcome {
    table(&[(&OF_NATIONAL, Some(took), text_in(folder, OF_NATIONAL.files)?)])
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let given = |name: &str| options.iter().any(|option| option == name);
    if given("--built") {
        return stage("text of what is built", Duration::from_secs(60), || {
            let folder = delivered()?;
            let text = |build: &Build| text_in(&folder, build.files);
            table(&[(&ALL_OF_IT, None, text(&ALL_OF_IT)?), (&PROGRAM, None, text(&PROGRAM)?)])
        });
    }
    let builds = [&ALL_OF_IT, &OF_NATIONAL, &PROGRAM];
    let asked = builds.into_iter().filter(|build| !given("--library") || build.text.is_some());
    let mut rows = Vec::new();
    for build in asked {
        let name = format!("clean build: {}", build.name);
        let (took, text) = stage(&name, build.time, || measure(build))?;
        rows.push((build, Some(took), text));
    }
    table(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_can_be_broken_by_bytes_and_by_time() {
        let second = Duration::from_secs(1);
        let kept = |build, took, text| row(build, took, text).1;
        let late = Some(OF_NATIONAL.time + second);
        assert!(kept(&OF_NATIONAL, Some(second), MIB) && kept(&OF_NATIONAL, None, MIB));
        assert!(!kept(&OF_NATIONAL, Some(second), 2 * MIB) && !kept(&OF_NATIONAL, None, 2 * MIB));
        assert!(!kept(&OF_NATIONAL, late, MIB));
        assert!(kept(&PROGRAM, Some(second), 100 * MIB));
        assert!(table(&[(&PROGRAM, None, MIB), (&ALL_OF_IT, None, 100 * MIB)]).is_err());
    }

    #[test]
    fn this_program_has_text() {
        let me = std::env::current_exe().unwrap();
        assert!(text_of(&me).unwrap() > 100_000);
    }

    #[test]
    fn what_is_no_object_file_is_an_error() {
        assert!(text_bytes(b"not a program").is_err());
    }
}
