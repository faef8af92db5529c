//! What the runner counts, reports and leaves out.

use cipherlane::Level;
use vectors::VectorFile;
use vectors::verify::{self, Filter, Plan, Summary};

fn filters(texts: &[&str]) -> Vec<Filter> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// The files without the tests of a million iterations, for speed.
fn without_iterations(mut files: Vec<VectorFile>) -> Vec<VectorFile> {
    for group in files.iter_mut().flat_map(|file| &mut file.groups) {
        group.tests.retain(|test| test.iterations.is_none());
    }
    files
}

fn run(texts: &[&str]) -> Summary {
    let files = vectors::all().unwrap();
    let files = without_iterations(files);
    verify::run(&filters(texts), &[Level::best()], &files, &mut |_| ())
}

fn modes(summary: &Summary) -> Vec<&str> {
    summary.not_implemented.iter().map(|n| &*n.mode).collect()
}

#[test]
fn every_test_is_either_run_or_reported() {
    let files = vectors::all().unwrap();
    let tests: usize = files.iter().flat_map(|f| &f.groups).map(|g| g.tests.len()).sum();
    let mut heard = 0;
    let summary = verify::run(&[], &[Level::best()], &files, &mut |result| {
        heard += 1;
        assert!(result.failure.is_some() || result.paths > 0, "{} did nothing", result.id);
    });
    assert!(summary.is_success(), "{}", summary.failed[0]);
    let missing: usize = summary.not_implemented.iter().map(|n| n.tests).sum();
    assert_eq!(summary.vectors + missing, tests);
    assert_eq!((heard, summary.passed), (summary.vectors, summary.vectors));
    // Invalid tests have one path, and those of AEADs some more; valid ones have several.
    assert!(summary.paths > 3 * summary.passed, "{} paths", summary.paths);
}

#[test]
fn filters_choose_by_the_names_of_the_registry() {
    let sm4 = run(&["sm4"]);
    let zuc = run(&["zuc-128", "zuc-256/keystream"]);
    assert!(sm4.vectors > 100 && zuc.vectors > 10);
    assert_eq!(run(&["sm4", "zuc-128", "zuc-256/keystream"]).vectors, sm4.vectors + zuc.vectors);
    assert_eq!(run(&["sm4/cbc"]).vectors, run(&["sm4/cbc-decrypt"]).vectors);
    assert!(run(&["sm4/ctr"]).not_implemented.is_empty());
    let nothing = run(&["rot-13"]);
    assert_eq!((nothing.vectors, nothing.not_implemented.len()), (0, 0));
}

#[test]
fn what_is_missing_is_named_once_a_mode() {
    let files = [vectors::parse(
        "made-up.json",
        r#"{"algorithm": "rot13", "notes": "", "groups": [
            {"mode": "ecb", "source": "a", "tests": [{"id": "1"}, {"id": "2"}]},
            {"mode": "ecb", "source": "b", "tests": [{"id": "3"}]},
            {"mode": "backwards", "source": "b", "tests": [{"id": "4"}]}]}"#,
    )
    .unwrap()];
    let summary = verify::run(&[], &[Level::portable()], &files, &mut |_| ());
    assert_eq!(modes(&summary), ["ecb", "backwards"]);
    assert_eq!(
        (summary.not_implemented[0].tests, &*summary.not_implemented[0].file),
        (3, "made-up.json")
    );
    assert_eq!((summary.passed, summary.vectors), (0, 0));
}

#[test]
fn cases_are_tests_times_levels() {
    let files = vectors::all().unwrap();
    let plan = Plan::new(&filters(&["zuc-128"]), &files);
    let levels: Vec<Level> = Level::available().collect();
    let mut heard = 0;
    let summary = plan.run(&levels, &mut |_| heard += 1);
    assert_eq!(heard, plan.cases(levels.len()));
    assert_eq!(summary.passed, summary.vectors * levels.len());
}

#[test]
fn a_test_that_lacks_what_it_needs_fails() {
    let file = |test: &str| {
        let content = format!(
            r#"{{"algorithm": "sm4", "notes": "", "groups": [
                {{"mode": "cbc", "source": "a", "tests": [{{"id": "1" {test}}}]}}]}}"#
        );
        vectors::parse("made-up.json", &content).unwrap()
    };
    let key = "00".repeat(16);
    for (test, what) in [
        (String::new(), "field `key` is missing"),
        (format!(r#", "key": "{key}""#), "field `ciphertext` is missing"),
        (format!(r#", "key": "{key}", "ciphertext": """#), "field `plaintext` is missing"),
        (
            format!(r#", "key": "{key}", "plaintext": "", "ciphertext": """#),
            "iv of 0 bytes; allowed: 16 bytes",
        ),
        (
            r#", "key": "00", "plaintext": "", "ciphertext": """#.into(),
            "key of 1 bytes; allowed: 16 bytes",
        ),
        (
            format!(
                r#", "key": "{key}", "iv": "{key}", "ciphertext": "{key}", "result": "invalid""#
            ),
            "accepted; expected: an error",
        ),
    ] {
        let summary = verify::run(&[], &[Level::portable()], &[file(&test)], &mut |_| ());
        assert_eq!(summary.failed.len(), 1, "{test}");
        assert!(summary.failed[0].what.contains(what), "{}", summary.failed[0]);
    }
}

#[test]
fn aeads_are_also_sealed_and_opened_in_pieces() {
    let files = vectors::all().unwrap();
    let (mut seen, mut longest) = (0, 0);
    let filters = filters(&["aes-128/gcm", "aes-128/ccm"]);
    let summary = verify::run(&filters, &[Level::best()], &files, &mut |result| {
        seen += 1;
        longest = result.paths.max(longest);
    });
    assert!(summary.is_success(), "{}", summary.failed[0]);
    // Seven on whole messages, and five patterns in both directions, each of them twice.
    assert!(seen > 10 && longest == 7 + 5 * 2 * 2, "{longest} paths");
}
