//! Nothing generic over `Isa` is public in the library: a user's crate would
//! compile the kernel, unoptimised where the user debugs.

use syn::visit::{self, Visit};

use super::super::functions::{LEVEL_TRAITS, bounds_isa, functions, is_public};
use super::super::words::{Name, names};
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "isa-private",
    about: "nothing generic over `Isa` is public in crates/cipherlane",
    check,
};

/// Public types and traits that are generic over `Isa`, and re-exports of the vocabulary.
#[derive(Default)]
struct Items(Vec<(proc_macro2::Span, String)>);

impl Items {
    fn add(&mut self, public: &syn::Visibility, generics: &syn::Generics, name: &syn::Ident) {
        if is_public(public) && bounds_isa(generics) {
            self.0.push((name.span(), format!("`{name}` is public and generic over `Isa`")));
        }
    }
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.add(&item.vis, &item.generics, &item.ident);
    }
    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.add(&item.vis, &item.generics, &item.ident);
    }
    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.add(&item.vis, &item.generics, &item.ident);
        visit::visit_item_trait(self, item);
    }
    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.add(&item.vis, &item.generics, &item.ident);
    }
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_public(&item.vis) {
            return;
        }
        let tree = use_names(&item.tree);
        for word in ["dispatch", "dispatch_sm4", "*"].iter().chain(LEVEL_TRAITS).copied() {
            if tree.iter().any(|name| name == word) && tree.iter().any(|name| name == "lanes") {
                let span = item.use_token.span;
                self.0.push((span, format!("`{word}` of `lanes` is handed on to users")));
            }
        }
    }
}

/// The names of a use tree.
fn use_names(tree: &syn::UseTree) -> Vec<String> {
    match tree {
        syn::UseTree::Path(path) => {
            let mut names = use_names(&path.tree);
            names.push(path.ident.to_string());
            names
        }
        syn::UseTree::Name(name) => vec![name.ident.to_string()],
        syn::UseTree::Rename(rename) => vec![rename.ident.to_string()],
        syn::UseTree::Glob(_) => vec!["*".into()],
        syn::UseTree::Group(group) => group.items.iter().flat_map(use_names).collect(),
    }
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.is_library()) {
        for view in &source.views {
            let public = functions(view)
                .into_iter()
                .filter(|function| function.public && function.is_generic_over_isa());
            for function in public {
                let name = &function.signature.ident;
                let what = format!("`{name}` is public and generic over `Isa`");
                findings.push(source.finding(RULE.name, name.span(), what));
            }
            let mut items = Items::default();
            items.visit_file(view);
            findings.extend(
                items.0.into_iter().map(|(span, what)| source.finding(RULE.name, span, what)),
            );
        }
        let exports = names(&source.tokens)
            .into_iter()
            .filter(|(name, _)| matches!(name, Name::Ident(word) if word == "macro_export"));
        for (_, span) in exports {
            let what = "a macro for users makes machine code in their crate";
            findings.push(source.finding(RULE.name, span, what));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::RULE;

    const PATH: &str = "crates/cipherlane/src/ciphers/sm4/rounds.rs";

    #[test]
    fn the_crates_own_functions_pass() {
        for text in [
            "pub(super) fn f<I: Isa>(isa: I) {}",
            "pub(crate) struct S<I: Isa>(I::V);",
            "trait T { fn f<I: Isa>(&self, isa: I); }",
            "pub fn f<T: Copy>(t: T) {}",
            "pub use lanes::{InOut, Level, LevelError};",
        ] {
            assert_eq!(findings(&RULE, PATH, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn public_ones_are_found() {
        for text in [
            "pub fn f<I: Isa>(isa: I) {}",
            "pub fn f<I>(isa: I) where I: lanes::Isa {}",
            "pub fn f(isa: impl Isa) {}",
            "impl<I: Isa> S<I> { pub fn f(&self) {} }",
            "pub struct S<I: Isa>(I::V);",
            "pub type V<I: Isa> = I;",
            "pub trait T { fn f<I: Isa>(&self, isa: I); }",
            "pub trait T<I: Isa> {}",
            "pub use lanes::Isa;",
            "pub use lanes::Numbers;",
            "pub use lanes::*;",
            "#[macro_export] macro_rules! m { () => {} }",
        ] {
            assert_eq!(findings(&RULE, PATH, text).len(), 1, "{text}");
        }
    }
}
