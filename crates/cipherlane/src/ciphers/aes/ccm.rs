//! The blocks of a CCM message in one pass: the MAC's chain waits for the rounds of one block after
//! another, and meanwhile the CPU ciphers the counter of a second one, so that the keystream costs
//! nothing. What stands between two rounds of the chain is contained in the last round's key, as in
//! [`chains`](super::chains).

use lanes::{InOut, Isa};

use super::BLOCK;
use super::counter::Counters;
use super::register_blocks::rounds;
use super::round_keys::Keys;

/// Runs whole blocks of plaintext into the chain and encrypts them; in place, too.
#[inline(always)]
pub(super) fn seal<I: Isa>(
    isa: I,
    keys: Keys<'_>,
    io: &mut InOut<'_>,
    counter: u128,
    value: &mut [u8; BLOCK],
) {
    let (first, last) = (isa.splat128(keys.first), isa.splat128(keys.last));
    let mut counters = Counters::new(isa, counter);
    let mut next = io.load(isa, 0);
    let mut chain = isa.xor3(isa.load(value), next, first);
    for at in (0..io.len()).step_by(BLOCK) {
        let block = next;
        let mut after = isa.zero();
        if at + BLOCK < io.len() {
            next = io.load(isa, at + BLOCK);
            after = isa.xor(next, first);
        }
        let [count] = counters.take::<1>();
        let mut state = [chain, isa.xor(count, first)];
        rounds::<I, 2, false>(isa, keys, &mut state, &[isa.xor(last, after), isa.xor(last, block)]);
        io.store(isa, at, state[1]);
        chain = state[0];
    }
    isa.store(chain, value);
}

/// Decrypts whole blocks and runs the plaintext into the chain, which is one block behind the
/// counters; in place, too.
#[inline(always)]
pub(super) fn open<I: Isa>(
    isa: I,
    keys: Keys<'_>,
    io: &mut InOut<'_>,
    counter: u128,
    value: &mut [u8; BLOCK],
) {
    let (first, last) = (isa.splat128(keys.first), isa.splat128(keys.last));
    let mut counters = Counters::new(isa, counter);
    let mut state = counters.take::<1>();
    state[0] = isa.xor(state[0], first);
    rounds::<I, 1, false>(isa, keys, &mut state, &[isa.xor(last, io.load(isa, 0))]);
    let mut plain = state[0];
    let mut chain = isa.load(value);
    for at in (BLOCK..io.len()).step_by(BLOCK) {
        io.store(isa, at - BLOCK, plain);
        let [count] = counters.take::<1>();
        let mut state = [isa.xor3(chain, plain, first), isa.xor(count, first)];
        let block = isa.xor(last, io.load(isa, at));
        rounds::<I, 2, false>(isa, keys, &mut state, &[last, block]);
        [chain, plain] = state;
    }
    io.store(isa, io.len() - BLOCK, plain);
    let mut state = [isa.xor3(chain, plain, first)];
    rounds::<I, 1, false>(isa, keys, &mut state, &[last]);
    isa.store(state[0], value);
}
