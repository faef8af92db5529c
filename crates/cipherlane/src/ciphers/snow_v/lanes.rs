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

/// Xors keystream into as many pieces of data, whole blocks. Where the messages end in the block that
/// follows, that block of keystream is written to `last`.
#[inline(always)]
pub(super) fn apply<I: Isa>(
    isa: I,
    variant: Variant,
    states: &mut [State; STREAMS],
    data: &mut Streams<'_, STREAMS>,
    last: Option<&mut [[u8; 16]; STREAMS]>,
) {
    if const { I::BYTES > 16 } {
        with_rules!(variant, R => apply_by::<I, R>(isa, states, data, last));
    }
}

#[inline(always)]
fn apply_by<I: Isa, R: Rules>(
    isa: I,
    states: &mut [State; STREAMS],
    data: &mut Streams<'_, STREAMS>,
    last: Option<&mut [[u8; 16]; STREAMS]>,
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
    while offset < len {
        let z = machine.next::<R>(isa);
        data.store_blocks(isa, 0, offset, isa.xor(data.load_blocks(isa, 0, offset), z));
        offset += 16;
    }
    match last {
        Some(last) => {
            let mut bytes = [0; 64];
            isa.store(machine.next::<R>(isa), &mut bytes);
            for i in 0..const { I::BYTES / 16 } {
                last[i] = bytes.as_chunks().0[i];
            }
        }
        // After the last block nobody goes on.
        None => machine.save(isa, states),
    }
}
