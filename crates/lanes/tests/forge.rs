//! Programs that would forge a proof of CPU features do not compile.
//!
//! Each file of `tests/ui` names in its first line the error codes that the
//! compiler must give, none where it must compile. Codes are compared rather
//! than messages: those list all levels and operations and would change with
//! every new one.
#![cfg(target_arch = "x86_64")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn rustc(output: &Path) -> Command {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.current_dir(env!("CARGO_MANIFEST_DIR")).args(["--edition", "2024", "--emit", "metadata"]);
    rustc.arg("--out-dir").arg(output);
    rustc
}

/// Compiles this crate, which depends on nothing, into a folder of its own.
fn library(output: &Path) {
    let mut library = rustc(output);
    library.args(["--crate-name", "lanes", "--crate-type", "lib", "src/lib.rs"]);
    let done = library.output().expect("rustc starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// The error codes that the compiler gives for a program; `None` if it compiles.
fn codes(program: &Path, output: &Path) -> Option<BTreeSet<String>> {
    let mut compiler = rustc(output);
    compiler.args(["--error-format", "short", "--crate-type", "bin"]);
    compiler.arg("--extern").arg(format!("lanes={}", output.join("liblanes.rmeta").display()));
    let done = compiler.arg(program).output().expect("rustc starts");
    let errors = String::from_utf8_lossy(&done.stderr);
    let codes = errors.match_indices("error[").filter_map(|(at, start)| {
        errors[at + start.len()..].split_once(']').map(|(code, _)| code.to_string())
    });
    (!done.status.success()).then(|| codes.collect())
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let entries = fs::read_dir(folder).expect("tests/ui");
    let mut programs: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    programs.sort();
    programs
}

#[test]
fn tokens_registers_and_levels_cannot_be_forged() {
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("forge");
    fs::create_dir_all(&output).expect("a folder for metadata");
    library(&output);
    let mut refused = 0;
    for program in programs() {
        let text = fs::read_to_string(&program).expect("a readable program");
        let head = text.lines().next().and_then(|line| line.strip_prefix("//~"));
        let expected: BTreeSet<_> =
            head.expect("a first line with codes").split_whitespace().map(String::from).collect();
        let found = codes(&program, &output);
        assert_eq!(found.is_none(), expected.is_empty(), "{}: {found:?}", program.display());
        assert_eq!(found.clone().unwrap_or_default(), expected, "{}", program.display());
        refused += usize::from(found.is_some());
    }
    assert!(refused >= 9, "only {refused} programs were refused");
}
