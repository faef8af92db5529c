//! SM4 with one register per word of the block, for a few blocks.
//!
//! A group is four registers; register `w` holds word `w` of as many blocks as a
//! register has 32-bit lanes, bytes in the order of memory, in the basis of
//! [`basis`]. A round is
//! `x0 ⊕= P ⊕ rol8(P ⊕ Q) ⊕ rol16(P ⊕ Q) ⊕ rol24(Q)` with the standard's rotations
//! (to the left of a big-endian word, so to the right of a lane).

use lanes::{InOut, Isa, transpose};

use super::basis;
use super::byte_sliced::{part, put_part};
use super::round_keys::{ENCRYPT, ROUNDS, Words};
use super::task::Task;
use crate::traits::block::Chain;

/// The four words of a group of blocks.
pub(super) type Group<V> = [V; 4];

/// Where word-sliced rounds take their keys from: one key for all blocks, or own ones.
pub(super) trait Keys<I: Isa>: Copy {
    /// The keys of four rounds of one group.
    type Quad: Copy;

    /// The keys of the rounds from `4·quad` on, for group `g`.
    fn quad(self, isa: I, g: usize, quad: usize) -> Self::Quad;

    /// The key of the `R`-th of the four rounds.
    fn key<const R: usize>(self, isa: I, quad: Self::Quad) -> I::V;
}

/// One key for all blocks, in the order of a direction.
#[derive(Clone, Copy)]
pub(super) struct Common<'k> {
    pub(super) words: &'k Words,
    pub(super) flip: usize,
}

impl<I: Isa> Keys<I> for Common<'_> {
    type Quad = usize;

    #[inline(always)]
    fn quad(self, _: I, _: usize, quad: usize) -> usize {
        quad
    }

    #[inline(always)]
    fn key<const R: usize>(self, isa: I, quad: usize) -> I::V {
        let Self { words, flip } = self;
        isa.splat32(u32::from_le_bytes(words[((4 * quad + R) ^ flip) % ROUNDS]))
    }
}

/// All rounds on `G` groups side by side.
#[inline(always)]
pub(super) fn rounds<I: Isa, K: Keys<I>, const G: usize>(
    isa: I,
    groups: &mut [Group<I::V>; G],
    keys: K,
) {
    rounds_of::<I, K, G, false>(isa, groups, keys);
}

/// `T` of a round's input, added to the word that the round replaces.
#[inline(always)]
pub(super) fn update<I: Isa>(isa: I, word: I::V, t: I::V) -> I::V {
    let p = isa.affine_inverse8::<{ basis::P.0 }, { basis::P.1 }>(t);
    let q = isa.affine_inverse8::<{ basis::Q.0 }, { basis::Q.1 }>(t);
    let r = isa.xor(p, q);
    let rotated = isa.xor(isa.rol32::<16>(r), isa.rol32::<8>(q));
    isa.xor(isa.xor3(word, p, isa.rol32::<24>(r)), rotated)
}

/// All rounds on `G` groups side by side; `LOW` where the only one has its lowest two lanes alone.
#[inline(always)]
fn rounds_of<I: Isa, K: Keys<I>, const G: usize, const LOW: bool>(
    isa: I,
    groups: &mut [Group<I::V>; G],
    keys: K,
) {
    if let [only] = groups.as_mut_slice() {
        return rounds_in_chain::<I, K, LOW>(isa, only, keys);
    }
    for quad in 0..ROUNDS / 4 {
        let mut key = [keys.quad(isa, 0, quad); G];
        for g in 1..G {
            key[g] = keys.quad(isa, g, quad);
        }
        let mut shared = [groups[0][0]; G];
        for (g, x) in groups.iter_mut().enumerate() {
            shared[g] = isa.xor(x[2], x[3]);
            x[0] = update(isa, x[0], isa.xor3(x[1], shared[g], keys.key::<0>(isa, key[g])));
        }
        for (g, x) in groups.iter_mut().enumerate() {
            x[1] = update(isa, x[1], isa.xor3(x[0], shared[g], keys.key::<1>(isa, key[g])));
        }
        for (g, x) in groups.iter_mut().enumerate() {
            shared[g] = isa.xor(x[0], x[1]);
            x[2] = update(isa, x[2], isa.xor3(x[3], shared[g], keys.key::<2>(isa, key[g])));
        }
        for (g, x) in groups.iter_mut().enumerate() {
            x[3] = update(isa, x[3], isa.xor3(x[2], shared[g], keys.key::<3>(isa, key[g])));
        }
    }
}

