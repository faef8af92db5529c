//! Studies: what to measure, as data (`studies/*.toml`).

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use crate::{LabError, Model, Placement};

/// The message lengths of a study that names none, in bytes.
pub const DEFAULT_SIZES: [u64; 14] =
    [16, 32, 40, 64, 128, 256, 576, 1024, 1500, 8188, 8192, 9000, 16384, STREAM_SIZE];

/// The length of one call of model `stream` in a study that names none, in bytes.
pub const STREAM_SIZE: u64 = 1 << 20;

/// `ALGORITHM` or `ALGORITHM/OPERATION`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Filter {
    /// The algorithm.
    pub algorithm: String,
    /// The operation; all of them if absent.
    pub operation: Option<String>,
}

impl Filter {
    /// Whether it selects that operation.
    #[must_use]
    pub fn selects(&self, algorithm: &str, operation: &str) -> bool {
        self.algorithm == algorithm && self.operation.as_deref().is_none_or(|it| it == operation)
    }
}

impl FromStr for Filter {
    type Err = LabError;

    fn from_str(text: &str) -> Result<Self, LabError> {
        let word = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"-+.".contains(&b))
        };
        let (algorithm, operation) = match text.split_once('/') {
            Some((algorithm, operation)) => (algorithm, Some(operation)),
            None => (text, None),
        };
        if !word(algorithm) || !operation.is_none_or(word) {
            return Err(LabError::Value {
                field: "filter",
                value: text.to_owned(),
                allowed: "ALGORITHM or ALGORITHM/OPERATION, e.g. sm4/ctr".to_owned(),
            });
        }
        Ok(Self { algorithm: algorithm.to_owned(), operation: operation.map(str::to_owned) })
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.algorithm)?;
        self.operation.as_ref().map_or(Ok(()), |operation| write!(f, "/{operation}"))
    }
}

/// One product of operations, models and sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// What to measure; everything if empty.
    pub filters: Vec<Filter>,
    /// The levels; all that an engine offers if absent.
    pub levels: Option<Vec<String>>,
    /// The models.
    pub models: Vec<Model>,
    /// The message lengths in bytes; `init` and `key` have none.
    pub sizes: Vec<u64>,
    /// Where outputs go.
    pub placements: Vec<Placement>,
}

/// A study: selections and the engines that take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study {
    /// Its title.
    pub title: String,
    /// What to measure.
    pub selections: Vec<Selection>,
    /// The engines named, which then must be there; all that are present if absent.
    pub engines: Option<Vec<String>>,
    /// The A/A pair: what one engine measures a second time in a process of its own.
    pub again: Option<Again>,
}

/// The A/A pair of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// The engine that runs twice.
    pub engine: String,
    /// The part of its cells that is measured twice.
    pub selection: Selection,
}

