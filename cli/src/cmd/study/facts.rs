//! What a study's tables need besides timings.

mod resources;
mod symbols;

use lab::record::Fact;
use lab::study::{Study, published};
use peers::probes::{self, Vector};

use crate::failure::Failure;
use crate::level;
use crate::measure::program;

/// Finds out what the study's cells ask for.
pub(super) fn of(study: &Study, quick: bool) -> Result<Vec<Fact>, Failure> {
    let mut facts = Vec::new();
    if asks(study, "code-bytes/") || asks(study, "key-bits/") {
        facts.extend(resources::facts()?);
    }
    if study.wants.iter().any(|engine| engine.starts_with("ladder-c")) {
        facts.extend(probes::same_code());
    }
    if asks(study, "class-bytes/") {
        facts.extend(probes::class_bytes());
    }
    if asks(study, "mac-words") {
        facts.extend(probes::mac_words());
    }
    if asks(study, "vector/") {
        facts.extend(vector(study).iter().flat_map(probes::vector));
    }
    if asks(study, "profile/") {
        facts.extend(probes::profile(if quick { QUICK_BLOCKS } else { BLOCKS }));
    }
    if asks(study, "own-benchmark/") {
        facts.extend(probes::own_benchmark());
    }
    if asks(study, FLAME) {
        let best = level::chosen(&[])?.last().map_or("portable", |level| level.name());
        facts.extend(probes::flame(&program()?, "sm4", "ecb-encrypt", best));
    }
    Ok(facts)
}

/// The flame graph that can be asked for.
const FLAME: &str = "flame-graph/sm4/ecb-encrypt";

/// The blocks of a gibibyte, which the published profile is about.
const BLOCKS: u64 = 1 << 26;

/// Those of a quick run.
const QUICK_BLOCKS: u64 = 1 << 22;

/// The vector that the publication prints, of its cipher in ECB.
fn vector(study: &Study) -> Option<Vector> {
    let file = published::of(study.published.as_deref()?).ok()?;
    let text = |pointer: &str| Some(file.pointer(pointer)?.as_str()?.to_owned());
    Some(Vector {
        algorithm: text("/registry")?,
        operation: "ecb-encrypt".to_owned(),
        key: text("/correctness_vector/key")?,
        iv: String::new(),
        input: text("/correctness_vector/plaintext")?,
    })
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
