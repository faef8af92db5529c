//! What the data hold that a function's code refers to: a table of places to jump to says which way the code
//! goes without being any of it.
//!
//! Data are taken as they lie in their sections, with the names of functions whose addresses they hold. What
//! they lead to in turn is not looked at. Of constants that the linker merges (`.rodata.cst16`; small tables are
//! among them), whose order is the compiler's to choose, the bytes that an instruction reads are taken, and where it
//! takes an address alone, all behind it of that constant: for that instructions of x86-64 are decoded, and elsewhere
//! such constants are left out. So are identities of types, and places in sources for the messages of
//! panics, which every line added above them changes.

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{Decoder, DecoderOptions, Mnemonic};
use object::{
    Architecture, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex, SymbolKind,
};

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
    let mut operands = None;
    let mut hashes = BTreeSet::new();
    for (at, relocation) in section.relocations() {
        let RelocationTarget::Symbol(index) = relocation.target() else { continue };
        let Ok(symbol) = object.symbol_by_index(index) else { continue };
        let place = match symbol.section_index() {
            Some(section) => Some((o, section)),
            None => symbol.name().ok().and_then(|name| statics.get(name).copied()),
        };
        let Some((o, target)) = place.filter(|&(o, it)| names(o, it).is_none()) else { continue };
        let Ok(target) = objects[o].section_by_index(target) else { continue };
        if let Some(length) = merged(&target) {
            let operands = operands.get_or_insert_with(|| match object.architecture() {
                Architecture::X86_64 => operands_in(section.data().unwrap_or_default()),
                _ => BTreeMap::new(),
            });
            let Some(operand) = operands.get(&at) else { continue };
            let from = symbol.address().wrapping_add_signed(relocation.addend() + operand.behind);
            let constant = constant(target.data().unwrap_or_default(), length, from, operand.bytes);
            hashes.extend(constant.map(|bytes| {
                let mut hash = Fnv::default();
                hash.take(bytes);
                hash.0
            }));
        } else {
            hashes.extend(held(objects, o, &target, names));
        }
    }
    if hashes.is_empty() {
        return 0;
    }
    let mut hash = Fnv::default();
    hashes.iter().for_each(|it| hash.take(&it.to_le_bytes()));
    hash.0
}

/// What an instruction refers to by the place that the linker fills in.
#[derive(Debug, PartialEq, Eq)]
struct Operand {
    /// How many bytes behind that place the instruction ends, from where the address counts.
    behind: i64,
    /// How many bytes are read; 0 where the address alone is taken.
    bytes: u64,
}

/// The operands in code of x86-64 that the linker fills in, by their places.
fn operands_in(code: &[u8]) -> BTreeMap<u64, Operand> {
    let mut operands = BTreeMap::new();
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    while decoder.can_decode() {
        let from = decoder.ip();
        let instruction = decoder.decode();
        let offsets = decoder.get_constant_offsets(&instruction);
        // Sixteen bytes that are compared so are the identity of a type, which every build has anew.
        let is_identity = instruction.mnemonic() == Mnemonic::Pcmpeqb;
        let is_placed = instruction.is_ip_rel_memory_operand() && offsets.has_displacement();
        if is_placed && !is_identity {
            let place = from + offsets.displacement_offset() as u64;
            let bytes = instruction.memory_size().size() as u64;
            let behind = (instruction.next_ip() - place) as i64;
            operands.insert(place, Operand { behind, bytes });
        }
    }
    operands
}

/// The length of the constants in a section, if the linker merges equal ones.
fn merged(section: &object::Section<'_, '_>) -> Option<u64> {
    section.name().ok()?.strip_prefix(".rodata.cst")?.parse().ok().filter(|&it| it > 0)
}

/// So many bytes of constants of this length, or all of one behind its beginning if none are said.
fn constant(constants: &[u8], length: u64, from: u64, bytes: u64) -> Option<&[u8]> {
    let end = if bytes == 0 { (from / length + 1) * length } else { from.checked_add(bytes)? };
    constants.get(usize::try_from(from).ok()?..usize::try_from(end).ok()?)
}

/// A hash of what a section holds; none of a place in sources.
fn held(
    objects: &[object::File<'_>],
    o: usize,
    section: &object::Section<'_, '_>,
    names: &Names<'_>,
) -> Option<u64> {
    let bytes = section.data().unwrap_or_default();
    if is_place_in_sources(objects, o, section) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_found_by_the_places_that_the_linker_fills_in() {
        #[rustfmt::skip]
        let code = [
            0xc5, 0xf9, 0x6f, 0x05, 0, 0, 0, 0, // vmovdqa xmm0, [rip]
            0x80, 0x3d, 0, 0, 0, 0, 5, // cmp byte [rip], 5
            0x48, 0x8d, 0x05, 0, 0, 0, 0, // lea rax, [rip]
            0x62, 0xf3, 0x75, 0x58, 0x25, 0x05, 0, 0, 0, 0, 0x96, // vpternlogd zmm0, zmm1, [rip] {1to16}
            0x48, 0x8b, 0x07, // mov rax, [rdi]
            0x66, 0x0f, 0x74, 0x05, 0, 0, 0, 0, // pcmpeqb xmm0, [rip]
        ];
        let found: Vec<_> = operands_in(&code).into_iter().collect();
        let operand = |behind, bytes| Operand { behind, bytes };
        let expected =
            [(4, operand(4, 16)), (10, operand(5, 1)), (18, operand(4, 0)), (28, operand(5, 4))];
        assert_eq!(found, expected);
    }

    #[test]
    fn of_merged_constants_what_is_read_is_taken() {
        let constants: Vec<u8> = (0..64).collect();
        assert_eq!(constant(&constants, 32, 40, 4), Some(&[40, 41, 42, 43][..]));
        assert_eq!(constant(&constants, 32, 40, 0), Some(&constants[40..64]));
        assert_eq!(constant(&constants, 32, 62, 4), None);
        assert_eq!(constant(&constants, 32, u64::MAX, 4), None);
    }
}
