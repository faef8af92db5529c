//! From the key that a user gives to the cipher's.

use cipherlane::registry::Algorithm;
use zeroize::Zeroizing;

use crate::coding;
use crate::dialect::{Dialect, Mode};
use crate::error::Error;
use crate::form::Form;
use crate::hash::Hash;
use crate::row::{Key, KeyRule};
use crate::settings::Settings;

/// What is made of the user's key before there is a value.
pub(crate) struct Made {
    pub(crate) algorithm: &'static Algorithm,
    /// The cipher's key, or what it is derived from with each value's salt.
    pub(crate) key: Zeroizing<Vec<u8>>,
    /// The form that it was given in.
    pub(crate) form: Form,
}

impl Dialect {
    /// How the user's key becomes the cipher's, in few words.
    #[must_use]
    pub fn key(&self) -> String {
        summary(&self.row.key)
    }
}

/// Makes the key of a mode.
///
/// # Errors
/// A key of a wrong coding or length, a digest that is not to be chosen.
pub(crate) fn make(
    dialect: &'static Dialect,
    mode: &'static Mode,
    settings: &Settings<'_>,
) -> Result<Made, Error> {
    let row = &dialect.row.key;
    let chosen = hash(dialect, settings.hash)?;
    let (form, given) = in_form(dialect, mode, settings)?;
    let first = mode.ciphers[0];
    let fits = |needed: usize| mode.ciphers.iter().find(|it| it.key.max >= needed);
    let (algorithm, key) = match (row.rule, chosen) {
        (KeyRule::Exact, _) => {
            let exact = mode.ciphers.iter().find(|it| it.key.max == given.len());
            (*exact.unwrap_or(&first), given)
        }
        (KeyRule::ZeroFill, _) => {
            let algorithm = *fits(given.len()).unwrap_or(&first);
            (algorithm, filled(&given, algorithm.key.max))
        }
        (KeyRule::Fold, _) => {
            let mut key = Zeroizing::new(vec![0; first.key.max]);
            let len = key.len();
            given.iter().enumerate().for_each(|(place, byte)| key[place % len] ^= byte);
            (first, key)
        }
        (KeyRule::Digest, Some(hash)) => {
            let digest = hash.digest(&given);
            (first, Zeroizing::new(digest[..first.key.max].to_vec()))
        }
        (KeyRule::Pbkdf2 | KeyRule::Digest, _) => (first, given),
    };
    Ok(Made { algorithm, key, form })
}

/// Zeros behind a key.
fn filled(key: &[u8], len: usize) -> Zeroizing<Vec<u8>> {
    let mut filled = Zeroizing::new(vec![0; len]);
    filled[..key.len()].copy_from_slice(key);
    filled
}

/// The digest that makes the key, where one does.
fn hash(dialect: &'static Dialect, chosen: Option<Hash>) -> Result<Option<Hash>, Error> {
    let hashes = dialect.hashes();
    let Some(chosen) = chosen else { return Ok(hashes.first().copied()) };
    if hashes.contains(&chosen) {
        return Ok(Some(chosen));
    }
    let names: Vec<&str> = hashes.iter().map(|it| it.name()).collect();
    let allowed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let (dialect, got) = (dialect.name(), chosen.name().to_owned());
    Err(Error::Setting { dialect, field: "digest", got, allowed })
}

/// The bytes of the key in the form that was chosen, or in the first under which it may be one.
fn in_form(
    dialect: &'static Dialect,
    mode: &'static Mode,
    settings: &Settings<'_>,
) -> Result<(Form, Zeroizing<Vec<u8>>), Error> {
    let row = &dialect.row.key;
    let read = |form: Form| {
        let key = coding::bytes("key", settings.key, form)?;
        let (got, allowed) = (key.len(), lengths(row, mode));
        if allowed.0(got) {
            return Ok((form, key));
        }
        let digits = match form {
            Form::Hex => " in hexadecimal digits",
            Form::Base64 => " in Base64",
            Form::Text | Form::Bytes => "",
        };
        let allowed = format!("{} bytes{digits}", allowed.1);
        Err(Error::Length { dialect: dialect.name(), field: "key", got, allowed })
    };
    let forms = &row.forms;
    match settings.key_form {
        Some(form) if form == Form::Bytes || forms.contains(&form) => read(form),
        Some(form) => {
            let allowed = forms.iter().map(|it| it.name()).collect::<Vec<_>>().join(", ");
            let (dialect, got) = (dialect.name(), form.name().to_owned());
            Err(Error::Setting { dialect, field: "key form", got, allowed })
        }
        None => first_of(forms, read),
    }
}

/// What the first form gives that gives something; else the error of the first.
pub(crate) fn first_of<T>(
    forms: &[Form],
    read: impl Fn(Form) -> Result<T, Error>,
) -> Result<T, Error> {
    let first = read(forms[0]);
    if first.is_ok() {
        return first;
    }
    forms[1..].iter().find_map(|form| read(*form).ok()).map_or(first, Ok)
}

/// Which lengths a key may have, and in words.
fn lengths(row: &'static Key, mode: &'static Mode) -> (impl Fn(usize) -> bool, String) {
    let exact: Vec<usize> = mode.ciphers.iter().map(|it| it.key.max).collect();
    let (min, max) = (row.min, row.max.unwrap_or(usize::MAX));
    let is_exact = row.rule == KeyRule::Exact;
    let words = match (is_exact, row.max) {
        (true, _) => {
            let lengths: Vec<String> = exact.iter().map(ToString::to_string).collect();
            lengths.join(", ")
        }
        (false, Some(max)) => format!("{min} to {max}"),
        (false, None) => format!("{min} or more"),
    };
    (move |len| if is_exact { exact.contains(&len) } else { (min..=max).contains(&len) }, words)
}

/// The rule in few words.
pub(crate) fn summary(row: &Key) -> String {
    let forms = row.forms.iter().map(|it| it.name()).collect::<Vec<_>>().join(" or ");
    match row.rule {
        KeyRule::Exact => format!("{forms}, as it is"),
        KeyRule::Fold => format!("{forms}, folded by XOR"),
        KeyRule::ZeroFill => format!("{forms}, filled with zeros"),
        KeyRule::Digest => format!("digest of {forms}, its beginning"),
        KeyRule::Pbkdf2 => format!("PBKDF2 of {forms}, {} iterations", row.iterations),
    }
}
