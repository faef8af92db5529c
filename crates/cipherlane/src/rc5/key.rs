//! Key expansion (RFC 2040 §6), constant-time: which key it is tells nothing but its length.

use super::word::Word;
use crate::secret::Wipe;

/// Words of an expanded key for 255 rounds.
pub(super) const MOST: usize = 512;

/// The expanded key: two words, and two a round.
#[derive(Clone, Copy)]
pub(crate) struct Keys<W> {
    pub(super) words: [W; MOST],
    pub(super) rounds: u8,
}

impl<W: Word> Wipe for Keys<W> {
    fn wipe(&mut self) {
        lanes::wipe::wipe_each(&mut self.words[..2 * usize::from(self.rounds) + 2]);
    }
}

/// The most bytes of a key.
pub(super) const MAX_KEY: usize = 255;

impl<W: Word> Keys<W> {
    /// A place for a key.
    pub(super) const fn empty(rounds: u8) -> Self {
        Self { words: [W::ZERO; MOST], rounds }
    }
}

/// Expands a key of at most 255 bytes into its place.
#[inline(always)]
pub(super) fn expand<W: Word>(key: &[u8], keys: &mut Keys<W>) {
    let rounds = keys.rounds;
    let words = &mut keys.words[..2 * usize::from(rounds) + 2];
    if key.len() == 4 * size_of::<W>() && words.len() >= 4 {
        return expand_four(key, words);
    }
    let mut next = W::P;
    for word in words.iter_mut() {
        *word = next;
        next = next.plus(W::Q);
    }
    // As many words as the key has, at least one, the last one filled up with zeros.
    let mut l = [W::ZERO; MAX_KEY.div_ceil(2)];
    let count = key.len().div_ceil(size_of::<W>()).max(1);
    for (word, bytes) in l[..count].iter_mut().zip(key.chunks(size_of::<W>())) {
        let mut padded = [0; 8];
        padded[..bytes.len()].copy_from_slice(bytes);
        *word = W::read(&padded);
        lanes::wipe::wipe(&mut padded);
    }
    let (mut a, mut b, mut i, mut j) = (W::ZERO, W::ZERO, 0, 0);
    for _ in 0..3 * words.len().max(count) {
        a = words[i].plus(a).plus(b).left(W::number(3));
        words[i] = a;
        // `a` comes last, as the others are there sooner.
        b = l[j].plus(b).plus(a).left(a.plus(b));
        l[j] = b;
        i = if i + 1 == words.len() { 0 } else { i + 1 };
        j = if j + 1 == count { 0 } else { j + 1 };
    }
    lanes::wipe::wipe_each(&mut l[..count]);
}

/// The same for a key of four words, which stay in registers, in turn, and of which there are
/// not more than of the expanded key.
#[inline(always)]
fn expand_four<W: Word>(key: &[u8], words: &mut [W]) {
    let mut l = [W::ZERO; 4];
    for (word, bytes) in l.iter_mut().zip(key.chunks_exact(size_of::<W>())) {
        *word = W::read(bytes);
    }
    let (mut a, mut b, mut next) = (W::ZERO, W::ZERO, W::P);
    for pass in 0..3 {
        for word in words.iter_mut() {
            // The first pass makes what it starts from on its way.
            let start = if pass == 0 { next } else { *word };
            next = next.plus(W::Q);
            a = start.plus(a).plus(b).left(W::number(3));
            *word = a;
            b = l[0].plus(b).plus(a).left(a.plus(b));
            l = [l[1], l[2], l[3], b];
        }
    }
    lanes::wipe::wipe_each(&mut l);
}
