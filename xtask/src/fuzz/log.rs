//! What was run so far, a row a target; `docs/PROOF.md` has it as a table.

use std::fs;

use crate::outcome::Outcome;
use crate::workspace;

pub(crate) const LOG: &str = "fuzz/log.tsv";
const HEAD: &str = "target\tcpu_seconds\tunder_address_sanitizer\tcalls\tfindings\n";

/// A target's sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) target: String,
    /// Of the processor, all runs together.
    pub(crate) seconds: u64,
    /// Those of them that were under AddressSanitizer.
    pub(crate) watched: u64,
    pub(crate) calls: u64,
    pub(crate) findings: u64,
}

/// The log's rows.
pub(crate) fn parse(log: &str) -> Result<Vec<Sums>, String> {
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [target, seconds, watched, calls, findings] = fields[..] else {
            return Err(format!("{LOG}: `{line}` has no five fields"));
        };
        let number = |text: &str| text.parse().map_err(|_| format!("{LOG}: `{text}` in `{line}`"));
        let (seconds, watched) = (number(seconds)?, number(watched)?);
        if watched > seconds {
            return Err(format!("{LOG}: more under the sanitizer than in all: `{line}`"));
        }
        let (calls, findings) = (number(calls)?, number(findings)?);
        Ok(Sums { target: target.into(), seconds, watched, calls, findings })
    };
    log.lines().skip(1).map(row).collect()
}

fn written(rows: &[Sums]) -> String {
    let mut text = HEAD.to_owned();
    for Sums { target, seconds, watched, calls, findings } in rows {
        text += &format!("{target}\t{seconds}\t{watched}\t{calls}\t{findings}\n");
    }
    text
}

pub(super) fn write(rows: &[Sums]) -> Outcome {
    let path = workspace::root().join(LOG);
    let beside = path.with_extension("tsv.new");
    fs::write(&beside, written(rows))
        .and_then(|()| fs::rename(&beside, &path))
        .map_err(|error| format!("{LOG}: {error}"))
}

/// The target's row, a new one if it has none.
pub(super) fn row<'r>(rows: &'r mut Vec<Sums>, target: &str) -> &'r mut Sums {
    let place = rows.iter().position(|row| row.target == target).unwrap_or_else(|| {
        let target = target.to_owned();
        rows.push(Sums { target, seconds: 0, watched: 0, calls: 0, findings: 0 });
        rows.len() - 1
    });
    &mut rows[place]
}

/// Which of these is next, and for how long, until each has so many seconds, under the sanitizer if these
/// are `watched`: the one that has the least, in slices, so that all get on.
pub(super) fn next(
    rows: &[Sums],
    targets: &[String],
    until: u64,
    watched: bool,
) -> Option<(String, u64)> {
    const LEAST: u64 = 60;
    const SLICE: u64 = 600;
    let of = |row: &Sums| if watched { row.watched } else { row.seconds };
    let seconds = |target: &String| rows.iter().find(|row| row.target == *target).map_or(0, of);
    let least = targets.iter().min_by_key(|target| seconds(target))?;
    let missing = until.checked_sub(seconds(least)).filter(|&missing| missing > 0)?;
    Some((least.clone(), missing.clamp(LEAST, SLICE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(target: &str, seconds: u64, watched: u64) -> Sums {
        Sums { target: target.into(), seconds, watched, calls: 1000, findings: 0 }
    }

    #[test]
    fn rows_are_read() {
        let rows = [sums("pieces", 60, 20), sums("batches", 7, 0)];
        assert_eq!(parse(&written(&rows)).unwrap(), rows);
        assert!(parse("head\npieces\t60\n").is_err());
        assert!(parse("head\npieces\tmany\t0\t1\t0\n").is_err());
        assert!(parse("head\npieces\t60\t61\t1\t0\n").unwrap_err().contains("more under"));
        assert_eq!(row(&mut rows.to_vec(), "batches").seconds, 7);
        assert_eq!(row(&mut rows.to_vec(), "new"), &Sums { calls: 0, ..sums("new", 0, 0) });
    }

    #[test]
    fn the_one_with_the_least_is_next() {
        let targets = ["a", "b", "c"].map(str::to_owned);
        let rows = [sums("a", 100, 0), sums("b", 1790, 0), sums("d", 0, 0)];
        assert_eq!(next(&rows, &targets, 1800, false), Some(("c".into(), 600)));
        assert_eq!(next(&rows, &targets[..2], 1800, false), Some(("a".into(), 600)));
        assert_eq!(next(&rows, &targets[1..2], 1800, false), Some(("b".into(), 60)));
        assert_eq!(next(&rows, &targets[1..2], 1790, false), None);
        assert_eq!(next(&rows, &[], 1800, false), None);
        // What ran without the sanitizer does not count for what is to run under it.
        let rows = [sums("a", 3600, 100), sums("b", 1790, 1790)];
        assert_eq!(next(&rows, &targets[..2], 1800, true), Some(("a".into(), 600)));
        assert_eq!(next(&rows, &targets[1..2], 1790, true), None);
    }
}
