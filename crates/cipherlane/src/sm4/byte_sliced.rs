//! SM4 with one register per byte position of the block.
//!
//! A group is 16 registers; register `4w + i` holds byte `i` (0 the most
//! significant) of word `w` of as many blocks as a register has bytes, in the
//! basis of [`basis`]. Rotations by bytes are then free.
//!
//! The state is kept as `Z = (I + J)·X`, `J` all ones over the four bytes of a
//! word (`J² = 0`, so `I + J` is its own inverse). With
//! `dᵢ = Q'(tᵢ) + P'(tᵢ₋₁)` the round's `L` is `d + J·d = (I + J)·d`, so the update
//! is only `Z ⊕= d`, and the mixing falls on the input: `tᵢ` is the sum of the
//! other three bytes of `u = Zb ⊕ Zc ⊕ Zd ⊕ key`. Two rounds share `Zc ⊕ Zd`.
//!
//! Cost of a round and group: 4 + 4 + 4 sums of three, 2 shared sums, 8 byte
//! maps. See `docs/notes/sm4-gfni.md`.

use lanes::{InOut, Isa};

use super::key::ROUNDS;
use super::task::Task;
use super::{BLOCK, basis};

/// The four bytes of one word, most significant first, of a group of blocks.
pub(super) type Word<V> = [V; 4];
/// The four words of a group of blocks.
pub(super) type Group<V> = [Word<V>; 4];

/// Round keys as [`RoundKeys::slices`](super::key::RoundKeys) has them.
pub(super) type Slices = [[[u8; 4]; 4]; ROUNDS];

/// Where byte-sliced rounds take their keys from: one key for all blocks, or own ones.
pub(super) trait SlicedKeys<I: Isa>: Copy {
    /// The key of a round, its four bytes in the lanes of the blocks.
    fn word(self, isa: I, round: usize) -> Word<I::V>;
}

/// One key for all blocks, in the order of a direction.
#[derive(Clone, Copy)]
struct Common<'k> {
    slices: &'k Slices,
    flip: usize,
}

impl<I: Isa> SlicedKeys<I> for Common<'_> {
    #[inline(always)]
    fn word(self, isa: I, round: usize) -> Word<I::V> {
        let Self { slices, flip } = self;
        let key = &slices[(round ^ flip) % ROUNDS];
        [
            isa.splat32(u32::from_ne_bytes(key[0])),
            isa.splat32(u32::from_ne_bytes(key[1])),
            isa.splat32(u32::from_ne_bytes(key[2])),
            isa.splat32(u32::from_ne_bytes(key[3])),
        ]
    }
}

/// `I + J`: each byte becomes the sum of the other three.
#[inline(always)]
fn mix<I: Isa>(isa: I, [a, b, c, d]: Word<I::V>) -> Word<I::V> {
    [isa.xor3(b, c, d), isa.xor3(a, c, d), isa.xor3(a, b, d), isa.xor3(a, b, c)]
}

/// `Q'ᵢ + P'ᵢ₋₁` of a round's input, added to the word that the round replaces.
#[inline(always)]
fn update<I: Isa>(isa: I, word: &mut Word<I::V>, t: Word<I::V>) {
    let [p0, p1, p2, p3] = [
        isa.affine_inverse8::<{ basis::P.0 }, { basis::P.1 }>(t[0]),
        isa.affine_inverse8::<{ basis::P.0 }, { basis::P.1 }>(t[1]),
        isa.affine_inverse8::<{ basis::P.0 }, { basis::P.1 }>(t[2]),
        isa.affine_inverse8::<{ basis::P.0 }, { basis::P.1 }>(t[3]),
    ];
    let [q0, q1, q2, q3] = [
        isa.affine_inverse8::<{ basis::Q.0 }, { basis::Q.1 }>(t[0]),
        isa.affine_inverse8::<{ basis::Q.0 }, { basis::Q.1 }>(t[1]),
        isa.affine_inverse8::<{ basis::Q.0 }, { basis::Q.1 }>(t[2]),
        isa.affine_inverse8::<{ basis::Q.0 }, { basis::Q.1 }>(t[3]),
    ];
    word[0] = isa.xor3(word[0], q0, p3);
    word[1] = isa.xor3(word[1], q1, p0);
    word[2] = isa.xor3(word[2], q2, p1);
    word[3] = isa.xor3(word[3], q3, p2);
}

