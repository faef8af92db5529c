//! What every report must show, whatever the results.

use std::collections::BTreeSet;
use std::fs;

use super::fixture::{CORE, LEVELS, SIZES, results};
use super::table::{Cell, Column};
use super::{
    ReportError, chart, csv, headline, html, json, parse, read, size_label, table, terminal,
    write_all,
};
use crate::record::FloorRecord;

fn page() -> String {
    html::page(&results()).unwrap()
}

/// The page as a tree; the few tags that HTML leaves open are closed first.
fn tree(page: &str) -> String {
    page.replace("<!doctype html>", "")
        .replace("<meta charset=\"utf-8\">", "")
        .replace("initial-scale=1\">", "initial-scale=1\"/>")
        .replace("<br>", "<br/>")
}

#[test]
fn every_engine_level_and_size_stands_in_every_report() {
    let page = page();
    let text = terminal::render(&results(), terminal::Style::default());
    for name in LEVELS.into_iter().chain(["cipherlane", "sm4", "zuc-128", "ctr", "keystream"]) {
        assert!(page.contains(name), "page lacks {name}");
        assert!(text.contains(name), "terminal lacks {name}");
    }
    for size in SIZES.map(size_label) {
        assert!(page.contains(&format!(">{size}<")), "page lacks {size}");
        assert!(text.contains(&size), "terminal lacks {size}");
    }
    // Of 0.67, 28.4, 310, 1200 and 4.25 ticks, each of 1.4 core cycles.
    for figure in ["0.94", "39.76", "434", "1680", "5.95"] {
        assert!(page.contains(figure) && text.contains(figure), "{figure}");
    }
}

#[test]
fn a_cell_has_a_figure_or_a_reason() {
    let blocks = table::blocks(&results());
    let sm4 = &blocks[0];
    assert_eq!(
        sm4.columns,
        [Column::Key, Column::Stream, Column::Mbps]
            .into_iter()
            .chain(SIZES.map(Column::Size))
            .collect::<Vec<_>>()
    );
    let peer = sm4.lines.iter().find(|line| line.engine.starts_with("rusty")).unwrap();
    let Cell::Missing(note) = peer.cells[0] else { panic!("{:?}", peer.cells[0]) };
    assert_eq!(sm4.notes[note], "no key schedule <of its own>");
    assert!(matches!(peer.cells[1], Cell::NotAsked));
    assert!(matches!(peer.cells[2], Cell::Figure { .. }), "speed of the longest message");
    for block in &blocks {
        for line in &block.lines {
            assert_eq!(line.cells.len(), block.columns.len());
        }
    }
    assert!(page().contains("not part of this study"));
}

#[test]
fn every_row_stands_in_the_table() {
    let mut results = results();
    // The same cell twice, and a second stream length: neither may vanish.
    let mut twin = results.rows[2].clone();
    twin.passes = vec![vec![77.77 / CORE * twin.cell.size as f64; 3]; 3];
    results.rows.push(twin);
    let mut stream = results.rows[1].clone();
    stream.cell.size = 1 << 30;
    stream.passes = vec![vec![88.88 / CORE * stream.cell.size as f64; 3]; 3];
    results.rows.push(stream);
    let text = terminal::render(&results, terminal::Style::default());
    assert!(text.contains("77.77") && text.contains("88.88") && text.contains("stream of 1 GiB"));
}

#[test]
fn the_page_is_well_formed_and_self_contained() {
    let page = page();
    let tree = tree(&page);
    let document = roxmltree::Document::parse(&tree).unwrap();
    let mut ids = BTreeSet::new();
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            assert!(ids.insert(id.to_owned()), "two elements are called {id}");
        }
        assert_ne!(node.tag_name().name(), "script");
        assert_ne!(node.tag_name().name(), "link");
    }
    for node in document.descendants() {
        if let Some(target) = node.attribute("href") {
            assert!(ids.contains(target.trim_start_matches('#')), "{target} leads nowhere");
        }
    }
    assert!(!page.contains("url(") && !page.contains("@import") && !page.contains(" src="));
    assert!(page.contains("<html lang=\"en\">") && page.contains("<title>Cipherlane"));
}

