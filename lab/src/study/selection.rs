//! What a study measures, and what a user changes in it.

use std::num::NonZero;
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::DEFAULT_SIZES;
use super::filter::Filter;
use super::pick::{MAX_THREADS, PEER, Pick};
use crate::request::{MAX_AAD, MAX_MESSAGES, MAX_UNALIGNED};
use crate::{KeySetup, LabError, Mix, Model, Placement};

/// One product of operations, models and sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// What to measure; everything if empty.
    pub filters: Vec<Filter>,
    /// Only these engines; all of the study if absent.
    pub engines: Option<Vec<String>>,
    /// Not these engines.
    pub without: Vec<String>,
    /// The levels, of which [`BEST`](crate::study::BEST) is the highest that an engine offers; all if absent.
    pub levels: Option<Vec<String>>,
    /// The models.
    pub models: Vec<Model>,
    /// The message lengths in bytes; `init` and `key` have none.
    pub sizes: Vec<u64>,
    /// Where outputs go.
    pub placements: Vec<Placement>,
    /// Messages a call of `batch`.
    pub messages: Vec<u32>,
    /// The keys of `batch`; as the algorithm has it if empty: fresh where it has no key
    /// schedule of its own, else ready.
    pub keys: Vec<KeySetup>,
    /// The lengths of `batch`: the sizes, or a mix instead of them.
    pub mix: Mix,
    /// Threads of `message` and `batch`.
    pub threads: Vec<u32>,
    /// Bytes of associated data of `packet`, `message` and `batch`; operations that take none are
    /// measured once, without.
    pub aad_bytes: Vec<u32>,
    /// Bytes from a boundary of 64 to every buffer of data.
    pub unaligned: u32,
    /// Whether the caches are emptied before each timed call.
    pub cold: bool,
}

impl Selection {
    /// Every operation in these models, at the default sizes, under the usual conditions.
    #[must_use]
    pub fn of_models(models: Vec<Model>) -> Self {
        Self {
            filters: Vec::new(),
            engines: None,
            without: Vec::new(),
            levels: None,
            models,
            sizes: DEFAULT_SIZES.to_vec(),
            placements: vec![Placement::InPlace],
            messages: vec![DEFAULT_MESSAGES],
            keys: Vec::new(),
            mix: Mix::Equal,
            threads: vec![1],
            aad_bytes: vec![0],
            unaligned: 0,
            cold: false,
        }
    }
}

impl Selection {
    /// Whether an engine takes part in it.
    #[must_use]
    pub fn takes(&self, engine: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|name| name == engine);
        self.engines.as_deref().is_none_or(named) && !named(&self.without)
    }

    /// Whether it measures the row of a pick's first operation, in this model and of this length.
    #[must_use]
    pub fn measures(&self, pick: &Pick, model: Model, size: u64) -> bool {
        let Ok((algorithm, operation)) = pick.operation() else { return false };
        let engine = |names: &Vec<String>| names.iter().any(|name| pick.takes_engine(name));
        let level = |names: &Vec<String>| match &pick.level {
            Some(level) => names.contains(level) || pick.engine.as_deref() == Some(PEER),
            None => true,
        };
        self.filters.iter().any(|filter| filter.selects(&algorithm, &operation))
            && self.mix == pick.mix()
            && self.engines.as_ref().is_none_or(engine)
            && pick.engine.as_ref().is_none_or(|name| !self.without.contains(name))
            && self.levels.as_ref().is_none_or(level)
            && self.models.contains(&model)
            // A latency is of one block, whatever lengths there are.
            && (model.is_setup()
                || model == Model::Latency
                || self.mix != Mix::Equal
                || self.sizes.contains(&size))
            && (pick.threads.is_none() || self.threads.contains(&pick.threads_on(cores())))
    }
}

/// Messages a call of a study that says nothing else.
pub const DEFAULT_MESSAGES: u32 = 16;

/// Threads in a study file.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Threads {
    /// These numbers.
    Numbers(Vec<u32>),
    /// A rule.
    Rule(ThreadRule),
}

/// A rule for threads.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ThreadRule {
    /// 1, 2, 3 and 4, then every power of two and the logical cores, to twice these.
    ToTwiceTheCores,
}

/// The logical cores of this machine.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

impl Threads {
    /// The numbers on this machine.
    pub(super) fn here(self) -> Vec<u32> {
        match self {
            Self::Numbers(numbers) => numbers,
            Self::Rule(ThreadRule::ToTwiceTheCores) => {
                let most = u32::try_from(2 * cores()).unwrap_or(MAX_THREADS).min(MAX_THREADS);
                let doubling = (3..=10).map(|power| 1 << power);
                let mut numbers: Vec<u32> = (1..=4).chain(doubling).filter(|n| *n < most).collect();
                numbers.extend([most / 2, most]);
                numbers.sort_unstable();
                numbers.dedup();
                numbers
            }
        }
    }
}

