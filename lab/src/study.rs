//! Studies: what to measure, as data (`studies/*.toml`).

use crate::{LabError, Model};

mod claim;
mod conclusion;
mod figure;
mod file;
mod filter;
mod known;
mod pick;
pub mod published;
mod selection;
mod sheet;
mod text;
mod why;

pub(crate) use selection::cores;
use selection::replace;

pub use claim::{Claim, Divisor, Expects, Facts, Rule};
pub use conclusion::{Conclusion, Shown};
pub use figure::{Figure, Kind, Series};
pub use file::Contradiction;
pub use filter::Filter;
pub use pick::{MAX_THREADS, PEER, Pick, TWICE_THE_CORES};
pub use sheet::{Bound, Named, Part, Sheet, Show, Single, View};
pub use text::{Lang, Text};
pub use why::Why;

pub use crate::cell::BEST;
pub use selection::{Choice, DEFAULT_MESSAGES, MAX_SIZE, Selection};

/// The message lengths of a study that names none, in bytes.
pub const DEFAULT_SIZES: [u64; 14] =
    [16, 32, 40, 64, 128, 256, 576, 1024, 1500, 8188, 8192, 9000, 16384, STREAM_SIZE];

/// The lengths at which every engine is set against every other one, where none are chosen.
pub const CONTEST_SIZES: [u64; 5] = [16, 64, 256, 1024, 8192];

/// The length of one call of model `stream` in a study that names none, in bytes.
pub const STREAM_SIZE: u64 = 1 << 20;

/// A study: selections and the engines that take part.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Its name among those built in; `None` for others.
    pub name: Option<String>,
    /// Its title.
    pub title: Text,
    /// What to measure.
    pub selections: Vec<Selection>,
    /// The engines named, which then must be there; all that are present if absent.
    pub engines: Option<Vec<String>>,
    /// The A/A pair: what one engine measures a second time in a process of its own.
    pub again: Option<Again>,
    /// Published claims to hold against the figures.
    pub claims: Vec<Claim>,
    /// Engines that take part if they can be had, built first where that is possible.
    pub wants: Vec<String>,
    /// The published file (`published/*.json`) that sheets point into.
    pub published: Option<String>,
    /// Columns of measured figures.
    pub views: Vec<View>,
    /// The published tables, each cell bound to what is measured.
    pub sheets: Vec<Sheet>,
    /// The published figures and ours.
    pub figures: Vec<Figure>,
    /// Where the publication contradicts itself.
    pub contradictions: Vec<Contradiction>,
    /// What a reader takes from the publication, each over claims.
    pub conclusions: Vec<Conclusion>,
}

/// The A/A pair of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// The engine that runs twice.
    pub engine: String,
    /// The part of its cells that is measured twice.
    pub selection: Selection,
}

/// The models of a study that names none: all of one message but `latency`.
fn default_models() -> Vec<Model> {
    let asked_for = [Model::Batch, Model::Latency];
    Model::ALL.into_iter().filter(|model| !asked_for.contains(model)).collect()
}

impl Study {
    /// A study of these selections alone.
    fn of(title: &str, selections: Vec<Selection>) -> Self {
        Self {
            name: None,
            title: title.into(),
            selections,
            engines: None,
            again: None,
            claims: Vec::new(),
            wants: Vec::new(),
            published: None,
            views: Vec::new(),
            sheets: Vec::new(),
            figures: Vec::new(),
            contradictions: Vec::new(),
            conclusions: Vec::new(),
        }
    }

    /// The default study.
    ///
    /// # Panics
    /// Never: a test reads the file that is built in.
    #[must_use]
    pub fn headline() -> Self {
        Self::named("headline").expect("tested")
    }

    /// What the record of a machine holds: the operations of the headline study with SM4 and
    /// ZUC-128, and those of SM4 with AES-128 besides.
    #[must_use]
    pub fn machine() -> Self {
        let mut study = Self { name: None, title: "Machine".into(), ..Self::headline() };
        for selection in &mut study.selections {
            selection.filters.retain(|it| it.algorithm != "zuc-256");
            let twin = |it: &Filter| Filter { algorithm: "aes-128".to_owned(), ..it.clone() };
            let sm4 = selection.filters.iter().filter(|it| it.algorithm == "sm4");
            let twins: Vec<Filter> = sm4.map(twin).collect();
            selection.filters.extend(twins);
        }
        study
    }