#[test]
fn floors_stand_on_the_page_where_there_are_any() {
    let mut results = results();
    assert!(!page().contains("How near the floor"));
    results.floors.push(FloorRecord {
        operation: "sm4/ctr".into(),
        level: "avx512".into(),
        what: "long".into(),
        bytes: 65536,
        measured: 0.7544,
        floor: 0.4126,
        percent: 54.7,
        bound: "throughput".into(),
        binds: "xor: 4 <units>".into(),
    });
    let page = html::page(&results).unwrap();
    for text in ["How near the floor", "0.754", "0.413", ">55<", "xor: 4 &lt;units&gt;"] {
        assert!(page.contains(text), "{text}");
    }
    roxmltree::Document::parse(&tree(&page)).unwrap();
    let again = parse(&json(&results).unwrap(), "results.json").unwrap();
    assert_eq!(again.floors, results.floors);
}

#[test]
fn text_from_the_file_is_escaped() {
    let page = page();
    assert!(!page.contains("rusty<&") && !page.contains("<neighbour>"));
    assert!(page.contains("rusty&lt;&amp;&quot;engine&quot;&gt;"));
    assert!(page.contains("Test CPU &lt;3"));
    let mut results = results();
    results.machine.cpu = "evil\x1b[31m".into();
    assert!(!terminal::render(&results, terminal::Style::default()).contains('\x1b'));
}

#[test]
fn flags_are_footnotes() {
    let text = terminal::render(&results(), terminal::Style::default());
    assert!(text.contains("12.61¹˒²"), "{text}");
    assert!(text.contains(" ¹ canary: the machine was disturbed"));
    assert!(page().contains("canary: the machine was disturbed"));
}

#[test]
fn a_flag_of_all_figures_is_said_once() {
    let mut results = results();
    for row in &mut results.rows {
        row.flags.push("quick".into());
    }
    let block = &table::blocks(&results)[0];
    assert!(block.remarks[0].starts_with("quick"));
    assert!(!block.notes.iter().any(|note| note.starts_with("quick")));
}

#[test]
fn tables_are_split_to_the_width_of_the_terminal() {
    let style = terminal::Style { width: Some(64), color: false };
    let text = terminal::render(&results(), style);
    for line in text.lines() {
        assert!(line.chars().count() <= 64, "{line:?}");
    }
    for size in SIZES.map(size_label) {
        assert!(text.contains(&size));
    }
}

#[test]
fn colour_is_used_only_where_it_is_wanted() {
    let plain = terminal::render(&results(), terminal::Style { width: None, color: false });
    assert!(!plain.contains('\x1b'));
    let colored = terminal::render(&results(), terminal::Style { width: None, color: true });
    assert!(colored.contains('\x1b'));
}

#[test]
fn the_headline_gives_the_measured_ratios() {
    let sentences = headline(&results());
    // 28.4 / 0.67 and 9.01 / 0.67 at 8 KiB.
    assert_eq!(
        sentences[0],
        "sm4/ctr with cipherlane at level avx512, which a caller gets: 0.94 core cycles per byte (8 KiB \
         messages, key ready), 42.4 times as fast as rusty<&\"engine\"> and 13.4 times as fast as its own \
         portable level."
    );
    assert!(sentences[1].contains("1.00 times as fast as rusty"));
    assert!(sentences[1].starts_with("zuc-128/keystream with cipherlane at level portable: "));
}

