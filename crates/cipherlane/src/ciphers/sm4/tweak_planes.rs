//! The tweaks of XTS in byte-sliced form: register `j` holds byte `j` of each block's tweak, in
//! the basis. A multiplication by a power of α below 8 is two maps of bytes and a sum for each,
//! in either order of the bits.

use lanes::{Isa, affine, transpose};

use super::lockstep_keys::Row;
use super::{BLOCK, basis};
use crate::secret::Secret;
use crate::traits::lockstep::LOCKSTEP;
use crate::tweaks::Order;

/// A shift of bytes towards higher powers, in the basis; `s` is 1 where bit 0 is the lowest
/// power, -1 where bit 7 is.
const fn shift(s: i32, places: i32) -> u64 {
    in_basis(affine::shift(s * places))
}

const fn in_basis(matrix: u64) -> u64 {
    affine::compose(basis::INTO, affine::compose(matrix, basis::OUT_OF))
}

/// What `k` bits that leave the last byte become in the first: they times 1 + x + x² + x⁷.
const fn to_first(s: i32, k: i32) -> u64 {
    let sum = affine::shift(0) ^ affine::shift(s) ^ affine::shift(2 * s) ^ affine::shift(7 * s);
    in_basis(affine::compose(sum, affine::shift(s * (k - 8))))
}

/// And in the second, for `k` up to 6.
const fn to_second(s: i32, k: i32) -> u64 {
    in_basis(affine::compose(affine::shift(-s), affine::shift(s * (k - 8))))
}

macro_rules! multiplication {
    ($name:ident, $s:expr, $k:expr) => {
        #[inline(always)]
        fn $name<I: Isa>(isa: I, t: &mut [I::V; BLOCK]) {
            let old = *t;
            for j in 1..BLOCK {
                let here = isa.affine8::<{ shift($s, $k) }, 0>(old[j]);
                t[j] = isa.xor(here, isa.affine8::<{ shift($s, $k - 8) }, 0>(old[j - 1]));
            }
            let here = isa.affine8::<{ shift($s, $k) }, 0>(old[0]);
            t[0] = isa.xor(here, isa.affine8::<{ to_first($s, $k) }, 0>(old[15]));
            t[1] = isa.xor(t[1], isa.affine8::<{ to_second($s, $k) }, 0>(old[15]));
        }
    };
}

multiplication!(little_1, 1, 1);
multiplication!(little_2, 1, 2);
multiplication!(little_4, 1, 4);
multiplication!(reflected_1, -1, 1);
multiplication!(reflected_2, -1, 2);
multiplication!(reflected_4, -1, 4);

/// Moves tweaks on by as many blocks as a register holds.
#[inline(always)]
pub(super) fn next<I: Isa>(isa: I, reflected: bool, t: &mut [I::V; BLOCK]) {
    match (reflected, const { I::BYTES / BLOCK }) {
        (false, 1) => little_1(isa, t),
        (false, 2) => little_2(isa, t),
        (false, _) => little_4(isa, t),
        (true, 1) => reflected_1(isa, t),
        (true, 2) => reflected_2(isa, t),
        (true, _) => reflected_4(isa, t),
    }
}

/// The tweaks of the first tile, in the basis.
#[inline(always)]
pub(super) fn first<I: Isa>(isa: I, reflected: bool, values: &Row) -> [I::V; BLOCK] {
    let mut tweaks = Secret([[0; BLOCK]; 4 * LOCKSTEP]);
    let blocks = const { I::BYTES / BLOCK };
    let mut r = [isa.zero(); BLOCK];
    for (tweaks, value) in tweaks.0.chunks_exact_mut(blocks).zip(values) {
        order(reflected).fill(tweaks, *value);
    }
    for i in 0..LOCKSTEP {
        r[i] = isa.load(tweaks.0[i * blocks..].as_flattened());
    }
    let mut planes = transpose::bytes(isa, r);
    for j in 0..BLOCK {
        planes[j] = isa.affine8::<{ basis::INTO }, 0>(planes[j]);
    }
    planes
}

/// The first tweak of each message.
#[inline(always)]
pub(super) fn last<I: Isa>(isa: I, planes: [I::V; BLOCK], values: &mut Row) {
    let mut r = planes;
    for j in 0..BLOCK {
        r[j] = isa.affine8::<{ basis::OUT_OF }, 0>(planes[j]);
    }
    let r = transpose::bytes(isa, r);
    for i in 0..LOCKSTEP {
        isa.store128(r[i], &mut values[i]);
    }
}

const fn order(reflected: bool) -> Order {
    if reflected { Order::Reflected } else { Order::Little }
}

/// Moves tweaks on by a few blocks.
#[inline(always)]
pub(super) fn move_on(reflected: bool, values: &mut Row, blocks: usize) {
    for value in values {
        for _ in 0..blocks {
            *value = order(reflected).times_alpha(*value);
        }
    }
}
