//! What the report of every study must show, whatever was measured.

use super::{View, csv, markdown, of, page, terminal};
use crate::claims::{Verdict, judge_on};
use crate::record::{ClaimRecord, Fact, Results, Row};
use crate::report::fixture::results;
use crate::report::terminal::Style;
use crate::study::{Lang, Study};

/// The fixture's rows under the name of a study: some cells have figures, most have not.
fn named(name: &str) -> Results {
    let facts = vec![Fact::figure("key-bits/zuc-128", 128.0), Fact::words("x", "y")];
    Results { study: Some(name.to_owned()), facts, ..results() }
}

/// The studies of publications.
fn studies() -> impl Iterator<Item = (&'static str, Study)> {
    let all = Study::names().into_iter().map(|name| (name, Study::named(name).unwrap()));
    all.filter(|(_, study)| study.published.is_some())
}

#[test]
fn no_cell_is_empty_without_a_reason() {
    for (name, study) in studies() {
        let results = named(name);
        for lang in Lang::ALL {
            let view = View::new(&study, &results, lang).unwrap();
            let groups = view.sheets.iter().flat_map(|it| it.groups.iter().map(move |g| (it, g)));
            for (sheet, group) in groups {
                for line in &group.lines {
                    assert_eq!(line.cells.len(), sheet.views.len(), "{name} {}", sheet.id);
                    for cell in &line.cells {
                        assert!(!cell.text.is_empty(), "{name} {} {}", sheet.id, line.name);
                        assert!(cell.found || !cell.notes.is_empty(), "{name} {}", line.name);
                        let known = |note: &usize| (1..=sheet.notes.len()).contains(note);
                        assert!(cell.notes.iter().all(known), "{name} {}", sheet.id);
                    }
                }
            }
            assert!(view.sheets.iter().all(|it| it.notes.iter().all(|note| !note.is_empty())));
        }
    }
}

#[test]
fn the_page_is_well_formed_in_both_languages() {
    for (name, study) in studies() {
        let results = named(name);
        for (lang, tag) in [(Lang::En, "<html lang=\"en\">"), (Lang::Zh, "<html lang=\"zh-CN\">")] {
            let page = page::render(&study, &results, lang).unwrap();
            assert!(page.contains(tag), "{name}");
            assert!(!page.contains("<script") && !page.contains(" src=") && !page.contains("url("));
            let tree = page
                .replace("<!doctype html>", "")
                .replace("<meta charset=\"utf-8\">", "")
                .replace("initial-scale=1\">", "initial-scale=1\"/>");
            let document = roxmltree::Document::parse(&tree).unwrap();
            let ids: Vec<&str> =
                document.descendants().filter_map(|it| it.attribute("id")).collect();
            let mut once = ids.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), ids.len(), "{name}: two elements have one id");
            for link in document.descendants().filter_map(|it| it.attribute("href")) {
                let target = link.trim_start_matches('#');
                assert!(once.binary_search(&target).is_ok(), "{name}: {link} leads nowhere");
            }
            for sheet in &study.sheets {
                assert!(ids.contains(&sheet.id.as_str()), "{name}: {} is not shown", sheet.id);
            }
            let shown: String = document
                .descendants()
                .filter(|it| it.is_text())
                .filter_map(|it| it.text())
                .collect();
            for told in &study.contradictions {
                let start: String = told.text.of(lang).chars().take(8).collect();
                assert!(shown.contains(&start), "{name}: {start}");
            }
        }
    }
}

#[test]
fn every_form_holds_the_figures_of_the_run() {
    let study = Study::named("zuc-report").unwrap();
    let results = named("zuc-report");
    // The stream of ZUC-128 and of SM4 at the highest level of the fixture.
    let text = terminal::render(&study, &results, Lang::En, Style::default()).unwrap();
    let markdown = markdown::render(&study, &results, Lang::Zh).unwrap();
    let cells = String::from_utf8(csv::render(&study, &results, Lang::En).unwrap()).unwrap();
    for part in ["26.76", "4016", "1200"] {
        for (form, it) in [("text", &text), ("Markdown", &markdown), ("CSV", &cells)] {
            assert!(it.contains(part), "{form} lacks {part}");
        }
    }
    assert!(text.contains("×6.30"), "26.76 by 4.25: {text}");
    assert!(markdown.contains("公布") && markdown.contains("表 3"));
    assert!(cells.contains("/table3/10/stream_cpb"));
    assert!(text.contains("engine `cipherlane-i686` took no part in this run"));
}

