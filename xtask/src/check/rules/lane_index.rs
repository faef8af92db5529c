//! No lane array is indexed by a value of the run: it would live in memory
//! instead of registers. And no array at all is indexed by something computed
//! from data: that is a secret-dependent address.
//!
//! Lane arrays are told by their types (`I::V`) and by what they are made of
//! (calls that take `isa`). Loops with constant bounds are unrolled, so their
//! variables, and what is computed from them, are allowed; so are positions that
//! every caller writes as an array of numbers; ranges cut byte slices.

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
    fn of(function: &Function<'_>) -> Self {
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
                } else if is_positions(input) {
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

/// Whether a parameter takes positions apart: `[a, b]: [usize; 2]`.
fn is_positions(input: &syn::PatType) -> bool {
    let syn::Type::Array(array) = &*input.ty else { return false };
    let syn::Type::Path(element) = &*array.elem else { return false };
    matches!(&*input.pat, syn::Pat::Slice(_)) && element.path.is_ident("usize")
}

/// Calls in which the argument for positions is no array of numbers.
struct Callers<'n> {
    name: &'n proc_macro2::Ident,
    argument: usize,
    faults: Vec<proc_macro2::Span>,
}

impl<'ast> Visit<'ast> for Callers<'_> {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func
            && path.path.segments.last().is_some_and(|segment| segment.ident == *self.name)
        {
            let numbers = call.args.iter().nth(self.argument).is_some_and(|argument| {
                let syn::Expr::Array(array) = argument else { return false };
                array.elems.iter().all(|element| matches!(element, syn::Expr::Lit(_)))
            });
            if !numbers {
                self.faults.push(call.span());
            }
        }
        visit::visit_expr_call(self, call);
    }
}

/// The calls of a function in its file that give it positions of the run.
fn unsteady_callers(source: &Source, function: &Function<'_>) -> Vec<proc_macro2::Span> {
    let mut faults = Vec::new();
    for (argument, input) in function.signature.inputs.iter().enumerate() {
        if matches!(input, syn::FnArg::Typed(input) if is_positions(input)) {
            let name = &function.signature.ident;
            let mut callers = Callers { name, argument, faults: Vec::new() };
            source.views.iter().for_each(|view| callers.visit_file(view));
            faults.extend(callers.faults);
        }
    }
    faults
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
            indexes.1.extend(unsteady_callers(source, &function));
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
    fn positions_are_numbers_at_every_call() {
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
