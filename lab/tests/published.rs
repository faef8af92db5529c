//! The claims of a study against the publication they come from.

use std::path::Path;

use lab::study::{Claim, Expects, Rule, Study};
use serde_json::Value;

/// The sizes of table 5 in bytes, and for each row the operation and its times.
type Times = Vec<(String, Vec<(u64, f64)>)>;

fn published() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("published/zuc-report.json");
    serde_json::from_str(&std::fs::read_to_string(file).expect("the file")).expect("JSON")
}

/// Rows of a table of the publication; cells that it leaves empty are left out.
fn times(table: &Value, cells: &str, per_byte: bool) -> Times {
    let size = |label: &Value| {
        let digits = label.as_str().expect("a size").trim_end_matches('B');
        digits.parse::<u64>().ok()
    };
    let sizes: Vec<Option<u64>> =
        table["sizes"].as_array().expect("sizes").iter().map(size).collect();
    let row = |row: &Value| {
        let name = [&row["registry"], &row["operation"]].map(|it| it.as_str().expect("a name"));
        let figures = row[cells].as_array().expect("figures").iter();
        let cells = sizes.iter().zip(figures).filter_map(|(size, figure)| {
            let (size, figure) = ((*size)?, figure.as_f64()?);
            Some((size, if per_byte { figure * size as f64 } else { figure }))
        });
        (name.join("/"), cells.collect())
    };
    table["rows"].as_array().expect("rows").iter().map(row).collect()
}

/// The publication's own ratio for these sizes.
fn ratio(times: &Times, claim: &Claim, sizes: &[u64]) -> Option<f64> {
    let sum = |name: String| {
        let (_, cells) = times.iter().find(|(operation, _)| *operation == name)?;
        let of = |wanted: &u64| cells.iter().find(|(size, _)| size == wanted).map(|cell| cell.1);
        sizes.iter().map(of).sum::<Option<f64>>()
    };
    Some(sum(claim.over.what.clone()?)? / sum(claim.row.what.clone()?)?)
}

fn claims() -> Vec<Claim> {
    Study::named("zuc-claims").expect("a study").claims
}

#[test]
fn every_published_ratio_follows_from_the_published_times() {
    let data = published();
    let encryption = times(&data["table4_cpb"], "cpb", true);
    let macs = times(&data["table5_mac_us"], "us", false);
    let mut checked = 0;
    for claim in claims() {
        let times = if claim.name.starts_with("encryption") { &encryption } else { &macs };
        let mut check = |sizes: &[u64], said: Option<f64>| {
            let found = ratio(times, &claim, sizes);
            match (said, found) {
                (Some(said), Some(found)) => {
                    assert!((said - found).abs() < 0.00052, "{}: {said} {found}", claim.name);
                    checked += 1;
                }
                (None, None) => {}
                pair => panic!("{} {sizes:?}: {pair:?}", claim.name),
            }
        };
        match claim.rule {
            Rule::RatioOfSums => check(&claim.sizes, claim.published(0)),
            Rule::PerSize => claim.sizes.iter().for_each(|&n| check(&[n], claim.published(n))),
        }
    }
    // Four sums, six sizes of table 4, three MACs at seven sizes.
    assert_eq!(checked, 4 + 6 + 21);
}

#[test]
fn the_ratios_of_table_6_are_claimed_as_printed() {
    let data = published();
    let rows = data["table6_mac_speed_ratio_to_zuc128"]["rows"].as_array().expect("rows").clone();
    assert_eq!(rows.len(), 3);
    for row in rows {
        let name = row["operation"].as_str().expect("a name");
        let claim = claims().into_iter().find(|claim| claim.name == name).expect("its claim");
        assert_eq!(claim.published(0), row["ratio"].as_f64(), "{name}");
        assert_eq!((claim.rule, claim.expects), (Rule::RatioOfSums, Expects::Ratio));
        assert_eq!(claim.row.what, Some(format!("zuc-256/{name}")));
        assert_eq!(claim.sizes, [16, 32, 40, 128, 576, 1500, 9000]);
    }
}
