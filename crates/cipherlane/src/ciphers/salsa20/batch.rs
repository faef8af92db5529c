//! Many messages at once: each lane holds a block, of whatever message.

use core::fmt;

use lanes::{InOut, Level};

use super::block::BLOCK;
use super::{Salsa20, apply, key, lanes_of, of_many};
use crate::error::Error;
use crate::first_use::admit;
use crate::keystream::constructors::at_level;
use crate::keystream::lane_rows::{Row, STREAMS};
use crate::secret::Secret;
use crate::traits::batch::{BatchCipher, Packet, check_all, check_plain};

/// Encrypts many messages at once, each with its own key, nonce and length: long ones by
/// their own blocks side by side, of short ones and of ends the blocks of several.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::salsa20::Salsa20Batch;
///
/// let (mut a, mut b) = (*b"one message", *b"and a longer one");
/// let mut batch = Salsa20Batch::<12>::new()?;
/// batch.apply(&mut [
///     Packet::new(&[1; 32], &[2; 8], a.as_mut_slice().into()),
///     Packet::new(&[3; 16], &[4; 8], b.as_mut_slice().into()),
/// ])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Salsa20Batch<const ROUNDS: usize> {
    level: Level,
    lanes: usize,
    inputs: Secret<[Row; STREAMS]>,
    keystream: Secret<[u8; BLOCK * STREAMS]>,
    /// The message of each lane, and where in it the lane's block is.
    places: [[usize; 2]; STREAMS],
}

at_level! {
    Salsa20Batch<ROUNDS>, [const ROUNDS: usize], level => {
        Self {
            level,
            lanes: lanes_of(level),
            inputs: Secret([[0; BLOCK]; STREAMS]),
            keystream: Secret([0; BLOCK * STREAMS]),
            places: [[0; 2]; STREAMS],
        }
    }
}

impl<const ROUNDS: usize> Salsa20Batch<ROUNDS> {
    /// Makes the blocks of the first `count` lanes and xors them into their messages.
    fn flush(&mut self, packets: &mut [Packet<'_>], count: usize) {
        let half = self.level.split().filter(|&half| count <= lanes_of(half));
        of_many(half.unwrap_or(self.level), &self.inputs.0, ROUNDS, &mut self.keystream.0);
        let blocks = self.keystream.0.as_chunks::<BLOCK>().0;
        for (&[message, offset], block) in self.places[..count].iter().zip(blocks) {
            let io = &mut packets[message].io;
            let len = BLOCK.min(io.len() - offset);
            io.part(offset, len).xor(&block[..len]);
        }
    }
}

impl<const ROUNDS: usize> BatchCipher for Salsa20Batch<ROUNDS> {
    fn lanes(&self) -> usize {
        self.lanes
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        key::check(packet.key, packet.iv).and(check_plain(packet.aad, packet.tag))
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        admit(self.level, &super::ANSWER)?;
        check_all(packets, |packet| self.check(packet))?;
        let (mut waiting, single) = (0, self.lanes == 1 || packets.len() == 1);
        for message in 0..packets.len() {
            let packet = &mut packets[message];
            let len = packet.io.len();
            if single {
                alone::<ROUNDS>(self.level, packet.key, packet.iv, packet.io.reborrow())?;
                continue;
            }
            let mut input = [0; 16];
            key::expand(packet.key, packet.iv, &mut input);
            // Passes that this message fills by itself.
            let whole = len / (self.lanes * BLOCK) * (self.lanes * BLOCK);
            if whole > 0 {
                let (io, last) = (packet.io.part(0, whole), &mut Secret([0; BLOCK]).0);
                apply(self.level, &input, 0, ROUNDS, io, last);
            }
            for offset in (whole..len).step_by(BLOCK) {
                let mut words = input;
                words[8] = (offset / BLOCK) as u32;
                words[9] = ((offset / BLOCK) as u64 >> 32) as u32;
                for (bytes, word) in self.inputs.0[waiting].as_chunks_mut().0.iter_mut().zip(words)
                {
                    *bytes = word.to_le_bytes();
                }
                self.places[waiting] = [message, offset];
                waiting += 1;
                if waiting == self.lanes {
                    self.flush(packets, waiting);
                    waiting = 0;
                }
            }
        }
        if waiting > 0 {
            self.flush(packets, waiting);
        }
        Ok(())
    }
}

fn alone<const ROUNDS: usize>(
    level: Level,
    key: &[u8],
    nonce: &[u8],
    io: InOut<'_>,
) -> Result<(), Error> {
    use crate::traits::stream::StreamCipher as _;
    Salsa20::<ROUNDS>::with_level(key, nonce, level)?.apply_inout(io)
}

impl<const ROUNDS: usize> fmt::Debug for Salsa20Batch<ROUNDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Salsa20Batch").field("level", &self.level).finish_non_exhaustive()
    }
}
