//! Which file of a crate takes names from which: paths that begin with `crate`, `super` or
//! `self`, read from the tokens, so that those inside macros count, too.
//!
//! A path leads to the file of its longest part that is a module; what is left is a name in
//! it. So `crate::Error` leads to `lib.rs`, whatever file the type lies in. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use super::source::Source;

/// The folder of the library's sources.
const HOUSE: &str = "crates/cipherlane/src/";

/// The names of modules from the crate's root to a file; `lib.rs` and `main.rs` have none.
pub(super) type Module = Vec<String>;

/// The modules of a crate and who imports whom.
pub(super) struct Imports {
    /// The file of each module.
    pub(super) files: BTreeMap<Module, String>,
    /// Each pair once, with the lines of the paths in the first one's file and the paths.
    pub(super) arrows: BTreeMap<(Module, Module), Vec<(usize, String)>>,
}

impl Imports {
    /// Those of the library.
    pub(super) fn read(sources: &[Source]) -> Self {
        Self::read_of(HOUSE, sources)
    }

    /// Those of the crate whose sources lie in a folder, given with its last slash.
    pub(super) fn read_of(house: &str, sources: &[Source]) -> Self {
        let module = |source: &Source| module(source.path.strip_prefix(house)?);
        let product = || sources.iter().filter(|it| it.path.starts_with(house) && !it.is_test());
        let files: BTreeMap<_, _> =
            product().filter_map(|it| Some((module(it)?, it.path.clone()))).collect();
        let mut arrows = BTreeMap::<_, Vec<_>>::new();
        for source in product() {
            let Some(from) = module(source) else { continue };
            let mut reader = Reader { found: Vec::new() };
            reader.read(&source.tokens, &from);
            for (line, path) in reader.found {
                let to = (0..=path.len()).rev().map(|len| &path[..len]);
                let Some(to) = to.into_iter().find(|to| files.contains_key(*to)) else { continue };
                if to != from {
                    let written = format!("crate::{}", path.join("::"));
                    arrows.entry((from.clone(), to.to_vec())).or_default().push((line, written));
                }
            }
        }
        Self { files, arrows }
    }

    /// Files that import each other in a circle, though none of the arrows leads from a module to
    /// its own children or back, which is how a `mod.rs` and its files belong together.
    pub(super) fn circles(&self) -> Vec<Vec<&str>> {
        let mut to = BTreeMap::<&Module, BTreeSet<&Module>>::new();
        for (a, b) in self.arrows.keys() {
            if !(a.starts_with(b) || b.starts_with(a)) {
                to.entry(a).or_default().insert(b);
            }
        }
        let reached = |start| {
            let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
            while let Some(at) = next.pop() {
                for &b in to.get(at).into_iter().flatten() {
                    if seen.insert(b) {
                        next.push(b);
                    }
                }
            }
            seen
        };
        let reach: BTreeMap<&Module, _> = self.files.keys().map(|it| (it, reached(it))).collect();
        let circle = |it: &Module| -> BTreeSet<&Module> {
            reach[it].iter().copied().filter(|other| reach[*other].contains(it)).collect()
        };
        let circles: BTreeSet<_> = self.files.keys().map(circle).collect();
        let files = |circle: BTreeSet<&Module>| circle.iter().map(|it| &*self.files[*it]).collect();
        circles.into_iter().filter(|circle| !circle.is_empty()).map(files).collect()
    }
}

/// The module that a file holds, whose path begins in the folder of its crate's sources.
fn module(path: &str) -> Option<Module> {
    let path = path.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let is_root = matches!(path, "lib" | "main");
    Some(if is_root { Module::new() } else { path.split('/').map(String::from).collect() })
}

/// Finds paths, with their lines.
struct Reader {
    found: Vec<(usize, Module)>,
}

