//! A GCM message in one pass: counters, rounds, hash and tag without a detour through
//! memory.
//!
//! What a short message costs otherwise is not work but waiting: each step would store
//! bytes that the next loads in another width, which the CPU forwards late or not at all.
//! The block that masks the tag is a register of its own, so that data need not be moved
//! by a block; the hash's sum is reduced once. In a long one the hash of a tile stands between
//! the rounds of the next, as neither needs the other; in opening, of the same.
//!
//! ```text
//! y = 0                                     the hash so far (SP 800-38D §6.4)
//! if all of the message shares one reduction: sum = AAD · powers
//! else: y = hash of the AAD, tiles by `wholes`
//! while a whole tile of 8 registers is left:
//!     32 registers (avx512): rounds of this tile, and between them the products of
//!                            the tile before (seal) or of this one (open)
//!     16 registers:          rounds of this tile, then its products; y = reduce(sum)
//! while 4 registers are left: the same with half a tile
//! end, at most 4 registers:  rounds of what is left and of J0, one call; its products
//!                            and that of the lengths; tag = reduce(sum) ⊕ E(J0)
//! ```

use lanes::{InOut, Isa};

use super::counter::pair;
use super::register_blocks::{MOST, late_rounds, round, rounds};
use super::round_keys::Keys;
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

/// Registers of the last tile at most, and of the short one before it.
const FEW: usize = 4;

/// Whether a message is one for [`message`], where as many blocks as `depth` share a reduction:
/// longer associated data want all early powers.
#[inline(always)]
pub(super) fn takes<I: Isa>(message: &GcmMessage<'_, '_>, depth: usize) -> bool {
    message.aad.len().div_ceil(16) <= depth || depth == const { early_depth::<I>() }
}

/// What all tiles of a message share.
#[derive(Clone, Copy)]
struct Pass<'p, I: Isa> {
    isa: I,
    keys: Keys<'p>,
    /// The powers that are made with the key.
    hash: &'p Key<true>,
    /// J0 in every group, its bytes reversed: its last 32 bits are the first lane, which
    /// wraps by itself.
    mask: I::V,
    /// The same of the block before the next.
    counter: I::V,
    /// Its last byte.
    last_counter: u8,
    /// The hash so far, to be added to the next block, and a sum that is not reduced yet.
    y: I::V,
    sum: Sum<I::V>,
}

impl<'p, I: Isa> Pass<'p, I> {
    #[inline(always)]
    fn new(isa: I, keys: Keys<'p>, message: &GcmMessage<'p, '_>) -> Self {
        let mask = pair(isa, message.counter as u64, (message.counter >> 64) as u64);
        let (y, sum) = (isa.zero(), Sum::zero(isa));
        let last_counter = message.counter as u8;
        let hash = message.hash;
        Self { isa, keys, hash, mask, counter: mask, last_counter, y, sum }
    }

    /// Adds associated data in front of `behind` blocks that share the reduction.
    #[inline(always)]
    fn aad(&mut self, aad: &[u8], behind: usize) {
        let isa = self.isa;
        let next = aad.len().div_ceil(16) + behind;
        for u in 0..aad.len().div_ceil(I::BYTES) {
            let blocks = isa.load_part(&aad[u * I::BYTES..]);
            let power = self.hash.early().factor(isa, next - u * const { I::BYTES / 16 });
            self.sum.add(isa, isa.xor(isa.reverse8(blocks), self.y), power);
            self.y = isa.zero();
        }
    }

