//! From a stored value to its plaintext.

use zeroize::Zeroize as _;

use super::Codec;
use crate::coding::Coding;
use crate::error::Error;
use crate::iv::Iv;
use crate::layout::{LONGEST, Part};
use crate::row::Empty;
use crate::settings::Outcome;

/// A copy of a short piece.
struct Piece([u8; LONGEST], usize);

impl Piece {
    fn of(bytes: &[u8]) -> Self {
        let mut piece = Self([0; LONGEST], bytes.len());
        piece.0[..bytes.len()].copy_from_slice(bytes);
        piece
    }

    fn get(&self) -> &[u8] {
        &self.0[..self.1]
    }
}

/// A value that was opened to see what comes out.
pub(crate) struct Trial {
    /// What was encrypted, with its padding.
    pub(crate) plain: Vec<u8>,
    /// The ciphertext.
    pub(crate) cipher: Vec<u8>,
    pub(crate) iv: Iv,
    /// The length without the padding, if there is a right one.
    pub(crate) len: Option<usize>,
}

impl Trial {
    pub(crate) const fn new() -> Self {
        Self { plain: Vec::new(), cipher: Vec::new(), iv: Iv::zeros(0), len: None }
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        self.plain.zeroize();
    }
}

impl Codec {
    /// Appends the plaintext of a stored value. Where there is a tag or a MAC, nothing of
    /// the plaintext is given out unless that is right.
    ///
    /// # Errors
    /// [`Error`] says what is wrong with the value; the output is as it was then, and nothing of
    /// what came out stays behind it.
    pub fn decrypt(&self, stored: &[u8], out: &mut Vec<u8>) -> Result<Outcome, Error> {
        if stored.is_empty() && self.dialect.row.empty == Empty::Null {
            return Ok(Outcome::Null);
        }
        let start = out.len();
        let stored = self.unprefixed(stored);
        let done = self.coding.decode(stored, out).and_then(|()| self.open(&mut out[start..]));
        match done {
            Ok(len) => {
                out[start + len..].zeroize();
                out.truncate(start + len);
                Ok(Outcome::Value)
            }
            Err(error) => {
                out[start..].zeroize();
                out.truncate(start);
                Err(error)
            }
        }
    }

    /// The value without the `\x` that PostgreSQL writes before the digits of bytes. Where the rows
    /// do not have it, it is no digit: it is told, not passed over.
    pub(super) fn unprefixed<'s>(&self, stored: &'s [u8]) -> &'s [u8] {
        let digits = matches!(self.coding, Coding::Hex | Coding::HexUpper);
        match stored.strip_prefix(br"\x") {
            Some(rest) if digits && self.dialect.row.hex_prefix => rest,
            _ => stored,
        }
    }

    /// Decrypts a value in its place: how long the plaintext is that then stands at its beginning.
    fn open(&self, bytes: &mut [u8]) -> Result<usize, Error> {
        let (body, _) = self.unseal(bytes)?;
        self.len_of(&bytes[..body])
    }

    /// The length of a plaintext without its padding.
    pub(super) fn len_of(&self, data: &[u8]) -> Result<usize, Error> {
        if !self.whole {
            return Ok(data.len());
        }
        let len = self.mode.padding.len_without(data, self.block());
        len.ok_or(Error::Padding { dialect: self.dialect.name() })
    }

    /// A value as far as it opens, with what that depends on.
    ///
    /// # Errors
    /// As [`decrypt`](Self::decrypt), but for a wrong padding.
    pub(crate) fn trial(&self, stored: &[u8], trial: &mut Trial) -> Result<(), Error> {
        trial.plain.zeroize();
        trial.cipher.clear();
        self.coding.decode(stored, &mut trial.plain)?;
        let body = self.body(trial.plain.len())?;
        let place = self.mode.layout.place(Part::Ciphertext, body).unwrap_or(0..0);
        trial.cipher.extend_from_slice(&trial.plain[place]);
        let (body, iv) = self.unseal(&mut trial.plain)?;
        trial.plain[body..].zeroize();
        trial.plain.truncate(body);
        trial.iv = iv;
        trial.len = self.len_of(&trial.plain).ok();
        Ok(())
    }

    /// Checks and decrypts a value in its place: how long what was encrypted is, which then stands at its
    /// beginning with its padding, and the IV.
    fn unseal(&self, bytes: &mut [u8]) -> Result<(usize, Iv), Error> {
        let layout = &self.mode.layout;
        let body = self.body(bytes.len())?;
        let place = |part| layout.place(part, body).unwrap_or(0..0);
        let keyed = self.keyed(&bytes[place(Part::Salt)], true)?;
        if let (Some(mac), Some(key)) = (&self.dialect.row.mac, &keyed.mac) {
            let parts = mac.over.iter().map(|part| &bytes[place(*part)]);
            if !mac.hash.mac_is(key, parts, &bytes[place(Part::Mac)]) {
                return Err(Error::Authentication { dialect: self.dialect.name() });
            }
        }
        let stored = place(Part::Iv);
        let iv = match &self.iv {
            Some(iv) if stored.is_empty() => iv.clone(),
            _ => Iv::of(&bytes[stored], self.mode.iv_len),
        };
        let tag = Piece::of(&bytes[place(Part::Tag)]);
        bytes.copy_within(place(Part::Ciphertext), 0);
        let data = &mut bytes[..body];
        keyed.decrypt(iv.get(), &self.aad, data, tag.get()).map_err(|error| match error {
            cipherlane::Error::Authentication => {
                Error::Authentication { dialect: self.dialect.name() }
            }
            other => Error::Library(other),
        })?;
        Ok((body, iv))
    }

    /// The length of the ciphertext in a value of `len` bytes.
    pub(super) fn body(&self, len: usize) -> Result<usize, Error> {
        let (around, block) = (self.mode.layout.around(), self.block());
        let whole = self.whole;
        let least = if whole && self.mode.padding.always() { block } else { 0 };
        let body = len
            .checked_sub(around)
            .filter(|body| *body >= least && (!whole || body.is_multiple_of(block)));
        body.ok_or_else(|| {
            let least = around + least;
            let allowed = match (whole, around) {
                (true, 0) => format!("a multiple of {block}, {least} or more"),
                (true, _) => format!("{around} and a multiple of {block}, {least} or more"),
                (false, _) => format!("{least} or more"),
            };
            Error::Stored { dialect: self.dialect.name(), got: len, allowed }
        })
    }
}
