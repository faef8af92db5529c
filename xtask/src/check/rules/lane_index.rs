//! No lane array is indexed by a value of the run: it would live in memory
//! instead of registers. And no array at all is indexed by something computed
//! from data: that is a secret-dependent address.
//!
//! Lane arrays are told by their types (`I::V`) and by what they are made of
//! (calls that take `isa`). Loops with constant bounds are unrolled, so their
//! variables, and what is computed from them, are allowed; so are the `usize`
//! parameters of a private function to which every caller in its file gives such
//! values; ranges cut byte slices.

use std::collections::BTreeSet;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::super::functions::{Function, functions};
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "lane-index",
    about: "kernels index registers by constants and loop variables, nothing by data",
    check,
};

/// What is known of a function's names.
#[derive(Default)]
struct Known {
    /// Those whose values the compiler knows once loops are unrolled.
    values: BTreeSet<String>,
    /// Those that hold registers.
    lanes: BTreeSet<String>,
}

impl Known {
    fn of(function: &Function<'_>, called: bool) -> Self {
        let mut known = Self::default();
        for param in function.signature.generics.const_params() {
            known.values.insert(param.ident.to_string());
        }
        for input in &function.signature.inputs {
            if let syn::FnArg::Typed(input) = input {
                let mut names = Names::default();
                names.visit_type(&input.ty);
                if names.0.contains("V") {
                    known.lanes.extend(pattern_names(&input.pat));
                } else if called && is_position(&input.ty) {
                    known.values.extend(pattern_names(&input.pat));
                }
            }
        }
        if let Some(block) = function.block {
            known.visit_block(block);
        }
        known
    }

    /// Whether an expression makes registers or takes them from where they are.
    fn makes_lanes(&self, expr: &syn::Expr) -> bool {
        let mut names = Names::default();
        names.visit_expr(expr);
        names.0.contains("isa") || !names.0.is_disjoint(&self.lanes)
    }

    /// Whether an index is made of known names, numbers and arithmetic.
    fn holds(&self, index: &syn::Expr) -> bool {
        match index {
            syn::Expr::Path(path) => path.path.segments.last().is_some_and(|segment| {
                let name = segment.ident.to_string();
                self.values.contains(&name) || !name.chars().any(|c| c.is_ascii_lowercase())
            }),
            syn::Expr::Array(array) => array.elems.iter().all(|element| self.holds(element)),
            index => arithmetic(index, &|part| self.holds(part)),
        }
    }

    /// Whether an index may be used on this array.
    fn allows(&self, array: &syn::Expr, index: &syn::Expr) -> bool {
        let lanes = root(array).is_some_and(|name| self.lanes.contains(&name));
        if lanes { self.holds(index) } else { plain(index) }
    }
}

/// Whether it is a number, a range, or arithmetic of parts that pass.
fn arithmetic(expr: &syn::Expr, passes: &dyn Fn(&syn::Expr) -> bool) -> bool {
    match expr {
        syn::Expr::Lit(_) | syn::Expr::Range(_) | syn::Expr::Const(_) => true,
        syn::Expr::Binary(binary) => passes(&binary.left) && passes(&binary.right),
        syn::Expr::Paren(paren) => passes(&paren.expr),
        syn::Expr::Group(group) => passes(&group.expr),
        _ => false,
    }
}

/// Whether the index is arithmetic of names: nothing read, called or cast.
fn plain(index: &syn::Expr) -> bool {
    match index {
        syn::Expr::Path(_) => true,
        // A range kept in a variable.
        syn::Expr::MethodCall(call) => call.method == "clone" && plain(&call.receiver),
        index => arithmetic(index, &plain),
    }
}

/// The variable that holds the array.
fn root(array: &syn::Expr) -> Option<String> {
    match array {
        syn::Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        syn::Expr::Index(index) => root(&index.expr),
        syn::Expr::Field(field) => root(&field.base),
        _ => None,
    }
}

