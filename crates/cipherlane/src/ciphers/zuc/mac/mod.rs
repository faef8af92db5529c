//! The MACs of the family: ZUC-256 MAC with tags of 32, 64 and 128 bits, and that of
//! 128-EIA3 under a raw IV.
//!
//! | type | standard | tags |
//! |---|---|---|
//! | [`Zuc128Mac`] | 3GPP TS 35.221 §4 (128-EIA3), GM/T 0001.3-2012, with an IV of 16 bytes | 4 bytes |
//! | [`Zuc256Mac`] | "The ZUC-256 Stream Cipher" (ZUC team, 2018), MAC generation | 4, 8, 16 bytes |
//! | [`Zuc256MacOf2023`] | "A New Initialization Scheme of the ZUC-256 Stream Cipher" (2023) | 4, 8, 16 bytes |
//!
//! The length of the tag is chosen with the key: each has a keystream of its own. A
//! message is given in pieces of any number of bytes or, by
//! [`update_bits`](Mac::update_bits), of bits; bit 0 is the most significant of byte
//! 0. No key and IV may serve two messages: after [`finish`](Mac::finish) or
//! [`verify`](Mac::verify) an object is at its end until [`reset`](Mac::reset) gives it another
//! IV. For COUNT, BEARER and DIRECTION see
//! [`eia3`](super::eia3).
//!
//! # Timing
//! Constant time at every level: only the length of a message shows.
//!
//! # Limits
//! The MAC of 2018 takes as many bits as leave its keystream within 20 000; past them
//! [`Mac::update`] returns [`Error::Limit`].
//!
//! # Example
//! ```
//! use cipherlane::Mac;
//! use cipherlane::zuc::mac::Zuc256Mac;
//!
//! let mut mac = Zuc256Mac::new(&[7; 32], &[1; 23], 8)?;
//! let mut tag = [0; 8];
//! mac.update(b"a message ")?;
//! mac.update(b"in pieces")?;
//! mac.finish(&mut tag)?;
//! assert!(mac.update(b"another message").is_err());
//!
//! // Who receives the message makes the tag under the same IV.
//! mac.reset(&[1; 23])?;
//! mac.update(b"a message in pieces")?;
//! mac.verify(&tag)?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

pub(super) mod fused;
mod kernel;
pub(super) mod multiply;
mod tags;
#[cfg(test)]
mod tests;

use core::fmt;
use core::marker::PhantomData;

use lanes::{Level, dispatch};

