//! `cargo xtask api`: the public interface of the library as lines of text, against those that are
//! kept in `docs/api`. A change of it is then seen where changes are read, and not by users first.
//!
//! The lines are made of the sources: what is `pub` there, module by module, with its conditions.
//! What macros of the library make by itself stands as their calls.

use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Visibility};

use crate::outcome::Outcome;
use crate::workspace;

const SOURCES: &str = "crates/cipherlane/src";
const KEPT: &str = "docs/api/cipherlane.txt";

/// Tokens as text, with the spaces that people write.
fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in [
        ("# [", "#["),
        (" :: ", "::"),
        (":: ", "::"),
        (" ,", ","),
        (" ;", ";"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" :", ":"),
        ("[ ", "["),
        (" ]", "]"),
        ("->", " ->"),
        ("  ", " "),
    ] {
        text = text.replace(from, to);
    }
    text
}

/// What an item is compiled under, and whether its documentation is hidden.
fn marks(attributes: &[Attribute]) -> String {
    let mut marks = String::new();
    for attribute in attributes {
        let all = text(attribute);
        let kept = ["cfg", "non_exhaustive", "must_use", "macro_export", "deprecated"];
        if kept.iter().any(|name| attribute.path().is_ident(name)) || all.contains("doc(hidden)") {
            marks += &all;
            marks.push(' ');
        }
    }
    marks
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| ["#[cfg(test)]", "#[cfg(doctest)]"].contains(&&*text(it)))
}

const fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

struct Lines<'m> {
    module: &'m str,
    lines: Vec<String>,
}

impl Lines<'_> {
    fn add(&mut self, attributes: &[Attribute], what: &str) {
        self.lines.push(format!("{} {}{what}", self.module, marks(attributes)));
    }

    fn fields(&mut self, of: &str, fields: &Fields) {
        for (i, field) in fields.iter().enumerate().filter(|(_, it)| is_public(&it.vis)) {
            let name = field.ident.as_ref().map_or_else(|| i.to_string(), ToString::to_string);
            self.add(&field.attrs, &format!("{of}.{name}: {}", text(&field.ty)));
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Fn(it) if is_public(&it.vis) => self.add(&it.attrs, &text(&it.sig)),
            Item::Const(it) if is_public(&it.vis) => {
                self.add(&it.attrs, &format!("const {}: {}", it.ident, text(&it.ty)));
            }
            Item::Static(it) if is_public(&it.vis) => {
                self.add(&it.attrs, &format!("static {}: {}", it.ident, text(&it.ty)));
            }
            Item::Type(it) if is_public(&it.vis) => {
                let generics = text(&it.generics);
                self.add(&it.attrs, &format!("type {}{generics} = {}", it.ident, text(&it.ty)));
            }
            Item::Use(it) if is_public(&it.vis) => {
                self.add(&it.attrs, &format!("use {}", text(&it.tree)));
            }
            Item::Mod(it) if is_public(&it.vis) && it.content.is_none() => {
                self.add(&it.attrs, &format!("mod {}", it.ident));
            }
            Item::Mod(it) if !is_test(&it.attrs) => {
                for inner in it.content.iter().flat_map(|(_, items)| items) {
                    self.item(inner);
                }
            }
            Item::Struct(it) if is_public(&it.vis) => {
                let bounds = text(&it.generics.where_clause);
                self.add(&it.attrs, &format!("struct {}{} {bounds}", it.ident, text(&it.generics)));
                self.fields(&it.ident.to_string(), &it.fields);
            }
            Item::Enum(it) if is_public(&it.vis) => {
                self.add(&it.attrs, &format!("enum {}{}", it.ident, text(&it.generics)));
                for variant in &it.variants {
                    let mut plain = variant.clone();
                    plain.attrs.clear();
                    for field in &mut plain.fields {
                        field.attrs.clear();
                    }
                    self.add(&variant.attrs, &format!("{}::{}", it.ident, text(&plain)));
                }
            }
            Item::Trait(it) if is_public(&it.vis) => self.of_trait(it),
            Item::Impl(it) => self.of_impl(it),
            Item::Macro(it) if it.ident.is_none() || text(it).contains("macro_export") => {
                // A call of a macro of the library: what it makes of this is public, or not.
                let called = || format!("{}! {}", text(&it.mac.path), text(&it.mac.tokens));
                let name = it.ident.as_ref().map_or_else(called, |name| format!("{name}!"));
                self.add(&it.attrs, &format!("macro {name}"));
            }
            _ => {}
        }
    }

    fn of_trait(&mut self, it: &syn::ItemTrait) {
        let above = text(&it.supertraits);
        self.add(&it.attrs, &format!("trait {}{}: {above}", it.ident, text(&it.generics)));
        for inner in &it.items {
            match inner {
                TraitItem::Fn(inner) => {
                    let default = if inner.default.is_some() { " { … }" } else { "" };
                    let what = format!("{}::{}{default}", it.ident, text(&inner.sig));
                    self.add(&inner.attrs, &what);
                }
                TraitItem::Const(inner) => {
                    let what = format!("{}::const {}: {}", it.ident, inner.ident, text(&inner.ty));
                    self.add(&inner.attrs, &what);
                }
                TraitItem::Type(inner) => {
                    self.add(&inner.attrs, &format!("{}::type {}", it.ident, inner.ident));
                }
                _ => {}
            }
        }
    }

    fn of_impl(&mut self, it: &syn::ItemImpl) {
        let of = text(&it.self_ty);
        if let Some((name, _)) = &it.trait_ {
            self.add(&it.attrs, &format!("impl{} {} for {of}", text(&it.generics), text(name)));
            return;
        }
        for inner in &it.items {
            match inner {
                ImplItem::Fn(inner) if is_public(&inner.vis) => {
                    self.add(&inner.attrs, &format!("{of}::{}", text(&inner.sig)));
                }
                ImplItem::Const(inner) if is_public(&inner.vis) => {
                    self.add(
                        &inner.attrs,
                        &format!("{of}::const {}: {}", inner.ident, text(&inner.ty)),
                    );
                }
                _ => {}
            }
        }
    }
}

