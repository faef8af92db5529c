//! Powers of the hash key, so that many blocks share one reduction: some are computed with the key,
//! the rest when messages have repaid it.
//!
//! ```text
//! a register of w groups (16 bytes each), w = 1, 2 or 4:
//! run = H … H                               all groups
//! w >= 2: run = H² H  H² H                  squares, merged by a mask
//! w  = 4: run = H⁴ H³ H² H                  times H², merged;  top = H^w in all groups
//! registers[0] = run
//! for there = 1, 2, 4:                      up to 8 powers, or fewer if no call wants more
//!     registers[there + i] = registers[i] · top,  i < there
//!     top = top²
//! grow, once calls repay it: the same from 8 powers on, to 8 registers
//! ```

use lanes::{Ends, Grown, Isa, wipe};

use super::BLOCK;
use super::field::{Factor, multiply, square};
use crate::secret::Wipe;

/// The most powers any level keeps.
pub(super) const MOST: usize = 32;

/// Powers that are there from the start, as many as registers of 16 bytes want: those of a key that sees a
/// few hundred bytes.
pub(super) const EARLY: usize = 8;

/// Registers that share one reduction.
pub(super) const REGISTERS: usize = 8;

/// Groups of the longest register; what a register reads behind the last power
/// is multiplied by zero.
const GROUPS: usize = 4;

/// The length of so many powers in bytes, and of what is read behind them.
const fn length(powers: usize) -> usize {
    BLOCK * (powers + GROUPS - 1)
}

/// The powers and their halves, either with the highest first, so that the powers of successive
/// blocks are successive in memory: H^1 is at block `MOST - 1`. Those beyond a level's [`depth`]
/// stay zero and unused.
#[derive(Clone)]
pub(super) struct Powers {
    table: Grown<u8, 2, { length(MOST) }, { length(EARLY) }>,
    /// How many there are where there are more than the early ones.
    late: usize,
}

impl Wipe for Powers {
    fn wipe(&mut self) {
        // What is zero stays so: to wipe it would take as long as to hash a short message.
        let there = if self.table.has_grown() { self.late } else { EARLY };
        for row in self.table.anew() {
            if there > 2 * EARLY {
                wipe::wipe(row);
            } else if there > EARLY {
                wipe::wipe(ends::<{ length(2 * EARLY) }>(row));
            } else {
                wipe::wipe(ends::<{ length(EARLY) }>(row));
            }
        }
    }
}

/// The last bytes of a row.
fn ends<const N: usize>(row: &mut [u8; length(MOST)]) -> &mut [u8; N] {
    row.last_chunk_mut().expect("part of a row")
}

/// Powers of one number: those that are made with the key, or more.
#[derive(Clone, Copy)]
pub(crate) struct View<'k>(Ends<'k, u8, 2, { length(MOST) }, { length(EARLY) }>);

/// Some of them, of which the last is H^1.
#[derive(Clone, Copy)]
pub(crate) struct Run<'k> {
    powers: &'k [u8],
    halves: &'k [u8],
}

impl Run<'_> {
    /// The factors of a register, so many bytes behind the highest power.
    #[inline(always)]
    pub(crate) fn factor_at<I: Isa>(self, isa: I, at: usize) -> Factor<I::V> {
        Factor { power: isa.load(&self.powers[at..]), halves: isa.load(&self.halves[at..]) }
    }
}

