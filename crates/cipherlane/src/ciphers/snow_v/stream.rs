//! One stream in 16-byte registers.

use lanes::{InOut, Isa};

use super::clock::{Machine, ROUNDS, Rules, Seed, State, with_rules};
use super::member::Variant;
use crate::air256::hash::Head;

/// What a start writes besides the state.
pub(super) struct Besides<'a> {
    /// The first three blocks of keystream, behind which the state is then: one head.
    pub(super) heads: Option<&'a mut [Head]>,
    /// The blocks that the rounds of the initialisation give.
    pub(super) trace: Option<&'a mut [[u8; 16]; ROUNDS]>,
}

/// The initialisation.
#[inline(always)]
pub(super) fn start<I: Isa>(
    isa: I,
    variant: Variant,
    seed: &Seed,
    state: &mut State,
    besides: Besides<'_>,
) {
    with_rules!(variant, R => start_by::<I::Narrow, R>(isa.narrow(), seed, state, besides));
}

#[inline(always)]
fn start_by<I: Isa, R: Rules>(isa: I, seed: &Seed, state: &mut State, besides: Besides<'_>) {
    let (seeds, Besides { heads, trace }) = (core::slice::from_ref(seed), besides);
    let machine = Machine::<I>::start::<R>(isa, seeds, heads, trace);
    machine.save(isa, core::slice::from_mut(state));
}

/// Xors keystream into the data. Of the last block what the data doesn't use is left in `rest`, as
/// the end of the array; the number of bytes left is returned.
#[inline(always)]
pub(super) fn apply<I: Isa>(
    isa: I,
    variant: Variant,
    state: &mut State,
    io: &mut InOut<'_>,
    rest: &mut [u8; 16],
) -> usize {
    with_rules!(variant, R => apply_by::<I::Narrow, R>(isa.narrow(), state, io, rest))
}

#[inline(always)]
fn apply_by<I: Isa, R: Rules>(
    isa: I,
    state: &mut State,
    io: &mut InOut<'_>,
    rest: &mut [u8; 16],
) -> usize {
    let mut machine = Machine::load(isa, core::slice::from_ref(state));
    let (len, mut offset) = (io.len(), 0);
    // Two clocks: what is a₁ in the first is a₀ in the second, without a move.
    while const { I::SHUFFLE8_NATIVE } && len - offset >= 32 {
        for half in 0..2 {
            let at = offset + 16 * half;
            let z = machine.next::<R>(isa);
            io.store(isa, at, isa.xor(io.load(isa, at), z));
        }
        offset += 32;
    }
    let mut left = 0;
    while offset < len {
        let z = machine.next::<R>(isa);
        if len - offset >= 16 {
            io.store(isa, offset, isa.xor(io.load(isa, offset), z));
        } else {
            isa.store128(z, rest);
            io.store_part(isa, offset, isa.xor(io.load_part(isa, offset), z));
            left = offset + 16 - len;
        }
        offset += 16;
    }
    machine.save(isa, core::slice::from_mut(state));
    left
}
