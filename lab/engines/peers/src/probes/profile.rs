//! The flat profile of the rung `baseline` of SM4, by gprof.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use lab::record::Fact;
use recipes::Tool;

/// Blocks of 16 bytes in a gibibyte, which the profile is about.
const GIBIBYTE: u64 = 1 << 26;

/// What brings gprof.
const GPROF: Tool = Tool::named("gprof", "`apt-get install binutils` brings it");

/// The functions, as the study calls them and as the program does.
const FUNCTIONS: [(&str, &str); 4] = [
    ("tau", "tau"),
    ("SM4_encrypt", "sm4_block_baseline"),
    ("main", "main"),
    ("key_expand", "sm4_set_key"),
];

/// What is told of each.
const COLUMNS: [&str; 7] = [
    "percent",
    "cumulative-seconds",
    "self-seconds",
    "calls",
    "ns-per-call",
    "total-ns-per-call",
    "samples",
];

/// How often gprof's clock looks where the program is, in seconds.
const SAMPLE: f64 = 0.01;

/// A line of gprof's flat profile.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    function: String,
    percent: f64,
    /// Seconds of all functions down to this one.
    cumulative: f64,
    seconds: f64,
    calls: Option<f64>,
    /// Nanoseconds of a call with what it calls.
    total: Option<f64>,
}

/// Profiles so many blocks, `profile/FUNCTION/COLUMN` with seconds and calls as for a gibibyte,
/// and samples as many as there were; the reason in each if it can't be done.
#[must_use]
pub fn profile(blocks: u64) -> Vec<Fact> {
    let scale = GIBIBYTE as f64 / blocks.max(1) as f64;
    let taken = take(blocks);
    let mut facts = Vec::new();
    for (name, function) in FUNCTIONS {
        for column in COLUMNS {
            let name = format!("profile/{name}/{column}");
            facts.push(match &taken {
                Err(why) => Fact::unknown(name, why),
                Ok(entries) => {
                    let entry = entries.iter().find(|entry| entry.function == function);
                    fact(name, column, entry, scale)
                }
            });
        }
    }
    facts
}

fn fact(name: String, column: &str, entry: Option<&Entry>, scale: f64) -> Fact {
    // A function that no sample hit and that was not called is not listed.
    let (percent, seconds) = entry.map_or((0.0, 0.0), |it| (it.percent, it.seconds));
    let (calls, total) = entry.map_or((None, None), |it| (it.calls, it.total));
    // The key is set once, whatever the amount of data.
    let scaled = |calls: f64| if calls > 1.0 { calls * scale } else { calls };
    let value = match column {
        "percent" => Some(percent),
        "samples" => Some((seconds / SAMPLE).round()),
        "cumulative-seconds" => entry.map(|it| it.cumulative * scale),
        "total-ns-per-call" => total,
        "self-seconds" => Some(seconds * scale),
        "calls" => calls.map(scaled),
        _ => calls.map(|calls| seconds * 1e9 / calls),
    };
    let part = || match scale > 1.0 {
        true => format!("from {:.0} MiB", 1024.0 / scale),
        false => String::new(),
    };
    match value {
        Some(value) => {
            let scaled = ["cumulative-seconds", "self-seconds", "calls"].contains(&column);
            let remark = if scaled { part() } else { String::new() };
            Fact { remark, ..Fact::figure(name, value) }
        }
        None if column == "cumulative-seconds" => {
            Fact::unknown(name, "gprof does not list the function")
        }
        None => Fact::unknown(name, "gprof counts no calls of it"),
    }
}

/// Runs the program and gprof.
fn take(blocks: u64) -> Result<Vec<Entry>, String> {
    let engine = recipes::library("ladder-c-O0")
        .ok_or_else(|| "the engine `ladder-c-O0` has not been built".to_owned())?;
    let program = engine.with_file_name("sm4-profile");
    if !program.is_file() {
        return Err("the compiler made no program with -pg".to_owned());
    }
    if !GPROF.is_there() {
        return Err(format!("`gprof` is not on the PATH; {}", GPROF.remedy));
    }
    let folder = std::env::temp_dir().join(format!("cipherlane-gprof-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| format!("no temporary folder: {error}"))?;
    let said = in_folder(&program, blocks, &folder);
    // What is left there is of no use to anybody.
    let _ = fs::remove_dir_all(&folder);
    Ok(read(&said?))
}

fn in_folder(program: &Path, blocks: u64, folder: &Path) -> Result<String, String> {
    // The program leaves its counts in the folder that it runs in.
    output(Command::new(program).arg(blocks.to_string()).current_dir(folder))?;
    let mut gprof = Command::new(GPROF.program);
    gprof.args(["-b", "-p"]).arg(program).arg("gmon.out").current_dir(folder);
    Ok(String::from_utf8_lossy(&output(&mut gprof)?.stdout).into_owned())
}

fn output(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) if output.status.success() => Ok(output),
        Ok(output) => Err(format!("`{name}` ended: {}", output.status)),
        Err(error) => Err(format!("`{name}` can't be started: {error}")),
    }
}

