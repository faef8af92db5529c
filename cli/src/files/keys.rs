//! Keys and passphrases: from files, the environment, descriptors or a prompt; never from the
//! command line, which every user of the machine can read.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use container::{Kdf, MasterKey};
use zeroize::Zeroizing;

use crate::failure::{Exit, Failure};
use crate::files::identity;
use crate::files::key_text::{MARK, Text, fault_of_key};

/// Where the key comes from
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub(crate) struct KeyArgs {
    /// A key file, as `cipherlane keygen` writes it
    #[arg(short, long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// An environment variable that holds such a key
    #[arg(long, value_name = "NAME")]
    key_env: Option<String>,
    /// An open file descriptor to read such a key from
    #[arg(long, value_name = "N")]
    key_fd: Option<u32>,
    /// Ask for a passphrase on the terminal
    #[arg(short, long)]
    passphrase: bool,
    /// A file whose first line is the passphrase
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// An environment variable that holds the passphrase
    #[arg(long, value_name = "NAME")]
    passphrase_env: Option<String>,
    /// An open file descriptor whose first line is the passphrase
    #[arg(long, value_name = "N")]
    passphrase_fd: Option<u32>,
}

/// A key or a passphrase. Wiped on drop.
pub(crate) enum Secret {
    Key(MasterKey),
    Passphrase(Zeroizing<Vec<u8>>),
}

impl KeyArgs {
    /// Whether anything was given.
    pub(crate) const fn given(&self) -> bool {
        self.key.is_some()
            || self.key_env.is_some()
            || self.key_fd.is_some()
            || self.passphrase
            || self.passphrase_file.is_some()
            || self.passphrase_env.is_some()
            || self.passphrase_fd.is_some()
    }

    /// Whether it comes from standard input by its number.
    pub(crate) fn is_input(&self) -> bool {
        self.key_fd == Some(0) || self.passphrase_fd == Some(0)
    }

    /// Refuses an output that is the file it comes from.
    ///
    /// # Errors
    /// If it is.
    pub(crate) fn spare(&self, output: &Path) -> Result<(), Failure> {
        let file = self.key.as_deref().or(self.passphrase_file.as_deref());
        identity::spare_key(file, self.key_fd.or(self.passphrase_fd), output)
    }

    /// Reads it. With `twice`, a prompt asks again, for nobody can open a file with a
    /// passphrase that was mistyped when it was made.
    ///
    /// # Errors
    /// Nothing given, a file or variable that is not there, and what is no key.
    pub(crate) fn secret(&self, twice: bool) -> Result<Secret, Failure> {
        let key = |text: Text| {
            let place = text.place().to_owned();
            parse(&text.whole()?, &place)
        };
        if let Some(path) = &self.key {
            return key(Text::file(path, "--key-fd")?);
        }
        if let Some(name) = &self.key_env {
            return parse(&variable(name)?, &format!("the variable {name}"));
        }
        if let Some(number) = self.key_fd {
            return key(Text::descriptor(number)?);
        }
        let passphrase = match (&self.passphrase_file, &self.passphrase_env, self.passphrase_fd) {
            (Some(path), ..) => Text::file(path, "--passphrase-fd")?.first_line()?,
            (_, Some(name), _) => variable(name)?,
            (.., Some(number)) => Text::descriptor(number)?.first_line()?,
            _ if self.passphrase => prompt(twice)?,
            _ => {
                return Err(Failure::usage(
                    "no key was given",
                    "make one with `cipherlane keygen -o FILE` and give it with -k FILE, or use \
                     --passphrase",
                ));
            }
        };
        if passphrase.is_empty() {
            return Err(Failure::usage("the passphrase is empty", "give one with at least a byte"));
        }
        Ok(Secret::Passphrase(passphrase))
    }
}

impl KeyArgs {
    /// The words of a command line that give the same passphrase again.
    pub(crate) fn words(&self) -> Vec<String> {
        let path = self.passphrase_file.as_ref().map(|path| path.display().to_string());
        let number = self.passphrase_fd.map(|number| number.to_string());
        let given = [
            ("--passphrase-file", path),
            ("--passphrase-env", self.passphrase_env.clone()),
            ("--passphrase-fd", number),
        ];
        let words = given.into_iter();
        let words = words.filter_map(|(option, value)| Some([option.to_owned(), value?])).flatten();
        words.chain(self.passphrase.then(|| "--passphrase".to_owned())).collect()
    }
}

impl Secret {
    /// The master key of a file whose key was made so.
    ///
    /// # Errors
    /// A key where a passphrase is needed, or the other way round.
    pub(crate) fn master(&self, kdf: Kdf, salt: &[u8; 32]) -> Result<MasterKey, container::Error> {
        match (self, kdf) {
            (Self::Key(key), Kdf::Key) => Ok(key.clone()),
            (Self::Key(_), _) => Err(container::Error::KeyKind { made: "a passphrase" }),
            (Self::Passphrase(text), _) => MasterKey::from_passphrase(text, kdf, salt),
        }
    }
}

/// Bytes from the system's generator.
///
/// # Errors
/// That of the system.
pub(crate) fn random() -> Result<[u8; 32], Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        let help = "the system must have a random generator";
        Failure::new(Exit::Environment, format!("no random bytes: {error}"), help)
    })?;
    Ok(bytes)
}

/// A key as a key file holds it.
pub(crate) fn text(key: &MasterKey) -> Zeroizing<String> {
    Zeroizing::new(format!("{MARK}{}\n", hex::encode(key.bytes())))
}

fn parse(text: &[u8], place: &str) -> Result<Secret, Failure> {
    let text = text.trim_ascii();
    let mut key = Zeroizing::new([0; 32]);
    let digits = text.strip_prefix(MARK.as_bytes());
    match digits.map(|digits| hex::decode_to_slice(digits, key.as_mut_slice())) {
        Some(Ok(())) => Ok(Secret::Key(MasterKey::from_bytes(*key))),
        _ => Err(Failure::usage(
            format!("{place} holds no key: {}", fault_of_key(text)),
            format!(
                "a key is `{MARK}` and 64 hexadecimal digits, as `cipherlane keygen` writes it; \
                 a passphrase goes in by --passphrase-file"
            ),
        )),
    }
}

pub(super) fn variable(name: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let value = std::env::var_os(name).ok_or_else(|| {
        Failure::new(
            Exit::Environment,
            format!("the variable {name} is not set"),
            "set and export it",
        )
    })?;
    Ok(Zeroizing::new(value.into_encoded_bytes()))
}

fn prompt(twice: bool) -> Result<Zeroizing<Vec<u8>>, Failure> {
    if !std::io::stderr().is_terminal() {
        let help = "use --passphrase-file, --passphrase-env or --passphrase-fd";
        return Err(Failure::new(Exit::Environment, "no terminal to ask for a passphrase", help));
    }
    let ask = |text: &str| {
        let typed = rpassword::prompt_password(text).map(Zeroizing::new);
        typed.map_err(|error| {
            let help = "use --passphrase-file, --passphrase-env or --passphrase-fd";
            Failure::new(Exit::Environment, format!("can't ask for a passphrase: {error}"), help)
        })
    };
    let first = ask("Passphrase: ")?;
    if twice && *ask("Again: ")? != *first {
        return Err(Failure::usage("the two passphrases differ", "type the same twice"));
    }
    Ok(Zeroizing::new(first.as_bytes().to_vec()))
}
