//! 256-NIA6 and 256-NCA6 of many messages in one call.

use core::fmt;

use lanes::Level;

use super::super::key::{Key256Of2023, Load};
use super::super::lanes::{Hashed, Heads, Lanes, STREAMS};
use super::packets::{AuthInput, Packets};
use super::{check_all, key};
use crate::air256::hash::{Hash, TAGS, check_lengths};
use crate::ciphers::zuc::load::Purpose;
use crate::ct;
use crate::error::{Error, check_length};
use crate::keystream::constructors::{at_level, each_way};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, Packet};

/// The lanes, and what the hash of a message needs.
struct Machine {
    lanes: Lanes,
    hash: Hash,
    heads: Secret<Heads>,
}

impl Machine {
    fn new(level: Level) -> Self {
        let heads = Secret([[[0; 16]; 3]; STREAMS]);
        Self { lanes: Lanes::new(level), hash: Hash::unset(level), heads }
    }

    /// Makes tags of packets' input, or of what their data becomes; into `tags`, if given.
    fn run(&mut self, packets: &mut [Packet<'_>], text: AuthInput, tags: Option<&mut [[u8; 16]]>) {
        let cells =
            |packet: &Packet<'_>| Key256Of2023::load(packet.key, packet.iv, Purpose::Keystream);
        let mut source = Packets::<Key256Of2023, _>::new(packets, text, cells);
        source.tags = tags;
        let before = matches!(text, AuthInput::Input);
        let Self { lanes, hash, heads } = self;
        lanes.run(&mut Hashed { source: &mut source, hash, heads: &mut heads.0, before });
    }
}

/// 256-NIA6 of many messages at once, each with its own key, IV and length. The message
/// is the associated data. See [`Nia6`](super::super::Nia6) for one message.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::zuc::Nia6Batch;
///
/// // A tag of 40 bits.
/// let (mut iv, mut tag) = ([0; 16], [0; 5]);
/// iv[..2].copy_from_slice(&[40, 0x3f]);
/// Nia6Batch::new()?.apply(&mut [Packet::mac(&[0; 32], &iv, &[0], &mut tag)])?;
/// assert_eq!(tag, [0x41, 0x53, 0x90, 0x61, 0xeb]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Nia6Batch(Machine);

at_level! {
    Nia6Batch, level => Self(Machine::new(level))
}

impl BatchCipher for Nia6Batch {
    fn lanes(&self) -> usize {
        self.0.lanes.streams()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check(packet)?;
        check_length("data", packet.io.len(), Sizes::exactly(0))
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        check_all(self.0.lanes.level(), packets, |packet| self.check(packet))?;
        self.0.run(packets, AuthInput::Input, None);
        Ok(())
    }
}

/// 256-NCA6 of many messages at once, each with its own key, nonce and lengths. See
/// [`Nca6`](super::super::Nca6) for one message.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::zuc::Nca6Batch;
///
/// let (mut message, mut tag) = (*b"a message", [0; 8]);
/// let io = message.as_mut_slice().into();
/// Nca6Batch::seal()?.apply(&mut [Packet::aead(&[1; 32], &[2; 16], b"header", io, &mut tag)])?;
/// let io = message.as_mut_slice().into();
/// Nca6Batch::open()?.apply(&mut [Packet::aead(&[1; 32], &[2; 16], b"header", io, &mut tag)])?;
/// assert_eq!(&message, b"a message");
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Nca6Batch {
    machine: Machine,
    /// Tags as computed, for opening.
    tags: Secret<[[u8; 16]; PACKETS_PER_PASS]>,
    direction: Direction,
}

// As wide as its neighbours: see `Level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
enum Direction {
    Seal,
    Open,
}

/// Messages that are opened together.
const PACKETS_PER_PASS: usize = 256;

each_way! {
    Nca6Batch, open, level => {
        let direction = if open { Direction::Open } else { Direction::Seal };
        Self { machine: Machine::new(level), tags: Secret([[0; 16]; PACKETS_PER_PASS]), direction }
    }
}

impl BatchCipher for Nca6Batch {
    fn lanes(&self) -> usize {
        self.machine.lanes.streams()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check(packet)
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        check_all(self.machine.lanes.level(), packets, |packet| self.check(packet))?;
        if self.direction == Direction::Seal {
            self.machine.run(packets, AuthInput::Output, None);
            return Ok(());
        }
        let mut result = Ok(());
        for packets in packets.chunks_mut(PACKETS_PER_PASS) {
            self.machine.run(packets, AuthInput::Input, Some(&mut self.tags.0));
            for (packet, computed) in packets.iter_mut().zip(&self.tags.0) {
                packet.failed = !ct::equal(&computed[..packet.tag.len()], packet.tag);
                if packet.failed {
                    packet.io.output().fill(0);
                    result = Err(Error::Authentication);
                }
            }
        }
        result
    }
}

fn check(packet: &Packet<'_>) -> Result<(), Error> {
    key::check::<Key256Of2023>(packet.key, packet.iv)?;
    check_length("tag", packet.tag.len(), TAGS)?;
    check_lengths(packet.aad.len(), packet.io.len())
}

impl fmt::Debug for Nia6Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nia6Batch").field("lanes", &self.0.lanes).finish_non_exhaustive()
    }
}

impl fmt::Debug for Nca6Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Nca6Batch");
        f.field("direction", &self.direction).field("lanes", &self.machine.lanes);
        f.finish_non_exhaustive()
    }
}