/// One round: `word ⊕= T(b ⊕ shared ⊕ key)`.
#[inline(always)]
fn round<I: Isa>(
    isa: I,
    word: &mut Word<I::V>,
    b: Word<I::V>,
    shared: Word<I::V>,
    key: Word<I::V>,
) {
    let u = [
        isa.xor3(b[0], shared[0], key[0]),
        isa.xor3(b[1], shared[1], key[1]),
        isa.xor3(b[2], shared[2], key[2]),
        isa.xor3(b[3], shared[3], key[3]),
    ];
    update(isa, word, mix(isa, u));
}

/// The sum of two words.
#[inline(always)]
fn sum<I: Isa>(isa: I, a: Word<I::V>, b: Word<I::V>) -> Word<I::V> {
    [isa.xor(a[0], b[0]), isa.xor(a[1], b[1]), isa.xor(a[2], b[2]), isa.xor(a[3], b[3])]
}

/// All rounds on `G` groups side by side, from and to the basis' X form.
#[inline(always)]
pub(super) fn rounds<I: Isa, K: SlicedKeys<I>, const G: usize>(
    isa: I,
    groups: &mut [Group<I::V>; G],
    keys: K,
) {
    for x in groups.iter_mut() {
        for word in x.iter_mut() {
            *word = mix(isa, *word);
        }
    }
    for quad in (0..ROUNDS).step_by(4) {
        let mut shared = [groups[0][0]; G];
        for (x, shared) in groups.iter_mut().zip(&mut shared) {
            *shared = sum(isa, x[2], x[3]);
            let b = x[1];
            round(isa, &mut x[0], b, *shared, keys.word(isa, quad));
        }
        for (x, shared) in groups.iter_mut().zip(&mut shared) {
            let b = x[0];
            round(isa, &mut x[1], b, *shared, keys.word(isa, quad + 1));
        }
        for (x, shared) in groups.iter_mut().zip(&mut shared) {
            *shared = sum(isa, x[0], x[1]);
            let b = x[3];
            round(isa, &mut x[2], b, *shared, keys.word(isa, quad + 2));
        }
        for (x, shared) in groups.iter_mut().zip(&mut shared) {
            let b = x[2];
            round(isa, &mut x[3], b, *shared, keys.word(isa, quad + 3));
        }
    }
    for x in groups.iter_mut() {
        for word in x.iter_mut() {
            *word = mix(isa, *word);
        }
    }
}

/// Between blocks in order and bytes in order; its own inverse. Of a register
/// with `n` 16-byte groups, byte `n'·16 + p` of an output belongs to block
/// `p·n + n'`.
#[inline(always)]
pub(super) fn transpose<I: Isa>(isa: I, mut r: [I::V; 16]) -> [I::V; 16] {
    for _ in 0..4 {
        let a = r;
        for i in 0..8 {
            r[2 * i] = isa.unpack_low8(a[i], a[i + 8]);
            r[2 * i + 1] = isa.unpack_high8(a[i], a[i + 8]);
        }
    }
    r
}

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
    transpose(isa, y)
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
        *group = enter(isa, transpose(isa, r));
    }
    rounds(isa, &mut groups, Common { slices: keys, flip: task.flip });
    for (g, group) in groups.iter().enumerate() {
        let r = leave(isa, *group);
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

/// The index of each byte's block within a group, in the order of [`transpose`].
#[inline(always)]
fn block_index<I: Isa>(isa: I) -> I::V {
    let mut index = [0; 64];
    let lanes = I::BYTES / 16;
    for (i, index) in index.iter_mut().enumerate().take(I::BYTES) {
        *index = (i % 16 * lanes + i / 16) as u8;
    }
    isa.load(&index)
}

/// A group of consecutive counters in the basis. All bytes but the last are the
/// same in every block, except where the last one overflows inside the group.
#[inline(always)]
fn counters<I: Isa>(isa: I, first: u128) -> Group<I::V> {
    let bytes = first.to_be_bytes();
    let index = block_index(isa);
    let last = isa.add8(isa.splat8(bytes[15]), index);
    let mut r = [last; 16];
    for i in 0..15 {
        r[i] = isa.splat8(bytes[i]);
    }
    if usize::from(bytes[15]) + I::BYTES > 256 {
        let carried = isa.less8(last, index);
        let next = first.wrapping_add(256).to_be_bytes();
        for i in 0..15 {
            r[i] = isa.select(carried, isa.splat8(next[i]), r[i]);
        }
    }
    enter(isa, r)
}
