//! The same by the kernel for one stream, where lanes have no byte maps: there the
//! S-boxes are Boolean circuits, which lanes would not make cheaper.

use lanes::Isa;

use super::super::clock::{Machine, State};
use super::{Cells, Rows};

/// Starts one stream; see [`super::clock::initialise`].
#[inline(always)]
pub(super) fn initialise<I: Isa>(isa: I, cells: &Cells, rounds: usize, state: &mut Rows) {
    let mut words = [0; 16];
    for t in 0..16 {
        words[t] = u32::from_le_bytes(cells[0].as_chunks().0[t]);
    }
    save(&Machine::start(isa, &words, rounds).state(isa), state);
}

/// The next keystream of one stream; see [`super::clock::generate`].
#[inline(always)]
pub(super) fn generate<I: Isa>(
    isa: I,
    state: &mut Rows,
    quads: usize,
    order: &[u8; 16],
    out: &mut [u8],
) {
    let mut machine = Machine::resume(isa, &restore(state));
    for out in out.chunks_exact_mut(16).take(quads) {
        write(&machine.four(isa), order, out);
    }
    save(&machine.state(isa), state);
}

/// Writes four words, their bytes in a given order.
#[inline(always)]
fn write(words: &[u32; 4], order: &[u8; 16], out: &mut [u8]) {
    let mut bytes = [0; 16];
    for i in 0..4 {
        bytes[4 * i..4 * i + 4].copy_from_slice(&words[i].to_le_bytes());
    }
    for i in 0..16 {
        out[i] = bytes[usize::from(order[i] & 15)];
    }
}

#[inline(always)]
fn restore(rows: &Rows) -> State {
    let mut state = [0; 18];
    for t in 0..18 {
        state[t] = u32::from_le_bytes(rows[t].as_chunks().0[0]);
    }
    state
}

#[inline(always)]
fn save(state: &State, rows: &mut Rows) {
    for t in 0..18 {
        rows[t].as_chunks_mut().0[0] = state[t].to_le_bytes();
    }
}