use super::key;
use super::key::{Key128, Key256Of2018, Key256Of2023};
use crate::ciphers::zuc::STACK;
use crate::ciphers::zuc::load::Purpose;
use crate::error::Error;
use crate::first_use::admit;
use crate::secret::{Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::aead::check_tag_len;
use crate::traits::mac::{Mac, SPENT, check_bits};
use kernel::{BLOCK, Last, Running, Start};
pub use tags::Authenticates;
pub(super) use tags::{TagLength, masked_first};

/// The MAC of 128-EIA3 under an IV as it is.
pub type Zuc128Mac = ZucMac<Key128>;
/// The MAC of ZUC-256 as published in 2018.
pub type Zuc256Mac = ZucMac<Key256Of2018>;
/// The MAC of ZUC-256 as published in 2023.
pub type Zuc256MacOf2023 = ZucMac<Key256Of2023>;

/// A MAC under one key and IV; `M` says which member of the family.
pub struct ZucMac<M: Authenticates> {
    level: Level,
    trace: Trace,
    /// The key; its length is `M::KEY`.
    key: Secret<[u8; 32]>,
    tag: TagLength,
    start: Secret<Start>,
    running: Secret<Running>,
    /// The last bits of the message, at most a block, which [`kernel::finish`] takes.
    held: Secret<[u8; BLOCK]>,
    held_bits: usize,
    /// Bits so far.
    length: u64,
    /// The most bits of a message.
    limit: u64,
    /// Whether the IV has served a message.
    spent: bool,
    member: PhantomData<M>,
}

impl<M: Authenticates> ZucMac<M> {
    /// Under a key and an IV, with tags of that many bytes, at the level
    /// [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if key, IV or tag have a length the MAC doesn't take,
    /// [`Error::Value`] if a 6-bit value of an IV is 64 or more, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8], iv: &[u8], tag: usize) -> Result<Self, Error> {
        Self::with_level(key, iv, tag, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], iv: &[u8], tag: usize, level: Level) -> Result<Self, Error> {
        Self::begin(key, iv, tag, level, Self::limit(tag))
    }

    /// The same inside of another object, which clears the stack.
    pub(super) fn within(key: &[u8], iv: &[u8], tag: usize, level: Level) -> Result<Self, Error> {
        let mut made = Self::with_level(key, iv, tag, level);
        if let Ok(mac) = &mut made {
            mac.trace.leave();
        }
        made
    }

    /// The most bits of a message.
    pub(super) fn limit(tag: usize) -> u64 {
        M::LIMIT.map_or(MOST, |bytes| (8 * bytes).saturating_sub(16 * tag as u64))
    }

    pub(super) fn begin(
        key: &[u8],
        iv: &[u8],
        tag: usize,
        level: Level,
        limit: u64,
    ) -> Result<Self, Error> {
        admit(level, &crate::ciphers::zuc::ANSWER)?;
        let tag = TagLength::of::<M>(tag)?;
        let start = Secret(begin::<M>(level, key, iv, tag)?);
        let mut mac = Self {
            level,
            trace: Trace::of(level, STACK),
            key: Secret([0; 32]),
            tag,
            start,
            running: Secret(Running::NEW),
            held: Secret([0; BLOCK]),
            held_bits: 0,
            length: 0,
            limit,
            spent: false,
            member: PhantomData,
        };
        mac.key.0[..key.len()].copy_from_slice(key);
        Ok(mac)
    }

    /// The level this object runs at.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// A copy that has read the same. **Both go on under one IV**: two tags of different
    /// messages tell their masks' difference. For interfaces that have such copies, as
    /// OpenSSL's.
    #[must_use]
    pub fn clone_under_the_same_iv(&self) -> Self {
        let (key, held) = (self.key.clone(), self.held.clone());
        let (start, running) = (self.start.clone(), self.running.clone());
        Self { trace: self.trace.clone(), key, held, start, running, ..*self }
    }

    /// Refuses what comes after the tag.
    fn going_on(&self) -> Result<(), Error> {
        if self.spent { Err(SPENT) } else { Ok(()) }
    }

    /// Counts bits, unless they are too many.
    fn count(&mut self, bits: u64) -> Result<(), Error> {
        match self.length.checked_add(bits) {
            Some(length) if length <= self.limit => self.length = length,
            _ => return Err(Error::Limit { what: "bits of one message", limit: self.limit }),
        }
        Ok(())
    }

    /// Bytes, behind whole bytes.
    fn bytes(&mut self, data: &[u8]) {
        let held = self.held_bits / 8;
        let fits = BLOCK - held;
        if data.len() <= fits {
            self.held.0[held..held + data.len()].copy_from_slice(data);
            self.held_bits += 8 * data.len();
            return;
        }
        let (head, data) = data.split_at(if held == 0 { 0 } else { fits });
        self.held.0[held..held + head.len()].copy_from_slice(head);
        let full = if held == 0 { 0 } else { BLOCK };
        // A block stays behind, even if it is whole: the end needs fewer words then.
        let (blocks, rest) = data.split_at(data.len().saturating_sub(1) / BLOCK * BLOCK);
        let segments = [&self.held.0[..full], blocks];
        absorb(self.level, &self.start.0, &mut self.running.0, segments, self.tag.wide());
        self.held.0[..rest.len()].copy_from_slice(rest);
        self.held_bits = 8 * rest.len();
    }

    /// Bytes, behind `shift` bits of a byte, 1 to 7.
    fn shifted(&mut self, data: &[u8], shift: usize) {
        let mut piece = Secret([0; 256]);
        for data in data.chunks(piece.0.len()) {
            let last = self.held_bits / 8;
            let mut begun = self.held.0[last] & !(0xff >> shift);
            for (out, byte) in piece.0.iter_mut().zip(data) {
                *out = begun | byte >> shift;
                begun = byte << (8 - shift);
            }
            self.held_bits -= shift;
            self.bytes(&piece.0[..data.len()]);
            self.push(begun, shift as u32);
        }
    }

    /// The first `bits` bits of a byte, 1 to 7.
    fn push(&mut self, byte: u8, bits: u32) {
        let byte = byte & !(0xff >> bits);
        let shift = self.held_bits % 8;
        if shift == 0 {
            if self.held_bits == 8 * BLOCK {
                let segments = [&self.held.0[..], &[]];
                let wide = self.tag.wide();
                absorb(self.level, &self.start.0, &mut self.running.0, segments, wide);
                self.held_bits = 0;
            }
            self.held.0[self.held_bits / 8] = byte;
            self.held_bits += bits as usize;
            return;
        }
        let last = self.held_bits / 8;
        self.held.0[last] = self.held.0[last] & !(0xff >> shift) | byte >> shift;
        let room = (8 - shift as u32).min(bits);
        self.held_bits += room as usize;
        if bits > room {
            self.push(byte << room, bits - room);
        }
    }

    /// Forgets the message.
    fn restart(&mut self) {
        self.running.0.restart();
        self.held_bits = 0;
        self.length = 0;
    }

    /// The tag as the first bytes of 16.
    fn whole_tag(&self) -> [u8; 16] {
        let held = self.held_bits;
        let mut bytes = [0; 2 * BLOCK];
        bytes[..held.div_ceil(8)].copy_from_slice(&self.held.0[..held.div_ceil(8)]);
        bytes[held / 8] &= !(0xff >> (held % 8));
        bytes[held / 8] |= 0x80 >> (held % 8);
        let behind = if M::FIRST { self.tag.bytes / 4 } else { 2 };
        let last = Last { bytes, words: held.div_ceil(32) + behind, wide: self.tag.wide() };
        let ([first, second], word) = finish(self.level, &self.start.0, &self.running.0, &last);
        let mut tag = u128::from(first) << 64 | u128::from(second);
        if M::FIRST {
            for (i, word) in self.start.0.mask.iter().enumerate() {
                tag ^= u128::from(*word) << (96 - 32 * i);
            }
        } else {
            tag ^= u128::from(word) << 96;
        }
        tag.to_be_bytes()
    }
}

