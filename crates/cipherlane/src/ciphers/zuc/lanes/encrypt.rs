//! Keystream xored into the data of many messages.

use lanes::{Isa, Level, Registers as _, dispatch_aes};

use super::BLOCK;
use super::work::{Seat, Source, Turn, Work};

/// Encryption of every message's data.
pub(in super::super) struct Encrypt<'s>(pub(in super::super) &'s mut dyn Source);

impl Work for Encrypt<'_> {
    /// The highest byte of a word first.
    const ORDER: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

    fn source(&self) -> &dyn Source {
        self.0
    }

    fn bytes(&self, message: usize) -> usize {
        self.0.data_len(message) + self.0.tail_len(message)
    }

    fn take(&mut self, level: Level, turn: &Turn<'_>) {
        xor(level, self.0, 0, turn);
    }
}

/// Xors the keystream of a turn into the data that it is for. The first `skip` bytes of
/// each keystream, 0 or 48, are not for the data, and the first turn has more of it.
pub(super) fn xor(level: Level, source: &mut dyn Source, skip: usize, turn: &Turn<'_>) {
    dispatch_aes!(level, isa => xor_all(isa, source, skip, turn));
}

#[inline(always)]
fn xor_all<I: Isa>(isa: I, source: &mut dyn Source, skip: usize, turn: &Turn<'_>) {
    for seat in turn.seats {
        if seat.left == 0 {
            continue;
        }
        let tail = source.tail_len(seat.message);
        if tail > 0 {
            xor_tail(source, tail, seat, turn);
        }
        let mut io = source.data(seat.message);
        // Keystream bytes of this turn before those for the data.
        let before = skip.saturating_sub(seat.done);
        let from = seat.done + before - skip;
        let len = (16 * turn.quads - before).min(io.len().saturating_sub(from));
        if len == 0 {
            continue;
        }
        let mut part = io.part(from, len);
        let block_at = |block| (block * turn.streams + seat.stream) * BLOCK;
        if before > 0 {
            let isa = isa.narrow();
            let mask = isa.load(&turn.keystream[block_at(0) + before..][..BLOCK - before]);
            let sum = isa.xor(part.load_part(isa, 0), mask);
            part.store_part(isa, 0, sum);
        }
        for block in usize::from(before > 0)..(before + len).div_ceil(BLOCK) {
            let keystream = &turn.keystream[block_at(block)..][..BLOCK];
            for piece in (0..BLOCK).step_by(I::BYTES) {
                let offset = block * BLOCK + piece - before;
                let mask = isa.load(&keystream[piece..]);
                if offset + I::BYTES <= len {
                    let sum = isa.xor(part.load(isa, offset), mask);
                    part.store(isa, offset, sum);
                } else if offset < len {
                    let sum = isa.xor(part.load_part(isa, offset), mask);
                    part.store_part(isa, offset, sum);
                }
            }
        }
    }
}

/// The keystream behind that of the data, byte by byte: there are few.
#[inline(always)]
fn xor_tail(source: &mut dyn Source, tail: usize, seat: &Seat, turn: &Turn<'_>) {
    let len = source.data_len(seat.message);
    let out = source.tag(seat.message);
    for i in 0..tail {
        let place = (len + i).wrapping_sub(seat.done);
        if place < 16 * turn.quads {
            let block = place / BLOCK * turn.streams + seat.stream;
            out[i] ^= turn.keystream[block * BLOCK + place % BLOCK];
        }
    }
}
