//! The tag of UIA2 under a raw IV, over a message in pieces of any number of bits.

use core::fmt;

use lanes::Level;

use super::{SIXTEEN, STACK, Snow3g, absorb};
use crate::error::{Error, check_length};
use crate::secret::{Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::aead::check_tag_len;
use crate::traits::mac::{Mac, SPENT, check_bits};
use crate::traits::stream::StreamCipher;

/// The length of a tag in bytes.
pub(super) const TAG: usize = 4;

/// Keystream bytes that a tag takes: z₁ to z₅.
pub(super) const HEAD: usize = 20;

/// The bytes of a block.
const BLOCK: usize = 8;

/// UIA2 (3GPP TS 35.215 §4) under a key and an IV of 16 bytes each.
///
/// A message is given in pieces of any number of bytes or, by [`update_bits`](Mac::update_bits), of
/// bits; bit 0 is the most significant of byte 0. No key and IV may serve two messages: after
/// [`finish`](Mac::finish) or [`verify`](Mac::verify) the object is at its end until
/// [`reset`](Mac::reset) gives it another IV. For COUNT, BEARER and DIRECTION see
/// [`Nia1`](super::Nia1). Constant time at every level: only the length of a message shows.
///
/// ```
/// use cipherlane::Mac;
/// use cipherlane::snow3g::Uia2Mac;
///
/// let mut mac = Uia2Mac::new(&[7; 16], &[1; 16])?;
/// let mut tag = [0; 4];
/// mac.update(b"a message ")?;
/// mac.update(b"in pieces")?;
/// mac.finish(&mut tag)?;
/// assert!(mac.update(b"another message").is_err());
///
/// // Who receives the message makes the tag under the same IV.
/// mac.reset(&[1; 16])?;
/// mac.update(b"a message in pieces")?;
/// mac.verify(&tag)?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Uia2Mac {
    level: Level,
    trace: Trace,
    key: Secret<[u8; 16]>,
    hash: Hash,
    /// Whether the IV has served a message.
    spent: bool,
}

/// The polynomial of one message.
pub(super) struct Hash {
    /// P, Q, and the value so far.
    values: Secret<[u64; 3]>,
    /// z₅, which masks the tag.
    mask: Secret<[u32; 1]>,
    /// The bits that do not fill a block yet.
    held: Secret<[u8; BLOCK]>,
    /// Bits so far.
    bits: u64,
}

impl Hash {
    /// From the first five words of a keystream.
    pub(super) fn new(head: &[u8; HEAD]) -> Self {
        let word = |i: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&head[8 * i..8 * i + 8]);
            u64::from_be_bytes(bytes)
        };
        let mask = u32::from_be_bytes([head[16], head[17], head[18], head[19]]);
        let values = Secret([word(0), word(1), 0]);
        Self { values, mask: Secret([mask]), held: Secret([0; BLOCK]), bits: 0 }
    }

    /// How many bits of a block are held.
    const fn held_bits(&self) -> usize {
        (self.bits % (8 * BLOCK as u64)) as usize
    }

    /// The held block, which is full or the last one, and what follows it.
    fn block(&mut self, level: Level, blocks: &[u8]) {
        let [p, _, e] = &mut self.values.0;
        *e = absorb(level, *p, *e, blocks);
    }

    /// More bytes of the message.
    pub(super) fn update(&mut self, level: Level, data: &[u8]) {
        let shift = self.held_bits() % 8;
        if shift > 0 {
            return self.shifted(level, data, shift);
        }
        let held = self.held_bits() / 8;
        self.bits += 8 * data.len() as u64;
        let (head, data) = data.split_at(data.len().min((BLOCK - held) % BLOCK));
        self.held.0[held..held + head.len()].copy_from_slice(head);
        if held > 0 && held + head.len() == BLOCK {
            let full = self.held.clone();
            self.block(level, &full.0);
        }
        let (blocks, rest) = data.split_at(data.len() / BLOCK * BLOCK);
        if !blocks.is_empty() {
            self.block(level, blocks);
        }
        self.held.0[..rest.len()].copy_from_slice(rest);
    }

    /// Bytes, behind `shift` bits of a byte, 1 to 7.
    fn shifted(&mut self, level: Level, data: &[u8], shift: usize) {
        let mut piece = Secret([0; 256]);
        for data in data.chunks(piece.0.len()) {
            let mut begun = self.held.0[self.held_bits() / 8] & !(0xff >> shift);
            for (out, byte) in piece.0.iter_mut().zip(data) {
                *out = begun | byte >> shift;
                begun = byte << (8 - shift);
            }
            self.bits -= shift as u64;
            self.update(level, &piece.0[..data.len()]);
            self.few(level, begun, shift);
        }
    }

    /// The first `bits` bits of a byte, 1 to 7.
    fn few(&mut self, level: Level, byte: u8, bits: usize) {
        let (at, shift) = (self.held_bits() / 8, self.held_bits() % 8);
        let before = self.held.0[at] & !(0xff >> shift);
        self.held.0[at] = before | (byte & !(0xff >> bits)) >> shift;
        let room = (8 - shift).min(bits);
        self.bits += room as u64;
        if self.held_bits() == 0 {
            let full = self.held.clone();
            self.block(level, &full.0);
        }
        if bits > room {
            self.few(level, byte << room, bits - room);
        }
    }

    /// More bits of the message, of data that has so many.
    pub(super) fn update_bits(&mut self, level: Level, data: &[u8], bits: u64) {
        // Not more than there are bytes for.
        let (whole, left) = ((bits / 8) as usize, (bits % 8) as usize);
        self.update(level, &data[..whole]);
        if left > 0 {
            self.few(level, data[whole], left);
        }
    }

    /// The tag (§4.5): the last block padded with zeros, the length, and the mask.
    pub(super) fn finish(&mut self, level: Level) -> [u8; TAG] {
        let held = self.held_bits();
        if held > 0 {
            let mut last = Secret([0; BLOCK]);
            last.0[..held.div_ceil(8)].copy_from_slice(&self.held.0[..held.div_ceil(8)]);
            if !held.is_multiple_of(8) {
                last.0[held / 8] &= !(0xff >> (held % 8));
            }
            self.block(level, &last.0);
        }
        let [_, q, e] = self.values.0;
        let whole = absorb(level, q, e, &self.bits.to_be_bytes());
        ((whole >> 32) as u32 ^ self.mask.0[0]).to_be_bytes()
    }
}

