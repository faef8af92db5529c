//! The rules of the machine code, read from symbols.
//!
//! Rust names every function that is left out of line. A kernel that is inlined
//! into its door as it should leaves no name behind, so each name that has a
//! level in it and is no door is a slip. The library is built with the mangling
//! that keeps generic arguments in names; as machine code is made only in the
//! ciphers' folders, all of it is in the library's own archive. The program is
//! looked at as it is delivered.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SymbolKind};
use syn::visit::Visit;

use super::{Finding, ROOMS, source::Source, words::sequences};
use crate::{Outcome, workspace};

/// One function of an object file.
struct Function {
    name: String,
    /// What its code refers to, demangled.
    refers: Vec<String>,
}

/// What the sources say must be found.
struct Expected {
    /// Paths of the modules that hold a level, e.g. `lanes::x86::avx512`.
    levels: Vec<String>,
    /// Ciphers and MACs whose folder has a `dispatch!`.
    rooms: BTreeSet<String>,
}

impl Expected {
    fn read(sources: &[Source]) -> Self {
        let mut levels = Vec::new();
        let mut rooms = BTreeSet::new();
        for source in sources {
            if let Some(module) = source.path.strip_prefix("crates/lanes/src/") {
                let file = module.trim_end_matches(".rs").replace('/', "::");
                if source.views[0].items.iter().any(is_level) {
                    levels.push(format!("lanes::{file}"));
                }
            } else if let Some(room) = source.cipher_folder()
                && !sequences(&source.tokens, &["dispatch", "!"]).is_empty()
            {
                rooms.insert(room.to_string());
            }
        }
        Self { levels, rooms }
    }

