//! Many streams at once, each in a 32-bit lane: 4, 8, 16 or 2 × 16 by level.
//!
//! | file | what |
//! |---|---|
//! | `clock` | initialisation and keystream of one or two registers of streams |
//! | `single` | the same for one stream, where lanes would not be faster |
//! | `feedback`, `nonlinear` | the two halves of a clock |
//! | `schedule` | which message has which lane when |
//! | `width` | how many lanes, by how many messages |
//! | `work` | what is done with the keystream: [`work::Work`] |
//! | `encrypt`, `authenticate`, `nia6_keystreams` | the uses: xor, sums of windows, xor and POLYVAL |

mod authenticate;
mod clock;
mod encrypt;
#[cfg(test)]
mod equivalence;
mod feedback;
mod nia6_keystreams;
mod nonlinear;
mod schedule;
mod single;
mod width;
mod work;

pub(super) use authenticate::{Authenticate, Rooms};
pub(super) use encrypt::Encrypt;
pub(super) use nia6_keystreams::{Hashed, Heads};
pub(super) use schedule::Lanes;
pub(super) use work::{Source, put_cells};

use lanes::{Isa, Level, dispatch_aes};

use crate::keystream::lane_rows;

/// Keystream bytes of sixteen clocks.
const BLOCK: usize = 64;

/// The most streams side by side: two registers of them.
pub(super) const STREAMS: usize = 2 * lane_rows::STREAMS;

/// The most blocks that are made before they are used.
const BLOCKS: usize = 4;

/// The state of all streams: sixteen cells, R1 and R2, each a row of lanes.
type Rows = [[u8; 4 * STREAMS]; 18];

/// The cells that each stream starts from, little-endian.
type Cells = [[u8; 64]; STREAMS];

/// Room for the keystream of all streams.
type Keystream = [u8; BLOCKS * STREAMS * BLOCK];

/// How many streams run side by side in one register and at most.
pub(super) fn streams(level: Level) -> [usize; 2] {
    dispatch_aes!(level, isa => widths(isa))
}

/// Two registers of streams pay where there are registers for both.
#[inline(always)]
fn widths<I: Isa>(_: I) -> [usize; 2] {
    let lanes = if const { I::LANES_NATIVE } { I::BYTES / 4 } else { 1 };
    if const { I::REGISTERS >= 32 } { [lanes, 2 * lanes] } else { [lanes, lanes] }
}

/// Starts the first `streams` streams from their cells.
fn initialise(level: Level, streams: usize, cells: &Cells, rounds: usize, state: &mut Rows) {
    dispatch_aes!(level, isa => initialise_widths(isa, streams, cells, rounds, state));
}

#[inline(always)]
fn initialise_widths<I: Isa>(
    isa: I,
    streams: usize,
    cells: &Cells,
    rounds: usize,
    state: &mut Rows,
) {
    if const { !I::LANES_NATIVE } {
        single::initialise(isa, cells, rounds, state);
    } else {
        clock::initialise(isa, streams.div_ceil(I::BYTES / 4), cells, rounds, state);
    }
}

/// Makes the next `quads` times 16 keystream bytes of the first `streams` streams; see
/// [`clock::generate`].
fn generate(
    level: Level,
    streams: usize,
    state: &mut Rows,
    quads: usize,
    order: &[u8; 16],
    out: &mut Keystream,
) {
    dispatch_aes!(level, isa => generate_widths(isa, streams, state, quads, order, out));
}

#[inline(always)]
fn generate_widths<I: Isa>(
    isa: I,
    streams: usize,
    state: &mut Rows,
    quads: usize,
    order: &[u8; 16],
    out: &mut Keystream,
) {
    if const { !I::LANES_NATIVE } {
        single::generate(isa, state, quads, order, out);
    } else if const { I::REGISTERS >= 32 } && streams > I::BYTES / 4 {
        clock::generate::<I, 2>(isa, state, quads, order, out);
    } else {
        clock::generate::<I, 1>(isa, state, quads, order, out);
    }
}
