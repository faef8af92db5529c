//! What the sources say must be found in the machine code, and what may be.

use std::collections::BTreeSet;

use syn::visit::Visit;

use crate::check::functions;
use crate::check::source::Source;
use crate::check::words::{dispatches, dispatches_plainly, sequences};

/// What the sources say must be found.
pub(super) struct Expected {
    /// Paths of the modules that hold a level, e.g. `lanes::x86::avx512`, or narrow registers.
    pub(super) levels: Vec<String>,
    /// Those that make no door: narrow registers are reached by the door of their level.
    pub(super) without_door: BTreeSet<String>,
    /// Modules of ciphers and hashes whose folder has a `dispatch!`, e.g. `ciphers::sm4`.
    pub(super) rooms: BTreeSet<String>,
    /// Those of them that choose levels by `dispatch_plain!` alone.
    pub(super) plain: BTreeSet<String>,
    /// Functions that are out of line on purpose: `#[inline(never)]` or `#[cold]`.
    pub(super) aside: BTreeSet<String>,
}

impl Expected {
    pub(super) fn read(sources: &[Source]) -> Self {
        let mut levels = Vec::new();
        let mut without_door = BTreeSet::new();
        let mut rooms = BTreeSet::new();
        let mut others = BTreeSet::new();
        let mut aside = BTreeSet::new();
        for source in sources {
            if source.is_library() {
                let functions = source.views.iter().flat_map(functions::functions);
                let on_purpose = functions.filter(functions::Function::is_out_of_line);
                aside.extend(on_purpose.map(|function| function.signature.ident.to_string()));
            }
            if let Some(module) = source.path.strip_prefix("crates/lanes/src/") {
                let file = module.trim_end_matches(".rs").replace('/', "::");
                if source.views[0].items.iter().any(is_level) {
                    levels.push(format!("lanes::{file}"));
                    if is_narrow(source) {
                        without_door.insert(format!("lanes::{file}"));
                    }
                }
            } else if let Some(room) = source.kernel_folder()
                && !dispatches(&source.tokens).is_empty()
            {
                let room = room.replace('/', "::");
                if !dispatches_plainly(&source.tokens) {
                    others.insert(room.clone());
                }
                rooms.insert(room);
            }
        }
        let plain = rooms.difference(&others).cloned().collect();
        Self { levels, without_door, rooms, plain, aside }
    }

    /// The level whose door this is, and the closure that it runs.
    pub(super) fn door<'a>(&'a self, name: &'a str) -> Option<(&'a str, &'a str)> {
        let (head, closure) = name.split_once("::enter::door")?;
        let level = self.levels.iter().find(|level| {
            head.trim_start_matches('<').strip_prefix(*level).is_some_and(|r| r.starts_with("::"))
        })?;
        Some((level, closure))
    }

    /// Whether the name has a level's token or register among its generic arguments,
    /// or is an operation of a level.
    pub(super) fn is_kernel(&self, name: &str) -> bool {
        if self.door(name).is_some() {
            return false;
        }
        let mentions = |text: &str| self.levels.iter().any(|l| text.contains(&format!("{l}::")));
        // A derived or inherent method of the token itself, such as Debug or `detect`.
        let own = name.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        match own {
            Some((ty, _)) if ty.contains(" as lanes::isa::") => mentions(ty),
            Some((ty, rest))
                if mentions(ty) && !ty.contains('<') && !ty.contains(['(', '{', '[']) =>
            {
                mentions(rest)
            }
            _ => self.levels.iter().any(|level| {
                name.match_indices(&format!("{level}::")).any(|(at, _)| {
                    // Not the plain path of a function in the level's own file.
                    at != 0 && !name[..at].ends_with(" as ")
                })
            }),
        }
    }
}

/// Whether the file's token is made by `narrow_token!`, which makes no door.
fn is_narrow(source: &Source) -> bool {
    !sequences(&source.tokens, &["narrow_token", "!"]).is_empty()
}

fn is_level(item: &syn::Item) -> bool {
    struct Impls(bool);
    impl<'ast> Visit<'ast> for Impls {
        fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
            let name = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
            self.0 |= name.is_some_and(|segment| segment.ident == "Registers");
        }
    }
    let mut impls = Impls(false);
    impls.visit_item(item);
    impls.0
}