    /// The study that command-line options describe. Without filters it is the
    /// headline study cut down by the other options; with filters, every model of one
    /// message but `latency` and the [default sizes](DEFAULT_SIZES) unless chosen.
    ///
    /// # Errors
    /// [`LabError::Value`] for a size of 0 or over 16 GiB, and for numbers of messages or
    /// threads out of range.
    pub fn from_options(filters: &[Filter], choice: Choice) -> Result<Self, LabError> {
        if filters.is_empty() {
            let mut study = Self::headline();
            let models = choice.models.clone();
            study.choose(Choice { models: None, ..choice })?;
            if let Some(models) = models {
                study.narrow(&models);
            }
            return Ok(study);
        }
        let list: Vec<String> = filters.iter().map(ToString::to_string).collect();
        let selection =
            Selection { filters: filters.to_vec(), ..Selection::of_models(default_models()) };
        let mut study = Self::of(&list.join(" "), vec![selection]);
        study.choose(choice)?;
        Ok(study)
    }

    /// Takes what was chosen instead of what the study says.
    ///
    /// # Errors
    /// As [`from_options`](Self::from_options).
    pub fn choose(&mut self, choice: Choice) -> Result<(), LabError> {
        let choice = choice.checked()?;
        if choice.engines.is_some() {
            self.engines.clone_from(&choice.engines);
        }
        for selection in &mut self.selections {
            choice.apply(selection);
            replace(&mut selection.models, choice.models.as_ref());
        }
        Ok(())
    }

    /// Takes this level where a selection says [`BEST`], instead of each engine's best.
    pub fn best(&mut self, level: &str) {
        for levels in self.selections.iter_mut().filter_map(|it| it.levels.as_mut()) {
            for name in levels.iter_mut().filter(|name| *name == BEST) {
                level.clone_into(name);
            }
        }
    }

    /// Keeps only these models; if that leaves nothing, measures all operations in them.
    fn narrow(&mut self, models: &[Model]) {
        let kept = |selection: &Selection| selection.models.iter().any(|it| models.contains(it));
        let any = self.selections.iter().any(kept);
        for selection in &mut self.selections {
            if any {
                selection.models.retain(|model| models.contains(model));
            } else {
                selection.models = models.to_vec();
            }
        }
    }

    /// The same operations in every model but `latency` and at every default size.
    #[must_use]
    pub fn widened(&self) -> Self {
        let mut study = self.clone();
        for selection in &mut study.selections {
            selection.models = default_models();
            selection.sizes = DEFAULT_SIZES.to_vec();
        }
        study
    }

