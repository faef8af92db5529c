//! `doctor`: which variant of `openssl enc`, GmSSL or another program opens a file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::args::{Json, help};
use crate::failure::{Exit, Failure};
use crate::files::doctor::evidence::{DIGITS, Sign, UNEVEN, plaintext};
use crate::files::doctor::rank::{Certainty, Hit, LIKELY};
use crate::files::doctor::search::Search;
use crate::files::doctor::shell::quoted;
use crate::files::doctor::variant::{Iv, KeyForm};
use crate::files::keys::{KeyArgs, Secret};
use crate::files::names;
use crate::files::raw::base64::Decoder;
use crate::files::raw::derive::SALTED;
use crate::files::raw::transform::Name;
use crate::files::raw_key::{RawKeyArgs, digits};
use crate::files::source::Source;
use crate::output::Output;
use crate::progress::Bar;

/// Find out how a file was encrypted, by a key or a passphrase that opens it
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Find out how a file was encrypted, by a key or a passphrase that opens it\n\n\
        Tries the ciphers and modes of `raw` with the IV given, in front, or zero; nonce, tag \
        and data in other orders; the key as digits or as text; a passphrase through \
        EVP_BytesToKey and PBKDF2 with five hashes and the usual numbers of iterations; and looks \
        at tag, padding and content. How sure it is stands beside: `verified` by a tag; `sure`, \
        `likely` or `possible` by bits of evidence beyond what the best of so many trials has by \
        chance: with a wrong key, or a file that is not encrypted, `sure` comes once in 2^40 \
        files, `likely` once in 2^20, `possible` once in 2^7. Random bytes in a mode without \
        tag and padding can't be told from a wrong guess. Nothing is written.\n\n\
        The status is 0 if something is verified, sure or likely, else 1.",
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
    /// Show also what is no better than chance, and more than five
    #[arg(long)]
    all: bool,
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
    /// What the file is if it seems not to be encrypted.
    as_it_stands: Option<String>,
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
    let mut search = Search::new(names, iv.as_deref(), aad.as_deref().unwrap_or_default());
    let decoded = Decoder::default().piece(&data, true).filter(|bytes| !bytes.is_empty());
    let stands = as_it_stands(&data, decoded.as_deref());
    let mut shown = Shown::new();
    let forms = [(Some(&data), false), (decoded.as_ref(), true)];
    for (data, base64) in forms.into_iter().filter_map(|(data, text)| Some((data?, text))) {
        let explained = plaintext(data).filter(|_| !data.starts_with(&SALTED));
        search.explain(explained.map_or(0.0, |sign| sign.bits));
        let mut watch = |done: f64, what: &dyn Fn() -> String| shown.step(done, what);
        if let Some(given) = &given {
            if let Ok(key) = given.digits() {
                search.raw_key(data, base64, &key, &KeyForm::Digits, &mut watch);
            }
            search.raw_key(data, base64, &given.text()?, &KeyForm::Text, &mut watch);
        } else {
            let Secret::Passphrase(passphrase) = args.passphrase.secret(false)? else {
                let help = "give --raw-key, or a passphrase; keys of `keygen` are for `decrypt`";
                return Err(Failure::usage("a key file of `keygen`", help));
            };
            let (salt, n) = (args.salt.as_deref().zip(salt.as_deref()), &args.iterations);
            search.passphrase(data, base64, &passphrase, salt, n, &mut watch);
        }
    }
    drop(shown);
    let judged = search.judged().into_iter().take(GIVEN);
    let found = judged.map(|(hit, certainty)| found(args, &search, hit, certainty)).collect();
    let (file, bytes) = (args.file.display().to_string(), data.len());
    let (schema, tried) = ("cipherlane-doctor/1", search.tried());
    let as_it_stands = stands.map(|sign| sign.says);
    report(args, out, &Document { schema, file, bytes, tried, as_it_stands, found })
}

/// What the data is, if it seems not to be encrypted: what is in Base64 is text, but that is how
/// encrypted data goes through the mail.
fn as_it_stands(data: &[u8], decoded: Option<&[u8]>) -> Option<Sign> {
    let clear = |data: &[u8]| {
        plaintext(data).filter(|sign| sign.bits >= LIKELY && !data.starts_with(&SALTED))
    };
    let Some(inside) = decoded else { return clear(data) };
    match clear(inside) {
        // Words and digits are Base64 of something, but of nothing that anybody wrote.
        Some(sign) if sign.says == UNEVEN => clear(data),
        Some(sign) => Some(Sign { says: format!("{}, in Base64,", sign.says), ..sign }),
        None => clear(data).filter(|sign| sign.says == DIGITS),
    }
}

