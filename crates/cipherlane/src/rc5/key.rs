//! Key expansion (RFC 2040 §6), constant-time: which key it is tells nothing but its length.

use super::word::Word;
use crate::secret::Wipe;

/// Words of an expanded key for 255 rounds.
pub(super) const MOST: usize = 512;

/// The expanded key: two words, and two a round.
#[derive(Clone, Copy)]
pub(super) struct Keys<W> {
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

/// Expands a key of at most 255 bytes.
#[inline(always)]
pub(super) fn expand<W: Word>(key: &[u8], rounds: u8) -> Keys<W> {
    let mut keys = Keys { words: [W::ZERO; MOST], rounds };
    let words = &mut keys.words[..2 * usize::from(rounds) + 2];
    let mut next = W::P;
    for word in words.iter_mut() {
        *word = next;
        next = next.plus(W::Q);
    }
    // As many words as the key has, at least one, the last one filled up with zeros.
    let mut bytes = [0; MAX_KEY + 1];
    bytes[..key.len()].copy_from_slice(key);
    let mut l = [W::ZERO; MAX_KEY.div_ceil(2)];
    let count = key.len().div_ceil(size_of::<W>()).max(1);
    for (word, bytes) in l[..count].iter_mut().zip(bytes.chunks(size_of::<W>())) {
        *word = W::read(bytes);
    }
    let (mut a, mut b, mut i, mut j) = (W::ZERO, W::ZERO, 0, 0);
    for _ in 0..3 * words.len().max(count) {
        a = words[i].plus(a).plus(b).left(W::number(3));
        words[i] = a;
        b = l[j].plus(a).plus(b).left(a.plus(b));
        l[j] = b;
        i = if i + 1 == words.len() { 0 } else { i + 1 };
        j = if j + 1 == count { 0 } else { j + 1 };
    }
    lanes::wipe::wipe_bytes(&mut bytes);
    lanes::wipe::wipe_each(&mut l[..count]);
    keys
}
