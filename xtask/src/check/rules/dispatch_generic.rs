//! `dispatch!` never stands in a generic function: its machine code would be
//! made again in every crate that uses the function, with that crate's settings.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::super::functions::functions;
use super::super::words::{DISPATCHERS, dispatches};
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "dispatch-generic",
    about: "`dispatch!` stands in no function that is generic over a type or constant",
    check,
};

/// Finds `dispatch!` in a function's own code, also inside another macro's arguments.
#[derive(Default)]
struct Calls(Vec<proc_macro2::Span>);

impl<'ast> Visit<'ast> for Calls {
    // Items inside the function have generics of their own.
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_macro(&mut self, found: &'ast syn::Macro) {
        if found
            .path
            .segments
            .last()
            .is_some_and(|last| DISPATCHERS.iter().any(|it| last.ident == it))
        {
            self.0.push(found.path.span());
        }
        self.0.extend(dispatches(&found.tokens));
        visit::visit_macro(self, found);
    }
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    // In a test the machine code is made in that test and nowhere else.
    for source in sources.iter().filter(|source| !source.is_test() && !source.is_in("xtask")) {
        for function in source.views.iter().flat_map(functions) {
            let Some(block) = function.block.filter(|_| function.is_generic()) else { continue };
            let mut calls = Calls::default();
            calls.visit_block(block);
            for span in calls.0 {
                let name = &function.signature.ident;
                let what = format!("`dispatch!` in the generic function `{name}`");
                findings.push(source.finding(RULE.name, span, what));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::RULE;

    const PATH: &str = "crates/cipherlane/src/ciphers/sm4/mod.rs";

    #[test]
    fn plain_functions_pass() {
        for text in [
            "fn f(l: Level) { dispatch!(l, isa => k(isa)) }",
            "fn f<'a>(l: Level, io: InOut<'a>) { dispatch!(l, isa => k(isa)) }",
            "impl<'a> S<'a> { fn f(&self) { lanes::dispatch!(self.l, isa => k(isa)) } }",
            "fn g<T>(t: T) { fn f(l: Level) { dispatch!(l, isa => k(isa)) } }",
            "impl BlockCipher for Sm4 { fn f(&self) { dispatch!(self.l, isa => k(isa)) } }",
        ] {
            assert_eq!(findings(&RULE, PATH, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn generic_functions_are_found() {
        for text in [
            "fn f<T>(l: Level, t: T) { dispatch!(l, isa => k(isa, t)) }",
            "fn f<T>(l: Level, t: T) { dispatch_sm4!(l, isa => k(isa, t)) }",
            "fn f<T>(l: Level, t: T) { assert_eq!(lanes::dispatch_sm4!(l, isa => k(isa, t)), 1) }",
            "fn f<const N: usize>(l: Level) { dispatch!(l, isa => k::<N>(isa)) }",
            "fn f(l: Level, g: impl Fn()) { dispatch!(l, isa => k(isa, g)) }",
            "fn f(l: Level, g: &mut impl Fn()) { dispatch!(l, isa => k(isa, g)) }",
            "impl<C: BlockCipher> Ctr<C> { fn f(&self) { lanes::dispatch!(self.l, isa => k(isa)) } }",
            "trait T { fn f(&self) { dispatch!(self.level(), isa => k(isa)) } }",
            "fn f<T>(l: Level, t: T) { (|| { dispatch!(l, isa => k(isa, t)) })() }",
            "fn f<T>(l: Level, t: T) { assert_eq!(dispatch!(l, isa => k(isa, t)), 1) }",
            "mod inner { fn f<T>(l: Level, t: T) { dispatch!(l, isa => k(isa, t)) } }",
            "macro_rules! m { ($n:ident) => { fn $n<T>(l: Level, t: T) { dispatch!(l, isa => k(isa, t)) } } }",
        ] {
            assert_eq!(findings(&RULE, PATH, text).len(), 1, "{text}");
        }
    }

    #[test]
    fn the_finding_names_file_line_and_function() {
        let found =
            findings(&RULE, PATH, "fn a() {}\nfn b<T>(t: T) {\n dispatch!(t, i => k(i))\n}");
        assert_eq!(
            found,
            [
                "crates/cipherlane/src/ciphers/sm4/mod.rs:3: `dispatch!` in the generic function `b` [dispatch-generic]"
            ]
        );
    }
}
