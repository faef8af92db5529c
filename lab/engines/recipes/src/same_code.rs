//! Whether a compiler made the same machine code of two functions.
//!
//! Two functions are the same if their instructions have the same bytes and what the linker fills
//! in leads to the same places: to the same data, or to functions that are the same themselves.
//! They are compared before linking, when no address is in the code yet.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use object::{
    File, Object as _, ObjectSection as _, ObjectSymbol as _, Relocation, RelocationFlags,
    RelocationTarget, SymbolKind,
};

use crate::RecipeError;

/// The file beside an engine that lists the pairs.
pub(crate) const FILE: &str = "same-code.txt";

/// The machine code of a function.
#[derive(Debug, PartialEq, Eq)]
struct Code {
    bytes: Vec<u8>,
    links: Vec<Link>,
}

/// What the linker fills in.
#[derive(Debug, PartialEq, Eq)]
struct Link {
    offset: u64,
    flags: RelocationFlags,
    addend: i64,
    to: Place,
}

/// Where it leads.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Function(String),
    Data(String),
}

/// Functions by name.
#[derive(Debug, Default)]
struct Functions(BTreeMap<String, Code>);

impl Functions {
    /// Adds those of an object file.
    fn add(&mut self, bytes: &[u8]) -> Result<(), object::Error> {
        let file = File::parse(bytes)?;
        for symbol in file.symbols() {
            if symbol.kind() != SymbolKind::Text || symbol.size() == 0 {
                continue;
            }
            let Some(index) = symbol.section_index() else { continue };
            let section = file.section_by_index(index)?;
            let range = symbol.address()..symbol.address() + symbol.size();
            let code = section.data()?;
            let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
            let Some(code) = code.get(place(range.start)..place(range.end)) else { continue };
            let links = section.relocations().filter(|(offset, _)| range.contains(offset));
            let links = links.map(|(offset, it)| Link {
                offset: offset - range.start,
                flags: it.flags(),
                addend: it.addend(),
                to: place_of(&file, &it),
            });
            let code = Code { bytes: code.to_vec(), links: links.collect() };
            self.0.insert(symbol.name()?.to_owned(), code);
        }
        Ok(())
    }

    /// All pairs that are the same, each once.
    fn pairs(&self) -> Vec<(&str, &str)> {
        let names: Vec<&str> = self.0.keys().map(String::as_str).collect();
        let pairs = names
            .iter()
            .enumerate()
            .flat_map(|(i, a)| names[i + 1..].iter().map(move |b| (*a, *b)));
        pairs.filter(|(a, b)| self.same(a, b, &mut BTreeSet::new())).collect()
    }

    /// Whether two are the same, taking for granted that those pairs are which are under
    /// comparison: functions may call themselves.
    fn same(&self, a: &str, b: &str, assumed: &mut BTreeSet<(String, String)>) -> bool {
        if a == b || !assumed.insert((a.to_owned(), b.to_owned())) {
            return true;
        }
        let (Some(a), Some(b)) = (self.0.get(a), self.0.get(b)) else { return false };
        let links = a.links.iter().zip(&b.links);
        a.bytes == b.bytes
            && a.links.len() == b.links.len()
            && links.into_iter().all(|(a, b)| {
                let places = match (&a.to, &b.to) {
                    (Place::Function(a), Place::Function(b)) => self.same(a, b, assumed),
                    (a, b) => a == b,
                };
                (a.offset, a.flags, a.addend) == (b.offset, b.flags, b.addend) && places
            })
    }
}

fn place_of(file: &File<'_>, relocation: &Relocation) -> Place {
    let RelocationTarget::Symbol(index) = relocation.target() else {
        return Place::Data(format!("{:?}", relocation.target()));
    };
    let Ok(symbol) = file.symbol_by_index(index) else { return Place::Data(format!("{index:?}")) };
    let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
    let section = section.and_then(|it| it.name().map(str::to_owned).ok()).unwrap_or_default();
    match (symbol.kind(), section.strip_prefix(".text.")) {
        // Local functions are reached by their section, which is their own.
        (SymbolKind::Section, Some(function)) => Place::Function(function.to_owned()),
        (SymbolKind::Section, None) => Place::Data(section),
        (SymbolKind::Text, _) => Place::Function(symbol.name().unwrap_or_default().to_owned()),
        _ => Place::Data(symbol.name().unwrap_or_default().to_owned()),
    }
}

/// Compares all functions of object files and writes the pairs that are the same to a file, a
/// pair a line; what is no object file of a known kind has none.
pub(crate) fn compare(objects: &[PathBuf], to: &Path) -> Result<(), RecipeError> {
    let mut functions = Functions::default();
    for path in objects {
        let bytes = fs::read(path).map_err(RecipeError::io("read", path))?;
        // Without this file's functions there are only fewer pairs.
        let _ = functions.add(&bytes);
    }
    let mut text = String::new();
    for (a, b) in functions.pairs() {
        let _ = writeln!(text, "{a} {b}");
    }
    fs::write(to, text).map_err(RecipeError::io("write", to))
}

/// The pairs of functions of which a compiler made the same code, of an engine whose program that
/// is; none if they have not been compared.
#[must_use]
pub fn same_code(program: &Path) -> Option<Vec<(String, String)>> {
    let text = fs::read_to_string(program.with_file_name(FILE)).ok()?;
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    Some(pairs.map(|(a, b)| (a.to_owned(), b.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(bytes: &[u8], to: Place) -> Code {
        let flags = RelocationFlags::Elf { r_type: object::elf::R_X86_64_PLT32 };
        Code { bytes: bytes.to_vec(), links: vec![Link { offset: 1, flags, addend: -4, to }] }
    }

    fn calls(name: &str) -> Place {
        Place::Function(name.to_owned())
    }

    fn reads(name: &str) -> Place {
        Place::Data(name.to_owned())
    }

    #[test]
    fn functions_are_the_same_if_what_they_lead_to_is() {
        let mut functions = Functions::default();
        for (name, it) in [
            ("a", code(b"code", reads("table"))),
            ("b", code(b"code", reads("table"))),
            ("c", code(b"code", reads("other table"))),
            ("d", code(b"cold", reads("table"))),
            ("calls-a", code(b"call", calls("a"))),
            ("calls-b", code(b"call", calls("b"))),
            ("calls-c", code(b"call", calls("c"))),
            ("calls-itself", code(b"loop", calls("calls-itself"))),
            ("calls-itself-too", code(b"loop", calls("calls-itself-too"))),
        ] {
            functions.0.insert(name.to_owned(), it);
        }
        let wanted = [("a", "b"), ("calls-a", "calls-b"), ("calls-itself", "calls-itself-too")];
        assert_eq!(functions.pairs(), wanted.to_vec());
    }

    #[test]
    fn what_a_compiler_made_is_read() {
        let own = std::env::current_exe().expect("this test");
        let mut functions = Functions::default();
        functions.add(&fs::read(own).expect("readable")).expect("a program");
        assert!(!functions.0.is_empty());
        assert!(functions.add(b"no object file").is_err());
    }
}
