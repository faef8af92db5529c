//! Claims of a study, from its file to results and reports, over engines whose times are known.
#![cfg(unix)]

use std::path::{Path, PathBuf};

use lab::claims::{judge, judge_on};
use lab::record::{ClaimRecord, Results, Row};
use lab::report::{html, terminal};
use lab::run::{Options, run};
use lab::sheet_join::{Measured, join};
use lab::study::{Choice, Study};
use lab::{Cell, LabError};

/// Level `low` of the fake engine needs 400 cycles a message of any length, `high` half.
const STUDY: &str = r#"
title = "Toy"
[[select]]
what = ["toy/ctr", "toy/ecb"]
levels = ["best"]
models = ["message"]
sizes = [16, 32, 48]

[[claim]]
name = "sums"
statement = "ecb is as fast as ctr"
stands = "table 1"
numerator = "toy/ctr"
denominator = "toy/ctr"
model = "message"
sizes = [16, 32]
rule = "ratio-of-sums"
expects = "equal"
published = 0.99

[[claim]]
name = "by size"
statement = "ecb has nine tenths of the speed of ctr"
stands = "table 2"
numerator = "toy/ctr"
denominator = "toy/ctr"
model = "message"
sizes = [16, 48]
rule = "per-size"
expects = "ratio"
published = { 16 = 0.9, 48 = 1.1 }
"#;

fn options() -> Options {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/engine.sh");
    Options {
        engines: vec!["honest".into()],
        samples: 21,
        passes: 3,
        command: "test".to_owned(),
        ..Options::new(program)
    }
}

fn measured(text: &str) -> Results {
    let study = Study::from_toml(text).expect("a study");
    run(&study, &options(), &mut ()).expect("a run").results
}

fn verdicts(claims: &[ClaimRecord]) -> Vec<(&str, &str, &[u64], &str)> {
    claims
        .iter()
        .map(|it| (it.name.as_str(), it.level.as_str(), it.sizes.as_slice(), it.verdict.as_str()))
        .collect()
}

#[test]
fn a_run_judges_its_claims() {
    let results = measured(STUDY);
    // The engine's best level of ctr; ecb has none but its own.
    assert!(results.rows.iter().all(|row| row.cell.level == "high" || row.cell.operation == "ecb"));
    assert_eq!(
        verdicts(&results.claims),
        [
            ("sums", "high", [16, 32].as_slice(), "holds"),
            ("by size", "high", &[16], "no longer holds"),
            ("by size", "high", &[48], "no longer holds"),
        ]
    );
    let sums = &results.claims[0];
    assert_eq!((sums.ratio, sums.published), (Some(1.0), Some(0.99)));
    assert_eq!((sums.engine.as_str(), sums.remark.as_str()), ("honest", ""));
}

#[test]
fn the_results_file_keeps_the_claims_and_fits_its_schema() {
    let results = measured(STUDY);
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("results.schema.json");
    let schema = serde_json::from_str(&std::fs::read_to_string(file).expect("the schema"));
    let schema = jsonschema::validator_for(&schema.expect("JSON")).expect("a schema");
    let text = results.to_json();
    let mut value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(schema.is_valid(&value), "{:?}", schema.iter_errors(&value).next());
    assert_eq!(Results::from_json("x", &text).expect("it reads its own").claims, results.claims);
    value["claims"][0]["verdict"] = "perhaps".into();
    assert!(!schema.is_valid(&value));
    value["claims"] = serde_json::Value::Null;
    assert!(!schema.is_valid(&value));
    value.as_object_mut().expect("an object").remove("claims");
    assert!(schema.is_valid(&value), "older files have no claims");
}

