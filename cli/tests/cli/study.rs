//! Studies by name, and the claims they judge.

use std::fs;
use std::path::Path;

use lab::record::Results;
use predicates::prelude::*;
use predicates::str::contains;

use crate::{cipherlane, stdout};

/// The operations of the study of ZUC, each at two levels and seven sizes.
const ROWS: usize = 6 * 7 * 2;

/// A quick run into a folder, under a cap of levels.
fn quick(out: &Path, cap: &str) -> Results {
    let output = cipherlane(&["study", "zuc-report", "--quick", "--json", "-", "--out"])
        .arg(out)
        .env("CIPHERLANE_LEVEL", cap)
        .assert()
        .success()
        .stderr(contains("report.html").and(contains("Claims at cipherlane portable")))
        .get_output()
        .clone();
    assert_eq!(fs::read(out.join("results.json")).unwrap(), output.stdout);
    lab::report::parse(&output.stdout, "stdout").unwrap()
}

#[test]
fn studies_are_listed_without_a_name() {
    let text = stdout(&["study"]);
    assert!(text.contains("headline") && text.contains("zuc-report   ZUC-256 beside ZUC-128"));
    assert!(text.contains("(8 claims)"), "{text}");
}

#[test]
fn the_claims_about_zuc_are_measured_at_every_size() {
    let dir = tempfile::tempdir().unwrap();
    let levels = levels();
    let best = levels.last().unwrap();
    let results = quick(&dir.path().join("report"), best);
    assert_eq!(results.rows.len(), if best == "portable" { ROWS / 2 } else { ROWS });
    assert!(results.rows.iter().all(|row| row.model == "packet" && row.keys == "fresh"));
    for row in &results.rows {
        let outside = row.flags.iter().any(|flag| flag == "outside the specification");
        assert_eq!(outside, row.algorithm == "zuc-256" && row.size == 9000, "{row:?}");
    }
    // Four sums, and four claims at seven sizes, at each level.
    for level in ["portable", best] {
        let claims: Vec<_> = results.claims.iter().filter(|it| it.level == level).collect();
        assert_eq!(claims.len(), 4 + 4 * 7, "{level}");
        for claim in claims {
            let [low, ratio, high] = [claim.low, claim.ratio, claim.high].map(Option::unwrap);
            assert!(low <= ratio && ratio <= high && 0.05 < low && high < 20.0, "{claim:?}");
            assert!(["holds", "holds weaker", "no longer holds"].contains(&&*claim.verdict));
            let outside = claim.remark.contains("outside the specification: 9000 B");
            assert_eq!(outside, claim.sizes.contains(&9000), "{claim:?}");
        }
    }
    let page = fs::read_to_string(dir.path().join("report/report.html")).unwrap();
    for part in ["0.905", "0.847", "0.738", "What has become of the published claims"] {
        assert!(page.contains(part), "the page lacks {part}");
    }
}

#[test]
fn a_cap_of_levels_is_the_best_level_of_a_study() {
    let dir = tempfile::tempdir().unwrap();
    let results = quick(dir.path(), "portable");
    assert_eq!(results.rows.len(), ROWS / 2);
    assert!(results.rows.iter().all(|row| row.level == "portable"));
    assert!(results.claims.iter().all(|claim| claim.verdict != "not measured"));
}

/// The levels of this machine, lowest first.
fn levels() -> Vec<String> {
    let list: serde_json::Value = serde_json::from_str(&stdout(&["list", "--json"])).unwrap();
    let names = list["levels"].as_array().unwrap().iter();
    names.map(|name| name.as_str().unwrap().to_owned()).collect()
}
