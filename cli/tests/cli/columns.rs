//! `columns`: the program beside this one is run with its arguments and status, and one that is not
//! there is named with the command that builds it.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use predicates::str::contains;

use crate::folder::Folder;

/// A copy of the program in a folder of its own.
fn copy(folder: &Folder) -> PathBuf {
    let copy = folder.path("cipherlane");
    copied(assert_cmd::cargo::cargo_bin!("cipherlane").as_ref(), &copy);
    copy
}

/// A copy made by another process: a program that this one writes is busy as long as a child that
/// another test has just begun holds it open, too.
fn copied(from: &Path, to: &Path) {
    assert!(std::process::Command::new("cp").args([from, to]).status().unwrap().success());
}

#[test]
fn a_program_that_is_not_there_is_named_with_the_command_that_builds_it() {
    let folder = Folder::new();
    Command::new(copy(&folder))
        .args(["columns", "doctor", "--column", "a", "FILE.csv"])
        .env("PATH", folder.path(""))
        .env("NO_COLOR", "1")
        .assert()
        .code(3)
        .stderr(contains("cipherlane-columns is neither beside this program nor in PATH"))
        .stderr(contains("cargo build --release --manifest-path columns/Cargo.toml"));
}

#[test]
fn the_program_beside_has_the_arguments_and_the_status() {
    let folder = Folder::new();
    let (text, beside) = (folder.path("text"), folder.path("cipherlane-columns"));
    fs::write(&text, "#!/bin/sh\necho \"$#: $*\"\nexit 7\n").unwrap();
    fs::set_permissions(&text, fs::Permissions::from_mode(0o755)).unwrap();
    copied(&text, &beside);
    Command::new(copy(&folder))
        .args(["columns", "check", "--column", "a,b", "--help", "-o", "x y"])
        .assert()
        .code(7)
        .stdout("6: check --column a,b --help -o x y\n");
}
