//! Keystream xored into the data of many messages.

use core::marker::PhantomData;

use lanes::{Isa, Level, dispatch};

use super::super::key::{self, Member};
use super::BLOCK;
use super::work::{Turn, Work};
use crate::batch::Packet;

/// Messages of a batch whose keys and IVs have been checked.
pub(in super::super) struct Encrypt<'p, 'a, M> {
    packets: &'p mut [Packet<'a>],
    member: PhantomData<M>,
}

impl<'p, 'a, M: Member> Encrypt<'p, 'a, M> {
    pub(in super::super) const fn new(packets: &'p mut [Packet<'a>]) -> Self {
        Self { packets, member: PhantomData }
    }
}

impl<M: Member> Work for Encrypt<'_, '_, M> {
    const ROUNDS: usize = M::ROUNDS;
    /// The highest byte of a word first.
    const ORDER: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

    fn count(&self) -> usize {
        self.packets.len()
    }

    fn bytes(&self, message: usize) -> usize {
        self.packets[message].io.len()
    }

    fn cells(&self, message: usize) -> [u32; 16] {
        let packet = &self.packets[message];
        key::cells::<M>(packet.key, packet.iv).unwrap_or([0; 16])
    }

    fn take(&mut self, level: Level, turn: &Turn<'_>) {
        xor(level, self.packets, turn);
    }
}

fn xor(level: Level, packets: &mut [Packet<'_>], turn: &Turn<'_>) {
    dispatch!(level, isa => xor_all(isa, packets, turn));
}

#[inline(always)]
fn xor_all<I: Isa>(isa: I, packets: &mut [Packet<'_>], turn: &Turn<'_>) {
    for seat in turn.seats {
        if seat.left == 0 {
            continue;
        }
        let io = &mut packets[seat.message].io;
        let len = (16 * turn.quads).min(io.len() - seat.done);
        let mut part = io.part(seat.done, len);
        for block in 0..len.div_ceil(BLOCK) {
            let keystream = &turn.keystream[(block * turn.streams + seat.stream) * BLOCK..][..BLOCK];
            for piece in (0..BLOCK).step_by(I::BYTES) {
                let offset = block * BLOCK + piece;
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
