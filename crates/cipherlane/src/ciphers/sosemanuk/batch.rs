//! Many messages at once.

use lanes::{InOut, Level};

use super::{Sosemanuk, generate_lanes, initialise_lanes, lanes_of, padded_key};
use crate::error::Error;
use crate::first_use::admit;
use crate::keystream::lane_rows::{Row, STREAMS};
use crate::keystream::scheduler::{InLanes, Keystream, LaneCipher, batch_in_lanes};
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, Packet};
use crate::traits::stream::StreamCipher;

/// Encrypts many messages at once, each with its own key, IV and length, in 32-bit lanes;
/// where there are lanes, in constant time.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::sosemanuk::SosemanukBatch;
///
/// let (mut a, mut b) = (*b"one message", *b"and a longer one");
/// let mut batch = SosemanukBatch::new()?;
/// batch.apply(&mut [
///     Packet::new(&[1; 16], &[2; 16], a.as_mut_slice().into()),
///     Packet::new(&[3; 32], &[4; 16], b.as_mut_slice().into()),
/// ])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Debug)]
pub struct SosemanukBatch(InLanes<Lanes>);

batch_in_lanes!(SosemanukBatch);

/// What the lanes are of.
struct Lanes;

impl LaneCipher for Lanes {
    type State = super::lanes::Rows;
    const EMPTY: Self::State = [[0; 64]; 12];
    const KEY: Sizes = super::KEY;
    const IV: Sizes = super::IV;
    // Rotations and sums of three are instructions of the longer registers alone.
    const HALVES: bool = false;
    const FEWEST: usize = 3;

    fn admit(level: Level) -> Result<(), Error> {
        admit(level, &super::ANSWER)
    }

    fn lanes(level: Level) -> usize {
        lanes_of(level)
    }

    fn load(key: &[u8], iv: &[u8]) -> Row {
        let mut row = [0; 64];
        row[..32].copy_from_slice(&padded_key(key));
        row[32..32 + iv.len()].copy_from_slice(iv);
        row
    }

    fn initialise(level: Level, rows: &[Row; STREAMS], state: &mut Self::State) {
        initialise_lanes(level, rows, state);
    }

    fn generate(
        level: Level,
        state: &mut Self::State,
        blocks: usize,
        quads: usize,
        out: &mut Keystream,
    ) {
        generate_lanes(level, state, blocks, quads, out);
    }

    fn alone(level: Level, key: &[u8], iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        Sosemanuk::with_level(key, iv, level)?.apply_inout(io)
    }
}
