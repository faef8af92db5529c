//! Keystreams whose first bytes serve a hash: 256-NIA6 and 256-NCA6 of many messages.

use lanes::Level;

use super::encrypt::{Encrypt, xor};
use super::work::{Source, Turn, Work};
use super::{BLOCK, STREAMS};
use crate::air256::hash::{Hash, Head};

/// Keystream bytes that serve the hash.
const HEAD: usize = size_of::<Head>();

/// Keystream bytes of the messages under way that serve the hash.
pub(in super::super) type Heads = [Head; STREAMS];

/// Encryption of every message's data, if it has any, and the tag of it.
pub(in super::super) struct Hashed<'s> {
    pub(in super::super) source: &'s mut dyn Source,
    /// The place for the hash of one message after another.
    pub(in super::super) hash: &'s mut Hash,
    pub(in super::super) heads: &'s mut Heads,
    /// Whether the data is hashed before it is encrypted or decrypted, or after.
    pub(in super::super) before: bool,
}

impl Work for Hashed<'_> {
    const ORDER: [u8; 16] = Encrypt::ORDER;

    fn source(&self) -> &dyn Source {
        self.source
    }

    fn bytes(&self, message: usize) -> usize {
        HEAD + self.source.data_len(message)
    }

    fn take(&mut self, level: Level, turn: &Turn<'_>) {
        // Every message wants three sixteens, so the first turn of each has them.
        for seat in turn.seats.iter().filter(|seat| seat.left > 0 && seat.done == 0) {
            let head = turn.keystream[seat.stream * BLOCK..].as_chunks().0.first_chunk();
            if let Some(head) = head {
                if self.before {
                    self.make_tag(head, seat.message);
                } else {
                    self.heads[seat.room] = *head;
                }
            }
        }
        xor(level, self.source, HEAD, turn);
        if !self.before {
            let ending = |left| left > 0 && left <= turn.quads;
            for seat in turn.seats.iter().filter(|seat| ending(seat.left)) {
                let head = self.heads[seat.room];
                self.make_tag(&head, seat.message);
            }
        }
    }
}

impl Hashed<'_> {
    fn make_tag(&mut self, head: &Head, message: usize) {
        self.hash.set(head);
        let whole = self.hash.of(self.source.text(message));
        let tag = self.source.tag(message);
        tag.copy_from_slice(&whole[..tag.len()]);
    }
}
