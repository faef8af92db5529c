//! `inspect`: what the header of an encrypted file says, and whether a key opens the file.

use std::path::PathBuf;

use container::{Kdf, TAG};
use serde::Serialize;

use crate::args::{Json, help};
use crate::cmd::decrypt::header;
use crate::failure::{Exit, Failure};
use crate::files::fault;
use crate::files::keys::{KeyArgs, Secret};
use crate::files::source::Source;
use crate::files::work::{self, WorkArgs};
use crate::output::Output;

/// Show what an encrypted file is, and with a key verify it
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show what an encrypted file is, and with a key verify it\n\n\
        Without a key the header is shown as it stands, which anybody may have changed. With one \
        the header and every chunk are verified; nothing is written.",
    after_help = help!(
        "  cipherlane inspect report.pdf.clane
  cipherlane inspect -k my.key report.pdf.clane
  cipherlane inspect --json report.pdf.clane | jq .plain_bytes"
    )
)]
pub(crate) struct Args {
    /// The file; `-` is standard input
    file: PathBuf,
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    work: WorkArgs,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    version: u8,
    suite: &'static str,
    chunk_bytes: usize,
    key: String,
    salt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    plain_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chunks: Option<u64>,
    /// Whether header and chunks were verified under a key.
    verified: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let mut source = Source::open(&args.file)?;
    let wrong = |error| fault::format(&args.file, &error);
    let read = header(&mut source)?;
    let claimed = *read.claimed();
    let mut layout = source.len().map(|len| claimed.layout(len)).transpose().map_err(wrong)?;
    if args.key.given() {
        let secret = args.key.secret(false)?;
        if matches!(secret, Secret::Passphrase(_)) {
            work::check(&args.file, claimed.kdf(), args.work.most()?)?;
        }
        let key = secret.master(claimed.kdf(), claimed.salt()).map_err(wrong)?;
        let (_, chunks) = read.open(&key).map_err(wrong)?;
        let plain = verify(&mut source, &chunks, &args.file)?;
        layout.get_or_insert(container::Layout::of_plain(plain, claimed.chunk() as u64));
    }
    let document = Document {
        schema: "cipherlane-file/1",
        version: container::VERSION,
        suite: claimed.suite().name(),
        chunk_bytes: claimed.chunk(),
        key: match claimed.kdf() {
            Kdf::Key => "a key".to_owned(),
            Kdf::Argon2id { memory_kib, passes, lanes } => {
                format!(
                    "a passphrase by Argon2id, {memory_kib} KiB, {passes} passes, {lanes} lanes"
                )
            }
            Kdf::Pbkdf2Sm3 { iterations } => {
                format!("a passphrase by PBKDF2-HMAC-SM3, {iterations} iterations")
            }
        },
        salt: hex::encode(claimed.salt()),
        plain_bytes: layout.map(|layout| layout.plain()),
        chunks: layout.map(|layout| layout.chunks()),
        verified: args.key.given(),
    };
    if args.json.json {
        out.json(&document)?;
        return Ok(Exit::Done);
    }
    let mut fact = |name: &str, value: String| out.line(&format!("{name:<9} {value}"));
    fact("format", format!("Cipherlane file, version {}", document.version))?;
    fact("suite", document.suite.to_owned())?;
    let key = match claimed.kdf() {
        Kdf::Key => "a key file, not a passphrase".to_owned(),
        _ => format!("made from {}", document.key),
    };
    fact("key", key)?;
    fact("chunks", format!("of {} bytes", document.chunk_bytes))?;
    if let (Some(plain), Some(chunks)) = (document.plain_bytes, document.chunks) {
        fact("holds", format!("{} in {}", counted(plain, "byte"), counted(chunks, "chunk")))?;
    }
    fact("salt", document.salt)?;
    let verified = if document.verified { "every chunk" } else { "nothing; give the key" };
    fact("verified", verified.to_owned())?;
    Ok(Exit::Done)
}

/// So many of something, in words.
fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Opens all chunks and counts the bytes they hold.
fn verify(
    source: &mut Source,
    chunks: &container::Chunks,
    path: &std::path::Path,
) -> Result<u64, Failure> {
    let piece = chunks.size() + TAG;
    let (mut plain, mut ahead) = (0, vec![0; piece]);
    let filled = source.fill(&mut ahead)?;
    ahead.truncate(filled);
    for index in 0.. {
        let mut bytes = std::mem::replace(&mut ahead, vec![0; piece]);
        let filled = if bytes.len() == piece { source.fill(&mut ahead)? } else { 0 };
        ahead.truncate(filled);
        let last = ahead.is_empty();
        chunks.open(index, last, &mut bytes).map_err(|error| fault::format(path, &error))?;
        plain += bytes.len() as u64;
        if last {
            break;
        }
    }
    Ok(plain)
}