#[test]
fn the_headline_is_of_the_level_that_a_caller_gets_though_another_be_faster() {
    let mut results = results();
    results.machine.default_level = Some("avx2-gfni".into());
    for row in &mut results.rows {
        row.default = row.engine == "cipherlane" && row.cell.level == "avx2-gfni";
    }
    // 1.51 against 0.67.
    let sentence = headline(&results).remove(0);
    assert!(
        sentence.contains("at level avx2-gfni, which a caller gets: 2.11 core cycles per byte")
    );
    assert!(sentence.contains(" 18.8 times as fast as rusty"), "{sentence}");
    assert!(sentence.ends_with("level. Level avx512 is 2.25 times as fast as that here."));

    // A file of which no row says so has the words of its machine card; without them, the
    // highest level.
    results.rows.iter_mut().for_each(|row| row.default = false);
    assert_eq!(headline(&results)[0], sentence);
    results.machine.default_level = None;
    assert!(headline(&results)[0].contains("at level avx512, which a caller gets: 0.94"));
    assert!(!headline(&results)[0].contains("as that here"));

    // A tie is no other level's lead.
    results.machine.default_level = Some("avx2-gfni".into());
    for row in results.rows.iter_mut().filter(|row| row.cell.level == "avx2-gfni") {
        row.passes = vec![vec![5600.0, 5605.0, 5610.0]; 3];
        row.median_cycles = 5605.0;
    }
    let same = vec![vec![5500.0, 5505.0, 5510.0]; 3];
    for row in results.rows.iter_mut().filter(|row| row.cell.level == "avx512") {
        (row.passes, row.median_cycles) = (same.clone(), 5505.0);
    }
    assert!(!headline(&results)[0].contains("as that here"), "{}", headline(&results)[0]);
}

#[test]
fn charts_are_svg_with_a_description_and_the_colours_of_the_page() {
    let charts = chart::sizes(&results(), crate::study::Lang::En).unwrap();
    assert_eq!(charts.len(), 2);
    for chart in charts {
        let svg = roxmltree::Document::parse(&chart.svg).unwrap();
        let child = |name: &str| {
            let found = svg.root_element().children().find(|node| node.tag_name().name() == name);
            found.and_then(|node| node.text()).unwrap_or_default().to_owned()
        };
        assert_eq!(child("title"), chart.title);
        assert_eq!(child("desc"), chart.description);
        assert_eq!(svg.root_element().attribute("role"), Some("img"));
        let texts: String = svg.descendants().filter_map(|node| node.text()).collect();
        assert!(texts.contains("rusty<&\"engine\">"), "{texts}");
        // On a dark page ink is light: no colour is fixed but as what stands in for the page's.
        for attribute in svg.descendants().flat_map(|node| node.attributes()) {
            let fixed = attribute.value().starts_with('#');
            assert!(!fixed, "{} is {}", attribute.name(), attribute.value());
        }
    }
}

#[test]
fn bars_are_sorted_by_speed_and_tell_the_default_level_from_the_others() {
    let charts = chart::levels(&results());
    assert_eq!(charts.len(), 2);
    let names: Vec<(&str, &str)> =
        charts[0].bars.iter().map(|bar| (bar.name.as_str(), bar.class)).collect();
    assert_eq!(
        names,
        [
            ("cipherlane avx512", "own"),
            ("cipherlane avx2-gfni", "level"),
            ("cipherlane portable", "level"),
            ("rusty<&\"engine\">", "peer"),
        ]
    );
    for bar in charts.iter().flat_map(|chart| &chart.bars) {
        assert!(bar.from + bar.span <= 100.01 && bar.long <= 100.0, "{bar:?}");
    }
}

#[test]
fn the_page_begins_with_a_sentence_and_the_ratio_of_every_cell() {
    let page = page();
    let message = page.find("class=\"message\"").expect("a message");
    let picture = page.find("Against the best peer</h2>").expect("a picture");
    let table = page.find("All figures</h2>").expect("tables");
    assert!(message < picture && picture < table);
    assert!(page.contains("42.4 ("), "the ratio at 8 KiB");
    assert!(page.contains("Against the best peer of each cell: ahead in "));
    // All tables are folded, and nothing scrolls sideways on its own.
    assert!(!page[table..].contains("<details open") && !page.contains("class=\"scroll\""));
    assert!(page.contains("prefers-color-scheme: dark"));
}

