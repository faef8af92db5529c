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

    #[inline(always)]
    fn check(&self, offset: usize) {
        assert!(offset < self.len && self.len - offset >= BLOCK, "a whole block");
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::{Level, dispatch};

    #[inline(always)]
    fn copy<I: Isa>(isa: I, streams: &mut Streams<'_, 8>) {
        for offset in (0..streams.len()).step_by(BLOCK) {
            for first in (0..8).step_by(I::BYTES / BLOCK) {
                let v = streams.load_blocks(isa, first, offset);
                streams.store_blocks(isa, first, offset, isa.xor(v, isa.splat8(0xff)));
            }
        }
    }

    #[test]
    fn every_block_goes_where_it_belongs() {
        for level in Level::available() {
            for used in 0..=8 {
                let input: Vec<Vec<u8>> = (0..used).map(|i| vec![i; 48]).collect();
                let mut output: Vec<Vec<u8>> = vec![vec![0x55; 48]; usize::from(used)];
                let mut in_place = input.clone();
                let mut streams = Streams::new();
                let places = output.iter_mut().zip(&mut in_place);
                for (i, (input, (output, in_place))) in input.iter().zip(places).enumerate() {
                    match i % 3 {
                        0 => streams.push(InOut::disjoint(input, output).unwrap()),
                        1 => streams.push(in_place.as_mut_slice().into()),
                        _ => streams.push_input(input),
                    }
                }
                dispatch!(level, isa => copy(isa, &mut streams));
                for i in 0..usize::from(used) {
                    let done = vec![!(i as u8); 48];
                    let output_expected = if i % 3 == 0 { &done } else { &vec![0x55; 48] };
                    let in_place_expected = if i % 3 == 1 { &done } else { &input[i] };
                    assert_eq!(&output[i], output_expected, "{level}, {i} of {used}");
                    assert_eq!(&in_place[i], in_place_expected, "{level}, {i} of {used}");
                }
            }
        }
    }

    #[cfg(panic = "unwind")]
    #[test]
    #[should_panic(expected = "a whole block")]
    fn a_block_past_the_end_is_refused() {
        let data = [0; 40];
        let mut streams = Streams::<8>::new();
        streams.push_input(&data);
        let _ = streams.load_blocks(crate::Portable, 0, 32);
    }

    #[cfg(panic = "unwind")]
    #[test]
    #[should_panic(expected = "pieces of one length")]
    fn a_piece_of_another_length_is_refused() {
        let mut streams = Streams::<8>::new();
        streams.push_input(&[0; 32]);
        streams.push_input(&[0; 16]);
    }
}
