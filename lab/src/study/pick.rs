//! Picks: which measured row a cell of a sheet, a line of a figure or a claim is about.

use serde::{Deserialize, Deserializer};

use super::Filter;
use crate::cell::{BEST, is_peer};
use crate::{LabError, Mix, Model};

/// The most threads.
pub const MAX_THREADS: u32 = 1024;

/// A row of a run, named by what sets it apart; what is absent is left to whoever picks.
///
/// In a study file:
/// `{ engine = "ladder-c-O2", what = "idea/cbc-encrypt", level = "unrolled", model = "message",
/// size = 8192, threads = 1 }`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pick {
    /// The engine, or [`PEER`]: the fastest library that is not of this project.
    pub engine: Option<String>,
    /// The engine that stands in for it where it took no part.
    pub or_engine: Option<String>,
    /// `ALGORITHM/OPERATION`.
    pub what: Option<String>,
    /// A second operation over the same message, by the same engine at the same level: its time is
    /// added.
    pub and: Option<String>,
    /// The level or rung, or [`BEST`]: the highest that the engine measured.
    pub level: Option<String>,
    /// The model.
    pub model: Option<Model>,
    /// The message length in bytes.
    pub size: Option<u64>,
    /// Message lengths whose times are summed, instead of one.
    pub sizes: Option<Vec<u64>>,
    /// The lengths of the messages of a batch; all equal if absent.
    pub mix: Option<Mix>,
    /// Threads; 1 if absent, as many as there are logical cores if 0, and [`TWICE_THE_CORES`], in
    /// a study file `"twice-the-cores"`.
    #[serde(deserialize_with = "threads")]
    pub threads: Option<u32>,
}

/// In a pick: twice as many threads as there are logical cores.
pub const TWICE_THE_CORES: u32 = u32::MAX;

/// Threads as written.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number of threads, or \"twice-the-cores\"")]
enum Threads {
    Number(u32),
    Rule(ThreadRule),
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ThreadRule {
    TwiceTheCores,
}

fn threads<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    Threads::deserialize(from).map(|written| match written {
        Threads::Number(number) => Some(number),
        Threads::Rule(ThreadRule::TwiceTheCores) => Some(TWICE_THE_CORES),
    })
}

/// In a pick: the fastest engine among the libraries of others.
pub const PEER: &str = "peer";

impl Pick {
    /// This pick, its gaps filled from one below it.
    #[must_use]
    pub fn or(&self, below: &Self) -> Self {
        fn either<T: Clone>(a: &Option<T>, b: &Option<T>) -> Option<T> {
            a.clone().or_else(|| b.clone())
        }
        // One length and many are two forms of one field.
        let lengths = if self.size.is_some() || self.sizes.is_some() { self } else { below };
        // So are an engine and the one that stands in for it.
        let engines = if self.engine.is_some() { self } else { below };
        // And an operation and the one whose time is added to its own.
        let operations = if self.what.is_some() { self } else { below };
        Self {
            engine: engines.engine.clone(),
            or_engine: engines.or_engine.clone(),
            what: operations.what.clone(),
            and: operations.and.clone(),
            level: either(&self.level, &below.level),
            model: self.model.or(below.model),
            size: lengths.size,
            sizes: lengths.sizes.clone(),
            mix: self.mix.or(below.mix),
            threads: self.threads.or(below.threads),
        }
    }

    /// This pick where only those engines took part of which that is true: with the engine that
    /// stands in for an absent one.
    #[must_use]
    pub fn here(&self, took_part: impl Fn(&str) -> bool) -> Self {
        match (&self.engine, &self.or_engine) {
            (Some(first), Some(second)) if !took_part(first) && took_part(second) => {
                Self { engine: Some(second.clone()), or_engine: None, ..self.clone() }
            }
            _ => self.clone(),
        }
    }

    /// The operation.
    ///
    /// # Errors
    /// [`LabError::Value`] if it is absent or no `ALGORITHM/OPERATION`.
    pub fn operation(&self) -> Result<(String, String), LabError> {
        parsed("what", self.what.as_deref().unwrap_or_default())
    }

    /// The operation, and the one whose time is added to its own.
    ///
    /// # Errors
    /// As [`operation`](Self::operation), of either.
    pub fn operations(&self) -> Result<Vec<(String, String)>, LabError> {
        let second = self.and.as_deref().map(|text| parsed("and", text)).transpose()?;
        Ok([self.operation()?].into_iter().chain(second).collect())
    }

    /// The same of the second operation alone, if there is one.
    #[must_use]
    pub fn second(&self) -> Option<Self> {
        self.and.is_some().then(|| Self { what: self.and.clone(), and: None, ..self.clone() })
    }

    /// The lengths of a batch's messages.
    #[must_use]
    pub fn mix(&self) -> Mix {
        self.mix.unwrap_or_default()
    }

    /// Every length it is about; one of 0 for a model that has none.
    #[must_use]
    pub fn lengths(&self) -> Vec<u64> {
        match (&self.sizes, self.size) {
            (Some(sizes), _) => sizes.clone(),
            (None, Some(size)) => vec![size],
            (None, None) => vec![0],
        }
    }

