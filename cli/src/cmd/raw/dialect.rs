//! `raw --dialect`: one value as a database or a middleware stores it.

use std::ffi::OsString;
use std::path::Path;

use cipherlane::modes::Direction;
use dialects::{Codec, Coding, Flaw, Form, Hash, Outcome, Settings};
use zeroize::Zeroizing;

use super::{Args, PIECE, Verb};
use crate::cmd::dialects::find;
use crate::failure::{Exit, Failure, print_note};
use crate::files::each::access;
use crate::files::keys::Secret;
use crate::files::raw_key::digits;
use crate::files::source::Source;
use crate::files::stop;
use crate::files::target::{Access, Target, There, Wish};

/// A dialect and what goes with it.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Values of databases and middleware")]
pub(crate) struct DialectArgs {
    /// The data is one value as this engine stores it; see `cipherlane dialects`. There is no
    /// CIPHER then, and the key is the engine's: text by --key-text or as a passphrase, else the
    /// bytes of --raw-key
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = [
            "iv_in_front", "count", "bearer", "packet_direction", "kdf", "hash", "iterations", "salt",
            "no_salt", "no_padding", "padding", "base64", "base64_line",
        ]
    )]
    pub(super) dialect: Option<String>,
    /// The mode by the engine's name; the engine's own choice if absent
    #[arg(long, value_name = "MODE", requires = "dialect")]
    dialect_mode: Option<String>,
    /// The digest that makes the key, where there is a choice, e.g. sha-256
    #[arg(long, value_name = "DIGEST", requires = "dialect")]
    dialect_digest: Option<String>,
    /// How the value is coded: raw, base64, hex or hex-upper; as the engine gives it if absent
    #[arg(long, value_name = "CODING", requires = "dialect")]
    coding: Option<String>,
    /// The IV argument as the text that the engine takes
    #[arg(long, value_name = "TEXT", requires = "dialect", conflicts_with = "iv")]
    iv_text: Option<String>,
    /// Write a value although its dialect lacks something
    #[arg(long, requires = "dialect")]
    weak: bool,
}

/// Reads or writes one value.
pub(super) fn run(args: &Args, name: &str) -> Result<Exit, Failure> {
    let dialect = find(name)?;
    if let (Some(_), Some(file)) = (&args.cipher, &args.file) {
        let error = format!("{} behind a file, with --dialect", file.display());
        return Err(Failure::usage(error, "a dialect has its cipher: give the file alone"));
    }
    let encrypts = args.direction == Verb::Encrypt;
    let direction = if encrypts { Direction::Encrypt } else { Direction::Decrypt };
    let input = args.cipher.as_ref().map_or(Path::new("-"), |file: &OsString| Path::new(file));
    args.differ_from_key(input)?;
    let codec = codec(args, dialect)?;
    refuse_or_note(args, &codec)?;
    args.spare(input)?;
    let mut source = Source::open(input)?;
    let usual = if encrypts { Access::Usual } else { Access::Owner };
    let wish = Wish {
        there: There::forced(args.force),
        binary: encrypts && codec.coding() == Coding::Raw,
        // A value is read whole: nothing goes out before it is right.
        held_back: false,
        access: access(args.mode.as_deref(), usual)?,
    };
    let mut target = Target::begin(&args.output, wish)?;
    let done = value(&codec, direction, &mut source).and_then(|out| target.write(&out));
    done.map_err(|failure| target.spoilt(failure))?;
    target.finish()?;
    Ok(if source.note_changes() { Exit::Failed } else { Exit::Done })
}

/// The codec under the key that was given.
fn codec(args: &Args, dialect: &'static dialects::Dialect) -> Result<Codec, Failure> {
    let chosen = &args.dialect;
    let hash = chosen.dialect_digest.as_deref().map(|name| {
        let names = || Hash::ALL.map(Hash::name).join(", ");
        let error = || Failure::usage(format!("--dialect-digest is `{name}`"), names());
        Hash::named(name).ok_or_else(error)
    });
    let coding = chosen.coding.as_deref().map(|name| {
        let names = || dialect.codings().iter().map(|it| it.name()).collect::<Vec<_>>().join(", ");
        let error =
            || Failure::usage(format!("--coding is `{name}`"), format!("allowed: {}", names()));
        Coding::named(name).ok_or_else(error)
    });
    let (iv, iv_form) = match (&args.iv, &chosen.iv_text) {
        (Some(text), _) => (Some(digits("--iv", text)?), Some(Form::Bytes)),
        (_, Some(text)) => (Some(text.clone().into_bytes()), None),
        _ => (None, None),
    };
    let (key, key_form) = key(args)?;
    let aad = args.aad.as_deref().map_or(Ok(Vec::new()), |text| digits("--aad", text))?;
    let settings = Settings {
        key_form,
        mode: chosen.dialect_mode.as_deref(),
        iv: iv.as_deref(),
        iv_form,
        hash: hash.transpose()?,
        aad: &aad,
        coding: coding.transpose()?,
        ..Settings::new(&key)
    };
    dialect.prepare(&settings).map_err(|error| failure(&error))
}

