//! A message in pieces of any length, its last block held back: what happens to the
//! last block is known only at the end.

use crate::secret::Secret;
use crate::traits::block::{BlockCipher, Chain, ChainData, MAX_BLOCK};

/// The chaining value of a CBC-MAC and what has not gone into it yet.
#[derive(Clone)]
pub(super) struct LastBlock {
    /// The chaining value.
    pub(super) value: Secret<[u8; MAX_BLOCK]>,
    /// The last bytes, up to one block; none only where the message is empty so far.
    held: Secret<[u8; MAX_BLOCK]>,
    len: usize,
}

impl LastBlock {
    pub(super) const fn new() -> Self {
        Self { value: Secret([0; MAX_BLOCK]), held: Secret([0; MAX_BLOCK]), len: 0 }
    }

    /// Starts another message from this chaining value.
    pub(super) fn start(&mut self, value: &[u8]) {
        self.value.0[..value.len()].copy_from_slice(value);
        self.len = 0;
    }

    /// The bytes held back.
    pub(super) fn held(&self) -> &[u8] {
        &self.held.0[..self.len]
    }

    /// Takes more of the message; gives whole blocks that are surely not the last to
    /// `absorb`, with the chaining value.
    pub(super) fn update(
        &mut self,
        block: usize,
        data: &[u8],
        absorb: impl FnMut(&mut [u8], &[u8]),
    ) {
        // A length that the compiler knows: a division costs as much as an AES block's rounds.
        if block == MAX_BLOCK {
            self.pieces(MAX_BLOCK, data, absorb);
        } else {
            self.pieces(block, data, absorb);
        }
    }

    #[inline(always)]
    fn pieces(&mut self, block: usize, mut data: &[u8], mut absorb: impl FnMut(&mut [u8], &[u8])) {
        let value = &mut self.value.0[..block];
        if self.len + data.len() > block && self.len > 0 {
            let (head, rest) = data.split_at(block - self.len);
            self.held.0[self.len..block].copy_from_slice(head);
            absorb(value, &self.held.0[..block]);
            self.len = 0;
            data = rest;
        }
        if data.len() > block {
            let (whole, rest) = data.split_at((data.len() - 1) / block * block);
            absorb(value, whole);
            data = rest;
        }
        // A whole block is moved as such.
        if let (0, MAX_BLOCK, Ok(last)) = (self.len, block, data.try_into()) {
            (self.held.0, self.len) = (last, block);
            return;
        }
        self.held.0[self.len..self.len + data.len()].copy_from_slice(data);
        self.len += data.len();
    }
}

/// Runs whole blocks into a chaining value: `v ← E(v ⊕ block)`.
pub(super) fn absorb<C: BlockCipher + ?Sized>(cipher: &C, value: &mut [u8], blocks: &[u8]) {
    cipher.encrypt_chains(&mut [Chain { value, data: ChainData::Absorb(blocks) }]);
}

/// `value ← value ⊕ block`.
pub(super) fn add(value: &mut [u8], block: &[u8]) {
    value.iter_mut().zip(block).for_each(|(value, byte)| *value ^= byte);
}
