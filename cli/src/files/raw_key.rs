//! Keys as other programs take them: hexadecimal digits, from files, the environment or
//! descriptors.

use std::path::PathBuf;

use zeroize::Zeroizing;

use crate::failure::Failure;
use crate::files::keys::{descriptor, file, variable};

/// Where a key of hexadecimal digits comes from
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub(crate) struct RawKeyArgs {
    /// A file of hexadecimal digits: the key
    #[arg(long, value_name = "FILE")]
    raw_key: Option<PathBuf>,
    /// An environment variable that holds such digits
    #[arg(long, value_name = "NAME")]
    raw_key_env: Option<String>,
    /// An open file descriptor to read such digits from
    #[arg(long, value_name = "N")]
    raw_key_fd: Option<u32>,
}

impl RawKeyArgs {
    /// The key, if one was given.
    ///
    /// # Errors
    /// A file or variable that is not there, and what are no digits.
    pub(crate) fn key(&self) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
        let (text, place) = match (&self.raw_key, &self.raw_key_env, self.raw_key_fd) {
            (Some(path), ..) => (file(path)?, path.display().to_string()),
            (_, Some(name), _) => (variable(name)?, format!("the variable {name}")),
            (.., Some(number)) => (file(&descriptor(number))?, format!("descriptor {number}")),
            _ => return Ok(None),
        };
        let key = hex::decode(text.trim_ascii()).map(Zeroizing::new);
        key.map(Some).map_err(|_| {
            let help = "a key is an even number of hexadecimal digits and nothing else";
            Failure::usage(format!("{place} holds no key in hexadecimal digits"), help)
        })
    }
}

/// Bytes given as hexadecimal digits on the command line: nothing secret.
///
/// # Errors
/// What are no digits.
pub(crate) fn digits(field: &'static str, text: &str) -> Result<Vec<u8>, Failure> {
    hex::decode(text.trim()).map_err(|_| {
        let help = "allowed: an even number of hexadecimal digits";
        Failure::usage(format!("{field} is `{text}`"), help)
    })
}
