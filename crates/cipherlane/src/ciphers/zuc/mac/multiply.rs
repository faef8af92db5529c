//! Sums of message bits times keystream windows, by carry-less multiplication.
//!
//! Where bit `j` of the message is 1, the tag takes the `t` keystream bits from bit
//! `j` on. With 64 message bits as a polynomial `d`, first bit lowest, and 64
//! keystream bits as `z`, first bit highest, `d·z` holds 64 such windows added up,
//! cut off where the next 64 keystream bits begin; their product with `d` holds what is
//! missing. So three sums over all 64-bit words `n`,
//!
//! `A0 = Σ d(n) z(n)`, `A1 = Σ d(n) z(n+1)`, `A2 = Σ d(n) z(n+2)`,
//!
//! give the tag with no shift in the loop: its first 64 bits are `low A0 ⊕ high A1`,
//! the next 64 `low A1 ⊕ high A2`. Derivation and costs: `docs/notes/toeplitz-mac.md`.

use lanes::{Isa, Registers as _};

/// Reverses the bits of each byte, as [`lanes::ByteMaps::affine8`] takes it.
const REVERSE: u64 = 0x8040_2010_0804_0201;

/// The three sums, each the xor over the 128-bit groups of a register.
#[derive(Clone, Copy)]
pub(in crate::ciphers::zuc) struct Sums<I: Isa>([I::V; 3]);

impl<I: Isa> Sums<I> {
    #[inline(always)]
    pub(in crate::ciphers::zuc) fn zero(isa: I) -> Self {
        Self([isa.zero(); 3])
    }

    /// Where [`store`](Self::store) left off.
    #[inline(always)]
    pub(in crate::ciphers::zuc) fn load(isa: I, sums: &[[u8; 16]; 3]) -> Self {
        Self([isa.load128(&sums[0]), isa.load128(&sums[1]), isa.load128(&sums[2])])
    }

    #[inline(always)]
    pub(in crate::ciphers::zuc) fn store(self, isa: I, sums: &mut [[u8; 16]; 3]) {
        for i in 0..3 {
            isa.store128(isa.xor_groups(self.0[i]), &mut sums[i]);
        }
    }

    /// Adds a register of message, bytes as they come, times the keystream that
    /// begins at its first bit, at 64 bits behind that and, if the tag is `wide`, at
    /// 128: each in 64-bit lanes `z`.
    #[inline(always)]
    pub(in crate::ciphers::zuc) fn add(&mut self, isa: I, message: I::V, z: [I::V; 3], wide: bool) {
        let d = isa.affine8::<REVERSE, 0>(message);
        let [a0, a1, a2] = &mut self.0;
        *a0 = isa.xor3(*a0, isa.clmul_low(d, z[0]), isa.clmul_high(d, z[0]));
        *a1 = isa.xor3(*a1, isa.clmul_low(d, z[1]), isa.clmul_high(d, z[1]));
        if wide {
            *a2 = isa.xor3(*a2, isa.clmul_low(d, z[2]), isa.clmul_high(d, z[2]));
        }
    }

    /// The same seen from the keystream: adds a register of keystream, in 64-bit lanes,
    /// times the message that begins at its first bit, 64 bits before that and, if the
    /// tag is `wide`, 128.
    #[inline(always)]
    pub(in crate::ciphers::zuc) fn add_behind(
        &mut self,
        isa: I,
        z: I::V,
        messages: [I::V; 3],
        wide: bool,
    ) {
        let [m0, m1, m2] = messages;
        let d2 = if wide { Self::reversed(isa, m2) } else { m2 };
        let d = [Self::reversed(isa, m0), Self::reversed(isa, m1), d2];
        self.add_reversed(isa, z, d, wide);
    }

    /// The bits of each byte in reverse order, as products want those of the message.
    #[inline(always)]
    pub(in crate::ciphers::zuc) fn reversed(isa: I, message: I::V) -> I::V {
        isa.affine8::<REVERSE, 0>(message)
    }

    /// [`add_behind`](Self::add_behind) with the messages [`reversed`](Self::reversed).
    #[inline(always)]
    pub(in crate::ciphers::zuc) fn add_reversed(
        &mut self,
        isa: I,
        z: I::V,
        [d0, d1, d2]: [I::V; 3],
        wide: bool,
    ) {
        let [a0, a1, a2] = &mut self.0;
        *a0 = isa.xor3(*a0, isa.clmul_low(d0, z), isa.clmul_high(d0, z));
        *a1 = isa.xor3(*a1, isa.clmul_low(d1, z), isa.clmul_high(d1, z));
        if wide {
            *a2 = isa.xor3(*a2, isa.clmul_low(d2, z), isa.clmul_high(d2, z));
        }
    }

    /// Adds the sums of narrow registers.
    #[inline(always)]
    pub(in crate::ciphers::zuc) fn take_in(&mut self, isa: I, others: &Sums<I::Narrow>) {
        for i in 0..3 {
            let mut group = [0; 16];
            isa.narrow().store128(others.0[i], &mut group);
            self.0[i] = isa.xor(self.0[i], isa.load128(&group));
        }
    }

    /// Where [`store_whole`](Self::store_whole) left off.
    #[inline(always)]
    pub(in crate::ciphers::zuc) fn load_whole(isa: I, sums: &[[u8; 64]; 3]) -> Self {
        Self([isa.load(&sums[0]), isa.load(&sums[1]), isa.load(&sums[2])])
    }

    /// Keeps the registers as they are.
    #[inline(always)]
    pub(in crate::ciphers::zuc) fn store_whole(self, isa: I, sums: &mut [[u8; 64]; 3]) {
        for i in 0..3 {
            isa.store(self.0[i], &mut sums[i]);
        }
    }

    /// The first and the second 64 bits of the tag, the latter only of a wide one.
    #[inline(always)]
    pub(in crate::ciphers::zuc) fn tag(self, isa: I) -> [u64; 2] {
        let [a0, a1, a2] = self.0;
        let (a0, a1, a2) = (isa.xor_groups(a0), isa.xor_groups(a1), isa.xor_groups(a2));
        let (first, second) = (isa.xor(a0, isa.swap64(a1)), isa.xor(a1, isa.swap64(a2)));
        [isa.low64(first), isa.low64(second)]
    }
}

#[cfg(test)]
mod tests {
    use super::REVERSE;

    #[test]
    fn the_matrix_reverses_the_bits() {
        for byte in 0..=255u8 {
            assert_eq!(lanes::affine::apply(REVERSE, byte), byte.reverse_bits());
        }
    }
}
