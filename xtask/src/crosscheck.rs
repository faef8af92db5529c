//! `cargo xtask crosscheck`: the laboratory's figure of a library against that library's own
//! benchmark, which knows nothing of the laboratory.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::{Outcome, stage::stage, workspace};

/// By how much the two may differ.
const MOST: f64 = 0.05;
/// Runs of each, in turn; the median counts.
const ROUNDS: usize = 5;
/// The message length in bytes.
const SIZE: &str = "8192";

/// Bytes a second by `openssl speed`.
fn by_openssl() -> Result<f64, String> {
    let mut command = Command::new("openssl");
    command.args(["speed", "-mr", "-seconds", "2", "-bytes", SIZE, "-evp", "sm4-ecb"]);
    own_figure(&workspace::output(&mut command)?)
}

/// The figure in a line such as `+F:25:SM4-ECB:181266618.18`.
fn own_figure(text: &str) -> Result<f64, String> {
    let line = text.lines().find(|line| line.starts_with("+F:"));
    let figure = line.and_then(|line| line.rsplit(':').next()?.trim().parse().ok());
    figure.ok_or_else(|| format!("`openssl speed` printed no figure: {}", text.trim()))
}

/// Bytes a second by the laboratory.
fn by_laboratory(program: &Path, folder: &Path) -> Result<f64, String> {
    let mut command = Command::new(program);
    command.args(["bench", "sm4/ecb-encrypt", "--engine", "openssl", "--model", "message"]);
    command.args(["--size", SIZE, "--out"]).arg(folder);
    workspace::output(&mut command)?;
    let file = folder.join("results.csv");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    mbps(&text).map(|mbps| mbps * 1e6 / 8.0)
}

/// The column `mbps` of the only row. No cell before it holds a comma.
fn mbps(text: &str) -> Result<f64, String> {
    let mut lines = text.lines();
    let (Some(head), Some(row)) = (lines.next(), lines.next()) else {
        return Err("results.csv has no row".to_owned());
    };
    let place = head.split(',').position(|name| name == "mbps");
    let cell = place.and_then(|place| row.split(',').nth(place)?.parse().ok());
    cell.ok_or_else(|| "results.csv has no mbps".to_owned())
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn compare() -> Outcome {
    let program = workspace::root()
        .join("target/release")
        .join(format!("cipherlane{}", std::env::consts::EXE_SUFFIX));
    workspace::run(&mut workspace::cargo(&["build", "--release", "--quiet"]))?;
    let folder = workspace::scratch("crosscheck");
    let (mut theirs, mut ours) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        theirs.push(by_openssl()?);
        ours.push(by_laboratory(&program, &folder)?);
        let [a, b] = [&theirs, &ours].map(|it| it[it.len() - 1] / 1e6);
        println!("   round {round}: openssl speed {a:.1} MB/s, laboratory {b:.1} MB/s");
    }
    judge(median(theirs), median(ours))
}

/// Whether both say the same.
fn judge(theirs: f64, ours: f64) -> Outcome {
    let ratio = ours / theirs;
    println!("   medians: laboratory by openssl speed {ratio:.3}");
    if (ratio - 1.0).abs() <= MOST {
        Ok(())
    } else {
        Err(format!(
            "the laboratory's figure of openssl is {ratio:.3} times that of `openssl speed`; \
             allowed: within {MOST} of 1"
        ))
    }
}

pub(crate) fn run(_: &[String]) -> Outcome {
    stage("the laboratory against openssl speed", Duration::from_secs(300), compare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_figures_are_read() {
        let text = "+H:8192\n+F:25:SM4-ECB:181266618.18\n";
        assert_eq!(own_figure(text), Ok(181_266_618.18));
        assert!(own_figure("error").is_err());
        assert_eq!(mbps("engine,mbps,remark\nopenssl,1450.5,\"a, b\"\n"), Ok(1450.5));
        assert!(mbps("engine,mbps\n").is_err());
    }

    #[test]
    fn a_difference_of_six_percent_is_too_much() {
        assert!(judge(100.0, 104.9).is_ok() && judge(100.0, 95.1).is_ok());
        assert!(judge(100.0, 106.0).is_err() && judge(100.0, 94.0).is_err());
    }
}
