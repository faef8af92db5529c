//! The rules against the repository itself, whole and with one slip planted.

use super::{RULES, Source, dispatch_generic, inline_always};
use crate::workspace;

const ROOMS: &[&str] = &["crates", "lab", "cli", "xtask"];

#[test]
fn the_repository_keeps_every_rule() {
    let sources = Source::read_all(ROOMS).unwrap();
    let findings: Vec<String> = RULES
        .iter()
        .flat_map(|rule| (rule.check)(&sources))
        .map(|finding| finding.to_string())
        .collect();
    assert_eq!(findings, [""; 0]);
}

/// The files of the ciphers' folders that hold kernels.
fn kernels() -> Vec<(String, String)> {
    let paths = workspace::files("crates/cipherlane/src", "rs").unwrap();
    let texts = paths.into_iter().map(|path| (path.clone(), workspace::read(&path).unwrap()));
    texts.filter(|(path, text)| text.contains(": Isa") && !path.ends_with("/tests.rs")).collect()
}

#[test]
fn every_weakened_kernel_is_caught() {
    const STRONG: &str = "#[inline(always)]";
    let mut weakened = 0;
    for (path, text) in kernels() {
        for (at, _) in text.match_indices(STRONG) {
            let slip = format!("{}#[inline]{}", &text[..at], &text[at + STRONG.len()..]);
            let line = text[..at].lines().count() + 1;
            let source = Source::parse(&path, &slip).unwrap();
            let found = (inline_always::RULE.check)(&[source]);
            assert!(!found.is_empty(), "{path}:{line}");
            weakened += 1;
        }
    }
    assert!(weakened > 0, "no kernel was found");
}

#[test]
fn a_dispatch_in_a_generic_function_is_caught() {
    let mut planted = 0;
    for (path, text) in kernels() {
        let slip = format!(
            "{text}\nfn slip<T>(level: lanes::Level, t: T) {{ lanes::dispatch!(level, isa => run(isa, t)) }}"
        );
        let source = Source::parse(&path, &slip).unwrap();
        assert_eq!((dispatch_generic::RULE.check)(&[source]).len(), 1, "{path}");
        planted += 1;
    }
    assert!(planted > 0, "no kernel was found");
}
