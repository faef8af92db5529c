//! The hash and the tag of one message: `(POLYVAL_H(data) ⊕ lengths) · Q ⊕ P`.

use lanes::Level;

use crate::error::{Error, check_length};
use crate::ghash;
use crate::ghash::{BLOCK, Key};
use crate::secret::Secret;
use crate::sizes::Sizes;

/// The lengths of a tag in bytes.
pub(crate) const TAGS: Sizes = Sizes::between(4, BLOCK);

/// Returns [`Error::Length`] unless a tag may be that long.
pub(crate) const fn check_tag(bytes: usize) -> Result<(), Error> {
    check_length("tag", bytes, TAGS)
}

/// The most bytes whose number of bits fits 64 bits.
pub(super) const MOST: u64 = (1 << 61) - 1;

/// Whether the numbers of bits of associated data and message fit 64 bits.
pub(crate) fn check_lengths(aad: usize, message: usize) -> Result<(), Error> {
    for (what, length) in [("bytes of associated data", aad), ("bytes of one message", message)] {
        if length as u64 > MOST {
            return Err(Error::Limit { what, limit: MOST });
        }
    }
    Ok(())
}

/// The hash of one message: what H, Q and P are for.
#[derive(Clone)]
pub(crate) struct Hash {
    /// Powers of H.
    key: Key<false>,
    /// H, Q and P.
    blocks: Secret<Head>,
    /// Of how many blocks the longest call may be before more powers of H are wanted.
    ready: usize,
}

/// H, Q and P, the first three blocks of the keystream that serves the hash.
pub(crate) type Head = [[u8; BLOCK]; 3];

impl Hash {
    /// A place for the hash of a message.
    pub(crate) const fn unset(level: Level) -> Self {
        Self { key: Key::unset(level), blocks: Secret([[0; BLOCK]; 3]), ready: 0 }
    }

    /// For the message of this head.
    #[cfg(any(feature = "_air256_batches", all(feature = "aes", feature = "alloc")))]
    pub(crate) fn set(&mut self, head: &Head) {
        self.ready = 0;
        self.blocks.0 = *head;
    }

    /// The place for a head, which is written at once.
    pub(super) fn place(&mut self) -> &mut Head {
        self.ready = 0;
        &mut self.blocks.0
    }

    /// The key, ready for calls of so many blocks: most messages are short, and powers
    /// they don't want cost more than they do. A message in longer and longer pieces gets
    /// those of any key the second time.
    pub(super) fn key(&mut self, blocks: usize) -> &Key<false> {
        if self.ready < blocks {
            let powers = if self.ready == 0 { blocks } else { usize::MAX };
            self.key.set_for(&self.blocks.0[0], powers);
            self.ready = powers;
        }
        &self.key
    }

    /// Absorbs segments under a [`key`](Self::key) that is ready.
    pub(super) fn absorb(&self, state: &mut ghash::State, segments: [&[u8]; 2]) {
        self.key.absorb(state, &segments);
    }

    /// The whole tag of a message of associated data and ciphertext.
    pub(crate) fn of(&mut self, [aad, ciphertext]: [&[u8]; 2]) -> [u8; BLOCK] {
        let mut state = Key::<false>::start();
        let blocks = aad.len().div_ceil(BLOCK) + ciphertext.len().div_ceil(BLOCK);
        self.key(blocks).absorb(&mut state, &[aad, ciphertext]);
        self.tag(&Key::<false>::hash(&state), ciphertext.len() as u64, aad.len() as u64)
    }

    /// The whole tag, from the hash of the blocks and lengths in bytes.
    pub(super) fn tag(&self, hashed: &[u8; BLOCK], ciphertext: u64, aad: u64) -> [u8; BLOCK] {
        let lengths = u128::from(8 * aad) << 64 | u128::from(8 * ciphertext);
        let sum = Secret((u128::from_le_bytes(*hashed) ^ lengths).to_le_bytes());
        let [_, q, p] = &self.blocks.0;
        let mut tag = ghash::dot(self.key.first_level(), &sum.0, q);
        for (byte, mask) in tag.iter_mut().zip(p) {
            *byte ^= mask;
        }
        tag
    }
}
