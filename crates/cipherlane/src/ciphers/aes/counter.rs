//! AES in counter mode, the counters made in registers.
//!
//! A counter is a big-endian number of 128 bits. A register keeps the next ones
//! with their bytes reversed, as little-endian pairs of 64-bit lanes: the block's
//! index is added to the lower lane, one byte shuffle turns the sum around. The
//! carry into the upper lane is worked out only in tiles where there is one, once
//! in 2^64 blocks.

use lanes::{InOut, Isa};

use super::register_blocks::{MOST, rounds};
use super::round_keys::Keys;
use crate::traits::block::WholeMode;

/// The byte shuffle that reverses a block.
const REVERSE: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// For every block of a register its index, little-endian; four blocks at most.
const INDEX: [u8; 64] = {
    let mut index = [0; 64];
    let mut block = 0;
    while block < 4 {
        index[16 * block] = block as u8;
        block += 1;
    }
    index
};

/// The counters that come next: `PLAIN`, big-endian numbers, or those of another [`WholeMode`].
pub(super) struct Counters<I: Isa, const PLAIN: bool> {
    isa: I,
    /// Whether the first 32 bits count, where they are not plain.
    little: bool,
    /// The lower half of the first of them, where they are plain.
    low: u64,
    /// One register of them, each with its bytes reversed if they are plain; of
    /// [`WholeMode::CtrMasked`] the numbers alone.
    reversed: I::V,
    /// What [`WholeMode::CtrMasked`] adds to them.
    mask: I::V,
}

impl<I: Isa> Counters<I, true> {
    #[inline(always)]
    pub(super) fn new(isa: I, first: u128) -> Self {
        let low = first as u64;
        let reversed = pair(isa, low, (first >> 64) as u64);
        let reversed = add(isa, reversed, isa.load(&INDEX));
        Self { isa, little: false, low, reversed, mask: isa.zero() }
    }
}

impl<I: Isa> Counters<I, false> {
    #[inline(always)]
    fn numbered(isa: I, how: WholeMode, first: &[u8; 16]) -> Self {
        let index = isa.load(&INDEX);
        let little = how == WholeMode::CtrLittle32;
        let block = u128::from_le_bytes(*first);
        let turned = if little { block } else { block.swap_bytes() };
        let block = pair(isa, turned as u64, (turned >> 64) as u64);
        let (reversed, mask) = if little {
            (isa.add32(block, index), isa.zero())
        } else {
            (isa.add64(pair(isa, 1, 0), index), block)
        };
        Self { isa, little, low: 0, reversed, mask }
    }
}

impl<I: Isa, const PLAIN: bool> Counters<I, PLAIN> {
    /// The next `U` registers of counters.
    #[inline(always)]
    pub(super) fn take<const U: usize>(&mut self) -> [I::V; U] {
        let isa = self.isa;
        let step = isa.splat128(const { &in_first_byte(I::BYTES / 16) });
        let reverse = isa.splat128(&REVERSE);
        let mut counters = [self.reversed; U];
        if !PLAIN {
            for u in 0..U {
                if self.little {
                    counters[u] = self.reversed;
                    self.reversed = isa.add32(self.reversed, step);
                } else {
                    counters[u] = isa.shuffle8(isa.xor(self.reversed, self.mask), reverse);
                    self.reversed = isa.add64(self.reversed, step);
                }
            }
            return counters;
        }
        // The last block that is counted up to: that of the next register.
        let furthest = const { ((U + 1) * I::BYTES / 16 - 1) as u64 };
        if self.low.checked_add(furthest).is_none() {
            for u in 0..U {
                counters[u] = isa.shuffle8(self.reversed, reverse);
                self.reversed = add(isa, self.reversed, step);
            }
        } else {
            for u in 0..U {
                counters[u] = isa.shuffle8(self.reversed, reverse);
                self.reversed = isa.add64(self.reversed, step);
            }
        }
        self.low = self.low.wrapping_add(const { (U * I::BYTES / 16) as u64 });
        counters
    }
}

/// A number in the first byte of a block: little-endian, as counters are whose bytes are reversed.
pub(super) const fn in_first_byte(number: usize) -> [u8; 16] {
    let mut block = [0; 16];
    block[0] = number as u8;
    block
}

/// Adds numbers below 2^63 to those of 128 bits, lower lane first.
#[inline(always)]
fn add<I: Isa>(isa: I, a: I::V, small: I::V) -> I::V {
    let sum = isa.add64(a, small);
    // The lower lane has overflowed where its highest bit has gone from 1 to 0.
    let gone = isa.and(a, isa.xor(sum, isa.splat64(u64::MAX)));
    isa.add64(sum, isa.unpack_low64(isa.zero(), isa.shr64::<63>(gone)))
}

/// Two numbers in the lanes of every group. They don't go through memory: a load
/// of 16 bytes must wait until the two stores of a counter's halves are through.
#[inline(always)]
pub(super) fn pair<I: Isa>(isa: I, low: u64, high: u64) -> I::V {
    isa.unpack_low64(isa.pin(isa.splat64(low)), isa.pin(isa.splat64(high)))
}

