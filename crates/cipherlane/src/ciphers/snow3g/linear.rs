//! The shift register (TS 35.216 §3.4): 32-bit words are polynomials in α over the field of 256
//! elements modulo `x⁸ + x⁷ + x⁵ + x³ + 1`, of which β is a root.

use lanes::Isa;

/// §3.4.2: MULα, the byte that falls out times these powers of β, the highest byte's first.
const BY_ALPHA: [u32; 4] = [23, 245, 48, 239];

/// §3.4.3: DIVα, likewise.
const BY_INVERSE: [u32; 4] = [16, 39, 6, 64];

/// §3.1: the product of a byte and a power of β.
const fn times_power(mut a: u8, power: u32) -> u8 {
    let mut i = 0;
    while i < power {
        a = a << 1 ^ (0xa9 * (a >> 7));
        i += 1;
    }
    a
}

const fn word(c: u8, powers: [u32; 4]) -> u32 {
    u32::from_be_bytes([
        times_power(c, powers[0]),
        times_power(c, powers[1]),
        times_power(c, powers[2]),
        times_power(c, powers[3]),
    ])
}

/// MULα of the bits of a byte in the high half, DIVα of those of another in the low half.
const BITS: [u64; 8] = {
    let mut bits = [0; 8];
    let mut i = 0;
    while i < 8 {
        bits[i] = (word(1 << i, BY_ALPHA) as u64) << 32 | word(1 << i, BY_INVERSE) as u64;
        i += 1;
    }
    bits
};

/// The multiplication by a power of β as a matrix, written as lanes take it: byte `7 − i` has the row
/// that gives bit `i`.
const fn matrix(power: u32) -> u64 {
    let mut matrix = 0;
    let mut column = 0;
    while column < 8 {
        let image = times_power(1 << column, power);
        let mut row = 0;
        while row < 8 {
            if image >> row & 1 == 1 {
                matrix |= 1 << (8 * (7 - row) + column);
            }
            row += 1;
        }
        column += 1;
    }
    matrix
}

/// The matrices of MULα, the lowest byte's first.
const ALPHA: [u64; 4] =
    [matrix(BY_ALPHA[3]), matrix(BY_ALPHA[2]), matrix(BY_ALPHA[1]), matrix(BY_ALPHA[0])];

/// The matrices of DIVα, the lowest byte's first.
const INVERSE: [u64; 4] =
    [matrix(BY_INVERSE[3]), matrix(BY_INVERSE[2]), matrix(BY_INVERSE[1]), matrix(BY_INVERSE[0])];

/// §3.4.4: the next word of one stream, by integers; no table.
#[inline(always)]
pub(super) fn next(s0: u32, s2: u32, s11: u32) -> u32 {
    const ONE: u64 = 1 << 32 | 1;
    let bytes = u64::from(s0 >> 24) << 32 | u64::from(s11 & 0xff);
    let mut sum = 0;
    for i in 0..8 {
        sum ^= ((bytes >> i & ONE) * 0xffff_ffff) & BITS[i];
    }
    s0 << 8 ^ s2 ^ s11 >> 8 ^ (sum >> 32) as u32 ^ sum as u32
}

/// The same of four steps for all lanes: none of them needs what another one makes.
///
/// The bytes that fall out of four words are gathered in one register, step by step, so that eight
/// maps of bytes serve sixteen products.
#[inline(always)]
pub(super) fn next_four<I: Isa>(isa: I, s0: [I::V; 4], s2: [I::V; 4], s11: [I::V; 4]) -> [I::V; 4] {
    let (high, low) = (gathered::<I, 3>(isa, s0), gathered::<I, 0>(isa, s11));
    let (by_alpha, by_inverse) = (alpha(isa, high), inverse(isa, low));
    let (by_alpha, by_inverse) = (spread(isa, by_alpha), spread(isa, by_inverse));
    let mut out = [isa.zero(); 4];
    for t in 0..4 {
        let shifted = isa.xor3(isa.shl32::<8>(s0[t]), isa.shr32::<8>(s11[t]), s2[t]);
        out[t] = isa.xor3(shifted, by_alpha[t], by_inverse[t]);
    }
    out
}

/// The same of as many consecutive steps as a group has lanes, one step a lane.
#[inline(always)]
pub(super) fn next_in_lanes<I: Isa>(isa: I, s0: I::V, s2: I::V, s11: I::V) -> I::V {
    let place = |byte: u8| {
        let none = 0x80;
        let mut index = [none; 16];
        let mut lane = 0;
        while lane < 4 {
            index[lane] = 4 * lane as u8 + byte;
            lane += 1;
        }
        index
    };
    let high = alpha(isa, isa.shuffle8(s0, isa.splat128(&place(3))));
    let low = inverse(isa, isa.shuffle8(s11, isa.splat128(&place(0))));
    let mut sums = [isa.zero(); 4];
    for j in 0..4 {
        sums[j] = isa.xor(high[j], low[j]);
    }
    let (even, odd) = (isa.unpack_low8(sums[0], sums[2]), isa.unpack_low8(sums[1], sums[3]));
    let shifted = isa.xor3(isa.shl32::<8>(s0), isa.shr32::<8>(s11), s2);
    isa.xor(shifted, isa.unpack_low8(even, odd))
}

