//! The traces of machines that this one is not. The prover is built for them and runs under QEMU, whose plugin
//! (`prove/watcher`) sees every instruction and every address of an access.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

mod emulated;

use emulated::{MACHINES, Machine, Watched};

use super::records::{Figures, Record, sums};
use crate::here;
use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

const KEPT: &str = "prove/elsewhere.tsv";
/// What begins its section of the page.
pub(super) const HEADING: &str = "\n## Constant time on other machines\n";

const HEAD: &str = "machine\tlevel\toperations\tcases\tsteps\tleaks\tdate\tsources\n";

/// One line of the table: a machine at a level.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    machine: String,
    level: String,
    operations: usize,
    cases: usize,
    steps: u64,
    /// Seeded leaks, all of which were found.
    leaks: usize,
    date: String,
    sources: String,
}

/// Rows of records that have all passed.
fn rows(machine: &str, figures: &Figures, (date, sources): (&str, &str)) -> Vec<Row> {
    let mut levels: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in &figures.records {
        levels.entry(&record.level).or_default().push(record);
    }
    let row = |(level, records): (&str, Vec<&Record>)| {
        let of = |check: &str| records.iter().filter(|it| it.check == check).collect::<Vec<_>>();
        let (traces, leaks) = (of("trace"), of("seeded").len());
        let operations: BTreeSet<&str> = traces.iter().map(|it| it.subject.as_str()).collect();
        Row {
            machine: machine.into(),
            level: level.into(),
            operations: operations.len(),
            cases: traces.len(),
            steps: traces.iter().map(|it| it.count).sum(),
            leaks,
            date: date.into(),
            sources: sources.into(),
        }
    };
    levels.into_iter().map(row).collect()
}

fn parse(text: &str) -> Result<Vec<Row>, String> {
    let row = |line: &str| {
        let wrong = || format!("{KEPT}: `{line}`");
        let fields: Vec<&str> = line.split('\t').collect();
        let [machine, level, operations, cases, steps, leaks, date, sources] = fields[..] else {
            return Err(wrong());
        };
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        let [machine, level, date, sources] = [machine, level, date, sources].map(str::to_owned);
        let (operations, cases) = (number(operations)? as usize, number(cases)? as usize);
        let (steps, leaks) = (number(steps)?, number(leaks)? as usize);
        Ok(Row { machine, level, operations, cases, steps, leaks, date, sources })
    };
    text.lines().skip(1).map(row).collect()
}

fn written(rows: &[Row]) -> String {
    let mut text = HEAD.to_owned();
    for Row { machine, level, operations, cases, steps, leaks, date, sources } in rows {
        let _ = writeln!(
            text,
            "{machine}\t{level}\t{operations}\t{cases}\t{steps}\t{leaks}\t{date}\t{sources}"
        );
    }
    text
}

fn kept() -> Result<Vec<Row>, String> {
    if workspace::root().join(KEPT).exists() {
        parse(&workspace::read(KEPT)?)
    } else {
        Ok(Vec::new())
    }
}

/// Keeps rows instead of those of the same machine.
fn keep(new: Vec<Row>) -> Outcome {
    let mut all = kept()?;
    all.retain(|row| new.iter().all(|it| it.machine != row.machine));
    all.extend(new);
    all.sort_by(|a, b| a.machine.cmp(&b.machine));
    let path = workspace::root().join(KEPT);
    fs::write(path, written(&all)).map_err(|error| format!("{KEPT}: {error}"))
}

/// The section of the page.
pub(super) fn section() -> Result<String, String> {
    let mut text = String::from(HEADING);
    text += "\nThe same traces where the CPU can't step: of emulated machines by a plugin of QEMU, which sees each instruction \
             and the\naddress of each access; of WebAssembly by a module rewritten so that it tells of each branch, address and \
             division. Leaks\nare those seeded in the prover and the ciphers that read tables, all of which must be found; \
             divisions QEMU does not tell.\n\n\
             | machine | level | operations, equal under all secrets | cases | steps | leaks found | last run | sources |\n\
             |---|---|---|---|---|---|---|---|\n";
    for Row { machine, level, operations, cases, steps, leaks, date, sources } in kept()? {
        let _ = writeln!(
            text,
            "| {machine} | {level} | {operations} | {cases} | {steps} | {leaks} | {date} | {sources} |"
        );
    }
    Ok(text)
}

