//! A dialect with its settings from the command line, by the names that `cipherlane raw` has; where a
//! command has two dialects, with `from-` and `to-` before them.

use std::path::PathBuf;

use dialects::{Codec, Coding, Flaw, Form, Hash, Settings};

use crate::failure::{Failure, note};
use crate::keys::KeyPlace;

/// What was given for one dialect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    /// The option that names the dialect.
    pub(crate) option: &'static str,
    pub(crate) dialect: &'a str,
    pub(crate) mode: Option<&'a str>,
    pub(crate) digest: Option<&'a str>,
    pub(crate) coding: Option<&'a str>,
    pub(crate) iv: Option<&'a str>,
    pub(crate) iv_text: Option<&'a str>,
    pub(crate) aad: Option<&'a str>,
    pub(crate) key: KeyPlace<'a>,
}

macro_rules! settings {
    ($name:ident, $doc:literal, $dialect:literal, $of_dialect:literal, $prefix:literal) => {
        #[doc = $doc]
        #[derive(Debug, clap::Args)]
        pub(crate) struct $name {
            /// The dialect; see `cipherlane dialects`
            #[arg(id = concat!($prefix, "dialect"), long = $dialect)]
            #[arg(value_name = "DIALECT")]
            dialect: String,
            /// Its mode by the engine's name; the engine's own choice if absent
            #[arg(id = concat!($prefix, "mode"), long = concat!($of_dialect, "mode"))]
            #[arg(value_name = "MODE")]
            mode: Option<String>,
            /// The digest that makes the key, where there is a choice, e.g. sha-256
            #[arg(id = concat!($prefix, "digest"), long = concat!($of_dialect, "digest"))]
            #[arg(value_name = "DIGEST")]
            digest: Option<String>,
            /// How values are coded: raw, base64, hex or hex-upper; as the engine gives them if absent
            #[arg(id = concat!($prefix, "coding"), long = concat!($prefix, "coding"))]
            #[arg(value_name = "CODING")]
            coding: Option<String>,
            /// The IV argument in hexadecimal digits
            #[arg(id = concat!($prefix, "iv"), long = concat!($prefix, "iv"))]
            #[arg(value_name = "HEX")]
            iv: Option<String>,
            /// The IV argument as the text that the engine takes
            #[arg(id = concat!($prefix, "iv-text"), long = concat!($prefix, "iv-text"))]
            #[arg(value_name = "TEXT", conflicts_with = concat!($prefix, "iv"))]
            iv_text: Option<String>,
            /// Associated data of an AEAD in hexadecimal digits
            #[arg(id = concat!($prefix, "aad"), long = concat!($prefix, "aad"))]
            #[arg(value_name = "HEX")]
            aad: Option<String>,
            /// A file of hexadecimal digits: the key
            #[arg(id = concat!($prefix, "raw-key"), long = concat!($prefix, "raw-key"))]
            #[arg(value_name = "FILE")]
            raw_key: Option<PathBuf>,
            /// An environment variable that holds such digits
            #[arg(id = concat!($prefix, "raw-key-env"), long = concat!($prefix, "raw-key-env"))]
            #[arg(value_name = "NAME")]
            raw_key_env: Option<String>,
            /// An open file descriptor to read such digits from
            #[arg(id = concat!($prefix, "raw-key-fd"), long = concat!($prefix, "raw-key-fd"))]
            #[arg(value_name = "N")]
            raw_key_fd: Option<u32>,
            /// The raw key is the bytes of the text itself, not hexadecimal digits
            #[arg(id = concat!($prefix, "key-text"), long = concat!($prefix, "key-text"))]
            key_text: bool,
            /// A file whose first line is the key's text
            #[arg(id = concat!($prefix, "passphrase-file"), long = concat!($prefix, "passphrase-file"))]
            #[arg(value_name = "FILE")]
            passphrase_file: Option<PathBuf>,
            /// An environment variable that holds the key's text
            #[arg(id = concat!($prefix, "passphrase-env"), long = concat!($prefix, "passphrase-env"))]
            #[arg(value_name = "NAME")]
            passphrase_env: Option<String>,
            /// An open file descriptor whose first line is the key's text
            #[arg(id = concat!($prefix, "passphrase-fd"), long = concat!($prefix, "passphrase-fd"))]
            #[arg(value_name = "N")]
            passphrase_fd: Option<u32>,
        }

        impl $name {
            /// What was given.
            pub(crate) fn given(&self) -> Given<'_> {
                Given {
                    option: concat!("--", $dialect),
                    dialect: &self.dialect,
                    mode: self.mode.as_deref(),
                    digest: self.digest.as_deref(),
                    coding: self.coding.as_deref(),
                    iv: self.iv.as_deref(),
                    iv_text: self.iv_text.as_deref(),
                    aad: self.aad.as_deref(),
                    key: KeyPlace {
                        prefix: $prefix,
                        raw_key: self.raw_key.as_ref(),
                        raw_key_env: self.raw_key_env.as_ref(),
                        raw_key_fd: self.raw_key_fd,
                        passphrase_file: self.passphrase_file.as_ref(),
                        passphrase_env: self.passphrase_env.as_ref(),
                        passphrase_fd: self.passphrase_fd,
                        key_text: self.key_text,
                    },
                }
            }
        }
    };
}

