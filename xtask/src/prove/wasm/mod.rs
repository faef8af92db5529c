//! The same way for every secret on WebAssembly. The prover is compiled for it, its
//! module rewritten so that it tells what it touches and where it goes, and run in Node.js, whose host compares.
//!
//! Shown is what the module asks for: the addresses of its loads and stores, its branches, and what it divides.
//! What an engine makes of that is its own affair. `select` takes one of two values without a branch, and an
//! engine may make one of it (V8 has a conditional move for integers on x86-64, by either of its compilers); so
//! it parts no traces, but where secrets select is told besides.

mod instrument;
mod operators;
#[cfg(test)]
mod tests;
mod watch;

use std::time::Duration;

pub(super) use watch::possible;
use watch::{Module, Said, Watched};

use super::elsewhere::told;
use super::records::{Record, sums};
use crate::stage::stage;

/// The builds, as in the package for JavaScript. A quick run has the last alone, in which both levels are.
const MODULES: [Module; 2] = [
    Module { name: "WebAssembly without vectors", features: "-simd128" },
    Module { name: "WebAssembly with vectors", features: "+simd128" },
];

/// Seeds and traces of both modules, in a quick run of the one with both levels; how many passed and failed.
pub(super) fn all(quick: bool, write: bool) -> Result<(usize, usize), String> {
    let (mut passed, mut failed) = (0, 0);
    for module in MODULES.into_iter().skip(usize::from(quick)) {
        let (good, bad) = one(module, quick, write)?;
        (passed, failed) = (passed + good, failed + bad);
    }
    Ok((passed, failed))
}

/// Seeds and traces of one module; how many passed and failed.
fn one(module: Module, quick: bool, write: bool) -> Result<(usize, usize), String> {
    let name = module.name;
    let build = || Watched::of(&module.build()?);
    let watched = stage(&format!("{name}: the prover"), Duration::from_secs(200), build)?;
    told(name, quick, write, |check| {
        let said = watched.check(check, quick)?;
        for line in by_level(&said) {
            println!("   {line}");
        }
        // A leak may select by what it tells.
        for line in selected(&said).into_iter().filter(|_| check == "trace") {
            println!("   {line}");
        }
        Ok(said.records)
    })
}

/// The sums of what was said, level by level.
fn by_level(said: &Said) -> Vec<String> {
    let levels = ["portable", "simd128"].into_iter().map(|level| {
        let some: Vec<Record> =
            said.records.iter().filter(|it| it.level == level).cloned().collect();
        (level, some)
    });
    let some = levels.filter(|(_, records)| !records.is_empty());
    some.map(|(level, records)| format!("{level}: {}", sums(&records))).collect()
}

/// Where secrets select, function by function.
fn selected(said: &Said) -> Vec<String> {
    let places: usize = said.selected.values().map(Vec::len).sum();
    let functions = said.selected.len();
    let head =
        format!("secrets select at {places} places of {functions} functions, without a branch");
    let line = |(function, places): (&String, &Vec<String>)| {
        format!("   {function}: {}", places.join(", "))
    };
    [head].into_iter().chain(said.selected.iter().map(line)).collect()
}

#[cfg(test)]
mod lines {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn levels_and_functions_have_a_line_each() {
        let record = |line: &str| Record::parse(line).unwrap();
        let said = Said {
            records: vec![
                record("trace\tsm4/ctr\talone\tsimd128\t100\t0\tok"),
                record("trace\tsm4/ctr\tready\tsimd128\t20\t0\tsecret 1 parts"),
                record("unclaimed\trc4\t-\t-\t0\t0\tok"),
            ],
            selected: BTreeMap::from([("a::b".into(), vec!["0x10".into(), "0x20".into()])]),
        };
        let lines = by_level(&said);
        assert_eq!(lines, ["simd128: 2 cases of 1 operations at 1 levels, 120 steps, 1 findings"]);
        let lines = selected(&said);
        assert!(lines[0].contains("2 places of 1 functions"), "{lines:?}");
        assert_eq!(lines[1..], ["   a::b: 0x10, 0x20"]);
    }
}