/// One tile of `U` registers, the last of which may be cut short.
#[inline(always)]
fn tile<I: Isa, const U: usize, const PLAIN: bool>(
    isa: I,
    keys: Keys<'_>,
    io: InOut<'_>,
    counters: &mut Counters<I, PLAIN>,
) {
    let mut state = counters.take::<U>();
    let first = isa.splat128(keys.first);
    let mut last = [isa.splat128(keys.last); U];
    let whole = const { (U - 1) * I::BYTES };
    let (mut head, mut tail) = io.split_at(whole);
    for u in 0..U - 1 {
        last[u] = isa.xor(last[u], head.load(isa, u * I::BYTES));
    }
    last[U - 1] = isa.xor(last[U - 1], tail.load_part(isa, 0));
    for u in 0..U {
        state[u] = isa.xor(state[u], first);
    }
    rounds::<I, U, false>(isa, keys, &mut state, &last);
    for u in 0..U - 1 {
        head.store(isa, u * I::BYTES, state[u]);
    }
    tail.store_part(isa, 0, state[U - 1]);
}

/// Xors any number of bytes with the encrypted counters, which are moved on.
#[inline(always)]
pub(super) fn apply<I: Isa>(isa: I, keys: Keys<'_>, io: InOut<'_>, counter: &mut [u8; 16]) {
    let first = u128::from_be_bytes(*counter);
    *counter = first.wrapping_add(io.len().div_ceil(16) as u128).to_be_bytes();
    xor(isa, keys, io, Counters::new(isa, first));
}

/// The same of blocks that are numbered in another way.
#[inline(always)]
pub(super) fn numbered<I: Isa>(
    isa: I,
    keys: Keys<'_>,
    how: WholeMode,
    io: InOut<'_>,
    first: &[u8; 16],
) {
    xor(isa, keys, io, Counters::numbered(isa, how, first));
}

/// Any number of bytes.
#[inline(always)]
fn xor<I: Isa, const PLAIN: bool>(
    isa: I,
    keys: Keys<'_>,
    mut io: InOut<'_>,
    mut counters: Counters<I, PLAIN>,
) {
    let mut offset = 0;
    while io.len() - offset >= const { MOST * I::BYTES } {
        let io = io.part(offset, const { MOST * I::BYTES });
        tile::<I, MOST, PLAIN>(isa, keys, io, &mut counters);
        offset += const { MOST * I::BYTES };
    }
    let (_, io) = io.split_at(offset);
    if !PLAIN {
        return end(isa, keys, io, counters);
    }
    match io.len().div_ceil(I::BYTES) {
        0 => {}
        1 => tile::<I, 1, PLAIN>(isa, keys, io, &mut counters),
        2 => tile::<I, 2, PLAIN>(isa, keys, io, &mut counters),
        3 => tile::<I, 3, PLAIN>(isa, keys, io, &mut counters),
        4 => tile::<I, 4, PLAIN>(isa, keys, io, &mut counters),
        5 => tile::<I, 5, PLAIN>(isa, keys, io, &mut counters),
        6 => tile::<I, 6, PLAIN>(isa, keys, io, &mut counters),
        7 => tile::<I, 7, PLAIN>(isa, keys, io, &mut counters),
        _ => tile::<I, MOST, PLAIN>(isa, keys, io, &mut counters),
    }
}

/// At most [`MOST`] registers: not each number of them is worth its code once more.
#[inline(always)]
fn end<I: Isa, const PLAIN: bool>(
    isa: I,
    keys: Keys<'_>,
    mut io: InOut<'_>,
    mut counters: Counters<I, PLAIN>,
) {
    let mut done = 0;
    if io.len() > const { 4 * I::BYTES } {
        let io = io.part(0, const { 4 * I::BYTES });
        tile::<I, 4, PLAIN>(isa, keys, io, &mut counters);
        done = const { 4 * I::BYTES };
    }
    if io.len() - done > const { 2 * I::BYTES } {
        let io = io.part(done, const { 2 * I::BYTES });
        tile::<I, 2, PLAIN>(isa, keys, io, &mut counters);
        done += const { 2 * I::BYTES };
    }
    while done < io.len() {
        let len = I::BYTES.min(io.len() - done);
        tile::<I, 1, PLAIN>(isa, keys, io.part(done, len), &mut counters);
        done += len;
    }
}

/// `U` whole blocks in registers of one block, whose counters need no register arithmetic.
///
/// What is stored by a mask is slow to load again, and so is what was stored in two pieces and is
/// loaded in one: a short message has just been written, and will be read.
#[inline(always)]
pub(super) fn few_blocks<I: Isa, const U: usize>(
    isa: I,
    keys: Keys<'_>,
    mut io: InOut<'_>,
    counter: &mut [u8; 16],
) {
    let value = u128::from_be_bytes(*counter);
    let (first, last) = (isa.splat128(keys.first), isa.splat128(keys.last));
    let mut state = [first; U];
    let mut ends = [last; U];
    for u in 0..U {
        let turned = value.wrapping_add(u as u128).swap_bytes();
        state[u] = isa.xor(pair(isa, turned as u64, (turned >> 64) as u64), first);
        ends[u] = isa.xor(io.load(isa, 16 * u), last);
    }
    rounds::<I, U, false>(isa, keys, &mut state, &ends);
    for u in 0..U {
        io.store(isa, 16 * u, state[u]);
    }
    *counter = value.wrapping_add(U as u128).to_be_bytes();
}
