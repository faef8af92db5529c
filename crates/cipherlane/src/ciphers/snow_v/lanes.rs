//! Many streams side by side, one in each 128-bit group of a register.
//!
//! Where registers have one group there is nothing to gain: one stream fills it, and its clock is
//! bound by instructions and not by their latency (`docs/notes/snow.md`).

use lanes::{Isa, Streams};

use super::clock::{Machine, Rules, STREAMS, Seed, State, with_rules};
use super::member::Variant;
use crate::air256::hash::Head;

/// How many run side by side.
#[inline(always)]
pub(super) fn streams<I: Isa>(_: I) -> usize {
    const { I::BYTES / 16 }
}

/// The initialisation of all streams; of those that serve a tag the first three blocks of keystream,
/// too, behind which their states are then.
#[inline(always)]
pub(super) fn start<I: Isa>(
    isa: I,
    variant: Variant,
    seeds: &[Seed; STREAMS],
    states: &mut [State; STREAMS],
    heads: Option<&mut [Head]>,
) {
    if const { I::BYTES > 16 } {
        with_rules!(variant, R => start_by::<I, R>(isa, seeds, states, heads));
    }
}

#[inline(always)]
fn start_by<I: Isa, R: Rules>(
    isa: I,
    seeds: &[Seed; STREAMS],
    states: &mut [State; STREAMS],
    heads: Option<&mut [Head]>,
) {
    let machine = Machine::<I>::start::<R>(isa, seeds, heads, None);
    machine.save(isa, states);
}

/// Xors keystream into as many pieces of data, whole blocks.
#[inline(always)]
pub(super) fn apply<I: Isa>(
    isa: I,
    variant: Variant,
    states: &mut [State; STREAMS],
    data: &mut Streams<'_, STREAMS>,
) {
    if const { I::BYTES > 16 } {
        with_rules!(variant, R => apply_by::<I, R>(isa, states, data));
    }
}

#[inline(always)]
fn apply_by<I: Isa, R: Rules>(
    isa: I,
    states: &mut [State; STREAMS],
    data: &mut Streams<'_, STREAMS>,
) {
    let mut machine = Machine::load(isa, states);
    let (len, mut offset) = (data.len(), 0);
    while offset + 32 <= len {
        for half in 0..2 {
            let at = offset + 16 * half;
            let z = machine.next::<R>(isa);
            data.store_blocks(isa, 0, at, isa.xor(data.load_blocks(isa, 0, at), z));
        }
        offset += 32;
    }
    if offset < len {
        let z = machine.next::<R>(isa);
        data.store_blocks(isa, 0, offset, isa.xor(data.load_blocks(isa, 0, offset), z));
    }
    machine.save(isa, states);
}