/// How far it is: a bar, or lines after 5, 10, 20 … seconds where standard error is no terminal.
struct Shown {
    bar: Bar,
    lines: bool,
    begin: Instant,
    next: Duration,
}

impl Shown {
    fn new() -> Self {
        let mut bar = Bar::new();
        bar.length(100);
        let lines = !std::io::IsTerminal::is_terminal(&std::io::stderr());
        Self { bar, lines, begin: Instant::now(), next: Duration::from_secs(5) }
    }

    fn step(&mut self, done: f64, what: &dyn Fn() -> String) {
        let passed = self.begin.elapsed();
        if !self.lines {
            self.bar.step((100.0 * done) as u64, what());
        } else if passed >= self.next {
            self.next = 2 * passed;
            anstream::eprintln!("{:.0} s, {:.0} %: {}", passed.as_secs_f64(), 100.0 * done, what());
        }
    }
}

fn report(args: &Args, out: &mut Output, document: &Document) -> Result<Exit, Failure> {
    let opens = document.found.first().is_some_and(|it| OPENS.contains(&it.certainty));
    if args.json.json {
        out.json(document)?;
    } else {
        let shown = document.found.iter().filter(|it| args.all || it.certainty != CHANCE);
        for found in shown.take(if args.all { GIVEN } else { SHOWN }) {
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
            // A command that only chance speaks for is bait.
            if found.certainty != CHANCE {
                out.line(&format!("          {}", found.command))?;
            }
        }
        out.line(&format!("{} variants tried on {} bytes", document.tried, document.bytes))?;
    }
    if opens {
        return Ok(Exit::Done);
    }
    out.finish()?;
    if let Some(says) = &document.as_it_stands {
        return Err(Failure::new(
            Exit::Failed,
            format!("{} is not encrypted, it seems: it {says} as it stands", document.file),
            "no key is needed to read it; if it is encrypted, name the file itself",
        ));
    }
    Err(Failure::new(
        Exit::Failed,
        format!("nothing opens {} for certain", document.file),
        "check key and file; say what is known by --iv, --aad, --salt, --iterations, --cipher",
    ))
}

/// What it says of one that opens.
const OPENS: [&str; 3] = ["verified", "sure", "likely"];

/// What it says of one that is no better than the best of so many trials has to be.
const CHANCE: &str = Certainty::Chance.word();

/// A finding as it is shown.
fn found(args: &Args, search: &Search<'_>, hit: Hit, certainty: Certainty) -> Found {
    let command = command(args, &hit);
    Found {
        variant: hit.variant.sentence(),
        certainty: certainty.word(),
        bits: (search.above_chance(&hit) * 10.0).round() / 10.0,
        evidence: hit.says,
        iv_unsure: hit.iv_unsure,
        also: hit.also,
        cipher: hit.variant.cipher,
        command,
    }
}

/// The command that decrypts so.
fn command(args: &Args, hit: &Hit) -> String {
    let mut file = args.file.display().to_string();
    let mut before = String::new();
    let mut words: Vec<String> = ["cipherlane", "raw", "decrypt"].map(str::to_owned).to_vec();
    words.push(hit.variant.cipher.clone());
    words.extend(args.raw_key.words());
    words.extend(args.passphrase.words());
    words.extend(hit.variant.words(args.iv.as_deref(), &hit.iv));
    if let Some(aad) = &args.aad {
        words.extend(["--aad".to_owned(), aad.clone()]);
    }
    let plain = format!("{file}.plain");
    if let Iv::Within(layout) = hit.variant.iv {
        // A shell puts the parts in order, for which the file must be one.
        let tag = Name::parse(&hit.variant.cipher).map_or(0, |name| name.tag());
        if names::is_stream(&args.file) {
            before = "cat > stdin.bin && ".to_owned();
            "stdin.bin".clone_into(&mut file);
        }
        if hit.variant.base64 {
            let bytes = format!("{file}.bytes");
            before += &format!("base64 -d {} > {} && ", quoted(&file), quoted(&bytes));
            file = bytes;
        }
        before += &layout.shell(&file, tag);
        if hit.variant.cipher.contains("-ccm") {
            // It must know the length before it begins.
            let body = format!("{file}.body");
            before += &format!(" > {} && ", quoted(&body));
            file = body;
        } else {
            before += " | ";
            "-".clone_into(&mut file);
        }
    }
    words.push(file);
    if !names::is_stream(&args.file) {
        words.extend(["-o".to_owned(), plain]);
    }
    before + &words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// The ciphers of `raw` whose names begin as asked.
pub(crate) fn names_of(wanted: &[String]) -> Result<Vec<(String, Name)>, Failure> {
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
