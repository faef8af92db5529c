//! Only `level.rs` matches on `Level`: everyone else goes through `dispatch!`.

use super::super::words::sequences;
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "level-match",
    about: "only crates/lanes/src/level.rs names a variant of `Level`",
    check,
};

const HOME: &str = "crates/lanes/src/level.rs";

/// The variants of `enum Level`, read where it is defined.
fn variants(sources: &[Source]) -> Vec<String> {
    let home = sources.iter().find(|source| source.path == HOME);
    let items = home.into_iter().flat_map(|home| &home.views[0].items);
    let level = items.filter_map(|item| match item {
        syn::Item::Enum(item) if item.ident == "Level" => Some(item),
        _ => None,
    });
    level.flat_map(|level| level.variants.iter().map(|variant| variant.ident.to_string())).collect()
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let variants = variants(sources);
    let mut findings = Vec::new();
    if variants.is_empty() {
        let what = "`enum Level` is not here, so nothing can be checked".into();
        findings.push(Finding { place: HOME.into(), rule: RULE.name, what });
    }
    for source in sources.iter().filter(|source| source.path != HOME && !source.is_in("xtask")) {
        let names = variants.iter().map(String::as_str).chain(["*"]);
        for name in names {
            for span in sequences(&source.tokens, &["Level", ":", ":", name]) {
                let what = format!("`Level::{name}` outside level.rs; use `dispatch!` or a name");
                findings.push(source.finding(RULE.name, span, what));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{HOME, RULE, Source};

    fn count(text: &str) -> usize {
        let home =
            Source::parse(HOME, "pub enum Level { Portable(Portable), Wide(Wide) }").unwrap();
        let user = Source::parse("crates/cipherlane/src/ciphers/sm4/mod.rs", text).unwrap();
        (RULE.check)(&[home, user]).len()
    }

    #[test]
    fn methods_pass() {
        assert_eq!(count("fn f() { Level::detect(); Level::portable(); log::Level::Info; }"), 0);
    }

    #[test]
    fn variants_are_found() {
        assert_eq!(count("fn f(l: Level) { match l { Level::Wide(_) => 1, _ => 0 }; }"), 1);
        assert_eq!(count("fn f(l: Level) -> bool { matches!(l, lanes::Level::Portable(_)) }"), 1);
        assert_eq!(count("use lanes::Level::*;"), 1);
    }

    #[test]
    fn a_moved_home_is_noticed() {
        let user = Source::parse("cli/src/main.rs", "fn main() {}").unwrap();
        assert_eq!((RULE.check)(&[user]).len(), 1);
    }
}
