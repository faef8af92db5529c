//! What `cipherlane-prove` says: a record a line, fields apart by tabs.

use core::fmt;
use std::collections::BTreeSet;

/// One thing checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) check: String,
    pub(super) subject: String,
    pub(super) way: String,
    pub(super) level: String,
    pub(super) count: u64,
    pub(super) widest: u64,
    pub(super) verdict: String,
}

impl Record {
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let fields: Vec<&str> = line.splitn(7, '\t').collect();
        let [check, subject, way, level, count, widest, verdict] = fields[..] else {
            return Err(format!("`{line}` is no record"));
        };
        let number = |text: &str| text.parse().map_err(|_| format!("`{line}`: `{text}`"));
        let (count, widest) = (number(count)?, number(widest)?);
        let [check, subject, way, level, verdict] =
            [check, subject, way, level, verdict].map(str::to_owned);
        Ok(Self { check, subject, way, level, count, widest, verdict })
    }

    pub(super) fn passed(&self) -> bool {
        self.verdict == "ok"
    }

    /// The algorithm of `ALGORITHM/OPERATION`.
    pub(super) fn algorithm(&self) -> &str {
        self.subject.split('/').next().unwrap_or_default()
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, way, level, verdict, .. } = self;
        write!(f, "{subject}, {way}, {level}: {verdict}")
    }
}

/// All that was found out.
#[derive(Debug, Default)]
pub(super) struct Figures {
    pub(super) records: Vec<Record>,
    /// Algorithms that claim no constant time.
    pub(super) unclaimed: Vec<Record>,
    /// Functions that ran in traces.
    pub(super) code: Vec<Record>,
}

impl Figures {
    /// Adds the levels that were checked and are not there yet.
    pub(super) fn levels(&self, to: &mut Vec<String>) {
        for level in self.records.iter().map(|it| &it.level).filter(|it| *it != "-") {
            if !to.contains(level) {
                to.push(level.clone());
            }
        }
    }

    /// More of them.
    pub(super) fn add(&mut self, mut records: Vec<Record>) {
        self.unclaimed.extend(records.extract_if(.., |it| it.check == "unclaimed"));
        self.code.extend(records.extract_if(.., |it| it.check == "code"));
        self.records.append(&mut records);
    }

    /// The functions that ran for those of an algorithm and a level whose traces were all equal: what parted
    /// has no verdict that a later run could rest on.
    pub(super) fn sound_code(&self) -> Vec<Record> {
        let bad = self.records.iter().filter(|it| it.check == "trace" && !it.passed());
        let bad: BTreeSet<(&str, &str)> = bad.map(|it| (it.algorithm(), &*it.level)).collect();
        let sound = self.code.iter().filter(|it| !bad.contains(&(it.algorithm(), &*it.level)));
        sound.cloned().collect()
    }

    pub(super) fn of(&self, check: &str) -> Vec<Record> {
        self.records.iter().filter(|it| it.check == check).cloned().collect()
    }
}

/// How many operations, levels, cases and so on there are among these.
pub(super) fn sums(records: &[Record]) -> String {
    let subjects: BTreeSet<&str> = records.iter().map(|it| it.subject.as_str()).collect();
    let levels: BTreeSet<&str> = records.iter().map(|it| it.level.as_str()).collect();
    let count: u64 = records.iter().map(|it| it.count).sum();
    let bad = records.iter().filter(|it| !it.passed()).count();
    let counted = match records.first().map(|it| it.check.as_str()) {
        Some("slip") => return format!("{} of {} ended it", records.len() - bad, records.len()),
        Some("guard") => format!(" {count} calls,"),
        Some("published") => {
            let of = |way: &str| {
                let some = records.iter().filter(|it| it.way.starts_with(way));
                some.map(|it| it.widest).sum::<u64>()
            };
            let (pieces, batches) = (of("in pieces"), of("in batches"));
            return format!(
                "{pieces} vectors times levels in pieces, {batches} in batches, of {} operations \
                 at {} levels: {:.2} million paths, {bad} findings",
                subjects.len(),
                levels.len(),
                count as f64 / 1e6,
            );
        }
        Some("stack") => {
            let deepest = records.iter().map(|it| it.count).max().unwrap_or(0);
            format!(" down to {deepest} bytes,")
        }
        Some("remains") => format!(" {count} bytes left,"),
        Some("timing") => {
            let sound = records.iter().filter(|it| !it.way.ends_with("must be found"));
            let farthest = sound.map(|it| it.widest).max().unwrap_or(0) as f64 / 10.0;
            format!(" {count} calls, |t| up to {farthest:.1},")
        }
        Some("memcheck") => String::new(),
        _ => format!(" {count} steps,"),
    };
    format!(
        "{} cases of {} operations at {} levels,{counted} {bad} findings",
        records.len(),
        subjects.len(),
        levels.len(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_whose_traces_parted_is_not_sound() {
        let lines = [
            "trace\tsm4/ctr\talone\tavx2\t9\t32\tok",
            "trace\tsm4/ofb\talone\tavx2\t9\t32\tsecret 1 parts at step 7",
            "trace\tsm4/ofb\talone\taesni\t9\t16\tok",
            "code\tsm4\tone\tavx2\t0\t0\tok",
            "code\tsm4\ttwo\taesni\t0\t0\tok",
            "code\taes-128\tthree\tavx2\t0\t0\tok",
        ];
        let mut figures = Figures::default();
        figures.add(lines.map(|line| Record::parse(line).unwrap()).into());
        let sound: Vec<String> = figures.sound_code().into_iter().map(|it| it.way).collect();
        assert_eq!(sound, ["two", "three"]);
    }

    #[test]
    fn a_record_is_read_and_a_broken_line_is_not() {
        let line = "trace\tsm4/ctr\talone, [100] bytes\tavx2\t1234\t32\tok";
        let record = Record::parse(line).unwrap();
        assert_eq!((record.algorithm(), record.count, record.widest), ("sm4", 1234, 32));
        assert!(record.passed());
        let parted = Record::parse(&line.replace("\tok", "\tsecret 1 parts at step 7")).unwrap();
        assert!(!parted.passed());
        assert!(Record::parse("trace\tsm4/ctr").is_err());
        assert!(Record::parse(&line.replace("1234", "many")).is_err());
        let all = [record, parted];
        assert_eq!(sums(&all), "2 cases of 1 operations at 1 levels, 2468 steps, 1 findings");
    }
}
