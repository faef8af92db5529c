//! The functions of a file with all that they are generic over.

use syn::visit::{self, Visit};
use syn::{Attribute, Block, FnArg, GenericParam, Generics, Signature, Type, TypeParamBound};

/// The traits of a level: all operations, and each sort of them.
pub(super) const LEVEL_TRAITS: &[&str] =
    &["Isa", "Registers", "Numbers", "Numbers16", "CarrylessProducts", "ByteMaps", "Rounds"];

/// A function, wherever it stands.
pub(super) struct Function<'a> {
    pub(super) attributes: &'a [Attribute],
    pub(super) signature: &'a Signature,
    pub(super) block: Option<&'a Block>,
    /// Whether users of the crate may be able to name it.
    pub(super) public: bool,
    /// Whether nobody outside its module can name it.
    pub(super) private: bool,
    /// Whether it lies under `#[cfg(test)]`.
    pub(super) test: bool,
    outer: Vec<&'a Generics>,
    /// Whether `Self` stands for some type that a user of the code chooses.
    generic_self: bool,
    /// Whether `Self` is a level: a method of one of its traits.
    level_self: bool,
}

impl Function<'_> {
    /// Whether it is compiled once per type or constant.
    pub(super) fn is_generic(&self) -> bool {
        let generics = self.outer.iter().copied().chain([&self.signature.generics]);
        let named = generics
            .flat_map(|generics| &generics.params)
            .any(|param| !matches!(param, GenericParam::Lifetime(_)));
        named || self.generic_self || self.arguments().any(|ty| mentions_impl(ty, &[]))
    }

    /// Whether it is compiled once per instruction set.
    pub(super) fn is_generic_over_isa(&self) -> bool {
        self.level_self
            || self.outer.iter().any(|generics| bounds_isa(generics))
            || bounds_isa(&self.signature.generics)
            || self.arguments().any(|ty| mentions_impl(ty, LEVEL_TRAITS))
    }

    /// Whether its only inlining attribute is `#[inline(always)]`.
    pub(super) fn is_inline_always(&self) -> bool {
        let mut inline = self.attributes.iter().filter(|found| found.path().is_ident("inline"));
        let Some(first) = inline.next() else { return false };
        let always = first.parse_args::<syn::Ident>().is_ok_and(|ident| ident == "always");
        always && inline.next().is_none()
    }

    /// Whether it is kept out of line: `#[inline(never)]` or `#[cold]`.
    pub(super) fn is_out_of_line(&self) -> bool {
        self.attributes.iter().any(|found| {
            let never = || found.parse_args::<syn::Ident>().is_ok_and(|word| word == "never");
            found.path().is_ident("cold") || (found.path().is_ident("inline") && never())
        })
    }

    fn arguments(&self) -> impl Iterator<Item = &Type> {
        self.signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(&*typed.ty),
            _ => None,
        })
    }
}

/// Whether one of the parameters has the bound `Isa`, or that of a sort of operations.
pub(super) fn bounds_isa(generics: &Generics) -> bool {
    struct Bounds(bool);
    impl<'ast> Visit<'ast> for Bounds {
        fn visit_type_param_bound(&mut self, bound: &'ast TypeParamBound) {
            self.0 |= is_bound(bound, LEVEL_TRAITS);
            visit::visit_type_param_bound(self, bound);
        }
    }
    let mut bounds = Bounds(false);
    bounds.visit_generics(generics);
    bounds.0
}

fn is_bound(bound: &TypeParamBound, names: &[&str]) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    bound.path.segments.last().is_some_and(|segment| names.iter().any(|it| segment.ident == it))
}

/// Whether the type holds an `impl Trait`, of one of those names if any are given.
fn mentions_impl(ty: &Type, names: &[&str]) -> bool {
    struct Impls<'n>(bool, &'n [&'n str]);
    impl<'ast> Visit<'ast> for Impls<'_> {
        fn visit_type_impl_trait(&mut self, found: &'ast syn::TypeImplTrait) {
            self.0 |= self.1.is_empty() || found.bounds.iter().any(|b| is_bound(b, self.1));
            visit::visit_type_impl_trait(self, found);
        }
    }
    let mut impls = Impls(false, names);
    impls.visit_type(ty);
    impls.0
}

