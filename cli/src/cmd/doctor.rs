//! `doctor`: which variant of `openssl enc`, GmSSL or another program opens a file.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::args::{Json, help};
use crate::failure::{Exit, Failure};
use crate::files::doctor::search::{Hit, Search};
use crate::files::doctor::variant::{KeyForm, Variant, quoted};
use crate::files::keys::{KeyArgs, Secret};
use crate::files::names;
use crate::files::raw::base64::Decoder;
use crate::files::raw::transform::Name;
use crate::files::raw_key::{RawKeyArgs, digits};
use crate::files::source::Source;
use crate::output::Output;

/// Find out how a file was encrypted, by a key or a passphrase that opens it
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Find out how a file was encrypted, by a key or a passphrase that opens it\n\n\
        Tries the ciphers and modes of `raw` with the IV given, in front, or zero; the key as \
        digits or as text; a passphrase through EVP_BytesToKey and PBKDF2 with five hashes and \
        the usual numbers of iterations; and looks at tag, padding and content. How sure it is \
        stands beside: `verified` by a tag; `sure`, `likely`, `possible` or `chance` by bits of \
        evidence beyond what the best of so many trials has by chance. Random bytes in a mode \
        without tag and padding can't be told from a wrong guess. Nothing is written.",
    after_help = help!(
        "  cipherlane doctor --raw-key key.hex old.bin
  cipherlane doctor --passphrase-file pass --cipher sm4 old.enc
  cipherlane doctor --raw-key-env KEY --iv 00112233445566778899aabb --json sealed | jq -r '.found[0].command'"
    )
)]
pub(crate) struct Args {
    /// The file; `-` is standard input
    file: PathBuf,
    #[command(flatten)]
    raw_key: RawKeyArgs,
    #[command(flatten)]
    passphrase: KeyArgs,
    /// The IV or nonce in hexadecimal digits, if it is known and not in the file
    #[arg(long, value_name = "HEX")]
    iv: Option<String>,
    /// Associated data of an AEAD in hexadecimal digits
    #[arg(long, value_name = "HEX")]
    aad: Option<String>,
    /// The salt in hexadecimal digits, if it is not in the file
    #[arg(long, value_name = "HEX")]
    salt: Option<String>,
    /// Only ciphers whose names begin so, e.g. sm4, sm4-cbc, aes-256; may be repeated
    #[arg(long, value_name = "NAME")]
    cipher: Vec<String>,
    /// Numbers of iterations of PBKDF2 to try
    #[arg(
        long,
        value_name = "N,N…",
        value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..),
        default_value = "10000,1000,2048,4096,1,2,100,1024,20000,50000,65536,100000"
    )]
    iterations: Vec<u32>,
    #[command(flatten)]
    json: Json,
}

/// The longest file that is looked at.
const LONGEST: usize = 256 << 20;

/// How many findings are given, and how many of them are for people.
const GIVEN: usize = 50;
const SHOWN: usize = 5;

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    file: String,
    bytes: usize,
    tried: usize,
    found: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    cipher: String,
    variant: String,
    certainty: &'static str,
    /// Bits of evidence beyond those of chance.
    bits: f64,
    evidence: Vec<String>,
    /// Whether another IV would do as well: the first block may be wrong.
    iv_unsure: bool,
    /// Other names under which the same plaintext comes out.
    also: Vec<String>,
    command: String,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let names = names_of(&args.cipher)?;
    let given = args.raw_key.given()?;
    if given.is_none() && !args.passphrase.given() {
        let help = "give --raw-key FILE, or a passphrase with --passphrase or --passphrase-file";
        return Err(Failure::usage("no key was given", help));
    }
    let read =
        |field, text: &Option<String>| text.as_deref().map(|it| digits(field, it)).transpose();
    let (iv, aad, salt) =
        (read("--iv", &args.iv)?, read("--aad", &args.aad)?, read("--salt", &args.salt)?);
    let data = whole(&args.file)?;
    if data.starts_with(&container::MAGIC) {
        let error = format!("{} is a file of `cipherlane encrypt`", args.file.display());
        return Err(Failure::usage(error, "see `cipherlane inspect` and `cipherlane decrypt`"));
    }
    let mut search = Search {
        names,
        iv: iv.as_deref(),
        aad: aad.as_deref().unwrap_or_default(),
        tried: 0,
        hits: Vec::new(),
    };
    let decoded = Decoder::default().piece(&data, true).filter(|bytes| !bytes.is_empty());
    let forms = [(Some(&data), false), (decoded.as_ref(), true)];
    for (data, base64) in forms.into_iter().filter_map(|(data, text)| Some((data?, text))) {
        if let Some(given) = &given {
            if let Ok(key) = given.digits() {
                search.raw_key(data, base64, &key, &KeyForm::Digits);
            }
            search.raw_key(data, base64, &given.text(), &KeyForm::Text);
        } else {
            let Secret::Passphrase(passphrase) = args.passphrase.secret(false)? else {
                let help = "give --raw-key, or a passphrase; keys of `keygen` are for `decrypt`";
                return Err(Failure::usage("a key file of `keygen`", help));
            };
            let salt = args.salt.as_deref().zip(salt.as_deref());
            search.passphrase(data, base64, &passphrase, salt, &args.iterations);
        }
    }
    let hits = search.ranked();
    let found = judge(args, &search, &hits);
    let (file, bytes) = (args.file.display().to_string(), data.len());
    let schema = "cipherlane-doctor/1";
    report(args, out, &Document { schema, file, bytes, tried: search.tried, found })
}