/// The key, and how it is given.
fn key(args: &Args) -> Result<(Zeroizing<Vec<u8>>, Option<Form>), Failure> {
    if let Some(given) = args.raw_key.given()? {
        return Ok(match args.key_text {
            true => (given.text()?, None),
            false => (given.digits()?, Some(Form::Bytes)),
        });
    }
    match args.passphrase.secret(args.direction == Verb::Encrypt)? {
        Secret::Passphrase(text) => Ok((text, None)),
        Secret::Key(_) => {
            let help = "give --raw-key, or a passphrase; keys of `keygen` are for `encrypt`";
            Err(Failure::usage("a key file of `keygen`", help))
        }
    }
}

/// Says what the dialect lacks, or refuses to write it.
fn refuse_or_note(args: &Args, codec: &Codec) -> Result<(), Failure> {
    let lacks: Vec<String> = codec.flaws().iter().map(Flaw::to_string).collect();
    let (name, mode) = (codec.dialect().name(), codec.mode().name());
    if lacks.is_empty() {
        return Ok(());
    }
    let lacks = lacks.join("; ");
    if args.direction == Verb::Encrypt && !args.dialect.weak {
        let error = format!("{name} in mode {mode} is weak: {lacks}");
        let help = "give --weak if the engine must read it; else take `encrypt`";
        return Err(Failure::usage(error, help));
    }
    print_note(&format!("{name} in mode {mode}: {lacks}"));
    Ok(())
}

/// The longest input: what databases allow a value to have (MySQL and PostgreSQL, 1 GiB).
const MOST: usize = 1 << 30;

/// The whole input as one value, and what comes of it.
fn value(
    codec: &Codec,
    direction: Direction,
    source: &mut Source,
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let input = whole(source)?;
    let text = codec.coding() != Coding::Raw;
    let mut out = Zeroizing::new(Vec::new());
    let outcome = match direction {
        Direction::Encrypt => codec.encrypt(&input, &mut out),
        // A text in a file ends with a line break.
        Direction::Decrypt if text => codec.decrypt(input.trim_ascii_end(), &mut out),
        Direction::Decrypt => codec.decrypt(&input, &mut out),
    };
    match outcome.map_err(|error| failure(&error))? {
        Outcome::Value if text && direction == Direction::Encrypt => out.push(b'\n'),
        Outcome::Value => {}
        Outcome::Null => {
            let engine = codec.dialect().name();
            let error = format!("the engine of {engine} gives NULL for this, which is no value");
            return Err(Failure::new(Exit::Failed, error, "keep it as NULL"));
        }
    }
    Ok(out)
}

/// All that there is to read.
fn whole(source: &mut Source) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let known = source.len().unwrap_or(0);
    let too_long = || {
        let help = "a value has at most 1 GiB; files are for `encrypt`, or `raw` with a CIPHER";
        Failure::new(Exit::Usage, "more than 1 GiB as one value", help)
    };
    let known = usize::try_from(known).ok().filter(|known| *known <= MOST).ok_or_else(too_long)?;
    let mut input = Zeroizing::new(Vec::with_capacity(known + PIECE));
    let mut buffer = Zeroizing::new(vec![0; PIECE]);
    loop {
        stop::check()?;
        let filled = source.fill(&mut buffer)?;
        if input.capacity() - input.len() < filled {
            // More room is made here, so that what was read does not stay behind unwiped.
            let mut longer = Zeroizing::new(Vec::with_capacity(2 * input.capacity() + filled));
            longer.extend_from_slice(&input);
            input = longer;
        }
        input.extend_from_slice(&buffer[..filled]);
        if input.len() > MOST {
            return Err(too_long());
        }
        if filled < PIECE {
            return Ok(input);
        }
    }
}

/// An error of the dialect as its users meet it.
fn failure(error: &dialects::Error) -> Failure {
    let exit = if error.of_value() { Exit::Failed } else { Exit::Usage };
    Failure::new(exit, error.to_string(), error.remedy())
}