/// What a user asks for besides the operations; what is absent stays as the study has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The engines, which then must be there.
    pub engines: Option<Vec<String>>,
    /// The levels.
    pub levels: Option<Vec<String>>,
    /// The models.
    pub models: Option<Vec<Model>>,
    /// The message lengths in bytes.
    pub sizes: Option<Vec<u64>>,
    /// Where outputs go.
    pub placements: Option<Vec<Placement>>,
    /// Messages a call of `batch`.
    pub messages: Option<Vec<u32>>,
    /// The keys of `batch`.
    pub keys: Option<Vec<KeySetup>>,
    /// The lengths of `batch`.
    pub mix: Option<Mix>,
    /// Threads of `message` and `batch`.
    pub threads: Option<Vec<u32>>,
    /// Bytes of associated data, for operations that take some.
    pub aad_bytes: Option<Vec<u32>>,
    /// Bytes from a boundary of 64 to every buffer of data.
    pub unaligned: Option<u32>,
    /// Whether the caches are emptied before each timed call.
    pub cold: Option<bool>,
}

impl Choice {
    /// Refuses what can't be, and puts sizes in order.
    pub(super) fn checked(mut self) -> Result<Self, LabError> {
        if self.sizes.is_some() {
            self.sizes = Some(checked_sizes(self.sizes)?);
        }
        self.messages = ordered("messages", self.messages, 1..=MAX_MESSAGES)?;
        self.threads = ordered("threads", self.threads, 1..=MAX_THREADS)?;
        self.aad_bytes = ordered("aad", self.aad_bytes, 0..=MAX_AAD)?;
        if let Some(bytes) = self.unaligned.filter(|bytes| *bytes > MAX_UNALIGNED) {
            let (value, allowed) = (bytes.to_string(), format!("0 to {MAX_UNALIGNED}"));
            return Err(LabError::Value { field: "unaligned", value, allowed });
        }
        Ok(self)
    }

    /// Puts what was chosen, but for the models, into a selection.
    pub(super) fn apply(&self, selection: &mut Selection) {
        if self.levels.is_some() {
            selection.levels.clone_from(&self.levels);
        }
        replace(&mut selection.sizes, self.sizes.as_ref());
        replace(&mut selection.placements, self.placements.as_ref());
        replace(&mut selection.messages, self.messages.as_ref());
        replace(&mut selection.keys, self.keys.as_ref());
        replace(&mut selection.mix, self.mix.as_ref());
        replace(&mut selection.threads, self.threads.as_ref());
        replace(&mut selection.aad_bytes, self.aad_bytes.as_ref());
        replace(&mut selection.unaligned, self.unaligned.as_ref());
        replace(&mut selection.cold, self.cold.as_ref());
    }
}

pub(super) fn replace<T: Clone>(place: &mut T, chosen: Option<&T>) {
    if let Some(chosen) = chosen {
        place.clone_from(chosen);
    }
}

/// Numbers of that range, each once and in order.
fn ordered(
    field: &'static str,
    numbers: Option<Vec<u32>>,
    range: RangeInclusive<u32>,
) -> Result<Option<Vec<u32>>, LabError> {
    let Some(mut numbers) = numbers else { return Ok(None) };
    if let Some(number) = numbers.iter().find(|number| !range.contains(*number)) {
        let (least, most) = (range.start(), range.end());
        let (value, allowed) = (number.to_string(), format!("{least} to {most}"));
        return Err(LabError::Value { field, value, allowed });
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(Some(numbers))
}

/// Sizes in order, each once; the default ones if there are none.
pub(super) fn checked_sizes(sizes: Option<Vec<u64>>) -> Result<Vec<u64>, LabError> {
    let Some(mut sizes) = sizes else { return Ok(DEFAULT_SIZES.to_vec()) };
    if let Some(size) = sizes.iter().find(|size| !(1..=MAX_SIZE).contains(*size)) {
        return Err(LabError::Value {
            field: "size",
            value: size.to_string(),
            allowed: format!("1 to {MAX_SIZE} bytes"),
        });
    }
    sizes.sort_unstable();
    sizes.dedup();
    Ok(sizes)
}

/// The longest message in bytes: 16 GiB.
pub const MAX_SIZE: u64 = 16 << 30;
