//! `mac`: message authentication codes of files, and whether they are right.

use std::path::{Path, PathBuf};

use cipherlane::registry::{self, Algorithm, Operation};
use objects::{Failure as Refusal, Kind, Mac};

use crate::args::help;
use crate::failure::{Exit, Failure};
use crate::files::frame::{self, FrameArgs};
use crate::files::raw_key::{RawKeyArgs, digits};
use crate::files::source::Source;
use crate::files::stop;
use crate::filter;
use crate::output::Output;

/// Compute or check the MAC of files
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Compute or check the MAC of files\n\n\
        Prints the tag in hexadecimal digits and the file's name, a line each; a line whose name \
        has line breaks or backslashes begins with a backslash, and they are escaped, as sha256sum \
        does. With --check the tag is compared, in constant time, and nothing printed; it must be \
        as long as the MAC's tags are, or as --tag-bytes says. MACs that need an IV (GMAC and \
        those of ZUC) must never get one twice under a key: --iv goes with one file only. Keys \
        are bare hexadecimal digits, e.g. of `openssl rand -hex 16`.",
    after_help = help!(
        "  cipherlane mac sm4/cmac --raw-key key.hex FILE
  cipherlane mac sm4/cmac --raw-key key.hex --check 6d0a... FILE
  cipherlane mac zuc-128/eia3 --raw-key key.hex --iv 00112233445566778899aabbccddeeff FILE
  cipherlane mac nia3 --raw-key key.hex --count 7 --bearer 4 --direction uplink FILE"
    )
)]
pub(crate) struct Args {
    /// ALGORITHM/MAC, e.g. sm4/cmac, aes-128/gmac, zuc-128/eia3; or nia1 to nia6
    mac: String,
    /// The files; `-` or none is standard input
    files: Vec<PathBuf>,
    #[command(flatten)]
    key: RawKeyArgs,
    /// The IV in hexadecimal digits, for a single file
    #[arg(long, value_name = "HEX")]
    iv: Option<String>,
    #[command(flatten)]
    frame: FrameArgs,
    /// Bytes of the tag [default: the most]
    #[arg(long, value_name = "N")]
    tag_bytes: Option<usize>,
    /// The tag that a single file must have, in hexadecimal digits
    #[arg(long, value_name = "HEX")]
    check: Option<String>,
}

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

/// Bytes of the longest tag, and more.
const MAX_TAG: usize = 64;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    stop::watch();
    let operation = named(&args.mac)?;
    let algorithm = operation.algorithm;
    let key = args.key.key()?.ok_or_else(|| {
        Failure::usage("no key was given", "give --raw-key FILE with hexadecimal digits")
    })?;
    let iv = match &args.iv {
        Some(text) => Some(digits("--iv", text)?),
        None => {
            // The IVs of some tell the tag's length.
            let of_tag = |bytes| operation.clone().with_tag_len(bytes);
            let told = args.tag_bytes.map_or(Ok(operation.clone()), of_tag);
            let refused = |error: cipherlane::Error| {
                Failure::usage(error.to_string(), "see `cipherlane list` for tag lengths")
            };
            args.frame.iv(&told.map_err(refused)?, &args.mac)?
        }
    };
    let check = args.check.as_deref().map(|text| digits("--check", text)).transpose()?;
    let stream = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &stream } else { args.files.as_slice() };
    if check.is_some() && files.len() != 1 {
        let error = format!("--check with {} files", files.len());
        return Err(Failure::usage(error, "give one file"));
    }
    let sizes = operation.iv;
    if sizes.min > 0 {
        if iv.is_none() {
            // Some take any length there can be.
            let most =
                if sizes.max < 1 << 16 { sizes.to_string() } else { "any, 12 is usual".into() };
            let error = format!("{} needs an IV; bytes allowed: {most}", args.mac);
            let help = "give --iv HEX, another one for every message; of nia1 to nia6 --count, \
                        --bearer and --direction make it";
            return Err(Failure::usage(error, help));
        }
        if files.len() != 1 {
            let error = format!(
                "--iv with {} files: under one key and IV the tags of two messages give away what \
                 forges any other",
                files.len()
            );
            return Err(Failure::usage(error, "run it once a file, with another IV each time"));
        }
    }
    let iv = iv.unwrap_or_default();
    let refused = |refusal: Refusal| match refusal.kind() {
        Kind::Tag => Failure::new(
            Exit::Failed,
            "the MAC is wrong",
            "the file was changed, or the key is another",
        ),
        _ => Failure::usage(refusal.to_string(), "see `cipherlane list` for key and IV lengths"),
    };
    let mut buffer = vec![0; PIECE];
    let mut exit = Exit::Done;
    for path in files {
        let mut source = Source::open(path)?;
        let mut mac = Mac::new(algorithm.name, operation.name, &key, &iv, args.tag_bytes, None)
            .map_err(refused)?;
        if let Some(tag) = check.as_ref().filter(|tag| tag.len() != mac.tag_len()) {
            let error = format!("--check has {} bytes; the tag has {}", tag.len(), mac.tag_len());
            let help = "give the whole tag; where a shorter one was agreed on, --tag-bytes N";
            return Err(Failure::usage(error, help));
        }
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
        if source.note_changes() {
            exit = Exit::Failed;
        }
        if let Some(tag) = &check {
            mac.compare(tag).map_err(refused)?;
            continue;
        }
        let mut tag = [0; MAX_TAG];
        let len = mac.finish(&mut tag).map_err(refused)?;
        out.bytes(&line(&tag[..len], path))?;
    }
    Ok(exit)
}

