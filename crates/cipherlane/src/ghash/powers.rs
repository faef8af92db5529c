//! Powers of the hash key: computed once a key, so that many blocks share one
//! reduction.

use lanes::{Isa, wipe};

use super::BLOCK;
use super::field::{Factor, multiply, square};
use crate::secret::Wipe;

/// The most powers any level keeps.
pub(super) const MOST: usize = 32;

/// Registers that share one reduction.
pub(super) const REGISTERS: usize = 8;

/// Groups of the longest register; what a register reads behind the last power
/// is multiplied by zero.
const GROUPS: usize = 4;

/// The length of a table in bytes.
const TABLE: usize = BLOCK * (MOST + GROUPS - 1);

/// The highest power first, H^1 at block `MOST - 1`, so that the powers of
/// successive blocks are successive in memory. Those beyond a level's
/// [`depth`] stay zero and unused.
#[derive(Clone)]
pub(super) struct Powers {
    powers: [u8; TABLE],
    halves: [u8; TABLE],
    /// Whether there were ever more than [`SOME`].
    many: usize,
}

/// Powers of a key that sees a few hundred bytes: [`REGISTERS`] of the narrowest register, two of
/// the widest.
pub(super) const SOME: usize = 8;

impl Wipe for Powers {
    fn wipe(&mut self) {
        // What is zero stays so: to wipe it would take as long as to hash a short message.
        const WRITTEN: usize = BLOCK * (SOME + GROUPS - 1);
        for table in [&mut self.powers, &mut self.halves] {
            match table.last_chunk_mut::<WRITTEN>() {
                Some(written) if self.many == 0 => wipe::wipe(written),
                _ => wipe::wipe(table),
            }
        }
    }
}

/// How many blocks share one reduction at a level.
#[inline(always)]
pub(crate) const fn depth<I: Isa>() -> usize {
    if I::CLMUL_WIDE { REGISTERS * I::BYTES / BLOCK } else { depth::<I::Narrow>() }
}

impl Powers {
    /// No powers yet.
    pub(super) const ZERO: Self = Self { powers: [0; TABLE], halves: [0; TABLE], many: 0 };

    /// H as a field element.
    pub(super) fn element(&self) -> [u8; BLOCK] {
        *self.powers[(MOST - 1) * BLOCK..].first_chunk().expect("a power")
    }

    /// The factors of the register whose first block is multiplied by H^`first`.
    #[inline(always)]
    pub(super) fn factor<I: Isa>(&self, isa: I, first: usize) -> Factor<I::V> {
        let at = (MOST - first) * BLOCK;
        Factor { power: isa.load(&self.powers[at..]), halves: isa.load(&self.halves[at..]) }
    }

    /// `state` times H^`blocks`, square and multiply; time tells `blocks`, nothing else.
    #[cfg(feature = "parallel")]
    #[inline(always)]
    pub(super) fn leap<I: Isa>(&self, isa: I, state: &mut [u8; BLOCK], blocks: u64) {
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

    /// From H as a field element, the powers up to the level's depth, or up to the first
    /// whole number of registers that holds `blocks` of them.
    ///
    /// Each group is squared in its own place and merged by masks: `run` holds
    /// H^w … H^1 again and again, `top` H^w, and w doubles; then registers double.
    #[inline(always)]
    pub(super) fn fill<I: Isa>(&mut self, isa: I, h: &[u8; BLOCK], blocks: usize) {
        if const { !I::CLMUL_WIDE } {
            return self.fill(isa.narrow(), h, blocks);
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
        let mut registers = [run; REGISTERS];
        let mut count = 1;
        while count < REGISTERS && count * groups < blocks {
            for i in 0..REGISTERS / 2 {
                if i < count {
                    registers[count + i] = multiply(isa, registers[i], top);
                }
            }
            count *= 2;
            if count < REGISTERS {
                top = Factor::new(isa, square(isa, top.power));
            }
        }
        self.many |= usize::from(count * groups > SOME);
        for i in 0..REGISTERS {
            if i >= count {
                break;
            }
            let at = (MOST - (i + 1) * groups) * BLOCK;
            let factor = Factor::new(isa, registers[i]);
            isa.store(factor.power, &mut self.powers[at..]);
            isa.store(factor.halves, &mut self.halves[at..]);
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
