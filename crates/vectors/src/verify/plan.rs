//! From the names of the vector files to what the registry holds.

use cipherlane::Level;
use cipherlane::registry::{self, Algorithm, Constructor, KEYSTREAM, Operation, Parameters};

use super::check::Outcome;
use super::filter::Filter;
use super::pieces::Cuts;
use super::{block, of_stream, sealed, stream, trace};
use crate::{Group, Test, VectorFile};

/// Where a file's names are not the registry's: file's algorithm, file's mode,
/// registry's algorithm, mode or operation. All other modes keep their names,
/// all other algorithms theirs but for hyphens; in files of AES, key lengths tell
/// the variants apart.
#[rustfmt::skip]
const NAMES: &[(&str, &str, &str, &str)] = &[
    ("salsa20", "salsa20/8", "salsa20-8", KEYSTREAM),
    ("salsa20", "salsa20/12", "salsa20-12", KEYSTREAM),
    ("salsa20", "salsa20/20", "salsa20-20", KEYSTREAM),
    ("eea3", "128-eea3", "zuc-128", "eea3"),
    ("eia3", "128-eia3", "zuc-128", "eia3"),
    ("eia3", "zuc128-mac-raw-iv", "zuc-128", "eia3"),
    ("zuc_aead", "gxm", "zuc-128", "gxm"),
    ("zuc_aead", "mur", "zuc-128", "mur"),
    ("3GPP 256-NEA5/NIA5/NCA5", "256-nea5", "aes-256", "nea5"),
    ("3GPP 256-NEA5/NIA5/NCA5", "256-nia5", "aes-256", "nia5"),
    ("3GPP 256-NEA5/NIA5/NCA5", "256-nca5", "aes-256", "nca5"),
    ("3GPP 256-NEA6/NIA6/NCA6", "256-nea6", "zuc-256-2023", "nea6"),
    ("3GPP 256-NEA6/NIA6/NCA6", "256-nea6-keystream", "zuc-256-2023", "nea6"),
    ("3GPP 256-NEA6/NIA6/NCA6", "256-nia6", "zuc-256-2023", "nia6"),
    ("3GPP 256-NEA6/NIA6/NCA6", "256-nca6", "zuc-256-2023", "nca6"),
    ("snow3g", "uea2", "snow3g", "nea1"),
    ("snow3g", "uea2-linear", "snow3g", "nea1"),
    ("snow3g", "128-nea1", "snow3g", "nea1"),
    ("snow3g", "uia2", "snow3g", "nia1"),
    ("snow3g", "uia2-count", "snow3g", "nia1"),
    ("snow3g", "128-nia1", "snow3g", "nia1"),
    ("snow5g", "256-nea4", "snow-5g", "nea4"),
    ("snow5g", "256-nea4-keystream", "snow-5g", "nea4"),
    ("snow5g", "256-nia4", "snow-5g", "nia4"),
    ("snow5g", "256-nca4", "snow-5g", "nca4"),
    ("enocoro128v2", "keystream", "enocoro-128", KEYSTREAM),
    ("grain128", "keystream-msb", "grain-128", KEYSTREAM),
    ("zuc256", "keystream-iv184", "zuc-256", KEYSTREAM),
    ("zuc256", "encrypt-iv184", "zuc-256", KEYSTREAM),
    ("zuc256", "mac32-iv184", "zuc-256", "mac32"),
    ("zuc256", "mac64-iv184", "zuc-256", "mac64"),
    ("zuc256", "mac128-iv184", "zuc-256", "mac128"),
    ("zuc256", "keystream-iv128-addendum2021", "zuc-256-2021", KEYSTREAM),
    ("zuc256", "keystream-iv128-2023", "zuc-256-2023", KEYSTREAM),
    ("zuc256", "mac32-iv128-2023", "zuc-256-2023", "mac32"),
    ("zuc256", "mac64-iv128-2023", "zuc-256-2023", "mac64"),
    ("zuc256", "mac128-iv128-2023", "zuc-256-2023", "mac128"),
];