    /// Adds whole registers of associated data, of which many share a reduction; returns the rest,
    /// of fewer blocks than the early powers.
    #[inline(always)]
    fn long_aad<'a>(&mut self, aad: &'a [u8]) -> &'a [u8] {
        let (isa, y) = (self.isa, self.y);
        let (early, rest) = (self.hash.early(), aad);
        let Some(powers) = self.hash.powers(const { MOST * I::BYTES / 16 }) else {
            let (y, rest) = wholes::<I, FEW, true>(isa, early, y, rest);
            self.y = y;
            return rest;
        };
        let (y, rest) = wholes::<I, MOST, true>(isa, powers, y, rest);
        self.y = y;
        if const { MOST * I::BYTES / 16 <= early_depth::<I>() } {
            return rest;
        }
        let (y, rest) = wholes::<I, FEW, true>(isa, early, y, rest);
        self.y = y;
        rest
    }

    #[inline(always)]
    fn reduce(&mut self) {
        self.y = self.isa.xor_groups(self.sum.reduce(self.isa));
        self.sum = Sum::zero(self.isa);
    }

    /// The counters of the next `U` registers, with the first round key.
    #[inline(always)]
    fn counters<const U: usize>(&self) -> [I::V; U] {
        let isa = self.isa;
        let (first, reverse) = (isa.splat128(self.keys.first), isa.splat128(&REVERSE));
        let mut state = [first; U];
        for u in 0..U {
            let counters = isa.add32(self.counter, isa.load(&BEHIND[u * I::BYTES..]));
            state[u] = isa.xor(isa.shuffle8(counters, reverse), first);
        }
        state
    }

    /// The same of a whole tile. Where the last byte of no counter overflows in it, numbers are
    /// added to bytes that are in order already.
    #[inline(always)]
    fn tile_counters(&self) -> [I::V; MOST] {
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

    /// `MOST` whole registers at `at`, and beside them, if `HASH`, the hash of these, which were
    /// there before (`OPEN`), or of those in front of them. So the CPU always has both to do, in
    /// equal parts.
    #[inline(always)]
    fn tile_beside<const OPEN: bool, const HASH: bool>(
        &mut self,
        powers: View<'_>,
        io: &mut InOut<'_>,
        at: usize,
    ) {
        let (isa, keys) = (self.isa, self.keys);
        let len = const { MOST * I::BYTES };
        let behind = if OPEN || !HASH { 0 } else { len };
        let mut io = io.part(at - behind, behind + len);
        let mut state = self.tile_counters();
        let powers = powers.from(const { MOST * I::BYTES / 16 });
        macro_rules! rounds {
            ($($r:literal)+) => {{ $(
                round::<I, MOST, false>(isa, &keys.middle[$r], &mut state);
                if HASH {
                    // What the hash before gives is wanted last.
                    let u = const { ($r + 1) % MOST };
                    let bytes = if OPEN { io.input() } else { &*io.output() };
                    let mut x = isa.reverse8(isa.load(&bytes[u * I::BYTES..]));
                    if u == 0 {
                        x = isa.xor(x, self.y);
                    }
                    let power = powers.factor_at(isa, u * I::BYTES);
                    self.sum.add(isa, x, power);
                }
            )+ }};
        }
        rounds!(0 1 2 3 4 5 6 7);
        round::<I, MOST, false>(isa, &keys.middle[8], &mut state);
        if HASH {
            self.reduce();
        }
        late_rounds::<I, MOST, false>(isa, keys, &mut state);
        let last = isa.splat128(keys.last);
        for u in 0..MOST {
            let last = isa.xor(last, io.load(isa, behind + u * I::BYTES));
            io.store(isa, behind + u * I::BYTES, isa.aes_encrypt_last(state[u], last));
        }
        self.pass_by::<MOST>();
    }

    /// Adds `U` registers to the hash; the sum must be reduced.
    #[inline(always)]
    fn absorb<const U: usize>(&mut self, powers: View<'_>, blocks: &[I::V; U]) {
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
    fn pass_by<const U: usize>(&mut self) {
        let step = self.isa.splat128(const { &step(U * I::BYTES / 16) });
        self.counter = self.isa.add32(self.counter, step);
        self.last_counter = self.last_counter.wrapping_add(const { (U * I::BYTES / 16) as u8 });
    }

    /// `U` whole registers at `at`, then their hash.
    #[inline(always)]
    fn tile<const U: usize, const OPEN: bool>(
        &mut self,
        powers: View<'_>,
        mut state: [I::V; U],
        io: &mut InOut<'_>,
        at: usize,
    ) {
        let isa = self.isa;
        let mut io = io.part(at, const { U * I::BYTES });
        let mut last = [isa.splat128(self.keys.last); U];
        let mut data = [isa.zero(); U];
        for u in 0..U {
            data[u] = io.load(isa, u * I::BYTES);
            last[u] = isa.xor(last[u], data[u]);
        }
        rounds::<I, U, false>(isa, self.keys, &mut state, &last);
        for u in 0..U {
            io.store(isa, u * I::BYTES, state[u]);
        }
        self.absorb(powers, if OPEN { &data } else { &state });
        self.pass_by::<U>();
    }

    /// Whole tiles of `MOST` registers, under as many powers as that wants; returns how many bytes.
    #[inline(always)]
    fn tiles<const OPEN: bool>(&mut self, powers: View<'_>, io: &mut InOut<'_>) -> usize {
        let isa = self.isa;
        let mut done = 0;
        while io.len() - done >= const { MOST * I::BYTES } {
            // Rounds and hash together want more than 16 registers.
            if const { I::REGISTERS < 32 } {
                let state = self.tile_counters();
                self.tile::<MOST, OPEN>(powers, state, io, done);
            } else if OPEN || done > 0 {
                self.tile_beside::<OPEN, true>(powers, io, done);
            } else {
                self.tile_beside::<OPEN, false>(powers, io, done);
            }
            done += const { MOST * I::BYTES };
        }
        if const { I::REGISTERS >= 32 && !OPEN } && done > 0 {
            let io = io.part(done - const { MOST * I::BYTES }, const { MOST * I::BYTES });
            let mut sealed = [isa.zero(); MOST];
            let bytes = io.into_output();
            for u in 0..MOST {
                sealed[u] = isa.load(&bytes[u * I::BYTES..]);
            }
            self.absorb(powers, &sealed);
        }
        done
    }

    /// The end of a message, of at most `U - 1` registers, its lengths and its tag. `WHOLE`
    /// tells that the data fill their registers, which then need no care at the end.
    #[inline(always)]
    fn end<const U: usize, const WHOLE: bool, const OPEN: bool>(
        mut self,
        mut io: InOut<'_>,
        lengths: (usize, usize),
    ) -> I::V {
        let isa = self.isa;
        let mut state = self.counters::<U>();
        let (first, reverse) = (isa.splat128(self.keys.first), isa.splat128(&REVERSE));
        state[U - 1] = isa.xor(isa.shuffle8(self.mask, reverse), first);
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
        // The lengths share the reduction, too, if there is a power for them. Where not all early
        // ones are there, there are no data either.
        let blocks = io.len().div_ceil(16);
        let together = const { FEW * I::BYTES / 16 < early_depth::<I>() }
            || blocks < const { early_depth::<I>() };
        let next = blocks + usize::from(together);
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
                let power = self.hash.early().factor(isa, next - u * const { I::BYTES / 16 });
                self.sum.add(isa, x, power);
                self.y = isa.zero();
            }
        }
        if !together {
            self.reduce();
        }
        let (aad, len) = lengths;
        // In every group; but behind the first one there are no powers.
        let lengths = isa.xor(pair(isa, 8 * len as u64, 8 * aad as u64), self.y);
        self.sum.add(isa, lengths, self.hash.early().factor(isa, 1));
        self.reduce();
        isa.xor(isa.reverse8(self.y), state[U - 1])
    }
}

