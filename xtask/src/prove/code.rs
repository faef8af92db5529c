//! What machine code the verdicts of the traces are of: a verdict holds as long as every function that
//! ran is compiled as it was, whatever became of the sources.
//!
//! A function has a name without hashes and a hash of its code; a row of the file says which pairs of
//! an algorithm and a level went through it. What the data hold that it refers to is a row besides, as tables say which way
//! code goes. What a table leads to is no code: of each cipher, the
//! functions that data refers to are a row, too, so that another function in the registry
//! is seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::records::Record;
use crate::objects::{Fnv, Function, functions_of, plain_name};
use crate::outcome::Outcome;
use crate::workspace;

const KEPT: &str = "prove/code.tsv";
const HEAD: &str = "function\tcode\tjudged\n";

/// What the names of a level's entries have, each the one of a kernel.
const ENTRY: &str = "::enter::door::<";

fn is_entry(name: &str) -> bool {
    name.contains(ENTRY) && !name.starts_with(&data_of(""))
}

/// The archives that kernels are in, and what they call.
const LIBRARIES: [&str; 2] = ["libcipherlane.rlib", "liblanes.rlib"];

/// An algorithm and a level.
pub(super) type Pair = (String, String);

/// Who claims constant time, at which level, and the operations that a quick run steps through.
pub(super) type Claims = BTreeMap<Pair, BTreeSet<String>>;

/// The functions of a build.
#[derive(Debug, Default)]
pub(super) struct Build {
    /// By the hashes of their names: the name, and the hash of the code.
    functions: BTreeMap<u64, (String, u64)>,
}

/// Which code was judged for whom.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Judged(BTreeMap<(u64, u64), BTreeSet<Pair>>);

fn hash(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.take(text.as_bytes());
    hash.0
}

/// The folders of ciphers that a name speaks of.
fn folders(name: &str) -> impl Iterator<Item = &str> {
    let is_of_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
    name.split("ciphers::").skip(1).filter_map(move |rest| rest.split(|it| !is_of_name(it)).next())
}

fn tables(folder: &str) -> String {
    format!("what tables of {folder} lead to")
}

fn data_of(function: &str) -> String {
    format!("the data of {function}")
}

impl Build {
    /// The library in this folder.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        // Together: data of the one steer code of the other, as the table of levels does.
        Ok(Self::of(&functions_of(&LIBRARIES.map(|library| folder.join(library)))?))
    }

    fn of(all: &[Function]) -> Self {
        // Two functions may have one name: what tells them apart was a hash.
        let mut codes: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        let mut referred: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        for function in all {
            codes.entry(function.name.clone()).or_default().push(function.code);
            if function.data != 0 {
                codes.entry(data_of(&function.name)).or_default().push(function.data);
            }
            for folder in folders(&function.name).filter(|_| function.by_data > 0) {
                let table = referred.entry(tables(folder)).or_default();
                table.push(hash(&format!("{} {}", function.by_data, function.name)));
            }
        }
        let functions = codes.into_iter().chain(referred).map(|(name, mut codes)| {
            codes.sort_unstable();
            let mut of_all = Fnv::default();
            codes.iter().for_each(|code| of_all.take(&code.to_le_bytes()));
            (hash(&name), (name, of_all.0))
        });
        Self { functions: functions.collect() }
    }
}

