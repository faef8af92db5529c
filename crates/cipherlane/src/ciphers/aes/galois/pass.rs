//! What a pass over a message consists of, but for its tiles: associated data, counters, the hash, the end.

use lanes::{InOut, Isa};

use super::super::counter::{in_first_byte, pair};
use super::super::register_blocks::{MOST, rounds};
use super::super::round_keys::Keys;
use super::{FEW, Pass};
use crate::ghash::{Key, Sum, View, early_depth, wholes};
use crate::traits::whole::GcmMessage;

/// The longest register in bytes.
const WIDEST: usize = 64;
/// The byte shuffle that reverses a block.
const REVERSE: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// For every block of a message how far its counter is from that of the tag's mask, in the
/// low 32 bits of the block.
const BEHIND: [u8; MOST * WIDEST] = {
    let mut behind = [0; MOST * WIDEST];
    let mut block = 0;
    while block < behind.len() / 16 {
        behind[16 * block] = block as u8 + 1;
        block += 1;
    }
    behind
};

/// The same with the bytes in order: in the last one of the block.
const BEHIND_IN_ORDER: [u8; MOST * WIDEST] = {
    let mut behind = [0; MOST * WIDEST];
    let mut block = 0;
    while block < behind.len() / 16 {
        behind[16 * block + 15] = block as u8 + 1;
        block += 1;
    }
    behind
};

/// As many bytes set as a register has, in front of as many that are not.
const SET: [u8; 2 * WIDEST] = {
    let mut set = [0; 2 * WIDEST];
    let mut i = 0;
    while i < WIDEST {
        set[i] = 0xff;
        i += 1;
    }
    set
};

impl<'p, I: Isa> Pass<'p, I> {
    #[inline(always)]
    pub(super) fn new(isa: I, keys: Keys<'p>, message: &GcmMessage<'p, '_>) -> Self {
        Self::from(isa, keys, message.hash, message.counter)
    }

    /// The same of a hash key and J0, a big-endian number.
    #[inline(always)]
    pub(super) fn from(isa: I, keys: Keys<'p>, hash: &'p Key<true>, counter: u128) -> Self {
        let mask = pair(isa, counter as u64, (counter >> 64) as u64);
        let (y, sum) = (isa.zero(), Sum::zero(isa));
        let last_counter = counter as u8;
        let (powers, depth) = (hash.early(), const { early_depth::<I>() });
        Self { isa, keys, hash, powers, depth, mask, counter: mask, last_counter, y, sum }
    }

    /// Adds associated data in front of `behind` blocks that share the reduction.
    #[inline(always)]
    pub(super) fn aad(&mut self, aad: &[u8], behind: usize) {
        let isa = self.isa;
        let next = aad.len().div_ceil(16) + behind;
        for u in 0..aad.len().div_ceil(I::BYTES) {
            let blocks = isa.load_part(&aad[u * I::BYTES..]);
            let power = self.powers.factor(isa, next - u * const { I::BYTES / 16 });
            self.sum.add(isa, isa.xor(isa.reverse8(blocks), self.y), power);
            self.y = isa.zero();
        }
    }

