//! `decrypt`: files of the container format, nothing of them before it is verified.

use std::path::{Path, PathBuf};

use container::{HEADER, Header, TAG};

use crate::args::help;
use crate::cmd::encrypt::{How, each};
use crate::failure::{Exit, Failure};
use crate::files::keys::KeyArgs;
use crate::files::pipeline::{self, Plan};
use crate::files::source::Source;
use crate::files::target::Target;
use crate::files::{fault, names};
use crate::progress::Bytes;

/// Decrypt files that `encrypt` made
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Decrypt files that `encrypt` made\n\n\
        FILE.clane becomes FILE beside it. The output has its name only when every chunk was \
        verified. On standard output chunks come as they are verified: whether the file was cut \
        off shows at its end, in the exit status.",
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
    how: How,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let threads = args.how.threads()?;
    let secret = args.key.secret(false)?;
    let decrypt = |source: &mut Source, target: &mut Target| {
        let path = source.path().to_owned();
        let wrong = |error| fault::format(&path, &error);
        let read = header(source)?;
        let claimed = read.claimed();
        let key = secret.master(claimed.kdf(), claimed.salt()).map_err(wrong)?;
        let (header, chunks) = read.open(&key).map_err(wrong)?;
        let plan = Plan { piece: header.chunk() + TAG, growth: 0, threads };
        let bar = Bytes::new("decrypting", &path, source.len());
        let open = |index, last, piece: &mut Vec<u8>| {
            chunks.open(index, last, piece).map_err(|error| fault::format(&path, &error))
        };
        pipeline::run(source, target, plan, &open, &mut |read| bar.more(read))
    };
    let wanted = |path: &Path| path.extension().is_some_and(|it| it == names::SUFFIX);
    each(&args.files, args.output.as_deref(), &args.how, wanted, &names::decrypted, false, &decrypt)
}

/// Reads the header at the beginning of a source.
pub(crate) fn header(source: &mut Source) -> Result<container::Unverified, Failure> {
    let mut bytes = [0; HEADER];
    let filled = source.fill(&mut bytes)?;
    Header::read(&bytes[..filled]).map_err(|error| fault::format(source.path(), &error))
}
