//! `cargo xtask crosscheck`: the laboratory's figures of libraries against the libraries' own
//! benchmarks, which know nothing of the laboratory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// By how much the two may differ.
const MOST: f64 = 0.03;
/// Runs of each, in turn; the median counts.
const ROUNDS: usize = 5;
/// The message length in bytes.
const SIZE: &str = "8192";

/// A library with a benchmark of its own.
struct Library {
    engine: &'static str,
    /// Its benchmark as one would type it.
    benchmark: &'static str,
    /// Whether it can be run here, or what would let it.
    there: fn() -> Result<(), String>,
    /// Bytes a second by it.
    figure: fn() -> Result<f64, String>,
}

const LIBRARIES: [Library; 3] = [
    Library {
        engine: "openssl",
        benchmark: "openssl speed",
        there: || match workspace::output(Command::new("openssl").arg("version")) {
            Ok(_) => Ok(()),
            Err(_) => Err("`apt-get install openssl` brings it".to_owned()),
        },
        figure: by_openssl,
    },
    Library {
        engine: "botan",
        benchmark: "botan speed",
        there: || botan().map(drop),
        figure: by_botan,
    },
    Library {
        engine: "libgcrypt",
        benchmark: "bench-slope",
        there: || bench_slope().map(drop),
        figure: by_libgcrypt,
    },
];

/// Bytes a second by `openssl speed`.
fn by_openssl() -> Result<f64, String> {
    let mut command = Command::new("openssl");
    command.args(["speed", "-mr", "-seconds", "2", "-bytes", SIZE, "-evp", "sm4-ecb"]);
    own_figure(&workspace::output(&mut command)?)
}

/// The benchmark that is built with the engine's library.
fn bench_slope() -> Result<PathBuf, String> {
    let library = recipes::library("libgcrypt");
    let program = library.map(|library| library.with_file_name("bench-slope"));
    program.ok_or_else(|| "`cipherlane engines build libgcrypt` brings it".to_owned())
}

/// Bytes a second by `bench-slope`, which chooses its lengths itself.
fn by_libgcrypt() -> Result<f64, String> {
    let mut command = Command::new(bench_slope()?);
    libgcrypt_figure(&workspace::output(command.args(["--csv", "cipher", "sm4"]))?)
}

/// The figure in a line such as `cipher,SM4,ECB enc,,,0.381,ns/B,2501,MiB/s,,c/B`.
fn libgcrypt_figure(text: &str) -> Result<f64, String> {
    let line = text.lines().find(|line| line.starts_with("cipher,SM4,ECB enc,"));
    let before = line.and_then(|line| line.split_once(",ns/B")).map(|(before, _)| before);
    let figure = before.and_then(|before| before.rsplit(',').next()?.parse::<f64>().ok());
    let nanoseconds = figure.filter(|figure| *figure > 0.0);
    nanoseconds.map(|figure| 1e9 / figure).ok_or_else(|| "it printed no figure".to_owned())
}

/// The program that is built with Botan.
fn botan() -> Result<PathBuf, String> {
    let library = recipes::library("botan");
    let program = library.map(|library| library.with_file_name("botan"));
    let program = program.filter(|program| program.is_file());
    program.ok_or_else(|| "`cipherlane engines build botan` brings it".to_owned())
}

/// Bytes a second by `botan speed`.
fn by_botan() -> Result<f64, String> {
    let program = botan()?;
    let mut command = Command::new(&program);
    // Its library lies beside it.
    command.env("LD_LIBRARY_PATH", program.parent().unwrap_or(&program));
    command.args(["speed", "--msec=2000", &format!("--buf-size={SIZE}"), "SM4"]);
    botan_figure(&workspace::output(&mut command)?)
}

