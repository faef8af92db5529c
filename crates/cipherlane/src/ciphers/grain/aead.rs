//! Grain-128AEADv2, authenticated encryption with associated data.

use core::fmt;

use lanes::{InOut, Level};

use super::tag::Sum;
use super::{ANSWER, OfAead};
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::keystream::generator::{Generator, Kernel};
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::aead::{Aead, check_tag_len};
use crate::traits::mode::Direction;

/// The lengths of nonce and tag in bytes.
pub(super) const NONCE: Sizes = OfAead::IV;
pub(super) const TAG: Sizes = Sizes::exactly(8);

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(4 << 10);

/// Output of the generator at a time: whole blocks of 32 bytes.
const PIECE: usize = 512;

/// Grain-128AEADv2 under a key of 16 bytes, with nonces of 12 bytes and tags of 8 ("Grain-128AEADv2: A
/// lightweight AEAD stream cipher", NIST Lightweight Cryptography, 2021, a finalist).
///
/// A nonce must never repeat under one key. Constant time at every level: only lengths show.
///
/// ```
/// use cipherlane::Aead;
/// use cipherlane::grain::Grain128Aead;
///
/// let grain = Grain128Aead::new(&[7; 16])?;
/// let (mut data, mut tag) = (*b"any number of bytes", [0; 8]);
/// grain.seal(&[1; 12], b"header", (&mut data[..]).into(), &mut tag)?;
/// grain.open(&[1; 12], b"header", (&mut data[..]).into(), &tag)?;
/// assert_eq!(&data, b"any number of bytes");
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Clone)]
pub struct Grain128Aead {
    level: Level,
    _trace: Trace,
    key: Secret<[u8; 16]>,
}

/// A message on its way: the encoded length of the associated data, these, and the text (§2.6.1).
pub(super) struct Message {
    sum: Secret<Sum>,
    encoded: [u8; 9],
    encoded_len: usize,
    /// How many bytes of output were used.
    at: usize,
}

/// Bytes of output that start accumulator and register.
const START: usize = 16;

impl Message {
    pub(super) fn new(aad_len: usize) -> Self {
        let (encoded, encoded_len) = encoded(aad_len);
        Self { sum: Secret(Sum::ZERO), encoded, encoded_len, at: 0 }
    }

    /// How many bytes of output it takes: two for each of its own, encrypted or not.
    pub(super) fn output_len(&self, aad_len: usize, text_len: usize) -> usize {
        START + 2 * (self.encoded_len + aad_len + text_len)
    }

    /// The next bytes of output, as many as are there or as the message takes; at first 16 at least,
    /// later an even number.
    pub(super) fn take(
        &mut self,
        level: Level,
        aad: &[u8],
        io: &mut InOut<'_>,
        direction: Direction,
        mut output: &[u8],
    ) {
        if self.at == 0 {
            let (start, rest) = output.split_at(START);
            self.sum.0 = Sum::new(start.as_array().expect("16 bytes"));
            (self.at, output) = (START, rest);
        }
        let (mut place, mut before) = ((self.at - START) / 2, 0);
        for data in [&self.encoded[..self.encoded_len], aad] {
            let end = before + data.len();
            let count = end.saturating_sub(place).min(output.len() / 2);
            if count > 0 {
                let (own, rest) = output.split_at(2 * count);
                self.sum.0.absorb(level, own, &data[place - before..][..count]);
                (place, output) = (place + count, rest);
            }
            before = end;
        }
        let count = output.len() / 2;
        if count > 0 {
            self.sum.0.crypt(level, output, io.part(place - before, count), direction);
            place += count;
        }
        self.at = START + 2 * place;
    }

    /// What is left of it; `make` xors the next bytes of output into what it is given.
    pub(super) fn take_rest(
        &mut self,
        level: Level,
        aad: &[u8],
        io: &mut InOut<'_>,
        direction: Direction,
        make: &mut dyn FnMut(InOut<'_>),
    ) {
        let mut room = Secret([0; PIECE]);
        let mut left = self.output_len(aad.len(), io.len()) - self.at;
        while left > 0 {
            let output = &mut room.0[..left.min(PIECE)];
            output.fill(0);
            make((&mut *output).into());
            self.take(level, aad, io, direction, output);
            left -= output.len();
        }
    }

    /// The tag of a message that has gone through.
    pub(super) fn tag(&self) -> [u8; 8] {
        self.sum.0.tag()
    }
}

impl Grain128Aead {
    /// Under a key of 16 bytes, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key has another length, [`Error::Level`] if `CIPHERLANE_LEVEL` names
    /// no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        check_length("key", key.len(), OfAead::KEY)?;
        let mut made = Self { level, _trace: Trace::of(level, STACK), key: Secret([0; 16]) };
        made.key.0.copy_from_slice(key);
        Ok(made)
    }

