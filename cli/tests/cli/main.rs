//! The program as its users meet it: help, errors with remedies, exit statuses, files.

mod columns;
mod dialects;
mod doctor;
mod errors;
mod faults;
mod files;
mod fixture;
mod folder;
mod folders;
mod many;
mod outputs;
mod raw;
mod record;
mod remedies;
mod screen;
mod sectors;
mod signals;
mod spared;
mod study;
mod verbs;

use assert_cmd::Command;

/// The program, without colour and without the caller's environment variables for it.
fn cipherlane(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("cipherlane"));
    command.args(args).env_remove("CIPHERLANE_LEVEL").env("NO_COLOR", "1");
    command
}

/// Says what of a test can't run here, past what the tests' harness keeps to itself of those that pass, so that
/// it is counted.
fn skip(what: &str) {
    let line = format!("\nSKIP: {what}\n");
    std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()).unwrap();
}

/// Standard output of a successful run.
fn stdout(args: &[&str]) -> String {
    let output = cipherlane(args).assert().success().get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}