fn report(args: &Args, out: &mut Output, document: &Document) -> Result<Exit, Failure> {
    let opens = document.found.first().is_some_and(|it| OPENS.contains(&it.certainty));
    if args.json.json {
        out.json(document)?;
    } else {
        for found in document.found.iter().take(SHOWN) {
            out.heading(&format!("{:<9} {}", found.certainty, found.cipher))?;
            out.line(&format!("          {}", found.variant))?;
            let (evidence, bits) = (found.evidence.join(", "), found.bits);
            out.line(&format!("          {evidence}: {bits:.0} bits above chance"))?;
            if found.iv_unsure {
                out.line("          another IV looks as well: the first block may be wrong")?;
            }
            if !found.also.is_empty() {
                out.line(&format!("          the same as {}", found.also.join(", ")))?;
            }
            out.line(&format!("          {}", found.command))?;
        }
        out.line(&format!("{} variants tried on {} bytes", document.tried, document.bytes))?;
    }
    if opens {
        return Ok(Exit::Done);
    }
    out.finish()?;
    Err(Failure::new(
        Exit::Failed,
        format!("nothing opens {} for certain", document.file),
        "check key and file; say what is known by --iv, --aad, --salt, --iterations, --cipher",
    ))
}

/// What it says of one that opens.
const OPENS: [&str; 3] = ["verified", "sure", "likely"];

/// What is worth showing, with how sure it is.
fn judge(args: &Args, search: &Search<'_>, hits: &[Hit]) -> Vec<Found> {
    let second = hits.get(1).map_or(f64::NEG_INFINITY, |hit| hit.bits);
    let found = hits.iter().take(GIVEN).enumerate().map(|(place, hit)| {
        let bits = search.above_chance(hit);
        let certainty = match bits {
            _ if hit.verified => "verified",
            12.0.. if hit.iv_unsure => "likely",
            // Two that are about as good: neither is more than possible.
            4.0.. if (place == 0 && hit.bits < second + 6.0) || place > 0 => "possible",
            40.0.. => "sure",
            12.0.. => "likely",
            4.0.. => "possible",
            _ => "chance",
        };
        Found {
            cipher: hit.variant.cipher.clone(),
            variant: hit.variant.sentence(),
            certainty,
            bits: (bits * 10.0).round() / 10.0,
            evidence: hit.says.clone(),
            iv_unsure: hit.iv_unsure,
            also: hit.also.clone(),
            command: command(args, &hit.variant, hit.iv_len),
        }
    });
    let verified = hits.first().is_some_and(|hit| hit.verified);
    found.filter(|it| !verified || it.certainty == "verified").collect()
}

/// The command that decrypts so.
fn command(args: &Args, variant: &Variant, iv_len: usize) -> String {
    let mut words: Vec<String> = ["cipherlane", "raw", "decrypt"].map(str::to_owned).to_vec();
    words.push(variant.cipher.clone());
    words.extend(args.raw_key.words());
    words.extend(args.passphrase.words());
    words.extend(variant.words(args.iv.as_deref(), iv_len));
    if let Some(aad) = &args.aad {
        words.extend(["--aad".to_owned(), aad.clone()]);
    }
    words.push(args.file.display().to_string());
    if !names::is_stream(&args.file) {
        words.extend(["-o".to_owned(), format!("{}.plain", args.file.display())]);
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// The ciphers of `raw` whose names begin as asked.
fn names_of(wanted: &[String]) -> Result<Vec<(String, Name)>, Failure> {
    let all = Name::all();
    for want in wanted {
        if !all.iter().any(|name| name.starts_with(want.as_str())) {
            let known: Vec<&str> = all.iter().map(String::as_str).collect();
            return Err(crate::filter::unknown(&format!("cipher `{want}`"), want, &known));
        }
    }
    let asked = |name: &&String| wanted.is_empty() || wanted.iter().any(|it| name.starts_with(it));
    // HMAC-SM3 behind a mode is GmSSL's, which has but SM4 of these.
    let with_hmac = all.iter().filter(asked).flat_map(|name| {
        let hmac = format!("{name}-sm3-hmac");
        [name.clone(), hmac]
    });
    Ok(with_hmac.filter_map(|name| Some((name.clone(), Name::parse(&name)?))).collect())
}

fn whole(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut source = Source::open(path)?;
    let mut data = vec![0; source.len().map_or(LONGEST, |len| len as usize).min(LONGEST) + 1];
    let filled = source.fill(&mut data)?;
    if filled > LONGEST {
        let error = format!("{} is longer than 256 MiB", path.display());
        let help = "give it the beginning: head -c 16M FILE > part; tags can't be checked then";
        return Err(Failure::usage(error, help));
    }
    data.truncate(filled);
    if data.is_empty() {
        return Err(Failure::usage(format!("{} is empty", path.display()), "name another file"));
    }
    Ok(data)
}
