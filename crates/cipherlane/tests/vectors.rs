//! Every published vector at every available level.

use cipherlane::Level;
use vectors::verify;

#[test]
fn every_vector_passes_at_every_level() {
    let files = vectors::all().unwrap();
    let levels: Vec<Level> = Level::available().collect();
    let summary = verify::run(&[], &levels, &files, &mut |_| ());
    let failed: Vec<String> = summary.failed.iter().map(ToString::to_string).collect();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
    assert_eq!(summary.passed, summary.vectors * levels.len());
}

/// A group that is skipped by a slip in the table of names would go unnoticed above.
#[test]
fn no_registered_algorithm_is_without_vectors() {
    let files = vectors::all().unwrap();
    for algorithm in cipherlane::registry::ALGORITHMS {
        let filters = [algorithm.name.parse().unwrap()];
        let plan = verify::Plan::new(&filters, &files);
        assert!(plan.cases(1) > 0, "{} has no vector that runs", algorithm.name);
    }
}
