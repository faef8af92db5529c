//! `raw`: data as `openssl enc` and GmSSL have it.

mod checks;
mod dialect;

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cipherlane::modes::{Direction, Padding};
use zeroize::Zeroizing;

use crate::args::help;
use crate::failure::{Exit, Failure};
use crate::files::each::access;
use crate::files::frame::FrameArgs;
use crate::files::identity;
use crate::files::keys::{KeyArgs, Secret, random};
use crate::files::raw::base64::{Decoder, Encoder};
use crate::files::raw::derive::{Hash, Kdf, SALTED, derive};
use crate::files::raw::padding::PaddingArg;
use crate::files::raw::sectors::SectorArgs;
use crate::files::raw::transform::{Name, Transform};
use crate::files::raw_key::{RawKeyArgs, digits};
use crate::files::source::Source;
use crate::files::stop;
use crate::files::target::{Access, Target, There, Wish};
use crate::progress::Bytes;

/// Encrypt or decrypt as `openssl enc` and GmSSL do
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Encrypt or decrypt as `openssl enc` and GmSSL do\n\n\
        For exchange with programs that have nothing better. ECB, CBC, CTR, CFB, OFB and \
        stream ciphers are WITHOUT AUTHENTICATION: who changes the data changes the plaintext, \
        unnoticed. Use `encrypt` where you may choose.\n\n\
        With a passphrase the data begins with `Salted__` and a salt, as `openssl enc` writes it; \
        the passphrase goes through PBKDF2 with 10 000 iterations unless told otherwise. With a \
        key there is no header, unless the IV stands in front. XTS, HCTR and CBC with ciphertext \
        stealing (-cbc-cts, as Kerberos and fscrypt have it) hold the whole message in memory.\n\n\
        With --sector the data is sectors of a disk, whose numbers are their IVs: XTS, XTS of \
        GB/T 17964 (-xts-gb), CBC or CBC-CTS, as dm-crypt, LUKS and fscrypt have them.\n\n\
        What is decrypted is for its owner only (--mode says otherwise). Where a tag is to be \
        checked, nothing goes to standard output before it was: until then the plaintext is in a \
        file without a name in $TMPDIR, else /tmp. The HMAC of the modes with -sm3-hmac is over \
        associated data and ciphertext, as GmSSL has it, but not over the IV.\n\n\
        With --dialect the data is one value as a database or a middleware stores it, and FILE \
        stands in the place of CIPHER. What such a value lacks is said in a line; writing one \
        that lacks something needs --weak. A wrong padding is told to you as the owner of the \
        data: an answer to others that tells it lets them decrypt.",
    after_help = help!(
        "  cipherlane raw decrypt sm4-cbc --passphrase-file pass --hash sha256 old.enc -o old
  cipherlane raw encrypt sm4-cbc --raw-key key.hex --iv-in-front FILE -o out
  cipherlane raw decrypt sm4-gcm --raw-key-env KEY --iv 00112233445566778899aabb sealed -o plain
  cipherlane raw decrypt nea3 --raw-key key.hex --count 7 --bearer 4 --direction uplink FILE -o out
  cipherlane raw decrypt aes-256-xts --raw-key volume.hex --sector 0 --sector-size 4096 disk -o out
  cipherlane raw decrypt --dialect opengauss-sm4 --passphrase-file pass value.txt"
    )
)]
pub(crate) struct Args {
    /// What to do
    direction: Verb,
    /// The cipher and mode, e.g. sm4-cbc, sm4-gcm, aes-128-ctr, zuc-128, nea3, sm4-cbc-sm3-hmac;
    /// with --dialect the input
    #[arg(required_unless_present = "dialect")]
    cipher: Option<OsString>,
    /// The input; `-` or none is standard input
    file: Option<PathBuf>,
    /// The output; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    raw_key: RawKeyArgs,
    #[command(flatten)]
    passphrase: KeyArgs,
    /// The raw key is the bytes of the text itself, not hexadecimal digits
    #[arg(long)]
    key_text: bool,
    /// The IV or nonce in hexadecimal digits
    #[arg(long, value_name = "HEX")]
    iv: Option<String>,
    #[command(flatten)]
    frame: FrameArgs,
    /// The IV or nonce stands in front of the data; encrypting, one is drawn
    #[arg(long, conflicts_with_all = ["iv", "count"])]
    iv_in_front: bool,
    /// Associated data of an AEAD, or of an HMAC, in hexadecimal digits
    #[arg(long, value_name = "HEX")]
    aad: Option<String>,
    /// How the passphrase becomes a key; `bytes-to-key` is what `openssl enc` does without
    /// -pbkdf2
    #[arg(long, value_enum, default_value = "pbkdf2")]
    kdf: Kdf,
    /// The hash in it, `-md` of `openssl enc`
    #[arg(long, value_enum, default_value = "sha256")]
    hash: Hash,
    /// Iterations of PBKDF2, `-iter` of `openssl enc`
    #[arg(long, value_name = "N", default_value = "10000")]
    iterations: String,
    /// The salt in hexadecimal digits, which is then not in the data (`-S`)
    #[arg(long, value_name = "HEX", conflicts_with = "no_salt")]
    salt: Option<String>,
    /// No salt at all (`-nosalt`)
    #[arg(long)]
    no_salt: bool,
    /// No PKCS#7 padding in ECB and CBC: whole blocks only (`-nopad`)
    #[arg(long)]
    no_padding: bool,
    /// How ECB and CBC fill up the last block
    #[arg(long, value_enum, default_value = "pkcs7", conflicts_with = "no_padding")]
    padding: PaddingArg,
    /// Encrypted data is Base64 in lines of 64 characters (`-a`)
    #[arg(short = 'a', long)]
    base64: bool,
    /// Encrypted data is Base64 in one line (`-a -A`)
    #[arg(long, conflicts_with = "base64")]
    base64_line: bool,
    /// Replace an output that is there
    #[arg(short, long)]
    force: bool,
    /// The permissions of the output in octal digits, e.g. 644
    #[arg(long, value_name = "OCTAL")]
    mode: Option<String>,
    // The last two, as what follows would stand under their headings.
    #[command(flatten)]
    sector: SectorArgs,
    #[command(flatten)]
    dialect: dialect::DialectArgs,
}