/// Whether a parameter of this type is a position, or several: `usize`, `[usize; 2]`.
fn is_position(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => path.path.is_ident("usize"),
        syn::Type::Array(array) => is_position(&array.elem),
        _ => false,
    }
}

/// All calls of functions by name in a piece of code.
#[derive(Default)]
struct Calls<'a>(Vec<(&'a proc_macro2::Ident, &'a syn::ExprCall)>);

impl<'a> Visit<'a> for Calls<'a> {
    fn visit_item(&mut self, _: &'a syn::Item) {}

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func
            && let Some(last) = path.path.segments.last()
        {
            self.0.push((&last.ident, call));
        }
        visit::visit_expr_call(self, call);
    }
}

/// All identifiers of a piece of syntax.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl<'ast> Visit<'ast> for Names {
    fn visit_ident(&mut self, ident: &'ast proc_macro2::Ident) {
        self.0.insert(ident.to_string());
    }
}

fn pattern_names(pattern: &syn::Pat) -> BTreeSet<String> {
    let mut names = Names::default();
    names.visit_pat(pattern);
    names.0
}

impl<'ast> Visit<'ast> for Known {
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_expr_for_loop(&mut self, found: &'ast syn::ExprForLoop) {
        let names = pattern_names(&found.pat);
        if self.makes_lanes(&found.expr) {
            self.lanes.extend(names.clone());
        }
        self.values.extend(names);
        visit::visit_expr_for_loop(self, found);
    }

    fn visit_expr_closure(&mut self, found: &'ast syn::ExprClosure) {
        found.inputs.iter().for_each(|input| self.values.extend(pattern_names(input)));
        visit::visit_expr_closure(self, found);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            if self.makes_lanes(&init.expr) {
                self.lanes.extend(pattern_names(&local.pat));
            }
            let known = match &*init.expr {
                syn::Expr::Tuple(tuple) => tuple.elems.iter().all(|value| self.holds(value)),
                value => self.holds(value),
            };
            if known {
                self.values.extend(pattern_names(&local.pat));
            }
        }
        visit::visit_local(self, local);
    }
}

struct Indexes<'k>(&'k Known, Vec<proc_macro2::Span>);

impl<'ast> Visit<'ast> for Indexes<'_> {
    fn visit_item(&mut self, _: &'ast syn::Item) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_expr_index(&mut self, found: &'ast syn::ExprIndex) {
        if !self.0.allows(&found.expr, &found.index) {
            self.1.push(found.index.span());
        }
        visit::visit_expr_index(self, found);
    }
}

