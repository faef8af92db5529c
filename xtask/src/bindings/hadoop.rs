//! `cargo xtask hadoop`: encryption zones of a small HDFS with the provider for Java, and with
//! Bouncy Castle and the JDK's beside it; on the Javas that clusters run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::java_program::Program;
use super::packages::{starts, verdict};
use super::{java, jdks};
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

const PROGRAM: Program = Program("hadoop");
const SM4: &str = "SM4/CTR/NoPadding";
const AES: &str = "AES/CTR/NoPadding";
/// The last that runs on Java 8 and 11; those after it need 17.
const OLDER: &str = "3.4.2";
const NEWEST: &str = "3.5.0";
/// What Hadoop's reflection asks of Java 9 and later.
const OPENED: &str = "--add-opens=java.base/java.lang=ALL-UNNAMED";

/// A Hadoop on a Java.
struct Run {
    hadoop: &'static str,
    /// None is the system's.
    java: Option<u32>,
    /// Suites, and the providers that `hadoop.security.crypto.jce.provider` names in turn.
    pairs: &'static [(&'static str, &'static str)],
    mebibytes: &'static str,
}

const RUNS: [Run; 3] = [
    Run {
        hadoop: NEWEST,
        java: None,
        pairs: &[
            (SM4, "Cipherlane"),
            (SM4, "BC"),
            (AES, "Cipherlane"),
            (AES, "SunJCE"),
            (AES, "BC"),
        ],
        mebibytes: "256",
    },
    Run { hadoop: OLDER, java: Some(8), pairs: OURS, mebibytes: "64" },
    Run { hadoop: OLDER, java: Some(11), pairs: OURS, mebibytes: "64" },
];
const OURS: &[(&str, &str)] = &[(SM4, "Cipherlane"), (AES, "Cipherlane")];

/// The name of a suite under a key of so many bits, as `openssl enc` has it.
fn openssl_name(suite: &str, bits: &str) -> String {
    if suite == AES { format!("aes-{bits}-ctr") } else { "sm4-ctr".to_owned() }
}

/// Opens by OpenSSL what was kept of a run and compares; how many files.
fn opened(evidence: &Path, suite: &str) -> Result<u64, String> {
    let fault = |error: std::io::Error| format!("{}: {error}", evidence.display());
    let zeros = "0".repeat(32);
    let cipher = format!("-{}", openssl_name(suite, "128"));
    if !starts("openssl", &["enc", &cipher, "-K", &zeros, "-iv", &zeros, "-in", "/dev/null"]) {
        skip(&format!("files under {suite} opened by OpenSSL"), "an OpenSSL that has the cipher");
        return Ok(0);
    }
    let mut count = 0;
    for entry in fs::read_dir(evidence).map_err(fault)? {
        let key = entry.map_err(fault)?.path();
        if key.extension().is_none_or(|extension| extension != "key") {
            continue;
        }
        let line = fs::read_to_string(&key).map_err(fault)?;
        let [bits, digits, iv] = line.split(' ').collect::<Vec<_>>()[..] else {
            return Err(format!("{} is no key", key.display()));
        };
        let (stored, plain) = (key.with_extension("stored"), key.with_extension("opened"));
        let mut enc = Command::new("openssl");
        enc.args(["enc", "-d", &format!("-{}", openssl_name(suite, bits))]);
        enc.args(["-K", digits, "-iv", iv, "-in"]).arg(&stored).arg("-out").arg(&plain);
        workspace::output(&mut enc)?;
        let read = |path: &Path| fs::read(path).map_err(fault);
        let same = read(&plain)? == read(&key.with_extension("plain"))?;
        if !same || read(&plain)? == read(&stored)? {
            return Err(format!("OpenSSL reads other bytes of {}", stored.display()));
        }
        count += 1;
    }
    if count == 0 { Err("no file was kept".to_owned()) } else { Ok(count) }
}

/// Runs the test with a suite by a provider; how many files OpenSSL opened.
fn zone(
    java: &Path,
    path: &str,
    run: &Run,
    (suite, provider): (&str, &str),
) -> Result<u64, String> {
    let work = PROGRAM.work()?;
    let mut test = Command::new(java);
    if run.java != Some(8) {
        test.arg(OPENED);
    }
    test.args(["-Xmx2g", "-cp", path, "EncryptionZone"]);
    let text = workspace::output(test.arg(&work).args([provider, suite, run.mebibytes]))?;
    let name = format!("{suite} by {provider}");
    let line = text.lines().find(|line| line.starts_with(&name));
    let line = line.ok_or("the test did not run to its end")?;
    let count = opened(&work.join("evidence"), suite)?;
    println!("{line}, {count} by OpenSSL too");
    fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    Ok(count)
}

pub(crate) fn run(_: &[String]) -> Outcome {
    let Some(jar) = java::packaged()? else { return Ok(()) };
    let mut passed = 0;
    for run in RUNS {
        let (java, name) = match run.java {
            None => (PathBuf::from("java"), "the system's Java".to_owned()),
            Some(version) => match jdks::found(version) {
                Ok(java) => (java, format!("Java {version}")),
                Err(why) => {
                    let remedy = "a network or a mirror of Debian and PyPI";
                    skip(&format!("Hadoop on Java {version}: {why}"), remedy);
                    continue;
                }
            },
        };
        let title = format!("Hadoop {}", run.hadoop);
        let libraries = stage(&title, Duration::from_secs(120), || PROGRAM.libraries(run.hadoop))?;
        let path = format!("{}:{libraries}", jar.display());
        // For Java 8, which the older one still runs on.
        let compile = || PROGRAM.compile("8", &path);
        let classes = stage("the test", Duration::from_secs(30), compile)?;
        let path = format!("{}:{path}", classes.display());
        for pair in run.pairs {
            let title = format!("Hadoop {} on {name}: {} by {}", run.hadoop, pair.0, pair.1);
            let files = stage(&title, Duration::from_secs(90), || zone(&java, &path, &run, *pair))?;
            passed += 1 + files;
        }
    }
    verdict(passed, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_have_their_names_in_openssl() {
        assert_eq!(openssl_name(AES, "256"), "aes-256-ctr");
        assert_eq!(openssl_name(SM4, "128"), "sm4-ctr");
    }

    #[test]
    fn every_java_runs_both_suites_by_ours() {
        for run in RUNS {
            assert!(OURS.iter().all(|pair| run.pairs.contains(pair)), "{}", run.hadoop);
        }
    }
}
