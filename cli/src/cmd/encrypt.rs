//! `encrypt`: files into the container format, on all cores.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use container::{CHUNK_BITS, DEFAULT_CHUNK_BITS, Header, Kdf, Suite, TAG};

use crate::args::help;
use crate::failure::{Exit, Failure};
use crate::files::keys::{KeyArgs, Secret};
use crate::files::pipeline::{self, Plan};
use crate::files::source::Source;
use crate::files::target::{self, Target};
use crate::files::{fault, names, stop};
use crate::progress::Bytes;

/// Encrypt files, authenticated, on all cores
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Encrypt files, authenticated, on all cores\n\n\
        Each file becomes FILE.clane beside it; the original stays. The output has its name only \
        when it is whole and on the disk. The format is described in docs/FORMAT.md; length \
        and existence of a file are not hidden.",
    after_help = help!(
        "  cipherlane keygen -o my.key
  cipherlane encrypt -k my.key report.pdf
  tar c photos | cipherlane encrypt --passphrase -o photos.tar.clane
  cipherlane encrypt -k my.key --recursive documents"
    )
)]
pub(crate) struct Args {
    /// Files to encrypt; `-` or none is standard input
    files: Vec<PathBuf>,
    #[command(flatten)]
    key: KeyArgs,
    /// The output of a single file; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The cipher: sm4-gcm, aes-128-gcm, aes-256-gcm or zuc-gxm
    #[arg(long, value_name = "SUITE", default_value = "sm4-gcm")]
    suite: String,
    /// Bytes of a chunk, a power of two: 4k to 16M
    #[arg(long, value_name = "N")]
    chunk: Option<String>,
    /// How a passphrase becomes a key: argon2id or pbkdf2-sm3
    #[arg(long, value_name = "KDF", default_value = "argon2id")]
    kdf: String,
    #[command(flatten)]
    how: How,
}

/// What encrypting and decrypting have in common
#[derive(Debug, clap::Args)]
pub(crate) struct How {
    /// Replace outputs that are there
    #[arg(short, long)]
    pub(crate) force: bool,
    /// All files in folders
    #[arg(short, long)]
    pub(crate) recursive: bool,
    /// Give outputs the permissions and times of the inputs
    #[arg(long)]
    pub(crate) preserve: bool,
    /// Threads that encrypt or decrypt [default: one for each core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<String>,
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

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let suite = Suite::ALL.into_iter().find(|suite| suite.name() == args.suite);
    let suite = suite.ok_or_else(|| {
        let names: Vec<&str> = Suite::ALL.iter().map(|suite| suite.name()).collect();
        Failure::usage(
            format!("--suite is `{}`", args.suite),
            format!("allowed: {}", names.join(", ")),
        )
    })?;
    let kdf = match args.kdf.as_str() {
        "argon2id" => Kdf::ARGON2ID,
        "pbkdf2-sm3" => Kdf::PBKDF2_SM3,
        other => {
            let help = "allowed: argon2id, pbkdf2-sm3";
            return Err(Failure::usage(format!("--kdf is `{other}`"), help));
        }
    };
    let chunk_bits = args.chunk.as_deref().map_or(Ok(DEFAULT_CHUNK_BITS), chunk_bits)?;
    let threads = args.how.threads()?;
    let secret = args.key.secret(true)?;
    let kdf = if matches!(secret, Secret::Key(_)) { Kdf::Key } else { kdf };
    let encrypt = |source: &mut Source, target: &mut Target| {
        let salt = crate::files::keys::random()?;
        let path = source.path().to_owned();
        let wrong = |error| fault::format(&path, &error);
        let header = Header::new(suite, chunk_bits, kdf, salt).map_err(wrong)?;
        let key = secret.master(kdf, &salt).map_err(wrong)?;
        let (written, chunks) = header.seal(&key).map_err(wrong)?;
        target.write(&written)?;
        let plan = Plan { piece: header.chunk(), growth: TAG, threads };
        let bar = Bytes::new("encrypting", &path, source.len());
        let seal = |index, last, piece: &mut Vec<u8>| {
            chunks.seal(index, last, piece).map_err(|error| fault::format(&path, &error))
        };
        pipeline::run(source, target, plan, &seal, &mut |read| bar.more(read))
    };
    let output = |path: &Path| Ok(names::encrypted(path));
    let wanted = |path: &Path| path.extension().is_none_or(|it| it != names::SUFFIX);
    each(&args.files, args.output.as_deref(), &args.how, wanted, &output, true, &encrypt)
}

/// Processes one source into one target.
pub(crate) type Process<'p> = dyn Fn(&mut Source, &mut Target) -> Result<(), Failure> + 'p;

/// Processes every file into its output. One that fails does not keep the others from theirs.
pub(crate) fn each(
    files: &[PathBuf],
    output: Option<&Path>,
    how: &How,
    wanted: fn(&Path) -> bool,
    name: &dyn Fn(&Path) -> Result<PathBuf, Failure>,
    binary: bool,
    process: &Process<'_>,
) -> Result<Exit, Failure> {
    stop::watch();
    let stream = [PathBuf::from("-")];
    let files = if files.is_empty() { &stream } else { files };
    let files = names::expand(files, how.recursive, wanted)?;
    if let (Some(_), true) = (output, files.len() != 1) {
        let error = format!("-o with {} files", files.len());
        return Err(Failure::usage(error, "give one file, or leave -o away"));
    }
    let one = |path: &PathBuf| {
        let to = match output {
            Some(to) => to.to_owned(),
            None if names::is_stream(path) => path.clone(),
            None => name(path)?,
        };
        target::differ(path, &to)?;
        let mut source = Source::open(path)?;
        let mut target = Target::begin(&to, how.force, binary)?;
        process(&mut source, &mut target)?;
        if how.preserve {
            target.take_after(&source)?;
        }
        target.finish()
    };
    let mut last = None;
    for path in &files {
        stop::check()?;
        if let Err(failure) = one(path) {
            // The last one is for the caller, who reports it.
            if let Some(earlier) = last.replace(failure) {
                Failure::report(&earlier);
            }
        }
    }
    last.map_or(Ok(Exit::Done), Err)
}

fn chunk_bits(text: &str) -> Result<u8, Failure> {
    let lower = text.trim().to_ascii_lowercase();
    let (digits, unit) = match lower.strip_suffix(['k', 'm']) {
        Some(digits) => (digits, if lower.ends_with('k') { 1 << 10 } else { 1 << 20 }),
        None => (lower.as_str(), 1),
    };
    let bytes = digits.parse::<u64>().ok().and_then(|digits| digits.checked_mul(unit));
    let bits = bytes.filter(|bytes| bytes.is_power_of_two()).map(|bytes| bytes.ilog2() as u8);
    bits.filter(|bits| CHUNK_BITS.contains(bits)).ok_or_else(|| {
        Failure::usage(format!("--chunk is `{text}`"), "allowed: a power of two from 4k to 16M")
    })
}
