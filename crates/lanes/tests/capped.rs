//! The environment variable caps the level that is detected. It is read once, so each of its values has
//! a process of its own: this test's program, started again.
#![cfg(all(target_arch = "x86_64", not(miri)))]

use std::process::Command;

use lanes::Level;

const VARIABLE: &str = "CIPHERLANE_LEVEL";
/// What the other process is started with.
const ASKED: &str = "CIPHERLANE_TEST_TELL_LEVEL";

/// What is detected where the variable has this value.
fn said(value: Option<&str>) -> String {
    let mut again = Command::new(std::env::current_exe().expect("this program's name"));
    again.args(["--exact", "the_variable_caps_what_is_detected", "--nocapture"]).env(ASKED, "1");
    match value {
        Some(value) => again.env(VARIABLE, value),
        None => again.env_remove(VARIABLE),
    };
    let done = again.output().expect("this program starts");
    let text = String::from_utf8(done.stdout).expect("UTF-8");
    let line = text.lines().find_map(|line| line.split_once("detected: "));
    line.expect("it says what it detects").1.to_owned()
}

#[test]
fn the_variable_caps_what_is_detected() {
    if std::env::var_os(ASKED).is_some() {
        match Level::detect() {
            Ok(level) => println!("detected: {level}"),
            Err(error) => println!("detected: {error}"),
        }
        return;
    }
    assert_eq!(said(None), Level::best().name());
    for level in Level::available() {
        assert_eq!(said(Some(level.name())), level.name());
    }
    assert_eq!(said(Some("simd128")), "portable", "a level of another architecture");
    assert!(said(Some("avx9000")).starts_with("unknown level `avx9000`; known: portable, "));
}
