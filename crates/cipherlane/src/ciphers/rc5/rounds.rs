//! Encryption and decryption (RFC 2040 §5), over numbers and over lanes.

use lanes::Isa;

use super::key::Keys;
use super::word::{Word, Words};
use crate::block::tile_cipher::{LaneKeys, TileCipher};

impl<W: Word> Keys<W> {
    /// The first two words, and those of the rounds.
    #[inline(always)]
    fn parts(&self) -> ([W; 2], &[[W; 2]]) {
        let used = self.words();
        ([used[0], used[1]], used[2..].as_chunks().0)
    }

    /// The two words of a block.
    #[inline(always)]
    fn words_of<const DECRYPT: bool>(&self, [mut a, mut b]: [W; 2]) -> [W; 2] {
        let ([first, second], rounds) = self.parts();
        if DECRYPT {
            for [k, l] in rounds.iter().rev() {
                b = b.minus(*l).right(a) ^ a;
                a = a.minus(*k).right(b) ^ b;
            }
            [a.minus(first), b.minus(second)]
        } else {
            a = a.plus(first);
            b = b.plus(second);
            for [k, l] in rounds {
                a = (a ^ b).left(b).plus(*k);
                b = (b ^ a).left(a).plus(*l);
            }
            [a, b]
        }
    }
}

impl<W: Word> TileCipher for Keys<W> {
    type Block = W::Block;
    type Link = Words<W>;
    const WORDS: usize = 2;
    const USUAL: usize = 2 * super::ROUNDS as usize + 2;

    #[inline(always)]
    fn one<const DECRYPT: bool>(&self, block: W::Block) -> W::Block {
        W::join(self.words_of::<DECRYPT>(W::split(block)))
    }

    #[inline(always)]
    fn link(&self, Words(a, b): Words<W>) -> Words<W> {
        let [a, b] = self.words_of::<false>([a, b]);
        Words(a, b)
    }

    #[inline(always)]
    fn words<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4]) -> [I::V; 4] {
        let ([a, b], [c, d]) = (W::enter(isa, [a, b]), W::enter(isa, [c, d]));
        [a, b, c, d]
    }

    #[inline(always)]
    fn leave<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4]) -> [I::V; 4] {
        let ([a, b], [c, d]) = (W::leave(isa, [a, b]), W::leave(isa, [c, d]));
        [a, b, c, d]
    }

    #[inline(always)]
    fn rounds<I: Isa, K: LaneKeys<I>, const G: usize, const DECRYPT: bool>(
        isa: I,
        keys: K,
        state: &mut [[I::V; 4]; G],
    ) {
        if DECRYPT {
            let mut at = keys.count();
            while at > 2 {
                at -= 2;
                for g in 0..G {
                    let [a, b, c, d] = state[g];
                    let ([a, b], [c, d]) = (
                        unround::<I, W>(isa, [a, b], pair(isa, keys, at, g, false)),
                        unround::<I, W>(isa, [c, d], pair(isa, keys, at, g, true)),
                    );
                    state[g] = [a, b, c, d];
                }
            }
            for g in 0..G {
                let ([k, l], [m, n]) = (pair(isa, keys, 0, g, false), pair(isa, keys, 0, g, true));
                let [a, b, c, d] = state[g];
                let ([a, b], [c, d]) = (
                    [W::sub(isa, a, k), W::sub(isa, b, l)],
                    [W::sub(isa, c, m), W::sub(isa, d, n)],
                );
                state[g] = [a, b, c, d];
            }
        } else {
            for g in 0..G {
                let ([k, l], [m, n]) = (pair(isa, keys, 0, g, false), pair(isa, keys, 0, g, true));
                let [a, b, c, d] = state[g];
                let ([a, b], [c, d]) = (
                    [W::add(isa, a, k), W::add(isa, b, l)],
                    [W::add(isa, c, m), W::add(isa, d, n)],
                );
                state[g] = [a, b, c, d];
            }
            let mut at = 2;
            while at < keys.count() {
                for g in 0..G {
                    let [a, b, c, d] = state[g];
                    let ([a, b], [c, d]) = (
                        round::<I, W>(isa, [a, b], pair(isa, keys, at, g, false)),
                        round::<I, W>(isa, [c, d], pair(isa, keys, at, g, true)),
                    );
                    state[g] = [a, b, c, d];
                }
                at += 2;
            }
        }
    }

    #[inline(always)]
    fn key_words(&self) -> usize {
        2 * usize::from(self.rounds) + 2
    }

    #[inline(always)]
    fn key_word<I: Isa, const DECRYPT: bool>(&self, isa: I, number: usize) -> I::V {
        self.words()[number].splat(isa)
    }

    #[inline(always)]
    fn key_bytes<const DECRYPT: bool>(&self) -> &[u8] {
        lanes::plain::little_endian_bytes(self.room())
    }
}

/// Two key words for lanes of a group.
#[inline(always)]
fn pair<I: Isa, K: LaneKeys<I>>(isa: I, keys: K, at: usize, g: usize, other: bool) -> [I::V; 2] {
    [keys.word(isa, at, g, other), keys.word(isa, at + 1, g, other)]
}

/// A round in lanes.
#[inline(always)]
fn round<I: Isa, W: Word>(isa: I, [a, b]: [I::V; 2], [k, l]: [I::V; 2]) -> [I::V; 2] {
    let a = W::add(isa, W::rotate(isa, isa.xor(a, b), b), k);
    let b = W::add(isa, W::rotate(isa, isa.xor(b, a), a), l);
    [a, b]
}

/// Undoes a round in lanes.
#[inline(always)]
fn unround<I: Isa, W: Word>(isa: I, [a, b]: [I::V; 2], [k, l]: [I::V; 2]) -> [I::V; 2] {
    let zero = isa.zero();
    let b = isa.xor(W::rotate(isa, W::sub(isa, b, l), W::sub(isa, zero, a)), a);
    let a = isa.xor(W::rotate(isa, W::sub(isa, a, k), W::sub(isa, zero, b)), b);
    [a, b]
}
