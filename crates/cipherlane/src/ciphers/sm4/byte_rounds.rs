//! The rounds of SM4 with one register per byte position of the block.
//!
//! The state is kept as `Z = (I + J)·X`, `J` all ones over the four bytes of a
//! word (`J² = 0`, so `I + J` is its own inverse). With
//! `dᵢ = Q'(tᵢ) + P'(tᵢ₋₁)` the round's `L` is `d + J·d = (I + J)·d`, so the update
//! is only `Z ⊕= d`, and the mixing falls on the input: `tᵢ` is the sum of the
//! other three bytes of `u = Zb ⊕ Zc ⊕ Zd ⊕ key`. Two rounds share `Zc ⊕ Zd`.
//!
//! Cost of a round and group: 4 + 4 + 4 sums of three, 2 shared sums, 8 byte
//! maps. A group's words lie in memory, where an operation takes them from; only the word that
//! was written last stays in registers. See `docs/notes/sm4-gfni.md`.

use core::hint::black_box;

use lanes::Isa;

use super::basis;
use super::round_keys::ROUNDS;

/// The four bytes of one word, most significant first, of a group of blocks.
pub(super) type Word<V> = [V; 4];
/// The four words of a group of blocks.
pub(super) type Group<V> = [Word<V>; 4];

/// Round keys as [`RoundKeys::slices`](super::round_keys::RoundKeys) has them.
pub(super) type Slices = [[[u8; 4]; 4]; ROUNDS];

/// Where byte-sliced rounds take their keys from: one key for all blocks, or own ones.
pub(super) trait SlicedKeys<I: Isa>: Copy {
    /// The key of a round, its four bytes in the lanes of the blocks.
    fn word(self, isa: I, round: usize) -> Word<I::V>;
}

/// One key for all blocks, in the order of a direction.
#[derive(Clone, Copy)]
pub(super) struct Common<'k> {
    pub(super) slices: &'k Slices,
    pub(super) flip: usize,
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
pub(super) fn mix<I: Isa>(isa: I, [a, b, c, d]: Word<I::V>) -> Word<I::V> {
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
pub(super) fn round<I: Isa>(
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

/// Between words `X` and `Z`, in either direction.
#[inline(always)]
pub(super) fn mixed<I: Isa>(isa: I, x: Group<I::V>) -> Group<I::V> {
    [mix(isa, x[0]), mix(isa, x[1]), mix(isa, x[2]), mix(isa, x[3])]
}

/// The words of a group, which the compiler is not to keep in registers from here on: sixteen of
/// them leave no room for what a round makes, and it would write that away and read it again in
/// place of reading words. Where a byte map is many instructions, these are what fills the time.
#[inline(always)]
fn in_memory<I: Isa, T>(_: I, words: &mut T) -> &mut T {
    if const { I::BYTE_MAPS_NATIVE } { black_box(words) } else { words }
}

/// What two rounds of a group hand on.
#[derive(Clone, Copy)]
struct Between<V> {
    /// The word written last.
    newest: Word<V>,
    /// The sum that both rounds share.
    shared: Word<V>,
}

impl<V: Copy> Between<V> {
    /// The word written last, from where it need not be loaded.
    #[inline(always)]
    fn newest<I: Isa<V = V>>(&self, word: Word<V>) -> Word<V> {
        if const { I::BYTE_MAPS_NATIVE } { self.newest } else { word }
    }
}

/// Round `quad + FROM`.
#[inline(always)]
fn first<I: Isa, K: SlicedKeys<I>, const FROM: usize>(
    isa: I,
    z: &mut Group<I::V>,
    between: &mut Between<I::V>,
    keys: K,
    quad: usize,
) {
    let z = in_memory(isa, z);
    let newest = between.newest::<I>(z[const { (FROM + 3) % 4 }]);
    between.shared = sum(isa, z[const { (FROM + 2) % 4 }], newest);
    let b = z[FROM + 1];
    round(isa, &mut z[FROM], b, between.shared, keys.word(isa, quad + FROM));
    between.newest = z[FROM];
}

/// Round `quad + FROM + 1`.
#[inline(always)]
fn second<I: Isa, K: SlicedKeys<I>, const FROM: usize>(
    isa: I,
    z: &mut Group<I::V>,
    between: &mut Between<I::V>,
    keys: K,
    quad: usize,
) {
    let z = in_memory(isa, z);
    let key = keys.word(isa, quad + FROM + 1);
    let newest = between.newest::<I>(z[FROM]);
    round(isa, &mut z[FROM + 1], newest, between.shared, key);
    between.newest = z[FROM + 1];
}

/// Two rounds of every group.
#[inline(always)]
fn two_rounds<I: Isa, K: SlicedKeys<I>, const G: usize, const FROM: usize>(
    isa: I,
    groups: &mut [Group<I::V>; G],
    between: &mut [Between<I::V>; G],
    keys: K,
    quad: usize,
) {
    if const { I::BYTE_MAPS_NATIVE } {
        for g in 0..G {
            first::<I, K, FROM>(isa, &mut groups[g], &mut between[g], keys, quad);
            second::<I, K, FROM>(isa, &mut groups[g], &mut between[g], keys, quad);
        }
    } else {
        for g in 0..G {
            first::<I, K, FROM>(isa, &mut groups[g], &mut between[g], keys, quad);
        }
        for g in 0..G {
            second::<I, K, FROM>(isa, &mut groups[g], &mut between[g], keys, quad);
        }
    }
}

/// All rounds on `G` groups in turn, from and to words `Z`.
#[inline(always)]
pub(super) fn rounds<I: Isa, K: SlicedKeys<I>, const G: usize>(
    isa: I,
    groups: &mut [Group<I::V>; G],
    keys: K,
) {
    if const { !I::BYTE_MAPS_NATIVE } {
        // Read anew, they need no registers before the first round (see the ledger).
        let mut local = *black_box(&mut *groups);
        turns(isa, &mut local, keys);
        *groups = local;
    } else {
        turns(isa, groups, keys);
    }
}

/// The rounds on words that lie where they are to stay.
#[inline(always)]
fn turns<I: Isa, K: SlicedKeys<I>, const G: usize>(isa: I, groups: &mut [Group<I::V>; G], keys: K) {
    let mut between = [Between { newest: groups[0][3], shared: groups[0][3] }; G];
    for g in 0..G {
        between[g].newest = groups[g][3];
    }
    for quad in (0..ROUNDS).step_by(4) {
        two_rounds::<I, K, G, 0>(isa, groups, &mut between, keys, quad);
        two_rounds::<I, K, G, 2>(isa, groups, &mut between, keys, quad);
    }
}
