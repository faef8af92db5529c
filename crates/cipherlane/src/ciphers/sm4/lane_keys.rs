//! Word-sliced rounds in which every block has a key of its own.
//!
//! A key word of a group is a register with the words of the group's keys in the lanes of
//! their blocks: the transposition that takes blocks to words takes round keys of four rounds
//! to the registers of four rounds. For blocks that are ciphered once this is done between
//! the rounds ([`Own`]); for chains it is kept ([`Kept`]).

use lanes::{Isa, transpose};

use super::round_keys::{ENCRYPT, ROUNDS, Words};
use super::word_sliced::{Group, Keys};
use super::{BLOCK, Sm4};

/// Four round keys in memory, word after word.
#[inline(always)]
fn four(words: &Words, quad: usize) -> &[u8; BLOCK] {
    &words.as_flattened().as_chunks().0[quad % (ROUNDS / 4)]
}

/// The keys of a tile of blocks, in their order.
#[derive(Clone, Copy)]
pub(super) struct Own<'k, const BY_REGISTER: bool> {
    pub(super) words: &'k [&'k Words; MOST],
    pub(super) flip: usize,
}

/// The most blocks of a tile: four groups of 64-byte registers.
pub(super) const MOST: usize = 64;

/// Four rounds' keys of one group: register `i` holds the keys of blocks
/// `i·(BYTES / 16)` and following; `BY_REGISTER` says that these have one key.
#[inline(always)]
pub(super) fn gather<I: Isa, const BY_REGISTER: bool>(
    isa: I,
    keys: &[&Words; MOST],
    g: usize,
    quad: usize,
) -> Group<I::V> {
    let blocks = const { I::BYTES / BLOCK };
    let mut rows = [isa.zero(); 4];
    for i in 0..4 {
        let first = (4 * g + i) * blocks;
        rows[i] = if BY_REGISTER || blocks == 1 {
            isa.splat128(four(keys[first], quad))
        } else if blocks == 2 {
            let (a, b) = (four(keys[first], quad), four(keys[first + 1], quad));
            isa.load_blocks([a, b, a, b])
        } else {
            isa.load_blocks([
                four(keys[first], quad),
                four(keys[first + 1], quad),
                four(keys[first + 2], quad),
                four(keys[first + 3], quad),
            ])
        };
    }
    transpose::words(isa, rows)
}

impl<I: Isa, const BY_REGISTER: bool> Keys<I> for Own<'_, BY_REGISTER> {
    type Quad = Group<I::V>;

    #[inline(always)]
    fn quad(self, isa: I, g: usize, quad: usize) -> Group<I::V> {
        let Self { words, flip } = self;
        let mut keys = gather::<I, BY_REGISTER>(isa, words, g, quad ^ (flip / 4));
        // The direction is public; with one kernel for both there is half the code.
        if flip != ENCRYPT {
            keys.reverse();
        }
        keys
    }

    #[inline(always)]
    fn key<const R: usize>(self, _: I, quad: Group<I::V>) -> I::V {
        quad[R]
    }
}

/// The encryption keys of `G` groups of lanes, ready to be loaded.
pub(super) struct Kept<const G: usize>([[[u8; 64]; G]; ROUNDS]);

impl<const G: usize> crate::secret::Wipe for Kept<G> {
    fn wipe(&mut self) {
        lanes::wipe::wipe_bytes(self.0.as_flattened_mut().as_flattened_mut());
    }
}

impl<I: Isa, const G: usize> Keys<I> for &Kept<G> {
    type Quad = (usize, usize);

    #[inline(always)]
    fn quad(self, _: I, g: usize, quad: usize) -> (usize, usize) {
        (g, quad)
    }

    #[inline(always)]
    fn key<const R: usize>(self, isa: I, (g, quad): (usize, usize)) -> I::V {
        isa.load(&self.0[(4 * quad + R) % ROUNDS][g])
    }
}

impl Kept<1> {
    /// The keys of one round.
    #[inline(always)]
    pub(super) fn round<I: Isa>(&self, isa: I, round: usize) -> I::V {
        isa.load(&self.0[round % ROUNDS][0])
    }
}

/// Keys of a group that change together are gathered; fewer are put in one by one.
const FEW: u32 = 3;

impl<const G: usize> Kept<G> {
    /// No keys yet.
    pub(super) const EMPTY: Self = Self([[[0; 64]; G]; ROUNDS]);

    /// One key for all lanes.
    #[inline(always)]
    pub(super) fn common<I: Isa>(&mut self, isa: I, words: &Words) {
        for (places, word) in self.0.iter_mut().zip(words) {
            let word = isa.splat32(u32::from_le_bytes(*word));
            for g in 0..G {
                isa.store(word, &mut places[g]);
            }
        }
    }

    /// The keys of the lanes in use, of which some have changed, a bit of `changed` each.
    #[inline(always)]
    pub(super) fn update<I: Isa>(
        &mut self,
        isa: I,
        keys: &[Sm4],
        numbers: &[usize],
        changed: u128,
    ) {
        let lanes = const { I::BYTES / 4 };
        let all = (1_u128 << lanes) - 1;
        for g in 0..G {
            let mut changed = changed >> (g * lanes) & all;
            if changed.count_ones() > FEW {
                self.gather(isa, keys, numbers, g);
                continue;
            }
            while changed != 0 {
                let lane = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                if let Some(&number) = numbers.get(g * lanes + lane) {
                    self.put::<I>(&keys[number].keys.0.words, g, lane);
                }
            }
        }
    }

    /// All keys of a group.
    #[inline(always)]
    fn gather<I: Isa>(&mut self, isa: I, keys: &[Sm4], numbers: &[usize], g: usize) {
        let lanes = const { I::BYTES / 4 };
        let mut words = [&keys[0].keys.0.words; MOST];
        for lane in 0..lanes {
            if let Some(&number) = numbers.get(g * lanes + lane) {
                words[lane] = &keys[number].keys.0.words;
            }
        }
        for quad in 0..ROUNDS / 4 {
            let rows = gather::<I, false>(isa, &words, 0, quad);
            for r in 0..4 {
                isa.store(rows[r], &mut self.0[4 * quad + r][g]);
            }
        }
    }

    /// The key of one lane, counted by blocks of the group.
    #[inline(always)]
    fn put<I: Isa>(&mut self, words: &Words, g: usize, lane: usize) {
        let blocks = const { I::BYTES / BLOCK };
        let place = 4 * (lane % blocks) + lane / blocks;
        for (places, word) in self.0.iter_mut().zip(words) {
            places[g].as_chunks_mut().0[place] = *word;
        }
    }
}
