//! 256-NIA6, the 256-bit integrity algorithm of 3GPP made of ZUC-256 (2023) and POLYVAL.
//!
//! The first three keystream blocks are H, Q and P. The tag is the leftmost bytes of
//! `(POLYVAL_H(message) ⊕ lengths) · Q ⊕ P`, the product being that of RFC 8452 §3. The IV
//! is 16 bytes as 3GPP forms them; its first byte tells the algorithm and the tag's
//! length. No key and IV may serve two messages: after [`finish`](Mac::finish) or
//! [`verify`](Mac::verify) an object is at its end until [`reset`](Mac::reset) gives it another
//! IV. Tags of 16 bytes, or by [`with_tag_len`](Mac::with_tag_len) of 4 to 15.
//!
//! ```
//! use cipherlane::Mac;
//! use cipherlane::zuc::Nia6;
//!
//! // A tag of 40 bits.
//! let mut iv = [0; 16];
//! iv[..2].copy_from_slice(&[40, 0x3f]);
//! let mut nia6 = Nia6::new(&[0; 32], &iv)?.with_tag_len(5)?;
//! nia6.update(&[0])?;
//! nia6.verify(&[0x41, 0x53, 0x90, 0x61, 0xeb])?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::Level;

use super::{DEEP, Frame, Zuc256Of2023};
use crate::air::{Bearer, Count, Direction};
use crate::error::{Error, check_length};
use crate::ghash;
use crate::ghash::{BLOCK, Key, Running};
use crate::secret::{Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::aead::check_tag_len;
use crate::traits::mac::{Mac, SPENT};
use crate::traits::stream::StreamCipher;

/// The lengths of a tag in bytes.
pub(super) const TAGS: Sizes = Sizes::between(4, BLOCK);

/// Returns [`Error::Length`] unless a tag may be that long.
pub(super) const fn check_tag(bytes: usize) -> Result<(), Error> {
    check_length("tag", bytes, TAGS)
}

/// The most bytes whose number of bits fits 64 bits.
const MOST: u64 = (1 << 61) - 1;

/// Whether the numbers of bits of associated data and message fit 64 bits.
pub(super) fn check_lengths(aad: usize, message: usize) -> Result<(), Error> {
    for (what, length) in [("bytes of associated data", aad), ("bytes of one message", message)] {
        if length as u64 > MOST {
            return Err(Error::Limit { what, limit: MOST });
        }
    }
    Ok(())
}

/// The hash of one message: what H, Q and P are for.
#[derive(Clone)]
pub(super) struct Hash {
    level: Level,
    /// Powers of H.
    key: Key<false>,
    /// H, Q and P.
    blocks: Secret<[[u8; BLOCK]; 3]>,
    /// Of how many blocks the longest call may be before more powers of H are wanted.
    ready: usize,
}

/// Keystream bytes that serve the hash.
pub(super) const HEAD: usize = 3 * BLOCK;

impl Hash {
    /// A place for the hash of a message.
    pub(super) const fn unset(level: Level) -> Self {
        Self { level, key: Key::unset(level), blocks: Secret([[0; BLOCK]; 3]), ready: 0 }
    }

    /// From the first three blocks of a keystream.
    pub(super) fn new(stream: &mut Zuc256Of2023) -> Result<Self, Error> {
        let mut hash = Self::unset(stream.level());
        hash.start(stream)?;
        Ok(hash)
    }

    /// The same in place, as a key is large.
    fn start(&mut self, stream: &mut Zuc256Of2023) -> Result<(), Error> {
        self.ready = 0;
        stream.keystream(self.blocks.0.as_flattened_mut())
    }

    /// The same from bytes.
    pub(super) fn set(&mut self, head: &[u8; HEAD]) {
        self.ready = 0;
        self.blocks.0.as_flattened_mut().copy_from_slice(head);
    }

    /// The key, ready for calls of so many blocks: most messages are short, and powers
    /// they don't want cost more than they do. A message in longer and longer pieces gets
    /// all of them the second time.
    fn key(&mut self, blocks: usize) -> &Key<false> {
        if self.ready < blocks {
            let powers = if self.ready == 0 { blocks } else { usize::MAX };
            self.key.set_for(&self.blocks.0[0], powers);
            self.ready = powers;
        }
        &self.key
    }

    /// The whole tag of a message of associated data and ciphertext.
    pub(super) fn of(&mut self, [aad, ciphertext]: [&[u8]; 2]) -> [u8; BLOCK] {
        let mut state = Key::<false>::start();
        let blocks = aad.len().div_ceil(BLOCK) + ciphertext.len().div_ceil(BLOCK);
        self.key(blocks).absorb(&mut state, &[aad, ciphertext]);
        self.tag(&Key::<false>::hash(&state), ciphertext.len() as u64, aad.len() as u64)
    }

    /// The whole tag, from the hash of the blocks and lengths in bytes.
    fn tag(&self, hashed: &[u8; BLOCK], ciphertext: u64, aad: u64) -> [u8; BLOCK] {
        let lengths = u128::from(8 * aad) << 64 | u128::from(8 * ciphertext);
        let sum = Secret((u128::from_le_bytes(*hashed) ^ lengths).to_le_bytes());
        let [_, q, p] = &self.blocks.0;
        let mut tag = ghash::dot(self.level, &sum.0, q);
        for (byte, mask) in tag.iter_mut().zip(p) {
            *byte ^= mask;
        }
        tag
    }
}

/// 256-NIA6 under one key and IV.
pub struct Nia6 {
    trace: Trace,
    stream: Zuc256Of2023,
    hash: Hash,
    running: Running<false>,
    /// Bytes so far.
    length: u64,
    /// The length of a tag.
    tag: usize,
    /// Whether the IV has served a message.
    spent: bool,
}

impl Nia6 {
    /// Under a key of 32 bytes and an IV of 16, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if key or IV have another length, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, iv, Level::detect()?)
    }

    /// For the message of that COUNT, BEARER and DIRECTION, with tags of that many bytes and the
    /// IV that [`Frame::assumed_nia6_iv`] makes: read there what is assumed.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::Length`] if a tag can't have that length.
    pub fn assuming(
        key: &[u8],
        count: Count,
        bearer: Bearer,
        direction: Direction,
        tag: usize,
    ) -> Result<Self, Error> {
        let iv = Frame::new(count, bearer, direction).assumed_nia6_iv(tag)?;
        Self::new(key, &iv)?.with_tag_len(tag)
    }

    /// As [`new`](Self::new), at a given level.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        let mut stream = Zuc256Of2023::within(key, iv, level)?;
        let trace = Trace::of(level, DEEP);
        let hash = Hash::new(&mut stream)?;
        let running = Running::new();
        Ok(Self { trace, stream, hash, running, length: 0, tag: TAGS.max, spent: false })
    }
}

