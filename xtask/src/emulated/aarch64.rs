//! `cargo xtask aarch64`: the tests at the levels of AArch64, under QEMU.

use std::path::Path;
use std::time::Duration;

use super::{CRATES, Target};
use crate::outcome::Outcome;
use crate::stage::{skip, stage};

/// Where Debian has the C library for AArch64.
const ROOT: &str = "/usr/aarch64-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";

pub(crate) fn run(_: &[String]) -> Outcome {
    let target = Target {
        triple: "aarch64-unknown-linux-gnu",
        levels: "portable neon neon-sm4",
        settings: vec![
            format!("linker=\"{LINKER}\""),
            format!("runner=[\"{EMULATOR}\", \"-L\", \"{ROOT}\"]"),
        ],
    };
    let mut ready = target.is_installed();
    ready &= target.has_program(LINKER, "apt-get install gcc-aarch64-linux-gnu");
    ready &= target.has_program(EMULATOR, "apt-get install qemu-user");
    if !Path::new(ROOT).join("lib/libc.so.6").exists() {
        let what = format!("tests on {}: no C library in {ROOT}", target.triple);
        skip(&what, "apt-get install libc6-dev-arm64-cross");
        ready = false;
    }
    if !ready {
        return Ok(());
    }
    stage("clippy", Duration::from_secs(60), || target.clippy())?;
    stage("tests", Duration::from_secs(300), || target.test(&CRATES))?;
    let clearing = ["-p", "cipherlane-lanes", "--features", "clear-registers"];
    stage("doors that clear registers", Duration::from_secs(60), || target.test(&clearing))
}
