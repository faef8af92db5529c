//! What RC5 asks of a word of 16, 32 or 64 bits, as a number and as a lane.

use core::ops::BitXor;

use lanes::Isa;

use crate::block::number::Number;

/// A word.
pub(crate) trait Word: Copy + BitXor<Output = Self> + lanes::wipe::Plain {
    /// Two words.
    type Block: Number;

    /// The odd number next to (e − 2)·2^w.
    const P: Self;
    /// The odd number next to (φ − 1)·2^w, φ the golden ratio.
    const Q: Self;

    /// A small number.
    fn number(x: u8) -> Self;
    /// The sum modulo 2^w.
    fn plus(self, other: Self) -> Self;
    /// The difference modulo 2^w.
    fn minus(self, other: Self) -> Self;
    /// Rotated left by the low bits of a word.
    fn left(self, by: Self) -> Self;
    /// Rotated right by the low bits of a word.
    fn right(self, by: Self) -> Self;
    /// The first word of bytes, little-endian.
    fn read(bytes: &[u8]) -> Self;
    /// The two words of a block.
    fn split(block: Self::Block) -> [Self; 2];
    /// The block of two words.
    fn join(words: [Self; 2]) -> Self::Block;

    /// Every lane this word.
    fn splat<I: Isa>(self, isa: I) -> I::V;
    /// Sums of lanes.
    fn add<I: Isa>(isa: I, a: I::V, b: I::V) -> I::V;
    /// Differences of lanes.
    fn sub<I: Isa>(isa: I, a: I::V, b: I::V) -> I::V;
    /// Lanes rotated left by lanes.
    fn rotate<I: Isa>(isa: I, a: I::V, by: I::V) -> I::V;
    /// From two registers of blocks to one of first and one of second words.
    fn enter<I: Isa>(isa: I, blocks: [I::V; 2]) -> [I::V; 2];
    /// From one register of first and one of second words back to two of blocks.
    fn leave<I: Isa>(isa: I, words: [I::V; 2]) -> [I::V; 2];
}

/// The two words of a block apart, between two links of a chain: as one number they would be put
/// together and taken apart again, three cycles of some seventy. No array, which the compiler
/// carries from block to block in one register.
#[derive(Clone, Copy)]
pub(crate) struct Words<W>(pub(crate) W, pub(crate) W);

impl<W: Word> BitXor for Words<W> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0, self.1 ^ other.1)
    }
}

impl<W: Word> Words<W> {
    #[inline(always)]
    fn block(self) -> W::Block {
        W::join([self.0, self.1])
    }

    #[inline(always)]
    fn of(block: W::Block) -> Self {
        let [a, b] = W::split(block);
        Self(a, b)
    }
}

impl<W: Word> Number for Words<W> {
    const ZERO: Self = Self(W::ZERO, W::ZERO);

    #[inline(always)]
    fn read(bytes: &[u8]) -> Self {
        Self::of(W::Block::read(bytes))
    }

    #[inline(always)]
    fn write(self, bytes: &mut [u8]) {
        self.block().write(bytes);
    }

    #[inline(always)]
    fn first_byte(self) -> u8 {
        self.block().first_byte()
    }

    #[inline(always)]
    fn push(self, byte: u8) -> Self {
        Self::of(self.block().push(byte))
    }

    #[inline(always)]
    fn counter(value: u128) -> Self {
        Self::of(W::Block::counter(value))
    }

    #[inline(always)]
    fn counters<I: Isa>(isa: I, first: u128) -> I::V {
        W::Block::counters(isa, first)
    }
}

macro_rules! word {
    ($word:ty, $block:ty, $p:expr, $q:expr, $splat:ident, $add:ident, $sub:ident, $rotate:ident,
        $enter:expr, $leave:expr) => {
        impl Word for $word {
            type Block = $block;
            const P: Self = $p;
            const Q: Self = $q;

            #[inline(always)]
            fn number(x: u8) -> Self {
                Self::from(x)
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn left(self, by: Self) -> Self {
                self.rotate_left((by & (Self::BITS as $word - 1)) as u32)
            }
            #[inline(always)]
            fn right(self, by: Self) -> Self {
                self.rotate_right((by & (Self::BITS as $word - 1)) as u32)
            }
            #[inline(always)]
            fn read(bytes: &[u8]) -> Self {
                Self::from_le_bytes(*bytes.first_chunk().expect("a whole word"))
            }
            #[inline(always)]
            fn split(block: $block) -> [Self; 2] {
                [block as $word, (block >> Self::BITS) as $word]
            }
            #[inline(always)]
            fn join([a, b]: [Self; 2]) -> $block {
                <$block>::from(a) | <$block>::from(b) << Self::BITS
            }
            #[inline(always)]
            fn splat<I: Isa>(self, isa: I) -> I::V {
                isa.$splat(self)
            }
            #[inline(always)]
            fn add<I: Isa>(isa: I, a: I::V, b: I::V) -> I::V {
                isa.$add(a, b)
            }
            #[inline(always)]
            fn sub<I: Isa>(isa: I, a: I::V, b: I::V) -> I::V {
                isa.$sub(a, b)
            }
            #[inline(always)]
            fn rotate<I: Isa>(isa: I, a: I::V, by: I::V) -> I::V {
                isa.$rotate(a, by)
            }
            #[inline(always)]
            fn enter<I: Isa>(isa: I, blocks: [I::V; 2]) -> [I::V; 2] {
                $enter(isa, blocks)
            }
            #[inline(always)]
            fn leave<I: Isa>(isa: I, words: [I::V; 2]) -> [I::V; 2] {
                $leave(isa, words)
            }
        }
    };
}

word!(u16, u32, 0xb7e1, 0x9e37, splat16, add16, sub16, rol16_by, enter16, leave16);
word!(u32, u64, 0xb7e1_5163, 0x9e37_79b9, splat32, add32, sub32, rol32_by, enter32, leave32);
word!(
    u64,
    u128,
    0xb7e1_5162_8aed_2a6b,
    0x9e37_79b9_7f4a_7c15,
    splat64,
    add64,
    sub64,
    rol64_by,
    halves,
    halves
);

/// First words of a group together, then second words. Not its own inverse.
const GATHER: [u8; 16] = [0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15];
/// The order that undoes it.
const SCATTER: [u8; 16] = [0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15];

#[inline(always)]
fn enter16<I: Isa>(isa: I, [a, b]: [I::V; 2]) -> [I::V; 2] {
    let order = isa.splat128(&GATHER);
    halves(isa, [isa.shuffle8(a, order), isa.shuffle8(b, order)])
}

#[inline(always)]
fn leave16<I: Isa>(isa: I, words: [I::V; 2]) -> [I::V; 2] {
    let order = isa.splat128(&SCATTER);
    let [a, b] = halves(isa, words);
    [isa.shuffle8(a, order), isa.shuffle8(b, order)]
}

#[inline(always)]
fn enter32<I: Isa>(isa: I, [a, b]: [I::V; 2]) -> [I::V; 2] {
    halves(isa, [isa.unpack_low32(a, b), isa.unpack_high32(a, b)])
}

#[inline(always)]
fn leave32<I: Isa>(isa: I, [a, b]: [I::V; 2]) -> [I::V; 2] {
    halves(isa, [isa.unpack_low32(a, b), isa.unpack_high32(a, b)])
}

/// The low halves of groups in one register, the high halves in another; its own
/// inverse.
#[inline(always)]
fn halves<I: Isa>(isa: I, [a, b]: [I::V; 2]) -> [I::V; 2] {
    [isa.unpack_low64(a, b), isa.unpack_high64(a, b)]
}