/// The two directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Verb {
    Encrypt,
    Decrypt,
}

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    stop::watch();
    if let Some(name) = &args.dialect.dialect {
        return dialect::run(args, name);
    }
    let cipher = args.cipher();
    let name = Name::parse(&cipher).ok_or_else(|| {
        let names = [Name::all(), Name::stealing()].concat();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        crate::filter::unknown(&format!("cipher `{cipher}`"), &cipher, &names)
    })?;
    checks::refuse(args, &name)?;
    checks::warn(args, &name);
    let input = args.file.as_deref().unwrap_or(Path::new("-"));
    args.differ_from_key(input)?;
    args.spare(input)?;
    let mut source = Source::open(input)?;
    let encrypts = args.direction == Verb::Encrypt;
    let text = args.is_text();
    let usual = if encrypts { Access::Usual } else { Access::Owner };
    let wish = Wish {
        there: There::forced(args.force),
        binary: encrypts && !text,
        // What a tag is behind goes nowhere before the tag is checked, not even to a pipe.
        held_back: !encrypts && name.tag() > 0,
        access: access(args.mode.as_deref(), usual)?,
    };
    let mut target = Target::begin(&args.output, wish)?;
    let done = if encrypts {
        encrypt(args, &name, &mut source, &mut target)
    } else {
        decrypt(args, &name, &mut source, &mut target)
    };
    done.map_err(|failure| target.spoilt(failure))?;
    target.finish()?;
    Ok(if source.note_changes() { Exit::Failed } else { Exit::Done })
}

