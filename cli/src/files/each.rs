//! What encrypting and decrypting many files have in common.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use crate::failure::{Exit, Failure, print_note};
use crate::files::identity;
use crate::files::keys::KeyArgs;
use crate::files::source::Source;
use crate::files::target::{self, Access, Target, There, Wish};
use crate::files::walk::{self, Found};
use crate::files::{names, sink::Sink, stop};

/// What encrypting and decrypting have in common
#[derive(Debug, clap::Args)]
pub(crate) struct How {
    /// Replace outputs that are there
    #[arg(short, long)]
    force: bool,
    /// Leave files whose outputs are there
    #[arg(long, conflicts_with = "force")]
    skip_existing: bool,
    /// All files in folders; links, FIFOs, devices and empty folders are left out, and told
    #[arg(short, long)]
    recursive: bool,
    /// Give outputs the permissions and times of the inputs
    #[arg(long)]
    preserve: bool,
    /// The permissions of outputs in octal digits, e.g. 644
    #[arg(long, value_name = "OCTAL", conflicts_with = "preserve")]
    mode: Option<String>,
    /// Threads that encrypt or decrypt [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<String>,
}

/// Threads at most.
const MOST_THREADS: usize = 256;

impl How {
    pub(crate) fn threads(&self) -> Result<usize, Failure> {
        let Some(text) = &self.threads else {
            return Ok(std::thread::available_parallelism().map_or(1, NonZero::get));
        };
        let number = text.trim().parse().ok().filter(|n| (1..=MOST_THREADS).contains(n));
        number.ok_or_else(|| {
            let help = format!("allowed: 1 to {MOST_THREADS}");
            Failure::usage(format!("--threads is `{text}`"), help)
        })
    }
}

/// Reads `--mode`; without it outputs are as `usual`.
///
/// # Errors
/// What are no permissions.
pub(crate) fn access(mode: Option<&str>, usual: Access) -> Result<Access, Failure> {
    let Some(text) = mode else { return Ok(usual) };
    let mode = u32::from_str_radix(text.trim(), 8).ok().filter(|mode| *mode <= 0o777);
    mode.map(Access::Mode).ok_or_else(|| {
        Failure::usage(format!("--mode is `{text}`"), "allowed: three octal digits, 000 to 777")
    })
}

/// What is done with every file.
pub(crate) struct Job<'j> {
    /// What was done, in words.
    pub(crate) done: &'static str,
    /// Which files of a folder it is done with.
    pub(crate) wanted: fn(&Path) -> bool,
    /// What the others are.
    pub(crate) unwanted: &'static str,
    /// Where the key comes from, which no output replaces.
    pub(crate) key: &'j KeyArgs,
    /// The name of a file's output.
    pub(crate) name: &'j dyn Fn(&Path) -> Result<PathBuf, Failure>,
    /// Whether outputs are nothing for a terminal.
    pub(crate) binary: bool,
    /// Who may read them, unless told otherwise.
    pub(crate) access: Access,
    /// Whether a file that was written to meanwhile spoils its output.
    pub(crate) heeds_changes: bool,
    /// Processes one source into one target.
    pub(crate) process: &'j dyn Fn(&mut Source, &mut Target) -> Result<(), Failure>,
}

/// How it went with a file.
enum Outcome {
    Done,
    /// The source was written to while it was read.
    Changed,
    /// Its output is there.
    There(PathBuf),
}

/// Processes every file into its output. One that fails does not keep the others from theirs.
pub(crate) fn each(
    files: &[PathBuf],
    output: Option<&Path>,
    how: &How,
    job: &Job<'_>,
) -> Result<Exit, Failure> {
    let access = access(how.mode.as_deref(), job.access)?;
    stop::watch();
    let stream = [PathBuf::from("-")];
    let files = if files.is_empty() { &stream } else { files };
    let mut found = Found::new(files, how.recursive, job.wanted)?;
    if let (Some(_), true) = (output, found.files.len() != 1) {
        let error = format!("-o with {}", walk::files(found.files.len()));
        return Err(Failure::usage(error, "give one file, or leave -o away"));
    }
    let wish =
        Wish { there: There::forced(how.force), binary: job.binary, held_back: false, access };
    let several = found.files.len() > 1;
    let (mut done, mut failed, mut changed, mut there) = (0, 0, false, Vec::new());
    let mut failures: Vec<Failure> = Vec::new();
    for path in &found.files {
        if stop::asked() {
            break;
        }
        match one(path, output, how, wish, several, job) {
            Ok(Outcome::There(path)) => there.push(path),
            Ok(Outcome::Done) => done += 1,
            Ok(Outcome::Changed) => (done, changed) = (done + 1, true),
            Err(failure) => {
                // The last one is for the caller, who reports it.
                failures.pop().iter().for_each(|earlier| _ = earlier.report());
                failures.push(failure);
                failed += 1;
            }
        }
    }
    if how.skip_existing && !there.is_empty() {
        print_note(&format!("skipped: {} whose outputs are there", walk::files(there.len())));
    } else if let [first, ..] = there.as_slice() {
        let error = match there.len() {
            1 => format!("{} is there already", first.display()),
            many => format!("{many} outputs are there already, the first {}", first.display()),
        };
        let help = "give --skip-existing to leave them, or --force to replace them";
        failures.push(Failure::new(Exit::Environment, error, help));
    }
    if how.recursive {
        found.report(done, failed, job.done, job.unwanted);
    }
    failures.append(&mut found.failures);
    let last = failures.pop();
    failures.iter().for_each(|earlier| _ = earlier.report());
    match last {
        Some(failure) => Err(failure),
        None if changed => Ok(Exit::Failed),
        None => Ok(Exit::Done),
    }
}

fn one(
    path: &Path,
    output: Option<&Path>,
    how: &How,
    wish: Wish,
    several: bool,
    job: &Job<'_>,
) -> Result<Outcome, Failure> {
    let to = match output {
        Some(to) => to.to_owned(),
        None if names::is_stream(path) => path.to_owned(),
        None => (job.name)(path)?,
    };
    identity::differ(path, &to)?;
    job.key.spare(&to)?;
    // Of many there is one line in the end.
    if (how.skip_existing || several && !how.force) && target::is_there(&to) && !Sink::is(&to) {
        return Ok(Outcome::There(to));
    }
    let mut source = Source::open(path)?;
    let mut target = Target::begin(&to, wish)?;
    (job.process)(&mut source, &mut target).map_err(|failure| target.spoilt(failure))?;
    if how.preserve {
        target.take_after(&source)?;
    }
    target.finish()?;
    let changed = job.heeds_changes && source.note_changes();
    Ok(if changed { Outcome::Changed } else { Outcome::Done })
}
