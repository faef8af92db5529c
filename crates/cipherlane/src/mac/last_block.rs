//! A message in pieces of any length, its last block held back: what happens to the
//! last block is known only at the end.

use crate::secret::Secret;
use crate::traits::block::{BlockCipher, Chain, ChainData, MAX_BLOCK};

/// The chaining value of a CBC-MAC and what has not gone into it yet: of a longer message its last
/// block, and with more than a block of room all of a shorter one, so that one call of the cipher
/// takes it.
#[derive(Clone)]
pub(super) struct LastBlock<const HELD: usize = MAX_BLOCK> {
    /// The chaining value.
    pub(super) value: Secret<[u8; MAX_BLOCK]>,
    /// The last bytes; none only where the message is empty so far.
    held: Secret<[u8; HELD]>,
    len: usize,
}

impl<const HELD: usize> LastBlock<HELD> {
    const WHOLE_BLOCKS: () = assert!(HELD.is_multiple_of(MAX_BLOCK), "room for whole blocks");

    pub(super) const fn new() -> Self {
        let () = Self::WHOLE_BLOCKS;
        Self { value: Secret([0; MAX_BLOCK]), held: Secret([0; HELD]), len: 0 }
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

    /// The chaining value, and all that is held as blocks of that many bytes, of which the last one
    /// is masked: by the first mask if it is whole, else padded with a one bit and by the second
    /// one (SP 800-38B §6.2, steps 4 and 5).
    #[inline(always)]
    pub(super) fn masked<const BLOCK: usize>(
        &mut self,
        masks: &[[u8; MAX_BLOCK]; 2],
    ) -> (&mut [u8], &[u8]) {
        let start = self.len.saturating_sub(1) / BLOCK * BLOCK;
        let (blocks, last) = self.held.0[..start + BLOCK].split_at_mut(start);
        let [whole, padded] = masks;
        let mask = if let Some(after) = last.get_mut(self.len - start..)
            && let [first, rest @ ..] = after
        {
            *first = 0x80;
            rest.fill(0);
            padded
        } else {
            whole
        };
        add(last, &mask[..BLOCK]);
        let end = blocks.len() + BLOCK;
        (&mut self.value.0[..BLOCK], &self.held.0[..end])
    }

    /// The same of a message that ends with its padding: zeros behind it, and this mask.
    #[cfg(feature = "aes")]
    pub(super) fn padded(&mut self, mask: &[u8; MAX_BLOCK]) -> (&mut [u8], &[u8]) {
        let end = self.len.next_multiple_of(MAX_BLOCK);
        self.held.0[self.len..end].fill(0);
        add(&mut self.held.0[end - MAX_BLOCK..end], mask);
        (&mut self.value.0[..], &self.held.0[..end])
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
        let most = if HELD == MAX_BLOCK { block } else { HELD };
        if self.len + data.len() > most {
            let value = &mut self.value.0[..block];
            if self.len > 0 {
                // Filled up to whole blocks, after which at least one byte more follows.
                let whole = self.len.next_multiple_of(block);
                let (head, rest) = data.split_at(whole - self.len);
                self.held.0[self.len..whole].copy_from_slice(head);
                absorb(value, &self.held.0[..whole]);
                self.len = 0;
                data = rest;
            }
            if data.len() > most {
                let (whole, rest) = data.split_at((data.len() - 1) / block * block);
                absorb(value, whole);
                data = rest;
            }
        }
        // A whole block is moved as such.
        if let (0, MAX_BLOCK, Ok(data), Some(last)) =
            (self.len, block, <[u8; MAX_BLOCK]>::try_from(data), self.held.0.first_chunk_mut())
        {
            (*last, self.len) = (data, block);
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
