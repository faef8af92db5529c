//! Only `level.rs` and its room match on `Level`: everyone else goes through `dispatch!`.

use proc_macro2::{TokenStream, TokenTree};

use super::super::words::sequences;
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "level-match",
    about: "only crates/lanes/src/level.rs and its room name a variant of `Level`",
    check,
};

const HOME: &str = "crates/lanes/src/level.rs";
/// What belongs to it.
const ROOM: &str = "crates/lanes/src/level";

/// The variants of `enum Level`: what the rows of its table name, `file::Token = "level"`.
fn variants(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let mark = |at: usize, mark| matches!(tokens.get(at), Some(TokenTree::Punct(it)) if it.as_char() == mark);
        match (token, tokens.get(at + 3), tokens.get(at + 5)) {
            (TokenTree::Group(group), ..) => found.extend(variants(group.stream())),
            (TokenTree::Ident(_), Some(TokenTree::Ident(name)), Some(TokenTree::Literal(_)))
                if mark(at + 1, ':') && mark(at + 2, ':') && mark(at + 4, '=') =>
            {
                found.push(name.to_string());
            }
            _ => {}
        }
    }
    found
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let home = sources.iter().find(|source| source.path == HOME);
    let variants = home.map(|home| variants(home.tokens.clone())).unwrap_or_default();
    let mut findings = Vec::new();
    if variants.is_empty() {
        let what = "the table of levels is not here, so nothing can be checked".into();
        findings.push(Finding { place: HOME.into(), rule: RULE.name, what });
    }
    let others = sources
        .iter()
        .filter(|source| source.path != HOME && !source.is_in(ROOM) && !source.is_in("xtask"));
    for source in others {
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
        let table = "macro_rules! levels { ($then:ident) => { $then! {
            Any if all() { portable::Portable = \"portable\" if all(); }
            X86 if x86() { wide::Wide = \"wide\" if all(), halves to Portable; }
        } }; }";
        let home = Source::parse(HOME, table).unwrap();
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
