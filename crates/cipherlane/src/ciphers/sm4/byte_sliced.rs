//! SM4 with one register per byte position of the block.
//!
//! A group is 16 registers; register `4w + i` holds byte `i` (0 the most
//! significant) of word `w` of as many blocks as a register has bytes, in the
//! basis of [`basis`]. Rotations by bytes are then free.
//!
//! What is around the rounds of [`byte_rounds`](super::byte_rounds).

use lanes::{InOut, Isa, transpose};

use super::byte_rounds::{Common, Group, Slices, mixed, rounds};
use super::task::Task;
use super::{BLOCK, basis};

/// The registers of a transposed tile, as words in the basis.
#[inline(always)]
pub(super) fn enter<I: Isa>(isa: I, r: [I::V; 16]) -> Group<I::V> {
    let mut x = [[r[0]; 4]; 4];
    for w in 0..4 {
        for i in 0..4 {
            x[w][i] = isa.affine8::<{ basis::INTO }, 0>(r[4 * w + i]);
        }
    }
    x
}

/// The reverse transformation R (§6.1) and out of the basis, as blocks in order.
#[inline(always)]
pub(super) fn leave<I: Isa>(isa: I, x: Group<I::V>) -> [I::V; 16] {
    let mut y = [x[0][0]; 16];
    for w in 0..4 {
        for i in 0..4 {
            y[4 * w + i] = isa.affine8::<{ basis::OUT_OF }, 0>(x[3 - w][i]);
        }
    }
    transpose::bytes(isa, y)
}

/// One tile of `G` groups. A tile that is not full (`WHOLE` false) is loaded and stored in
/// part. Counters are made in byte-sliced form, so that no input is transposed.
#[inline(always)]
pub(super) fn tile<I: Isa, const G: usize, const WHOLE: bool>(
    isa: I,
    keys: &Slices,
    task: Task<'_>,
    mut io: InOut<'_>,
) {
    let mut groups = [[[isa.zero(); 4]; 4]; G];
    for (g, group) in groups.iter_mut().enumerate() {
        if let Some(counter) = task.counts() {
            *group = counters(isa, counter.wrapping_add((g * I::BYTES) as u128));
            continue;
        }
        let mut r = [isa.zero(); 16];
        for (i, r) in r.iter_mut().enumerate() {
            let offset = (16 * g + i) * I::BYTES;
            if !WHOLE && offset >= io.len() {
                break;
            }
            *r = part::<I, WHOLE>(isa, io.input(), offset);
            if let Some(pre) = task.pre {
                *r = isa.xor(*r, part::<I, WHOLE>(isa, pre, offset));
            }
        }
        *group = mixed(isa, enter(isa, transpose::bytes(isa, r)));
    }
    rounds(isa, &mut groups, Common { slices: keys, flip: task.flip });
    for (g, group) in groups.iter().enumerate() {
        let r = leave(isa, mixed(isa, *group));
        for i in 0..16 {
            let mut r = r[i];
            let offset = (16 * g + i) * I::BYTES;
            if !WHOLE && offset >= io.len() {
                break;
            }
            if task.counts().is_some() {
                r = isa
                    .xor(r, if WHOLE { io.load(isa, offset) } else { io.load_part(isa, offset) });
            } else if let Some(post) = task.post {
                r = isa.xor(r, part::<I, WHOLE>(isa, post, offset));
            }
            if WHOLE { io.store(isa, offset, r) } else { io.store_part(isa, offset, r) }
        }
    }
}

/// A register of whole blocks: of the data, or of a stream that runs beside it.
#[inline(always)]
pub(super) fn part<I: Isa, const WHOLE: bool>(isa: I, bytes: &[u8], offset: usize) -> I::V {
    if const { WHOLE || I::BYTES == BLOCK } {
        isa.load(&bytes[offset..])
    } else {
        isa.load_part(bytes.get(offset..).unwrap_or(&[]))
    }
}

/// Writes a register of whole blocks, as much as there is room for.
#[inline(always)]
pub(super) fn put_part<I: Isa>(isa: I, bytes: &mut [u8], offset: usize, value: I::V) {
    if const { I::BYTES == BLOCK } {
        isa.store(value, &mut bytes[offset..]);
    } else {
        isa.store_part(value, bytes.get_mut(offset..).unwrap_or(&mut []));
    }
}

/// The index of each byte's block within a group, in the order of [`transpose::bytes`]: of a register
/// with `n` 16-byte groups, byte `n'·16 + p` belongs to block `p·n + n'`.
#[inline(always)]
fn block_index<I: Isa>(isa: I) -> I::V {
    let mut index = [0; 64];
    let lanes = I::BYTES / 16;
    for (i, index) in index.iter_mut().enumerate().take(I::BYTES) {
        *index = (i % 16 * lanes + i / 16) as u8;
    }
    isa.load(&index)
}

/// A group of consecutive counters as words `Z`. All bytes but the last are the same in every
/// block, except where the last one overflows inside the group.
#[inline(always)]
fn counters<I: Isa>(isa: I, first: u128) -> Group<I::V> {
    let low = first as u8;
    let index = block_index(isa);
    let last = isa.add8(isa.splat8(low), index);
    let mut z = without_last(isa, first);
    if usize::from(low) + I::BYTES > 256 {
        let carried = isa.less8(last, index);
        let next = without_last(isa, first.wrapping_add(256));
        for w in 0..4 {
            for i in 0..4 {
                z[w][i] = isa.select(carried, next[w][i], z[w][i]);
            }
        }
    }
    let last = isa.affine8::<{ basis::INTO }, 0>(last);
    for i in 0..3 {
        z[3][i] = isa.xor(z[3][i], last);
    }
    z
}

/// Words `Z` of one counter for all blocks, its last byte taken for 0.
#[inline(always)]
fn without_last<I: Isa>(isa: I, counter: u128) -> Group<I::V> {
    let bytes = fourfold(isa.narrow(), counter & !0xff);
    let mut z = [[isa.zero(); 4]; 4];
    for w in 0..4 {
        for i in 0..4 {
            let [a, b, c, d, ..] = bytes[w][4 * i..] else { unreachable!("16 bytes") };
            z[w][i] = isa.splat32(u32::from_ne_bytes([a, b, c, d]));
        }
    }
    z
}

/// The bytes of the words `Z` of a block, four times each.
#[inline(always)]
fn fourfold<I: Isa>(isa: I, block: u128) -> [[u8; BLOCK]; 4] {
    let x = isa.affine8::<{ basis::INTO }, 0>(isa.load128(&block.to_be_bytes()));
    let z = isa.xor3(isa.rol32::<8>(x), isa.rol32::<16>(x), isa.rol32::<24>(x));
    let mut out = [[0; BLOCK]; 4];
    for w in 0..4 {
        isa.store128(isa.shuffle8(z, isa.load128(&FOURFOLD[w])), &mut out[w]);
    }
    out
}

/// For every word each of its bytes four times.
const FOURFOLD: [[u8; BLOCK]; 4] = {
    let mut index = [[0; BLOCK]; 4];
    let mut i = 0;
    while i < 4 * BLOCK {
        index[i / BLOCK][i % BLOCK] = (i / 4) as u8;
        i += 1;
    }
    index
};
