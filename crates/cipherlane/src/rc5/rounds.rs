//! Encryption and decryption (RFC 2040 §5), over numbers and over lanes.

use lanes::Isa;

use super::key::Keys;
use super::word::Word;
use crate::block::tiles::TileCipher;

impl<W: Word> Keys<W> {
    /// The first two words, and those of the rounds.
    #[inline(always)]
    fn parts(&self) -> ([W; 2], &[[W; 2]]) {
        let used = &self.words[..2 * usize::from(self.rounds) + 2];
        ([used[0], used[1]], used[2..].as_chunks().0)
    }
}

impl<W: Word> TileCipher for Keys<W> {
    type Block = W::Block;

    #[inline(always)]
    fn one<const BACK: bool>(&self, block: W::Block) -> W::Block {
        let ([first, second], rounds) = self.parts();
        let [mut a, mut b] = W::split(block);
        if BACK {
            for [k, l] in rounds.iter().rev() {
                b = b.minus(*l).right(a) ^ a;
                a = a.minus(*k).right(b) ^ b;
            }
            W::join([a.minus(first), b.minus(second)])
        } else {
            a = a.plus(first);
            b = b.plus(second);
            for [k, l] in rounds {
                a = (a ^ b).left(b).plus(*k);
                b = (b ^ a).left(a).plus(*l);
            }
            W::join([a, b])
        }
    }

    #[inline(always)]
    fn many<I: Isa, const G: usize, const BACK: bool>(&self, isa: I, state: &mut [[I::V; 4]; G]) {
        let ([first, second], rounds) = self.parts();
        let ends = [first.splat(isa), second.splat(isa)];
        for g in 0..G {
            let [a, b, c, d] = state[g];
            let ([a, b], [c, d]) = (W::enter(isa, [a, b]), W::enter(isa, [c, d]));
            state[g] = [a, b, c, d];
        }
        if BACK {
            for [k, l] in rounds.iter().rev() {
                let keys = [k.splat(isa), l.splat(isa)];
                for g in 0..G {
                    let [a, b, c, d] = state[g];
                    let ([a, b], [c, d]) =
                        (unround::<I, W>(isa, [a, b], keys), unround::<I, W>(isa, [c, d], keys));
                    state[g] = [a, b, c, d];
                }
            }
            for g in 0..G {
                for i in 0..4 {
                    state[g][i] = W::sub(isa, state[g][i], ends[i % 2]);
                }
            }
        } else {
            for g in 0..G {
                for i in 0..4 {
                    state[g][i] = W::add(isa, state[g][i], ends[i % 2]);
                }
            }
            for [k, l] in rounds {
                let keys = [k.splat(isa), l.splat(isa)];
                for g in 0..G {
                    let [a, b, c, d] = state[g];
                    let ([a, b], [c, d]) =
                        (round::<I, W>(isa, [a, b], keys), round::<I, W>(isa, [c, d], keys));
                    state[g] = [a, b, c, d];
                }
            }
        }
        for g in 0..G {
            let [a, b, c, d] = state[g];
            let ([a, b], [c, d]) = (W::leave(isa, [a, b]), W::leave(isa, [c, d]));
            state[g] = [a, b, c, d];
        }
    }
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
