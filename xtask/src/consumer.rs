//! `cargo xtask consumer`: a user's debug build runs at nearly full speed.
//!
//! It proves that no machine code of a cipher is made in the user's crate: only
//! the library is optimised in the dev profile of `xtask/consumer`.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

/// The most that the debug build may take, in times of the release build.
const MOST: f64 = 2.0;
/// Runs of each build, in turn; the fastest counts.
const ROUNDS: usize = 5;
/// Further runs where the ratio is too high: a neighbour may have slowed all runs of one build.
const FURTHER: usize = 20;

/// Builds the crate in a profile and returns the program.
fn build(profile: &str, folder: &str) -> Result<PathBuf, String> {
    let target = workspace::scratch("consumer");
    let mut command = workspace::cargo(&["build", "--quiet", "--profile", profile]);
    command.args(["--manifest-path", "xtask/consumer/Cargo.toml", "--target-dir"]).arg(&target);
    workspace::run(&mut command)?;
    Ok(target.join(folder).join(format!("consumer{}", std::env::consts::EXE_SUFFIX)))
}

/// The level and the nanoseconds per byte that a run printed.
fn parse(line: &str) -> Result<(String, f64), String> {
    let fault = || format!("the consumer printed `{}`", line.trim());
    let (level, speed) = line.trim().split_once(' ').ok_or_else(fault)?;
    let speed: f64 = speed.parse().map_err(|_| fault())?;
    if speed.is_finite() && speed > 0.0 { Ok((level.into(), speed)) } else { Err(fault()) }
}

/// Whether the debug build is fast enough, and by what ratio.
fn judge(dev: f64, release: f64) -> Result<f64, String> {
    let ratio = dev / release;
    if ratio <= MOST {
        Ok(ratio)
    } else {
        Err(format!(
            "SM4-CTR takes {ratio:.2} times as long in a user's debug build; allowed: {MOST} times \
             (is a kernel generic in the user's crate?)"
        ))
    }
}

fn compare() -> Outcome {
    let programs = [build("dev", "debug")?, build("release", "release")?];
    let mut fastest = [f64::INFINITY; 2];
    let mut level = String::new();
    for round in 0..ROUNDS + FURTHER {
        let [dev, release] = fastest;
        if round >= ROUNDS && judge(dev, release).is_ok() {
            break;
        }
        for (program, fastest) in programs.iter().zip(&mut fastest) {
            let (at, speed) = parse(&workspace::output(&mut Command::new(program))?)?;
            *fastest = fastest.min(speed);
            level = at;
        }
    }
    let [dev, release] = fastest;
    println!("   SM4-CTR, 8192 bytes, level {level}: dev {dev:.3} ns/B, release {release:.3} ns/B");
    let ratio = judge(dev, release)?;
    println!("   ratio {ratio:.2}, allowed {MOST}");
    Ok(())
}

pub(crate) fn run(_: &[String]) -> Outcome {
    stage("a user's debug build", Duration::from_secs(180), compare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_debug_build_is_refused() {
        assert!(judge(1.9, 1.0).is_ok());
        assert!(judge(2.1, 1.0).is_err());
    }

    #[test]
    fn the_consumers_line_is_read() {
        assert_eq!(parse("avx2-gfni 0.75\n"), Ok(("avx2-gfni".into(), 0.75)));
        assert!(parse("avx2-gfni").is_err());
        assert!(parse("avx2-gfni inf").is_err());
        assert!(parse("").is_err());
    }
}