#[test]
fn reports_show_published_measured_interval_and_verdict() {
    let results = measured(STUDY);
    let text = terminal::render(&results, terminal::Style::default());
    let page = html::page(&results).expect("a page");
    for part in [
        "ecb is as fast as ctr (table 1)",
        "speed of toy/ctr where toy/ctr has 1, messages with the key ready",
        "0.990",
        "1.000",
        "no longer holds",
        "Claims at honest high: ratio of sums, holds: 1, holds weaker: 0, no longer holds: 0, \
         reversed: 0, can't tell: 0; per size, holds: 0, holds weaker: 0, no longer holds: 2, \
         reversed: 0, can't tell: 0.",
    ] {
        assert!(text.contains(part), "terminal lacks {part}: {text}");
        assert!(
            page.contains(&part.replace('/', "&#x2f;").replace('\'', "&#x27;")),
            "page lacks {part}"
        );
    }
    let without = Results { claims: Vec::new(), ..results };
    assert!(!terminal::render(&without, terminal::Style::default()).contains("Claim"));
    assert!(!html::page(&without).expect("a page").contains("h-claims"));
}

/// The rows of a run, one of each operation and size, with times and flags of one's own.
fn rows(cost: impl Fn(&str, u64) -> f64) -> Vec<Row> {
    let template = measured(STUDY).rows.remove(0);
    let mut rows = Vec::new();
    for operation in ["ctr", "ecb"] {
        for size in [16, 32, 48] {
            let median = cost(operation, size);
            let pass: Vec<f64> = (0..21).map(|i| median * (0.99 + 0.001 * f64::from(i))).collect();
            let flags = if size == 48 { vec!["outside the specification".into()] } else { vec![] };
            rows.push(Row {
                cell: Cell { operation: operation.into(), size, ..template.cell.clone() },
                passes: vec![pass; 3],
                flags,
                ..template.clone()
            });
        }
    }
    rows
}

fn of_two(text: &str) -> Study {
    Study::from_toml(&text.replace("denominator = \"toy/ctr\"", "denominator = \"toy/ecb\""))
        .expect("a study")
}

#[test]
fn a_ratio_of_sums_is_not_a_mean_and_flags_are_told() {
    // ctr 16 + 48 cycles, ecb 40 + 24: the sums agree, and no size does.
    let study = of_two(&STUDY.replace("sizes = [16, 32]\nrule", "sizes = [16, 48]\nrule"));
    let cost = |operation: &str, size: u64| match (operation, size) {
        ("ctr", size) => size as f64,
        (_, 16) => 40.0,
        _ => 24.0,
    };
    let claims = judge(&study.claims, &rows(cost), &[]);
    let ratios: Vec<Option<f64>> = claims.iter().map(|claim| claim.ratio).collect();
    assert_eq!(ratios, [Some(1.0), Some(0.4), Some(2.0)]);
    assert_eq!(claims[0].verdict, "holds");
    assert_eq!(claims[0].remark, "outside the specification: 48 B");
    assert_eq!(claims[1].verdict, "holds");
    assert_eq!(claims[1].remark, "the difference is larger than published");
    assert!(claims[2].remark.contains("larger") && claims[2].remark.contains("48 B"));
}

#[test]
fn a_smaller_difference_holds_weaker() {
    let study = of_two(STUDY);
    let cost =
        |operation: &str, size: u64| size as f64 * if operation == "ctr" { 0.95 } else { 1.0 };
    let claims = judge(&study.claims, &rows(cost), &[]);
    assert_eq!((claims[1].verdict.as_str(), claims[1].ratio), ("holds weaker", Some(0.95)));
    let (low, high) = (claims[1].low.expect("measured"), claims[1].high.expect("measured"));
    assert!(0.93 < low && low < 0.95 && 0.95 < high && high < 0.97, "{low} {high}");
    assert_eq!(claims[2].verdict, "reversed", "1.1 was published");
}

