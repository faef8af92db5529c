//! Packets as the lanes see them.

use core::marker::PhantomData;

use lanes::InOut;

use super::super::key::Member;
use super::super::lanes::{Source, put_cells};
use crate::traits::batch::Packet;

/// What of a packet is authenticated.
#[derive(Clone, Copy)]
pub(super) enum AuthInput {
    /// The associated data.
    Aad,
    /// The associated data and the data before encryption or decryption.
    Input,
    /// The associated data and the data after it.
    Output,
}

/// Packets that have been checked.
pub(super) struct Packets<'p, 'a, M, F> {
    packets: &'p mut [Packet<'a>],
    text: AuthInput,
    /// The cells of a packet for this pass.
    cells: F,
    /// What the packets' tags are written to, if not to the packets.
    pub(super) tags: Option<&'p mut [[u8; 16]]>,
    /// Whether tags are encrypted behind the data.
    pub(super) encrypt_tags: bool,
    member: PhantomData<M>,
}

impl<'p, 'a, M, F> Packets<'p, 'a, M, F>
where
    F: Fn(&Packet<'_>) -> [u32; 16],
{
    pub(super) fn new(packets: &'p mut [Packet<'a>], text: AuthInput, cells: F) -> Self {
        Self { packets, text, cells, tags: None, encrypt_tags: false, member: PhantomData }
    }
}

impl<M: Member, F> Source for Packets<'_, '_, M, F>
where
    F: Fn(&Packet<'_>) -> [u32; 16],
{
    fn count(&self) -> usize {
        self.packets.len()
    }

    fn rounds(&self) -> usize {
        M::ROUNDS
    }

    #[inline]
    fn cells(&self, message: usize, cells: &mut [u8; 64]) {
        put_cells(&(self.cells)(&self.packets[message]), cells);
    }

    fn data(&mut self, message: usize) -> InOut<'_> {
        self.packets[message].io.reborrow()
    }

    fn data_len(&self, message: usize) -> usize {
        self.packets[message].io.len()
    }

    fn tail_len(&self, message: usize) -> usize {
        if self.encrypt_tags { self.packets[message].tag.len() } else { 0 }
    }

    fn text(&mut self, message: usize) -> [&[u8]; 2] {
        let packet = &mut self.packets[message];
        match self.text {
            AuthInput::Aad => [&[], packet.aad],
            AuthInput::Input => [packet.aad, packet.io.input()],
            AuthInput::Output => [packet.aad, packet.io.output()],
        }
    }

    fn lengths(&self, message: usize) -> (u64, usize) {
        let packet = &self.packets[message];
        let data = match self.text {
            AuthInput::Aad => 0,
            AuthInput::Input | AuthInput::Output => packet.io.len(),
        };
        (8 * (packet.aad.len() + data) as u64, packet.tag.len())
    }

    fn tag(&mut self, message: usize) -> &mut [u8] {
        let tag = &mut self.packets[message].tag;
        match &mut self.tags {
            Some(tags) => &mut tags[message][..tag.len()],
            None => tag,
        }
    }
}
