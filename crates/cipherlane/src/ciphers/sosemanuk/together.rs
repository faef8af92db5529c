//! One stream: the outputs of many steps encrypted at once, four groups of four in a register.

use lanes::{InOut, Isa, transpose};

use super::clock::{LONG, Taken};
use super::serpent;
use super::word::Many;

/// Xors the keystream of the steps taken into [`LONG`] bytes of data.
#[inline(always)]
pub(super) fn apply<I: Isa>(isa: I, taken: &Taken, io: &mut InOut<'_>) {
    for offset in (0..LONG).step_by(64) {
        let mut f = [isa.zero(); 4];
        for i in 0..4 {
            f[i] = isa.load(&taken.f[offset + 16 * i..]);
        }
        let z = serpent::serpent1(Many(isa), transpose::words(isa, f));
        let z = transpose::words(isa, z);
        for i in 0..4 {
            let at = offset + 16 * i;
            let mask = isa.xor(z[i], isa.load(&taken.cells[at..]));
            let sum = isa.xor(io.load(isa, at), mask);
            io.store(isa, at, sum);
        }
    }
}
