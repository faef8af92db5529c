//! Runs of the program: a study file says what is measured, a results file what came of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::count::{Cell, Count, Times};
use super::judge::Pair;
use crate::workspace;

/// The program, and where its reports go.
pub(super) struct Bench {
    pub(super) program: PathBuf,
    pub(super) folder: PathBuf,
}

/// A product of operations, models, lengths and numbers of messages.
pub(super) struct Part {
    pub(super) models: &'static [&'static str],
    pub(super) sizes: &'static [u64],
    pub(super) messages: Vec<u64>,
}

impl Bench {
    /// Builds the program, or takes that of the tests.
    pub(super) fn new() -> Result<Self, String> {
        let folder = workspace::scratch("tuned");
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let name = format!("cipherlane{}", std::env::consts::EXE_SUFFIX);
        Ok(Self { program: workspace::release(&["cipherlane-cli"])?.join(name), folder })
    }

    /// What a verb of the program prints as JSON.
    pub(super) fn json(&self, arguments: &[&str]) -> Result<Value, String> {
        let text = workspace::output(Command::new(&self.program).args(arguments))?;
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", arguments.join(" ")))
    }

    /// Every algorithm of the library.
    pub(super) fn algorithms(&self) -> Result<Vec<String>, String> {
        let list = self.json(&["list", "--json"])?;
        let algorithms = list["algorithms"].as_array().ok_or("`list` lists no algorithms")?;
        let name = |it: &Value| it["name"].as_str().map(str::to_owned);
        Ok(algorithms.iter().filter_map(name).collect())
    }

    /// What each algorithm's kernels are at the levels of this machine, in one text.
    pub(super) fn kernels(&self) -> Result<BTreeMap<String, String>, String> {
        let list = self.json(&["list", "--json"])?;
        let algorithms = list["algorithms"].as_array().ok_or("`list` lists no algorithms")?;
        let of = |it: &Value| Some((it["name"].as_str()?.to_owned(), it["kernels"].to_string()));
        Ok(algorithms.iter().filter_map(of).collect())
    }

    /// A count of these names, by our library alone or with all peers that are here.
    pub(super) fn names(
        &self,
        names: &[String],
        parts: &[Part],
        samples: u32,
        alone: bool,
    ) -> Result<Count, String> {
        let engines = if alone { r#"["cipherlane"]"# } else { "" };
        let selections = parts.iter().map(|part| {
            selection(&[
                ("what", format!("{names:?}")),
                ("engines", engines.to_owned()),
                ("models", format!("{:?}", part.models)),
                ("sizes", format!("{:?}", part.sizes)),
                ("messages", format!("{:?}", part.messages)),
            ])
        });
        Count::read(&self.study(&selections.collect::<String>(), samples)?)
    }

    /// The same pairs once more: only these cells and who is compared in them, in the other order
    /// in every other count.
    pub(super) fn pairs(
        &self,
        pairs: &[Pair],
        number: usize,
        samples: u32,
    ) -> Result<Times, String> {
        let text = again(pairs, number % 2 == 1);
        Ok(Count::read(&self.study(&text, samples)?)?.times)
    }

    fn study(&self, selections: &str, samples: u32) -> Result<String, String> {
        let study = self.folder.join("study.toml");
        fs::write(&study, format!("title = \"tuned\"\n{selections}"))
            .map_err(|error| format!("{}: {error}", study.display()))?;
        let mut command = Command::new(&self.program);
        command.args(["bench", "--quick", "--samples", &samples.to_string(), "--study"]);
        command.arg(&study).arg("--out").arg(&self.folder);
        workspace::output(&mut command)?;
        let results = self.folder.join("results.json");
        fs::read_to_string(&results).map_err(|error| format!("{}: {error}", results.display()))
    }
}

/// One `[[select]]` of a study; what is empty is left out.
fn selection(fields: &[(&str, String)]) -> String {
    let given = fields.iter().filter(|(_, value)| !value.is_empty());
    given.fold("\n[[select]]\n".to_owned(), |text, (name, value)| {
        text + &format!("{name} = {value}\n")
    })
}

/// A selection for each cell of the pairs, with the levels and engines that are compared in it.
fn again(pairs: &[Pair], backwards: bool) -> String {
    let mut cells: BTreeMap<&Cell, [BTreeSet<&str>; 2]> = BTreeMap::new();
    for pair in pairs {
        let [engines, levels] = cells.entry(&pair.cell).or_default();
        for runner in [&pair.ours, &pair.other] {
            engines.insert(&runner.engine);
            if !runner.is_peer() {
                levels.insert(&runner.level);
            }
        }
    }
    let selections = cells.into_iter().map(|(cell, [engines, levels])| {
        // Set-ups have no length, but a selection wants one.
        let size = cell.size.max(1);
        let batch = cell.model == "batch";
        selection(&[
            ("what", format!("[{:?}]", cell.operation)),
            ("engines", format!("{:?}", engines.into_iter().collect::<Vec<_>>())),
            ("levels", format!("{:?}", levels.into_iter().collect::<Vec<_>>())),
            ("models", format!("[{:?}]", cell.model)),
            ("sizes", format!("[{size}]")),
            ("messages", if batch { format!("[{}]", cell.messages) } else { String::new() }),
            ("keys", if batch { format!("[{:?}]", cell.keys) } else { String::new() }),
        ])
    });
    let mut selections: Vec<String> = selections.collect();
    if backwards {
        selections.reverse();
    }
    selections.concat()
}

#[cfg(test)]
mod tests {
    use super::super::count::Runner;
    use super::super::judge::List;
    use super::*;

    fn pair(operation: &str, messages: u64, other: Runner) -> Pair {
        let model = if messages > 1 { "batch" } else { "key" };
        let cell = Cell {
            operation: operation.to_owned(),
            model: model.to_owned(),
            size: if messages > 1 { 64 } else { 0 },
            messages,
            keys: "fresh".to_owned(),
        };
        Pair { list: List::Default, cell, ours: Runner::ours("avx512"), other }
    }

    #[test]
    fn a_cell_is_measured_again_with_all_who_are_compared_in_it() {
        let peer = Runner { engine: "ipp".to_owned(), level: "-".to_owned() };
        let pairs = [
            pair("a/x", 1, Runner::ours("avx2")),
            pair("a/x", 1, peer),
            pair("b/x", 16, Runner::ours("avx2")),
        ];
        let forwards = "\n[[select]]\nwhat = [\"a/x\"]\nengines = [\"cipherlane\", \"ipp\"]\n\
                        levels = [\"avx2\", \"avx512\"]\nmodels = [\"key\"]\nsizes = [1]\n";
        let batch = "\n[[select]]\nwhat = [\"b/x\"]\nengines = [\"cipherlane\"]\n\
                     levels = [\"avx2\", \"avx512\"]\nmodels = [\"batch\"]\nsizes = [64]\n\
                     messages = [16]\nkeys = [\"fresh\"]\n";
        assert_eq!(again(&pairs, false), format!("{forwards}{batch}"));
        assert_eq!(again(&pairs, true), format!("{batch}{forwards}"));
    }
}
