//! L1 and L2 (TS 35.222 §3.4.2), and the form of their results
//! in which the S-boxes take them.
//!
//! `W1` lies in 32-bit lane 0 of each 128-bit group and `W2` in lane 3; so do
//! `L1(u)` and `L2(v)`, where `u = W1L ‖ W2H` and `v = W2L ‖ W1H`. The bytes between
//! hold nothing of use.

use lanes::{Isa, affine};

/// From the field of S1 into the AES field.
pub(super) const INTO_AES: u64 = 0x1106_dce4_d448_5096;

/// What S takes, byte by byte.
pub(super) struct Inputs<I: Isa> {
    /// The bytes in the AES field.
    pub(super) aes: I::V,
    /// Their high four bits.
    pub(super) left: I::V,
    /// Their low four bits.
    pub(super) right: I::V,
}

/// L1 and L2 of `W1` and `W2`.
#[inline(always)]
pub(super) fn diffuse<I: Isa>(isa: I, w: I::V) -> Inputs<I> {
    if const { I::BYTE_MAPS_NATIVE } { by_matrices(isa, w) } else { inputs(isa, by_shifts(isa, w)) }
}

/// The inputs of S from its argument as it is.
#[inline(always)]
pub(super) fn inputs<I: Isa>(isa: I, x: I::V) -> Inputs<I> {
    let nibble = isa.splat8(15);
    Inputs {
        aes: isa.affine8::<INTO_AES, 0>(x),
        left: isa.and(isa.shr64::<4>(x), nibble),
        right: isa.and(x, nibble),
    }
}

/// L1 and L2 as sums of 8 by 8 matrices times rotations by whole bytes; what the
/// S-boxes want done to the sum is multiplied into the matrices, and costs nothing.
///
/// With « and » for shifts of a byte and `b`, `b'`, `b''`, `b'''` for the word rotated
/// by 0, 1, 2 and 3 bytes:
/// `L1 = (1 + «2) b + («2 + »6)(b' + b'') + (1 + »6) b'''`,
/// `L2 = (1 + »2) b + (1 + «6) b' + («6 + »2)(b'' + b''')`.
#[inline(always)]
fn by_matrices<I: Isa>(isa: I, w: I::V) -> Inputs<I> {
    const A: [u64; 2] = [affine::shift(0) ^ affine::shift(2), affine::shift(0) ^ affine::shift(-2)];
    const B: [u64; 2] = [affine::shift(0) ^ affine::shift(-6), affine::shift(0) ^ affine::shift(6)];
    const C: [u64; 2] =
        [affine::shift(2) ^ affine::shift(-6), affine::shift(6) ^ affine::shift(-2)];
    let shuffle = |index: &[u8; 16]| isa.shuffle8(w, isa.splat128(index));
    // What the rest waits for comes first: CPUs issue in this order where they can't at once.
    let c = isa.xor(shuffle(const { &from_words(1, 2) }), shuffle(const { &from_words(2, 3) }));
    let a = shuffle(const { &from_words(0, 0) });
    let b = shuffle(const { &from_words(3, 1) });
    macro_rules! sum {
        ($outer:expr) => {{
            macro_rules! times {
                                ($x:expr, $m:ident) => {
                                    isa.affine8_pair::<
                                                                { affine::compose($outer, $m[0]) },
                                                                { affine::compose($outer, $m[1]) },
                                                            >($x)
                                };
                            }
            isa.xor3(times!(a, A), times!(b, B), times!(c, C))
        }};
    }
    const LOW_NIBBLE: u64 = affine::compose(affine::shift(-4), affine::shift(4));
    let right = sum!(LOW_NIBBLE);
    let left = sum!(affine::shift(-4));
    Inputs { aes: sum!(INTO_AES), left, right }
}

/// L1 and L2 by shuffles and shifts. Of the five rotations of each, two are by whole
/// bytes, and the other three are so once `u` is rotated by 2 and `v` by 6.
#[inline(always)]
fn by_shifts<I: Isa>(isa: I, w: I::V) -> I::V {
    let shuffle = |a, index: &[u8; 16]| isa.shuffle8(a, isa.splat128(index));
    let whole =
        isa.xor(shuffle(w, const { &from_words(0, 0) }), shuffle(w, const { &from_words(3, 1) }));
    // The upper half of a doubled word, shifted, is the word rotated.
    let u = isa.shl64::<2>(shuffle(w, const { &DOUBLED[0] }));
    let v = isa.shl64::<6>(shuffle(w, const { &DOUBLED[1] }));
    let part = isa.or(u, v);
    let a = isa.xor(shuffle(part, const { &from_parts(0, 1) }), whole);
    let b = isa.xor(
        shuffle(part, const { &from_parts(1, 2) }),
        shuffle(part, const { &from_parts(2, 3) }),
    );
    isa.xor(a, b)
}