    /// The level whose door this is, and the closure that it runs.
    fn door<'a>(&'a self, name: &'a str) -> Option<(&'a str, &'a str)> {
        let (head, closure) = name.split_once("::enter::door")?;
        let level = self.levels.iter().find(|level| {
            head.trim_start_matches('<').strip_prefix(*level).is_some_and(|r| r.starts_with("::"))
        })?;
        Some((level, closure))
    }

    /// Whether the name has a level's token or register among its generic arguments,
    /// or is an operation of a level.
    fn is_kernel(&self, name: &str) -> bool {
        if self.door(name).is_some() {
            return false;
        }
        let mentions = |text: &str| self.levels.iter().any(|l| text.contains(&format!("{l}::")));
        // A derived or inherent method of the token itself, such as Debug or `detect`.
        let own = name.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        match own {
            Some((ty, _)) if ty.contains(" as lanes::isa::Isa") => mentions(ty),
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

fn is_level(item: &syn::Item) -> bool {
    struct Impls(bool);
    impl<'ast> Visit<'ast> for Impls {
        fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
            let name = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
            self.0 |= name.is_some_and(|segment| segment.ident == "Isa");
        }
    }
    let mut impls = Impls(false);
    impls.visit_item(item);
    impls.0
}

/// Whether the name is an intrinsic of the standard library. The questions to
/// the CPU, asked once, are not meant.
fn is_intrinsic(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    name.contains("core_arch::")
        && !["__cpuid", "_xgetbv"].iter().any(|asked| last.contains(asked))
        && !last.starts_with("fmt")
}

/// Whether a door may call it: memory, and what ends the program.
fn may_be_called(name: &str) -> bool {
    !["cipherlane::", "lanes::"]
        .iter()
        .any(|ours| name.starts_with(ours) || name.trim_start_matches(['<', '&']).starts_with(ours))
}

fn judge(file: &str, functions: &[Function], expected: &Expected) -> Vec<Finding> {
    let known: BTreeSet<&str> = functions.iter().map(|function| function.name.as_str()).collect();
    let mut findings = BTreeSet::new();
    for function in functions {
        let mut add = |rule, what: String| {
            findings.insert(Finding { place: format!("{file}: {}", function.name), rule, what });
        };
        if is_intrinsic(&function.name) {
            add("symbol-intrinsic", "an intrinsic out of line".into());
        } else if expected.is_kernel(&function.name) {
            add("symbol-kernel", "a function generic over a level out of line".into());
        }
        if expected.door(&function.name).is_some() {
            let calls = function.refers.iter().filter(|name| known.contains(name.as_str()));
            for call in calls.filter(|name| !may_be_called(name) && **name != function.name) {
                add("symbol-call", format!("inside the door, a call of `{call}`"));
            }
        }
    }
    findings.into_iter().collect()
}

/// Doors that the sources promise and the machine code lacks.
fn missing_doors(file: &str, functions: &[Function], expected: &Expected) -> Vec<Finding> {
    let doors: Vec<_> = functions.iter().filter_map(|f| expected.door(&f.name)).collect();
    let mut findings = Vec::new();
    for level in expected.levels.iter().filter(|level| is_of_this_machine(level)) {
        for room in &expected.rooms {
            let inside = format!("cipherlane::{room}::");
            if !doors.iter().any(|(l, closure)| l == level && closure.contains(&inside)) {
                let place = format!("{file}: {level}");
                let what = format!("`{room}` has no door at this level");
                findings.push(Finding { place, rule: "symbol-door", what });
            }
        }
    }
    findings
}

/// The portable level needs no door, another architecture's levels are not built.
fn is_of_this_machine(level: &str) -> bool {
    let architecture = match std::env::consts::ARCH {
        "x86" | "x86_64" => "::x86::",
        "aarch64" => "::aarch64::",
        "wasm32" => "::wasm32::",
        _ => return false,
    };
    format!("{level}::").contains(architecture)
}

/// All functions of a program, or of the members of an archive.
fn functions(path: &Path) -> Result<Vec<Function>, String> {
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
    Ok(objects.iter().flat_map(functions_of).collect())
}

fn functions_of(object: &object::File<'_>) -> Vec<Function> {
    let mut by_section: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for section in object.sections() {
        let refers = section.relocations().filter_map(|(_, relocation)| {
            let RelocationTarget::Symbol(index) = relocation.target() else { return None };
            demangled(&object.symbol_by_index(index).ok()?)
        });
        by_section.insert(section.index().0, refers.collect());
    }
    let symbols = object.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    symbols
        .filter(|symbol| symbol.is_definition())
        .filter_map(|symbol| {
            let section = symbol.section_index().map_or(0, |index| index.0);
            let refers = by_section.get(&section).cloned().unwrap_or_default();
            Some(Function { name: demangled(&symbol)?, refers })
        })
        .collect()
}

/// The name without hashes; `None` where there is no name.
fn demangled(symbol: &object::Symbol<'_, '_>) -> Option<String> {
    let name = symbol.name().ok().filter(|name| !name.is_empty())?;
    Some(format!("{:#}", rustc_demangle::demangle(name)))
}

fn report(findings: &[Finding], file: &str, functions: usize) -> usize {
    println!("   {file}: {functions} functions, {} breaches", findings.len());
    for finding in findings {
        println!("      {finding}");
    }
    findings.len()
}

pub(super) fn check() -> Outcome {
    let expected = Expected::read(&Source::read_all(ROOMS)?);
    if expected.levels.is_empty() || expected.rooms.is_empty() {
        return Err("no level or no cipher with `dispatch!` in the sources".into());
    }
    let target = workspace::scratch("symbols");
    let mut build = workspace::cargo(&["build", "--release", "-p", "cipherlane", "--all-features"]);
    build.arg("--target-dir").arg(&target).env("RUSTFLAGS", "-Csymbol-mangling-version=v0");
    workspace::run(&mut build)?;
    let library = functions(&target.join("release/libcipherlane.rlib"))?;
    let mut findings = judge("libcipherlane", &library, &expected);
    findings.extend(missing_doors("libcipherlane", &library, &expected));
    let mut count = report(&findings, "libcipherlane", library.len());

    let target = workspace::root().join("target");
    let mut build = workspace::cargo(&["build", "--release", "-p", "cipherlane-cli"]);
    workspace::run(build.arg("--target-dir").arg(&target))?;
    let program = format!("cipherlane{}", std::env::consts::EXE_SUFFIX);
    let delivered = functions(&target.join("release").join(&program))?;
    count += report(&judge(&program, &delivered, &expected), &program, delivered.len());
    if count == 0 { Ok(()) } else { Err(format!("{count} breaches in the machine code")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected() -> Expected {
        let levels = ["lanes::x86::avx2", "lanes::x86::avx2_gfni", "lanes::portable"];
        let rooms = ["sm4".to_string()].into();
        Expected { levels: levels.map(String::from).to_vec(), rooms }
    }

    fn function(name: &str) -> Function {
        Function { name: name.into(), refers: Vec::new() }
    }

    fn rules(name: &str) -> Vec<&'static str> {
        judge("x", &[function(name)], &expected()).iter().map(|finding| finding.rule).collect()
    }

    const DOOR: &str = "<lanes::x86::avx2::Avx2>::enter::door::<(), \
                        <cipherlane::sm4::Sm4 as cipherlane::block::BlockCipher>::ctr::{closure#1}>";

    #[test]
    fn doors_and_methods_of_tokens_pass() {
        for name in [
            DOOR,
            "lanes::x86::avx2::Avx2::enter::door",
            "<lanes::x86::avx2::Avx2 as core::fmt::Debug>::fmt",
            "<lanes::x86::avx2::Avx2>::detect",
            "lanes::x86::avx2::Avx2::detect",
            "core::core_arch::x86::cpuid::__cpuid_count",
            "<cipherlane::sm4::Sm4>::new",
            "memcpy",
        ] {
            assert_eq!(rules(name), [""; 0], "{name}");
        }
    }

    #[test]
    fn what_is_out_of_line_is_found() {
        for (name, rule) in [
            ("core::core_arch::x86::avx2::_mm256_xor_si256", "symbol-intrinsic"),
            ("cipherlane::sm4::rounds::sub_bytes::<lanes::x86::avx2::Avx2>", "symbol-kernel"),
            ("cipherlane::sm4::rounds::go::<lanes::x86::avx2::Avx2>::{closure#0}", "symbol-kernel"),
            ("<lanes::x86::avx2::Avx2 as lanes::isa::Isa>::xor", "symbol-kernel"),
            ("<lanes::portable::Portable as lanes::isa::Isa>::shuffle8", "symbol-kernel"),
            ("<[lanes::x86::avx2::V; 4]>::map::<lanes::x86::avx2::V, f>", "symbol-kernel"),
            ("<core::array::Drain<lanes::x86::avx2::V>>::next", "symbol-kernel"),
        ] {
            assert_eq!(rules(name), [rule], "{name}");
        }
    }

    #[test]
    fn a_call_of_ours_inside_a_door_is_found() {
        let helper = "cipherlane::sm4::rounds::helper";
        let refers = vec![helper.to_string(), "memcpy".to_string()];
        let door = Function { name: DOOR.into(), refers };
        let found = judge("x", &[door, function(helper), function("memcpy")], &expected());
        assert_eq!(found.iter().map(|finding| finding.rule).collect::<Vec<_>>(), ["symbol-call"]);
    }

    #[test]
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn a_missing_door_is_found() {
        let found = missing_doors("x", &[function(DOOR)], &expected());
        assert_eq!(found.len(), 1);
        assert!(found[0].place.ends_with("lanes::x86::avx2_gfni"), "{}", found[0]);
    }
}
