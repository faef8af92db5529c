//! What the report of every study must show, whatever was measured.

use super::{View, csv, markdown, of, page, terminal};
use crate::claims::{Verdict, judge_on};
use crate::record::{ClaimRecord, Fact, Results, Row};
use crate::report::fixture::results;
use crate::report::terminal::Style;
use crate::study::{Lang, Study};
use crate::{Cell, Model};

/// The fixture's rows under the name of a study: some cells have figures, most have not.
fn named(name: &str) -> Results {
    let facts = vec![Fact::figure("key-bits/zuc-128", 128.0), Fact::words("x", "y")];
    Results { study: Some(name.to_owned()), facts, ..results() }
}

/// The studies with tables: those of publications, and the one that goes on with the first.
fn studies() -> impl Iterator<Item = (&'static str, Study)> {
    let all = Study::names().into_iter().map(|name| (name, Study::named(name).unwrap()));
    all.filter(|(_, study)| !study.sheets.is_empty())
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
    for part in ["26.76", "4016", "1680"] {
        for (form, it) in [("text", &text), ("Markdown", &markdown), ("CSV", &cells)] {
            assert!(it.contains(part), "{form} lacks {part}");
        }
    }
    assert!(text.contains("×4.50"), "26.76 by 4.25 ticks of 1.4 core cycles: {text}");
    assert!(markdown.contains("公布") && markdown.contains("表 3"));
    assert!(cells.contains("/table3/10/stream_cpb"));
    assert!(text.contains("engine `cipherlane-i686` took no part in this run"));
}

#[test]
fn a_study_has_a_line_for_each_conclusion_on_the_screen() {
    let mut lines = 0;
    for name in ["zuc-report", "jilin-1999", "sm4-lab"] {
        let (study, results) = (Study::named(name).unwrap(), named(name));
        for lang in [Lang::En, Lang::Zh] {
            let text = terminal::screen(&study, &results, lang, Style::default()).unwrap();
            for claim in &study.claims {
                let start: String = claim.statement.of(lang).chars().take(12).collect();
                assert!(text.contains(&start), "{name}: {start}");
            }
            assert!(text.lines().count() <= 60, "{name}: {}", text.lines().count());
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= 100, "{name}: {widest}");
            assert!(text.contains("--table"), "{text}");
            lines += if lang == Lang::En { text.lines().count() } else { 0 };
        }
    }
    // And a line of each that says where its page is, behind a blank one.
    assert!(lines + 6 <= 120, "{lines}");
}

#[test]
fn only_a_study_with_tables_has_such_a_report() {
    assert!(of(&results()).is_none());
    assert!(of(&named("headline")).is_none());
    assert!(of(&named("no such study")).is_none());
    assert!(of(&named("zuc-report")).is_some());
    // Nothing of it was published.
    let study = of(&named("air-interface")).unwrap();
    assert!(study.published.is_none() && !study.conclusions.is_empty());
}

#[test]
fn the_counts_of_all_verdicts_stand_last_with_the_width_of_the_intervals() {
    let study = Study::named("zuc-report").unwrap();
    let mut results = named("zuc-report");
    results.claims = judge_on(2, &study.claims, &results.rows, &[]);
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
    assert!(page.contains("reversed 0, can&#x27;t tell 1, not measured 1."));
    results.claims.clear();
    let text = terminal::render(&study, &results, Lang::En, Style::default()).unwrap();
    assert!(!text.contains("Verdicts:") && !text.contains("Median interval width"));
}

#[test]
fn why_is_told_only_where_the_run_bears_it_out_and_with_the_ratio_it_rests_on() {
    let study = Study::named("jilin-1999").unwrap();
    let rung = |level: &str, ticks: f64| Row {
        engine: "ladder-c-O2".into(),
        cell: Cell { level: level.into(), ..Cell::new("rc5", "cbc-encrypt", Model::Stream, 8192) },
        default: false,
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

#[test]
fn every_claim_stands_on_one_card_with_a_verdict_and_two_sentences() {
    for (name, study) in studies() {
        let mut results = named(name);
        results.claims = judge_on(2, &study.claims, &results.rows, &[]);
        for lang in Lang::ALL {
            let view = View::new(&study, &results, lang).unwrap();
            assert!((3..=12).contains(&view.cards.len()), "{name}: {} cards", view.cards.len());
            let mut told: Vec<&str> = Vec::new();
            for card in &view.cards {
                assert!(!card.verdict.is_empty() && card.why.len() == 2, "{name} {}", card.id);
                assert!(card.effect.groups[0].rows.iter().all(|row| !row.name.is_empty()));
                told.extend(card.claims.iter().map(|claim| claim.statement.as_str()));
            }
            assert_eq!(told.len(), study.claims.len(), "{name}: claims on cards");
            let page = page::render(&study, &results, lang).unwrap();
            let list = page.find("class=\"verdicts\"").expect("a list of verdicts");
            assert!(list < page.find("<section class=\"card\"").expect("cards"), "{name}");
        }
    }
}

#[test]
fn a_card_shows_the_effect_beside_what_was_published() {
    let study = Study::named("zuc-report").unwrap();
    let mut results = named("zuc-report");
    let judged = judge_on(2, &study.claims, &results.rows, &[]);
    let of = |name: &str, at: [f64; 3], verdict: Verdict| ClaimRecord {
        engine: "cipherlane".into(),
        level: "avx512".into(),
        low: Some(at[0]),
        ratio: Some(at[1]),
        high: Some(at[2]),
        verdict: verdict.name().into(),
        remark: String::new(),
        ..judged.iter().find(|it| it.name == name).unwrap().clone()
    };
    results.claims = vec![
        of("mac32", [0.98, 0.99, 1.0], Verdict::Gone),
        of("mac64", [0.97, 0.98, 0.99], Verdict::Gone),
        of("mac128", [0.72, 0.73, 0.74], Verdict::Holds),
    ];
    let view = View::new(&study, &results, Lang::En).unwrap();
    let card = view.cards.iter().find(|card| card.id == "mac-speed").unwrap();
    assert_eq!((card.verdict.as_str(), card.class), ("no longer holds 2, holds 1", "gone"));
    let rows = &card.effect.groups[0].rows;
    assert_eq!(rows[0].name, "32-bit tag: no longer holds");
    assert_eq!(rows[0].text, "then 0.91, here 0.990 (0.980 to 1.000)");
    // Published 0.738 and measured 0.73 lie left of 1, close to each other.
    let one = card.effect.one;
    assert!(rows[2].dot.is_some_and(|dot| dot < one) && rows[2].then.is_some_and(|it| it < one));
    assert!(card.why[0].starts_with("No longer holds in 2 of 3: the whole interval lies within"));
    let page = page::render(&study, &results, Lang::Zh).unwrap();
    assert!(page.contains("不再成立 2，成立 1"));
}

#[test]
fn cells_that_the_source_prints_wrongly_say_what_it_prints() {
    for (name, printed) in [
        ("jilin-1999", ["printed: 1331.16;", "原文： 1331.16；"]),
        ("zuc-report", ["printed: 1062 beside", "原文： 1062，同行"]),
    ] {
        let study = Study::named(name).unwrap();
        for (lang, printed) in Lang::ALL.into_iter().zip(printed) {
            let page = page::render(&study, &named(name), lang).unwrap();
            let cell = page.find("class=\"prints\"").expect("a mark");
            assert!(page[cell..].contains(printed), "{name}: {printed}");
            let text = terminal::render(&study, &named(name), lang, Style::default()).unwrap();
            assert!(text.contains(printed), "{name}: {printed}");
        }
    }
}