impl Nia6 {
    /// A copy that has read the same. **Both go on under one IV**: two tags of different
    /// messages give the hash key away. For interfaces that have such copies, as OpenSSL's.
    #[must_use]
    pub fn clone_under_the_same_iv(&self) -> Self {
        let (hash, running) = (self.hash.clone(), self.running.clone());
        let (trace, stream) = (self.trace.clone(), self.stream.clone_under_the_same_iv());
        Self { trace, stream, hash, running, ..*self }
    }
}

impl Mac for Nia6 {
    fn tag_sizes(&self) -> Sizes {
        TAGS
    }

    fn tag_len(&self) -> usize {
        self.tag
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, TAGS)?;
        self.tag = bytes;
        Ok(())
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        if self.spent {
            return Err(SPENT);
        }
        if data.len() as u64 > MOST - self.length {
            return Err(Error::Limit { what: "bytes of one message", limit: MOST });
        }
        self.length += data.len() as u64;
        // A block that was begun comes before the data.
        let key = self.hash.key(data.len() / BLOCK + 1);
        self.running.update(key, data);
        Ok(())
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        if self.spent {
            return Err(SPENT);
        }
        check_tag_len(tag.len(), self.tag)?;
        self.spent = true;
        // The whole message counts as associated data of an empty ciphertext.
        self.running.pad(self.hash.key(1));
        let whole = self.hash.tag(&self.running.hash(), 0, self.length);
        tag.copy_from_slice(&whole[..tag.len()]);
        self.running = Running::new();
        self.length = 0;
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.stream.reset(iv)?;
        self.spent = false;
        self.hash.start(&mut self.stream)?;
        self.running = Running::new();
        self.length = 0;
        Ok(())
    }
}

impl fmt::Debug for Nia6 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nia6").field("level", &self.stream.level()).finish_non_exhaustive()
    }
}