#[test]
fn only_a_study_with_tables_has_such_a_report() {
    assert!(of(&results()).is_none());
    assert!(of(&named("headline")).is_none());
    assert!(of(&named("no such study")).is_none());
    assert!(of(&named("zuc-report")).is_some());
}

#[test]
fn the_counts_of_all_verdicts_stand_last_with_the_width_of_the_intervals() {
    let study = Study::named("zuc-report").unwrap();
    let mut results = named("zuc-report");
    results.claims = judge_on(2, &study.claims, &results.rows);
    assert!(!results.claims.is_empty());
    // Verdicts and intervals of one's own: two that hold, one open, one not measured.
    results.claims.truncate(1);
    let one = |verdict: Verdict, interval: Option<[f64; 3]>| ClaimRecord {
        verdict: verdict.name().to_owned(),
        low: interval.map(|it| it[0]),
        ratio: interval.map(|it| it[1]),
        high: interval.map(|it| it[2]),
        ..results.claims[0].clone()
    };
    let claims = vec![
        one(Verdict::Holds, Some([1.0, 1.005, 1.01])),
        one(Verdict::Holds, Some([1.0, 1.02, 1.04])),
        one(Verdict::CantTell, Some([0.5, 1.0, 1.5])),
        one(Verdict::NotMeasured, None),
    ];
    results.claims = claims;
    let text = terminal::render(&study, &results, Lang::En, Style::default()).unwrap();
    let last: Vec<&str> = text.trim_end().lines().rev().take(2).collect();
    assert_eq!(
        last[1],
        "Verdicts: holds 2, holds weaker 0, no longer holds 0, reversed 0, can't tell 1, not \
         measured 1."
    );
    assert!(last[0].starts_with("Median interval width: 4.0 % "), "{}", last[0]);
    assert!(last[0].ends_with("2 of 3 can tell a difference of 3 %."), "{}", last[0]);
    let text = terminal::render(&study, &results, Lang::Zh, Style::default()).unwrap();
    assert!(
        text.contains("判定：成立 2，较弱地成立 0，不再成立 0，相反 0，此处无法判定 1，未测 1。")
    );
    let page = page::render(&study, &results, Lang::En).unwrap();
    assert!(page.contains("<b>0</b> reversed") && page.contains("<b>1</b> can&#x27;t tell"));
    results.claims.clear();
    let text = terminal::render(&study, &results, Lang::En, Style::default()).unwrap();
    assert!(!text.contains("Verdicts:") && !text.contains("Median interval width"));
}

#[test]
fn why_is_told_only_where_the_run_bears_it_out_and_with_the_ratio_it_rests_on() {
    let study = Study::named("jilin-1999").unwrap();
    let rung = |level: &str, ticks: f64| Row {
        engine: "ladder-c-O2".into(),
        algorithm: "rc5".into(),
        operation: "cbc-encrypt".into(),
        level: level.into(),
        default: false,
        model: "stream".into(),
        size: 8192,
        passes: vec![vec![ticks, ticks + 1.0, ticks + 2.0]; 9],
        median_cycles: ticks + 1.0,
        ..results().rows[1].clone()
    };
    let report = |optimised: f64, lang: Lang| {
        let mut results = named("jilin-1999");
        results.rows = vec![rung("loop", 50000.0), rung("optimised", optimised)];
        terminal::render(&study, &results, lang, Style::default()).unwrap()
    };
    let (words, rests) = ("branch prediction takes the jump for nothing", "(it rests on the speed");
    let text = report(50000.0, Lang::En);
    let told = text.lines().find(|line| line.contains(words)).expect("borne out");
    let ratio = "ladder-c-O2 optimised rc5/cbc-encrypt: 1.000, 1.000 to 1.000, where ladder-c-O2 \
                 loop rc5/cbc-encrypt has 1)";
    assert!(told.contains(ratio), "{told}");
    assert_eq!(text.matches(rests).count(), 1, "no other remark has figures in this run");
    assert!(report(50000.0, Lang::Zh).contains("（依据：ladder-c-O2 optimised rc5/cbc-encrypt"));
    // Unrolled code a third faster: the jump wasn't for nothing here.
    let text = report(37500.0, Lang::En);
    assert!(!text.contains(words) && !text.contains(rests));
}
