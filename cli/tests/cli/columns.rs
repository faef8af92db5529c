//! `columns`: the program beside this one is run with its arguments and status, and one that is not
//! there is named with the command that builds it.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use assert_cmd::Command;
use predicates::str::contains;

use crate::folder::Folder;

/// A copy of the program in a folder of its own.
fn copy(folder: &Folder) -> PathBuf {
    let copy = folder.path("cipherlane");
    fs::copy(assert_cmd::cargo::cargo_bin!("cipherlane"), &copy).unwrap();
    copy
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
    let beside = folder.path("cipherlane-columns");
    fs::write(&beside, "#!/bin/sh\necho \"$#: $*\"\nexit 7\n").unwrap();
    fs::set_permissions(&beside, fs::Permissions::from_mode(0o755)).unwrap();
    Command::new(copy(&folder))
        .args(["columns", "check", "--column", "a,b", "--help", "-o", "x y"])
        .assert()
        .code(7)
        .stdout("6: check --column a,b --help -o x y\n");
}
