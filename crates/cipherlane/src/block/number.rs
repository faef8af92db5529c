//! Blocks as numbers, one or a register of them.

use core::ops::BitXor;

use lanes::Isa;

/// A block as one number, its first byte the lowest.
pub(crate) trait Number: Copy + BitXor<Output = Self> {
    /// All bits 0.
    const ZERO: Self;

    /// The first block of the bytes.
    fn read(bytes: &[u8]) -> Self;

    /// Writes the block to the first bytes.
    fn write(self, bytes: &mut [u8]);

    /// The first byte.
    fn first_byte(self) -> u8;

    /// Without the first byte, and another one behind the last.
    fn push(self, byte: u8) -> Self;

    /// A counter's block, whose last byte counts fastest.
    fn counter(value: u128) -> Self;

    /// A register of counters.
    fn counters<I: Isa>(isa: I, first: u128) -> I::V;
}

/// What all numbers have in common.
macro_rules! common {
    ($number:ty) => {
        const ZERO: Self = 0;

        #[inline(always)]
        fn read(bytes: &[u8]) -> Self {
            Self::from_le_bytes(*bytes.first_chunk().expect("a whole block"))
        }

        #[inline(always)]
        fn write(self, bytes: &mut [u8]) {
            *bytes.first_chunk_mut().expect("a whole block") = self.to_le_bytes();
        }

        #[inline(always)]
        fn first_byte(self) -> u8 {
            self as u8
        }

        #[inline(always)]
        fn push(self, byte: u8) -> Self {
            self >> 8 | Self::from(byte) << (Self::BITS - 8)
        }

        #[inline(always)]
        fn counter(value: u128) -> Self {
            (value as $number).swap_bytes()
        }
    };
}

impl Number for u32 {
    common!(u32);

    #[inline(always)]
    fn counters<I: Isa>(isa: I, first: u128) -> I::V {
        let steps = isa.load(const { &steps(4) });
        let counters = isa.add32(isa.splat32(first as Self), steps);
        isa.shuffle8(counters, isa.splat128(const { &swap(4) }))
    }
}

impl Number for u64 {
    common!(u64);

    #[inline(always)]
    fn counters<I: Isa>(isa: I, first: u128) -> I::V {
        let steps = isa.load(const { &steps(8) });
        let counters = isa.add64(isa.splat64(first as Self), steps);
        isa.shuffle8(counters, isa.splat128(const { &swap(8) }))
    }
}

impl Number for u128 {
    common!(u128);

    #[inline(always)]
    fn counters<I: Isa>(isa: I, first: u128) -> I::V {
        let mut bytes = [0; 64];
        let (blocks, _) = bytes.as_chunks_mut::<16>();
        for i in 0..4 {
            blocks[i] = first.wrapping_add(i as Self).to_be_bytes();
        }
        isa.load(&bytes)
    }
}

/// The lanes 0, 1, 2, … of a register of numbers this long.
const fn steps(bytes: usize) -> [u8; 64] {
    let mut steps = [0; 64];
    let mut i = 0;
    while i < 64 {
        steps[i] = (i / bytes) as u8;
        i += bytes;
    }
    steps
}

/// The order that reverses the bytes of numbers this long.
const fn swap(bytes: usize) -> [u8; 16] {
    let mut swap = [0; 16];
    let mut i = 0;
    while i < 16 {
        swap[i] = (i ^ (bytes - 1)) as u8;
        i += 1;
    }
    swap
}