impl<'k> View<'k> {
    /// Those from H^`first` on.
    #[inline(always)]
    pub(crate) fn from(self, first: usize) -> Run<'k> {
        Run { powers: self.0.last(0, length(first)), halves: self.0.last(1, length(first)) }
    }

    /// The factors of the register whose first block is multiplied by H^`first`.
    #[inline(always)]
    pub(crate) fn factor<I: Isa>(self, isa: I, first: usize) -> Factor<I::V> {
        self.from(first).factor_at(isa, 0)
    }

    /// The same, of which the sums of halves are made: of a short message's powers, which may come from far,
    /// half as much is loaded.
    #[cfg_attr(not(feature = "aes"), expect(dead_code, reason = "only AES has a kernel for that"))]
    #[inline(always)]
    pub(crate) fn made<I: Isa>(self, isa: I, first: usize) -> Factor<I::V> {
        Factor::new(isa, isa.load(self.from(first).powers))
    }

    /// H in the lowest group and zeros in the others, and the sum of its halves: made, as what is loaded
    /// may come from far.
    #[cfg_attr(not(feature = "aes"), expect(dead_code, reason = "only AES has a kernel for that"))]
    #[inline(always)]
    pub(crate) fn lowest<I: Isa>(self, isa: I) -> Factor<I::V> {
        let h = self.from(1).powers.first_chunk().expect("a power");
        Factor::new(isa, isa.load128(h))
    }

    /// `state` times H^`blocks`, square and multiply; time tells `blocks`, nothing else.
    #[cfg(feature = "parallel")]
    #[inline(always)]
    pub(super) fn leap<I: Isa>(self, isa: I, state: &mut [u8; BLOCK], blocks: u64) {
        use lanes::Registers as _;

        let isa = isa.narrow();
        let Some(top) = blocks.checked_ilog2() else { return };
        let h = self.factor(isa, 1);
        let mut power = h.power;
        for bit in (0..top).rev() {
            power = square(isa, power);
            if blocks >> bit & 1 == 1 {
                power = multiply(isa, power, h);
            }
        }
        let product = multiply(isa, isa.load128(state), Factor::new(isa, power));
        isa.store128(product, state);
    }
}

/// How many blocks share one reduction at a level.
#[inline(always)]
pub(super) const fn depth<I: Isa>() -> usize {
    if I::CLMUL_WIDE { REGISTERS * I::BYTES / BLOCK } else { depth::<I::Narrow>() }
}

/// The same of the powers that are made with the key.
#[inline(always)]
pub(crate) const fn early_depth<I: Isa>() -> usize {
    if depth::<I>() < EARLY { depth::<I>() } else { EARLY }
}

impl Powers {
    /// No powers yet.
    pub(super) const fn zero() -> Self {
        Self { table: Grown::zero(), late: 0 }
    }

    /// How many bytes are not zero.
    #[cfg(test)]
    pub(super) fn left(&mut self) -> usize {
        let grown = self.table.has_grown();
        let left = self.table.anew().as_flattened().iter().filter(|byte| **byte != 0).count();
        if grown {
            self.table.is_whole();
        }
        left
    }

    /// H as a field element.
    pub(super) fn element(&self) -> [u8; BLOCK] {
        *self.table.early(0)[(EARLY - 1) * BLOCK..].first_chunk().expect("a power")
    }

