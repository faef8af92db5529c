//! Which functions of the library ran: a verdict is of their machine code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;

use object::{Object, ObjectSymbol, SymbolKind};

/// The functions of this program, by their addresses in its file.
pub(crate) struct Functions {
    all: Vec<(Range<u64>, String)>,
    /// Those of the library that ran, of every algorithm at every level.
    ran: BTreeMap<(String, &'static str), BTreeSet<usize>>,
}

impl Functions {
    /// Reads them from the file of this program.
    ///
    /// # Errors
    /// If it can't be read or has no symbols.
    pub(crate) fn read() -> Result<Self, String> {
        if cfg!(not(target_arch = "x86_64")) {
            // A watcher from outside tells no addresses.
            return Ok(Self { all: Vec::new(), ran: BTreeMap::new() });
        }
        let file = std::env::current_exe().and_then(fs::read).map_err(|error| error.to_string())?;
        let file = object::File::parse(&*file).map_err(|error| error.to_string())?;
        let functions = file.symbols().filter(|it| it.kind() == SymbolKind::Text && it.size() > 0);
        let mut all: Vec<_> = functions
            .filter_map(|it| {
                let end = it.address().checked_add(it.size())?;
                Some((it.address()..end, it.name().ok()?.to_owned()))
            })
            .collect();
        if all.is_empty() {
            return Err("this program was stripped: nobody can tell what ran".into());
        }
        all.sort_by(|a, b| (a.0.start, &a.1).cmp(&(b.0.start, &b.1)));
        Ok(Self { all, ran: BTreeMap::new() })
    }

    /// Takes down what a case went through, by addresses in the file of this program.
    pub(crate) fn saw(
        &mut self,
        algorithm: &str,
        level: &'static str,
        addresses: impl Iterator<Item = u64>,
    ) {
        let ran = self.ran.entry((algorithm.to_owned(), level)).or_default();
        let mut inside = 0..0;
        for address in addresses {
            if inside.contains(&address) {
                continue;
            }
            let after = self.all.partition_point(|(range, _)| range.start <= address);
            let Some(place) = after.checked_sub(1) else { continue };
            let (range, name) = &self.all[place];
            if range.contains(&address) {
                inside = range.clone();
                if is_ours(name) {
                    ran.insert(place);
                }
            }
        }
    }

    /// Algorithm, level and mangled name of each function that ran.
    pub(crate) fn ran(&self) -> impl Iterator<Item = (&str, &'static str, &str)> {
        self.ran.iter().flat_map(|((algorithm, level), ran)| {
            ran.iter().map(|&place| (algorithm.as_str(), *level, self.all[place].1.as_str()))
        })
    }
}

/// Whether it is of the library or its registers, by the crates in its mangled name: the name of a
/// crate has its length before it.
fn is_ours(name: &str) -> bool {
    ["10cipherlane", "16cipherlane_lanes", "5lanes"].iter().any(|it| name.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_is_told_by_name_and_what_does_not_run_is_not() {
        let place = |wanted: &str| {
            let functions = Functions::read().unwrap();
            let found = functions.all.iter().find(|(_, name)| name.contains(wanted));
            found.unwrap_or_else(|| panic!("no function {wanted}")).0.clone()
        };
        // Any two functions of the library that are in this program.
        let (one, other) = (place("10cipherlane5error"), place("10cipherlane7ciphers"));
        let mut functions = Functions::read().unwrap();
        functions.saw("sm4", "avx2", [one.start, one.start + 1, 0, u64::MAX].into_iter());
        functions.saw("aes-128", "avx2", std::iter::once(other.end - 1));
        functions.saw("aes-128", "avx2", std::iter::once(0));
        let told: Vec<_> = functions.ran().collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].0 == "aes-128" && told[0].2.contains("7ciphers"), "{told:?}");
        assert!(told[1].0 == "sm4" && told[1].2.contains("5error"), "{told:?}");
    }

    #[test]
    fn a_function_of_the_prover_is_none_of_the_library() {
        assert!(is_ours("_RNvNtCs1_10cipherlane3sm4"));
        assert!(!is_ours("_RNvNtCs1_5prove5steps"));
    }
}
