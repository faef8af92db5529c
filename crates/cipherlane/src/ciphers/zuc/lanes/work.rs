//! What is done with the keystreams of many messages.

use lanes::{InOut, Level};

/// Many messages, each with its key, IV, data and tag, all checked.
pub(in super::super) trait Source {
    /// How many messages there are.
    fn count(&self) -> usize;

    /// The initialisation clocks before the one whose word is discarded.
    fn rounds(&self) -> usize;

    /// Writes the cells that a message's keystream starts from, little-endian.
    fn cells(&self, message: usize, cells: &mut [u8; 64]);

    /// The data to encrypt.
    fn data(&mut self, message: usize) -> InOut<'_>;

    /// The length of the data in bytes.
    fn data_len(&self, message: usize) -> usize;

    /// How many bytes of the tag are encrypted behind the data.
    fn tail_len(&self, message: usize) -> usize;

    /// The message to authenticate: two pieces, of which the first may be empty.
    fn text(&mut self, message: usize) -> [&[u8]; 2];

    /// The length of the message to authenticate, in bits, and of its tag, in bytes.
    fn lengths(&self, message: usize) -> (u64, usize);

    /// The tag to write.
    fn tag(&mut self, message: usize) -> &mut [u8];
}

/// A use of keystreams.
pub(in super::super) trait Work {
    /// The order of the bytes of every 16 keystream bytes, from that of little-endian words.
    const ORDER: [u8; 16];

    /// The messages.
    fn source(&self) -> &dyn Source;

    /// How many keystream bytes a message wants.
    fn bytes(&self, message: usize) -> usize;

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

/// Writes cells as [`Source::cells`] does.
#[inline(always)]
pub(in super::super) fn put_cells(words: &[u32; 16], cells: &mut [u8; 64]) {
    for (bytes, word) in cells.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
}
