//! Where a mode's IV comes from.

use crate::coding;
use crate::dialect::{Dialect, Mode};
use crate::error::Error;
use crate::form::Form;
use crate::key::first_of;
use crate::row::{Given, IvRule};
use crate::settings::Settings;

/// The longest IV of a mode: a block.
pub(crate) const LONGEST: usize = 16;

/// An IV, which is nothing secret but where it is the key.
#[derive(Clone)]
pub(crate) struct Iv {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Mode {
    /// Where its IV comes from, in few words.
    #[must_use]
    pub fn iv(&self) -> String {
        summary(&self.iv, self.iv_len)
    }
}

impl Iv {
    /// Room for one of that length.
    pub(crate) const fn zeros(len: usize) -> Self {
        Self { bytes: [0; LONGEST], len }
    }

    /// The first bytes, or all with zeros behind them.
    pub(crate) fn of(bytes: &[u8], len: usize) -> Self {
        let mut iv = Self::zeros(len);
        let taken = bytes.len().min(len);
        iv.bytes[..taken].copy_from_slice(&bytes[..taken]);
        iv
    }

    pub(crate) fn get(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    pub(crate) fn get_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len]
    }
}

impl Drop for Iv {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.bytes);
    }
}

/// The IV of all values, or none where each has its own.
///
/// # Errors
/// One that is missing, not wanted, or of a wrong coding or length.
pub(crate) fn fixed(
    dialect: &'static Dialect,
    mode: &'static Mode,
    settings: &Settings<'_>,
    key: &[u8],
) -> Result<Option<Iv>, Error> {
    let len = mode.iv_len;
    let setting = |got: &str, allowed: &str| Error::Setting {
        dialect: dialect.name(),
        field: "IV",
        got: got.to_owned(),
        allowed: allowed.to_owned(),
    };
    let unwanted = || setting("given", &format!("none in mode {}", mode.name));
    Ok(match (&mode.iv, settings.iv) {
        (IvRule::None { given: Given::Ignored }, _) | (IvRule::None { .. }, None) => {
            Some(Iv::zeros(0))
        }
        (IvRule::None { .. } | IvRule::Key | IvRule::Drawn { given: Given::Refused }, Some(_)) => {
            return Err(unwanted());
        }
        (IvRule::Argument { min, max, forms, .. }, given) => {
            let words = match max {
                Some(max) if max == min => format!("{min} bytes"),
                Some(max) => format!("{min} to {max} bytes"),
                None => format!("{min} bytes or more"),
            };
            let given = given.ok_or_else(|| setting("missing", &words))?;
            let read = |form: Form| {
                let iv = coding::bytes("IV", given, form)?;
                if (*min..=max.unwrap_or(usize::MAX)).contains(&iv.len()) {
                    return Ok(Iv::of(&iv, len));
                }
                let (got, allowed) = (iv.len(), words.clone());
                Err(Error::Length { dialect: dialect.name(), field: "IV", got, allowed })
            };
            let chosen = match settings.iv_form {
                Some(form) if form == Form::Bytes || forms.contains(&form) => read(form)?,
                Some(form) => {
                    let names: Vec<&str> = forms.iter().map(|it| it.name()).collect();
                    return Err(setting(form.name(), &names.join(", ")));
                }
                None => first_of(forms, read)?,
            };
            Some(chosen)
        }
        (IvRule::Overlay { required: true, .. }, None) => {
            return Err(setting("missing", "any number of bytes"));
        }
        (IvRule::Overlay { constant, .. }, given) => {
            let mut iv = Iv::of(constant.as_bytes(), LONGEST);
            let given = given.unwrap_or_default();
            let taken = given.len().min(LONGEST);
            iv.bytes[..taken].copy_from_slice(&given[..taken]);
            Some(Iv::of(iv.get(), len))
        }
        (IvRule::Digest { hash, otherwise }, given) => Some(match given {
            Some(text) if !text.is_empty() => Iv::of(&hash.digest(text), len),
            _ => Iv::of(otherwise.as_bytes(), len),
        }),
        (IvRule::Key, None) => Some(Iv::of(key, len)),
        (IvRule::Drawn { .. }, None) => None,
        (IvRule::Drawn { .. }, Some(given)) => {
            if given.len() != len {
                let (got, allowed) = (given.len(), format!("{len} bytes"));
                return Err(Error::Length { dialect: dialect.name(), field: "IV", got, allowed });
            }
            Some(Iv::of(given, len))
        }
    })
}

/// A rule in few words.
pub(crate) fn summary(rule: &IvRule, len: usize) -> String {
    match rule {
        IvRule::None { .. } => "none".to_owned(),
        IvRule::Argument { configured: true, .. } => format!("configured, {len} bytes"),
        IvRule::Argument { max: None, .. } => format!("argument, its first {len} bytes"),
        IvRule::Argument { .. } => format!("argument, {len} bytes"),
        IvRule::Overlay { constant, required: true } if constant.is_empty() => {
            "argument, filled with zeros".to_owned()
        }
        IvRule::Overlay { constant, .. } if constant.is_empty() => "argument over zeros".to_owned(),
        IvRule::Overlay { constant, .. } => format!("argument over {constant}"),
        IvRule::Digest { hash, otherwise } => format!("{hash} of the argument, else {otherwise}"),
        IvRule::Key => "the key".to_owned(),
        IvRule::Drawn { .. } => format!("random, {len} bytes"),
    }
}
