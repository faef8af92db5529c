//! How stored values, keys and IVs are written as text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use base64_simd as fast64;
use hex_simd::{AsOut as _, AsciiCase};
use serde::Deserialize;
use zeroize::Zeroizing;

use crate::error::Error;
use crate::form::Form;

/// The coding of stored values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coding {
    /// The bytes themselves.
    Raw,
    /// Base64 in the standard alphabet, padded, in one line. Reading takes line breaks.
    Base64,
    /// Hexadecimal digits, written in lower case. Reading takes both.
    Hex,
    /// Hexadecimal digits, written in upper case. Reading takes both.
    HexUpper,
    /// Hexadecimal digits where the key is given in such, Base64 where it is given in that.
    AsKey,
}

impl Coding {
    /// Every one.
    pub const ALL: [Self; 5] = [Self::Raw, Self::Base64, Self::Hex, Self::HexUpper, Self::AsKey];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Base64 => "base64",
            Self::Hex => "hex",
            Self::HexUpper => "hex-upper",
            Self::AsKey => "as-key",
        }
    }

    /// The coding of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// What stands for it under a key of that form.
    pub(crate) const fn under(self, key: Form) -> Self {
        match (self, key) {
            (Self::AsKey, Form::Base64) => Self::Base64,
            (Self::AsKey, _) => Self::Hex,
            (other, _) => other,
        }
    }

    /// The length of the text of so many bytes; 0 where the bytes are stored as they are.
    pub(crate) const fn text_len(self, bytes: usize) -> usize {
        match self {
            Self::Raw => 0,
            Self::Base64 => bytes.div_ceil(3) * 4,
            Self::Hex | Self::HexUpper | Self::AsKey => bytes * 2,
        }
    }

    /// Writes the text of bytes, of [`text_len`](Self::text_len).
    pub(crate) fn encode(self, bytes: &[u8], text: &mut [u8]) {
        match self {
            Self::Raw => {}
            Self::Base64 => {
                let _ = fast64::STANDARD.encode(bytes, text.as_out());
            }
            Self::Hex | Self::HexUpper | Self::AsKey => {
                let upper = self == Self::HexUpper;
                let case = if upper { AsciiCase::Upper } else { AsciiCase::Lower };
                let _ = hex_simd::encode(bytes, text.as_out(), case);
            }
        }
    }

    /// Appends the bytes that a stored value stands for.
    ///
    /// # Errors
    /// [`Error::Coding`]; the output may have grown.
    pub(crate) fn decode(self, text: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let field = "stored value";
        let start = out.len();
        match self {
            Self::Raw => out.extend_from_slice(text),
            Self::Base64 => {
                let bound = text.len().div_ceil(4) * 3;
                let whole = start + bound;
                out.resize(whole, 0);
                // In vectors first; what is not decoded so has line breaks, or an error to be named.
                if let Ok(bytes) = fast64::STANDARD.decode(text, out[start..].as_out()) {
                    let len = bytes.len();
                    out.truncate(start + len);
                    return Ok(());
                }
                let mut decoded = STANDARD.decode_slice(text, &mut out[start..]);
                // MySQL's TO_BASE64 breaks lines; nothing else within is passed over. What is left
                // of a broken text stands behind its bytes until it is decoded.
                let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
                if decoded.is_err() && text.iter().any(is_break) {
                    out.extend(text.iter().filter(|byte| !is_break(byte)));
                    let (bytes, text) = out.split_at_mut(whole);
                    decoded = STANDARD.decode_slice(&*text, &mut bytes[start..]);
                }
                let len = decoded.map_err(|error| base64_error(field, &error.to_string()))?;
                out.truncate(start + len);
            }
            Self::Hex | Self::HexUpper | Self::AsKey => {
                out.resize(start + text.len() / 2, 0);
                if hex_simd::decode(text, out[start..].as_out()).is_ok() {
                    return Ok(());
                }
                if let Err(error) = hex::decode_to_slice(text, &mut out[start..]) {
                    check_digits(field, text)?;
                    return Err(hex_error(field, &error.to_string()));
                }
            }
        }
        Ok(())
    }
}

fn base64_error(field: &'static str, what: &str) -> Error {
    Error::Coding { field, coding: "Base64", what: what.to_owned() }
}

fn hex_error(field: &'static str, what: &str) -> Error {
    Error::Coding { field, coding: "text of hexadecimal digits", what: what.to_owned() }
}

/// Names what is no digit by its place: a digit of a key does not belong in a message.
fn check_digits(field: &'static str, text: &[u8]) -> Result<(), Error> {
    if let Some(place) = text.iter().position(|byte| !byte.is_ascii_hexdigit()) {
        return Err(hex_error(field, &format!("a character at place {place}")));
    }
    if text.len() % 2 == 1 {
        return Err(hex_error(field, &format!("{} digits, an odd number", text.len())));
    }
    Ok(())
}

/// The bytes of a key or an IV that is given in a form.
///
/// # Errors
/// [`Error::Coding`], which says nothing of what the text holds.
pub(crate) fn bytes(
    field: &'static str,
    text: &[u8],
    form: Form,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    Ok(Zeroizing::new(match form {
        Form::Text | Form::Bytes => text.to_vec(),
        Form::Hex => {
            check_digits(field, text)?;
            let mut bytes = vec![0; text.len() / 2];
            hex::decode_to_slice(text, &mut bytes).map_err(|_| hex_error(field, "no digits"))?;
            bytes
        }
        Form::Base64 => STANDARD
            .decode(text)
            .map_err(|_| base64_error(field, "its characters or its length"))?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of a coding, some of them damaged: what the one decoder says, the other must say.
    #[test]
    fn the_fast_decoders_take_what_the_plain_ones_take() {
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as usize
        };
        let (mut taken, mut refused) = (0, 0);
        for case in 0..40_000 {
            let bytes: Vec<u8> = (0..next() % 90).map(|_| next() as u8).collect();
            let coding = [Coding::Hex, Coding::HexUpper, Coding::Base64][case % 3];
            let mut text = vec![0; coding.text_len(bytes.len())];
            coding.encode(&bytes, &mut text);
            let plain = match coding {
                Coding::Base64 => STANDARD.encode(&bytes),
                Coding::HexUpper => hex::encode_upper(&bytes),
                _ => hex::encode(&bytes),
            };
            assert_eq!(text, plain.as_bytes());
            for _ in 0..next() % 3 {
                if !text.is_empty() {
                    let place = next() % text.len();
                    match next() % 4 {
                        0 => text[place] = next() as u8,
                        1 => text[place] = b"=+/-_ gG\n\r"[next() % 10],
                        2 => drop(text.remove(place)),
                        _ => text.truncate(place),
                    }
                }
            }
            let expected = match coding {
                Coding::Base64 => {
                    let lines: Vec<u8> =
                        text.iter().copied().filter(|it| !matches!(it, b'\r' | b'\n')).collect();
                    STANDARD.decode(lines).ok()
                }
                _ => hex::decode(&text).ok(),
            };
            let mut out = b"before".to_vec();
            let decoded = coding.decode(&text, &mut out).is_ok();
            assert_eq!(decoded, expected.is_some(), "{coding:?} {text:?}");
            if let Some(expected) = expected {
                assert_eq!(out.strip_prefix(b"before").unwrap(), expected, "{coding:?} {text:?}");
                taken += 1;
            } else {
                refused += 1;
            }
        }
        assert!(taken > 10_000 && refused > 5_000, "{taken} {refused}");
    }
}