    /// Adds whole registers of associated data, of which many share a reduction; returns the rest,
    /// for which there are powers.
    #[inline(always)]
    pub(super) fn long_aad<'a>(&mut self, aad: &'a [u8]) -> &'a [u8] {
        let (isa, y, powers) = (self.isa, self.y, self.powers);
        let (y, rest) = if self.depth == const { MOST * I::BYTES / 16 } {
            wholes::<I, MOST, true>(isa, powers, y, aad)
        } else {
            wholes::<I, FEW, true>(isa, powers, y, aad)
        };
        self.y = y;
        rest
    }

    #[inline(always)]
    pub(super) fn reduce(&mut self) {
        self.y = self.isa.xor_groups(self.sum.reduce(self.isa));
        self.sum = Sum::zero(self.isa);
    }

    /// The counters of the next `U` registers, with the first round key.
    #[inline(always)]
    pub(super) fn counters<const U: usize>(&self) -> [I::V; U] {
        let isa = self.isa;
        let (first, reverse) = (isa.splat128(self.keys.first), isa.splat128(&REVERSE));
        let mut state = [first; U];
        for u in 0..U {
            let counters = isa.add32(self.counter, isa.load(&BEHIND[u * I::BYTES..]));
            state[u] = isa.xor(isa.shuffle8(counters, reverse), first);
        }
        state
    }

    /// The same, and behind them the block before, J0, which masks the tag.
    #[inline(always)]
    fn last_counters<const U: usize>(&self) -> [I::V; U] {
        let isa = self.isa;
        let (first, reverse) = (isa.splat128(self.keys.first), isa.splat128(&REVERSE));
        let mut state = self.counters::<U>();
        state[U - 1] = isa.xor(isa.shuffle8(self.mask, reverse), first);
        state
    }

    /// The same from a nonce of 12 bytes: the last byte of J0 is 1, so that numbers are added to bytes
    /// that are in order.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(super) fn counters_of<const U: usize>(&self, nonce: &[u8; 12]) -> [I::V; U] {
        let isa = self.isa;
        let first = isa.splat128(self.keys.first);
        let [a, b, c, d, e, f, g, h, tail @ ..] = *nonce;
        let tail = u64::from(u32::from_le_bytes(tail)) | 1 << 56;
        let mask = pair(isa, u64::from_le_bytes([a, b, c, d, e, f, g, h]), tail);
        let mut state = [isa.xor(mask, first); U];
        for u in 0..U - 1 {
            let counters = isa.add32(mask, isa.load(&BEHIND_IN_ORDER[u * I::BYTES..]));
            state[u] = isa.xor(counters, first);
        }
        state
    }

    /// The same of a whole tile. Where the last byte of no counter overflows in it, numbers are
    /// added to bytes that are in order already.
    #[inline(always)]
    pub(super) fn tile_counters(&self) -> [I::V; MOST] {
        let isa = self.isa;
        if self.last_counter > const { u8::MAX - (MOST * I::BYTES / 16) as u8 } {
            return self.counters();
        }
        let first = isa.splat128(self.keys.first);
        let counter = isa.shuffle8(self.counter, isa.splat128(&REVERSE));
        let mut state = [first; MOST];
        for u in 0..MOST {
            let counters = isa.add32(counter, isa.load(&BEHIND_IN_ORDER[u * I::BYTES..]));
            state[u] = isa.xor(counters, first);
        }
        state
    }

    /// Adds `U` registers to the hash; the sum must be reduced.
    #[inline(always)]
    pub(super) fn absorb<const U: usize>(&mut self, powers: View<'_>, blocks: &[I::V; U]) {
        let isa = self.isa;
        let powers = powers.from(const { U * I::BYTES / 16 });
        for u in 0..U {
            let mut x = isa.reverse8(blocks[u]);
            if u == 0 {
                x = isa.xor(x, self.y);
            }
            self.sum.add(isa, x, powers.factor_at(isa, u * I::BYTES));
        }
        self.reduce();
    }

    /// Leaves the counters of `U` registers behind.
    #[inline(always)]
    pub(super) fn pass_by<const U: usize>(&mut self) {
        let step = self.isa.splat128(const { &in_first_byte(U * I::BYTES / 16) });
        self.counter = self.isa.add32(self.counter, step);
        self.last_counter = self.last_counter.wrapping_add(const { (U * I::BYTES / 16) as u8 });
    }

    /// The end of a message, of at most `U - 1` registers, its lengths and its tag. `WHOLE`
    /// tells that the data fill their registers, which then need no care at the end; there is a power for
    /// every block and the lengths.
    #[inline(always)]
    pub(super) fn end<const U: usize, const WHOLE: bool, const OPEN: bool>(
        self,
        io: InOut<'_>,
        lengths: (usize, usize),
    ) -> I::V {
        self.end_apart::<U, WHOLE, OPEN, true>(io, lengths)
    }

    /// The same; unless `TOGETHER` there are powers for the blocks alone, and the lengths come apart.
    #[inline(always)]
    pub(super) fn end_apart<
        const U: usize,
        const WHOLE: bool,
        const OPEN: bool,
        const TOGETHER: bool,
    >(
        self,
        mut io: InOut<'_>,
        lengths: (usize, usize),
    ) -> I::V {
        let state = self.last_counters::<U>();
        // In opening one message alone, and in the shortest registers, what is loaded was faster:
        // docs/notes/ghash.md.
        if const { OPEN || U == 1 || I::BYTES == 16 } {
            self.end_from::<U, WHOLE, OPEN, false, TOGETHER>(state, &mut io, lengths)
        } else {
            self.end_from::<U, WHOLE, OPEN, true, TOGETHER>(state, &mut io, lengths)
        }
    }

    /// The same from counters that have the first round key already, the mask's behind the data's. With
    /// `MADE` the powers' halves are not loaded but made of the powers.
    #[inline(always)]
    pub(super) fn end_from<
        const U: usize,
        const WHOLE: bool,
        const OPEN: bool,
        const MADE: bool,
        const TOGETHER: bool,
    >(
        mut self,
        mut state: [I::V; U],
        io: &mut InOut<'_>,
        lengths: (usize, usize),
    ) -> I::V {
        let isa = self.isa;
        let mut last = [isa.splat128(self.keys.last); U];
        let mut data = [isa.zero(); U];
        for u in 0..U - 1 {
            let at = u * I::BYTES;
            data[u] = if WHOLE { io.load(isa, at) } else { io.load_part(isa, at) };
            last[u] = isa.xor(last[u], data[u]);
        }
        rounds::<I, U, false>(isa, self.keys, &mut state, &last);
        for u in 0..U - 1 {
            if WHOLE {
                io.store(isa, u * I::BYTES, state[u]);
            } else {
                io.store_part(isa, u * I::BYTES, state[u]);
            }
        }
        // The lengths share the reduction, too, if there is a power for them.
        let next = io.len().div_ceil(16) + usize::from(TOGETHER);
        for u in 0..U - 1 {
            let left = io.len().saturating_sub(u * I::BYTES).min(I::BYTES);
            if WHOLE || left > 0 {
                // Behind the end of what was encrypted there is keystream.
                let whole = isa.load(&SET[WIDEST - left..]);
                let blocks = match (OPEN, WHOLE) {
                    (true, _) => data[u],
                    (false, true) => state[u],
                    (false, false) => isa.and(state[u], whole),
                };
                let x = isa.xor(isa.reverse8(blocks), self.y);
                let first = next - u * const { I::BYTES / 16 };
                let power = if MADE {
                    self.powers.made(isa, first)
                } else {
                    self.powers.factor(isa, first)
                };
                self.sum.add(isa, x, power);
                self.y = isa.zero();
            }
        }
        if !TOGETHER {
            self.reduce();
        }
        let (aad, len) = lengths;
        // In every group; but behind the first one there are no powers.
        let lengths = isa.xor(pair(isa, 8 * len as u64, 8 * aad as u64), self.y);
        let power = if MADE { self.powers.lowest(isa) } else { self.powers.factor(isa, 1) };
        self.sum.add(isa, lengths, power);
        self.reduce();
        isa.xor(isa.reverse8(self.y), state[U - 1])
    }
}
