//! What was asked for and could not be measured, gathered by reason.

use serde::Serialize;

use super::zh;
use crate::record::Results;
use crate::study::Lang;

/// Cells that are missing for one reason.
#[derive(Debug, Serialize)]
pub(super) struct Gap {
    /// The engine.
    pub(super) engine: String,
    /// The cells: `"sm4/ctr (message, stream)"`.
    pub(super) cells: Vec<String>,
    /// Why.
    pub(super) reason: String,
}

/// The gaps in the order of their first cell.
pub(super) fn gaps(results: &Results, lang: Lang) -> Vec<Gap> {
    struct Cells {
        place: String,
        models: Vec<String>,
    }
    let mut gathered: Vec<(&str, &str, Vec<Cells>)> = Vec::new();
    for cell in &results.missing {
        let mut place = format!("{}/{}", cell.algorithm, cell.operation);
        if cell.level != "-" && !cell.level.is_empty() {
            place = format!("{place} at {}", cell.level);
        }
        let known = |(engine, reason, _): &&mut (&str, &str, Vec<Cells>)| {
            *engine == cell.engine && *reason == cell.reason
        };
        let gap = match gathered.iter_mut().find(known) {
            Some(gap) => gap,
            None => {
                gathered.push((&cell.engine, &cell.reason, Vec::new()));
                let last = gathered.len() - 1;
                &mut gathered[last]
            }
        };
        match gap.2.iter_mut().find(|cells| cells.place == place) {
            Some(cells) if cells.models.contains(&cell.model) => {}
            Some(cells) => cells.models.push(cell.model.clone()),
            None => gap.2.push(Cells { place, models: vec![cell.model.clone()] }),
        }
    }
    gathered
        .into_iter()
        .map(|(engine, reason, cells)| Gap {
            engine: engine.to_owned(),
            reason: match lang {
                Lang::En => reason.to_owned(),
                Lang::Zh => zh::told(reason),
            },
            cells: cells
                .into_iter()
                .map(|cells| format!("{} ({})", cells.place, cells.models.join(", ")))
                .collect(),
        })
        .collect()
}
