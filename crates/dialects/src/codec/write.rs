//! From a plaintext to a stored value.

use core::ops::Range;

use zeroize::Zeroize as _;

use super::{Codec, Draw, Drawn};
use crate::error::Error;
use crate::iv::Iv;
use crate::layout::Part;
use crate::padding::Padding;
use crate::row::Empty;
use crate::settings::Outcome;

impl Codec {
    /// Appends the stored value of a plaintext. What an engine draws at random is drawn from the
    /// system's generator.
    ///
    /// # Errors
    /// [`Error`] for a plaintext that the dialect can't store; the output is as it was then.
    pub fn encrypt(&self, plain: &[u8], out: &mut Vec<u8>) -> Result<Outcome, Error> {
        let mut system = |_: Drawn, bytes: &mut [u8]| {
            getrandom::fill(bytes).map_err(|error| Error::Random(error.to_string()))
        };
        self.encrypt_with(plain, out, &mut system)
    }

    /// As [`encrypt`](Self::encrypt) with another source of what is drawn: one that reads ahead,
    /// or that of a test. It must never give the same bytes twice.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt), and what the source says.
    pub fn encrypt_with(
        &self,
        plain: &[u8],
        out: &mut Vec<u8>,
        draw: &mut Draw<'_>,
    ) -> Result<Outcome, Error> {
        let Some(body) = self.body_of(plain)? else { return Ok(Outcome::Null) };
        let start = out.len();
        let binary = self.mode.layout.around() + body;
        // The text stands first and the bytes behind it, until they are coded. All room is taken
        // before there is anything secret, so that no copy of that stays where the vector was.
        let text = self.coding.text_len(binary);
        out.reserve(text + binary);
        out.resize(start + text + binary, 0);
        let (before, bytes) = out.split_at_mut(start + text);
        let done = self.fill(plain, body, bytes, draw);
        if let Err(error) = done {
            bytes.zeroize();
            out.truncate(start);
            return Err(error);
        }
        if text > 0 {
            self.coding.encode(bytes, &mut before[start..]);
            out.truncate(start + text);
        }
        Ok(Outcome::Value)
    }

    /// The length of the ciphertext of a plaintext; none where the engine has NULL for it.
    ///
    /// # Errors
    /// One that the dialect can't store.
    pub(super) fn body_of(&self, plain: &[u8]) -> Result<Option<usize>, Error> {
        let row = &self.dialect.row;
        if plain.is_empty() && row.empty == Empty::Null {
            return Ok(None);
        }
        // Found in words first: hardly any text has one.
        if !row.zero_bytes
            && plain.contains(&0)
            && let Some(at) = plain.iter().position(|byte| *byte == 0)
        {
            return Err(Error::ZeroByte { dialect: self.dialect.name(), at });
        }
        let (padding, block) = (self.mode.padding, self.block());
        if self.whole && padding == Padding::None && !plain.len().is_multiple_of(block) {
            let (mode, got) = (self.mode.name(), plain.len());
            return Err(Error::Plaintext { mode, got, block });
        }
        Ok(Some(plain.len() + padding.added(plain.len(), block)))
    }

    /// Writes the pieces of a value whose ciphertext has `body` bytes.
    fn fill(
        &self,
        plain: &[u8],
        body: usize,
        bytes: &mut [u8],
        draw: &mut Draw<'_>,
    ) -> Result<(), Error> {
        let layout = &self.mode.layout;
        let place = |part| layout.place(part, body).unwrap_or(0..0);
        let salt = place(Part::Salt);
        if !salt.is_empty() {
            draw(Drawn::Salt, &mut bytes[salt.clone()])?;
        }
        let iv = match &self.iv {
            Some(iv) => iv.clone(),
            None => {
                let mut iv = Iv::zeros(self.mode.iv_len);
                draw(Drawn::Iv, iv.get_mut())?;
                iv
            }
        };
        let stored = place(Part::Iv);
        if !stored.is_empty() {
            bytes[stored].copy_from_slice(iv.get());
        }
        // A drawn salt does not come again.
        let keyed = self.keyed(&bytes[salt], false)?;
        let data = place(Part::Ciphertext);
        let (padded, filled) = bytes[data.clone()].split_at_mut(plain.len());
        padded.copy_from_slice(plain);
        self.mode.padding.fill(filled);
        let (data, tag) = two(bytes, data, place(Part::Tag));
        keyed.encrypt(iv.get(), &self.aad, data, tag)?;
        if let (Some(mac), Some(key)) = (&self.dialect.row.mac, &keyed.mac) {
            let (covered, written) = bytes.split_at_mut(place(Part::Mac).start);
            let parts = mac.over.iter().map(|part| &covered[place(*part)]);
            let written = &mut written[..layout.len(Part::Mac).unwrap_or(0)];
            mac.hash.mac(key, parts, written);
        }
        Ok(())
    }
}

/// Two pieces, the second behind the first or empty.
fn two(bytes: &mut [u8], first: Range<usize>, second: Range<usize>) -> (&mut [u8], &mut [u8]) {
    if second.is_empty() {
        return (&mut bytes[first], &mut []);
    }
    let (before, behind) = bytes.split_at_mut(second.start);
    let len = second.len();
    (&mut before[first], &mut behind[..len])
}
