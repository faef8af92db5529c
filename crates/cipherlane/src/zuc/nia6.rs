//! 256-NIA6, the 256-bit integrity algorithm of 3GPP made of ZUC-256 (2023) and POLYVAL.
//!
//! The first three keystream blocks are H, Q and P. The tag is the leftmost bytes of
//! `(POLYVAL_H(message) ⊕ lengths) · Q ⊕ P`, the product being that of RFC 8452 §3. The IV
//! is 16 bytes as 3GPP forms them; its first byte tells the algorithm and the tag's
//! length. No key and IV may serve two messages.
//!
//! ```
//! use cipherlane::Mac;
//! use cipherlane::zuc::Nia6;
//!
//! // A tag of 40 bits.
//! let mut iv = [0; 16];
//! iv[..2].copy_from_slice(&[40, 0x3f]);
//! let mut nia6 = Nia6::new(&[0; 32], &iv)?;
//! nia6.update(&[0])?;
//! nia6.verify(&[0x41, 0x53, 0x90, 0x61, 0xeb])?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::Level;

use super::Zuc256Of2023;
use crate::error::check_length;
use crate::mac::ghash::{self, BLOCK, Key, Running};
use crate::secret::Secret;
use crate::{Error, Mac, Sizes, StreamCipher};

/// The lengths of a tag in bytes.
pub(super) const TAGS: Sizes = Sizes::between(4, BLOCK);

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
#[derive(Clone)]
pub struct Nia6 {
    stream: Zuc256Of2023,
    hash: Hash,
    running: Running<false>,
    /// Bytes so far.
    length: u64,
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

    /// The same at a given level.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        let mut stream = Zuc256Of2023::with_level(key, iv, level)?;
        let hash = Hash::new(&mut stream)?;
        Ok(Self { stream, hash, running: Running::new(), length: 0 })
    }
}

impl Mac for Nia6 {
    fn tag_sizes(&self) -> Sizes {
        TAGS
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
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
        check_length("tag", tag.len(), TAGS)?;
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
