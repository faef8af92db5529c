//! The default study over the real engines, as short as it goes.

use std::path::PathBuf;
use std::time::Duration;

use lab::compare::ratio;
use lab::run::{Options, run};
use lab::stats::Paired;
use lab::study::Study;

fn options() -> Options {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_peers-engine"));
    Options {
        engines: vec!["cipherlane".into(), "rustcrypto".into()],
        samples: 3,
        passes: 1,
        budget: Duration::from_millis(1),
        ..Options::new(program)
    }
}

#[test]
fn the_headline_study_runs_and_every_digest_agrees() {
    let outcome = run(&Study::headline(), &options(), &mut ()).expect("a run");
    assert!(outcome.mismatches.is_empty(), "{:?}", outcome.mismatches);
    let has = |engine: &str, algorithm: &str| {
        let rows = outcome.results.rows.iter();
        rows.filter(|row| row.engine == engine && row.cell.algorithm == algorithm).count()
    };
    assert!(has("cipherlane", "sm4") >= 20 && has("rustcrypto", "sm4") >= 20);
    assert!(has("rustcrypto", "zuc-128") > 0 && has("rustcrypto", "zuc-256") > 0);
    for level in &outcome.results.machine.levels {
        assert!(outcome.results.rows.iter().any(|row| row.cell.level == *level), "{level}");
    }
    for row in &outcome.results.rows {
        let outside = row.flags.iter().any(|flag| flag == "outside the specification");
        let long = row.cell.algorithm == "zuc-256"
            && (row.cell.size > 2500 || row.cell.model == lab::Model::Stream);
        assert_eq!(outside, long, "{row:?}");
    }
}

#[test]
fn an_engine_is_about_as_fast_as_itself() {
    // Loose, for machines that do other things meanwhile: a slip in repeats, sizes or
    // units would be off by far more.
    let options = Options { samples: 21, passes: 3, ..options() };
    let outcome = run(&Study::headline(), &options, &mut ()).expect("a run");
    assert!(!outcome.results.again.is_empty());
    for again in &outcome.results.again {
        let same = |row: &&lab::record::Row| {
            row.engine == again.engine
                && row.cell.level == again.cell.level
                && lab::compare::same_cell(row, again)
        };
        let row = outcome.results.rows.iter().find(same).expect("its twin");
        assert_eq!(row.digest, again.digest);
        let pair = ratio(row, again, Paired::Yes).expect("samples");
        assert!((0.5..2.0).contains(&pair.ratio), "{pair:?}");
    }
}
