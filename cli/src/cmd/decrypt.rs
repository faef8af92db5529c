//! `decrypt`: files of the container format, nothing of them before it is verified.

use std::path::{Path, PathBuf};

use container::{HEADER, Header, TAG};

use crate::args::help;
use crate::failure::{Exit, Failure};
use crate::files::each::{How, Job, each};
use crate::files::keys::{KeyArgs, Secret};
use crate::files::pipeline::{self, Plan};
use crate::files::source::Source;
use crate::files::target::{Access, Target};
use crate::files::work::{self, WorkArgs};
use crate::files::{fault, names};
use crate::progress::Bytes;

/// Decrypt files that `encrypt` made
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Decrypt files that `encrypt` made\n\n\
        FILE.clane becomes FILE beside it, which only its owner may read unless --mode or \
        --preserve says otherwise. The output has its name only when every chunk was verified. \
        On standard output, and in what is no regular file, chunks come as they are verified: \
        whether the file was cut off shows at its end, in the exit status.",
    after_help = help!(
        "  cipherlane decrypt -k my.key report.pdf.clane
  cipherlane decrypt --passphrase -o - photos.tar.clane | tar x
  cipherlane decrypt -k my.key --recursive documents"
    )
)]
pub(crate) struct Args {
    /// Files to decrypt; `-` or none is standard input
    files: Vec<PathBuf>,
    #[command(flatten)]
    key: KeyArgs,
    /// The output of a single file; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    work: WorkArgs,
    #[command(flatten)]
    how: How,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let threads = args.how.threads()?;
    let most = args.work.most()?;
    let secret = args.key.secret(false)?;
    let decrypt = |source: &mut Source, target: &mut Target| {
        let path = source.path().to_owned();
        let wrong = |error| fault::format(&path, &error);
        let read = header(source)?;
        let claimed = read.claimed();
        if matches!(secret, Secret::Passphrase(_)) {
            work::check(&path, claimed.kdf(), most)?;
        }
        let key = secret.master(claimed.kdf(), claimed.salt()).map_err(wrong)?;
        let (header, chunks) = read.open(&key).map_err(wrong)?;
        let plan = Plan { piece: header.chunk() + TAG, growth: 0, threads };
        let bar = Bytes::new("decrypting", &path, source.len());
        let open = |index, last, piece: &mut Vec<u8>| {
            chunks.open(index, last, piece).map_err(|error| fault::format(&path, &error))
        };
        pipeline::run(source, target, plan, &open, &mut |read| bar.more(read))
    };
    let job = Job {
        done: "decrypted",
        wanted: |path| path.extension().is_some_and(|it| it == names::SUFFIX),
        unwanted: "not named *.clane",
        key: &args.key,
        name: &name,
        binary: false,
        access: Access::Owner,
        // What was read is verified, whatever happened to the file since.
        heeds_changes: false,
        process: &decrypt,
    };
    each(&args.files, args.output.as_deref(), &args.how, &job)
}

/// The name of an output. A file that is none of ours is called so, whatever its name.
fn name(path: &Path) -> Result<PathBuf, Failure> {
    names::decrypted(path).or_else(|unnamed| {
        header(&mut Source::open(path)?)?;
        Err(unnamed)
    })
}

/// Reads the header at the beginning of a source.
pub(crate) fn header(source: &mut Source) -> Result<container::Unverified, Failure> {
    let mut bytes = [0; HEADER];
    let filled = source.fill(&mut bytes)?;
    Header::read(&bytes[..filled]).map_err(|error| fault::format(source.path(), &error))
}