impl Uia2Mac {
    /// Under a key and an IV, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if key or IV have not 16 bytes, [`Error::Level`] if `CIPHERLANE_LEVEL`
    /// names no level.
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, iv, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        let hash = begin(key, iv, level)?;
        let mut kept = Secret([0; 16]);
        kept.0.copy_from_slice(key);
        Ok(Self { level, trace: Trace::of(level, STACK), key: kept, hash, spent: false })
    }

    /// The same inside of another object, which clears the stack.
    pub(super) fn within(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        let mut made = Self::with_level(key, iv, level);
        if let Ok(mac) = &mut made {
            mac.trace.leave();
        }
        made
    }

    /// The level this object runs at.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Refuses what comes after the tag, and what can't be counted.
    fn going_on(&self, bits: u64) -> Result<(), Error> {
        if self.spent {
            return Err(SPENT);
        }
        match self.hash.bits.checked_add(bits) {
            Some(_) => Ok(()),
            None => Err(Error::Limit { what: "bits of one message", limit: u64::MAX }),
        }
    }
}

/// The polynomial of a key and an IV.
fn begin(key: &[u8], iv: &[u8], level: Level) -> Result<Hash, Error> {
    let mut head = Secret([0; HEAD]);
    Snow3g::within(key, iv, level)?.keystream(&mut head.0)?;
    Ok(Hash::new(&head.0))
}

impl Mac for Uia2Mac {
    fn tag_sizes(&self) -> Sizes {
        Sizes::exactly(TAG)
    }

    fn tag_len(&self) -> usize {
        TAG
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_tag_len(bytes, TAG)
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.going_on(8 * data.len() as u64)?;
        self.hash.update(self.level, data);
        Ok(())
    }

    fn update_bits(&mut self, data: &[u8], bits: u64) -> Result<(), Error> {
        check_bits(data, bits)?;
        self.going_on(bits)?;
        self.hash.update_bits(self.level, data, bits);
        Ok(())
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        self.going_on(0)?;
        check_tag_len(tag.len(), TAG)?;
        tag.copy_from_slice(&self.hash.finish(self.level));
        self.spent = true;
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), SIXTEEN)?;
        self.hash = begin(&self.key.0, iv, self.level)?;
        self.spent = false;
        Ok(())
    }
}

impl fmt::Debug for Uia2Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Uia2Mac").field("level", &self.level).finish_non_exhaustive()
    }
}
