//! Every test of the vectors, published and computed, at every level of this machine.

use cipherlane::Level;
use dialects::verify::File;
use dialects::{Status, find};

/// Rules in words, and tests with what engines store; `data/README.md` says where they are from.
const VECTORS: &str = include_str!("data/dialects.json");

fn file() -> File {
    serde_json::from_str(VECTORS).unwrap()
}

#[test]
fn every_test_comes_out_at_every_level() {
    let (mut tests, mut published, mut ways) = (0, 0, 0);
    let levels: Vec<Level> = Level::available().collect();
    let mut failed = Vec::new();
    for group in file().groups {
        assert!(group.dialect().is_some(), "{}", group.mode);
        for test in &group.tests {
            tests += 1;
            published += usize::from(test.origin == "published");
            for &level in &levels {
                match group.run(test, level) {
                    Ok(more) => ways += more,
                    Err((way, what)) => {
                        failed.push(format!("{} at {}: {way}: {what}", test.id, level.name()));
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!((tests, published), (499, 37));
    // Of 499 tests 60 are about NULL and errors, which have one way.
    assert_eq!(ways, (499 * 2 - 60) * levels.len());
}

#[test]
fn a_row_claims_published_values_if_and_only_if_there_are_such() {
    let groups = file().groups;
    assert_eq!(groups.len(), 16);
    for group in groups {
        let published = group.tests.iter().any(|test| test.origin == "published");
        let claimed = find(&group.mode).unwrap().status() == Status::Published;
        assert_eq!(claimed, published, "{}", group.mode);
    }
}