    /// Every operation of every engine, every model and every default size.
    #[must_use]
    pub fn everything(engines: Option<Vec<String>>) -> Self {
        let selection = Selection::of_models(Model::ALL.to_vec());
        Self { engines, ..Self::of("Everything", vec![selection]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headline_study_is_sound() {
        let study = Study::headline();
        assert!(study.engines.is_none() && study.again.is_some());
        let selects = |name: &str| {
            study.selections.iter().flat_map(|it| &it.filters).any(|it| it.algorithm == name)
        };
        assert!(["sm4", "zuc-128", "zuc-256"].into_iter().all(selects));
        let models = |model| study.selections.iter().any(|it| it.models.contains(&model));
        assert!(default_models().into_iter().all(models));
    }

    #[test]
    fn the_study_of_a_machine_has_all_operations_of_the_headline_for_three_ciphers() {
        let of = |study: &Study, algorithm: &str| {
            let all = study.selections.iter().flat_map(|it| {
                it.filters
                    .iter()
                    .map(|filter| (filter.clone(), it.models.clone(), it.sizes.clone()))
            });
            all.filter(|(filter, ..)| filter.algorithm == algorithm).collect::<Vec<_>>()
        };
        let (machine, headline) = (Study::machine(), Study::headline());
        for algorithm in ["sm4", "zuc-128"] {
            assert_eq!(of(&machine, algorithm), of(&headline, algorithm));
        }
        assert_eq!(of(&machine, "aes-128").len(), of(&headline, "sm4").len());
        assert!(of(&machine, "zuc-256").is_empty() && !of(&machine, "zuc-128").is_empty());
        assert_eq!(machine.name, None);
    }

    #[test]
    fn a_study_file_that_is_wrong_is_refused_in_one_line() {
        for (text, expected) in [
            ("", "missing field `title`"),
            ("title = 1", "expected words"),
            ("title = \"x\"\nselect = []", "no [[select]]"),
            ("title = \"x\"\n[[select]]\nwhat = [\"sm4\"]\nsise = [1]", "unknown field `sise`"),
            ("title = \"x\"\n[[select]]\nwhat = [\"sm4\"]\nmodels = [\"speed\"]", "speed"),
            ("title = \"x\"\n[[select]]\nwhat = [\"sm4\"]\nsizes = [0]", "size is `0`"),
            ("title = \"x\"\n[[select]]\nwhat = [\"sm4/\"]", "filter is `sm4/`"),
            ("title = ", "line 1"),
        ] {
            let error = Study::from_toml(text).expect_err(text).to_string();
            assert!(error.contains(expected) && !error.contains('\n'), "{text}: {error}");
        }
    }

    #[test]
    fn options_without_filters_cut_the_headline_down() {
        let levels = Some(vec!["avx2".to_owned()]);
        let models = Some(vec![Model::Message]);
        let sizes = Some(vec![64, 16, 64]);
        let choice = Choice { levels, sizes, models, ..Choice::default() };
        let study = Study::from_options(&[], choice);
        for selection in study.expect("a study").selections {
            assert_eq!(selection.levels.as_deref(), Some(["avx2".to_owned()].as_slice()));
            assert_eq!(selection.sizes, [16, 64]);
            assert!(selection.models.iter().all(|model| *model == Model::Message));
        }
        for size in [0, MAX_SIZE + 1] {
            let choice = Choice { sizes: Some(vec![size]), ..Choice::default() };
            let error = Study::from_options(&[], choice).expect_err("out of range").to_string();
            assert!(error.contains(&format!("size is `{size}`; allowed: 1 to")), "{error}");
        }
    }

    #[test]
    fn filters_alone_take_every_default_size_and_model() {
        let filters = ["sm4/ctr".parse().expect("a filter")];
        let study = Study::from_options(&filters, Choice::default()).expect("a study");
        assert_eq!(study.selections[0].sizes, DEFAULT_SIZES);
        assert_eq!(study.selections[0].models.len(), 5);
        assert_eq!(Study::headline().widened().selections[0].sizes, DEFAULT_SIZES);
    }

    #[test]
    fn a_model_that_the_headline_lacks_is_measured_on_its_operations() {
        let models = Some(vec![Model::Batch]);
        let messages = Some(vec![64, 16, 64]);
        let choice = Choice { models, messages, ..Choice::default() };
        let study = Study::from_options(&[], choice).expect("a study");
        for selection in study.selections {
            assert_eq!((selection.models, selection.messages), (vec![Model::Batch], vec![16, 64]));
        }
        for (choice, expected) in [
            (Choice { messages: Some(vec![0]), ..Choice::default() }, "messages is `0`"),
            (Choice { threads: Some(vec![1025]), ..Choice::default() }, "threads is `1025`"),
            (
                Choice { aad_bytes: Some(vec![1 << 20 | 1]), ..Choice::default() },
                "aad is `1048577`",
            ),
        ] {
            let error = Study::from_options(&[], choice).expect_err(expected).to_string();
            let range = if expected.starts_with("aad") { "0 to 1048576" } else { "1 to" };
            assert!(error.contains(expected) && error.contains(range), "{error}");
        }
    }
}