/// A number in the first 32 bits of a block.
const fn step(blocks: usize) -> [u8; 16] {
    let mut step = [0; 16];
    step[0] = blocks as u8;
    step
}

/// A whole message that [`takes`] allows.
#[inline(always)]
pub(super) fn message<I: Isa, const OPEN: bool>(
    isa: I,
    keys: Keys<'_>,
    depth: usize,
    message: &mut GcmMessage<'_, '_>,
) {
    let mut pass = Pass::new(isa, keys, message);
    let (aad, len) = (message.aad, message.io.len());
    let behind = len.div_ceil(16) + 1;
    if len < const { FEW * I::BYTES } && aad.len().div_ceil(16) + behind <= depth {
        pass.aad(aad, behind);
    } else if !aad.is_empty() {
        let most = const { early_depth::<I>() * 16 };
        let aad = if aad.len() > most { pass.long_aad(aad) } else { aad };
        if !aad.is_empty() {
            pass.aad(aad, 0);
            pass.reduce();
        }
    }
    let mut done = 0;
    if len >= const { FEW * I::BYTES } {
        let early = pass.hash.early();
        if let Some(powers) = message.hash.powers(const { MOST * I::BYTES / 16 }) {
            done = pass.tiles::<OPEN>(powers, message.io);
        }
        // One, or all as long as there are no powers for more.
        while len - done >= const { FEW * I::BYTES } {
            let state = pass.counters();
            pass.tile::<FEW, OPEN>(early, state, message.io, done);
            done += const { FEW * I::BYTES };
            if const { MOST * I::BYTES / 16 <= early_depth::<I>() } {
                break;
            }
        }
    }
    let (lengths, left) = ((aad.len(), len), len - done);
    let io = message.io.part(done, left);
    let tag = match left.div_ceil(I::BYTES) {
        0 => pass.end::<1, true, OPEN>(io, lengths),
        1 if left == I::BYTES => pass.end::<2, true, OPEN>(io, lengths),
        1 => pass.end::<2, false, OPEN>(io, lengths),
        2 => pass.end::<3, false, OPEN>(io, lengths),
        _ => pass.end::<5, false, OPEN>(io, lengths),
    };
    isa.store128(tag, &mut message.tag);
}

/// A message of one block.
#[inline(always)]
pub(super) fn one_block<I: Isa, const OPEN: bool>(
    isa: I,
    keys: Keys<'_>,
    message: &mut GcmMessage<'_, '_>,
) {
    let mut pass = Pass::new(isa, keys, message);
    pass.aad(message.aad, 2);
    let lengths = (message.aad.len(), message.io.len());
    let tag = pass.end::<2, true, OPEN>(message.io.reborrow(), lengths);
    isa.store128(tag, &mut message.tag);
}

/// The tag of a block of associated data.
#[inline(always)]
pub(super) fn tag_of_a_block<I: Isa>(isa: I, keys: Keys<'_>, message: &mut GcmMessage<'_, '_>) {
    let mut pass = Pass::new(isa, keys, message);
    pass.aad(message.aad, 1);
    let tag = pass.end::<1, true, false>(message.io.reborrow(), (message.aad.len(), 0));
    isa.store128(tag, &mut message.tag);
}
