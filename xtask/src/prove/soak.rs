//! `cargo xtask soak`: all operations at all levels at random for twenty minutes or as long as is said, a
//! process a core.

use std::process::Command;
use std::time::Duration;

use super::records::Record;
use super::{build, program_in};
use crate::outcome::Outcome;
use crate::stage::{skip, stage};

pub(crate) const OPTIONS: &[&str] = &["--seconds=", "--seed="];

pub(crate) fn run(options: &[String]) -> Outcome {
    let value = |name: &str, usual: u64| match options.iter().find_map(|it| it.strip_prefix(name)) {
        None => Ok(usual),
        Some(text) => text.parse().map_err(|_| format!("{name}{text}: a whole number")),
    };
    let (seconds, seed): (u64, u64) = (value("--seconds=", 1200)?, value("--seed=", 1)?);
    if !cfg!(unix) {
        skip("the soak", "run it on a Unix");
        return Ok(());
    }
    let folder = stage("build", Duration::from_secs(200), build)?;
    stage("everything at random", Duration::from_secs(seconds + 20), || {
        let mut command = Command::new(program_in(&folder));
        command.args(["soak", "--seconds", &seconds.to_string(), "--seed", &seed.to_string()]);
        let output = command.output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        let records: Vec<Record> = text.lines().map(Record::parse).collect::<Result<_, _>>()?;
        for Record { way, count, widest, verdict, .. } in &records {
            println!("   {way}: {count} calls, up to {widest} KiB: {verdict}");
        }
        let passed = output.status.success() && !records.is_empty();
        if passed && records.iter().all(Record::passed) {
            return Ok(());
        }
        Err(format!("ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr)))
    })
}