/// The module of a file, e.g. `modes::ctr` of `modes/ctr/mod.rs`.
fn module(file: &str) -> String {
    let path = file.trim_start_matches(SOURCES).trim_start_matches('/').trim_end_matches(".rs");
    let path = path.trim_end_matches("/mod").replace('/', "::");
    if path == "lib" { "crate".to_owned() } else { path }
}

/// The lines of one file.
fn lines(file: &str, source: &str) -> Result<Vec<String>, String> {
    let parsed = syn::parse_file(source).map_err(|error| format!("{file}: {error}"))?;
    let module = module(file);
    let mut lines = Lines { module: &module, lines: Vec::new() };
    parsed.items.iter().for_each(|item| lines.item(item));
    Ok(lines.lines)
}

/// The files of the modules that `file` declares for tests alone.
fn test_files(file: &str, source: &str) -> Result<Vec<PathBuf>, String> {
    let parsed = syn::parse_file(source).map_err(|error| format!("{file}: {error}"))?;
    let path = Path::new(file);
    let room = match path.file_stem().and_then(|it| it.to_str()) {
        Some("mod" | "lib") => path.with_file_name(""),
        _ => path.with_extension(""),
    };
    let modules = parsed.items.iter().filter_map(|item| match item {
        Item::Mod(it) if it.content.is_none() && is_test(&it.attrs) => Some(&it.ident),
        _ => None,
    });
    Ok(modules.map(|name| room.join(format!("{name}.rs"))).collect())
}

