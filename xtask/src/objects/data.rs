//! What the data hold that a function's code refers to: a table of places to jump to says which way the code
//! goes without being any of it.
//!
//! Data are taken as they lie in their sections, with the names of functions whose addresses they hold. What
//! they lead to in turn is not looked at. Left out are places in sources for the messages of panics, which
//! every line added above them changes, and constants that the linker merges (`.rodata.cst16`): which of them
//! an instruction takes can't be told without decoding it, and their order is the compiler's to choose. Small
//! tables lie among these, as the lengths of levels' registers do: a change of those is not seen.

use std::collections::{BTreeMap, BTreeSet};

use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex, SymbolKind};

use super::Fnv;

/// Where the data of a name are: the object, and the section.
pub(super) type Statics<'n> = BTreeMap<&'n str, (usize, SectionIndex)>;

/// All data that have a name.
pub(super) fn statics<'n>(objects: &'n [object::File<'_>]) -> Statics<'n> {
    let mut all = Statics::new();
    for (o, object) in objects.iter().enumerate() {
        for symbol in object.symbols().filter(|it| it.kind() == SymbolKind::Data) {
            if let (Some(section), Ok(name)) = (symbol.section_index(), symbol.name()) {
                all.insert(name, (o, section));
            }
        }
    }
    all
}

/// The function in a section of an object.
type Names<'n> = dyn Fn(usize, SectionIndex) -> Option<String> + 'n;

/// A hash of the data that a function's section refers to; 0 if there are none.
pub(super) fn of(
    objects: &[object::File<'_>],
    o: usize,
    section: SectionIndex,
    statics: &Statics<'_>,
    names: &Names<'_>,
) -> u64 {
    let object = &objects[o];
    let Ok(section) = object.section_by_index(section) else { return 0 };
    let mut hashes = BTreeSet::new();
    for (_, relocation) in section.relocations() {
        let RelocationTarget::Symbol(index) = relocation.target() else { continue };
        let Ok(symbol) = object.symbol_by_index(index) else { continue };
        let place = match symbol.section_index() {
            Some(section) => Some((o, section)),
            None => symbol.name().ok().and_then(|name| statics.get(name).copied()),
        };
        let Some((o, target)) = place.filter(|&(o, it)| names(o, it).is_none()) else { continue };
        let Ok(target) = objects[o].section_by_index(target) else { continue };
        hashes.extend(held(objects, o, &target, names));
    }
    if hashes.is_empty() {
        return 0;
    }
    let mut hash = Fnv::default();
    hashes.iter().for_each(|it| hash.take(&it.to_le_bytes()));
    hash.0
}

/// A hash of what a section holds; none of a place in sources, and of constants that many functions share.
fn held(
    objects: &[object::File<'_>],
    o: usize,
    section: &object::Section<'_, '_>,
    names: &Names<'_>,
) -> Option<u64> {
    let bytes = section.data().unwrap_or_default();
    let is_shared = section.name().is_ok_and(|name| name.starts_with(".rodata.cst"));
    if is_shared || is_place_in_sources(objects, o, section) {
        return None;
    }
    let mut hash = Fnv::default();
    hash.take(bytes);
    for (place, relocation) in section.relocations() {
        hash.take(&place.to_le_bytes());
        let RelocationTarget::Symbol(index) = relocation.target() else { continue };
        let Ok(symbol) = objects[o].symbol_by_index(index) else { continue };
        let name = match symbol.section_index() {
            Some(target) => names(o, target),
            None => symbol.name().ok().map(super::plain_name),
        };
        if let Some(name) = name {
            hash.take(name.as_bytes());
            // Within a function: where a jump leads.
            hash.take(&relocation.addend().to_le_bytes());
        }
    }
    Some(hash.0)
}

/// Whether these are a file's name and length, a line and a column, as panics tell them.
fn is_place_in_sources(
    objects: &[object::File<'_>],
    o: usize,
    section: &object::Section<'_, '_>,
) -> bool {
    let mut relocations = section.relocations();
    let (Some((0, only)), None) = (relocations.next(), relocations.next()) else { return false };
    let RelocationTarget::Symbol(index) = only.target() else { return false };
    let target = objects[o].symbol_by_index(index).ok().and_then(|it| it.section_index());
    let target = target.and_then(|it| objects[o].section_by_index(it).ok());
    let name = target.and_then(|it| it.data().ok()).unwrap_or_default();
    section.size() == 24 && (name.ends_with(b".rs") || name.ends_with(b".rs\0"))
}