    fn process(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        direction: Direction,
    ) -> Secret<[u8; 8]> {
        let level = self.level;
        let mut state = Secret([OfAead::start(level, &self.key.0, nonce, 8 * nonce.len())]);
        let (mut message, mut rest) = (Message::new(aad.len()), Secret([0; 16]));
        message.take_rest(level, aad, &mut io, direction, &mut |room| {
            OfAead::apply(level, &mut state.0[0], room, &mut rest.0);
        });
        Secret(message.tag())
    }
}

/// The length of the associated data as DER has it (§2.6.1): one byte below 128, else the number of
/// bytes that follow, with the highest bit set.
fn encoded(length: usize) -> ([u8; 9], usize) {
    let mut bytes = [0; 9];
    if length < 128 {
        bytes[0] = length as u8;
        return (bytes, 1);
    }
    let digits = (length as u64).to_be_bytes();
    let first = digits.iter().take_while(|digit| **digit == 0).count();
    let count = digits.len() - first;
    bytes[0] = 0x80 | count as u8;
    bytes[1..=count].copy_from_slice(&digits[first..]);
    (bytes, 1 + count)
}

impl Aead for Grain128Aead {
    fn nonce_sizes(&self) -> Sizes {
        NONCE
    }

    fn tag_sizes(&self) -> Sizes {
        TAG
    }

    fn tag_len(&self) -> usize {
        TAG.max
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, TAG)
    }

    fn take_key(&mut self, key: &[u8]) -> bool {
        let takes = OfAead::KEY.allow(key.len()) && admit(self.level, &ANSWER).is_ok();
        if takes {
            self.key.0.copy_from_slice(key);
        }
        takes
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<(), Error> {
        check_length("nonce", nonce.len(), NONCE)?;
        check_tag_len(tag.len(), TAG.max)?;
        tag.copy_from_slice(&self.process(nonce, aad, io, Direction::Encrypt).0);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        check_length("nonce", nonce.len(), NONCE)?;
        check_tag_len(tag.len(), TAG.max)?;
        let computed = self.process(nonce, aad, io.reborrow(), Direction::Decrypt);
        if ct::equal(&computed.0, tag) {
            return Ok(());
        }
        io.output().fill(0);
        Err(Error::Authentication)
    }

    fn try_open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        check_length("nonce", nonce.len(), NONCE)?;
        check_tag_len(tag.len(), TAG.max)?;
        let computed = self.process(nonce, aad, (&mut *data).into(), Direction::Decrypt);
        if ct::equal(&computed.0, tag) {
            return Ok(());
        }
        // The same keystream once more gives the ciphertext back.
        self.process(nonce, aad, data.into(), Direction::Encrypt);
        Err(Error::Authentication)
    }
}

impl fmt::Debug for Grain128Aead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grain128Aead").field("level", &self.level).finish_non_exhaustive()
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::super::batch::Grain128AeadBatch;
    use super::{Grain128Aead, NONCE, TAG};
    use crate::entry::constructor::{AeadStreaming, Constructor};
    use crate::entry::kind::Kind;
    use crate::entry::row::{Over, Row};

    /// `aead-seal`.
    pub(crate) const SEAL: Row = Row {
        inverse: Some("aead-open"),
        over: Over::Stream(super::super::GRAIN_128_AEAD.name),
        iv: |_| NONCE,
        tag: |_| TAG,
        batch: Some(|_, level| Box::new(Grain128AeadBatch::with_level(false, level))),
        ..Row::new(
            "aead-seal",
            Kind::Seal,
            super::super::GRAIN_128_AEAD.standard,
            Constructor::Aead {
                new: |_, key, level| Ok(Box::new(Grain128Aead::with_level(key, level)?)),
                streaming: AeadStreaming::No("the library has it for whole messages"),
            },
        )
    };

    /// `aead-open`.
    pub(crate) const OPEN: Row = Row {
        batch: Some(|_, level| Box::new(Grain128AeadBatch::with_level(true, level))),
        ..SEAL.undo()
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{OPEN, SEAL};

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn lengths_are_those_of_der() {
        let of = |length| {
            let (bytes, len) = encoded(length);
            std::vec::Vec::from(&bytes[..len])
        };
        assert_eq!(of(0), [0]);
        assert_eq!(of(127), [127]);
        assert_eq!(of(128), [0x81, 128]);
        assert_eq!(of(256), [0x82, 1, 0]);
        assert_eq!(of(0x12_3456), [0x83, 0x12, 0x34, 0x56]);
    }
}