/// The bits of a message that has no other limit: what can be counted.
const MOST: u64 = u64::MAX;

impl Zuc256Mac {
    /// The same without the specification's limit of 20 000 keystream bits: for
    /// measurements only. What lies past the limit has no cryptographic warranty.
    ///
    /// # Errors
    /// As [`with_level`](Self::with_level).
    pub fn unlimited(key: &[u8], iv: &[u8], tag: usize, level: Level) -> Result<Self, Error> {
        Self::begin(key, iv, tag, level, MOST)
    }
}

impl<M: Authenticates> Mac for ZucMac<M> {
    fn tag_sizes(&self) -> Sizes {
        Sizes::exactly(self.tag.bytes)
    }

    fn tag_len(&self) -> usize {
        self.tag.bytes
    }

    /// The length is chosen with the key: each has a keystream of its own.
    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_tag_len(bytes, self.tag.bytes)
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.going_on()?;
        let bits = 8 * data.len() as u64;
        if !self.held_bits.is_multiple_of(8) {
            return self.update_bits(data, bits);
        }
        self.count(bits)?;
        self.bytes(data);
        Ok(())
    }

    fn update_bits(&mut self, data: &[u8], bits: u64) -> Result<(), Error> {
        check_bits(data, bits)?;
        self.going_on()?;
        self.count(bits)?;
        // Not more than there are bytes for.
        let (whole, left) = ((bits / 8) as usize, (bits % 8) as u32);
        let shift = self.held_bits % 8;
        if shift == 0 {
            self.bytes(&data[..whole]);
        } else {
            self.shifted(&data[..whole], shift);
        }
        if left > 0 {
            self.push(data[whole], left);
        }
        Ok(())
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        self.going_on()?;
        check_tag_len(tag.len(), self.tag.bytes)?;
        tag.copy_from_slice(&self.whole_tag()[..tag.len()]);
        self.restart();
        self.spent = true;
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.start.0 = begin::<M>(self.level, &self.key.0[..M::KEY.max], iv, self.tag)?;
        self.restart();
        self.spent = false;
        Ok(())
    }
}

impl<M: Authenticates> fmt::Debug for ZucMac<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("ZucMac");
        f.field("level", &self.level).field("tag", &self.tag.bytes).finish_non_exhaustive()
    }
}

fn begin<M: Authenticates>(
    level: Level,
    key: &[u8],
    iv: &[u8],
    tag: TagLength,
) -> Result<Start, Error> {
    let cells = Secret(key::cells_for::<M>(tag.purpose, key, iv)?);
    Ok(start(level, &cells.0, M::ROUNDS, if M::FIRST { tag.bytes / 4 } else { 0 }))
}

fn start(level: Level, cells: &[u32; 16], rounds: usize, mask: usize) -> Start {
    dispatch!(level, isa => kernel::start(isa, cells, rounds, mask))
}

fn absorb(level: Level, start: &Start, running: &mut Running, segments: [&[u8]; 2], wide: bool) {
    dispatch!(level, isa => kernel::absorb(isa, start, running, segments, wide));
}

fn finish(level: Level, start: &Start, running: &Running, last: &Last) -> ([u64; 2], u32) {
    dispatch!(level, isa => kernel::finish(isa, start, running, last))
}
