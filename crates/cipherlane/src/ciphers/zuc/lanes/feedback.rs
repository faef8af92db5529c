//! The feedback of the LFSR modulo p = 2³¹ − 1 (TS 35.222 §3.2), in 32-bit lanes.
//!
//! Cells are in 1 … p, and so is every result: the standard's "if s₁₆ = 0, set it to p"
//! holds by itself. Bounds: `docs/notes/zuc-lanes.md`.

use lanes::Isa;

/// The modulus.
const P: u32 = (1 << 31) - 1;

/// `a + b` modulo p, in 1 … p, for a sum in 1 … 2p (0 is p).
#[inline(always)]
pub(super) fn add_mod<I: Isa>(isa: I, a: I::V, b: I::V) -> I::V {
    reduce(isa, isa.add32(a, b))
}

/// `x` modulo p, in 1 … p, for `x` in 1 … 2p. As signed numbers `x` is the greater one of
/// `x` and `x − p` up to p, and from 2³¹ on, where it is negative, `x − p` is.
#[inline(always)]
fn reduce<I: Isa>(isa: I, x: I::V) -> I::V {
    isa.max_i32(x, isa.sub32(x, isa.splat32(P)))
}

/// `257 s₀ + 2²⁰ s₄ + 2²¹ s₁₀ + 2¹⁷ s₁₃ + 2¹⁵ s₁₅`, from the five cells and their doubles.
#[inline(always)]
pub(super) fn feedback<I: Isa>(isa: I, s: [I::V; 5], d: [I::V; 5]) -> I::V {
    if const { I::FUNNEL_NATIVE } { by_rotations(isa, s, d) } else { by_parts(isa, s) }
}

/// Every product is the cell rotated within its 31 bits. The newest cell comes last.
#[inline(always)]
fn by_rotations<I: Isa>(isa: I, s: [I::V; 5], d: [I::V; 5]) -> I::V {
    let p = isa.splat32(P);
    let a = add_mod(isa, isa.and(isa.shld32::<8>(s[0], d[0]), p), s[0]);
    let b = add_mod(
        isa,
        isa.and(isa.shld32::<20>(s[1], d[1]), p),
        isa.and(isa.shld32::<21>(s[2], d[2]), p),
    );
    let c = add_mod(isa, isa.and(isa.shld32::<17>(s[3], d[3]), p), a);
    let d15 = isa.and(isa.shld32::<15>(s[4], d[4]), p);
    add_mod(isa, add_mod(isa, b, c), d15)
}

/// Every product is a low part, a multiple of 2⁸, and a high part below 2²¹; each kind
/// is summed without a reduction.
#[inline(always)]
fn by_parts<I: Isa>(isa: I, s: [I::V; 5]) -> I::V {
    let mask = isa.splat32((1 << 23) - 1);
    // The low parts, over 2⁸: five of 23 bits.
    let low0 = isa.and(s[0], mask);
    let low4 = isa.and(isa.shl32::<12>(s[1]), mask);
    let low10 = isa.and(isa.shl32::<13>(s[2]), mask);
    let low13 = isa.and(isa.shl32::<9>(s[3]), mask);
    let low15 = isa.and(isa.shl32::<7>(s[4]), mask);
    let low = isa.add32(isa.add32(low0, low4), isa.add32(low10, low13));
    let low = isa.add32(low, low15);
    // The high parts: together below 2²².
    let high0 = isa.add32(isa.shr32::<23>(s[0]), s[0]);
    let high4 = isa.shr32::<11>(s[1]);
    let high10 = isa.shr32::<10>(s[2]);
    let high13 = isa.shr32::<14>(s[3]);
    let high15 = isa.shr32::<16>(s[4]);
    let high = isa.add32(isa.add32(high0, high4), isa.add32(high10, high13));
    let high = isa.add32(high, high15);
    let high = reduce(isa, isa.add32(high, isa.shr32::<23>(low)));
    add_mod(isa, high, isa.and(isa.shl32::<8>(low), isa.splat32(P)))
}
