//! `cargo xtask size`: text bytes and clean build times against the budgets of ARCHITECTURE.md.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, SectionKind};

use crate::{Outcome, stage::stage, workspace};

const MIB: u64 = 1 << 20;

/// One clean build and what it may cost.
struct Build {
    name: &'static str,
    /// Arguments of `cargo build --release`.
    arguments: &'static [&'static str],
    /// The folder of scratch files it is built in, which is emptied first.
    folder: &'static str,
    /// The files whose text is counted, under `release/`.
    files: &'static [&'static str],
    /// The most bytes of text; none where only the time is bounded.
    text: Option<u64>,
    time: Duration,
}

const LIBRARY: &[&str] = &["libcipherlane.rlib", "liblanes.rlib"];

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

/// What builds all of the library, and where: its symbols are read there, too.
pub(crate) const LIBRARY_OF_ALL: &[&str] =
    &["-p", "cipherlane", "-p", "cipherlane-lanes", "--lib", "--all-features"];
pub(crate) const LIBRARY_FOLDER: &str = "symbols";

/// Names in which the symbol rules find the level.
pub(crate) const MANGLING: (&str, &str) = ("RUSTFLAGS", "-Csymbol-mangling-version=v0");

const BUILDS: &[Build] = &[
    Build {
        name: "library, all features",
        arguments: LIBRARY_OF_ALL,
        folder: LIBRARY_FOLDER,
        files: LIBRARY,
        text: Some(6 * MIB),
        time: Duration::from_secs(180),
    },
    Build {
        name: "library, SM4 and ZUC",
        arguments: NATIONAL,
        folder: "size",
        files: LIBRARY,
        text: Some(3 * MIB / 2),
        time: Duration::from_secs(180),
    },
    Build {
        name: "program",
        arguments: &["-p", "cipherlane-cli"],
        folder: "size",
        files: &["cipherlane"],
        text: None,
        time: Duration::from_secs(360),
    },
];

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

fn text_of(path: &Path) -> Result<u64, String> {
    let data =
        fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    text_bytes(&data).map_err(|error| format!("{}: {error}", path.display()))
}

/// Builds from nothing; returns the seconds and the bytes of text.
fn measure(build: &Build) -> Result<(Duration, u64), String> {
    let target = workspace::scratch(build.folder);
    if target.exists() {
        fs::remove_dir_all(&target)
            .map_err(|error| format!("cannot empty {}: {error}", target.display()))?;
    }
    // What must be downloaded is no part of a build's time.
    workspace::output(&mut workspace::cargo(&["fetch", "--quiet"]))?;
    let mut command = workspace::cargo(&["build", "--release", "--quiet"]);
    command.args(build.arguments).arg("--target-dir").arg(&target);
    let kept = build.folder == LIBRARY_FOLDER;
    if kept {
        command.env(MANGLING.0, MANGLING.1);
    }
    let start = Instant::now();
    workspace::run(&mut command)?;
    let took = start.elapsed();
    let mut text = 0;
    for file in build.files {
        let suffix = if file.contains('.') { "" } else { std::env::consts::EXE_SUFFIX };
        text += text_of(&target.join("release").join(format!("{file}{suffix}")))?;
    }
    // `check` reads the library.
    if !kept {
        let _ = fs::remove_dir_all(&target);
    }
    Ok((took, text))
}

/// One line of the table; also whether the build kept its budgets.
fn row(build: &Build, took: Duration, text: u64) -> (String, bool) {
    let mib = |bytes: u64| format!("{:.2} MiB", bytes as f64 / MIB as f64);
    let kept = took <= build.time && build.text.is_none_or(|most| text <= most);
    let line = format!(
        "   {:<22} {:>10} {:>10} {:>9.1} s {:>7} s   {}",
        build.name,
        mib(text),
        build.text.map_or_else(|| "-".into(), mib),
        took.as_secs_f64(),
        build.time.as_secs(),
        if kept { "ok" } else { "OVER BUDGET" }
    );
    (line, kept)
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let library_only = options.iter().any(|option| option == "--library");
    let builds = BUILDS.iter().filter(|build| !library_only || build.text.is_some());
    let mut lines = Vec::new();
    let mut over = Vec::new();
    for build in builds {
        let (took, text) =
            stage(&format!("clean build: {}", build.name), build.time, || measure(build))?;
        let (line, kept) = row(build, took, text);
        lines.push(line);
        if !kept {
            over.push(build.name);
        }
    }
    println!("   {:<22} {:>10} {:>10} {:>11} {:>9}", "", "text", "budget", "time", "budget");
    lines.iter().for_each(|line| println!("{line}"));
    if over.is_empty() { Ok(()) } else { Err(format!("over budget: {}", over.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_can_be_broken_by_bytes_and_by_time() {
        let build = &BUILDS[1];
        let second = Duration::from_secs(1);
        assert!(row(build, second, MIB).1);
        assert!(!row(build, second, 2 * MIB).1);
        assert!(!row(build, build.time + second, MIB).1);
        assert!(row(&BUILDS[2], second, 100 * MIB).1);
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
