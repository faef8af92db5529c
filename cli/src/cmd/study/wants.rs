//! The engines that a study wants besides those that are here: built where that is possible.

use lab::record::Missing;
use lab::study::Study;

use crate::failure::{Failure, print_note};
use crate::progress::Steps;

/// Builds what is wanted and has not been built; what can't be had comes back with the reason.
pub(super) fn bring(study: &Study) -> Result<Vec<Missing>, Failure> {
    let mut absent = Vec::new();
    for engine in &study.wants {
        if peers::catalogue::how_to_get(engine) == Some("") {
            continue;
        }
        let Some(recipe) = recipes::recipe(engine) else {
            absent.push(missing(engine, "this program has no recipe for it"));
            continue;
        };
        let cache = recipes::folder().map_err(|error| Failure::from(&error))?;
        let mut steps = Steps::new();
        let built = recipes::build(recipe, &cache, false, &mut steps);
        drop(steps);
        if let Err(error) = built {
            let reason = error.to_string();
            print_note(&reason);
            absent.push(missing(engine, &reason));
        }
    }
    Ok(absent)
}

/// An engine of which nothing can be measured.
fn missing(engine: &str, reason: &str) -> Missing {
    let nothing = || "-".to_owned();
    Missing {
        engine: engine.to_owned(),
        algorithm: nothing(),
        operation: nothing(),
        level: nothing(),
        model: nothing(),
        reason: reason.to_owned(),
    }
}