    /// The threads on a machine of so many logical cores.
    #[must_use]
    pub fn threads_on(&self, cores: usize) -> u32 {
        match self.threads {
            None => 1,
            Some(0) => u32::try_from(cores).unwrap_or(u32::MAX),
            Some(TWICE_THE_CORES) => {
                u32::try_from(2 * cores).unwrap_or(MAX_THREADS).min(MAX_THREADS)
            }
            Some(threads) => threads,
        }
    }

    /// Whether an engine may be the one it names.
    #[must_use]
    pub fn takes_engine(&self, engine: &str) -> bool {
        match self.engine.as_deref() {
            None => true,
            Some(PEER) => is_peer(engine),
            Some(name) => name == engine,
        }
    }

    /// Whether a level may be the one it names.
    #[must_use]
    pub fn takes_level(&self, level: &str) -> bool {
        self.level.as_deref().is_none_or(|it| it == BEST || it == level)
    }

    /// `engine level what`, as far as they are named.
    #[must_use]
    pub fn label(&self) -> String {
        let threads = match self.threads {
            Some(0) => Some("every core".to_owned()),
            Some(TWICE_THE_CORES) => Some("twice the cores".to_owned()),
            threads => threads.filter(|it| *it > 1).map(|it| format!("{it} threads")),
        };
        let what = self.what.iter().chain(&self.and).cloned().collect::<Vec<_>>().join(" and ");
        let what = (!what.is_empty()).then_some(what);
        let mix = self.mix.filter(|mix| *mix != Mix::Equal).map(|mix| mix.to_string());
        let parts = [self.engine.clone(), self.level.clone(), what, mix, threads];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// An operation as written.
fn parsed(field: &'static str, text: &str) -> Result<(String, String), LabError> {
    let filter: Filter = text.parse()?;
    let wrong = || LabError::Value {
        field,
        value: text.to_owned(),
        allowed: "ALGORITHM/OPERATION, e.g. sm4/ctr".to_owned(),
    };
    Ok((filter.algorithm, filter.operation.ok_or_else(wrong)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_from_below() {
        let named = |text: &str| toml::from_str::<Pick>(text).expect("a pick");
        let above = named("level = \"loop\"\nsize = 16");
        let below = named("what = \"toy/ctr\"\nlevel = \"best\"\nsizes = [16, 32]\nthreads = 2");
        let pick = above.or(&below);
        assert_eq!(pick.lengths(), [16]);
        assert_eq!(pick.label(), "loop toy/ctr 2 threads");
        assert_eq!(pick.operation().expect("named"), ("toy".into(), "ctr".into()));
        assert_eq!(below.or(&above).lengths(), [16, 32]);
        assert_eq!(Pick::default().lengths(), [0]);
    }

    #[test]
    fn a_second_operation_goes_with_the_first() {
        let named = |text: &str| toml::from_str::<Pick>(text).expect("a pick");
        let both = named("what = \"toy/ctr\"\nand = \"toy/mac\"\nmix = \"imix\"");
        assert_eq!(both.label(), "toy/ctr and toy/mac imix");
        assert_eq!(both.operations().expect("named").len(), 2);
        let second = both.second().expect("named");
        assert_eq!((second.what.as_deref(), second.and), (Some("toy/mac"), None));
        assert_eq!((second.mix, named("size = 16").mix()), (Some(Mix::Imix), Mix::Equal));
        let above = named("what = \"toy/cbc\"").or(&both);
        assert_eq!((above.and, above.mix), (None, Some(Mix::Imix)), "it is of the other operation");
        let error =
            named("what = \"toy/ctr\"\nand = \"toy\"").operations().expect_err("no operation");
        assert!(error.to_string().contains("and"), "{error}");
    }

    #[test]
    fn an_engine_stands_in_for_an_absent_one() {
        let named = |text: &str| toml::from_str::<Pick>(text).expect("a pick");
        let pick = named("engine = \"new\"\nor_engine = \"old\"");
        let engine = |there: &[&str]| pick.here(|it| there.contains(&it)).engine.expect("named");
        assert_eq!(engine(&["new", "old"]), "new");
        assert_eq!(engine(&["old"]), "old");
        assert_eq!(engine(&[]), "new");
        let above = named("engine = \"other\"").or(&pick);
        assert_eq!(above.or_engine, None, "it stands in for the other one");
        assert_eq!(named("size = 16").or(&pick).or_engine.as_deref(), Some("old"));
    }

    #[test]
    fn threads_are_a_number_or_a_rule() {
        let named = |text: &str| toml::from_str::<Pick>(text);
        let on_two = |text: &str| named(text).expect("a pick").threads_on(2);
        assert_eq!([on_two(""), on_two("threads = 3"), on_two("threads = 0")], [1, 3, 2]);
        let twice = named("threads = \"twice-the-cores\"").expect("a pick");
        assert_eq!((twice.threads_on(2), twice.threads_on(1 << 20)), (4, MAX_THREADS));
        assert_eq!(twice.label(), "twice the cores");
        let error = named("threads = \"many\"").expect_err("no rule").to_string();
        assert!(error.contains("twice-the-cores"), "{error}");
    }

    #[test]
    fn peers_are_the_libraries_of_others() {
        let peer = Pick { engine: Some(PEER.to_owned()), ..Pick::default() };
        for (engine, is) in [
            ("openssl", true),
            ("cipherlane", false),
            ("cipherlane-i686", false),
            ("ladder-c-O2", false),
        ] {
            assert_eq!(peer.takes_engine(engine), is, "{engine}");
        }
    }
}