/// All rounds on one group, arranged for the shortest chain from one round's
/// input to the next one's: an inverse, a byte shuffle, two sums. What of the
/// next input does not wait for this round is summed beforehand. `LOW` where nothing but the
/// lowest two lanes counts.
#[inline(always)]
fn rounds_in_chain<I: Isa, K: Keys<I>, const LOW: bool>(isa: I, x: &mut Group<I::V>, keys: K) {
    let mut key = keys.quad(isa, 0, 0);
    let mut t = isa.xor3(isa.xor(x[1], keys.key::<0>(isa, key)), x[2], x[3]);
    for quad in 0..ROUNDS / 4 {
        t = link::<I, LOW>(isa, t, x, [0, 2, 3], keys.key::<1>(isa, key));
        t = link::<I, LOW>(isa, t, x, [1, 3, 0], keys.key::<2>(isa, key));
        t = link::<I, LOW>(isa, t, x, [2, 0, 1], keys.key::<3>(isa, key));
        // After the last round the next key is any: it cancels.
        key = keys.quad(isa, 0, (quad + 1) % (ROUNDS / 4));
        t = link::<I, LOW>(isa, t, x, [3, 1, 2], keys.key::<0>(isa, key));
    }
}

/// One round of a chain: its input `t` in, the next one's out.
#[inline(always)]
fn link<I: Isa, const LOW: bool>(
    isa: I,
    t: I::V,
    x: &mut Group<I::V>,
    [a, c, d]: [usize; 3],
    next_key: I::V,
) -> I::V {
    let others = isa.pin(isa.xor3(x[c], x[d], next_key));
    let ready = isa.pin(isa.xor(others, x[a]));
    let r16 = |r| if LOW { isa.rol32_lowest::<16>(r) } else { isa.rol32::<16>(r) };
    if const { I::BYTE_MAPS_NATIVE } && LOW {
        // What is rotated comes first, as there are two units for byte maps; the rotation by 16
        // takes the shortest, so what is added to it is ready when the other two are.
        let r = isa.affine_inverse8::<{ basis::R.0 }, { basis::R.1 }>(t);
        let q = isa.affine_inverse8::<{ basis::Q.0 }, { basis::Q.1 }>(t);
        let p = isa.affine_inverse8::<{ basis::P.0 }, { basis::P.1 }>(t);
        let early = isa.pin(isa.xor3(ready, p, r16(r)));
        let next = isa.xor3(isa.rol32::<24>(r), isa.rol32::<8>(q), early);
        x[a] = isa.xor(next, others);
        return next;
    }
    let p = isa.affine_inverse8::<{ basis::P.0 }, { basis::P.1 }>(t);
    let q = isa.affine_inverse8::<{ basis::Q.0 }, { basis::Q.1 }>(t);
    let r = if const { I::BYTE_MAPS_NATIVE } {
        isa.affine_inverse8::<{ basis::R.0 }, { basis::R.1 }>(t)
    } else {
        isa.xor(p, q)
    };
    let (r24, r16, q8) = (isa.rol32::<24>(r), r16(r), isa.rol32::<8>(q));
    let next = if const { I::XOR3_NATIVE } {
        isa.xor3(isa.xor3(r24, r16, q8), ready, p)
    } else {
        isa.xor3(r24, r16, isa.pin(isa.xor3(ready, p, q8)))
    };
    x[a] = isa.xor(next, others);
    next
}

/// Blocks into words in the basis.
#[inline(always)]
pub(super) fn enter<I: Isa>(isa: I, blocks: [I::V; 4]) -> Group<I::V> {
    into_basis(isa, transpose::words(isa, blocks))
}

#[inline(always)]
pub(super) fn into_basis<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4]) -> Group<I::V> {
    [
        isa.affine8::<{ basis::INTO }, 0>(a),
        isa.affine8::<{ basis::INTO }, 0>(b),
        isa.affine8::<{ basis::INTO }, 0>(c),
        isa.affine8::<{ basis::INTO }, 0>(d),
    ]
}

/// The reverse transformation R (§6.1) and words back into blocks.
#[inline(always)]
pub(super) fn leave<I: Isa>(isa: I, [a, b, c, d]: Group<I::V>) -> [I::V; 4] {
    transpose::words(
        isa,
        [
            isa.affine8::<{ basis::OUT_OF }, 0>(d),
            isa.affine8::<{ basis::OUT_OF }, 0>(c),
            isa.affine8::<{ basis::OUT_OF }, 0>(b),
            isa.affine8::<{ basis::OUT_OF }, 0>(a),
        ],
    )
}

