//! One chain `v ← E(v ⊕ block)`, bound by the latency of the rounds.

use lanes::Isa;

use super::BLOCK;
use super::key::Keys;
use super::ordered::rounds;
use crate::block::Chain;

/// Runs a chain from `offset` to its end. What follows a block's last round, up to
/// the next block's first, is contained in the last round's key: a step takes the
/// rounds' latency and no more.
#[inline(always)]
pub(super) fn chain<I: Isa>(isa: I, keys: Keys<'_>, chain: &mut Chain<'_>, offset: usize) {
    let len = chain.data.len();
    if offset == len {
        return;
    }
    let (first, last) = (isa.splat128(keys.first), isa.splat128(keys.last));
    let mut value = [0; BLOCK];
    let input = isa.load(chain.data.block::<BLOCK>(offset));
    let mut state = [isa.xor3(isa.load(chain.value), input, first)];
    for at in (offset..len - BLOCK).step_by(BLOCK) {
        let next = isa.xor(isa.load(chain.data.block::<BLOCK>(at + BLOCK)), first);
        rounds::<I, 1, false>(isa, keys, &mut state, &[isa.xor(last, next)]);
        isa.store(isa.xor(state[0], next), &mut value);
        chain.data.put(at, &value);
    }
    rounds::<I, 1, false>(isa, keys, &mut state, &[last]);
    isa.store(state[0], &mut value);
    chain.data.put(len - BLOCK, &value);
    chain.value.copy_from_slice(&value);
}
