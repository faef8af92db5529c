//! The words that Grain's clocks are made of: integers for one stream, lanes for many.

use lanes::Isa;

/// Operations on words of 16 or 32 consecutive bits of a register, the earliest lowest. What
/// lies above those bits is of no meaning until [`clean`](Self::clean).
pub(super) trait Words: Copy {
    /// One word.
    type Word: Copy;
    /// Two words that follow each other.
    type Window: Copy;

    fn window(self, low: Self::Word, high: Self::Word) -> Self::Window;
    /// The word that starts at bit `RIGHT` of a window; `LEFT` is what is left of the first
    /// word, or 0 where `RIGHT` is 0.
    fn tap<const RIGHT: u32, const LEFT: u32>(self, window: Self::Window) -> Self::Word;
    fn xor(self, a: Self::Word, b: Self::Word) -> Self::Word;
    fn and(self, a: Self::Word, b: Self::Word) -> Self::Word;
    fn clean(self, a: Self::Word) -> Self::Word;
}

/// One stream, 32 clocks at once.
#[derive(Clone, Copy)]
pub(super) struct One32;

impl Words for One32 {
    type Word = u64;
    type Window = u64;

    #[inline(always)]
    fn window(self, low: u64, high: u64) -> u64 {
        low | high << 32
    }
    #[inline(always)]
    fn tap<const RIGHT: u32, const LEFT: u32>(self, window: u64) -> u64 {
        window >> RIGHT
    }
    #[inline(always)]
    fn xor(self, a: u64, b: u64) -> u64 {
        a ^ b
    }
    #[inline(always)]
    fn and(self, a: u64, b: u64) -> u64 {
        a & b
    }
    #[inline(always)]
    fn clean(self, a: u64) -> u64 {
        u64::from(a as u32)
    }
}

/// One stream, 16 clocks at once.
#[derive(Clone, Copy)]
pub(super) struct One16;

impl Words for One16 {
    type Word = u32;
    type Window = u32;

    #[inline(always)]
    fn window(self, low: u32, high: u32) -> u32 {
        low | high << 16
    }
    #[inline(always)]
    fn tap<const RIGHT: u32, const LEFT: u32>(self, window: u32) -> u32 {
        window >> RIGHT
    }
    #[inline(always)]
    fn xor(self, a: u32, b: u32) -> u32 {
        a ^ b
    }
    #[inline(always)]
    fn and(self, a: u32, b: u32) -> u32 {
        a & b
    }
    #[inline(always)]
    fn clean(self, a: u32) -> u32 {
        a & 0xffff
    }
}

/// Many streams in lanes of 32 bits, 32 clocks at once.
#[derive(Clone, Copy)]
pub(super) struct Many32<I>(pub(super) I);

impl<I: Isa> Words for Many32<I> {
    type Word = I::V;
    type Window = (I::V, I::V);

    #[inline(always)]
    fn window(self, low: I::V, high: I::V) -> (I::V, I::V) {
        (low, high)
    }
    #[inline(always)]
    fn tap<const RIGHT: u32, const LEFT: u32>(self, (low, high): (I::V, I::V)) -> I::V {
        if const { RIGHT == 0 } {
            return low;
        }
        self.0.or(self.0.shr32::<RIGHT>(low), self.0.shl32::<LEFT>(high))
    }
    #[inline(always)]
    fn xor(self, a: I::V, b: I::V) -> I::V {
        self.0.xor(a, b)
    }
    #[inline(always)]
    fn and(self, a: I::V, b: I::V) -> I::V {
        self.0.and(a, b)
    }
    #[inline(always)]
    fn clean(self, a: I::V) -> I::V {
        a
    }
}

/// Many streams in lanes of 32 bits, 16 clocks at once: a window fills a lane, so that a tap
/// is one shift.
#[derive(Clone, Copy)]
pub(super) struct Many16<I>(pub(super) I);

impl<I: Isa> Words for Many16<I> {
    type Word = I::V;
    type Window = I::V;

    #[inline(always)]
    fn window(self, low: I::V, high: I::V) -> I::V {
        self.0.or(low, self.0.shl32::<16>(high))
    }
    #[inline(always)]
    fn tap<const RIGHT: u32, const LEFT: u32>(self, window: I::V) -> I::V {
        self.0.shr32::<RIGHT>(window)
    }
    #[inline(always)]
    fn xor(self, a: I::V, b: I::V) -> I::V {
        self.0.xor(a, b)
    }
    #[inline(always)]
    fn and(self, a: I::V, b: I::V) -> I::V {
        self.0.and(a, b)
    }
    #[inline(always)]
    fn clean(self, a: I::V) -> I::V {
        self.0.and(a, self.0.splat32(0xffff))
    }
}