impl Judged {
    pub(super) fn read() -> Result<Self, String> {
        match workspace::read(KEPT) {
            Ok(text) => Self::parse(&text),
            Err(_) if !workspace::root().join(KEPT).exists() => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut all = BTreeMap::new();
        for line in text.lines().skip(1) {
            let wrong = || format!("{KEPT}: `{line}`");
            let fields: Vec<&str> = line.split('\t').collect();
            let [name, code, pairs] = fields[..] else { return Err(wrong()) };
            let number = |text| u64::from_str_radix(text, 16).map_err(|_| wrong());
            let mut judged = BTreeSet::new();
            for some in pairs.split(' ') {
                let (algorithm, levels) = some.split_once('@').ok_or_else(wrong)?;
                let levels =
                    levels.split(',').map(|level| (algorithm.to_owned(), level.to_owned()));
                judged.extend(levels);
            }
            all.insert((number(name)?, number(code)?), judged);
        }
        Ok(Self(all))
    }

    fn written(&self) -> String {
        let mut text = HEAD.to_owned();
        for ((name, code), pairs) in &self.0 {
            let mut levels: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (algorithm, level) in pairs {
                levels.entry(algorithm).or_default().push(level);
            }
            let of = |(algorithm, levels): (&&str, &Vec<&str>)| {
                format!("{algorithm}@{}", levels.join(","))
            };
            let pairs: Vec<String> = levels.iter().map(of).collect();
            let _ = writeln!(text, "{name:016x}\t{code:016x}\t{}", pairs.join(" "));
        }
        text
    }

    pub(super) fn keep(&self) -> Outcome {
        let path = workspace::root().join(KEPT);
        fs::write(path, self.written()).map_err(|error| format!("{KEPT}: {error}"))
    }

    /// What ran, by the records of a run, in that build. Functions that are not the library's own,
    /// of a generic kind and compiled with the prover, have no say.
    pub(super) fn of(records: &[Record], build: &Build) -> Self {
        let mut all: BTreeMap<(u64, u64), BTreeSet<Pair>> = BTreeMap::new();
        for record in records {
            let pair = (record.subject.clone(), record.level.clone());
            let name = plain_name(&record.way);
            let Some((name, _)) = build.functions.get(&hash(&name)) else { continue };
            for name in folders(name).map(tables).chain([name.clone(), data_of(name)]) {
                let name = hash(&name);
                if let Some((_, code)) = build.functions.get(&name) {
                    all.entry((name, *code)).or_default().insert(pair.clone());
                }
            }
        }
        Self(all)
    }

    pub(super) fn pairs(&self) -> BTreeSet<Pair> {
        self.0.values().flatten().cloned().collect()
    }

    /// These, and of the pairs that are not among them those of another run, but for pairs that
    /// nobody claims any more.
    pub(super) fn and_of_other_pairs(mut self, other: Self, algorithms: &BTreeSet<String>) -> Self {
        let own = self.pairs();
        for (key, mut pairs) in other.0 {
            pairs.retain(|pair| !own.contains(pair) && algorithms.contains(&pair.0));
            if !pairs.is_empty() {
                self.0.entry(key).or_default().extend(pairs);
            }
        }
        self
    }

    /// The pairs whose code is not what was judged, each with the names of what changed.
    pub(super) fn stale(&self, build: &Build) -> BTreeMap<Pair, BTreeSet<String>> {
        let mut stale: BTreeMap<Pair, BTreeSet<String>> = BTreeMap::new();
        let known: BTreeSet<u64> = self.0.keys().map(|(name, _)| *name).collect();
        for ((name, code), pairs) in &self.0 {
            let changed = match build.functions.get(name) {
                Some((name, now)) if now == code => {
                    let data = data_of(name);
                    if known.contains(&hash(&data)) || !build.functions.contains_key(&hash(&data)) {
                        continue;
                    }
                    data
                }
                Some((name, _)) => name.clone(),
                None => "a function that is no more".to_owned(),
            };
            for pair in pairs {
                stale.entry(pair.clone()).or_default().insert(changed.clone());
            }
        }
        stale
    }

    /// As [`stale`](Self::stale), with the claims that were never judged.
    pub(super) fn lacking(
        &self,
        build: &Build,
        claims: &[Pair],
    ) -> BTreeMap<Pair, BTreeSet<String>> {
        let (mut lacking, known) = (self.stale(build), self.pairs());
        for pair in claims.iter().filter(|pair| !known.contains(pair)) {
            lacking.insert(pair.clone(), BTreeSet::from(["it was never judged".to_owned()]));
        }
        lacking
    }

    /// How many entries of kernels there are in a build, and the names of those that no trace went through.
    pub(super) fn entries(&self, build: &Build) -> (usize, BTreeSet<String>) {
        let seen: BTreeSet<u64> = self.0.keys().map(|(name, _)| *name).collect();
        let mut entries: BTreeMap<u64, &String> = BTreeMap::new();
        for (hash, (name, _)) in build.functions.iter().filter(|(_, (name, _))| is_entry(name)) {
            entries.insert(*hash, name);
        }
        let all = entries.len();
        entries.retain(|hash, _| !seen.contains(hash));
        (all, entries.into_values().cloned().collect())
    }

    /// One short hash of all that was judged, for whom.
    pub(super) fn hash(&self) -> String {
        format!("{:010x}", hash(&self.written()) >> 24)
    }

    /// How many functions, and how many pairs.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.0.len(), self.pairs().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, code: u64, by_data: u32) -> Function {
        Function { name: name.into(), refers: BTreeSet::new(), by_data, code, data: 0 }
    }

    const SM4: &str = "<lanes::x86::avx2::Avx2>::enter::door::<(), cipherlane::ciphers::sm4::go>";
    const AES: &str = "<lanes::x86::avx2::Avx2>::enter::door::<(), cipherlane::ciphers::aes::go>";
    const NEW: &str = "cipherlane::modes::new::<cipherlane::ciphers::sm4::Sm4>";
    const GLUE: &str = "cipherlane::modes::check";

    fn build(change: impl Fn(&mut Vec<Function>)) -> Build {
        let mut all = vec![
            function(SM4, 1, 0),
            function(AES, 2, 0),
            function(NEW, 3, 1),
            function(GLUE, 4, 0),
        ];
        change(&mut all);
        Build::of(&all)
    }

    fn pair(algorithm: &str, level: &str) -> Pair {
        (algorithm.into(), level.into())
    }

