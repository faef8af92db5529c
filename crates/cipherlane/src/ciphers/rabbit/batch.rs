//! Many messages at once.

use lanes::{InOut, Level};

use super::clock;
use super::{Rabbit, initialise_lanes, lanes_of, words_of};
use crate::error::Error;
use crate::first_use::admit;
use crate::keystream::lane_rows::{Row, STREAMS};
use crate::keystream::scheduler::{InLanes, Keystream, LaneCipher, batch_in_lanes};
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, Packet};
use crate::traits::stream::StreamCipher;

/// Encrypts many messages at once, each with its own key, IV (or none) and length, in
/// 32-bit lanes.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::rabbit::RabbitBatch;
///
/// let (mut a, mut b) = (*b"one message", *b"and a longer one");
/// let mut batch = RabbitBatch::new()?;
/// batch.apply(&mut [
///     Packet::new(&[1; 16], &[2; 8], a.as_mut_slice().into()),
///     Packet::new(&[3; 16], &[], b.as_mut_slice().into()),
/// ])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Debug)]
pub struct RabbitBatch(InLanes<Lanes>);

batch_in_lanes!(RabbitBatch);

/// What the lanes are of.
struct Lanes;

impl LaneCipher for Lanes {
    type State = super::lanes::Rows;
    const EMPTY: Self::State = [[0; 64]; 17];
    const KEY: Sizes = super::KEY;
    const IV: Sizes = super::IV;
    const HALVES: bool = true;
    const FEWEST: usize = 3;

    fn admit(level: Level) -> Result<(), Error> {
        admit(level, &super::ANSWER)
    }

    fn lanes(level: Level) -> usize {
        lanes_of(level)
    }

    /// Four words of the key, two of the IV, and whether there is one.
    fn load(key: &[u8], iv: &[u8]) -> Row {
        let mut row = [0; 64];
        row[..16].copy_from_slice(key);
        row[16..16 + iv.len()].copy_from_slice(iv);
        row[24] = u8::from(!iv.is_empty());
        row
    }

    fn initialise(level: Level, rows: &[Row; STREAMS], state: &mut Self::State) {
        let (mut loads, mut ivs) = ([[0; 64]; STREAMS], [[0; 64]; 5]);
        for (lane, (row, load)) in rows.iter().zip(&mut loads).enumerate() {
            let [k0, k1, k2, k3, low, high] = words_of(row);
            for (bytes, word) in
                load.as_chunks_mut().0.iter_mut().zip(clock::expand(&[k0, k1, k2, k3]))
            {
                *bytes = word.to_le_bytes();
            }
            let [a, b, c, d] = clock::spread(low, high);
            let with_iv = if row[24] == 1 { u32::MAX } else { 0 };
            for (row, word) in ivs.iter_mut().zip([a, b, c, d, with_iv]) {
                row.as_chunks_mut::<4>().0[lane] = word.to_le_bytes();
            }
        }
        initialise_lanes(level, &loads, &ivs, state);
        lanes::wipe::wipe(&mut loads);
    }

    fn generate(
        level: Level,
        state: &mut Self::State,
        blocks: usize,
        quads: usize,
        out: &mut Keystream,
    ) {
        super::generate_lanes(level, state, blocks, quads, out);
    }

    fn alone(level: Level, key: &[u8], iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        Rabbit::with_level(key, iv, level)?.apply_inout(io)
    }
}
