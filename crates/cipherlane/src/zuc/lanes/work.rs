//! What is done with the keystreams of many messages.

use lanes::Level;

/// Messages that each want a keystream of their own.
pub(in super::super) trait Work {
    /// The initialisation clocks before the one whose word is discarded.
    const ROUNDS: usize;

    /// The order of the bytes of every 16 keystream bytes, from that of little-endian words.
    const ORDER: [u8; 16];

    /// How many messages there are.
    fn count(&self) -> usize;

    /// The number of keystream bytes that a message wants.
    fn bytes(&self, message: usize) -> usize;

    /// The cells that its keystream starts from.
    fn cells(&self, message: usize) -> [u32; 16];

    /// Uses the next keystream of the messages that have a place.
    fn take(&mut self, level: Level, turn: &Turn<'_>);
}

/// The keystream of one pass of the kernel.
pub(in super::super) struct Turn<'a> {
    /// The places; those without a message are to be passed over.
    pub(in super::super) seats: &'a [Seat],
    /// Sixteens of keystream bytes a stream, at most those of all the blocks.
    pub(in super::super) quads: usize,
    /// Blocks of 64 bytes, one a stream, `streams` of them before the next block of each.
    pub(in super::super) keystream: &'a [u8],
    /// How many streams there are, with a message or without.
    pub(in super::super) streams: usize,
}

/// A place at which a message is worked on.
#[derive(Clone, Copy, Default)]
pub(in super::super) struct Seat {
    /// The message.
    pub(in super::super) message: usize,
    /// The lane of its stream.
    pub(in super::super) stream: usize,
    /// Keystream bytes used so far, a multiple of 16.
    pub(in super::super) done: usize,
    /// Which of as many rooms as there are seats the message has for itself.
    pub(in super::super) room: usize,
    /// Sixteens of keystream bytes that it still wants; 0 if there is no message here.
    pub(in super::super) left: usize,
}
