//! Only the registry lists algorithms: what is registered exists everywhere, so
//! a second list could only be shorter or wrong.

use std::collections::BTreeSet;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::super::functions::is_test;
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "registry-only",
    about: "only the registry lists algorithms; nobody else holds two of their names in one place",
    check,
};

const HOME: &str = "crates/cipherlane/src/registry/mod.rs";

/// The values of `name: "…"` in `Algorithm { … }`.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl<'ast> Visit<'ast> for Names {
    fn visit_expr_struct(&mut self, found: &'ast syn::ExprStruct) {
        let last = found.path.segments.last();
        if last.is_some_and(|segment| segment.ident == "Algorithm") {
            self.0.extend(found.fields.iter().filter_map(|field| {
                let named = matches!(&field.member, syn::Member::Named(name) if name == "name");
                text(&field.expr).filter(|_| named)
            }));
        }
        visit::visit_expr_struct(self, found);
    }
}

fn text(expr: &syn::Expr) -> Option<String> {
    match expr {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        syn::Expr::Reference(reference) => text(&reference.expr),
        _ => None,
    }
}

/// Arrays and matches that hold two or more of the names.
struct Lists<'n>(&'n BTreeSet<String>, Vec<proc_macro2::Span>);

impl Lists<'_> {
    fn judge(&mut self, span: proc_macro2::Span, texts: impl Iterator<Item = String>) {
        let known = texts.filter(|text| self.0.contains(text)).collect::<BTreeSet<_>>();
        if known.len() >= 2 {
            self.1.push(span);
        }
    }
}

impl<'ast> Visit<'ast> for Lists<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_expr_array(&mut self, found: &'ast syn::ExprArray) {
        self.judge(found.span(), found.elems.iter().flat_map(texts));
        visit::visit_expr_array(self, found);
    }

    fn visit_expr_match(&mut self, found: &'ast syn::ExprMatch) {
        let arms = found.arms.iter().flat_map(|arm| {
            let mut strings = Strings::default();
            strings.visit_pat(&arm.pat);
            strings.0
        });
        self.judge(found.expr.span(), arms);
        visit::visit_expr_match(self, found);
    }
}

#[derive(Default)]
struct Strings(Vec<String>);

impl<'ast> Visit<'ast> for Strings {
    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.0.push(text.value());
    }
}

fn texts(expr: &syn::Expr) -> Vec<String> {
    let mut strings = Strings::default();
    strings.visit_expr(expr);
    strings.0
}

/// Engines describe what a peer offers, under its names; the rest asks the registry.
fn applies(source: &Source) -> bool {
    let rooms = [
        "crates/cipherlane/src",
        "crates/dialects/src",
        "crates/objects/src",
        "lab/src",
        "cli/src",
        "prove/src",
    ];
    source.path != HOME && !source.is_test() && rooms.iter().any(|room| source.is_in(room))
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let mut names = Names::default();
    let library = sources.iter().filter(|source| source.is_library());
    library.for_each(|source| names.visit_file(&source.views[0]));
    let mut findings = Vec::new();
    if names.0.is_empty() {
        let what = "no `Algorithm { name: … }` is here, so nothing can be checked".into();
        findings.push(Finding { place: HOME.into(), rule: RULE.name, what });
    }
    for source in sources.iter().filter(|source| applies(source)) {
        let mut lists = Lists(&names.0, Vec::new());
        lists.visit_file(&source.views[0]);
        for span in lists.1 {
            let what = "a list of algorithms; ask `registry::ALGORITHMS`";
            findings.push(source.finding(RULE.name, span, what));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{HOME, RULE, Source};

    fn count(path: &str, text: &str) -> usize {
        let home = "static A: &[Algorithm] = \
                    &[Algorithm { name: \"sm4\" }, Algorithm { name: \"zuc-128\" }];";
        let home = Source::parse(HOME, home).unwrap();
        (RULE.check)(&[home, Source::parse(path, text).unwrap()]).len()
    }

    #[test]
    fn the_registry_tests_and_single_names_pass() {
        assert_eq!(count("cli/src/main.rs", "const EXAMPLE: &[&str] = &[\"sm4\", \"--json\"];"), 0);
        let test = "#[cfg(test)] mod tests { const A: [&str; 2] = [\"sm4\", \"zuc-128\"]; }";
        assert_eq!(count("lab/src/study.rs", test), 0);
        assert_eq!(
            count("lab/src/report/tests.rs", "const A: [&str; 2] = [\"sm4\", \"zuc-128\"];"),
            0
        );
        let peer = "fn f(n: &str) { match n { \"sm4\" => 1, \"zuc-128\" => 2, _ => 3 }; }";
        assert_eq!(count("lab/engines/peers/src/rustcrypto.rs", peer), 0);
    }

    #[test]
    fn second_lists_are_found() {
        for text in [
            "const A: &[&str] = &[\"sm4\", \"zuc-128\"];",
            "fn f(n: &str) { match n { \"sm4\" | \"zuc-128\" => 1, _ => 3 }; }",
            "const A: &[(&str, u8)] = &[(\"sm4\", 1), (\"zuc-128\", 2)];",
        ] {
            assert_eq!(count("cli/src/cmd/bench.rs", text), 1, "{text}");
            assert_eq!(count("crates/objects/src/aead_one_shot.rs", text), 1, "{text}");
        }
    }
}
