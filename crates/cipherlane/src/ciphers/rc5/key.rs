//! Key expansion (RFC 2040 §6), constant-time: which key it is tells nothing but its length.

use super::word::Word;
use crate::secret::Wipe;

/// Words of an expanded key for 255 rounds.
const MOST: usize = 512;

/// Words of one for at most 16 rounds, and what fills them up to pieces of two blocks.
const FEW: usize = 36;

/// Room for an expanded key: what is not used would have to be zeroed and moved with it.
#[derive(Clone)]
enum Room<W> {
    /// For at most 16 rounds.
    Few([W; FEW]),
    /// For more.
    #[cfg(feature = "alloc")]
    Many(alloc::boxed::Box<[W; MOST]>),
    /// For more, where nothing can be allocated.
    #[cfg(not(feature = "alloc"))]
    Many([W; MOST]),
}

/// The expanded key: two words, and two a round.
#[derive(Clone)]
pub(crate) struct Keys<W> {
    room: Room<W>,
    pub(super) rounds: u8,
}

impl<W: Word> Wipe for Keys<W> {
    #[inline(always)]
    fn wipe(&mut self) {
        lanes::wipe::wipe_each(self.words_mut());
    }
}

impl<W: Word> Keys<W> {
    /// A place for a key.
    #[inline(always)]
    pub(super) fn empty(rounds: u8) -> Self {
        let room = if 2 * usize::from(rounds) + 2 <= FEW {
            Room::Few([W::ZERO; FEW])
        } else {
            #[cfg(feature = "alloc")]
            let room = Room::Many(alloc::boxed::Box::new([W::ZERO; MOST]));
            #[cfg(not(feature = "alloc"))]
            let room = Room::Many([W::ZERO; MOST]);
            room
        };
        Self { room, rounds }
    }

    /// All words there is room for.
    #[inline(always)]
    pub(super) fn room(&self) -> &[W] {
        match &self.room {
            Room::Few(words) => words,
            Room::Many(words) => &words[..],
        }
    }

    /// The expanded key.
    #[inline(always)]
    pub(super) fn words(&self) -> &[W] {
        &self.room()[..2 * usize::from(self.rounds) + 2]
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [W] {
        let count = 2 * usize::from(self.rounds) + 2;
        match &mut self.room {
            Room::Few(words) => &mut words[..count],
            Room::Many(words) => &mut words[..count],
        }
    }
}

/// The most bytes of a key.
pub(super) const MAX_KEY: usize = 255;

/// Expands a key of at most 255 bytes into its place.
#[inline(always)]
pub(super) fn expand<W: Word>(key: &[u8], keys: &mut Keys<W>) {
    let words = keys.words_mut();
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