/// L1 and L2 of `W1` and, above it, `W2`, in ordinary registers.
pub(super) fn by_rotations(w: u64) -> u64 {
    let uv = w.rotate_left(16);
    let (u, v) = (uv as u32, (uv >> 32) as u32);
    let u = u ^ u.rotate_left(2) ^ u.rotate_left(10) ^ u.rotate_left(18) ^ u.rotate_left(24);
    let v = v ^ v.rotate_left(8) ^ v.rotate_left(14) ^ v.rotate_left(22) ^ v.rotate_left(30);
    u64::from(v) << 32 | u64::from(u)
}

/// Brings lanes 0 and 3 together into the lowest 64-bit lane.
pub(super) const TOGETHER: [u8; 16] = {
    let mut index = NOTHING;
    let mut i = 0;
    while i < 4 {
        index[i] = i as u8;
        index[4 + i] = 12 + i as u8;
        i += 1;
    }
    index
};

/// A shuffle that takes no byte.
const NOTHING: [u8; 16] = [0x80; 16];

/// Where the bytes of `u` and of `v` lie among those of `W1` and `W2`, lowest first.
const U: [u8; 4] = [14, 15, 0, 1];
const V: [u8; 4] = [2, 3, 12, 13];

/// Takes `u` twice into the lower half of a group, or `v` twice into the upper half.
const DOUBLED: [[u8; 16]; 2] = {
    let mut index = [NOTHING; 2];
    let mut i = 0;
    while i < 8 {
        index[0][i] = U[i % 4];
        index[1][8 + i] = V[i % 4];
        i += 1;
    }
    index
};

/// Takes `u ⋘ 8·by_u` and `v ⋘ 8·by_v` from `W1` and `W2`.
const fn from_words(by_u: usize, by_v: usize) -> [u8; 16] {
    rotated(U, V, by_u, by_v)
}

/// Takes `u ⋘ 2 + 8·by_u` and `v ⋘ 6 + 8·by_v` from the shifted doubles.
const fn from_parts(by_u: usize, by_v: usize) -> [u8; 16] {
    rotated([4, 5, 6, 7], [12, 13, 14, 15], by_u, by_v)
}

const fn rotated(u: [u8; 4], v: [u8; 4], by_u: usize, by_v: usize) -> [u8; 16] {
    let mut index = NOTHING;
    let mut i = 0;
    while i < 4 {
        index[i] = u[(i + 4 - by_u) % 4];
        index[12 + i] = v[(i + 4 - by_v) % 4];
        i += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanes::{Level, dispatch_aes};

    /// The inputs of both words, packed as `W1` and `W2` are in [`by_rotations`].
    #[inline(always)]
    fn packed<I: Isa>(isa: I, inputs: &Inputs<I>) -> [u64; 3] {
        let together = isa.splat128(&TOGETHER);
        [inputs.aes, inputs.left, inputs.right].map(|x| isa.low64(isa.shuffle8(x, together)))
    }

    #[inline(always)]
    fn both<I: Isa>(isa: I, w: u64) -> [[u64; 3]; 2] {
        // Lane 0 is W1 and lane 3 W2.
        let w = isa.splat64(w);
        let shifts = inputs(isa, by_shifts(isa, w));
        [packed(isa, &by_matrices(isa, w)), packed(isa, &shifts)]
    }

    #[test]
    fn both_forms_are_the_rotations_at_every_level() {
        let bytes = |x: u64, f: fn(u8) -> u8| u64::from_le_bytes(x.to_le_bytes().map(f));
        let words = (0..64).map(|bit| 1 << bit);
        let mixed = (0..200u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
        for w in words.chain(mixed) {
            let x = by_rotations(w);
            let aes = bytes(x, |byte| affine::apply(INTO_AES, byte));
            let wanted = [aes, bytes(x, |byte| byte >> 4), bytes(x, |byte| byte & 15)];
            for level in Level::available() {
                for got in dispatch_aes!(level, isa => both(isa, w)) {
                    assert_eq!(got, wanted, "{w:016x} at {level}");
                }
            }
        }
    }
}
