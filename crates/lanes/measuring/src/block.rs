//! The loops: one arm an operation, all on the same registers, which never leave the CPU.

use std::hint::black_box;

use lanes::Isa;

use super::operation::Operation;
use super::{Set, Step};

/// Bytes that loads and stores wander through.
pub(super) const MEMORY: usize = 4096;

/// What operations read and write besides registers.
pub(super) struct Places<'m> {
    pub(super) from: &'m [u8; MEMORY],
    pub(super) to: &'m mut [u8; MEMORY],
    pub(super) rows: &'m [[u8; 64]; 256],
}

/// Whether the level is taken.
#[inline(always)]
pub(super) fn has<I: Isa>(_: I) -> bool {
    const { I::AES_BYTES != 0 }
}

/// The registers' next values, each from its last one: `K` is the number of the place.
macro_rules! each {
    ($isa:ident, $a:ident, $turns:ident, |$x:ident, $at:ident| $next:expr) => {
        each!(@ $isa, $a, $turns, |$x, $at| $next, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $isa:ident, $a:ident, $turns:ident, |$x:ident, $at:ident| $next:expr, $($place:literal)+) => {
        for i in 0..$turns { $( {
            // Another place in memory each time, so that nothing is read once for all.
            let $at = (64 * i as usize & 960) + 64 * $place;
            let $x = $a[const { $place % N }];
            $a[const { $place % N }] = $isa.pin($next);
        } )+ }
    };
}

/// The list, `rounds` times, on `N` registers in turn, eight or one, and beside eight of the first
/// set a few of the second.
#[inline(always)]
pub(super) fn run<I: Isa, const N: usize>(
    isa: I,
    places: &mut Places<'_>,
    list: &[Step],
    rounds: u64,
) {
    // Where there are sixteen registers, constants and what is between need some of them.
    if const { I::REGISTERS >= 32 } {
        with::<I, N, 4>(isa, places, list, rounds);
    } else {
        with::<I, N, 2>(isa, places, list, rounds);
    }
}

/// The same with `M` registers in the second set.
#[inline(always)]
fn with<I: Isa, const N: usize, const M: usize>(
    isa: I,
    places: &mut Places<'_>,
    list: &[Step],
    rounds: u64,
) {
    if const { I::AES_BYTES == 0 } {
        return;
    }
    let Places { from, to, rows } = places;
    let (table8, table16): (&[u8; 256], &[u16; 64]) = (black_box(&[3; 256]), black_box(&[5; 64]));
    // Nobody knows that it is a whole register.
    let whole = black_box(I::BYTES);
    let c = isa.pin(isa.load(&from[64..]));
    let d = isa.pin(isa.load(&from[128..]));
    let mut a = [c; N];
    let mut b = [d; M];
    let mut sum = 0_u64;
    for _ in 0..rounds {
        for &Step { operation, set, turns } in list {
            let inputs = Inputs { turns, from, rows, table8, table16, whole, c, d };
            if const { N > 1 } && set == Set::Second {
                block::<I, M>(isa, operation, &mut b, &mut sum, inputs, to);
            } else {
                block::<I, N>(isa, operation, &mut a, &mut sum, inputs, to);
            }
        }
    }
    for a in a {
        isa.store(a, &mut black_box([0; 64]));
    }
    for b in b {
        isa.store(b, &mut black_box([0; 64]));
    }
    black_box(sum);
}

/// What does not change while a block runs.
struct Inputs<'m, V> {
    turns: u32,
    from: &'m [u8; MEMORY],
    rows: &'m [[u8; 64]; 256],
    table8: &'m [u8; 256],
    table16: &'m [u16; 64],
    whole: usize,
    c: V,
    d: V,
}

/// The matrix of byte maps: any that is no constant time's short cut.
const MATRIX: u64 = 0x1b36_6cd8_b163_c68d;

