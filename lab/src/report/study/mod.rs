//! The report of a study: its tables, figures and claims beside what was measured, in either
//! language, as a page, in a terminal, as Markdown and as CSV.

mod cards;
mod claims;
pub mod csv;
mod figures;
pub mod markdown;
pub mod page;
mod sheet;
pub mod terminal;

#[cfg(test)]
mod tests;

use super::ReportError;
use crate::record::Results;
use crate::sheet_join::{JoinedSheet, join};
use crate::study::{Lang, Study};

use super::chart::Chart;
use cards::Card;
use claims::ClaimView;
use sheet::SheetView;

/// The built-in study that a results file is of, if that has tables or figures to show.
#[must_use]
pub fn of(results: &Results) -> Option<Study> {
    let study = Study::named(results.study.as_deref()?).ok()?;
    (!study.sheets.is_empty()).then_some(study)
}

/// Everything a report shows, in one language.
pub(super) struct View<'r> {
    pub(super) results: &'r Results,
    pub(super) lang: Lang,
    pub(super) title: String,
    pub(super) sheets: Vec<SheetView>,
    pub(super) claims: Vec<ClaimView>,
    pub(super) cards: Vec<Card>,
    pub(super) contradictions: Vec<String>,
    joined: Vec<JoinedSheet<'r>>,
    study: &'r Study,
}

impl<'r> View<'r> {
    pub(super) fn new(
        study: &'r Study,
        results: &'r Results,
        lang: Lang,
    ) -> Result<Self, ReportError> {
        let joined = joined(study, results)?;
        Ok(Self {
            results,
            lang,
            title: study.title.of(lang).to_owned(),
            sheets: joined.iter().map(|it| sheet::view(it, lang)).collect(),
            claims: claims::views(study, results, lang),
            cards: cards::cards(study, results, lang),
            contradictions: study
                .contradictions
                .iter()
                .map(|it| it.text.of(lang).to_owned())
                .collect(),
            joined,
            study,
        })
    }

    /// The figures: those of the study in its order, then ours.
    pub(super) fn figures(&self) -> Result<Vec<Chart>, ReportError> {
        figures::all(self.study, &self.joined, self.results, self.lang)
    }
}

fn joined<'s>(study: &'s Study, results: &Results) -> Result<Vec<JoinedSheet<'s>>, ReportError> {
    join(study, results)
        .map_err(|error| ReportError::Render { part: "tables", reason: error.to_string() })
}
