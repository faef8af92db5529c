//! What a call asks of the kernels: one task for blocks and for counters, so that every kernel
//! is there once.

use super::round_keys::ENCRYPT;

/// `out = cipher(in ⊕ pre) ⊕ post`, or with a counter `out = cipher(counter + i) ⊕ in`.
#[derive(Clone, Copy)]
pub(super) struct Task<'t> {
    /// The direction, as the order of the round keys.
    pub(super) flip: usize,
    pub(super) pre: Option<&'t [u8]>,
    pub(super) post: Option<&'t [u8]>,
    /// The first block's.
    pub(super) counter: Option<u128>,
}

impl Task<'_> {
    /// Counters from this one on.
    pub(super) const fn counter(first: u128) -> Self {
        Self { flip: ENCRYPT, pre: None, post: None, counter: Some(first) }
    }

    /// The first counter. The compiler is not told that it is the same question each time: it
    /// would make two kernels of one.
    #[inline(always)]
    pub(super) fn counts(&self) -> Option<u128> {
        if core::hint::black_box(self.counter.is_some()) { self.counter } else { None }
    }

    /// The same for the bytes `offset..offset + len`, of which the first begins a block.
    #[inline(always)]
    pub(super) fn part(&self, offset: usize, len: usize) -> Self {
        Self {
            flip: self.flip,
            pre: self.pre.map(|bytes| &bytes[offset..offset + len]),
            post: self.post.map(|bytes| &bytes[offset..offset + len]),
            counter: self.counter.map(|first| first.wrapping_add((offset / super::BLOCK) as u128)),
        }
    }
}