/// The faults of one file: places and what is wrong.
fn faults(functions: &[Function<'_>]) -> Vec<(proc_macro2::Span, String)> {
    let kernel = |f: &&Function<'_>| !f.test && f.block.is_some() && f.is_generic_over_isa();
    let mut calls = Calls::default();
    for block in functions.iter().filter(|f| !f.test).filter_map(|f| f.block) {
        calls.visit_block(block);
    }
    // Callers elsewhere can't be seen, so what they can reach is given nothing.
    let steady =
        |f: &Function<'_>| f.private && calls.0.iter().any(|(name, _)| **name == f.signature.ident);
    let mut faults = Vec::new();
    for function in functions.iter().filter(|f| !f.test) {
        let Some(block) = function.block else { continue };
        let known = Known::of(function, kernel(&function) && steady(function));
        if kernel(&function) {
            let mut indexes = Indexes(&known, Vec::new());
            indexes.visit_block(block);
            let name = &function.signature.ident;
            let what = format!("`{name}` indexes an array by a value of the run");
            faults.extend(indexes.1.into_iter().map(|span| (span, what.clone())));
        }
        let mut inside = Calls::default();
        inside.visit_block(block);
        for (name, call) in inside.0 {
            let target = functions.iter().filter(kernel).find(|f| f.signature.ident == *name);
            let Some(target) = target.filter(|f| steady(f) && uses_positions(f)) else { continue };
            for (input, argument) in target.signature.inputs.iter().zip(&call.args) {
                let position = matches!(input, syn::FnArg::Typed(i) if is_position(&i.ty));
                if position && !known.holds(argument) {
                    faults.push((argument.span(), format!("`{name}` is given a value of the run")));
                }
            }
        }
    }
    faults
}

/// Whether a function indexes registers by its parameters.
fn uses_positions(function: &Function<'_>) -> bool {
    let without = Known::of(function, false);
    let mut indexes = Indexes(&without, Vec::new());
    if let Some(block) = function.block {
        indexes.visit_block(block);
    }
    !indexes.1.is_empty()
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.is_library()) {
        let functions: Vec<_> = source.views.iter().flat_map(functions).collect();
        for (span, what) in faults(&functions) {
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

    fn count(body: &str) -> usize {
        let head = "fn k<I: Isa, const U: usize>(isa: I, a: [I::V; 4], keys: &[u32], n: usize)";
        findings(&RULE, PATH, &format!("{head} {{ {body}; }}")).len()
    }

    #[test]
    fn constants_and_loops_pass() {
        for body in [
            "a[3]",
            "for r in 0..4 { a[(r + 1) % 4] = a[U - 1 - r]; }",
            "for (i, x) in a.iter().enumerate() { let j = 4 * i; a[j + 1]; }",
            "bytes[n..n + 16]",
            "const { TABLE[f(3)] }",
            "for r in 0..32 { keys[r ^ n]; }",
        ] {
            assert_eq!(count(body), 0, "{body}");
        }
        assert_eq!(findings(&RULE, PATH, "fn plain(n: usize) { a[n]; }"), [""; 0]);
    }

    #[test]
    fn values_of_the_run_are_found() {
        for body in [
            "a[n]",
            "a[(n + 1) % 4]",
            "let b = [isa.zero(); 4]; b[n]",
            "let b = [[isa.zero(); 4]; 4]; b[2][n]",
            "for x in &mut groups(isa) { x[n]; }",
            "let m = f(); a[m]",
            "for r in 0..4 { a[ORDER[r]]; }",
        ] {
            assert_eq!(count(body), 1, "{body}");
        }
    }

    #[test]
    fn positions_are_known_at_every_call() {
        let link =
            "fn link<I: Isa>(isa: I, x: &mut [I::V; 4], [a, b]: [usize; 2]) { x[a] = x[b]; }";
        let call = |argument: &str| {
            let text =
                format!("{link} fn k<I: Isa>(isa: I, n: usize) {{ link(isa, x, {argument}) }}");
            findings(&RULE, PATH, &text).len()
        };
        assert_eq!(call("[0, 3]"), 0);
        assert_eq!(call("[0, n]"), 1);
        assert_eq!(call("positions"), 1);
    }

    #[test]
    fn positions_are_handed_on_by_private_functions_only() {
        let count = |visible: &str, argument: &str| {
            let swap =
                "fn swap<I: Isa>(isa: I, x: &mut [I::V; 4], a: usize) { x[a] = isa.zero(); }";
            let call = format!("for r in 0..4 {{ swap(isa, x, {argument}); }}");
            let k = format!("fn k<I: Isa>(isa: I, x: &mut [I::V; 4], n: usize) {{ {call} }}");
            findings(&RULE, PATH, &format!("{visible} {swap} {k}")).len()
        };
        assert_eq!(count("", "2 * r + 1"), 0);
        assert_eq!(count("", "n"), 1);
        assert_eq!(count("pub(super)", "r"), 1);
    }

    #[test]
    fn addresses_from_data_are_found() {
        for body in [
            "SBOX[usize::from(x)]",
            "SBOX[x as usize]",
            "bytes.map(|b| SBOX[b as usize])",
            "keys[ORDER[n]]",
        ] {
            assert_eq!(count(body), 1, "{body}");
        }
    }
}
