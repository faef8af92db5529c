//! Every function generic over `Isa` is `#[inline(always)]`: one that is left
//! out of line runs without the door's features, many times slower, silently.
//! In a file with kernels nobody is content with `#[inline]`, which is a hint.

use super::super::functions::functions;
use super::super::words::sequences;
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "inline-always",
    about: "every function generic over `Isa`, and every method of a level, is `#[inline(always)]`",
    check,
};

/// Whether it only tells a number about a level: it has neither token nor register.
fn is_constant(signature: &syn::Signature) -> bool {
    signature.constness.is_some() && signature.inputs.is_empty()
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let code = sources.iter().filter(|source| !source.is_test() && !source.is_in("xtask"));
    for source in code {
        for function in source.views.iter().flat_map(functions) {
            let name = &function.signature.ident;
            if function.block.is_none() || is_constant(function.signature) {
                continue;
            }
            if function.is_generic_over_isa() && !function.is_inline_always() {
                let what = format!("`{name}` is generic over `Isa` but not `#[inline(always)]`");
                findings.push(source.finding(RULE.name, name.span(), what));
            }
        }
        // Closures too.
        if source.is_library() && !sequences(&source.tokens, &["Isa"]).is_empty() {
            for span in sequences(&source.tokens, &["#", "[", "inline", "]"]) {
                let what = "only hinted `#[inline]`; say `always`, `never` or nothing";
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

    const PATH: &str = "crates/cipherlane/src/ciphers/sm4/rounds.rs";

    #[test]
    fn always_passes_and_so_do_plain_functions() {
        for text in [
            "#[inline(always)] fn f<I: Isa>(isa: I) {}",
            "#[inline(always)] fn f(isa: impl Isa) {}",
            "impl<I: Isa> S<I> { #[inline(always)] fn f(&self) {} }",
            "impl Isa for T { #[inline(always)] fn xor(self) {} }",
            "trait T { fn f<I: Isa>(isa: I); }",
            "fn f<T: Copy>(t: T) {}",
            "#[inline(always)] fn f(x: u64) -> u64 { x }",
            "#[inline(never)] fn f(x: u64) -> u64 { x }",
            "const fn depth<I: Isa>() -> usize { I::BYTES }",
            "#[inline] fn f() {}",
        ] {
            assert_eq!(findings(&RULE, PATH, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn weaker_ones_are_found() {
        for text in [
            "#[inline] fn f<I: Isa>(isa: I) {}",
            "fn f<I: Isa>(isa: I) {}",
            "#[inline(never)] fn f<I: Isa>(isa: I) {}",
            "#[inline] fn f(isa: impl Isa) {}",
            "use lanes::Isa; #[inline] fn f(x: u64) -> u64 { x }",
            "use lanes::Isa; fn f() { g(#[inline] |x| x) }",
            "fn f<I: Isa>() -> usize { I::BYTES }",
            "const fn f<I: Isa>(isa: I) {}",
            "#[cfg(test)] mod tests { fn f<I: Isa>(isa: I) {} }",
            "#[inline] fn f<I>(isa: I) where I: Copy + Isa {}",
            "impl<I: Isa> S<I> { #[inline] fn f(&self) {} }",
            "impl Isa for T { fn xor(self) {} }",
            "impl Numbers16 for T { fn add16(self) {} }",
            "#[inline] fn f<I: Rounds>(isa: I) {}",
            "trait Isa { #[inline] fn xor3(self) { self.xor() } }",
            "fn outer() { #[inline] fn f<I: Isa>(isa: I) {} }",
            "macro_rules! ops { () => { #[inline] fn xor(self, a: V) -> V { a } } }",
            "macro_rules! m { ($n:ident) => { #[inline] fn $n<I: Isa>(isa: I) {} } }",
        ] {
            assert!(!findings(&RULE, PATH, text).is_empty(), "{text}");
        }
    }
}