/// The figure in a line such as
/// `SM4 [avx512] encrypt buffer size 8192 bytes: 1651.021 MiB/sec 1.50 cycles/byte (…)`.
fn botan_figure(text: &str) -> Result<f64, String> {
    let line = text.lines().find(|line| line.starts_with("SM4 ") && line.contains(" encrypt "));
    let before = line.and_then(|line| Some(line.split_once(" MiB/sec")?.0));
    let figure = before.and_then(|it| it.rsplit(' ').next()?.parse::<f64>().ok());
    let figure = figure.map(|mebibytes| mebibytes * f64::from(1 << 20));
    figure.ok_or_else(|| format!("`botan speed` printed no figure: {}", text.trim()))
}

/// The figure in a line such as `+F:25:SM4-ECB:181266618.18`.
fn own_figure(text: &str) -> Result<f64, String> {
    let line = text.lines().find(|line| line.starts_with("+F:"));
    let figure = line.and_then(|line| line.rsplit(':').next()?.trim().parse().ok());
    figure.ok_or_else(|| format!("`openssl speed` printed no figure: {}", text.trim()))
}

/// Bytes a second by the laboratory.
fn by_laboratory(engine: &str, program: &Path, folder: &Path) -> Result<f64, String> {
    let mut command = Command::new(program);
    command.args(["bench", "sm4/ecb-encrypt", "--engine", engine, "--model", "message"]);
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
    for Library { engine, benchmark, there, figure } in LIBRARIES {
        if let Err(remedy) = there() {
            skip(&format!("the laboratory against {benchmark}"), &remedy);
            continue;
        }
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        for round in 1..=ROUNDS {
            theirs.push(figure()?);
            ours.push(by_laboratory(engine, &program, &folder)?);
            let [a, b] = [&theirs, &ours].map(|it| it[it.len() - 1] / 1e6);
            println!("   round {round}: {benchmark} {a:.1} MB/s, laboratory {b:.1} MB/s");
        }
        judge(engine, benchmark, median(theirs), median(ours))?;
    }
    Ok(())
}

/// Whether both say the same.
fn judge(engine: &str, benchmark: &str, theirs: f64, ours: f64) -> Outcome {
    let ratio = ours / theirs;
    println!("   medians: laboratory by {benchmark} {ratio:.3}");
    if (ratio - 1.0).abs() <= MOST {
        Ok(())
    } else {
        Err(format!(
            "the laboratory's figure of {engine} is {ratio:.3} times that of `{benchmark}`; \
             allowed: within {MOST} of 1"
        ))
    }
}

pub(crate) fn run(_: &[String]) -> Outcome {
    stage("the laboratory against libraries' own benchmarks", Duration::from_secs(300), compare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_read() {
        let text = "+H:8192\n+F:25:SM4-ECB:181266618.18\n";
        assert_eq!(own_figure(text), Ok(181_266_618.18));
        assert!(own_figure("error").is_err());
        let line = "cipher,SM4,ECB dec,,,9,ns/B\ncipher,SM4,ECB enc,,,0.500,ns/B,1907,MiB/s,,c/B";
        assert_eq!(libgcrypt_figure(line), Ok(2e9));
        assert!(libgcrypt_figure("cipher,SM4,ECB enc,,,,").is_err());
        let text =
            "SM4 [avx512] encrypt buffer size 8192 bytes: 2.000 MiB/sec 5.1 cycles/byte (1.0 ms)\n";
        assert_eq!(botan_figure(text), Ok(2_097_152.0));
        assert!(botan_figure("SM4 [gfni] decrypt buffer size 8192 bytes: 2.000 MiB/sec").is_err());
        assert_eq!(mbps("engine,mbps,remark\nopenssl,1450.5,\"a, b\"\n"), Ok(1450.5));
        assert!(mbps("engine,mbps\n").is_err());
    }

    #[test]
    fn a_difference_of_four_percent_is_too_much() {
        let judge = |ours: f64| judge("openssl", "openssl speed", 100.0, ours);
        assert!(judge(102.9).is_ok() && judge(97.1).is_ok());
        assert!(judge(104.0).is_err() && judge(96.0).is_err());
    }
}