/// Reads the flat profile: percent, cumulative seconds, seconds, then calls and two times a call
/// where calls were counted, and the name.
fn read(text: &str) -> Vec<Entry> {
    let unit = unit(text);
    let entries = text.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |place: usize| words.get(place)?.parse::<f64>().ok();
        let (percent, cumulative, seconds) = (number(0)?, number(1)?, number(2)?);
        let function = (*words.last()?).to_owned();
        let calls = number(3).filter(|_| words.len() > 4);
        let total = number(5).filter(|_| words.len() > 6).map(|time| time * unit);
        Some(Entry { function, percent, cumulative, seconds, calls, total })
    });
    entries.collect()
}

/// The nanoseconds in the unit of times a call, which gprof chooses and names in the heading.
fn unit(text: &str) -> f64 {
    let named =
        text.lines().find_map(|line| line.split_whitespace().find(|it| it.ends_with("/call")));
    match named {
        Some("us/call") => 1e3,
        Some("ms/call") => 1e6,
        Some("s/call") => 1e9,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: &str = "Flat profile:

Each sample counts as 0.01 seconds.
  %   cumulative   self              self     total           
 time   seconds   seconds    calls  ns/call  ns/call  name    
 66.73     16.95    16.95 2147483680     7.89     7.89  tau
 33.35     25.42     8.47 67108864   126.21   378.79  sm4_block_baseline
  0.28     25.49     0.07                             main
  0.00     25.49     0.00        1     0.00   252.57  sm4_set_key
";

    #[test]
    fn a_flat_profile_is_read() {
        let entries = read(FLAT);
        assert_eq!(entries.len(), 4);
        let tau = Entry {
            function: "tau".to_owned(),
            percent: 66.73,
            cumulative: 16.95,
            seconds: 16.95,
            calls: Some(2_147_483_680.0),
            total: Some(7.89),
        };
        assert_eq!(entries[0], tau);
        assert_eq!((entries[2].function.as_str(), entries[2].calls), ("main", None));
        assert_eq!((entries[1].cumulative, entries[1].total), (25.42, Some(378.79)));
        assert_eq!((entries[2].cumulative, entries[2].total), (25.49, None));
        let slower = FLAT.replace("ns/call", "us/call");
        assert_eq!(read(&slower)[1].total, Some(378_790.0));
    }

    #[test]
    fn a_part_of_the_gibibyte_is_scaled_and_says_so() {
        let entries = read(FLAT);
        let value = |column: &str| fact("n".to_owned(), column, Some(&entries[0]), 16.0);
        assert_eq!(value("percent").value, Some(66.73));
        assert_eq!(value("self-seconds").value, Some(16.95 * 16.0));
        assert_eq!(value("calls").remark, "from 64 MiB");
        assert_eq!(value("cumulative-seconds").value, Some(16.95 * 16.0));
        assert_eq!(value("total-ns-per-call").value, Some(7.89));
        // What was counted, however much of the gibibyte it was.
        assert_eq!(
            (value("samples").value, value("samples").remark),
            (Some(1695.0), String::new())
        );
        let ns = value("ns-per-call").value.expect("a figure");
        assert!((ns - 7.893).abs() < 0.001, "{ns}");
        let main = fact("n".to_owned(), "calls", Some(&entries[2]), 16.0);
        assert_eq!((main.value, main.remark.as_str()), (None, "gprof counts no calls of it"));
        let key = fact("n".to_owned(), "calls", Some(&entries[3]), 16.0);
        assert_eq!(key.value, Some(1.0));
        assert_eq!(fact("n".to_owned(), "percent", None, 1.0).value, Some(0.0));
    }

    #[test]
    fn what_cannot_be_profiled_has_a_reason_in_every_cell() {
        let facts: Vec<Fact> = profile(1 << 12);
        assert_eq!(facts.len(), FUNCTIONS.len() * COLUMNS.len());
        assert!(facts.iter().all(|fact| fact.value.is_some() || !fact.remark.is_empty()));
    }
}