settings!(PlainArgs, "The one dialect of a command.", "dialect", "dialect-", "");
settings!(FromArgs, "The dialect that values are in.", "from", "from-", "from-");
settings!(ToArgs, "The dialect that values are to be in.", "to", "to-", "to-");

impl Given<'_> {
    /// The codec under the key that was given.
    ///
    /// # Errors
    /// What the dialect refuses, and a key that is not there.
    pub(crate) fn codec(&self) -> Result<Codec, Failure> {
        let prefix = self.key.prefix;
        let dialect = dialects::find(self.dialect).map_err(|error| {
            let help = format!("{} `cipherlane dialects` lists all", error.remedy());
            Failure::usage(format!("{}: {error}", self.option), help)
        })?;
        let hash = self.digest.map(|name| {
            let error = || {
                let names = Hash::ALL.map(Hash::name).join(", ");
                let error = format!("the digest of {} is `{name}`", dialect.name());
                Failure::usage(error, format!("allowed: {names}"))
            };
            Hash::named(name).ok_or_else(error)
        });
        let coding = self.coding.map(|name| {
            let error = || {
                let names: Vec<&str> = dialect.codings().iter().map(|it| it.name()).collect();
                let error = format!("--{prefix}coding is `{name}`");
                Failure::usage(error, format!("allowed: {}", names.join(", ")))
            };
            Coding::named(name).ok_or_else(error)
        });
        let (iv, iv_form) = match (self.iv, self.iv_text) {
            (Some(text), _) => (Some(digits(prefix, "iv", text)?), Some(Form::Bytes)),
            (_, Some(text)) => (Some(text.as_bytes().to_vec()), None),
            _ => (None, None),
        };
        let aad = self.aad.map_or(Ok(Vec::new()), |text| digits(prefix, "aad", text))?;
        let key = self.key.read()?;
        let settings = Settings {
            key_form: key.form,
            mode: self.mode,
            iv: iv.as_deref(),
            iv_form,
            hash: hash.transpose()?,
            aad: &aad,
            coding: coding.transpose()?,
            ..Settings::new(&key.bytes)
        };
        dialect.prepare(&settings).map_err(|error| Failure::dialect(&error))
    }
}

/// Bytes given as hexadecimal digits on the command line: nothing secret.
pub(crate) fn digits(prefix: &str, name: &str, text: &str) -> Result<Vec<u8>, Failure> {
    hex::decode(text.trim()).map_err(|_| {
        let help = "allowed: an even number of hexadecimal digits";
        Failure::usage(format!("--{prefix}{name} is `{text}`"), help)
    })
}

/// Says what the dialect that is read lacks.
pub(crate) fn tell(codec: &Codec) {
    if let Some(lacks) = lacks(codec) {
        note(&lacks);
    }
}

/// Refuses to write a dialect that lacks something, unless that was asked for.
///
/// # Errors
/// What it lacks.
pub(crate) fn admit(codec: &Codec, weak: bool) -> Result<(), Failure> {
    match lacks(codec) {
        None => Ok(()),
        Some(lacks) if weak => {
            note(&lacks);
            Ok(())
        }
        Some(lacks) => {
            let help =
                "give --weak if the engine must read it; spark-aes in mode GCM lacks nothing";
            Err(Failure::usage(format!("weak: {lacks}"), help))
        }
    }
}

fn lacks(codec: &Codec) -> Option<String> {
    let lacks: Vec<String> = codec.flaws().iter().map(Flaw::to_string).collect();
    let (name, mode) = (codec.dialect().name(), codec.mode().name());
    (!lacks.is_empty()).then(|| format!("{name} in mode {mode}: {}", lacks.join("; ")))
}
