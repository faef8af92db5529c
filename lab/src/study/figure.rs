//! Figures of a study, as data.

use serde::Deserialize;

use super::pick::Pick;
use super::sheet::{Sheet, Show};
use super::text::Text;
use crate::LabError;

/// A figure in the order of the published study, or one of ours.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Its name, e.g. `figure-1`.
    pub id: String,
    /// Its heading.
    pub title: Text,
    /// The published figure's number; absent for ours.
    #[serde(default)]
    pub number: Option<u32>,
    /// How it is drawn.
    pub kind: Kind,
    /// The sheet whose cells are its bars.
    #[serde(default)]
    pub sheet: Option<String>,
    /// The fact that holds the stacks of a flame graph.
    #[serde(default)]
    pub fact: Option<String>,
    /// The columns of the sheet, by their English names; all if empty.
    #[serde(default)]
    pub columns: Vec<String>,
    /// What is on the axis of figures, of lines, scaling and waterfall.
    #[serde(default)]
    pub show: Show,
    /// What its series have in common.
    #[serde(default)]
    pub pick: Pick,
    /// Its lines, or the steps of a waterfall.
    #[serde(default)]
    pub series: Vec<Series>,
    /// What stands below it.
    #[serde(default)]
    pub notes: Vec<Text>,
}

/// How a figure is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Bars of a sheet's cells, the published one beside each view's.
    Bars,
    /// Lines against the message length.
    Lines,
    /// Lines against threads, with the ideal line.
    Scaling,
    /// The steps of a ladder, each with what it gained on the one before.
    Waterfall,
    /// Functions as wide as the samples in them, from a fact.
    Flame,
}

/// A line of a figure.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// Its name.
    pub name: Text,
    /// The rows it goes through.
    #[serde(default)]
    pub pick: Pick,
}

impl Figure {
    /// Refuses what can't be drawn.
    pub(super) fn check(&self, sheets: &[Sheet]) -> Result<(), LabError> {
        let wrong = |why: String| LabError::Study { why: format!("figure `{}`: {why}", self.id) };
        match (self.kind, &self.sheet) {
            (Kind::Bars, None) => return Err(wrong("bars need a `sheet`".to_owned())),
            (Kind::Bars, Some(name)) => {
                let Some(sheet) = sheets.iter().find(|sheet| sheet.id == *name) else {
                    return Err(wrong(format!("no sheet is called `{name}`")));
                };
                let has =
                    |name: &String| sheet.columns.iter().any(|it| it.name.to_string() == *name);
                if let Some(name) = self.columns.iter().find(|name| !has(name)) {
                    return Err(wrong(format!("sheet `{}` has no column {name}", sheet.id)));
                }
            }
            (Kind::Flame, None) if self.fact.is_none() => {
                return Err(wrong("a flame graph needs a `fact`".to_owned()));
            }
            (_, Some(_)) => return Err(wrong("only bars have a `sheet`".to_owned())),
            (_, None) if self.series.is_empty() && self.kind != Kind::Flame => {
                return Err(wrong("it needs `series`".to_owned()));
            }
            _ => {}
        }
        let of_rows = !matches!(
            self.show,
            Show::Ratio | Show::Improvement | Show::IvBits | Show::Percent | Show::Count
        );
        if !of_rows {
            return Err(wrong("`show` must be a figure of one row".to_owned()));
        }
        for series in &self.series {
            let pick = series.pick.or(&self.pick);
            pick.operations().map_err(|error| wrong(error.to_string()))?;
        }
        Ok(())
    }
}