    fn judged() -> Judged {
        let ran = |algorithm: &str, level: &str, name: &str| {
            Record::parse(&format!("code\t{algorithm}\t{name}\t{level}\t0\t0\tok")).unwrap()
        };
        let records = [
            ran("sm4", "avx2", SM4),
            ran("sm4", "avx2", GLUE),
            ran("sm4", "avx2", NEW),
            ran("sm4", "avx2", "prove::calls::run"),
            ran("aes-128", "avx2", AES),
            ran("aes-128", "avx2", GLUE),
            ran("aes-128", "avx512", GLUE),
        ];
        Judged::of(&records, &build(|_| ()))
    }

    fn stale(build: &Build) -> Vec<Pair> {
        judged().stale(build).into_keys().collect()
    }

    #[test]
    fn entries_that_no_trace_went_through_are_counted() {
        assert_eq!(judged().entries(&build(|_| ())), (2, BTreeSet::new()));
        let batches = "<lanes::x86::avx2::Avx2>::enter::door::<(), cipherlane::ciphers::sm4::many>";
        let more = build(|all| {
            all.push(function(batches, 5, 0));
            all.push(function("cipherlane::ciphers::sm4::few", 6, 0));
        });
        assert_eq!(judged().entries(&more), (3, BTreeSet::from([batches.to_owned()])));
    }

    #[test]
    fn a_change_of_code_makes_exactly_its_own_verdicts_stale() {
        assert!(stale(&build(|_| ())).is_empty());
        assert_eq!(stale(&build(|all| all[0].code = 9)), [pair("sm4", "avx2")]);
        assert_eq!(stale(&build(|all| all[1].code = 9)), [pair("aes-128", "avx2")]);
        let all = [pair("aes-128", "avx2"), pair("aes-128", "avx512"), pair("sm4", "avx2")];
        assert_eq!(stale(&build(|all| all[3].code = 9)), all);
        assert_eq!(stale(&build(|all| drop(all.remove(3)))), all);
        // A function more is nobody's, unless a table leads to it.
        assert!(stale(&build(|all| all.push(function("cipherlane::new", 7, 1)))).is_empty());
        let other = "cipherlane::modes::other::<cipherlane::ciphers::sm4::Sm4>";
        assert_eq!(stale(&build(|all| all.push(function(other, 7, 1)))), [pair("sm4", "avx2")]);
        assert_eq!(stale(&build(|all| all[2].by_data = 2)), [pair("sm4", "avx2")]);
        // Data that code refers to say which way it goes.
        let record = Record::parse(&format!("code\tsm4\t{SM4}\tavx2\t0\t0\tok")).unwrap();
        let with = |data| build(move |all| all[0].data = data);
        let judged = Judged::of(std::slice::from_ref(&record), &with(5));
        assert!(judged.stale(&with(5)).is_empty());
        let stale: Vec<Pair> = judged.stale(&with(6)).into_keys().collect();
        assert_eq!(stale, [pair("sm4", "avx2")]);
        assert_eq!(judged.stale(&with(0)).len(), 1);
        // Of two that have one name, one that changes is seen.
        let twice = |code| build(move |all| all.push(function(SM4, code, 0)));
        let judged = Judged::of(
            &[Record::parse(&format!("code\tsm4\t{SM4}\tavx2\t0\t0\tok")).unwrap()],
            &twice(5),
        );
        assert!(judged.stale(&twice(5)).is_empty());
        assert_eq!(judged.stale(&twice(6)).len(), 1);
    }

    #[test]
    fn claims_without_a_verdict_are_lacking_and_others_stay() {
        let claims = [pair("sm4", "avx2"), pair("sm4", "avx512")];
        let lacking = judged().lacking(&build(|_| ()), &claims);
        assert_eq!(lacking.into_keys().collect::<Vec<_>>(), [pair("sm4", "avx512")]);

        let names = ["sm4", "aes-128"].map(str::to_owned).into();
        let one = Record::parse(&format!("code\tsm4\t{SM4}\tavx2\t0\t0\tok")).unwrap();
        let newer = build(|all| all[0].code = 9);
        let all =
            Judged::of(std::slice::from_ref(&one), &newer).and_of_other_pairs(judged(), &names);
        // SM4's other functions were not seen by the newer run, and are judged no more.
        assert!(all.stale(&newer).is_empty(), "{all:?}");
        assert_eq!(all.counts(), (4, 3));
        let none = Judged::of(&[one], &newer).and_of_other_pairs(judged(), &BTreeSet::new());
        assert_eq!(none.counts().1, 1);
    }

    #[test]
    fn a_file_is_read_back_and_a_broken_line_is_named() {
        let judged = judged();
        assert_eq!(Judged::parse(&judged.written()).unwrap(), judged);
        for line in ["1\t2", "1\tx\tsm4@avx2", "1\t2\tsm4"] {
            let error = Judged::parse(&format!("{HEAD}{line}\n")).unwrap_err();
            assert!(error.contains(line), "{error}");
        }
    }
}
