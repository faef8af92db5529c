//! Every published vector at every available level.

use cipherlane::Level;
use vectors::verify;

#[test]
fn every_vector_passes_at_every_level() {
    let files = vectors::all().unwrap();
    let levels: Vec<Level> = Level::available().collect();
    let mut passed = vec![0; levels.len()];
    let summary = verify::run(&[], &levels, &files, &mut |case| {
        let place = levels.iter().position(|level| *level == case.level);
        passed[place.unwrap()] += usize::from(case.failure.is_none());
    });
    // `cargo xtask bochs` reads it.
    for (level, passed) in levels.iter().zip(&passed) {
        println!("answers at {level}: {passed} vectors");
    }
    let failed: Vec<String> = summary.failed.iter().map(ToString::to_string).collect();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
    assert_eq!(passed, vec![summary.vectors; levels.len()]);
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
