//! The screen keeps its lines and columns, and says what it must, at every width.

use super::{LINES, render, standings, why};
use crate::Model;
use crate::against::{Tally, contests, rank, standing};
use crate::report::fixture::results;
use crate::report::terminal::Style;

fn plain(width: Option<usize>) -> Style {
    Style { width, color: false }
}

/// The fixture, its peer in two cells faster than ours, and many more operations.
fn crowded() -> crate::record::Results {
    let mut results = results();
    let rows = results.rows.clone();
    for number in 0..60 {
        for row in rows.iter().filter(|row| row.cell.model == Model::Message) {
            let mut row = row.clone();
            row.cell.operation = format!("a-mode-with-a-long-name-{number}");
            results.rows.push(row);
        }
    }
    for row in &mut results.rows {
        if row.engine != "cipherlane" && row.cell.algorithm == "sm4" && row.cell.operation == "ctr"
        {
            let faster = if row.cell.size == 16 { 0.01 } else { 1.0 };
            row.passes.iter_mut().flatten().for_each(|sample| *sample *= faster);
            row.median_cycles *= faster;
            row.cycles_per_byte = row.cycles_per_byte.map(|it| it * faster);
        }
    }
    results
}

#[test]
fn the_screen_is_never_larger_than_a_screen() {
    for results in [results(), crowded()] {
        for width in [Some(60), Some(80), Some(100), Some(200), None] {
            let text = render(&results, plain(width), Some("cipherlane-report/latest/report.html"));
            assert!(text.lines().count() <= LINES, "{width:?}\n{text}");
            let most = width.unwrap_or(100).min(100);
            for line in text.lines() {
                assert!(line.chars().count() <= most, "{width:?}: {line:?}");
            }
        }
    }
}

#[test]
fn peers_are_not_set_against_one_another_in_place_of_ours() {
    let mut results = results();
    assert!(results.engines.iter().any(|engine| engine.name == "cipherlane"));
    results.rows.retain(|row| row.engine != "cipherlane");
    for peer in [standings::BEST, "rusty"] {
        let text = standings::render(&results, peer, plain(None)).expect("a sentence");
        assert!(text.starts_with("No figure of cipherlane in this run"), "{text}");
    }
    let screen = render(&results, plain(None), None);
    assert!(!screen.contains("rusty 1"), "{screen}");
}

#[test]
fn the_message_stands_last() {
    let text = render(&results(), plain(None), Some("x/report.html"));
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("Against the best peer of each cell: ahead in"), "{text}");
    // 0.67 ticks, of which each is 1.4 core cycles, against 28.4.
    assert!(text.contains("0.94 core cycles a byte"), "{text}");
    let words: Vec<&str> = text.split_whitespace().collect();
    let sentence = words.join(" ");
    let (_, rest) = sentence.split_once("Gbit/s: 42.4 (").expect("a ratio");
    let (ends, rest) = rest.split_once(") times as fast as the next best, rusty").expect("a peer");
    assert!(rest.contains("Against the best peer"), "{rest}");
    // The samples scatter from 0.98 to 1.03 of the median; the farther end counts for both.
    let (low, high) = ends.split_once(" to ").expect("an interval");
    let [low, high]: [f64; 2] = [low, high].map(|end| end.parse().expect("a number"));
    assert!(low < 42.4 && high > 42.4 && (low * high / (42.4 * 42.4) - 1.0).abs() < 0.01, "{ends}");
    assert!(text.contains("report: x/report.html"), "{text}");
}

