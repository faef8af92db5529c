//! The prover's module, as one of its builds has it: rewritten, run in Node.js, and what it says.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use super::super::records::Record;
use super::instrument::{Instrumented, instrument};
use crate::stage::skip;
use crate::workspace;

const TRIPLE: &str = "wasm32-wasip1";
const ENGINE: &str = "node";
/// What stands in the host's last line before the places at which secrets select a value.
const SELECTED: &str = "selected by secrets:";

/// A build: a module can't ask for vectors when it runs, so there is one without them, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Module {
    pub(super) name: &'static str,
    pub(super) features: &'static str,
}

/// Whether modules can be built and run here; says so if not.
pub(in crate::prove) fn possible() -> bool {
    let about = "traces on WebAssembly";
    let mut node = Command::new(ENGINE);
    node.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    if !node.status().is_ok_and(|status| status.success()) {
        skip(about, "apt-get install nodejs");
        return false;
    }
    if !workspace::has_target(TRIPLE) {
        skip(about, &format!("rustup target add {TRIPLE}"));
        return false;
    }
    true
}

/// Node.js with a rewritten program.
pub(super) fn watching(program: &Path) -> Command {
    let mut command = Command::new(ENGINE);
    command.arg("--no-warnings").arg(workspace::root().join("xtask").join("watched.mjs"));
    command.arg(program).env_remove("CIPHERLANE_LEVEL");
    command
}

impl Module {
    /// The prover, as the compiler makes it.
    pub(super) fn build(self) -> Result<PathBuf, String> {
        let mut cargo = workspace::cargo(&["build", "--quiet", "--release", "--target", TRIPLE]);
        // Names with their types, as in all builds here.
        let flags =
            format!("[\"-Ctarget-feature={}\", \"-Csymbol-mangling-version=v0\"]", self.features);
        cargo.args(["-p", "cipherlane-prove", "--config"]);
        cargo.arg(format!("target.{TRIPLE}.rustflags={flags}"));
        // These would replace the target's own.
        cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        workspace::run(&mut cargo)?;
        Ok(workspace::target().join(TRIPLE).join("release").join("cipherlane-prove.wasm"))
    }
}

/// What the processes of a check said.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) records: Vec<Record>,
    /// By function, the places at which values were selected by secrets.
    pub(super) selected: BTreeMap<String, Vec<String>>,
}

/// A program whose host watches it.
pub(super) struct Watched {
    places: Instrumented,
    program: PathBuf,
}

impl Watched {
    /// Rewrites the module.
    pub(super) fn of(module: &Path) -> Result<Self, String> {
        let bytes = fs::read(module).map_err(|error| format!("{}: {error}", module.display()))?;
        let places = instrument(&bytes)?;
        let folder = workspace::scratch("prove");
        let program = folder.join("watched.wasm");
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&program, &places.module))
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let (all, selects) = places.counts();
        println!("   {all} places tell, {selects} of them of a value that is selected");
        Ok(Self { places, program })
    }

    /// What a check says, from a process a core.
    pub(super) fn check(&self, check: &str, quick: bool) -> Result<Said, String> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // More shares than cores, so that none waits long for another; odd, because levels alternate.
        let shares = if cores == 1 { 1 } else { 4 * cores + 1 };
        let left: Mutex<VecDeque<usize>> = Mutex::new((0..shares).collect());
        let next = || left.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let work = || -> Result<Vec<(String, String)>, String> {
            let mut all = Vec::new();
            while let Some(share) = next() {
                all.push(self.share(check, quick, &format!("{share}/{shares}"))?);
            }
            Ok(all)
        };
        let ended: Vec<_> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
            let ended = all.into_iter().map(|it| it.join());
            ended.map(|it| it.unwrap_or_else(|_| Err("a thread has ended".into()))).collect()
        });
        let (mut said, mut selected) = (Said::default(), BTreeSet::new());
        for all in ended {
            for (text, sites) in all? {
                for line in text.lines() {
                    said.records.push(self.named(Record::parse(line)?));
                }
                for site in sites.split_whitespace() {
                    selected.insert(site.parse().map_err(|_| format!("`{site}` is no place"))?);
                }
            }
        }
        for (function, offset) in selected.into_iter().filter_map(|it| self.places.of(it)) {
            said.selected.entry(function).or_default().push(format!("{offset:#x}"));
        }
        Ok(said)
    }

    /// What one process says: its records, and the numbers of places at which secrets select.
    fn share(&self, check: &str, quick: bool, share: &str) -> Result<(String, String), String> {
        let mut command = watching(&self.program);
        command.args([check, "--share", share]);
        if quick {
            command.arg("--quick");
        }
        let output = command.output().map_err(|error| format!("{ENGINE}: {error}"))?;
        let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
        let errors = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        // A share that found something ends with 1, and has said what.
        let found = !text.lines().all(|record| record.ends_with("\tok"));
        match errors.strip_prefix(SELECTED) {
            Some(sites) if output.status.success() || found => Ok((text, sites.trim().to_owned())),
            _ => Err(format!("share {share} ended with {}: {errors}", output.status)),
        }
    }

    /// The same with the function instead of the number of a place.
    fn named(&self, mut record: Record) -> Record {
        const PLACE: &str = "program+0x";
        if let Some((before, number)) = record.verdict.split_once(PLACE)
            && let Ok(site) = usize::from_str_radix(number, 16)
            && let Some(place) = self.places.place(site)
        {
            record.verdict = format!("{before}{place}");
        }
        record
    }
}