/// At most `G` groups, loaded and stored in part; `LOW` where there are at most two blocks.
#[inline(always)]
pub(super) fn tile<I: Isa, const G: usize, const LOW: bool>(
    isa: I,
    keys: &Words,
    task: Task<'_>,
    mut io: InOut<'_>,
) {
    let mut groups = [[isa.zero(); 4]; G];
    for (g, group) in groups.iter_mut().enumerate() {
        if let Some(counter) = task.counts() {
            *group = counters(isa, counter.wrapping_add((g * I::BYTES / 4) as u128));
            continue;
        }
        for (i, r) in group.iter_mut().enumerate() {
            let offset = (4 * g + i) * I::BYTES;
            if offset >= io.len() {
                break;
            }
            *r = part::<I, false>(isa, io.input(), offset);
            if let Some(pre) = task.pre {
                *r = isa.xor(*r, part::<I, false>(isa, pre, offset));
            }
        }
        *group = enter(isa, *group);
    }
    let keys = Common { words: keys, flip: task.flip };
    rounds_of::<I, Common<'_>, G, LOW>(isa, &mut groups, keys);
    for (g, group) in groups.iter().enumerate() {
        let blocks = leave(isa, *group);
        for i in 0..4 {
            let mut r = blocks[i];
            let offset = (4 * g + i) * I::BYTES;
            if offset >= io.len() {
                break;
            }
            if task.counts().is_some() {
                io.store_part(isa, offset, isa.xor(r, io.load_part(isa, offset)));
                continue;
            }
            if let Some(post) = task.post {
                r = isa.xor(r, part::<I, false>(isa, post, offset));
            }
            put_part(isa, io.output(), offset, r);
        }
    }
}

/// A group of consecutive counters. The upper words are the same in every block
/// unless the lowest overflows inside the group.
#[inline(always)]
fn counters<I: Isa>(isa: I, first: u128) -> Group<I::V> {
    let low = first as u32;
    let blocks = I::BYTES / 4;
    if low.checked_add(blocks as u32 - 1).is_none() {
        let mut bytes = [0; 256];
        let (all, _) = bytes.as_chunks_mut::<16>();
        for (i, block) in all.iter_mut().enumerate().take(blocks) {
            *block = first.wrapping_add(i as u128).to_be_bytes();
        }
        let mut blocks = [isa.zero(); 4];
        for i in 0..4 {
            blocks[i] = isa.load(&bytes[i * I::BYTES..]);
        }
        return enter(isa, blocks);
    }
    // Lane 4l + i of a word register belongs to block i·(BYTES / 16) + l.
    let mut index = [[0; 4]; 16];
    for (lane, index) in index.iter_mut().enumerate().take(blocks) {
        *index = ((lane % 4 * (I::BYTES / 16) + lane / 4) as u32).to_le_bytes();
    }
    let last = isa.add32(isa.splat32(low), isa.load(index.as_flattened()));
    let swap = isa.splat128(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
    let word = |shift: u32| ((first >> shift) as u32).swap_bytes();
    let upper = [isa.splat32(word(96)), isa.splat32(word(64)), isa.splat32(word(32))];
    into_basis(isa, [upper[0], upper[1], upper[2], isa.shuffle8(last, swap)])
}

/// Runs one chain from `offset` to its end, the value staying in registers.
#[inline(always)]
pub(super) fn chain<I: Isa>(isa: I, keys: &Words, chain: &mut Chain<'_>, offset: usize) {
    let zero = isa.zero();
    let mut state = enter(isa, [isa.load_part(chain.value), zero, zero, zero]);
    let mut block = [0; 16];
    for offset in (offset..chain.data.len()).step_by(16) {
        let input = isa.load_part(chain.data.block::<16>(offset));
        let input = enter(isa, [input, zero, zero, zero]);
        for w in 0..4 {
            state[w] = isa.xor(state[w], input[w]);
        }
        rounds_in_chain::<I, _, true>(isa, &mut state, Common { words: keys, flip: ENCRYPT });
        isa.store_part(leave(isa, state)[0], &mut block);
        chain.data.put(offset, &block);
        state.reverse();
    }
    isa.store_part(leave(isa, [state[3], state[2], state[1], state[0]])[0], chain.value);
}