#[test]
fn a_cell_in_which_a_peer_is_faster_is_named() {
    let calm = render(&results(), plain(None), None);
    assert!(!calm.contains("BEHIND"), "{calm}");
    let text = render(&crowded(), plain(None), None);
    assert!(text.contains("BEHIND: sm4/ctr, key ready at 16 B (0.42 of rusty"), "{text}");
    let list = standings::render(&crowded(), standings::BEST, plain(None)).expect("a best");
    assert!(list.contains("Behind the best peer in 1 cell:"), "{list}");
    assert!(list.contains("sm4/ctr, 16 B, key ready"), "{list}");
    let error = standings::render(&results(), "nobody", plain(None)).expect_err("no such peer");
    assert!(error.to_string().contains("`nobody`; allowed: best, rusty"), "{error}");
}

#[test]
fn the_level_is_the_callers_and_a_faster_one_is_told() {
    let mut results = results();
    let calm = render(&results, plain(None), None);
    assert!(calm.contains("level avx512, which a caller gets") && !calm.contains("another level"));
    results.machine.default_level = Some("portable".into());
    let text = render(&results, plain(None), None);
    assert!(text.contains("level portable, which a caller gets"), "{text}");
    // Of the cells of SM4 all but the key's: the stream, 9.0 by 0.66, and four lengths.
    assert!(text.contains("faster in 5 of 12 cells, most avx512, 13.6 times as fast"), "{text}");
    let reasons = why::render(&results, plain(Some(80)));
    assert!(reasons.contains("Another level is faster"), "{reasons}");
    assert!(reasons.contains("no key schedule <of its own>"), "{reasons}");
}

#[test]
fn a_line_without_the_lengths_of_its_columns_shows_its_own() {
    let text = render(&results(), plain(None), None);
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).expect("a line");
    // 4.25 ticks, of which each is 1.4 core cycles, of both engines.
    let shared = line(" keystream, one stream");
    assert!(shared.contains("5.95 at 1 MiB") && shared.contains("1.00 ("), "{text}");
    assert!(shared.contains("tied with rusty"), "{text}");
    let alone = line(" ctr, one stream");
    assert!(alone.contains("0.92 at 1 MiB") && alone.contains("no other engine"), "{text}");
}

#[test]
fn what_is_old_and_what_differs_is_said() {
    let mut results = results();
    results.engines[1].released = Some(2022);
    results.engines[1].current = Some("1.9".into());
    results.rows[2].digest = "other".into();
    let text = render(&results, plain(None), None);
    assert!(text.contains("1.2, of 2022; current is 1.9 (OLD)"), "{text}");
    assert!(text.contains("OUTPUTS DIFFER in 1 cells"), "{text}");
}

#[test]
fn without_a_peer_the_screen_says_what_to_do() {
    let mut results = results();
    results.rows.retain(|row| row.engine == "cipherlane");
    let text = render(&results, plain(None), None);
    assert!(text.contains("`cipherlane engines` says what can be had"), "{text}");
    assert!(!text.contains("rank"), "{text}");
}

#[test]
fn a_rank_is_the_geometric_mean_of_shared_cells() {
    let results = results();
    let all = contests(&results);
    let mut tally = Tally::default();
    for contest in &all {
        if let Some(it) = contest.next_best().and_then(|rival| standing(contest.ours, rival)) {
            assert!(it.low <= it.times && it.times <= it.high, "{it:?}");
            tally.count(it.verdict);
        }
    }
    let places = rank(&all);
    assert_eq!((places.len(), places[0].cells), (1, tally.cells()));
    // Four lengths of SM4, 28.4 by 0.67 each; ZUC is level in six cells.
    let expected = ((28.4_f64 / 0.67).ln() * 4.0 / 10.0).exp();
    assert!((places[0].mean / expected - 1.0).abs() < 1e-9, "{places:?} {expected}");
}

#[test]
fn control_characters_of_a_file_do_not_reach_the_terminal() {
    let mut results = results();
    results.machine.cpu = "evil\x1b[31m".into();
    results.engines[1].version = "1\x1b[2J".into();
    assert!(!render(&results, plain(None), None).contains('\x1b'));
    assert!(render(&results, Style { width: None, color: true }, None).contains("\x1b[1m"));
}