/// Byte `BYTE` of the lanes of four registers: of each group the four of the first register, then
/// those of the next.
#[inline(always)]
fn gathered<I: Isa, const BYTE: u8>(isa: I, words: [I::V; 4]) -> I::V {
    let mut sum = isa.zero();
    for t in 0..4 {
        let mut index = [0x80; 16];
        for lane in 0..4 {
            index[4 * t + lane] = 4 * lane as u8 + BYTE;
        }
        let bytes = isa.shuffle8(words[t], isa.splat128(&index));
        sum = if t == 0 { bytes } else { isa.or(sum, bytes) };
    }
    sum
}

/// From registers with one byte of every word to registers of words: the way back.
#[inline(always)]
fn spread<I: Isa>(isa: I, bytes: [I::V; 4]) -> [I::V; 4] {
    let (even, odd) = (isa.unpack_low8(bytes[0], bytes[2]), isa.unpack_low8(bytes[1], bytes[3]));
    let (even_high, odd_high) =
        (isa.unpack_high8(bytes[0], bytes[2]), isa.unpack_high8(bytes[1], bytes[3]));
    [
        isa.unpack_low8(even, odd),
        isa.unpack_high8(even, odd),
        isa.unpack_low8(even_high, odd_high),
        isa.unpack_high8(even_high, odd_high),
    ]
}

#[inline(always)]
fn alpha<I: Isa>(isa: I, c: I::V) -> [I::V; 4] {
    [
        isa.affine8::<{ ALPHA[0] }, 0>(c),
        isa.affine8::<{ ALPHA[1] }, 0>(c),
        isa.affine8::<{ ALPHA[2] }, 0>(c),
        isa.affine8::<{ ALPHA[3] }, 0>(c),
    ]
}

#[inline(always)]
fn inverse<I: Isa>(isa: I, c: I::V) -> [I::V; 4] {
    [
        isa.affine8::<{ INVERSE[0] }, 0>(c),
        isa.affine8::<{ INVERSE[1] }, 0>(c),
        isa.affine8::<{ INVERSE[2] }, 0>(c),
        isa.affine8::<{ INVERSE[3] }, 0>(c),
    ]
}

#[cfg(test)]
mod tests {
    use lanes::{Level, dispatch};

    use super::*;

    fn words(seed: u32) -> [u32; 16] {
        core::array::from_fn(|i| (seed + i as u32).wrapping_mul(0x9e37_79b1).rotate_left(i as u32))
    }

    #[test]
    fn alpha_times_its_inverse_is_one() {
        // With s₂ = s₁₁ = 0 the next word is s₀ α; with s₀ = s₂ = 0 it is s₁₁ α⁻¹.
        for x in words(3) {
            assert_eq!(next(0, 0, next(x, 0, 0)), x);
        }
    }

    #[test]
    fn registers_do_as_integers_do_at_every_level() {
        #[inline(always)]
        fn both<I: Isa>(isa: I, words: &[u32; 16]) -> ([u32; 4], [u32; 4]) {
            let four = |at: usize| {
                let mut bytes = [0; 64];
                for i in 0..16 {
                    bytes[4 * i..4 * i + 4].copy_from_slice(&words[at + i % 4].to_le_bytes());
                }
                isa.load(&bytes)
            };
            let lane = |v: I::V| {
                let mut bytes = [0; 64];
                isa.store(v, &mut bytes);
                core::array::from_fn(|i| u32::from_le_bytes(bytes.as_chunks().0[i]))
            };
            let one = lane(next_in_lanes(isa, four(0), four(4), four(8)));
            let splat = |at: usize| core::array::from_fn(|i| isa.splat32(words[at + i]));
            let four = next_four(isa, splat(0), splat(4), splat(8));
            (one, core::array::from_fn(|i| isa.low32(four[i])))
        }
        for level in Level::available() {
            for seed in 0..100 {
                let w = words(16 * seed);
                let wanted: [u32; 4] = core::array::from_fn(|i| next(w[i], w[4 + i], w[8 + i]));
                let got = dispatch!(level, isa => both(isa, &w));
                assert_eq!(got, (wanted, wanted), "{level}");
            }
        }
    }
}
