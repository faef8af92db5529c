//! 128-EEA3 and 128-EIA3 of many packets whose lengths are in bits.

use core::fmt;

use lanes::{InOut, Level};

use super::super::Frame;
use super::super::frame::check_length_in_bits;
use super::super::key::{Key128, Load};
use super::super::lanes::{Encrypt, Lanes, Rooms, STREAMS, Source, put_cells};
use super::{authenticate, check_all};
use crate::ciphers::zuc::load::Purpose;
use crate::error::{Error, check_length};
use crate::keystream::constructors::at_level;
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::Message;

/// One packet of LTE or 5G.
pub struct FramePacket<'a> {
    /// CK for [`FrameBatch::eea3`], IK for [`FrameBatch::eia3`]: 16 bytes.
    pub key: &'a [u8],
    /// COUNT, BEARER and DIRECTION.
    pub frame: Frame,
    /// The data, in place or buffer to buffer.
    pub io: InOut<'a>,
    /// LENGTH in bits, which just fills the data; bit 0 is the most significant of byte 0.
    pub bits: u64,
    /// The tag that [`FrameBatch::eia3`] makes.
    pub tag: [u8; 4],
    /// Whether this packet was refused.
    pub failed: bool,
}

/// Public values and lengths, and nothing of key, data and tag.
impl fmt::Debug for FramePacket<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key: _, frame, io, bits, tag: _, failed } = self;
        let mut f = f.debug_struct("FramePacket");
        f.field("frame", frame).field("io", io).field("bits", bits);
        f.field("failed", failed).finish_non_exhaustive()
    }
}

impl<'a> FramePacket<'a> {
    /// A packet.
    #[must_use]
    pub fn new(key: &'a [u8], frame: Frame, io: InOut<'a>, bits: u64) -> Self {
        Self { key, frame, io, bits, tag: [0; 4], failed: false }
    }
}

/// 128-EEA3 and 128-EIA3 (3GPP TS 35.221) of many packets at once, in lanes.
///
/// ```
/// use cipherlane::air::{Bearer, Count, Direction};
/// use cipherlane::zuc::{Frame, FrameBatch, FramePacket};
///
/// // TS 35.223, 128-EIA3 test set 1: one bit.
/// let mut message = [0];
/// let frame = Frame::new(Count(0), Bearer::new(0)?, Direction::Uplink);
/// let mut packets = [FramePacket::new(&[0; 16], frame, (&mut message[..]).into(), 1)];
/// FrameBatch::new()?.eia3(&mut packets)?;
/// assert_eq!(packets[0].tag, [0xc8, 0xa9, 0x59, 0x5e]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct FrameBatch {
    lanes: Lanes,
    rooms: Secret<Rooms>,
}

at_level! {
    FrameBatch, level => Self { lanes: Lanes::new(level), rooms: Secret([[[0; 64]; 3]; STREAMS]) }
}

impl FrameBatch {
    /// How many packets share one pass of the kernel.
    #[must_use]
    pub const fn lanes(&self) -> usize {
        self.lanes.streams()
    }

    /// Encrypts or decrypts every packet. The bits behind LENGTH come out as 0.
    ///
    /// # Errors
    /// [`Error::Length`] for the first packet whose key is not 16 bytes, [`Error::Value`]
    /// for the first whose LENGTH does not just fill its data; then nothing is written.
    pub fn eea3(&mut self, packets: &mut [FramePacket<'_>]) -> Result<(), Error> {
        check(self.lanes.level(), packets)?;
        self.lanes.run(&mut Encrypt(&mut Frames { packets, iv: Frame::eea3_iv }));
        for packet in packets {
            if let Some(last) = packet.io.output().last_mut() {
                *last &= 0xff << (packet.bits.wrapping_neg() % 8);
            }
        }
        Ok(())
    }

    /// Makes the tag of every packet's input. The bits behind LENGTH count for nothing.
    ///
    /// # Errors
    /// As [`eea3`](Self::eea3).
    pub fn eia3(&mut self, packets: &mut [FramePacket<'_>]) -> Result<(), Error> {
        check(self.lanes.level(), packets)?;
        let mut source = Frames { packets, iv: Frame::eia3_iv };
        authenticate::<Key128>(&mut self.lanes, &mut self.rooms, &mut source);
        Ok(())
    }
}

fn check(level: Level, packets: &mut [FramePacket<'_>]) -> Result<(), Error> {
    check_all(level, packets, |packet| {
        check_length("key", packet.key.len(), Sizes::exactly(16))
            .and_then(|()| check_length_in_bits(packet.bits, packet.io.len()))
    })
}

impl Message for FramePacket<'_> {
    #[inline(always)]
    fn failed(&mut self) -> &mut bool {
        &mut self.failed
    }
}

struct Frames<'p, 'a> {
    packets: &'p mut [FramePacket<'a>],
    iv: fn(Frame) -> [u8; 16],
}

impl Source for Frames<'_, '_> {
    fn count(&self) -> usize {
        self.packets.len()
    }

    fn rounds(&self) -> usize {
        Key128::ROUNDS
    }

    fn cells(&self, message: usize, cells: &mut [u8; 64]) {
        let packet = &self.packets[message];
        let words = Key128::load(packet.key, &(self.iv)(packet.frame), Purpose::Keystream);
        put_cells(&words, cells);
    }

    fn data(&mut self, message: usize) -> InOut<'_> {
        self.packets[message].io.reborrow()
    }

    fn data_len(&self, message: usize) -> usize {
        self.packets[message].io.len()
    }

    fn tail_len(&self, _message: usize) -> usize {
        0
    }

    fn text(&mut self, message: usize) -> [&[u8]; 2] {
        [&[], self.packets[message].io.input()]
    }

    fn lengths(&self, message: usize) -> (u64, usize) {
        (self.packets[message].bits, 4)
    }

    fn tag(&mut self, message: usize) -> &mut [u8] {
        &mut self.packets[message].tag
    }
}

impl fmt::Debug for FrameBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameBatch").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}
