//! 32-bit words, one or a register of lanes: what Serpent asks of either.

use lanes::Isa;

/// Operations on words.
pub(super) trait Word: Copy {
    /// A word, or one of each stream.
    type V: Copy;
    fn splat(self, x: u32) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn not(self, a: Self::V) -> Self::V;
    fn rol<const N: u32>(self, a: Self::V) -> Self::V;
    fn shl<const N: u32>(self, a: Self::V) -> Self::V;
}

/// One word.
#[derive(Clone, Copy)]
pub(super) struct Single;

impl Word for Single {
    type V = u32;

    #[inline(always)]
    fn splat(self, x: u32) -> u32 {
        x
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
    fn or(self, a: u32, b: u32) -> u32 {
        a | b
    }
    #[inline(always)]
    fn not(self, a: u32) -> u32 {
        !a
    }
    #[inline(always)]
    fn rol<const N: u32>(self, a: u32) -> u32 {
        a.rotate_left(N)
    }
    #[inline(always)]
    fn shl<const N: u32>(self, a: u32) -> u32 {
        a << N
    }
}

/// A register of lanes.
#[derive(Clone, Copy)]
pub(super) struct Many<I: Isa>(pub(super) I);

impl<I: Isa> Word for Many<I> {
    type V = I::V;

    #[inline(always)]
    fn splat(self, x: u32) -> I::V {
        self.0.splat32(x)
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
    fn or(self, a: I::V, b: I::V) -> I::V {
        self.0.or(a, b)
    }
    #[inline(always)]
    fn not(self, a: I::V) -> I::V {
        self.0.xor(a, self.0.splat32(u32::MAX))
    }
    #[inline(always)]
    fn rol<const N: u32>(self, a: I::V) -> I::V {
        self.0.rol32::<N>(a)
    }
    #[inline(always)]
    fn shl<const N: u32>(self, a: I::V) -> I::V {
        self.0.shl32::<N>(a)
    }
}