#[test]
fn a_claim_about_more_cpus_than_there_are_is_refused() {
    let study = of_two(&STUDY.replace("0.99\n", "0.99\ncpus = 16\n"));
    let rows = rows(|_, size| size as f64);
    let few = judge_on(15, &study.claims, &rows, &[]);
    assert_eq!((few[0].verdict.as_str(), few[0].ratio), ("not measured", None));
    assert_eq!(few[0].remark, "needs 16 CPUs; this machine has 15");
    assert_eq!(few[1].verdict, "no longer holds", "it names no CPUs");
    assert_eq!(judge_on(16, &study.claims, &rows, &[])[0].verdict, "holds");
}

#[test]
fn a_cell_without_a_figure_is_named() {
    let study = of_two(STUDY);
    let mut rows = rows(|_, size| size as f64);
    rows.retain(|row| row.cell.operation == "ctr" || row.cell.size != 16);
    let claims = judge(&study.claims, &rows, &[]);
    assert_eq!(claims[0].verdict, "not measured");
    assert_eq!(claims[0].remark, "toy/ecb message 16 B has no figure");
    assert_eq!((claims[0].ratio, claims[2].verdict.as_str()), (None, "no longer holds"));
    // A row of another clock is no match.
    rows.iter_mut()
        .filter(|row| row.cell.operation == "ecb")
        .for_each(|row| row.clock = "wall".into());
    assert!(judge(&study.claims, &rows, &[]).iter().all(|claim| claim.verdict == "not measured"));
    let nothing = judge(&study.claims, &[], &[]);
    assert_eq!((nothing.len(), nothing[0].engine.as_str()), (3, "-"));
}

#[test]
fn slightly_slower_has_a_bound() {
    let text = STUDY.replace("\"equal\"\npublished = 0.99", "\"slower\"\nat_least = 0.8");
    let study = of_two(&text);
    let judged = |speed: f64| {
        let cost = |operation: &str, _| if operation == "ctr" { 100.0 } else { 100.0 / speed };
        judge(&study.claims, &rows(cost), &[]).remove(0)
    };
    let slightly = judged(0.9);
    assert_eq!((slightly.verdict.as_str(), slightly.at_least), ("holds", Some(0.8)));
    let third = judged(0.33);
    assert_eq!(third.verdict, "holds weaker");
    assert!(third.remark.starts_with("slightly is said of ratios from 0.8 on"), "{third:?}");
}

#[test]
fn a_level_with_one_side_alone_is_passed_over_where_another_has_both() {
    let study = of_two(STUDY);
    let mut rows = rows(|_, size| size as f64);
    let alone: Vec<Row> = rows.iter().filter(|row| row.cell.operation == "ecb").cloned().collect();
    rows.extend(
        alone
            .into_iter()
            .map(|row| Row { cell: Cell { level: "other".into(), ..row.cell }, ..row }),
    );
    let claims = judge(&study.claims, &rows, &[]);
    assert!(claims.iter().all(|claim| claim.level != "other"), "{:?}", verdicts(&claims));
    // Of an engine that has no level with both it is told.
    rows.retain(|row| row.cell.operation == "ecb");
    let claims = judge(&study.claims, &rows, &[]);
    assert!(claims.iter().any(|claim| claim.level == "other" && claim.ratio.is_none()));
}

#[test]
fn a_choice_that_leaves_a_claim_without_cells_is_told() {
    let mut study = Study::from_toml(STUDY).expect("a study");
    study.choose(Choice { sizes: Some(vec![32]), ..Choice::default() }).expect("sizes");
    let results = run(&study, &options(), &mut ()).expect("a run").results;
    assert!(results.claims.iter().all(|claim| claim.verdict == "not measured"));
    assert_eq!(results.claims[0].remark, "toy/ctr message 16 B has no figure");
}

#[test]
fn best_can_be_given_a_name() {
    let mut study = Study::from_toml(STUDY).expect("a study");
    study.best("low");
    let results = run(&study, &options(), &mut ()).expect("a run").results;
    assert!(results.rows.iter().any(|row| row.cell.level == "low"));
    assert!(results.rows.iter().all(|row| row.cell.level != "high"));
    study.best("lower");
    assert_eq!(study.selections[0].levels.as_deref(), Some(["low".to_owned()].as_slice()));
}

