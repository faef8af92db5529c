//! The claims of a study against the publication they come from.

use lab::study::{Claim, Divisor, Expects, Rule, Selection, Study, published};
use serde_json::Value;

/// The sizes of table 5 in bytes, and for each row the operation and its times.
type Times = Vec<(String, Vec<(u64, f64)>)>;

fn data() -> Value {
    published::of("zuc-report").expect("the file")
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

/// The claims whose published ratios are those of tables 4 and 5.
fn claims() -> Vec<Claim> {
    let claims = Study::named("zuc-report").expect("a study").claims;
    let of_tables =
        |claim: &Claim| claim.name.starts_with("encryption") || claim.name.starts_with("mac");
    claims.into_iter().filter(of_tables).collect()
}

#[test]
fn every_published_ratio_follows_from_the_published_times() {
    let data = data();
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
            Rule::Facts | Rule::Samples => {}
        }
    }
    // Four sums and three of MACs in C, six sizes of table 4, three MACs at seven sizes.
    assert_eq!(checked, 4 + 3 + 6 + 21);
}

#[test]
fn the_ratios_of_table_6_are_claimed_as_printed() {
    let data = data();
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

/// A study of a publication: how many tables and figures that numbers, and how many claims
/// are judged at least.
const STUDIES: [(&str, &[u32], &[u32], usize); 3] = [
    ("zuc-report", &[1, 2, 3, 4, 5, 6], &[1], 13),
    ("jilin-1999", &[1, 2, 3, 4, 5, 6], &[], 40),
    ("sm4-lab", &[], &[3, 4, 5, 6, 7, 8, 9], 14),
];

#[test]
fn every_published_cell_has_a_measured_row_or_a_reason() {
    for (name, tables, figures, claims) in STUDIES {
        let study = Study::named(name).expect(name);
        let file = published::of(study.published.as_deref().expect(name)).expect(name);
        let mut bound = std::collections::BTreeSet::new();
        let mut cells = 0;
        for sheet in &study.sheets {
            for why in sheet.whys() {
                for pick in [&why.pick, &why.over] {
                    let model = pick.model.expect("a remark names its model");
                    let measured = |it: &Selection| it.measures(pick, model, pick.lengths()[0]);
                    assert!(study.selections.iter().any(measured), "{name}: {}", pick.label());
                }
            }
            for (line, column) in
                sheet.lines.iter().flat_map(|line| sheet.columns.iter().map(move |it| (line, it)))
            {
                for view in sheet.views(&study.views) {
                    let cell = sheet.bound(line, column, &view);
                    for pick in cell.picks() {
                        let model = pick.model.expect("a cell names its model");
                        for length in pick.lengths() {
                            let measured = |it: &Selection| it.measures(pick, model, length);
                            assert!(
                                study.selections.iter().any(measured),
                                "{name} {}: no [[select]] measures {} {model} {length} B",
                                sheet.id,
                                pick.label(),
                            );
                        }
                    }
                    cells += 1;
                    bound.extend(cell.pointer);
                }
            }
        }
        for pointer in published::cells(&file) {
            assert!(bound.contains(&pointer), "{name}: no sheet shows {pointer}");
        }
        let numbers = |list: &mut Vec<u32>| {
            list.sort_unstable();
            list.dedup();
        };
        let mut of_tables: Vec<u32> = study.sheets.iter().filter_map(|it| it.table).collect();
        let mut of_figures: Vec<u32> = study.figures.iter().filter_map(|it| it.number).collect();
        numbers(&mut of_tables);
        numbers(&mut of_figures);
        assert_eq!((of_tables.as_slice(), of_figures.as_slice()), (tables, figures), "{name}");
        assert!(study.claims.len() >= claims, "{name}: {} claims", study.claims.len());
        println!(
            "{name}: {} tables, {} figures, {} claims; {} published cells in {cells} cells",
            of_tables.len(),
            of_figures.len(),
            study.claims.len(),
            published::cells(&file).len(),
        );
    }
}

#[test]
fn every_published_contradiction_is_told() {
    for (name, ..) in STUDIES {
        let study = Study::named(name).expect(name);
        let file = published::of(study.published.as_deref().expect(name)).expect(name);
        for told in &study.contradictions {
            if let Some(pointer) = &told.published {
                assert!(file.pointer(pointer).is_some(), "{name}: {pointer} leads nowhere");
            }
        }
        if let Some(list) = file["contradictions_in_the_source"].as_array() {
            assert_eq!(study.contradictions.len(), list.len(), "{name}");
        }
        assert!(!study.contradictions.is_empty(), "{name}");
    }
}

#[test]
fn the_share_of_tau_and_the_words_are_those_printed() {
    let file = published::of("sm4-lab").expect("the file");
    let seconds = |place: usize| file["profile_O0_gprof"][place]["self_seconds"].as_f64();
    let ratio = seconds(0).expect("tau") / seconds(1).expect("SM4_encrypt");
    let claim = |study: &str, name: &str| {
        let claims = Study::named(study).expect("a study").claims;
        claims.into_iter().find(|claim| claim.name == name).expect(name)
    };
    let said = claim("sm4-lab", "tau's share").published(0).expect("a ratio");
    assert!((ratio - said).abs() < 0.05, "{said} {ratio}");
    let file = data();
    for (name, operation) in
        [("two words more, counted", "mac64"), ("six words more, counted", "mac128")]
    {
        let printed = file["mac_words_more"][operation].as_f64().expect(operation);
        let by = claim("zuc-report", name).facts.expect(name).by;
        assert_eq!(by, Divisor::Number(printed), "{name}");
    }
}

#[test]
fn the_ratios_of_the_laboratory_follow_from_its_seconds() {
    let file = published::of("sm4-lab").expect("the file");
    let number = |pointer: &str| file.pointer(pointer).and_then(Value::as_f64).expect(pointer);
    let seconds = |name: &str| number(&format!("/seconds_per_gigabyte/{name}"));
    let tables_16 = seconds("O1/baseline") / number("/speedups_O1/tables_16_threads_over_baseline");
    let claims = Study::named("sm4-lab").expect("a study").claims;
    for (name, ratio, digits) in [
        // The study rounds its factors down to a tenth.
        ("tables O1", seconds("O1/baseline") / seconds("O1/tables"), 0.1),
        ("gathers O1", seconds("O1/baseline") / seconds("O1/simd_tables_avx2_gather"), 0.1),
        (
            "gathers over tables O1",
            seconds("O1/tables") / seconds("O1/simd_tables_avx2_gather"),
            0.1,
        ),
        ("gathers O0", seconds("O0/tables") / seconds("O0/simd_tables_avx2_gather"), 0.0005),
        ("gathers O0, clang", seconds("O0/tables") / seconds("O0/simd_tables_avx2_gather"), 0.0005),
        ("advantage of SIMD", tables_16 / seconds("O1/many_threads_simd_tables"), 0.0005),
    ] {
        let claim = claims.iter().find(|claim| claim.name == name).expect(name);
        let said = claim.published(claim.sizes[0]).expect(name);
        assert!((ratio - said).abs() < digits, "{name}: {said} {ratio}");
    }
}
