//! Macro bodies as syntax: `$name` read as `name`, each repetition once.
//!
//! A rule must see functions that a `macro_rules!` writes. Full expansion would
//! need the compiler; one turn of every repetition is enough to see the
//! functions, their attributes and their generics.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::visit::Visit;

/// The bodies of all `macro_rules!` of a file that read as items or as methods.
pub(super) fn macro_bodies(file: &syn::File) -> Vec<syn::File> {
    struct Definitions(Vec<syn::File>);
    impl<'ast> Visit<'ast> for Definitions {
        fn visit_macro(&mut self, found: &'ast syn::Macro) {
            if found.path.is_ident("macro_rules") {
                self.0.extend(transcribers(&found.tokens).filter_map(|body| parse(&once(body))));
            }
        }
    }
    let mut definitions = Definitions(Vec::new());
    definitions.visit_file(file);
    definitions.0
}

/// The right-hand sides of the arms of a `macro_rules!`.
fn transcribers(arms: &TokenStream) -> impl Iterator<Item = TokenStream> {
    let groups = arms.clone().into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    groups.skip(1).step_by(2)
}

/// The tokens with every `$` resolved as the head of this file says.
fn once(tokens: TokenStream) -> TokenStream {
    let mut out = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                let Some(TokenTree::Group(group)) =
                    tokens.next_if(|next| matches!(next, TokenTree::Group(_)))
                else {
                    continue;
                };
                out.extend(once(group.stream()));
                // The separator, if any, then the operator.
                while tokens
                    .next_if(
                        |next| matches!(next, TokenTree::Punct(p) if "*+?,;|".contains(p.as_char())),
                    )
                    .is_some()
                {}
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), once(group.stream()));
                inner.set_span(group.span());
                out.push(TokenTree::Group(inner));
            }
            token => out.push(token),
        }
    }
    out.into_iter().collect()
}

/// The tokens as items, as methods of a level, or as the statements of a function.
fn parse(body: &TokenStream) -> Option<syn::File> {
    let wrapped = |head: &str| {
        let head: TokenStream = head.parse().ok()?;
        let block = TokenTree::Group(Group::new(Delimiter::Brace, body.clone()));
        syn::parse2(head.into_iter().chain([block]).collect()).ok()
    };
    let items = syn::parse2::<syn::File>(body.clone()).ok();
    let methods = items.as_ref().is_some_and(|file| file.items.iter().any(is_method));
    items
        .filter(|_| !methods)
        .or_else(|| wrapped("impl Isa for MacroBody"))
        .or_else(|| wrapped("fn macro_body()"))
}

/// Whether it takes `self`, though it reads as a function on its own.
fn is_method(item: &syn::Item) -> bool {
    matches!(item, syn::Item::Fn(function) if function.sig.receiver().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(text: &str) -> Vec<syn::File> {
        macro_bodies(&syn::parse_str(text).unwrap())
    }

    #[test]
    fn items_in_repetitions_are_seen() {
        let text = "macro_rules! m { ($($T:ty),*) => { $( impl A for $T { fn f(&self) {} } )* }; \
                    (@x $e:expr) => { fn g() { $e } } }";
        let files = bodies(text);
        assert_eq!(files.len(), 2);
        assert!(matches!(files[0].items[0], syn::Item::Impl(_)));
        assert!(matches!(files[1].items[0], syn::Item::Fn(_)));
    }

    #[test]
    fn methods_are_seen_as_those_of_a_level() {
        let files =
            bodies("macro_rules! m { () => { type V = V; fn xor(self, a: V) -> V { a } } }");
        let syn::Item::Impl(found) = &files[0].items[0] else { panic!("no impl") };
        assert_eq!(found.items.len(), 2);
    }
}