/// Key and IV, and the salt that goes before the data.
struct Keys {
    key: Zeroizing<Vec<u8>>,
    iv: Vec<u8>,
}

impl Args {
    /// Refuses a key from standard input where the data comes from there: whatever reads the key
    /// reads ahead, and takes the data for a part of it.
    ///
    /// # Errors
    /// If both come from there.
    fn differ_from_key(&self, input: &Path) -> Result<(), Failure> {
        if input == Path::new("-") && (self.raw_key.is_input() || self.passphrase.is_input()) {
            let help = "give one of them another descriptor or a file";
            return Err(Failure::usage("key and data both from standard input", help));
        }
        Ok(())
    }

    /// Refuses to write over the input or the file of the key.
    ///
    /// # Errors
    /// If the output is one of them.
    fn spare(&self, input: &Path) -> Result<(), Failure> {
        identity::differ(input, &self.output)?;
        self.raw_key.spare(&self.output)?;
        self.passphrase.spare(&self.output)
    }

    /// The name of the cipher, which is there without --dialect.
    fn cipher(&self) -> Cow<'_, str> {
        self.cipher.as_ref().map_or(Cow::Borrowed(""), |name| name.to_string_lossy())
    }

    /// Key and IV under a salt, which is asked for only with a passphrase.
    fn keys(
        &self,
        name: &Name,
        salt: impl FnOnce() -> Result<Vec<u8>, Failure>,
    ) -> Result<Keys, Failure> {
        let iv = match &self.iv {
            Some(text) => Some(digits("--iv", text)?),
            None => name.plain().map_or(Ok(None), |it| self.frame.iv(&it, &self.cipher()))?,
        };
        if let Some(given) = self.raw_key.given()? {
            let key = if self.key_text { given.text()? } else { given.digits()? };
            return Ok(Keys { key, iv: iv.unwrap_or_default() });
        }
        let Secret::Passphrase(passphrase) =
            self.passphrase.secret(self.direction == Verb::Encrypt)?
        else {
            let help = "give --raw-key, or a passphrase; keys of `keygen` are for `encrypt`";
            return Err(Failure::usage("a key file of `keygen`", help));
        };
        let iterations = self.iterations.trim().parse().ok().filter(|n: &u32| *n > 0);
        let iterations = iterations.ok_or_else(|| {
            let error = format!("--iterations is `{}`", self.iterations);
            Failure::usage(error, "allowed: 1 to 4294967295")
        })?;
        let made =
            derive(self.kdf, self.hash, iterations, &passphrase, &salt()?, name.key + name.iv);
        let (key, own) = made.split_at(name.key);
        Ok(Keys { key: Zeroizing::new(key.to_vec()), iv: iv.unwrap_or_else(|| own.to_vec()) })
    }

    fn transform(
        &self,
        name: &Name,
        keys: &Keys,
        direction: Direction,
        length: Option<u64>,
    ) -> Result<Transform, Failure> {
        if let Some(sectors) = self.sector.sectors()? {
            // Base64 has another length than what it stands for.
            let length = length.filter(|_| direction == Direction::Encrypt || !self.is_text());
            let made = Transform::of_sectors(name, direction, &keys.key, sectors, length);
            return made.map_err(|error| checks::refused(self, Path::new(""), 0, &error));
        }
        let aad = self.aad.as_deref().map_or(Ok(Vec::new()), |text| digits("--aad", text))?;
        let padding = self.padding();
        let made = Transform::new(name, direction, &keys.key, &keys.iv, &aad, padding, length);
        made.map_err(|error| checks::refused(self, Path::new(""), 0, &error))
    }

    /// Whether encrypted data is text.
    const fn is_text(&self) -> bool {
        self.base64 || self.base64_line
    }

    fn padding(&self) -> Padding {
        if self.no_padding { Padding::None } else { self.padding.padding() }
    }
}