/// `studies/*.toml`, as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    engines: Option<Vec<String>>,
    select: Vec<FileSelection>,
    again: Option<FileAgain>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileSelection {
    what: Vec<String>,
    levels: Option<Vec<String>>,
    models: Option<Vec<Model>>,
    sizes: Option<Vec<u64>>,
    placements: Option<Vec<Placement>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileAgain {
    engine: String,
    what: Vec<String>,
    models: Option<Vec<Model>>,
    sizes: Option<Vec<u64>>,
}

/// The models of a study that names none: all but `latency`.
fn default_models() -> Vec<Model> {
    Model::ALL.into_iter().filter(|model| *model != Model::Latency).collect()
}

fn checked_sizes(sizes: Option<Vec<u64>>) -> Result<Vec<u64>, LabError> {
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

fn filters(what: &[String]) -> Result<Vec<Filter>, LabError> {
    what.iter().map(|text| text.parse()).collect()
}

impl Study {
    /// The default study.
    ///
    /// # Panics
    /// Never: a test reads the file that is built in.
    #[must_use]
    pub fn headline() -> Self {
        Self::from_toml(include_str!("../studies/headline.toml")).expect("tested")
    }

    /// Reads a study file.
    ///
    /// # Errors
    /// [`LabError::Study`] naming line and field, [`LabError::Value`] for a filter or size
    /// that can't be.
    pub fn from_toml(text: &str) -> Result<Self, LabError> {
        let file: File = toml::from_str(text)
            .map_err(|error| LabError::Study { why: one_line(&error.to_string()) })?;
        let selections = file.select.into_iter().map(|select| {
            Ok(Selection {
                filters: filters(&select.what)?,
                levels: select.levels,
                models: select.models.unwrap_or_else(default_models),
                sizes: checked_sizes(select.sizes)?,
                placements: select.placements.unwrap_or_else(|| vec![Placement::InPlace]),
            })
        });
        let selections: Vec<Selection> = selections.collect::<Result<_, LabError>>()?;
        if selections.is_empty() {
            return Err(LabError::Study { why: "it has no [[select]]".to_owned() });
        }
        let again = match file.again {
            Some(again) => Some(Again {
                engine: again.engine,
                selection: Selection {
                    filters: filters(&again.what)?,
                    levels: None,
                    models: again.models.unwrap_or_else(default_models),
                    sizes: checked_sizes(again.sizes)?,
                    placements: vec![Placement::InPlace],
                },
            }),
            None => None,
        };
        Ok(Self { title: file.title, selections, engines: file.engines, again })
    }

    /// The study that command-line options describe. Without filters it is the
    /// headline study cut down by the other options; with filters, every model but
    /// `latency` and the [default sizes](DEFAULT_SIZES) unless given.
    ///
    /// # Errors
    /// [`LabError::Value`] for a size of 0 or over 16 GiB.
    pub fn from_options(
        filters: &[Filter],
        engines: Option<Vec<String>>,
        levels: Option<Vec<String>>,
        sizes: Option<Vec<u64>>,
        models: Option<Vec<Model>>,
        placements: Option<Vec<Placement>>,
    ) -> Result<Self, LabError> {
        if filters.is_empty() {
            let mut study = Self::headline();
            study.engines = engines;
            study.narrow(levels.as_deref(), models.as_deref());
            if sizes.is_some() {
                let sizes = checked_sizes(sizes)?;
                study.selections.iter_mut().for_each(|select| select.sizes.clone_from(&sizes));
            }
            if let Some(placements) = placements {
                for selection in &mut study.selections {
                    selection.placements.clone_from(&placements);
                }
            }
            return Ok(study);
        }
        let list: Vec<String> = filters.iter().map(ToString::to_string).collect();
        let selection = Selection {
            filters: filters.to_vec(),
            levels,
            models: models.unwrap_or_else(default_models),
            sizes: checked_sizes(sizes)?,
            placements: placements.unwrap_or_else(|| vec![Placement::InPlace]),
        };
        Ok(Self { title: list.join(" "), selections: vec![selection], engines, again: None })
    }

    /// Keeps only these levels and models.
    fn narrow(&mut self, levels: Option<&[String]>, models: Option<&[Model]>) {
        for selection in &mut self.selections {
            if let Some(levels) = levels {
                selection.levels = Some(levels.to_vec());
            }
            if let Some(models) = models {
                selection.models.retain(|model| models.contains(model));
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
        let selection = Selection {
            filters: Vec::new(),
            levels: None,
            models: Model::ALL.to_vec(),
            sizes: DEFAULT_SIZES.to_vec(),
            placements: vec![Placement::InPlace],
        };
        let title = "Everything".to_owned();
        Self { title, selections: vec![selection], engines, again: None }
    }
}

/// A message of several lines as one.
fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
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
        assert!(Model::ALL.into_iter().filter(|it| *it != Model::Latency).all(models));
    }

    #[test]
    fn a_study_file_that_is_wrong_is_refused_in_one_line() {
        for (text, expected) in [
            ("", "missing field `title`"),
            ("title = 1", "invalid type"),
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
    fn filters_are_an_algorithm_or_an_operation() {
        let filter: Filter = "zuc-256/eea3+eia3".parse().expect("a filter");
        assert_eq!(filter.to_string(), "zuc-256/eea3+eia3");
        assert!(filter.selects("zuc-256", "eea3+eia3") && !filter.selects("zuc-256", "eea3"));
        let filter: Filter = "sm4".parse().expect("a filter");
        assert!(filter.selects("sm4", "ctr") && !filter.selects("sm", "ctr"));
        for bad in ["", "/", "sm4/", "/ctr", "a b", "a/b/c", "sm4,zuc"] {
            assert!(bad.parse::<Filter>().is_err(), "{bad}");
        }
    }

    #[test]
    fn options_without_filters_cut_the_headline_down() {
        let levels = Some(vec!["avx2".to_owned()]);
        let models = Some(vec![Model::Message]);
        let study = Study::from_options(&[], None, levels, Some(vec![64, 16, 64]), models, None);
        for selection in study.expect("a study").selections {
            assert_eq!(selection.levels.as_deref(), Some(["avx2".to_owned()].as_slice()));
            assert_eq!(selection.sizes, [16, 64]);
            assert!(selection.models.iter().all(|model| *model == Model::Message));
        }
        for size in [0, MAX_SIZE + 1] {
            let error = Study::from_options(&[], None, None, Some(vec![size]), None, None);
            let error = error.expect_err("out of range").to_string();
            assert!(error.contains(&format!("size is `{size}`; allowed: 1 to")), "{error}");
        }
    }

    #[test]
    fn filters_alone_take_every_default_size_and_model() {
        let filters = ["sm4/ctr".parse().expect("a filter")];
        let study = Study::from_options(&filters, None, None, None, None, None).expect("a study");
        assert_eq!(study.selections[0].sizes, DEFAULT_SIZES);
        assert_eq!(study.selections[0].models.len(), 5);
        assert_eq!(Study::headline().widened().selections[0].sizes, DEFAULT_SIZES);
    }
}
