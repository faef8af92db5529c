//! A pair of buffers: the same one twice (in place) or two that do not overlap.
//!
//! # Why the pointers are sound
//! An [`InOut`] is made from an exclusive borrow of the output and either
//! nothing else (input and output are the same bytes) or a shared borrow of an
//! input of equal length, which the borrow checker keeps apart from the output.
//! Both borrows last for `'a`. All access goes through methods that check their
//! range against `len`; the slices they hand out borrow `self`, exclusively
//! where they can be written to, so an input slice never lives beside an output
//! slice of the same bytes.
#![expect(unsafe_code, reason = "in-place and disjoint buffers behind one type; argued above")]

use core::fmt;
use core::marker::PhantomData;

use crate::Isa;

/// Input and output of the same length, in place or buffer to buffer.
pub struct InOut<'a> {
    input: *const u8,
    output: *mut u8,
    len: usize,
    borrow: PhantomData<(&'a [u8], &'a mut [u8])>,
}

// SAFETY: it stands for a `&[u8]` and a `&mut [u8]`, both of which are `Send`.
unsafe impl Send for InOut<'_> {}
// SAFETY: a shared `InOut` only gives shared slices; both borrows are `Sync`.
unsafe impl Sync for InOut<'_> {}

impl fmt::Debug for InOut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if core::ptr::eq(self.input, self.output) { "in place" } else { "disjoint" };
        write!(f, "InOut({} bytes, {place})", self.len)
    }
}

impl<'a> From<&'a mut [u8]> for InOut<'a> {
    #[inline(always)]
    fn from(data: &'a mut [u8]) -> Self {
        let output = data.as_mut_ptr();
        Self { input: output, output, len: data.len(), borrow: PhantomData }
    }
}

impl<'a> InOut<'a> {
    /// From an input and an output; `None` if their lengths differ.
    #[must_use]
    pub fn disjoint(input: &'a [u8], output: &'a mut [u8]) -> Option<Self> {
        (input.len() == output.len()).then_some(Self {
            input: input.as_ptr(),
            output: output.as_mut_ptr(),
            len: input.len(),
            borrow: PhantomData,
        })
    }

    /// The length of either side in bytes.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The same buffers for a shorter time.
    #[inline(always)]
    #[must_use]
    pub fn reborrow(&mut self) -> InOut<'_> {
        InOut { input: self.input, output: self.output, len: self.len, borrow: PhantomData }
    }

    /// Cuts both sides at `at`.
    ///
    /// # Panics
    /// If `at` is past the end.
    #[inline(always)]
    #[must_use]
    pub fn split_at(self, at: usize) -> (Self, Self) {
        assert!(at <= self.len, "split past the end");
        let head = Self { len: at, ..self };
        // SAFETY: `at <= len`, so both pointers stay inside their buffers or one past the end.
        let (input, output) = unsafe { (self.input.add(at), self.output.add(at)) };
        (head, Self { input, output, len: self.len - at, borrow: PhantomData })
    }

    /// The bytes `offset..offset + len` of both sides.
    ///
    /// # Panics
    /// If the range is not inside.
    #[inline(always)]
    #[must_use]
    pub fn part(&mut self, offset: usize, len: usize) -> InOut<'_> {
        assert!(offset <= self.len && len <= self.len - offset, "part past the end");
        // SAFETY: the range was just checked to lie inside both buffers.
        let (input, output) = unsafe { (self.input.add(offset), self.output.add(offset)) };
        InOut { input, output, len, borrow: PhantomData }
    }

    /// The input bytes; in place, what has been written shows.
    #[inline(always)]
    #[must_use]
    pub fn input(&self) -> &[u8] {
        // SAFETY: `input` is valid for `len` bytes for `'a`, and while `self` is borrowed
        // nothing can be written through `output`.
        unsafe { core::slice::from_raw_parts(self.input, self.len) }
    }

    /// The output bytes.
    #[inline(always)]
    #[must_use]
    pub fn output(&mut self) -> &mut [u8] {
        // SAFETY: `output` is valid for `len` bytes and exclusively ours for `'a`; the
        // exclusive borrow of `self` rules out a living input slice.
        unsafe { core::slice::from_raw_parts_mut(self.output, self.len) }
    }

    /// Gives up the pair for its output, with the output's full lifetime.
    #[inline(always)]
    #[must_use]
    pub fn into_output(self) -> &'a mut [u8] {
        // SAFETY: as in `output`; `self` is consumed, so no other slice can be made from it.
        unsafe { core::slice::from_raw_parts_mut(self.output, self.len) }
    }

    /// Gives up the pair for its pointers, input first.
    #[inline(always)]
    pub(crate) fn into_pointers(self) -> (*const u8, *mut u8) {
        (self.input, self.output)
    }

    /// Copies the input to the output; nothing to do in place.
    #[inline]
    pub fn copy(&mut self) {
        if !core::ptr::eq(self.input, self.output) {
            // SAFETY: both are valid for `len` bytes and, not being the same, do not overlap.
            unsafe { core::ptr::copy_nonoverlapping(self.input, self.output, self.len) }
        }
    }

    /// `output = input ⊕ mask`, byte by byte.
    ///
    /// # Panics
    /// If `mask` has another length.
    #[inline]
    pub fn xor(&mut self, mask: &[u8]) {
        assert_eq!(mask.len(), self.len, "mask length");
        self.copy();
        for (byte, mask) in self.output().iter_mut().zip(mask) {
            *byte ^= mask;
        }
    }

    /// A whole register of input at `offset`.
    ///
    /// # Panics
    /// If the register does not lie inside.
    #[inline(always)]
    #[must_use]
    pub fn load<I: Isa>(&self, isa: I, offset: usize) -> I::V {
        isa.load(&self.input()[offset..])
    }

    /// Writes a whole register to the output at `offset`.
    ///
    /// # Panics
    /// If the register does not lie inside.
    #[inline(always)]
    pub fn store<I: Isa>(&mut self, isa: I, offset: usize, value: I::V) {
        isa.store(value, &mut self.output()[offset..]);
    }

    /// The input from `offset` on, as much as a register holds, zeros behind the end.
    #[inline(always)]
    #[must_use]
    pub fn load_part<I: Isa>(&self, isa: I, offset: usize) -> I::V {
        isa.load_part(self.input().get(offset..).unwrap_or(&[]))
    }

    /// Writes what of the register lies before the end.
    #[inline(always)]
    pub fn store_part<I: Isa>(&mut self, isa: I, offset: usize, value: I::V) {
        isa.store_part(value, self.output().get_mut(offset..).unwrap_or(&mut []));
    }
}