impl Reader {
    fn read(&mut self, tokens: &TokenStream, inside: &Module) {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if is_test(&tokens[at..]) {
                at = end_of_item(&tokens, at + 2);
                continue;
            }
            match token {
                TokenTree::Ident(name) if name == "mod" => {
                    if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                        (tokens.get(at + 1), tokens.get(at + 2))
                    {
                        let inner: Module =
                            inside.iter().cloned().chain([name.to_string()]).collect();
                        self.read(&body.stream(), &inner);
                        at += 2;
                    }
                }
                TokenTree::Ident(first) if is_colons(&tokens, at + 1) => {
                    if let Some(base) = base(first, inside) {
                        at = self.path(&tokens, at + 3, &base);
                        continue;
                    }
                    // The middle of another path.
                    at += 2;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && is_colons(&tokens, at) => {
                    // After a type or a name of another crate: no beginning of a path.
                    at += 1;
                    if matches!(tokens.get(at + 1), Some(TokenTree::Ident(_))) {
                        at += 1;
                    }
                }
                TokenTree::Group(group) => self.read(&group.stream(), inside),
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads on behind `base::`; returns the place behind the path.
    fn path(&mut self, tokens: &[TokenTree], at: usize, base: &Module) -> usize {
        match tokens.get(at) {
            Some(TokenTree::Ident(name)) => {
                let next = if name == "super" {
                    base[..base.len().saturating_sub(1)].to_vec()
                } else if name == "self" {
                    base.clone()
                } else {
                    base.iter().cloned().chain([name.to_string()]).collect()
                };
                if is_colons(tokens, at + 1) {
                    return self.path(tokens, at + 3, &next);
                }
                self.found.push((name.span().start().line, next));
                at + 1
            }
            // A tree of `use`.
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut begin = 0;
                while begin < inner.len() {
                    self.path(&inner, begin, base);
                    let comma =
                        |it: &TokenTree| matches!(it, TokenTree::Punct(p) if p.as_char() == ',');
                    let next = inner[begin..].iter().position(comma);
                    begin = next.map_or(inner.len(), |next| begin + next + 1);
                }
                at + 1
            }
            // `*`, or generic arguments.
            Some(token) => {
                self.found.push((token.span().start().line, base.clone()));
                at
            }
            None => at,
        }
    }
}

/// Where a path that begins with this word starts, if it is one within the crate.
fn base(first: &Ident, inside: &Module) -> Option<Module> {
    if first == "crate" {
        Some(Module::new())
    } else if first == "self" {
        Some(inside.clone())
    } else if first == "super" {
        Some(inside[..inside.len().saturating_sub(1)].to_vec())
    } else {
        None
    }
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    let colon = |at| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    colon(at) && colon(at + 1)
}

/// Whether `#[cfg(test)]`, `#[cfg(all(test, …))]` or `#[test]` begins here.
fn is_test(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(hash), TokenTree::Group(attribute), ..] = tokens else { return false };
    let text = attribute.stream().to_string().replace(' ', "");
    hash.as_char() == '#'
        && (text == "test" || text == "cfg(test)" || text.starts_with("cfg(all(test,"))
}

/// The place behind the item that begins at `at`: its `;` or its body in braces.
fn end_of_item(tokens: &[TokenTree], at: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    // The braces of a tree of `use` stand before its `;`.
    let is_use = |it: &TokenTree| matches!(it, TokenTree::Ident(word) if word == "use");
    let begin = at + usize::from(tokens.get(at + 1).is_some_and(is_use));
    let is_use = tokens.get(begin).is_some_and(is_use);
    let semicolon = |it: &TokenTree| matches!(it, TokenTree::Punct(p) if p.as_char() == ';');
    let rest = tokens.get(at..).unwrap_or_default();
    let end = if is_use { rest.iter().position(semicolon) } else { rest.iter().position(ends) };
    end.map_or(tokens.len(), |end| at + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(files: &[(&str, &str)]) -> Vec<String> {
        let parse =
            |(path, text): &(&str, &str)| Source::parse(&format!("{HOUSE}{path}"), text).unwrap();
        let sources: Vec<Source> = files.iter().map(parse).collect();
        let short = |file: &str| file.strip_prefix(HOUSE).unwrap().to_string();
        let imports = Imports::read(&sources);
        let told = imports.arrows.iter().flat_map(|((a, b), lines)| {
            let (a, b) = (short(&imports.files[a]), short(&imports.files[b]));
            lines.iter().map(move |(line, path)| format!("{a}:{line} {b} {path}"))
        });
        told.collect()
    }

    #[test]
    fn paths_lead_to_the_files_of_their_modules() {
        let own = "use crate::{error::Error, modes::{ctr, cbc::{A, B}}};\n\
                   fn f() { m!(super::super::error::check(1)); core::mem::swap() }\n\
                   use self::rounds::go;";
        let all = [
            ("lib.rs", ""),
            ("error.rs", ""),
            ("modes/mod.rs", ""),
            ("modes/cbc.rs", ""),
            ("ciphers/sm4/mod.rs", own),
            ("ciphers/sm4/rounds.rs", "use super::*; use crate::Error;"),
        ];
        assert_eq!(
            arrows(&all),
            [
                "ciphers/sm4/mod.rs:3 ciphers/sm4/rounds.rs crate::ciphers::sm4::rounds::go",
                "ciphers/sm4/mod.rs:1 error.rs crate::error::Error",
                "ciphers/sm4/mod.rs:2 error.rs crate::error::check",
                "ciphers/sm4/mod.rs:1 modes/mod.rs crate::modes::ctr",
                "ciphers/sm4/mod.rs:1 modes/cbc.rs crate::modes::cbc::A",
                "ciphers/sm4/mod.rs:1 modes/cbc.rs crate::modes::cbc::B",
                "ciphers/sm4/rounds.rs:1 lib.rs crate::Error",
                "ciphers/sm4/rounds.rs:1 ciphers/sm4/mod.rs crate::ciphers::sm4",
            ]
        );
    }

    #[test]
    fn tests_are_left_out_and_inner_modules_are_known() {
        let text = "#[cfg(test)]\nuse crate::a::{A};\n#[cfg(test)] mod tests { use crate::a::A; }\n\
                    #[cfg(all(test, feature = \"x\"))] mod t { use crate::a::A; }\n\
                    #[test] fn f() { crate::a::g() }\n\
                    mod entries { use super::B; use crate::a::A; }";
        let files = [("a.rs", ""), ("b.rs", text), ("b/tests.rs", "use crate::a::A;")];
        assert_eq!(arrows(&files), ["b.rs:6 a.rs crate::a::A"]);
    }

    #[test]
    fn circles_of_files_are_found_and_parents_left_be() {
        let sources = |c: &str| {
            [
                ("k/mod.rs", "use self::a::A;"),
                ("k/a.rs", "use super::b::B; use super::K;"),
                ("k/b.rs", "use super::c::C;"),
                ("k/c.rs", c),
            ]
            .map(|(path, text)| Source::parse(&format!("{HOUSE}{path}"), text).unwrap())
        };
        assert!(Imports::read(&sources("use super::K;")).circles().is_empty());
        let imports = Imports::read(&sources("use super::a::A;"));
        let files = ["k/a.rs", "k/b.rs", "k/c.rs"].map(|file| format!("{HOUSE}{file}"));
        assert_eq!(imports.circles(), [files]);
    }
}