/// Where a mode has another name in the files than in the registry.
const MODES: &[(&str, &str)] = &[
    ("xts-ieee", "xts"),
    ("cbc-mac-pad1", "cbc-mac-1-pad1"),
    ("cbc-mac-pad2", "cbc-mac-1"),
    ("cbc-mac-pad3", "cbc-mac-1-pad3"),
    ("emac-pad2", "cbc-mac-2"),
    ("emac-pad3", "cbc-mac-2-pad3"),
    ("ansi-retail-pad2", "cbc-mac-3"),
    ("ansi-retail-pad3", "cbc-mac-3-pad3"),
    ("macdes-pad2", "cbc-mac-4"),
    ("macdes-pad3", "cbc-mac-4-pad3"),
    ("lmac-pad2", "cbc-mac-6"),
    ("lmac-pad3", "cbc-mac-6-pad3"),
    ("trcbc", "cbc-mac-7"),
    ("cbcr", "cbc-mac-8"),
];

/// A group of tests that the library has no implementation for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotImplemented {
    /// The vector file.
    pub file: String,
    /// The mode as the file names it.
    pub mode: String,
    /// How many tests there are.
    pub tests: usize,
}

/// What a run will do.
#[derive(Debug)]
pub struct Plan<'v> {
    pub(super) cuts: Cuts,
    pub(super) files: Vec<&'v VectorFile>,
    pub(super) tests: Vec<Planned<'v>>,
    pub(super) not_implemented: Vec<NotImplemented>,
}

/// One test by the registry's names, for whoever runs the vectors along another way than
/// the library's own types, such as a binding.
#[derive(Clone, Copy, Debug)]
pub struct Resolved<'v> {
    /// The vector file.
    pub file: &'v VectorFile,
    /// The group of the test.
    pub group: &'v Group,
    /// The test.
    pub test: &'v Test,
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// The operation, or the mode: its operations end in `-encrypt` and `-decrypt`, or
    /// `-seal` and `-open`.
    pub mode: &'v str,
}

/// One test and what runs it.
#[derive(Debug)]
pub(super) struct Planned<'v> {
    pub(super) file: &'v VectorFile,
    pub(super) group: &'v Group,
    pub(super) test: &'v Test,
    /// The mode or operation as the registry names it.
    pub(super) mode: &'v str,
    pub(super) operation: Operation,
}

impl<'v> Plan<'v> {
    /// Sorts the tests that the filters choose (all if there are none) into
    /// those that can be run and those that nothing is implemented for.
    #[must_use]
    pub fn new(filters: &[Filter], files: &'v [VectorFile]) -> Self {
        let (files_chosen, tests, not_implemented) = (Vec::new(), Vec::new(), Vec::new());
        let mut plan = Self { cuts: Cuts::Few, files: files_chosen, tests, not_implemented };
        for file in files {
            let mut chosen = false;
            for (group, test) in
                file.groups.iter().flat_map(|g| g.tests.iter().map(move |t| (g, t)))
            {
                let (name, mode) = registry_names(&file.algorithm, &group.mode, test);
                let passes = |filter: &Filter| filter.chooses(name, mode);
                if !filters.is_empty() && !filters.iter().any(passes) {
                    continue;
                }
                chosen = true;
                let found = registry::algorithm(name);
                match found.and_then(|algorithm| operation(algorithm, mode, test)) {
                    Some(operation) => {
                        plan.tests.push(Planned { file, group, test, mode, operation });
                    }
                    None => plan.lacks(file, group),
                }
            }
            if chosen {
                plan.files.push(file);
            }
        }
        plan
    }

    /// The same with messages cut so.
    #[must_use]
    pub fn with_cuts(mut self, cuts: Cuts) -> Self {
        self.cuts = cuts;
        self
    }

    /// Every `of`th test from the number `share` on: for work that processes share.
    #[must_use]
    pub fn share(mut self, share: usize, of: usize) -> Self {
        let mut number = 0;
        self.tests.retain(|_| {
            number += 1;
            (number - 1) % of == share
        });
        self
    }

    /// The tests that will run, by the registry's names; without those of an initialisation, which
    /// no operation shows.
    pub fn resolved(&self) -> impl Iterator<Item = Resolved<'v>> {
        self.tests.iter().filter(|planned| planned.test.init_keystream.is_none()).map(|planned| {
            let Planned { file, group, test, ref operation, .. } = *planned;
            let algorithm = operation.algorithm;
            let (_, mode) = registry_names(&file.algorithm, &group.mode, test);
            let mode = if mode == "encrypt" { KEYSTREAM } else { mode };
            Resolved { file, group, test, algorithm, mode }
        })
    }

    /// Counts one more test that nothing is implemented for.
    fn lacks(&mut self, file: &VectorFile, group: &Group) {
        let (file, mode) = (&file.name, &group.mode);
        match self.not_implemented.iter_mut().find(|n| n.file == *file && n.mode == *mode) {
            Some(known) => known.tests += 1,
            None => {
                let (file, mode) = (file.clone(), mode.clone());
                self.not_implemented.push(NotImplemented { file, mode, tests: 1 });
            }
        }
    }
}

