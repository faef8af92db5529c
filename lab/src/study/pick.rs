//! Picks: which measured row a cell of a sheet, a line of a figure or a claim is about.

use serde::Deserialize;

use super::Filter;
use crate::cell::{BEST, is_peer};
use crate::{LabError, Model};

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
    /// `ALGORITHM/OPERATION`.
    pub what: Option<String>,
    /// The level or rung, or [`BEST`]: the highest that the engine measured.
    pub level: Option<String>,
    /// The model.
    pub model: Option<Model>,
    /// The message length in bytes.
    pub size: Option<u64>,
    /// Message lengths whose times are summed, instead of one.
    pub sizes: Option<Vec<u64>>,
    /// Threads; 1 if absent, and as many as there are logical cores if 0.
    pub threads: Option<u32>,
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
        Self {
            engine: either(&self.engine, &below.engine),
            what: either(&self.what, &below.what),
            level: either(&self.level, &below.level),
            model: self.model.or(below.model),
            size: lengths.size,
            sizes: lengths.sizes.clone(),
            threads: self.threads.or(below.threads),
        }
    }

    /// The operation.
    ///
    /// # Errors
    /// [`LabError::Value`] if it is absent or no `ALGORITHM/OPERATION`.
    pub fn operation(&self) -> Result<(String, String), LabError> {
        let text = self.what.clone().unwrap_or_default();
        let filter: Filter = text.parse()?;
        let wrong = || LabError::Value {
            field: "what",
            value: text.clone(),
            allowed: "ALGORITHM/OPERATION, e.g. sm4/ctr".to_owned(),
        };
        Ok((filter.algorithm, filter.operation.ok_or_else(wrong)?))
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
            threads => threads.filter(|it| *it > 1).map(|it| format!("{it} threads")),
        };
        let parts = [self.engine.clone(), self.level.clone(), self.what.clone(), threads];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
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
