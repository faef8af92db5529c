//! A CCM message in one pass: the MAC's chain waits for the rounds of one block after another, and
//! meanwhile the CPU ciphers the counter of a second one, so that the keystream costs nothing. What
//! stands between two rounds of the chain is contained in the last round's key, as in
//! [`chains`](super::chains).
//!
//! ```text
//! seal: E(first) beside E(Ctr0)                   the first link, and the mask of the tag
//!       each block of associated data: a link
//!       each block of plaintext: a link beside its keystream
//! open: E(first) beside E(Ctr0), E(Ctr1), E(Ctr2) the keystream is two blocks ahead, so that a link
//!       each block: a link beside E(Ctri+2)       contains the plaintext behind it in its last key
//! tag = chain ⊕ mask                              SP 800-38C §6.1, §6.2
//! ```
//!
//! The first block and the counters come as numbers: in memory they would be stored in halves, which
//! a load of the whole block waits for until all in front of it is done.

use lanes::{InOut, Isa};

use super::BLOCK;
use super::counter::{Counters, pair};
use super::register_blocks::rounds;
use super::round_keys::Keys;
use crate::traits::whole::CcmMessage;

/// The byte shuffle that reverses a block.
const REVERSE: [u8; BLOCK] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// As many bytes set as a block has, in front of as many that are not.
const SET: [u8; 2 * BLOCK] = {
    let mut set = [0; 2 * BLOCK];
    let mut i = 0;
    while i < BLOCK {
        set[i] = 0xff;
        i += 1;
    }
    set
};

/// What all links of a message share; registers of one block.
struct Pass<'p, I: Isa> {
    isa: I,
    keys: Keys<'p>,
    first: I::V,
    last: I::V,
    counters: Counters<I, true>,
}

/// A message, whole; in place, too.
#[inline(always)]
pub(super) fn message<I: Isa, const OPEN: bool>(
    isa: I,
    keys: Keys<'_>,
    message: &mut CcmMessage<'_, '_>,
) {
    const { assert!(I::BYTES == BLOCK) };
    let (first, last) = (isa.splat128(keys.first), isa.splat128(keys.last));
    let start = pair(isa, message.first as u64, (message.first >> 64) as u64);
    let start = isa.xor(isa.shuffle8(start, isa.splat128(&REVERSE)), first);
    let counters = Counters::new(isa, message.counter);
    let mut pass = Pass { isa, keys, first, last, counters };
    let tag = if OPEN {
        pass.open(start, message.aad, message.io)
    } else {
        pass.seal(start, message.aad, message.io)
    };
    isa.store(tag, &mut message.tag);
}

impl<I: Isa> Pass<'_, I> {
    /// The last round's key of a link, with the block that the chain takes next and the first
    /// round's key.
    #[inline(always)]
    fn before(&self, next: I::V) -> I::V {
        self.isa.xor3(self.last, next, self.first)
    }

    /// Links of associated data, of which the chain has taken the first block; it takes `next` behind
    /// them.
    #[inline(always)]
    fn aad(&self, mut chain: I::V, aad: &[u8], next: I::V) -> I::V {
        let isa = self.isa;
        for at in (BLOCK..=aad.len()).step_by(BLOCK) {
            let after = if at < aad.len() { isa.load(&aad[at..]) } else { next };
            let mut state = [chain];
            rounds::<I, 1, false>(isa, self.keys, &mut state, &[self.before(after)]);
            [chain] = state;
        }
        chain
    }

    /// Encrypts and returns the tag; `start` is the chain's first block with the first round's key.
    #[inline(always)]
    fn seal(&mut self, start: I::V, aad: &[u8], io: &mut InOut<'_>) -> I::V {
        let (isa, keys) = (self.isa, self.keys);
        let [count] = self.counters.take::<1>();
        let mut state = [start, isa.xor(count, self.first)];
        let mut next = self.block(io, 0);
        let after = if aad.is_empty() { next } else { isa.load(aad) };
        rounds::<I, 2, false>(isa, keys, &mut state, &[self.before(after), self.last]);
        let [chain, mask] = state;
        let mut chain = self.aad(chain, aad, next);
        for at in (0..io.len()).step_by(BLOCK) {
            let block = next;
            next = self.block(io, at + BLOCK);
            let [count] = self.counters.take::<1>();
            let mut state = [chain, isa.xor(count, self.first)];
            let last = [self.before(next), isa.xor(self.last, block)];
            rounds::<I, 2, false>(isa, keys, &mut state, &last);
            io.store_part(isa, at, state[1]);
            chain = state[0];
        }
        isa.xor3(chain, self.first, mask)
    }

    /// Decrypts and returns the tag of what was found.
    #[inline(always)]
    fn open(&mut self, start: I::V, aad: &[u8], io: &mut InOut<'_>) -> I::V {
        let (isa, keys, len) = (self.isa, self.keys, io.len());
        let [mask, one, two] = self.counters.take::<3>();
        let mut state =
            [start, isa.xor(mask, self.first), isa.xor(one, self.first), isa.xor(two, self.first)];
        let after = if aad.is_empty() { isa.zero() } else { isa.load(aad) };
        let last = [
            self.before(after),
            self.last,
            isa.xor(self.last, self.block(io, 0)),
            isa.xor(self.last, self.block(io, BLOCK)),
        ];
        rounds::<I, 4, false>(isa, keys, &mut state, &last);
        let [chain, mask, plain, mut next] = state;
        // Behind the end of the data it is keystream.
        let mut plain = self.cut(plain, len);
        let mut chain = isa.xor(self.aad(chain, aad, isa.zero()), plain);
        for at in (0..len).step_by(BLOCK) {
            let after = self.cut(next, len.saturating_sub(at + BLOCK));
            let block = self.block(io, at + 2 * BLOCK);
            let [count] = self.counters.take::<1>();
            let mut state = [chain, isa.xor(count, self.first)];
            let last = [self.before(after), isa.xor(self.last, block)];
            rounds::<I, 2, false>(isa, keys, &mut state, &last);
            io.store_part(isa, at, plain);
            (plain, [chain, next]) = (after, state);
        }
        isa.xor3(chain, self.first, mask)
    }

    /// A block of the data, with zeros behind their end.
    #[inline(always)]
    fn block(&self, io: &InOut<'_>, at: usize) -> I::V {
        if at < io.len() { io.load_part(self.isa, at) } else { self.isa.zero() }
    }

    /// A block with zeros from this byte on.
    #[inline(always)]
    fn cut(&self, block: I::V, bytes: usize) -> I::V {
        self.isa.and(block, self.isa.load(&SET[BLOCK - bytes.min(BLOCK)..]))
    }
}