fn encrypt(
    args: &Args,
    name: &Name,
    source: &mut Source,
    target: &mut Target,
) -> Result<(), Failure> {
    let mut header = Vec::new();
    let mut keys = args.keys(name, || match &args.salt {
        Some(text) => digits("--salt", text),
        None if args.no_salt => Ok(Vec::new()),
        None => {
            let salt = random()?[..8].to_vec();
            header = [SALTED.as_slice(), &salt].concat();
            Ok(salt)
        }
    })?;
    if args.iv_in_front {
        keys.iv = random()?[..name.iv].to_vec();
        header.extend_from_slice(&keys.iv);
    }
    let mut transform = args.transform(name, &keys, Direction::Encrypt, source.left())?;
    let mut encoder = Encoder::new(args.base64);
    let text = args.is_text();
    let mut write = |bytes: &[u8], last: bool| {
        if text { target.write(encoder.piece(bytes, last).as_bytes()) } else { target.write(bytes) }
    };
    write(&header, false)?;
    let bar = Bytes::new("encrypting", source.path(), source.len());
    let mut buffer = Zeroizing::new(vec![0; PIECE]);
    let path = source.path().to_owned();
    let refused = |error| checks::refused(args, &path, 0, &error);
    loop {
        stop::check()?;
        let filled = source.fill(&mut buffer)?;
        let ready = transform.piece(&buffer[..filled]).map_err(refused)?;
        write(&ready, false)?;
        bar.more(filled as u64);
        if filled < PIECE {
            let last = transform.finish().map_err(refused)?;
            return write(&last, true);
        }
    }
}

fn decrypt(
    args: &Args,
    name: &Name,
    source: &mut Source,
    target: &mut Target,
) -> Result<(), Failure> {
    let path = source.path().to_owned();
    let whole = source.left();
    let bar = Bytes::new("decrypting", &path, source.len());
    let mut decoder = Decoder::default();
    let text = args.is_text();
    let mut buffer = vec![0; PIECE];
    let mut read = |source: &mut Source| {
        stop::check()?;
        let filled = source.fill(&mut buffer)?;
        bar.more(filled as u64);
        let bytes = if text {
            decoder.piece(&buffer[..filled], filled < PIECE)
        } else {
            Some(buffer[..filled].to_vec())
        };
        let wrong =
            || Failure::usage(format!("{} is not Base64", path.display()), "leave --base64 away");
        Ok::<_, Failure>((bytes.ok_or_else(wrong)?, filled < PIECE))
    };
    let (mut bytes, mut last) = read(source)?;
    let mut keys = args.keys(name, || match &args.salt {
        Some(text) => digits("--salt", text),
        None if args.no_salt => Ok(Vec::new()),
        None => {
            let salted = bytes.split_at_checked(16).filter(|(head, _)| head[..8] == SALTED);
            let Some((head, rest)) = salted else {
                let error = format!("{} does not begin with `Salted__`", path.display());
                let help = "give --no-salt, --salt HEX, or a key with --raw-key";
                return Err(Failure::new(Exit::Failed, error, help));
            };
            let salt = head[8..].to_vec();
            bytes = rest.to_vec();
            Ok(salt)
        }
    })?;
    let mut around = name.tag();
    if args.iv_in_front {
        let Some((iv, rest)) = bytes.split_at_checked(name.iv) else {
            let error = format!("{} is shorter than an IV of {} bytes", path.display(), name.iv);
            return Err(Failure::new(Exit::Failed, error, "leave --iv-in-front away"));
        };
        (keys.iv, bytes) = (iv.to_vec(), rest.to_vec());
        around += name.iv;
    }
    let length = whole.map(|len| len.saturating_sub(around as u64));
    let mut transform = args.transform(name, &keys, Direction::Decrypt, length)?;
    let mut data = 0;
    loop {
        data += bytes.len() as u64;
        let refused = |error| checks::refused(args, &path, data, &error);
        target.write(&transform.piece(&bytes).map_err(refused)?)?;
        if last {
            return target.write(&transform.finish().map_err(refused)?);
        }
        (bytes, last) = read(source)?;
    }
}
