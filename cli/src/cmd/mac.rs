//! `mac`: message authentication codes of files, and whether they are right.

use std::path::PathBuf;

use cipherlane::registry;
use objects::{Failure as Refusal, Kind, Tagger};

use crate::args::help;
use crate::failure::{Exit, Failure};
use crate::files::raw_key::{RawKeyArgs, digits};
use crate::files::source::Source;
use crate::files::stop;
use crate::output::Output;

/// Compute or check the MAC of files
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Compute or check the MAC of files\n\n\
        Prints the tag in hexadecimal digits and the file's name, a line each. With --check the \
        tag is compared, in constant time, and nothing printed. MACs that need an IV (GMAC and \
        those of ZUC) must never get one twice under a key.",
    after_help = help!(
        "  cipherlane mac sm4/cmac --raw-key key.hex FILE
  cipherlane mac sm4/cmac --raw-key key.hex --check 6d0a... FILE
  cipherlane mac zuc-256/mac128 --raw-key key.hex --iv 00112233445566778899aabbccddeeff0011223344556677 FILE"
    )
)]
pub(crate) struct Args {
    /// ALGORITHM/MAC, e.g. sm4/cmac, aes-128/gmac, zuc-128/eia3
    mac: String,
    /// The files; `-` or none is standard input
    files: Vec<PathBuf>,
    #[command(flatten)]
    key: RawKeyArgs,
    /// The IV in hexadecimal digits
    #[arg(long, value_name = "HEX")]
    iv: Option<String>,
    /// Bytes of the tag [default: the most]
    #[arg(long, value_name = "N")]
    tag_bytes: Option<usize>,
    /// The tag that a single file must have, in hexadecimal digits
    #[arg(long, value_name = "HEX")]
    check: Option<String>,
}

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    stop::watch();
    let (algorithm, operation) = args.mac.split_once('/').ok_or_else(|| unknown(&args.mac))?;
    let key = args.key.key()?.ok_or_else(|| {
        Failure::usage("no key was given", "give --raw-key FILE with hexadecimal digits")
    })?;
    let iv = args.iv.as_deref().map_or(Ok(Vec::new()), |text| digits("--iv", text))?;
    let check = args.check.as_deref().map(|text| digits("--check", text)).transpose()?;
    let stream = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &stream } else { args.files.as_slice() };
    if check.is_some() && files.len() != 1 {
        let error = format!("--check with {} files", files.len());
        return Err(Failure::usage(error, "give one file"));
    }
    let bytes = check.as_ref().map(Vec::len).or(args.tag_bytes);
    let refused = |refusal: Refusal| match refusal.kind() {
        Kind::Unknown => unknown(&args.mac),
        Kind::Tag => Failure::new(
            Exit::Failed,
            "the MAC is wrong",
            "the file was changed, or the key is another",
        ),
        _ => Failure::usage(refusal.to_string(), "see `cipherlane list` for key and IV lengths"),
    };
    let mut buffer = vec![0; PIECE];
    for path in files {
        let mut source = Source::open(path)?;
        let mut mac = Tagger::new(algorithm, operation, &key, &iv, bytes, None).map_err(refused)?;
        if let Some(len) = source.len() {
            mac.announce(len).map_err(refused)?;
        }
        loop {
            stop::check()?;
            let filled = source.fill(&mut buffer)?;
            mac.update(&buffer[..filled]).map_err(refused)?;
            if filled < PIECE {
                break;
            }
        }
        if let Some(tag) = &check {
            mac.verify(tag).map_err(refused)?;
            continue;
        }
        let (tag, len) = mac.digest().map_err(refused)?;
        out.line(&format!("{}  {}", hex::encode(&tag[..len]), path.display()))?;
    }
    Ok(Exit::Done)
}

fn unknown(given: &str) -> Failure {
    let mut names = Vec::new();
    for algorithm in registry::ALGORITHMS {
        let own = registry::stream_macs(algorithm).map(|it| it.name);
        let macs = registry::macs(algorithm).map(|it| it.name).chain(own);
        names.extend(macs.map(|mac| format!("{}/{mac}", algorithm.name)));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    crate::filter::unknown(&format!("MAC `{given}`"), given, &names)
}
