//! 256-NIA4 and 256-NCA4 of many messages in one call.

use core::fmt;

use lanes::Level;

use super::super::member::{OfSnow5g, Sealed};
use super::schedule::{Lanes, Work};
use crate::air256::hash::{Hash, Head, TAGS, check_lengths};
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::keystream::constructors::{at_level, each_way};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, Packet, check_all};

/// The tags of messages, whose data is encrypted, decrypted or none.
struct Tags {
    /// The place for the hash of one message after another.
    hash: Hash,
    direction: Direction,
}

/// What is done.
// As wide as its neighbours: see `Level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
enum Direction {
    Authenticate,
    Seal,
    Open,
}

impl Tags {
    /// The whole tag of associated data and of the data as it is sent.
    fn tag(&mut self, packet: &mut Packet<'_>, head: &Head, sent: Direction) -> [u8; 16] {
        self.hash.set(head);
        match sent {
            Direction::Authenticate => self.hash.of([packet.aad, &[]]),
            Direction::Open => self.hash.of([packet.aad, packet.io.input()]),
            Direction::Seal => self.hash.of([packet.aad, packet.io.output()]),
        }
    }
}

impl Work for Tags {
    fn heads(&self) -> bool {
        true
    }

    fn begin(&mut self, packet: &mut Packet<'_>, head: &Head) -> bool {
        if self.direction == Direction::Open {
            let computed = Secret(self.tag(packet, head, Direction::Open));
            packet.failed = !ct::equal(&computed.0[..packet.tag.len()], packet.tag);
            if packet.failed {
                packet.io.output().fill(0);
            }
            return !packet.failed;
        }
        true
    }

    fn end(&mut self, packet: &mut Packet<'_>, head: &Head) {
        if self.direction != Direction::Open {
            let whole = self.tag(packet, head, self.direction);
            packet.tag.copy_from_slice(&whole[..packet.tag.len()]);
        }
    }
}

/// The lanes, and what is done with them.
struct Machine {
    lanes: Lanes,
    tags: Tags,
}

impl Machine {
    fn new(direction: Direction, level: Level) -> Self {
        Self { lanes: Lanes::new(level), tags: Tags { hash: Hash::unset(level), direction } }
    }

    fn run(&mut self, packets: &mut [Packet<'_>]) {
        self.lanes.run(OfSnow5g::VARIANT, &mut self.tags, packets);
    }
}

/// 256-NIA4 of many messages at once, each with its own key, IV and length. The message
/// is the associated data. See [`Nia4`](super::super::Nia4) for one message.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::snow_v::Nia4Batch;
///
/// // A tag of 40 bits.
/// let (mut iv, mut tag) = ([0; 16], [0; 5]);
/// iv[..2].copy_from_slice(&[40, 0x3f]);
/// Nia4Batch::new()?.apply(&mut [Packet::mac(&[0; 32], &iv, &[0], &mut tag)])?;
/// assert_eq!(tag, [0x51, 0x52, 0x9f, 0xd4, 0xe2]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Nia4Batch(Machine);

at_level! {
    Nia4Batch, level => Self(Machine::new(Direction::Authenticate, level))
}

impl BatchCipher for Nia4Batch {
    fn lanes(&self) -> usize {
        self.0.lanes.lanes()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check(packet)?;
        check_length("data", packet.io.len(), Sizes::exactly(0))
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        admit(self.0.lanes.level(), &super::super::ANSWER)?;
        check_all(packets, |packet| self.check(packet))?;
        self.0.run(packets);
        Ok(())
    }
}

/// 256-NCA4 of many messages at once, each with its own key, nonce and lengths. See
/// [`Nca4`](super::super::Nca4) for one message.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::snow_v::Nca4Batch;
///
/// let (mut message, mut tag) = (*b"a message", [0; 8]);
/// let io = message.as_mut_slice().into();
/// Nca4Batch::seal()?.apply(&mut [Packet::aead(&[1; 32], &[2; 16], b"header", io, &mut tag)])?;
/// let io = message.as_mut_slice().into();
/// Nca4Batch::open()?.apply(&mut [Packet::aead(&[1; 32], &[2; 16], b"header", io, &mut tag)])?;
/// assert_eq!(&message, b"a message");
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Nca4Batch(Machine);

each_way! {
    Nca4Batch, open, level => Self(Machine::new(if open { Direction::Open } else { Direction::Seal }, level))
}

impl BatchCipher for Nca4Batch {
    fn lanes(&self) -> usize {
        self.0.lanes.lanes()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check(packet)
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        admit(self.0.lanes.level(), &super::super::ANSWER)?;
        check_all(packets, |packet| self.check(packet))?;
        self.0.run(packets);
        let failed = packets.iter().any(|packet| packet.failed);
        if failed { Err(Error::Authentication) } else { Ok(()) }
    }
}

fn check(packet: &Packet<'_>) -> Result<(), Error> {
    super::super::check(packet.key, packet.iv)?;
    check_length("tag", packet.tag.len(), TAGS)?;
    check_lengths(packet.aad.len(), packet.io.len())
}

impl fmt::Debug for Nia4Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nia4Batch").field("lanes", &self.0.lanes).finish_non_exhaustive()
    }
}

impl fmt::Debug for Nca4Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Nca4Batch");
        f.field("direction", &self.0.tags.direction).field("lanes", &self.0.lanes);
        f.finish_non_exhaustive()
    }
}
