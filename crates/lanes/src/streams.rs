//! Equally long pieces of data, read and written block by block side by side.
//!
//! # Why the pointers are sound
//! Each piece is an [`InOut`] or a shared slice, taken by value for `'a`: its pointers are
//! valid for `len` bytes as long as the set lives, and no output overlaps anything else in
//! the set, because the borrows they came from did not. An access checks its range against
//! `len` once, which all pieces share. References to blocks live only inside the method
//! that makes them, inputs and outputs in different methods.
#![expect(unsafe_code, reason = "one bounds check for many pieces; argued above")]

use core::fmt;
use core::marker::PhantomData;

use crate::{InOut, Isa};

/// The length of a block in bytes.
const BLOCK: usize = 16;

/// At most `N` pieces of the same length. Blocks have 16 bytes.
pub struct Streams<'a, const N: usize> {
    /// Behind the pieces in use, the first one's.
    input: [*const u8; N],
    /// Null where nothing is written.
    output: [*mut u8; N],
    used: usize,
    len: usize,
    borrow: PhantomData<(&'a [u8], &'a mut [u8])>,
}

impl<const N: usize> fmt::Debug for Streams<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Streams({} of {} bytes)", self.used, self.len)
    }
}

impl<const N: usize> Default for Streams<'_, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a, const N: usize> Streams<'a, N> {
    /// No pieces yet.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        let (input, output) = ([core::ptr::null(); N], [core::ptr::null_mut(); N]);
        Self { input, output, used: 0, len: 0, borrow: PhantomData }
    }

    /// The length of every piece in bytes.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no data.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a piece that is read and written.
    ///
    /// # Panics
    /// If there are `N` pieces, or its length is not that of the first.
    #[inline(always)]
    pub fn push(&mut self, io: InOut<'a>) {
        let len = io.len();
        let (input, output) = io.into_pointers();
        self.add(input, output, len);
    }

    /// Adds a piece that is only read.
    ///
    /// # Panics
    /// As [`push`](Self::push).
    #[inline(always)]
    pub fn push_input(&mut self, data: &'a [u8]) {
        self.add(data.as_ptr(), core::ptr::null_mut(), data.len());
    }

    #[inline(always)]
    fn add(&mut self, input: *const u8, output: *mut u8, len: usize) {
        if self.used == 0 {
            self.input = [input; N];
            self.len = len;
        }
        assert_eq!(len, self.len, "pieces of one length");
        self.input[self.used] = input;
        self.output[self.used] = output;
        self.used += 1;
    }

    /// A register of the input blocks at `offset` of the pieces from `first` on; those of
    /// pieces that are not there are any.
    ///
    /// # Panics
    /// If the block does not lie inside the pieces, or `first` and what follows not below `N`.
    #[inline(always)]
    #[must_use]
    pub fn load_blocks<I: Isa>(&self, isa: I, first: usize, offset: usize) -> I::V {
        self.check(offset);
        let last = const { I::BYTES / BLOCK } - 1;
        let mut blocks = [self.input[first]; 4];
        for i in 0..4 {
            blocks[i] = self.input[first + i.min(last)];
        }
        // SAFETY: the range was checked, so that there is a piece, and all inputs are valid
        // for `len` bytes; no output slice lives while `self` is borrowed.
        let at = |i: usize| unsafe { &*blocks[i].add(offset).cast::<[u8; BLOCK]>() };
        isa.load_blocks([at(0), at(1), at(2), at(3)])
    }

    /// Writes a register to the output blocks at `offset` of the pieces from `first` on.
    ///
    /// # Panics
    /// As [`load_blocks`](Self::load_blocks).
    #[inline(always)]
    pub fn store_blocks<I: Isa>(&mut self, isa: I, first: usize, offset: usize, value: I::V) {
        self.check(offset);
        let last = const { I::BYTES / BLOCK } - 1;
        let mut blocks = [core::ptr::null_mut::<u8>(); 4];
        for i in 0..4 {
            if i <= last {
                blocks[i] = self.output[first + i];
            }
        }
        let at = |i: usize| {
            if blocks[i].is_null() {
                return None;
            }
            // SAFETY: the range was checked; an output that is not null is valid for `len`
            // bytes and ours alone, and `self` is borrowed exclusively.
            Some(unsafe { &mut *blocks[i].add(offset).cast::<[u8; BLOCK]>() })
        };
        isa.store_blocks(value, [at(0), at(1), at(2), at(3)]);
    }

    /// The input of one piece from `offset` on, as much as a register holds, zeros behind the
    /// end; any where there is no such piece.
    ///
    /// # Panics
    /// If `offset` is past the end, `piece` not below `N`, or there are no pieces.
    #[inline(always)]
    #[must_use]
    pub fn load<I: Isa>(&self, isa: I, piece: usize, offset: usize) -> I::V {
        let len = self.len_from(offset);
        // SAFETY: there is a piece, so that all inputs are valid for `self.len` bytes, and
        // `len` of them lie behind `offset`; no output slice lives while `self` is borrowed.
        let bytes = unsafe { core::slice::from_raw_parts(self.input[piece].add(offset), len) };
        if len < I::BYTES { isa.load_part(bytes) } else { isa.load(bytes) }
    }

    /// A whole register of each of `K` pieces from `first` on, all from `offset` on, with one check of
    /// the range; any where there is no such piece.
    ///
    /// # Panics
    /// If the register does not lie inside the pieces, or `first` and what follows not below `N`.
    #[inline(always)]
    #[must_use]
    pub fn load_each<I: Isa, const K: usize>(
        &self,
        isa: I,
        first: usize,
        offset: usize,
    ) -> [I::V; K] {
        self.check_register::<I>(offset);
        let pieces: &[*const u8; K] = self.input[first..].first_chunk().expect("so many pieces");
        let mut registers = [isa.zero(); K];
        for i in 0..K {
            // SAFETY: there is a piece, so that all inputs are valid for `self.len` bytes, and a
            // register of them lies behind `offset`; no output slice lives while `self` is borrowed.
            let bytes = unsafe { core::slice::from_raw_parts(pieces[i].add(offset), I::BYTES) };
            registers[i] = isa.load(bytes);
        }
        registers
    }

    /// Writes a whole register to the output of each of `K` pieces from `first` on, all from `offset`
    /// on; nothing where there is no such piece or it is only read.
    ///
    /// # Panics
    /// As [`load_each`](Self::load_each).
    #[inline(always)]
    pub fn store_each<I: Isa, const K: usize>(
        &mut self,
        isa: I,
        first: usize,
        offset: usize,
        registers: [I::V; K],
    ) {
        self.check_register::<I>(offset);
        let pieces: &[*mut u8; K] = self.output[first..].first_chunk().expect("so many pieces");
        for i in 0..K {
            if pieces[i].is_null() {
                continue;
            }
            // SAFETY: an output that is not null is valid for `self.len` bytes and ours alone, a
            // register of them lies behind `offset`, and `self` is borrowed exclusively.
            let bytes = unsafe { core::slice::from_raw_parts_mut(pieces[i].add(offset), I::BYTES) };
            isa.store(registers[i], bytes);
        }
    }

    /// A register of one piece from the start on, as [`load`](Self::load), behind a block that is not of
    /// the piece.
    ///
    /// # Panics
    /// As [`load`](Self::load).
    #[inline(always)]
    #[must_use]
    pub fn load_behind<I: Isa>(&self, isa: I, piece: usize, block: &[u8; BLOCK]) -> I::V {
        let rest = self.len_from(0).saturating_sub(BLOCK).min(I::BYTES - BLOCK) / BLOCK;
        let at = |i: usize| match i {
            // SAFETY: there is a piece, so that all inputs are valid for `self.len` bytes,
            // which are `rest` blocks at least; no output slice lives while `self` is borrowed.
            1..=3 if i <= rest => unsafe { &*self.input[piece].add((i - 1) * BLOCK).cast() },
            _ => block,
        };
        isa.load_blocks([block, at(1), at(2), at(3)])
    }

    /// Writes what of the register lies before the end to the output of one piece, from
    /// `offset` on; nothing where there is no such piece or it is only read.
    ///
    /// # Panics
    /// As [`load`](Self::load).
    #[inline(always)]
    pub fn store<I: Isa>(&mut self, isa: I, piece: usize, offset: usize, value: I::V) {
        let len = self.len_from(offset);
        let output = self.output[piece];
        if output.is_null() {
            return;
        }
        // SAFETY: an output that is not null is valid for `self.len` bytes and ours alone,
        // `len` of them lie behind `offset`, and `self` is borrowed exclusively.
        let bytes = unsafe { core::slice::from_raw_parts_mut(output.add(offset), len) };
        if len < I::BYTES { isa.store_part(value, bytes) } else { isa.store(value, bytes) }
    }

    #[inline(always)]
    fn check(&self, offset: usize) {
        assert!(offset < self.len && self.len - offset >= BLOCK, "a whole block");
    }

    #[inline(always)]
    fn check_register<I: Isa>(&self, offset: usize) {
        assert!(offset < self.len && self.len - offset >= I::BYTES, "a whole register");
    }

    #[inline(always)]
    fn len_from(&self, offset: usize) -> usize {
        assert!(self.used > 0 && offset <= self.len, "inside the pieces");
        self.len - offset
    }
}

#[cfg(test)]
mod tests;