/// The whole interface.
fn interface() -> Result<String, String> {
    let files = workspace::files(SOURCES, "rs")?;
    let mut tests = Vec::new();
    for file in &files {
        tests.extend(test_files(file, &workspace::read(file)?)?);
    }
    let mut all = Vec::new();
    for file in &files {
        if !tests.iter().any(|it| it == Path::new(file)) && !file.contains("/tests/") {
            all.extend(lines(file, &workspace::read(file)?)?);
        }
    }
    all.sort();
    all.dedup();
    Ok(all.join("\n") + "\n")
}

/// Lines of one text that the other has not.
fn without<'t>(one: &'t str, other: &str) -> Vec<&'t str> {
    let known: std::collections::BTreeSet<&str> = other.lines().collect();
    one.lines().filter(|line| !known.contains(line)).collect()
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let now = interface()?;
    let place = workspace::root().join(KEPT);
    if options.iter().any(|option| option == "--write") {
        let folder = place.parent().ok_or("no folder")?;
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&place, &now));
        return written.map_err(|error| format!("{KEPT}: {error}"));
    }
    if !place.exists() {
        return Err(format!("no {KEPT}: cargo xtask api --write"));
    }
    let kept = workspace::read(KEPT)?;
    let (gone, new) = (without(&kept, &now), without(&now, &kept));
    gone.iter().for_each(|line| println!("   - {line}"));
    new.iter().for_each(|line| println!("   + {line}"));
    println!("   {} lines, {} gone, {} new", now.lines().count(), gone.len(), new.len());
    if gone.is_empty() && new.is_empty() {
        return Ok(());
    }
    Err(format!(
        "the public interface is not that of {KEPT}; if that is meant, `cargo xtask api --write`, and a \
         line in CHANGELOG.md for what is gone"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_tests_alone_is_found_where_it_is_declared() {
        let source = "#[cfg(test)]\nmod equivalence;\nmod keys;\n#[cfg(test)]\nmod inner {}\n";
        let files = |file| test_files(file, source).unwrap();
        assert_eq!(files("src/aes/mod.rs"), [Path::new("src/aes/equivalence.rs")]);
        assert_eq!(files("src/lib.rs"), [Path::new("src/equivalence.rs")]);
        assert_eq!(files("src/aes.rs"), [Path::new("src/aes/equivalence.rs")]);
    }

    #[test]
    fn what_is_public_is_a_line_and_what_is_not_is_none() {
        let source = "#[cfg(feature = \"alloc\")] pub fn a(x: &[u8]) -> Result<(), E> { f() }\n\
            fn b() {}\npub(crate) fn c() {}\npub struct S<T> { pub one: u8, two: T }\n\
            #[non_exhaustive] pub enum E { One, Two { x: u8 } }\n\
            impl<T> S<T> { pub const fn get(&self) -> u8 { 1 } fn hidden(&self) {} }\n\
            impl Clone for E { fn clone(&self) -> Self { loop {} } }\n\
            pub trait T { fn needed(&self); fn given(&self) {} }\n\
            #[cfg(test)] mod tests { pub fn no() {} }\n";
        let lines = lines("crates/cipherlane/src/modes/ctr/mod.rs", source).unwrap();
        let expected = [
            "#[cfg(feature = \"alloc\")] fn a(x: &[u8]) -> Result<(), E>",
            "struct S<T> ",
            "S.one: u8",
            "#[non_exhaustive] enum E",
            "E::One",
            "E::Two { x: u8 }",
            "S<T>::const fn get(&self) -> u8",
            "impl Clone for E",
            "trait T: ",
            "T::fn needed(&self)",
            "T::fn given(&self) { … }",
        ];
        let expected: Vec<String> = expected.iter().map(|it| format!("modes::ctr {it}")).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn changes_are_found_both_ways() {
        assert_eq!(without("a\nb\n", "b\nc\n"), ["a"]);
        assert_eq!(without("b\nc\n", "a\nb\n"), ["c"]);
    }
}
