//! Keys from files, the environment or descriptors; never from the command line, which every user
//! of the machine can read.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use dialects::Form;
use zeroize::Zeroizing;

use crate::failure::{Exit, Failure};

/// The longest text of a key that is read.
const MOST: usize = 64 * 1024;

/// Where a key comes from, by the words behind the prefix of its options.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeyPlace<'a> {
    /// What stands before the names of the options: nothing, `from-` or `to-`.
    pub(crate) prefix: &'static str,
    pub(crate) raw_key: Option<&'a PathBuf>,
    pub(crate) raw_key_env: Option<&'a String>,
    pub(crate) raw_key_fd: Option<u32>,
    pub(crate) passphrase_file: Option<&'a PathBuf>,
    pub(crate) passphrase_env: Option<&'a String>,
    pub(crate) passphrase_fd: Option<u32>,
    pub(crate) key_text: bool,
}

/// A key and how it is given.
pub(crate) struct Key {
    pub(crate) bytes: Zeroizing<Vec<u8>>,
    pub(crate) form: Option<Form>,
}

impl KeyPlace<'_> {
    /// The files that it comes from. What a descriptor leads to is one too: its name here is compared by the
    /// device and the number of what is open there.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let named = self.raw_key.into_iter().chain(self.passphrase_file).cloned();
        let open = self.raw_key_fd.into_iter().chain(self.passphrase_fd).map(of_descriptor);
        named.chain(open).collect()
    }

    /// Reads the key.
    ///
    /// # Errors
    /// No place or more than one, one that is not there, and what are no digits.
    pub(crate) fn read(&self) -> Result<Key, Failure> {
        let prefix = self.prefix;
        let given = [
            self.raw_key.is_some(),
            self.raw_key_env.is_some(),
            self.raw_key_fd.is_some(),
            self.passphrase_file.is_some(),
            self.passphrase_env.is_some(),
            self.passphrase_fd.is_some(),
        ];
        match given.into_iter().filter(|it| *it).count() {
            0 => {
                let help = format!(
                    "give --{prefix}raw-key FILE with --{prefix}key-text or hexadecimal digits, \
                     or --{prefix}passphrase-file FILE; …-env NAME and …-fd N do too"
                );
                return Err(Failure::usage(format!("no --{prefix}raw-key was given"), help));
            }
            1 => {}
            _ => {
                let error = format!("more than one key for --{prefix}raw-key");
                return Err(Failure::usage(error, "give one of the options for a key"));
            }
        }
        let raw = match (self.raw_key, self.raw_key_env, self.raw_key_fd) {
            (Some(path), ..) => Some((file(path)?, path.display().to_string())),
            (_, Some(name), _) => Some((variable(name)?, format!("the variable {name}"))),
            (.., Some(number)) => Some((descriptor(number)?, format!("descriptor {number}"))),
            _ => None,
        };
        if let Some((text, place)) = raw {
            if self.key_text {
                let end = text.strip_suffix(b"\n").unwrap_or(&text);
                let end = end.strip_suffix(b"\r").unwrap_or(end);
                if end.is_empty() {
                    return Err(none(&place));
                }
                return Ok(Key { bytes: Zeroizing::new(end.to_vec()), form: None });
            }
            let digits = hex::decode(text.trim_ascii()).map(Zeroizing::new).map_err(|_| {
                let help = format!("give --{prefix}key-text if the key is the text itself");
                Failure::usage(format!("{place} holds no key in hexadecimal digits"), help)
            })?;
            if digits.is_empty() {
                return Err(none(&place));
            }
            return Ok(Key { bytes: digits, form: Some(Form::Bytes) });
        }
        let text = match (self.passphrase_file, self.passphrase_env, self.passphrase_fd) {
            (Some(path), ..) => file(path)?,
            (_, Some(name), _) => variable(name)?,
            (.., Some(number)) => descriptor(number)?,
            _ => Zeroizing::default(),
        };
        let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return Err(Failure::usage("the passphrase is empty", "give one with at least a byte"));
        }
        Ok(Key { bytes: Zeroizing::new(line.to_vec()), form: None })
    }
}

/// What is empty is a secret that was not there, or a descriptor that was read before. Engines that take
/// the empty text make a key of zeros of it.
fn none(place: &str) -> Failure {
    let help = "look where the key should have come from; an engine's key of the empty text is zeros, in \
                hexadecimal digits as many as its cipher's key has";
    Failure::usage(format!("{place} holds no key: it is empty"), help)
}

fn file(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let fault = |error: std::io::Error| Failure::io("read the key in", path, &error);
    whole(File::open(path).map_err(fault)?, path)
}

fn descriptor(number: u32) -> Result<Zeroizing<Vec<u8>>, Failure> {
    file(&of_descriptor(number))
}

fn of_descriptor(number: u32) -> PathBuf {
    PathBuf::from(format!("/dev/fd/{number}"))
}

fn variable(name: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let value = std::env::var_os(name).ok_or_else(|| {
        let error = format!("the variable {name} is not set");
        Failure::new(Exit::Environment, error, "set and export it")
    })?;
    Ok(Zeroizing::new(value.into_encoded_bytes()))
}

/// All of it, into one place from the beginning: a vector that grows leaves copies behind.
fn whole(mut from: File, path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let mut text = Zeroizing::new(vec![0; MOST + 1]);
    let mut filled = 0;
    while filled < text.len() {
        match from.read(&mut text[filled..]) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Failure::io("read the key in", path, &error)),
        }
    }
    if filled > MOST {
        let error = format!("{} holds more than {MOST} bytes: no key", path.display());
        return Err(Failure::usage(error, "name a file that holds the key"));
    }
    text.truncate(filled);
    Ok(text)
}
