//! The verdict of the traces for each algorithm at each level. A machine can't step through levels
//! that its CPU lacks, so a file keeps the verdicts of the last machine that could.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use super::code::{Claims, Pair};
use super::records::Figures;
use crate::outcome::Outcome;
use crate::workspace;

/// A row for each algorithm and level.
const KEPT: &str = "prove/verdicts.tsv";
const HEAD: &str = "level\talgorithm\tequal\tstepped through\twidest register\tfrom\toperations\n";

/// What the traces of an algorithm at a level gave.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Verdict {
    level: String,
    algorithm: String,
    /// Operations whose traces were equal.
    equal: usize,
    all: usize,
    /// In bytes, of what the code named.
    widest: u64,
    /// The run and the machine.
    from: String,
    /// Those stepped through, by name.
    operations: BTreeSet<String>,
}

#[derive(Debug, Default)]
pub(super) struct Verdicts(Vec<Verdict>);

impl Verdicts {
    /// Of this run.
    pub(super) fn of(figures: &Figures, from: &str) -> Self {
        #[derive(Default)]
        struct Cell<'r> {
            all: BTreeSet<&'r str>,
            parted: BTreeSet<&'r str>,
            widest: u64,
        }
        let traces = figures.of("trace");
        let mut cells: BTreeMap<(&str, &str), Cell<'_>> = BTreeMap::new();
        for record in &traces {
            let cell = cells.entry((&record.level, record.algorithm())).or_default();
            cell.all.insert(&record.subject);
            if !record.passed() {
                cell.parted.insert(&record.subject);
            }
            cell.widest = record.widest.max(cell.widest);
        }
        let verdict = |((level, algorithm), cell): ((&str, &str), Cell<'_>)| Verdict {
            level: level.into(),
            algorithm: algorithm.into(),
            equal: cell.all.len() - cell.parted.len(),
            all: cell.all.len(),
            widest: cell.widest,
            from: from.into(),
            operations: cell
                .all
                .iter()
                .filter_map(|it| it.split_once('/'))
                .map(|it| it.1.into())
                .collect(),
        };
        Self(cells.into_iter().map(verdict).collect())
    }

    fn parse(text: &str) -> Result<Self, String> {
        let row = |line: &str| {
            let fields: Vec<&str> = line.split('\t').collect();
            let wrong = || format!("{KEPT}: `{line}`");
            let [level, algorithm, equal, all, widest, from, operations] = fields[..] else {
                return Err(wrong());
            };
            let (equal, all) = (equal.parse().ok(), all.parse().ok());
            let (Some(equal), Some(all), Ok(widest)) = (equal, all, widest.parse()) else {
                return Err(wrong());
            };
            let [level, algorithm, from] = [level, algorithm, from].map(str::to_owned);
            let operations = operations.split(';').map(str::to_owned).collect();
            Ok(Verdict { level, algorithm, equal, all, widest, from, operations })
        };
        text.lines().skip(1).map(row).collect::<Result<_, _>>().map(Self)
    }

    fn written(&self) -> String {
        let mut text = HEAD.to_owned();
        for Verdict { level, algorithm, equal, all, widest, from, operations } in &self.0 {
            let operations = operations.iter().map(String::as_str).collect::<Vec<_>>().join(";");
            let _ = writeln!(
                text,
                "{level}\t{algorithm}\t{equal}\t{all}\t{widest}\t{from}\t{operations}"
            );
        }
        text
    }

    /// These, and of the algorithms and levels that are not among them those of another run, but for
    /// algorithms that claim nothing any more.
    fn and_of_other_pairs(mut self, other: Self, algorithms: &BTreeSet<String>) -> Self {
        let pair = |it: &Verdict| (it.level.clone(), it.algorithm.clone());
        let own: BTreeSet<_> = self.0.iter().map(pair).collect();
        let others = other.0.into_iter().filter(|it| algorithms.contains(&it.algorithm));
        self.0.extend(others.filter(|it| !own.contains(&pair(it))));
        self.0.sort_by_key(pair);
        self
    }

    /// Those of the file.
    pub(super) fn read() -> Result<Self, String> {
        Self::parse(&workspace::read(KEPT)?)
    }

    /// The pairs whose verdict is not one that a claim can rest on, each with the reason: traces that parted, at any
    /// level, and operations of a claim that were not stepped through.
    pub(super) fn short_of(&self, claims: &Claims) -> BTreeMap<Pair, String> {
        let pair = |it: &Verdict| (it.algorithm.clone(), it.level.clone());
        let parted = self.0.iter().filter(|it| it.equal < it.all);
        let mut short: BTreeMap<Pair, String> = parted
            .map(|it| (pair(it), format!("traces of {} operations parted", it.all - it.equal)))
            .collect();
        let known: BTreeMap<Pair, &Verdict> = self.0.iter().map(|it| (pair(it), it)).collect();
        for (pair, operations) in claims {
            let judged = known.get(pair).map(|it| &it.operations);
            let missing = operations.iter().find(|it| judged.is_none_or(|all| !all.contains(*it)));
            if let Some(missing) = missing {
                let why = format!("{missing} was not stepped through");
                short.entry(pair.clone()).or_insert(why);
            }
        }
        short
    }

    /// The same with the file's verdicts of other pairs, all of which the file then has.
    pub(super) fn kept(self, algorithms: &BTreeSet<String>) -> Result<Self, String> {
        let all = self.and_of_other_pairs(Self::read()?, algorithms);
        all.keep()?;
        Ok(all)
    }

    fn keep(&self) -> Outcome {
        let path = workspace::root().join(KEPT);
        fs::write(path, self.written()).map_err(|error| format!("{KEPT}: {error}"))
    }

    /// The levels, the lowest first: by their registers, then by name.
    fn levels(&self) -> Vec<&str> {
        let mut widths: BTreeMap<&str, u64> = BTreeMap::new();
        for verdict in &self.0 {
            let width = widths.entry(&verdict.level).or_default();
            *width = verdict.widest.max(*width);
        }
        let mut levels: Vec<&str> = widths.keys().copied().collect();
        levels.sort_by_key(|level| (*level != "portable", widths[level], *level));
        levels
    }

    /// The table.
    pub(super) fn render(&self, page: &mut String) {
        page.push_str(
            "\nOperations whose traces were equal under all secrets tried, of \
             those stepped through, and in\nbrackets the widest vector register in bytes that the \
             code named.\n\n",
        );
        let levels = self.levels();
        let algorithms: BTreeSet<&str> = self.0.iter().map(|it| it.algorithm.as_str()).collect();
        let _ = writeln!(page, "| algorithm | {} |", levels.join(" | "));
        let _ = writeln!(page, "|---|{}", "---|".repeat(levels.len()));
        for algorithm in algorithms {
            let cell = |level: &&str| {
                let found =
                    self.0.iter().find(|it| it.level == *level && it.algorithm == algorithm);
                found.map_or_else(
                    || "–".to_owned(),
                    |it| format!("{} of {} ({})", it.equal, it.all, it.widest),
                )
            };
            let row: Vec<String> = levels.iter().map(cell).collect();
            let _ = writeln!(page, "| {algorithm} | {} |", row.join(" | "));
        }
        // Which run each verdict is of: where it is not all of a level, how many.
        let all = |level: &str| self.0.iter().filter(|it| it.level == level).count();
        let mut runs: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for verdict in &self.0 {
            *runs.entry(&verdict.from).or_default().entry(&verdict.level).or_default() += 1;
        }
        page.push('\n');
        for (from, of_levels) in runs {
            let told = levels.iter().filter_map(|level| {
                let some = *of_levels.get(level)?;
                Some(if some == all(level) {
                    (*level).to_owned()
                } else {
                    format!("{some} algorithms at {level}")
                })
            });
            let _ = writeln!(page, "- {}: {from}.", told.collect::<Vec<_>>().join(", "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::records::Record;
    use super::*;

    fn figures() -> Figures {
        let line = "trace\tsm4/ctr\talone\tavx2\t1234\t32\tok";
        let bad = "trace\tsm4/ecb-encrypt\talone\tavx2\t9\t16\tsecret 1 parts at step 7";
        let records = [line, bad].map(|line| Record::parse(line).unwrap());
        Figures { records: records.into(), unclaimed: Vec::new(), code: Vec::new() }
    }

    #[test]
    fn what_parted_is_told_and_other_levels_stay() {
        let rows = ["avx512\tsm4", "avx2\tsm4", "avx2\tgone"];
        let row = |row: &str| format!("{row}\t2\t2\t32\tanother run\tctr;ecb-encrypt\n");
        let old = [HEAD.to_owned()].into_iter().chain(rows.map(row)).collect::<String>();
        let old = Verdicts::parse(&old).unwrap();
        let names = BTreeSet::from(["sm4".to_owned()]);
        let all = Verdicts::of(&figures(), "this run").and_of_other_pairs(old, &names);
        let mut page = String::new();
        all.render(&mut page);
        assert!(page.contains("| algorithm | avx2 | avx512 |"), "{page}");
        assert!(page.contains("| sm4 | 1 of 2 (32) | 2 of 2 (32) |"), "{page}");
        assert!(page.ends_with("\n- avx512: another run.\n- avx2: this run.\n"), "{page}");
        assert_eq!(Verdicts::parse(&all.written()).unwrap().0, all.0);
        let claim = |level: &str, operations: &[&str]| {
            let operations = operations.iter().map(|it| (*it).to_owned()).collect();
            (("sm4".to_owned(), level.to_owned()), operations)
        };
        let short = |claims: Claims| all.short_of(&claims);
        let avx2 = ("sm4".to_owned(), "avx2".to_owned());
        // What parted has no verdict to rest on, whatever is claimed.
        assert_eq!(short(Claims::new())[&avx2], "traces of 1 operations parted");
        assert_eq!(short([claim("avx512", &["ctr"])].into()).len(), 1);
        let more = short([claim("avx512", &["ctr", "new"]), claim("aesni", &["ctr"])].into());
        assert_eq!(more[&("sm4".into(), "avx512".into())], "new was not stepped through");
        assert_eq!(more.len(), 3);
        assert!(Verdicts::parse("head\navx2\tsm4\tmany\t2\t32\trun\tctr\n").is_err());
        assert!(Verdicts::parse("head\navx2\tsm4\n").is_err());
    }
}
