//! Keys as other programs take them: hexadecimal digits, from files, the environment or
//! descriptors.

use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::failure::Failure;
use crate::files::identity;
use crate::files::key_text::{Text, fault_of_digits};
use crate::files::keys::variable;

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

/// A key as it was given, before anything is made of it.
pub(crate) struct Given {
    text: Zeroizing<Vec<u8>>,
    place: String,
}

impl Given {
    /// The bytes that its hexadecimal digits stand for.
    ///
    /// # Errors
    /// What are no digits.
    pub(crate) fn digits(&self) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let text = self.text.trim_ascii();
        let fault = fault_of_digits(text, None);
        let key = if fault.is_none() { hex::decode(text).ok() } else { None };
        key.map(Zeroizing::new).ok_or_else(|| {
            let help = "a key is an even number of hexadecimal digits and nothing else";
            let (place, fault) = (&self.place, fault.unwrap_or_default());
            Failure::usage(format!("{place} holds no key in hexadecimal digits: {fault}"), help)
        })
    }

    /// The bytes of the text itself, without the line end.
    ///
    /// # Errors
    /// A text that is empty, of which dialects that fold a key or fill it up make zeros.
    pub(crate) fn text(&self) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let text = self.text.strip_suffix(b"\n").unwrap_or(&self.text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.is_empty() {
            let error = format!("{} holds no key: it is empty", self.place);
            let help = "look where the key should have come from; an engine's key of the empty text is zeros, in \
                        hexadecimal digits as many as its cipher's key has";
            return Err(Failure::usage(error, help));
        }
        Ok(Zeroizing::new(text.to_vec()))
    }
}

fn read(text: Text) -> Result<(Zeroizing<Vec<u8>>, String), Failure> {
    let place = text.place().to_owned();
    Ok((text.whole()?, place))
}

impl RawKeyArgs {
    /// The key, if one was given.
    ///
    /// # Errors
    /// A file or variable that is not there, and what are no digits.
    pub(crate) fn key(&self) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
        self.given()?.map(|given| given.digits()).transpose()
    }

    /// What was given.
    ///
    /// # Errors
    /// A file or variable that is not there.
    pub(crate) fn given(&self) -> Result<Option<Given>, Failure> {
        let (text, place) = match (&self.raw_key, &self.raw_key_env, self.raw_key_fd) {
            (Some(path), ..) => read(Text::file(path, "--raw-key-fd")?)?,
            (_, Some(name), _) => (variable(name)?, format!("the variable {name}")),
            (.., Some(number)) => read(Text::descriptor(number)?)?,
            _ => return Ok(None),
        };
        Ok(Some(Given { text, place }))
    }

    /// Whether it comes from standard input by its number.
    pub(crate) fn is_input(&self) -> bool {
        self.raw_key_fd == Some(0)
    }

    /// Refuses an output that is the file it comes from.
    ///
    /// # Errors
    /// If it is.
    pub(crate) fn spare(&self, output: &Path) -> Result<(), Failure> {
        identity::spare_key(self.raw_key.as_deref(), self.raw_key_fd, output)
    }

    /// Whether anything was given.
    pub(crate) const fn is_given(&self) -> bool {
        self.raw_key.is_some() || self.raw_key_env.is_some() || self.raw_key_fd.is_some()
    }

    /// The words of a command line that give the same key again.
    pub(crate) fn words(&self) -> Vec<String> {
        let path = self.raw_key.as_ref().map(|path| path.display().to_string());
        let number = self.raw_key_fd.map(|number| number.to_string());
        let given = [("--raw-key", path), ("--raw-key-env", self.raw_key_env.clone())];
        let given = given.into_iter().chain([("--raw-key-fd", number)]);
        given.filter_map(|(option, value)| Some([option.to_owned(), value?])).flatten().collect()
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