#[test]
fn the_samples_of_close_figures_are_drawn_and_those_of_others_are_not() {
    // The fixture's ZUC takes as long as the peer's.
    let page = page();
    assert!(page.contains("Where two figures are close"));
    assert!(page.contains("class=\"strip own\"") && page.contains("class=\"strip peer\""));
    let mut results = results();
    results.rows.retain(|row| row.cell.algorithm == "sm4");
    assert!(!html::page(&results).unwrap().contains("Where two figures are close"));
}

#[test]
fn a_disagreement_of_outputs_is_told() {
    let mut results = results();
    assert!(page().contains("the SHA-256 over all outputs is the same in each"));
    results.rows[2].digest = "other".into();
    assert!(html::page(&results).unwrap().contains("outputs differ: do not trust"));
}

#[test]
fn csv_has_a_line_a_row_and_every_field() {
    let results = results();
    let bytes = csv::render(&results).unwrap();
    let mut reader = ::csv::Reader::from_reader(bytes.as_slice());
    let header = reader.headers().unwrap().clone();
    let fields = serde_json::to_value(&results.rows[0]).unwrap();
    for field in fields.as_object().unwrap().keys() {
        assert!(header.iter().any(|name| name == field), "{field}");
    }
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), results.rows.len());
    let remark = header.iter().position(|name| name == "remark").unwrap();
    assert_eq!(&records[4][remark], "the <neighbour> & \"friend\"");
}

#[test]
fn the_results_file_survives_the_way_there_and_back() {
    let results = results();
    let bytes = json(&results).unwrap();
    let again = parse(&bytes, "results.json").unwrap();
    assert!(serde_json::to_value(&results).unwrap() == serde_json::to_value(&again).unwrap());
    assert!(json(&again).unwrap() == bytes);
    assert!(html::page(&results).unwrap() == html::page(&again).unwrap());
}

#[test]
fn a_bad_results_file_is_named_with_its_fault() {
    let bytes = json(&results()).unwrap();
    for cut in [0, 1, bytes.len() / 2, bytes.len() - 3] {
        let error = parse(&bytes[..cut], "r.json").unwrap_err();
        assert!(matches!(error, ReportError::Truncated { .. }), "{cut}: {error}");
    }
    let text = String::from_utf8(bytes).unwrap();
    for (from, to, word) in [
        ("cipherlane-results/2", "cipherlane-results/9", "schema is `cipherlane-results/9`"),
        ("\"schema\"", "\"scheme\"", "no field `schema`"),
        ("\"median_cycles\":310.0", "\"median_cycles\":-1.0", "rows[0]: median_cycles is -1"),
        ("\"core_per_tick\":1.4", "\"core_per_tick\":0.0", "rows[0]: core_per_tick is 0"),
        (
            "\"canaries\":[{",
            "\"canaries\":[{\"by\":\"chain\"},{",
            "rows[0]: it has canaries of 4 passes",
        ),
        ("\"size\":16,", "\"size\":0,", "needs a size above 0"),
        ("\"rows\"", "\"lines\"", "missing field `rows`"),
        ("{", "[", "not a results file"),
    ] {
        let error = parse(text.replacen(from, to, 1).as_bytes(), "r.json").unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
        assert!(!error.to_string().contains('\n') && !error.remedy().is_empty());
    }
}

#[test]
fn a_report_is_written_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a/b");
    let written = write_all(&results(), &out, crate::study::Lang::En).unwrap();
    read(&written.json).unwrap();
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["report.html", "results.csv", "results.json"]);
    // A file where the folder should be: nothing is written and the file stays.
    let blocked = dir.path().join("file");
    fs::write(&blocked, "mine").unwrap();
    let error = write_all(&results(), &blocked.join("out"), crate::study::Lang::En).unwrap_err();
    assert!(matches!(error, ReportError::Write { .. }), "{error}");
    assert_eq!(fs::read(&blocked).unwrap(), b"mine");
}
