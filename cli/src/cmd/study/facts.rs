//! What a study's tables need besides timings.

mod resources;
mod symbols;

use lab::record::Fact;
use lab::study::Study;

use crate::failure::Failure;

/// Finds out what the study's cells ask for.
pub(super) fn of(study: &Study) -> Result<Vec<Fact>, Failure> {
    let mut facts = Vec::new();
    if asks(study, "code-bytes/") || asks(study, "key-bits/") {
        facts.extend(resources::facts()?);
    }
    Ok(facts)
}

/// Whether any cell shows a fact whose name begins so.
fn asks(study: &Study, prefix: &str) -> bool {
    let parts = study.sheets.iter().flat_map(|sheet| {
        let single = sheet.cells.iter().map(|it| &it.part);
        let named = sheet.lines.iter().chain(&sheet.columns).map(|it| &it.part);
        std::iter::once(&sheet.common).chain(named).chain(single)
    });
    parts.filter_map(|part| part.fact.as_deref()).any(|fact| fact.starts_with(prefix))
}
