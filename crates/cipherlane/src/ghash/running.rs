//! The hash of data in pieces of any length.

use super::{BLOCK, Key, State};
use crate::secret::Secret;

/// A hash under way; its key is kept elsewhere.
#[derive(Clone)]
pub(crate) struct Running<const REVERSED: bool> {
    state: State,
    /// The first bytes of a block whose rest is still to come.
    begun: Secret<[u8; BLOCK]>,
    /// How many there are, less than a block.
    filled: usize,
}

impl<const REVERSED: bool> Running<REVERSED> {
    pub(crate) const fn new() -> Self {
        Self { state: Key::<REVERSED>::start(), begun: Secret([0; BLOCK]), filled: 0 }
    }

    /// How many blocks more data fill.
    #[cfg(feature = "_air256")]
    pub(crate) const fn blocks_with(&self, bytes: usize) -> usize {
        // Without the sum, which may not fit.
        bytes / BLOCK + (self.filled + bytes % BLOCK) / BLOCK
    }

    /// More data.
    pub(crate) fn update(&mut self, key: &Key<REVERSED>, mut data: &[u8]) {
        if self.filled > 0 {
            let (head, rest) = data.split_at(data.len().min(BLOCK - self.filled));
            self.begun.0[self.filled..self.filled + head.len()].copy_from_slice(head);
            self.filled += head.len();
            data = rest;
            if self.filled < BLOCK {
                return;
            }
        }
        let (whole, tail) = data.split_at(data.len() / BLOCK * BLOCK);
        let begun = &self.begun.0[..self.filled];
        if !(begun.is_empty() && whole.is_empty()) {
            key.absorb(&mut self.state, &[begun, whole]);
        }
        self.begun.0[..tail.len()].copy_from_slice(tail);
        self.filled = tail.len();
    }

    /// The hash of the blocks so far, for a kernel that goes on with it; none amid a block.
    pub(crate) const fn between_blocks(&mut self) -> Option<&mut State> {
        if self.filled == 0 { Some(&mut self.state) } else { None }
    }

    /// Fills a begun block up with zeros.
    pub(crate) fn pad(&mut self, key: &Key<REVERSED>) {
        if self.filled > 0 {
            self.pad_and(key, &[]);
        }
    }

    /// Fills a begun block up with zeros and absorbs whole blocks behind it.
    pub(crate) fn pad_and(&mut self, key: &Key<REVERSED>, blocks: &[u8]) {
        key.absorb(&mut self.state, &[&self.begun.0[..self.filled], blocks]);
        self.filled = 0;
    }

    /// The hash of the blocks so far.
    pub(crate) fn hash(&self) -> [u8; BLOCK] {
        Key::<REVERSED>::hash(&self.state)
    }
}