/// A tag and a name as `sha256sum` prints them: a name that would break the line is escaped, and
/// a backslash in front says so.
fn line(tag: &[u8], path: &Path) -> Vec<u8> {
    let name = path.as_os_str().as_encoded_bytes();
    let mut line = Vec::new();
    if name.iter().any(|byte| matches!(byte, b'\\' | b'\n' | b'\r')) {
        line.push(b'\\');
    }
    line.extend_from_slice(hex::encode(tag).as_bytes());
    line.extend_from_slice(b"  ");
    for byte in name {
        match byte {
            b'\\' => line.extend_from_slice(br"\\"),
            b'\n' => line.extend_from_slice(br"\n"),
            b'\r' => line.extend_from_slice(br"\r"),
            other => line.push(*other),
        }
    }
    line.push(b'\n');
    line
}

/// The MAC of that name.
fn named(given: &str) -> Result<Operation, Failure> {
    let macs = |algorithm: &'static Algorithm| {
        registry::operations(algorithm).filter(|it| it.kind == registry::Kind::Mac)
    };
    if let Some(it) = frame::named(given).filter(|it| it.kind == registry::Kind::Mac) {
        return Ok(it);
    }
    let (algorithm, mac) = given.split_once('/').unwrap_or((given, ""));
    let Some(algorithm) = registry::algorithm(algorithm) else {
        let all = registry::ALGORITHMS.iter().filter(|it| macs(it).next().is_some());
        let names: Vec<&str> = all.map(|it| it.name).collect();
        return Err(filter::unknown(&format!("algorithm `{algorithm}`"), algorithm, &names));
    };
    macs(algorithm).find(|it| it.name == mac).ok_or_else(|| {
        let names = macs(algorithm).map(|it| format!("{}/{}", algorithm.name, it.name));
        let names: Vec<String> = names.collect();
        if names.is_empty() {
            let error = format!("{} has no MAC", algorithm.name);
            return Failure::usage(error, "see `cipherlane list` for those that have");
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        filter::unknown(&format!("MAC `{given}`"), given, &names)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_break_a_line_are_escaped() {
        let line = |name: &str| String::from_utf8(line(&[0xab, 1], Path::new(name))).unwrap();
        assert_eq!(line("plain name"), "ab01  plain name\n");
        assert_eq!(line("a\nb\rc\\d"), "\\ab01  a\\nb\\rc\\\\d\n");
    }
}
