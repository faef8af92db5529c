//! Many messages under Grain-128AEADv2: their generators in lanes, then what each does with the output.

use alloc::vec::Vec;
use core::fmt;

use lanes::{InOut, Level};

use super::message::{Message, NONCE, TAG, check_text};
use super::{ANSWER, Grain128AeadOutputBatch, OfAead};
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::keystream::batch::Streams;
use crate::keystream::constructors::each_way;
use crate::keystream::generator::Generator;
use crate::secret::Secret;
use crate::traits::batch::{BatchCipher, Packet, check_all};
use crate::traits::mode::Direction;

/// How many messages are on their way at once.
const PACKETS_PER_PASS: usize = 256;

/// Seals or opens many messages at once, each with its own key of 16 bytes, nonce of 12, associated data
/// and length, with tags of 8 bytes.
///
/// Nothing is allocated after construction but a list of numbers. Time depends on lengths alone.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::grain::Grain128AeadBatch;
///
/// let (mut a, mut b) = (*b"one message", *b"and a longer one");
/// let mut tags = [[0; 8]; 2];
/// let [tag_a, tag_b] = &mut tags;
/// Grain128AeadBatch::seal()?.apply(&mut [
///     Packet::aead(&[1; 16], &[2; 12], b"header", a.as_mut_slice().into(), tag_a),
///     Packet::aead(&[3; 16], &[4; 12], b"", b.as_mut_slice().into(), tag_b),
/// ])?;
/// let [tag_a, tag_b] = &mut tags;
/// Grain128AeadBatch::open()?.apply(&mut [
///     Packet::aead(&[1; 16], &[2; 12], b"header", a.as_mut_slice().into(), tag_a),
///     Packet::aead(&[3; 16], &[4; 12], b"", b.as_mut_slice().into(), tag_b),
/// ])?;
/// assert_eq!((&a, &b), (b"one message", b"and a longer one"));
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Grain128AeadBatch {
    level: Level,
    direction: Direction,
    outputs: Grain128AeadOutputBatch,
    messages: Vec<Message>,
}

each_way! {
    Grain128AeadBatch, open, level => {
        let direction = if open { Direction::Decrypt } else { Direction::Encrypt };
        let (outputs, messages) =
            (Grain128AeadOutputBatch::with_level(level), Vec::with_capacity(PACKETS_PER_PASS));
        Self { level, direction, outputs, messages }
    }
}

impl Grain128AeadBatch {
    fn run(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        let Self { level, direction, outputs, messages } = self;
        let mut result = Ok(());
        for packets in packets.chunks_mut(PACKETS_PER_PASS) {
            messages.extend(packets.iter().map(|packet| Message::new(packet.aad.len())));
            outputs.run(&mut Packets { level: *level, direction: *direction, packets, messages });
            for (packet, message) in packets.iter_mut().zip(messages.iter()) {
                let tag = Secret(message.tag());
                match direction {
                    Direction::Encrypt => packet.tag.copy_from_slice(&tag.0),
                    Direction::Decrypt => {
                        packet.failed = !ct::equal(&tag.0, packet.tag);
                        if packet.failed {
                            packet.io.output().fill(0);
                            result = Err(Error::Authentication);
                        }
                    }
                }
            }
            // Wiped where they are.
            messages.clear();
        }
        result
    }
}

/// What the output of the generators goes to.
struct Packets<'a, 'p> {
    level: Level,
    direction: Direction,
    packets: &'a mut [Packet<'p>],
    messages: &'a mut [Message],
}

impl Streams for Packets<'_, '_> {
    fn count(&self) -> usize {
        self.packets.len()
    }

    fn key_and_iv(&self, message: usize) -> (&[u8], &[u8]) {
        (self.packets[message].key, self.packets[message].iv)
    }

    fn len(&self, message: usize) -> usize {
        let packet = &self.packets[message];
        self.messages[message].output_len(packet.aad.len(), packet.io.len())
    }

    fn take(&mut self, message: usize, _: usize, output: &[u8]) {
        let packet = &mut self.packets[message];
        let message = &mut self.messages[message];
        message.take(self.level, packet.aad, &mut packet.io, self.direction, output);
    }

    fn take_rest(&mut self, message: usize, _: usize, make: &mut dyn FnMut(InOut<'_>)) {
        let packet = &mut self.packets[message];
        let message = &mut self.messages[message];
        message.take_rest(self.level, packet.aad, &mut packet.io, self.direction, make);
    }
}

impl BatchCipher for Grain128AeadBatch {
    fn lanes(&self) -> usize {
        self.outputs.lanes()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check_length("key", packet.key.len(), OfAead::KEY)?;
        check_length("nonce", packet.iv.len(), NONCE)?;
        check_length("tag", packet.tag.len(), TAG)?;
        check_text(packet.aad.len(), packet.io.len())
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        admit(self.level, &ANSWER)?;
        check_all(packets, |packet| self.check(packet))?;
        self.run(packets)
    }
}

impl fmt::Debug for Grain128AeadBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Grain128AeadBatch");
        f.field("direction", &self.direction).field("level", &self.level).finish_non_exhaustive()
    }
}
