//! Grain-128AEADv2, authenticated encryption with associated data.

use core::fmt;

use lanes::{InOut, Level};

use super::{ANSWER, Grain128AeadOutput, OfAead};
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::keystream::generator::Generator;
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::aead::{Aead, check_tag_len};
use crate::traits::stream::StreamCipher;

/// The lengths of nonce and tag in bytes.
const NONCE: Sizes = OfAead::IV;
const TAG: Sizes = Sizes::exactly(8);

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(4 << 10);

/// Message bytes at a time.
const PIECE: usize = 64;

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

/// What a message's bits go through.
struct Stream {
    output: Grain128AeadOutput,
    /// The accumulator and the register of the tag (§2.3), the first bit the lowest.
    tag: Secret<[u64; 2]>,
    /// Room for the generator's output.
    room: Secret<[u8; 2 * PIECE]>,
}

impl Stream {
    fn new(key: &[u8], nonce: &[u8], level: Level) -> Result<Self, Error> {
        let output = Grain128AeadOutput::with_level(key, nonce, level)?;
        let mut stream = Self { output, tag: Secret([0; 2]), room: Secret([0; 2 * PIECE]) };
        stream.output.keystream(&mut stream.room.0[..16])?;
        for (word, bytes) in stream.tag.0.iter_mut().zip(stream.room.0.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Ok(stream)
    }

    /// Keystream for at most [`PIECE`] bytes, and the bits for the tag: the generator's output in turn
    /// (§2.3).
    fn make(&mut self, bytes: usize) -> Result<([u8; PIECE], [u8; PIECE]), Error> {
        let room = &mut self.room.0[..2 * bytes];
        self.output.keystream(room)?;
        let (mut keystream, mut bits) = ([0; PIECE], [0; PIECE]);
        for (i, pair) in room.as_chunks().0.iter().enumerate() {
            let pair = u16::from_le_bytes(*pair);
            (keystream[i], bits[i]) = (every_other(pair), every_other(pair >> 1));
        }
        Ok((keystream, bits))
    }

    /// Adds the register to the accumulator for every bit of the message that is 1; it moves on by a bit
    /// each time (§2.4).
    fn authenticate(&mut self, message: &[u8], bits: &[u8; PIECE]) {
        let [mut sum, mut register] = self.tag.0;
        for (byte, bits) in message.iter().zip(bits) {
            let window = u128::from(*bits) << 64 | u128::from(register);
            for i in 0..8 {
                sum ^= (window >> i) as u64 & u64::from(byte >> i & 1).wrapping_neg();
            }
            register = (window >> 8) as u64;
        }
        self.tag.0 = [sum, register];
    }

    /// Data that is not encrypted, whose share of the keystream is thrown away.
    fn absorb(&mut self, data: &[u8]) -> Result<(), Error> {
        for piece in data.chunks(PIECE) {
            let (_, bits) = self.make(piece.len())?;
            self.authenticate(piece, &bits);
        }
        Ok(())
    }

    /// Data that is encrypted or decrypted; the plaintext is authenticated.
    fn crypt(&mut self, mut io: InOut<'_>, decrypt: bool) -> Result<(), Error> {
        for offset in (0..io.len()).step_by(PIECE) {
            let mut part = io.part(offset, PIECE.min(io.len() - offset));
            let (keystream, bits) = self.make(part.len())?;
            let (keystream, bits) = (Secret(keystream), Secret(bits));
            if !decrypt {
                self.authenticate(part.input(), &bits.0);
            }
            let len = part.len();
            part.xor(&keystream.0[..len]);
            if decrypt {
                self.authenticate(part.output(), &bits.0);
            }
        }
        Ok(())
    }

    /// The tag: behind the message stands a bit that is 1.
    fn tag(&self) -> [u8; 8] {
        let [sum, register] = self.tag.0;
        (sum ^ register).to_le_bytes()
    }
}

/// Bits 0, 2, … 14.
const fn every_other(x: u16) -> u8 {
    let x = x & 0x5555;
    let x = (x | x >> 1) & 0x3333;
    let x = (x | x >> 2) & 0x0f0f;
    (x | x >> 4) as u8
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
        io: InOut<'_>,
        decrypt: bool,
    ) -> Result<Secret<[u8; 8]>, Error> {
        let mut stream = Stream::new(&self.key.0, nonce, self.level)?;
        let (encoded, len) = encoded(aad.len());
        stream.absorb(&encoded[..len])?;
        stream.absorb(aad)?;
        stream.crypt(io, decrypt)?;
        Ok(Secret(stream.tag()))
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
        tag.copy_from_slice(&self.process(nonce, aad, io, false)?.0);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        check_length("nonce", nonce.len(), NONCE)?;
        check_tag_len(tag.len(), TAG.max)?;
        let computed = self.process(nonce, aad, io.reborrow(), true)?;
        if ct::equal(&computed.0, tag) {
            return Ok(());
        }
        io.output().fill(0);
        Err(Error::Authentication)
    }

    fn try_open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        check_length("nonce", nonce.len(), NONCE)?;
        check_tag_len(tag.len(), TAG.max)?;
        let computed = self.process(nonce, aad, (&mut *data).into(), true)?;
        if ct::equal(&computed.0, tag) {
            return Ok(());
        }
        // The same keystream once more gives the ciphertext back.
        self.process(nonce, aad, data.into(), false)?;
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
    pub(crate) const OPEN: Row = SEAL.undo();
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