#[inline(always)]
fn block<I: Isa, const N: usize>(
    isa: I,
    operation: Operation,
    a: &mut [I::V; N],
    sum: &mut u64,
    inputs: Inputs<'_, I::V>,
    to: &mut [u8; MEMORY],
) {
    let Inputs { turns, from, rows, table8, table16, whole, c, d } = inputs;
    match operation {
        // In a chain what was stored is what is loaded.
        Operation::load if const { N == 1 } => each!(isa, a, turns, |x, at| {
            isa.store(x, &mut to[at..]);
            isa.load(&to[at..])
        }),
        // Added to what is there: what nobody needs is not loaded.
        Operation::load => each!(isa, a, turns, |x, at| isa.xor(x, isa.load(&from[at..]))),
        Operation::load_part => each!(isa, a, turns, |x, at| {
            isa.xor(x, isa.load_part(&from[at..][..whole.min(64)]))
        }),
        Operation::load_blocks => each!(isa, a, turns, |x, at| {
            let blocks = from[at..][..64].as_chunks().0;
            isa.xor(x, isa.load_blocks([&blocks[0], &blocks[1], &blocks[2], &blocks[3]]))
        }),
        Operation::store => each!(isa, a, turns, |x, at| {
            isa.store(x, &mut to[at..]);
            x
        }),
        Operation::store_part => each!(isa, a, turns, |x, at| {
            isa.store_part(x, &mut to[at..][..whole.min(64)]);
            x
        }),
        Operation::store_blocks => each!(isa, a, turns, |x, at| {
            let blocks = to[at..][..64].as_chunks_mut().0;
            if let [a, b, c, d] = blocks {
                isa.store_blocks(x, [Some(a), Some(b), Some(c), Some(d)]);
            }
            x
        }),
        Operation::splat if const { N == 1 } => {
            each!(isa, a, turns, |x, _at| isa.splat64(isa.low64(x)));
        }
        Operation::splat => each!(isa, a, turns, |x, at| {
            let bytes = from[at..].first_chunk().copied().unwrap_or_default();
            isa.xor(x, isa.splat32(u32::from_le_bytes(bytes)))
        }),
        Operation::low64 => each!(isa, a, turns, |x, _at| {
            *sum = sum.wrapping_add(isa.low64(x));
            x
        }),
        Operation::xor => each!(isa, a, turns, |x, _at| isa.xor(x, c)),
        Operation::xor3 => each!(isa, a, turns, |x, _at| isa.xor3(x, c, d)),
        Operation::and => each!(isa, a, turns, |x, _at| isa.and(x, c)),
        Operation::or => each!(isa, a, turns, |x, _at| isa.or(x, c)),
        Operation::select => each!(isa, a, turns, |x, _at| isa.select(c, x, d)),
        Operation::join16 => each!(isa, a, turns, |x, _at| isa.join16(x, c)),
        Operation::add8 => each!(isa, a, turns, |x, _at| isa.add8(x, c)),
        Operation::less8 => each!(isa, a, turns, |x, _at| isa.less8(x, c)),
        Operation::shr8 => each!(isa, a, turns, |x, _at| isa.shr8::<3>(x)),
        Operation::add16 => each!(isa, a, turns, |x, _at| isa.add16(x, c)),
        Operation::sub16 => each!(isa, a, turns, |x, _at| isa.sub16(x, c)),
        Operation::mullo16 => each!(isa, a, turns, |x, _at| isa.mullo16(x, x)),
        Operation::mulhi16 => each!(isa, a, turns, |x, _at| isa.mulhi16(x, x)),
        Operation::less16 => each!(isa, a, turns, |x, _at| isa.less16(x, c)),
        Operation::equal16 => each!(isa, a, turns, |x, _at| isa.equal16(x, c)),
        Operation::min_u16 => each!(isa, a, turns, |x, _at| isa.min_u16(x, c)),
        Operation::sub_saturated16 => each!(isa, a, turns, |x, _at| isa.sub_saturated16(x, c)),
        Operation::shr16 => each!(isa, a, turns, |x, _at| isa.shr16::<5>(x)),
        Operation::sign16 => each!(isa, a, turns, |x, _at| isa.sign16(x)),
        Operation::rol16 => each!(isa, a, turns, |x, _at| isa.rol16::<5>(x)),
        Operation::rol16_by => each!(isa, a, turns, |x, _at| isa.rol16_by(x, c)),
        Operation::lookup16 if const { I::LOOKUP16_NATIVE } => {
            each!(isa, a, turns, |x, _at| isa.lookup16(table16, x));
        }
        Operation::pick32 if const { I::PICK_NATIVE } => {
            each!(isa, a, turns, |x, _at| isa.pick32(rows, x));
        }
        Operation::add32 => each!(isa, a, turns, |x, _at| isa.add32(x, c)),
        Operation::sub32 => each!(isa, a, turns, |x, _at| isa.sub32(x, c)),
        Operation::max_i32 => each!(isa, a, turns, |x, _at| isa.max_i32(x, c)),
        Operation::add64 => each!(isa, a, turns, |x, _at| isa.add64(x, c)),
        Operation::mul_low_halves => each!(isa, a, turns, |x, _at| isa.mul_low_halves(x, x)),
        Operation::sub64 => each!(isa, a, turns, |x, _at| isa.sub64(x, c)),
        Operation::rol32_by => each!(isa, a, turns, |x, _at| isa.rol32_by(x, c)),
        Operation::rol64_by => each!(isa, a, turns, |x, _at| isa.rol64_by(x, c)),
        Operation::rol32 => each!(isa, a, turns, |x, _at| isa.rol32::<5>(x)),
        Operation::rol32_by_bytes => each!(isa, a, turns, |x, _at| isa.rol32::<8>(x)),
        Operation::rol32_lowest => each!(isa, a, turns, |x, _at| isa.rol32_lowest::<16>(x)),
        Operation::shl32 => each!(isa, a, turns, |x, _at| isa.shl32::<5>(x)),
        Operation::shr32 => each!(isa, a, turns, |x, _at| isa.shr32::<5>(x)),
        Operation::across16 => each!(isa, a, turns, |x, _at| isa.across16(x, c)),
        Operation::shld32 => each!(isa, a, turns, |x, _at| isa.shld32::<5>(x, c)),
        Operation::shl64 => each!(isa, a, turns, |x, _at| isa.shl64::<5>(x)),
        Operation::shr64 => each!(isa, a, turns, |x, _at| isa.shr64::<5>(x)),
        Operation::rol64 => each!(isa, a, turns, |x, _at| isa.rol64::<16>(x)),
        Operation::shuffle8 => each!(isa, a, turns, |x, _at| isa.shuffle8(x, c)),
        Operation::unpack => each!(isa, a, turns, |x, _at| isa.unpack_low32(x, c)),
        Operation::swap64 => each!(isa, a, turns, |x, _at| isa.swap64(x)),
        Operation::align8 => each!(isa, a, turns, |x, _at| isa.align8::<5>(x, c)),
        Operation::lookup8 if const { I::LOOKUP8_NATIVE } => {
            each!(isa, a, turns, |x, _at| isa.lookup8(table8, x));
        }
        // Dozens of instructions, and no kernel asks for them.
        Operation::lookup16 | Operation::pick32 | Operation::lookup8 => {}
        Operation::transpose_groups => {
            for _ in 0..turns {
                let first = isa.transpose_groups([
                    a[0],
                    a[const { 1 % N }],
                    a[const { 2 % N }],
                    a[const { 3 % N }],
                ]);
                a[0] = isa.pin(first[0]);
                if const { N > 1 } {
                    a[const { 1 % N }] = isa.pin(first[1]);
                    a[const { 2 % N }] = isa.pin(first[2]);
                    a[const { 3 % N }] = isa.pin(first[3]);
                }
                let second = isa.transpose_groups([
                    a[const { 4 % N }],
                    a[const { 5 % N }],
                    a[const { 6 % N }],
                    a[const { 7 % N }],
                ]);
                a[const { 4 % N }] = isa.pin(second[0]);
                if const { N > 1 } {
                    a[const { 5 % N }] = isa.pin(second[1]);
                    a[const { 6 % N }] = isa.pin(second[2]);
                    a[const { 7 % N }] = isa.pin(second[3]);
                }
            }
        }
        Operation::xor_groups => each!(isa, a, turns, |x, _at| isa.xor_groups(x)),
        Operation::clmul => each!(isa, a, turns, |x, _at| isa.clmul_low(x, c)),
        Operation::aes_sub_bytes => each!(isa, a, turns, |x, _at| isa.aes_sub_bytes(x)),
        Operation::affine8 => each!(isa, a, turns, |x, _at| isa.affine8::<MATRIX, 0>(x)),
        Operation::affine_inverse8 => {
            each!(isa, a, turns, |x, _at| isa.affine_inverse8::<MATRIX, 0x63>(x));
        }
        Operation::aes_round => each!(isa, a, turns, |x, _at| isa.aes_encrypt_round(x, c)),
        Operation::aes_inverse_mix_columns => {
            each!(isa, a, turns, |x, _at| isa.aes_inverse_mix_columns(x));
        }
    }
}
