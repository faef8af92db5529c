//! The functions of a program or an archive, and what they refer to.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SymbolKind};

/// One function of an object file.
pub(super) struct Function {
    /// Demangled, without hashes.
    pub(super) name: String,
    /// The functions its code refers to.
    pub(super) refers: BTreeSet<usize>,
    /// Whether data refers to it: a table of methods.
    pub(super) by_data: bool,
}

/// All functions of a program, or of the members of an archive.
pub(super) fn functions_in(path: &Path) -> Result<Vec<Function>, String> {
    let say = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let data = fs::read(path).map_err(|error| say(&error))?;
    let mut objects = Vec::new();
    if let Ok(archive) = ArchiveFile::parse(&*data) {
        for member in archive.members() {
            let member = member.map_err(|error| say(&error))?;
            let bytes = member.data(&*data).map_err(|error| say(&error))?;
            // An archive of Rust also holds its metadata, which is no code.
            if let Ok(object) = object::File::parse(bytes) {
                objects.push(object);
            }
        }
    } else {
        objects.push(object::File::parse(&*data).map_err(|error| say(&error))?);
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
            let demangled = format!("{:#}", rustc_demangle::demangle(name));
            functions.push(Function { name: demangled, refers: BTreeSet::new(), by_data: false });
        }
    }
    for (o, object) in objects.iter().enumerate() {
        for section in object.sections() {
            let name = section.name().unwrap_or_default();
            if name.starts_with(".debug") || name.starts_with(".eh_frame") {
                continue;
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
                    (None, Some(&to)) => functions[to].by_data = true,
                    (_, None) => {}
                }
            }
        }
    }
    functions
}

fn is_function(symbol: &object::Symbol<'_, '_>) -> bool {
    symbol.kind() == SymbolKind::Text && symbol.is_definition()
}