/// Whether `#[cfg(test)]` or `#[test]` stands here.
pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let cfg = attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|ident| ident == "test");
        cfg || attribute.path().is_ident("test")
    })
}

/// Every function of a file, nested ones too.
pub(super) fn functions(file: &syn::File) -> Vec<Function<'_>> {
    let mut collector = Collector { found: Vec::new(), scope: Scope::default() };
    collector.visit_file(file);
    collector.found
}

/// What surrounds a function.
#[derive(Clone, Default)]
struct Scope<'a> {
    outer: Vec<&'a Generics>,
    test: bool,
    public_trait: bool,
    generic_self: bool,
    level_self: bool,
}

struct Collector<'a> {
    found: Vec<Function<'a>>,
    scope: Scope<'a>,
}

impl<'a> Collector<'a> {
    fn within(&mut self, scope: Scope<'a>, visit: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.scope, scope);
        visit(self);
        self.scope = outside;
    }

    fn add(
        &mut self,
        attributes: &'a [Attribute],
        signature: &'a Signature,
        block: Option<&'a Block>,
        visibility: Option<&syn::Visibility>,
    ) {
        let scope = self.scope.clone();
        let test = scope.test || is_test(attributes);
        self.found.push(Function {
            attributes,
            signature,
            block,
            public: scope.public_trait || visibility.is_some_and(is_public),
            private: matches!(visibility, Some(syn::Visibility::Inherited)),
            test,
            outer: scope.outer,
            generic_self: scope.generic_self,
            level_self: scope.level_self,
        });
        // An item inside a function sees nothing of the function's generics.
        if let Some(block) = block {
            self.within(Scope { test, ..Scope::default() }, |this| this.visit_block(block));
        }
    }
}

impl<'a> Visit<'a> for Collector<'a> {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        let test = self.scope.test || is_test(&item.attrs);
        self.within(Scope { test, ..Scope::default() }, |this| visit::visit_item_mod(this, item));
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.add(&item.attrs, &item.sig, Some(&item.block), Some(&item.vis));
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let last = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let scope = Scope {
            outer: vec![&item.generics],
            test: self.scope.test || is_test(&item.attrs),
            level_self: last.is_some_and(|last| LEVEL_TRAITS.iter().any(|it| last.ident == it)),
            ..Scope::default()
        };
        self.within(scope, |this| visit::visit_item_impl(this, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.add(&item.attrs, &item.sig, Some(&item.block), Some(&item.vis));
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        let scope = Scope {
            outer: vec![&item.generics],
            test: self.scope.test || is_test(&item.attrs),
            public_trait: is_public(&item.vis),
            generic_self: true,
            level_self: LEVEL_TRAITS.iter().any(|it| item.ident == it),
        };
        self.within(scope, |this| visit::visit_item_trait(this, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        self.add(&item.attrs, &item.sig, item.default.as_ref(), None);
    }
}

/// Whether the visibility is a plain `pub`.
pub(super) fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

#[cfg(test)]
mod tests {
    use super::LEVEL_TRAITS;

    #[test]
    fn the_traits_of_a_level_are_those_that_lanes_has() {
        let text = include_str!("../../../crates/lanes/src/isa.rs");
        let exported = text.lines().filter_map(|line| line.strip_prefix("pub use "));
        let sorts = exported.map(|path| path.rsplit("::").next().unwrap().trim_end_matches(';'));
        let mut there: Vec<_> = sorts.chain(["Isa"]).collect();
        let mut known = LEVEL_TRAITS.to_vec();
        there.sort_unstable();
        known.sort_unstable();
        assert_eq!(there, known);
    }
}