/// Seeds and traces of one machine; how many passed and failed.
fn one(machine: &Machine, quick: bool, write: bool) -> Result<(usize, usize), String> {
    let name = machine.name;
    let build = || {
        let plugin = workspace::target().join("release/libcipherlane_watcher.so");
        let mut watcher = workspace::cargo(&["build", "--quiet", "--release"]);
        watcher.args(["-p", "cipherlane-watcher"]);
        watcher.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        workspace::run(&mut watcher)?;
        Watched::new(machine, &plugin)
    };
    let watched = stage(&format!("the prover for {name}"), Duration::from_secs(240), build)?;
    told(name, quick, write, |check| watched.records(check, quick))
}

/// The names of the emulated machines.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    MACHINES.iter().map(|it| it.name)
}

/// How many checks of the machine of that name passed and failed; none where its emulator is not here.
pub(super) fn all(name: &str, quick: bool, write: bool) -> Option<Result<(usize, usize), String>> {
    let machine = MACHINES.iter().find(|it| it.name == name && it.is_here())?;
    Some(one(machine, quick, write))
}

/// The two checks of a machine, by what gives their records: printed, counted, and kept if all passed.
pub(super) fn told(
    name: &str,
    quick: bool,
    write: bool,
    records: impl Fn(&str) -> Result<Vec<Record>, String>,
) -> Result<(usize, usize), String> {
    let mut figures = Figures::default();
    for (check, about, budget) in [
        ("seeded", "leaks that must be found", 60),
        ("trace", "traces under different secrets", if quick { 90 } else { 300 }),
    ] {
        let about = format!("{name}: {about}");
        let records = stage(&about, Duration::from_secs(budget), || records(check))?;
        let mut of_check = Figures::default();
        of_check.add(records);
        if of_check.records.is_empty() {
            return Err(format!("{about}: nothing was checked"));
        }
        println!("   {}", sums(&of_check.records));
        figures.records.append(&mut of_check.records);
    }
    let bad: Vec<_> = figures.records.iter().filter(|it| !it.passed()).collect();
    for record in bad.iter().take(20) {
        println!("   FAILED {record}");
    }
    if write && bad.is_empty() {
        let (date, sources) = (here::today()?, here::sources());
        keep(rows(name, &figures, (&date, &sources)))?;
    }
    Ok((figures.records.len() - bad.len(), bad.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> Figures {
        let mut figures = Figures::default();
        let lines = [
            "trace\tsm4/ctr\talone, [17] bytes\tportable\t10\t0\tok",
            "trace\tsm4/ctr\talone, [40] bytes\tneon\t20\t0\tok",
            "trace\tsm4/ctr\talone, [16] bytes\tneon\t30\t0\tok",
            "trace\tsm4/xts\talone, [16] bytes\tneon\t5\t0\tok",
            "seeded\tsm4/ctr\tleak Table\tneon\t7\t0\tok",
            "unclaimed\trc4\t-\t-\t0\t0\tok",
        ];
        figures.add(lines.iter().map(|line| Record::parse(line).unwrap()).collect());
        figures
    }

    #[test]
    fn a_row_is_of_a_machine_and_a_level_and_is_read_as_it_was_written() {
        let rows = rows("aarch64", &figures(), ("2026-01-02", "0123456789"));
        let brief: Vec<_> = rows
            .iter()
            .map(|it| (it.level.as_str(), it.operations, it.cases, it.steps, it.leaks))
            .collect();
        assert_eq!(brief, [("neon", 2, 3, 55, 1), ("portable", 1, 1, 10, 0)]);
        assert_eq!(parse(&written(&rows)).unwrap(), rows);
        assert!(parse("head\na\tb\n").unwrap_err().contains("`a\tb`"));
        assert!(parse(&written(&rows).replace("55", "many")).is_err());
    }

    #[test]
    fn a_failure_is_counted_and_an_empty_check_is_none() {
        let parted = "trace\tsm4/ctr\talone\tneon\t9\t0\tsecret 1 parts at step 7, program+0x10";
        let records = |check: &str| {
            let line = if check == "trace" { parted } else { "seeded\ta/b\tc\tneon\t1\t0\tok" };
            Ok(vec![Record::parse(line).unwrap()])
        };
        assert_eq!(told("aarch64", true, false, records), Ok((1, 1)));
        assert!(told("aarch64", true, false, |_| Ok(Vec::new())).unwrap_err().contains("nothing"));
    }

    #[test]
    fn the_kept_rows_can_be_read() {
        section().unwrap();
    }
}