#[test]
fn an_unknown_study_is_refused_with_the_known_ones() {
    let error = Study::named("zuc").expect_err("unknown");
    assert!(matches!(error, LabError::Value { field: "study", .. }), "{error}");
    assert!(error.to_string().contains("headline, zuc-report"), "{error}");
}

/// Two passes over one message: of a study whose second operation is a copy of the first under
/// another name.
#[test]
fn a_second_operation_adds_its_time_and_no_bytes() {
    let study = r#"
title = "Toy"
[[select]]
what = ["toy/ctr", "toy/mac"]
levels = ["high"]
models = ["message"]
sizes = [16, 32]

[[claim]]
name = "both"
statement = "one pass is faster than two"
over = { what = "toy/ctr", and = "toy/mac" }
row = { what = "toy/ctr" }
model = "message"
sizes = [16, 32]
rule = "ratio-of-sums"
expects = "faster"

[[claim]]
name = "of a mix"
statement = "it was measured with equal lengths"
over = { what = "toy/ctr", mix = "imix" }
row = { what = "toy/ctr", mix = "imix" }
model = "message"
sizes = [16]
rule = "per-size"
expects = "equal"

[[sheet]]
id = "both"
title = "Both"
pick = { engine = "honest", model = "message", size = 16 }
column = [
    { name = "cycles", show = "cycles" },
    { name = "cores", show = "cores-for-20-gbps" },
]
line = [
    { name = "one", pick = { what = "toy/ctr" } },
    { name = "two", pick = { what = "toy/ctr", and = "toy/mac" } },
    { name = "none", pick = { what = "toy/ctr", and = "toy/none" } },
]
"#;
    let (before, rest) = study.split_once("[[claim]]\nname = \"of a mix\"").expect("it is there");
    let (_, after) = rest.split_once("[[sheet]]").expect("it is there");
    let error = Study::from_toml(study).expect_err("no selection has the mix").to_string();
    assert!(error.contains("no [[select]] measures toy/ctr"), "{error}");
    let study = Study::from_toml(&format!("{before}[[sheet]]{after}")).expect("a study");

    let mut results = measured(&STUDY.replace("[\"best\"]", "[\"high\"]"));
    let copies: Vec<Row> =
        results.rows.iter().filter(|row| row.cell.operation == "ctr").cloned().collect();
    results.rows.extend(copies.into_iter().map(|mut row| {
        row.cell.operation = "mac".to_owned();
        row
    }));
    let records = judge(&study.claims, &results.rows, &[]);
    assert_eq!(verdicts(&records), [("both", "high", [16, 32].as_slice(), "holds")]);
    assert_eq!(records[0].ratio, Some(2.0));
    assert_eq!(records[0].numerator, "toy/ctr and toy/mac");
    let mut without = results.rows.clone();
    without.retain(|row| row.cell.operation != "mac");
    assert_eq!(judge(&study.claims, &without, &[])[0].verdict, "not measured");

    let sheets = join(&study, &results).expect("sheets");
    let value = |line: usize, column: usize| {
        let cell = sheets[0].cells.iter().find(|it| (it.line, it.column) == (line, column));
        match cell.expect("it is there").measured[0] {
            Measured::Figure { value, .. } => Some(value),
            _ => None,
        }
    };
    for column in [0, 1] {
        let [one, two] = [0, 1].map(|line| value(line, column).expect("a figure"));
        assert!((two / one - 2.0).abs() < 1e-9, "{one} {two}");
        assert_eq!(value(2, column), None, "half of it would be a lie");
    }
    let ns = results.rows.iter().find(|it| it.cell.operation == "ctr" && it.cell.size == 16);
    let cores = 20.0 * ns.expect("it is there").ns / (8.0 * 16.0);
    assert!((value(0, 1).expect("a figure") - cores).abs() < 1e-9);
}
