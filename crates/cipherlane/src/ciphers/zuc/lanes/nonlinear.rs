//! R1 and R2 of the next clock (TS 35.222 §3.4), in 32-bit lanes.

use lanes::Isa;

use super::super::sbox::{FROM_AES, LEFT, P1, P2, RIGHT, S1_CONSTANT, s0_table};
use crate::ciphers::zuc::linear::INTO_AES;

/// The bytes of `L1(u)` that go through S1, and of `L2(v) ⋘ 8` that go through S0.
const EVEN_BYTES: u32 = 0x00ff_00ff;

/// S0 of every byte.
const S0: [u8; 256] = s0_table();

/// `S(L1(W1L ‖ W2H))` and `S(L2(W2L ‖ W1H))`.
///
/// Rotated by 8, the second word has its bytes for S1 where the first has those for
/// S0: two selections gather each kind in one register.
#[inline(always)]
pub(super) fn next<I: Isa>(isa: I, w1: I::V, w2: I::V) -> (I::V, I::V) {
    let even = isa.splat32(EVEN_BYTES);
    let (a, b) = (l1(isa, w1, w2), l2_by_8(isa, w1, w2));
    let for_s1 = isa.select(even, a, b);
    let for_s0 = isa.select(even, b, a);
    let for_s1 = isa.affine8::<INTO_AES, 0>(for_s1);
    let s1 = isa.affine_inverse8::<FROM_AES, S1_CONSTANT>(for_s1);
    let s0 = s0(isa, for_s0);
    let r1 = isa.select(even, s1, s0);
    let r2 = isa.select(even, s0, s1);
    (r1, isa.rol32::<24>(r2))
}

/// `L1(u)`, `u = W1L ‖ W2H`: the halves exchanged, `u ⋘ 16`, are two halves in place.
#[inline(always)]
fn l1<I: Isa>(isa: I, w1: I::V, w2: I::V) -> I::V {
    let u = isa.join16(w2, w1);
    let a = isa.rol32::<2>(u);
    let (b, c) = if const { I::FUNNEL_NATIVE } {
        (isa.rol32::<18>(u), isa.rol32::<26>(u))
    } else {
        (isa.rol32::<16>(a), isa.rol32::<24>(a))
    };
    isa.xor3(isa.xor3(isa.rol32::<16>(u), isa.rol32::<8>(u), a), b, c)
}

/// `L2(v) ⋘ 8`, `v = W2L ‖ W1H`.
#[inline(always)]
fn l2_by_8<I: Isa>(isa: I, w1: I::V, w2: I::V) -> I::V {
    let v = isa.join16(w1, w2);
    let a = isa.rol32::<6>(v);
    let (b, c) = if const { I::FUNNEL_NATIVE } {
        (isa.rol32::<14>(v), isa.rol32::<22>(v))
    } else {
        (isa.rol32::<8>(a), isa.rol32::<16>(a))
    };
    isa.xor3(isa.xor3(v, isa.rol32::<24>(v), a), b, c)
}

/// S0 of every byte: one look-up, or the three rounds over nibbles.
#[inline(always)]
fn s0<I: Isa>(isa: I, x: I::V) -> I::V {
    if const { I::LOOKUP8_NATIVE } {
        return isa.lookup8(&S0, x);
    }
    let nibble = isa.splat8(15);
    let right = isa.and(x, nibble);
    let left = isa.and(isa.shr32::<4>(x), nibble);
    let left = isa.xor(left, isa.shuffle8(isa.splat128(&P1), right));
    let right = isa.xor(right, isa.shuffle8(isa.splat128(&P2), left));
    isa.xor(isa.shuffle8(isa.splat128(&RIGHT), right), isa.shuffle8(isa.splat128(&LEFT), left))
}
