//! The round keys of sixteen neighbouring keys of a set, as the lanes take them: what messages
//! in lockstep load, instead of gathering it at each call.

use alloc::vec::Vec;

use lanes::{Isa, transpose};

use super::lane_keys::{self, MOST};
use super::round_keys::{ROUNDS, Words};
use super::word_sliced::Keys;
use super::{BLOCK, Sm4, byte_rounds};
use crate::secret::{Secret, Wipe};
use crate::traits::lockstep::LOCKSTEP;

/// A value or block of each message.
pub(super) type Row = [[u8; BLOCK]; LOCKSTEP];

/// Sixteen keys in the order of a word-sliced group's and of a byte-sliced group's lanes.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct LockstepKeys {
    /// A word of each key for each round. Group `g` of a level with short registers has
    /// its part at `g·BYTES`.
    words: [[u8; 4 * LOCKSTEP]; ROUNDS],
    /// A byte of each key: byte `i` of round `r` at [`plane`].
    planes: [[u8; LOCKSTEP]; 4 * ROUNDS],
}

impl Wipe for LockstepKeys {
    #[inline(always)]
    fn wipe(&mut self) {
        lanes::wipe::wipe_bytes(self.words.as_flattened_mut());
        lanes::wipe::wipe_bytes(self.planes.as_flattened_mut());
    }
}

/// Where the bytes `i` of a round lie: the registers of a transposed tile are stored whole, one
/// after another, and a register has the bytes of as many rounds as it has 32-bit lanes, every
/// fourth in the next 128-bit group.
#[inline(always)]
const fn plane<I: Isa>(round: usize, i: usize) -> usize {
    let groups = const { I::BYTES / BLOCK };
    let (tile, round) = (round / (4 * groups), round % (4 * groups));
    (16 * tile + 4 * (round % 4) + i) * groups + round / 4
}

/// Whether a level has none for neighbouring keys, so that there never are any.
#[inline(always)]
pub(super) const fn no_use<I: Isa>() -> bool {
    I::SM4_BYTES != 0 || !I::BYTE_MAPS
}

/// Makes the material of all keys, where the level has lanes for own keys.
#[inline(always)]
pub(super) fn precompute<I: Isa>(isa: I, keys: &[Sm4], to: &mut Vec<Secret<LockstepKeys>>) {
    if const { no_use::<I>() } {
        return;
    }
    to.clear();
    for keys in keys.chunks(LOCKSTEP) {
        let empty = LockstepKeys { words: [[0; 64]; ROUNDS], planes: [[0; LOCKSTEP]; 4 * ROUNDS] };
        to.push(Secret(empty));
        if let Some(place) = to.last_mut() {
            fill(isa, keys, &mut place.0);
        }
    }
}

/// At most sixteen keys; lanes without one get the first.
#[inline(always)]
fn fill<I: Isa>(isa: I, keys: &[Sm4], to: &mut LockstepKeys) {
    let mut words: [&Words; MOST] = [&keys[0].keys.0.words; MOST];
    for (words, key) in words.iter_mut().zip(keys) {
        *words = &key.keys.0.words;
    }
    for quad in 0..ROUNDS / 4 {
        for g in 0..const { 4 * LOCKSTEP / I::BYTES } {
            let rows = lane_keys::gather::<I, false>(isa, &words, g, quad);
            for r in 0..4 {
                isa.store(rows[r], &mut to.words[4 * quad + r][g * I::BYTES..]);
            }
        }
    }
    let planes = to.planes.as_flattened_mut();
    for tile in 0..const { 4 * ROUNDS / I::BYTES } {
        let mut r = [isa.zero(); LOCKSTEP];
        for i in 0..LOCKSTEP {
            let word = isa.load(&words[i].as_flattened()[tile * I::BYTES..]);
            // The byte-sliced state is Z = (I + J)·X; so is its key.
            let pairs = isa.xor(word, isa.rol32::<16>(word));
            r[i] = isa.xor3(word, pairs, isa.rol32::<8>(pairs));
        }
        let r = transpose::bytes(isa, r);
        for i in 0..LOCKSTEP {
            isa.store(r[i], &mut planes[(LOCKSTEP * tile + i) * I::BYTES..]);
        }
    }
}

/// Keys of neighbours for word-sliced groups, whose parts of a block come one after another.
#[derive(Clone, Copy)]
pub(super) struct InWords<'k> {
    pub(super) keys: &'k LockstepKeys,
    /// The order of a direction: round `r` takes key `r ⊕ flip`.
    pub(super) flip: usize,
}

impl<I: Isa> Keys<I> for InWords<'_> {
    type Quad = (usize, usize);

    #[inline(always)]
    fn quad(self, _: I, g: usize, quad: usize) -> (usize, usize) {
        (g % const { 4 * LOCKSTEP / I::BYTES }, quad)
    }

    #[inline(always)]
    fn key<const R: usize>(self, isa: I, (part, quad): (usize, usize)) -> I::V {
        let Self { keys, flip } = self;
        isa.load(&keys.words[((4 * quad + R) ^ flip) % ROUNDS][part * I::BYTES..])
    }
}

/// The same for byte-sliced groups, each block of a message being in another 128-bit group.
#[derive(Clone, Copy)]
pub(super) struct InBytes<'k> {
    pub(super) keys: &'k LockstepKeys,
    pub(super) flip: usize,
}

impl<I: Isa> byte_rounds::SlicedKeys<I> for InBytes<'_> {
    #[inline(always)]
    fn word(self, isa: I, round: usize) -> byte_rounds::Word<I::V> {
        let round = (round ^ self.flip) % ROUNDS;
        let mut key = [isa.zero(); 4];
        for i in 0..4 {
            let at = plane::<I>(round, i);
            key[i] = isa.splat128(&self.keys.planes[at % (4 * ROUNDS)]);
        }
        key
    }
}
