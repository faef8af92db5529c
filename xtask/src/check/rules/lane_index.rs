//! No lane array is indexed by a value of the run: it would live in memory
//! instead of registers, and an index made from data is a secret-dependent address.
//!
//! Loops with constant bounds are unrolled, so their variables, and what is
//! computed from them, are allowed; ranges cut byte slices and are allowed too.

use std::collections::BTreeSet;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::super::functions::{Function, functions};
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "lane-index",
    about: "kernels index arrays by constants and loop variables only",
    check,
};

/// Names whose values the compiler knows once loops are unrolled.
struct Known {
    names: BTreeSet<String>,
}

impl Known {
    fn of(function: &Function<'_>) -> Self {
        let mut known = Self { names: BTreeSet::new() };
        for param in function.signature.generics.const_params() {
            known.names.insert(param.ident.to_string());
        }
        if let Some(block) = function.block {
            known.visit_block(block);
        }
        known
    }

    fn add(&mut self, pattern: &syn::Pat) {
        struct Names<'k>(&'k mut BTreeSet<String>);
        impl<'ast> Visit<'ast> for Names<'_> {
            fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
                self.0.insert(pattern.ident.to_string());
            }
        }
        Names(&mut self.names).visit_pat(pattern);
    }

    /// Whether an index is made of known names, numbers and arithmetic.
    fn holds(&self, index: &syn::Expr) -> bool {
        match index {
            syn::Expr::Lit(_) | syn::Expr::Range(_) | syn::Expr::Const(_) => true,
            syn::Expr::Path(path) => path.path.segments.last().is_some_and(|segment| {
                let name = segment.ident.to_string();
                self.names.contains(&name) || !name.chars().any(|c| c.is_ascii_lowercase())
            }),
            syn::Expr::Binary(binary) => self.holds(&binary.left) && self.holds(&binary.right),
            syn::Expr::Paren(paren) => self.holds(&paren.expr),
            syn::Expr::Group(group) => self.holds(&group.expr),
            _ => false,
        }
    }
}

impl<'ast> Visit<'ast> for Known {
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_expr_for_loop(&mut self, found: &'ast syn::ExprForLoop) {
        self.add(&found.pat);
        visit::visit_expr_for_loop(self, found);
    }

    fn visit_expr_closure(&mut self, found: &'ast syn::ExprClosure) {
        found.inputs.iter().for_each(|input| self.add(input));
        visit::visit_expr_closure(self, found);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let parts = match (&local.pat, local.init.as_ref().map(|init| &*init.expr)) {
            (pattern, Some(syn::Expr::Tuple(tuple))) if matches!(pattern, syn::Pat::Tuple(_)) => {
                tuple.elems.iter().all(|value| self.holds(value))
            }
            (_, Some(value)) => self.holds(value),
            _ => false,
        };
        if parts {
            self.add(&local.pat);
        }
        visit::visit_local(self, local);
    }
}

struct Indexes<'k>(&'k Known, Vec<proc_macro2::Span>);

impl<'ast> Visit<'ast> for Indexes<'_> {
    fn visit_item(&mut self, _: &'ast syn::Item) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_expr_index(&mut self, found: &'ast syn::ExprIndex) {
        if !self.0.holds(&found.index) {
            self.1.push(found.index.span());
        }
        visit::visit_expr_index(self, found);
    }
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.is_library()) {
        for function in source.views.iter().flat_map(functions) {
            let Some(block) = function.block else { continue };
            if function.test || !function.is_generic_over_isa() {
                continue;
            }
            let known = Known::of(&function);
            let mut indexes = Indexes(&known, Vec::new());
            indexes.visit_block(block);
            for span in indexes.1 {
                let name = &function.signature.ident;
                let what = format!("`{name}` indexes an array by a value of the run");
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

    const PATH: &str = "crates/cipherlane/src/sm4/rounds.rs";

    #[test]
    fn constants_and_loops_pass() {
        for body in [
            "a[3]",
            "for r in 0..4 { a[(r + 1) % 4] = b[U - 1 - r]; }",
            "core::array::from_fn(|i| a[i])",
            "for (i, x) in a.iter().enumerate() { let j = 4 * i; b[j + 1]; }",
            "bytes[offset..offset + 16]",
            "const { TABLE[f(3)] }",
        ] {
            let text = format!("fn k<I: Isa, const U: usize>(isa: I, n: usize) {{ {body}; }}");
            assert_eq!(findings(&RULE, PATH, &text), [""; 0], "{body}");
        }
        assert_eq!(findings(&RULE, PATH, "fn plain(n: usize) { a[n]; }"), [""; 0]);
    }

    #[test]
    fn values_of_the_run_are_found() {
        for body in [
            "a[n]",
            "a[(n + 1) % 4]",
            "SBOX[usize::from(x)]",
            "SBOX[x as usize]",
            "for r in 0..4 { a[ORDER[r]]; }",
            "bytes.map(|b| SBOX[b as usize])",
            "let m = f(); a[m]",
        ] {
            let text = format!("fn k<I: Isa>(isa: I, n: usize) {{ {body}; }}");
            assert_eq!(findings(&RULE, PATH, &text).len(), 1, "{body}");
        }
    }
}