impl Planned<'_> {
    /// Runs the test at a level: how many paths passed, and which one failed how.
    pub(super) fn run(&self, level: Level, cuts: Cuts) -> (usize, Outcome) {
        let mut paths = 0;
        let (test, operation) = (self.test, &self.operation);
        let outcome = match operation.new {
            Constructor::Stream { new, .. } if test.init_keystream.is_some() => {
                trace::run(new, test, level, &mut paths)
            }
            Constructor::Stream { new, unlimited } => {
                let Operation { iv, limit, .. } = *operation;
                let stream = stream::Stream { iv, new, unlimited, limit };
                match self.group.bit_order {
                    Some(_) => stream.run(&stream::other_bit_order(test), level, cuts, &mut paths),
                    None => stream.run(test, level, cuts, &mut paths),
                }
            }
            Constructor::Mode(_) => block::Block(operation).run(test, level, cuts, &mut paths),
            Constructor::Message(new) => {
                sealed::Message { operation, new }.run(test, level, &mut paths)
            }
            Constructor::Aead { .. } => sealed::Aead(operation).run(test, level, cuts, &mut paths),
            Constructor::Pdu(_) => Err(("set-up".into(), "PDUs have no published vectors".into())),
            Constructor::Mac { new, unlimited } => match operation.algorithm.block() {
                Some(_) => sealed::Mac(operation).run(test, level, cuts, &mut paths),
                None => {
                    let mac = of_stream::Mac { operation, new, unlimited };
                    mac.run(test, level, cuts, &mut paths)
                }
            },
        };
        (paths, outcome)
    }
}

/// The registry's name of the algorithm and the mode or operation.
fn registry_names<'a>(algorithm: &'a str, mode: &'a str, test: &Test) -> (&'a str, &'a str) {
    let row = NAMES.iter().find(|row| (row.0, row.1) == (algorithm, mode));
    if let Some((_, _, algorithm, mode)) = row {
        return (algorithm, mode);
    }
    // Modes of many ciphers, each with its cipher's name in front.
    if algorithm == "misuse-tags" {
        let named = |known: &Algorithm| mode.strip_prefix(known.name)?.strip_prefix('-');
        let known = registry::ALGORITHMS.iter().find_map(|it| Some((it.name, named(it)?)));
        return known.unwrap_or((algorithm, mode));
    }
    // What follows an underscore in a file's name is a topic: `aes_gcm`, `sm4_mac`.
    let (cipher, topic) = algorithm.split_once('_').unwrap_or((algorithm, ""));
    let renamed = MODES.iter().find(|(in_file, _)| *in_file == mode);
    let mode = renamed.map_or(mode, |(_, registered)| registered);
    let known = registry::ALGORITHMS.iter().find(|known| match cipher {
        // One file for all key lengths; XTS has two keys.
        "aes" if !topic.is_empty() => {
            let length = test.key.as_ref().map_or(0, Vec::len);
            let length = if topic == "xts" { length / 2 } else { length };
            known.name.starts_with("aes-") && known.key.allow(length)
        }
        _ => known.name.replace('-', "") == cipher,
    });
    (known.map_or(algorithm, |known| known.name), mode)
}

/// The operation that encrypts, seals or authenticates in a mode of an algorithm, if it has one
/// that the test is of.
fn operation(algorithm: &'static Algorithm, mode: &str, test: &Test) -> Option<Operation> {
    let of_keystream = mode == "encrypt" || test.init_keystream.is_some();
    let mode = if of_keystream { KEYSTREAM } else { mode };
    let names = [format!("{mode}-encrypt"), mode.to_owned(), format!("{mode}-seal")];
    let operation = names.iter().find_map(|name| registry::operation(algorithm, name))?;
    let parameters = block::parameters(test);
    let takes = || registry::parameters(algorithm.name).is_some_and(|it| it.takes(parameters));
    (parameters == Parameters::default() || takes()).then_some(operation)
}