    /// The powers that are made with the key: [`EARLY`], whose number the compiler knows.
    #[inline(always)]
    pub(super) fn early(&self) -> View<'_> {
        View(self.table.early_ends())
    }

    /// More than the early powers, if they are there, and how many.
    #[inline(always)]
    pub(super) fn more(&self) -> Option<(View<'_>, usize)> {
        self.table.all_ends().map(|ends| (View(ends), self.late))
    }

    /// From H as a field element, the first powers, up to the first whole number of registers that holds
    /// `wanted` of them, or up to the level's depth. Returns whether there are more to be made at this
    /// level.
    ///
    /// Each group is squared in its own place and merged by masks: `run` holds
    /// H^w … H^1 again and again, `top` H^w, and w doubles; then registers double.
    #[inline(always)]
    pub(super) fn fill<I: Isa>(&mut self, isa: I, h: &[u8; BLOCK], wanted: usize) -> bool {
        if const { !I::CLMUL_WIDE } {
            return self.fill(isa.narrow(), h, wanted);
        }
        // Two powers are one product in a short register, and two in a long one.
        if const { I::BYTES > 32 } && wanted <= 2 {
            return self.fill(isa.narrow(), h, wanted);
        }
        let groups = const { I::BYTES / BLOCK };
        let mut top = Factor::new(isa, isa.splat128(h));
        let mut run = top.power;
        if groups >= 2 {
            let higher = square(isa, run);
            run = isa.select(isa.load(const { &first_groups(1) }), higher, run);
            top = Factor::new(isa, higher);
        }
        if groups >= 4 {
            let higher = multiply(isa, run, top);
            run = isa.select(isa.load(const { &first_groups(2) }), higher, run);
            top = Factor::new(isa, square(isa, top.power));
        }
        // Indices that the compiler knows: in memory, each product would wait for the one before.
        let mut registers = [run; REGISTERS];
        let mut count = 1;
        for doubling in 0..const { (EARLY * BLOCK / I::BYTES).ilog2() } {
            let there = 1 << doubling;
            if there * groups >= wanted {
                break;
            }
            if there > 1 {
                top = Factor::new(isa, square(isa, top.power));
            }
            for i in 0..there {
                registers[there + i] = multiply(isa, registers[i], top);
            }
            count = 2 * there;
        }
        let all = wanted.min(const { depth::<I>() }).max(count * groups);
        if self.table.has_grown() && all < self.late {
            // Of the key before.
            self.table.anew().iter_mut().for_each(wipe::wipe);
        }
        let [powers, halves] = self.table.anew();
        for i in 0..const { EARLY * BLOCK / I::BYTES } {
            if i >= count {
                break;
            }
            let at = (MOST - (i + 1) * groups) * BLOCK;
            let factor = Factor::new(isa, registers[i]);
            isa.store(factor.power, &mut powers[at..]);
            isa.store(factor.halves, &mut halves[at..]);
        }
        if const { depth::<I>() > EARLY } && wanted > EARLY {
            let (late, early) = powers.split_at_mut(const { length(MOST) - length(EARLY) });
            double(isa, early, [late, halves], all);
            self.late = all;
            self.table.is_whole();
            return false;
        }
        self.late = const { depth::<I>() };
        const { depth::<I>() > EARLY }
    }

    /// Says how many powers there will be when they have grown, at a level of longer registers.
    pub(super) const fn will_be(&mut self, powers: usize) {
        self.late = powers;
    }

    /// The other powers of a level that has more than [`EARLY`].
    #[inline(always)]
    pub(super) fn grow<I: Isa>(&self, isa: I) {
        if const { depth::<I>() <= EARLY || !I::CLMUL_WIDE } {
            return;
        }
        self.table.grow(|[early, _], late| double(isa, early, late, const { depth::<I>() }));
    }
}

/// Powers in front of the [`EARLY`] ones, up to `all`: registers double.
#[inline(always)]
fn double<I: Isa>(isa: I, early: &[u8], [powers, halves]: [&mut [u8]; 2], all: usize) {
    let groups = const { I::BYTES / BLOCK };
    let first = const { EARLY * BLOCK / I::BYTES };
    let highest = early.first_chunk().expect("a power");
    let mut top = Factor::new(isa, isa.splat128(highest));
    let mut registers = [isa.zero(); REGISTERS];
    for i in 0..first {
        registers[i] = isa.load(&early[(first - 1 - i) * I::BYTES..]);
    }
    for doubling in const { (EARLY * BLOCK / I::BYTES).ilog2() }..const { REGISTERS.ilog2() } {
        let there = 1 << doubling;
        if there * groups >= all {
            break;
        }
        if there > first {
            top = Factor::new(isa, square(isa, top.power));
        }
        for i in 0..there {
            let factor = Factor::new(isa, multiply(isa, registers[i], top));
            registers[there + i] = factor.power;
            let at = (MOST - (there + i + 1) * groups) * BLOCK;
            isa.store(factor.power, &mut powers[at..]);
            isa.store(factor.halves, &mut halves[at..]);
        }
    }
}

/// A mask of the first `run` of every `2 * run` groups.
const fn first_groups(run: usize) -> [u8; BLOCK * GROUPS] {
    let mut mask = [0; BLOCK * GROUPS];
    let mut i = 0;
    while i < mask.len() {
        if (i / BLOCK) % (2 * run) < run {
            mask[i] = 0xff;
        }
        i += 1;
    }
    mask
}
