//! The functions of a program or an archive, what they refer to, and what their machine code is.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

mod data;

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex, SymbolKind};

/// One function of an object file.
pub(crate) struct Function {
    /// Demangled, without hashes.
    pub(crate) name: String,
    /// The functions its code refers to.
    pub(crate) refers: BTreeSet<usize>,
    /// How often data refers to it: tables of methods, rows of a registry.
    pub(crate) by_data: u32,
    /// Of its machine code, where that is a section of its own, as in an archive: equal wherever
    /// the same code is compiled. 0 elsewhere.
    pub(crate) code: u64,
    /// Of the data that its code refers to, with the functions that these lead to; what is left out
    /// [`data`] says. 0 where there are none.
    pub(crate) data: u64,
}

/// All functions of a program, or of the members of an archive.
pub(crate) fn functions_in(path: &Path) -> Result<Vec<Function>, String> {
    functions_of(&[path.to_owned()])
}

/// All functions of these files, which refer to each other.
pub(crate) fn functions_of(paths: &[PathBuf]) -> Result<Vec<Function>, String> {
    let mut files = Vec::new();
    for path in paths {
        files.push(fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    let mut objects = Vec::new();
    for (path, data) in paths.iter().zip(&files) {
        let say = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let Ok(archive) = ArchiveFile::parse(&**data) else {
            objects.push(object::File::parse(&**data).map_err(|error| say(&error))?);
            continue;
        };
        for member in archive.members() {
            let member = member.map_err(|error| say(&error))?;
            let bytes = member.data(&**data).map_err(|error| say(&error))?;
            // An archive of Rust also holds its metadata, which is no code.
            if let Ok(object) = object::File::parse(bytes) {
                objects.push(object);
            }
        }
    }
    Ok(linked(&objects))
}

/// The functions of these objects with what they refer to, across objects.
fn linked(objects: &[object::File<'_>]) -> Vec<Function> {
    // Each function has a section of its own in an archive; in a program, where
    // they share one, there are no relocations either.
    let mut functions = Vec::new();
    let mut by_section = BTreeMap::new();
    let mut by_name = BTreeMap::new();
    for (o, object) in objects.iter().enumerate() {
        for symbol in object.symbols().filter(is_function) {
            let (Some(section), Ok(name)) = (symbol.section_index(), symbol.name()) else {
                continue;
            };
            by_section.insert((o, section.0), functions.len());
            by_name.insert(name, functions.len());
            let name = plain_name(name);
            let refers = BTreeSet::new();
            functions.push(Function { name, refers, by_data: 0, code: 0, data: 0 });
        }
    }
    let statics = data::statics(objects);
    for (o, object) in objects.iter().enumerate() {
        for section in object.sections() {
            let name = section.name().unwrap_or_default();
            if name.starts_with(".debug") || name.starts_with(".eh_frame") {
                continue;
            }
            if let Some(&function) = by_section.get(&(o, section.index().0)) {
                let name = |section: SectionIndex| {
                    by_section.get(&(o, section.0)).map(|&it| functions[it].name.clone())
                };
                functions[function].code = code_of(object, &section, &name);
            }
            for (_, relocation) in section.relocations() {
                let RelocationTarget::Symbol(index) = relocation.target() else { continue };
                let Ok(symbol) = object.symbol_by_index(index) else { continue };
                let target = match symbol.section_index() {
                    Some(section) => by_section.get(&(o, section.0)),
                    None => symbol.name().ok().and_then(|name| by_name.get(name)),
                };
                match (by_section.get(&(o, section.index().0)), target) {
                    (Some(&from), Some(&to)) => _ = functions[from].refers.insert(to),
                    (None, Some(&to)) => functions[to].by_data += 1,
                    (_, None) => {}
                }
            }
        }
    }
    for ((o, section), &function) in &by_section {
        // What it tells is another number in every build.
        if functions[function].name.ends_with("core::any::Any>::type_id") {
            continue;
        }
        let names = |o: usize, index: SectionIndex| {
            by_section.get(&(o, index.0)).map(|&it| functions[it].name.clone())
        };
        let data = data::of(objects, *o, SectionIndex(*section), &statics, &names);
        functions[function].data = data;
    }
    functions
}

/// Demangled, without the hashes that tell crates of different builds apart.
pub(crate) fn plain_name(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}

/// A hash of a function's code: of its bytes but those that the linker fills in, and of the names of
/// the functions whose addresses these are. What lies in data has no name that stays, and a [hash](data) of its
/// own.
fn code_of(
    object: &object::File<'_>,
    section: &object::Section<'_, '_>,
    function_in: &dyn Fn(SectionIndex) -> Option<String>,
) -> u64 {
    let mut bytes = section.data().unwrap_or_default().to_vec();
    let mut hash = Fnv::default();
    for (place, relocation) in section.relocations() {
        let length = usize::from(relocation.size() / 8).max(4);
        let from = usize::try_from(place).unwrap_or(usize::MAX).min(bytes.len());
        let to = from.saturating_add(length).min(bytes.len());
        bytes[from..to].fill(0);
        hash.take(&place.to_le_bytes());
        let RelocationTarget::Symbol(index) = relocation.target() else { continue };
        let Ok(symbol) = object.symbol_by_index(index) else { continue };
        let name = match symbol.section_index() {
            Some(section) => function_in(section),
            None => symbol.name().ok().map(plain_name),
        };
        hash.take(name.unwrap_or_default().as_bytes());
    }
    hash.take(&bytes);
    hash.0
}

/// The hash of Fowler, Noll and Vo (FNV-1a), 64 bits.
pub(crate) struct Fnv(pub(crate) u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

fn is_function(symbol: &object::Symbol<'_, '_>) -> bool {
    symbol.kind() == SymbolKind::Text && symbol.is_definition()
}
