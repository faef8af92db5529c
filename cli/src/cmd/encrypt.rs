//! `encrypt`: files into the container format, on all cores.

use std::path::{Path, PathBuf};

use container::{CHUNK_BITS, DEFAULT_CHUNK_BITS, Header, Kdf, Suite, TAG};

use crate::args::help;
use crate::failure::{Exit, Failure};
use crate::files::each::{How, Job, each};
use crate::files::keys::{KeyArgs, Secret};
use crate::files::pipeline::{self, Plan};
use crate::files::source::Source;
use crate::files::target::{Access, Target};
use crate::files::{fault, names};
use crate::progress::Bytes;

/// Encrypt files, authenticated, on all cores
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Encrypt files, authenticated, on all cores\n\n\
        Each file becomes FILE.clane beside it; the original stays. The output has its name only \
        when it is whole and on the disk. An output that is no regular file, such as a device or \
        a FIFO, is written into as `-` is. A file that changes while it is read ends in status \
        1. The format is described in docs/FORMAT.md; length and existence of a file are not \
        hidden.",
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
    let job = Job {
        done: "encrypted",
        wanted: |path| path.extension().is_none_or(|it| it != names::SUFFIX),
        unwanted: "named *.clane",
        key: &args.key,
        name: &|path: &Path| Ok(names::encrypted(path)),
        binary: true,
        access: Access::Usual,
        heeds_changes: true,
        process: &encrypt,
    };
    each(&args.files, args.output.as_deref(), &args.how, &job)
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
