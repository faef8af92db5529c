//! Whole tiles of a message: rounds, and the hash beside or after them.

use lanes::{InOut, Isa};

use super::super::register_blocks::{MOST, late_rounds, round, rounds};
use super::Pass;
use crate::ghash::View;

impl<I: Isa> Pass<'_, I> {
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

    /// `U` whole registers at `at`, then their hash.
    #[inline(always)]
    pub(super) fn tile<const U: usize, const OPEN: bool>(
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
    pub(super) fn tiles<const OPEN: bool>(
        &mut self,
        powers: View<'_>,
        io: &mut InOut<'_>,
    ) -> usize {
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
}
