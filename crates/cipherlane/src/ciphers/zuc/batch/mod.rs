//! Many messages at once, under keys, IVs and lengths of their own.
//!
//! | type | what | key | IV | tag |
//! |---|---|---|---|---|
//! | [`ZucBatch`] | encryption | the cipher's | the cipher's | none |
//! | [`ZucMacBatch`] | the MACs of [`mac`](super::mac) | the cipher's | the cipher's | as the MAC's |
//! | [`ZucBothBatch`] | encryption and MAC | encryption key, MAC key | encryption IV, MAC IV | as the MAC's |
//! | [`Nia6Batch`] | 256-NIA6 | 32 bytes | 16 bytes | 4 to 16 bytes |
//! | [`Nca6Batch`] | 256-NCA6 | 32 bytes | 16 bytes | 4 to 16 bytes |
//! | [`FrameBatch`] | 128-EEA3, 128-EIA3 of any number of bits | CK, IK | COUNT, BEARER, DIRECTION | 4 bytes |
//!
//! Nothing is allocated after construction. Time depends on lengths alone.

mod encrypt_and_mac;
mod frames;
mod nia6_tags;
mod packets;

use core::fmt;
use core::marker::PhantomData;

use lanes::Level;

use super::key;
use super::key::Member;
use super::lanes::{Authenticate, Encrypt, Lanes, Rooms, STREAMS, Source};
use super::mac::{Authenticates, TagLength, ZucMac, masked_first};
use crate::ciphers::zuc::load::Purpose;
use crate::error::Error;
use crate::first_use::admit;
use crate::keystream::constructors::at_level;
use crate::traits::batch::{BatchCipher, Message, Packet};
pub use encrypt_and_mac::ZucBothBatch;
pub use frames::{FrameBatch, FramePacket};
pub use nia6_tags::{Nca6Batch, Nia6Batch};
use packets::{AuthInput, Packets};

use crate::error::check_length;
use crate::secret::Secret;
use crate::sizes::Sizes;

/// Encrypts many messages at once, each with its own key, IV and length, in lanes.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::zuc::{Key128, ZucBatch};
///
/// let (mut a, mut b) = (*b"one message", *b"and a longer one");
/// let mut batch = ZucBatch::<Key128>::new()?;
/// batch.apply(&mut [
///     Packet::new(&[1; 16], &[2; 16], a.as_mut_slice().into()),
///     Packet::new(&[3; 16], &[4; 16], b.as_mut_slice().into()),
/// ])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct ZucBatch<M: Member> {
    lanes: Lanes,
    limit: Option<u64>,
    member: PhantomData<M>,
}

/// Makes the tags of many messages at once, each with its own key, IV and lengths, in
/// lanes. The message is the associated data; the tag's length chooses the MAC.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::zuc::{Key256Of2023, ZucMacBatch};
///
/// let (mut a, mut b) = ([0; 4], [0; 16]);
/// let mut batch = ZucMacBatch::<Key256Of2023>::new()?;
/// batch.apply(&mut [
///     Packet::mac(&[1; 32], &[2; 16], b"one message", &mut a),
///     Packet::mac(&[3; 32], &[4; 16], b"and a longer one", &mut b),
/// ])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct ZucMacBatch<M: Authenticates> {
    lanes: Lanes,
    rooms: Secret<Rooms>,
    /// The only length of tags, if there is only one.
    tag: Option<usize>,
    limited: bool,
    member: PhantomData<M>,
}

at_level! {
    ZucBatch<M>, [M: Member], level => Self { lanes: Lanes::new(level), limit: M::LIMIT, member: PhantomData }
}

impl<M: Member> ZucBatch<M> {
    /// The same without the specification's limit on the keystream of one key and IV: for
    /// measurements only. What lies past it has no cryptographic warranty.
    #[must_use]
    pub fn unlimited(level: Level) -> Self {
        Self { limit: None, ..Self::with_level(level) }
    }
}

at_level! {
    ZucMacBatch<M>, [M: Authenticates], level => {
        let rooms = Secret([[[0; 64]; 3]; STREAMS]);
        Self { lanes: Lanes::new(level), rooms, tag: None, limited: true, member: PhantomData }
    }
}

impl<M: Authenticates> ZucMacBatch<M> {
    /// For tags of one length, as the registry has them.
    #[cfg(feature = "alloc")]
    pub(super) fn of_tag(tag: usize, limits: crate::entry::Limits, level: Level) -> Self {
        let limited = limits == crate::entry::Limits::Enforced;
        Self { tag: Some(tag), limited, ..Self::with_level(level) }
    }
}

impl<M: Member> BatchCipher for ZucBatch<M> {
    fn lanes(&self) -> usize {
        self.lanes.streams()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        key::check::<M>(packet.key, packet.iv)?;
        crate::traits::batch::check_plain(packet.aad, packet.tag)?;
        check_limit(self.limit, packet.io.len())
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        check_all(self.lanes.level(), packets, |packet| self.check(packet))?;
        let cells = |packet: &Packet<'_>| M::load(packet.key, packet.iv, Purpose::Keystream);
        self.lanes.run(&mut Encrypt(&mut Packets::<M, _>::new(packets, AuthInput::Aad, cells)));
        Ok(())
    }
}

impl<M: Authenticates> BatchCipher for ZucMacBatch<M> {
    fn lanes(&self) -> usize {
        self.lanes.streams()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        key::check::<M>(packet.key, packet.iv)?;
        check_length("data", packet.io.len(), Sizes::exactly(0))?;
        if let Some(tag) = self.tag {
            check_length("tag", packet.tag.len(), Sizes::exactly(tag))?;
        }
        let checked = check_message::<M>(packet.aad.len(), packet.tag.len());
        if self.limited { checked } else { Ok(()) }
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        check_all(self.lanes.level(), packets, |packet| self.check(packet))?;
        let cells = |packet: &Packet<'_>| M::load(packet.key, packet.iv, purpose::<M>(packet));
        let mut source = Packets::<M, _>::new(packets, AuthInput::Aad, cells);
        authenticate::<M>(&mut self.lanes, &mut self.rooms, &mut source);
        Ok(())
    }
}

fn authenticate<M: Authenticates>(
    lanes: &mut Lanes,
    rooms: &mut Secret<Rooms>,
    source: &mut dyn Source,
) {
    let masked_first = masked_first::<M>();
    lanes.run(&mut Authenticate { source, rooms: &mut rooms.0, masked_first });
}

/// [`check_all`](crate::traits::batch::check_all) of a batch at a level.
fn check_all<M: Message>(
    level: Level,
    packets: &mut [M],
    check: impl Fn(&mut M) -> Result<(), Error>,
) -> Result<(), Error> {
    admit(level, &crate::ciphers::zuc::ANSWER)?;
    crate::traits::batch::check_all(packets, check)
}

fn check_limit(limit: Option<u64>, len: usize) -> Result<(), Error> {
    match limit {
        Some(limit) if len as u64 > limit => {
            Err(Error::Limit { what: "keystream bytes under one key and IV", limit })
        }
        _ => Ok(()),
    }
}

fn check_message<M: Authenticates>(len: usize, tag: usize) -> Result<(), Error> {
    TagLength::of::<M>(tag)?;
    let limit = ZucMac::<M>::limit(tag);
    if len as u64 > limit / 8 {
        return Err(Error::Limit { what: "bits of one message", limit });
    }
    Ok(())
}

fn purpose<M: Authenticates>(packet: &Packet<'_>) -> Purpose {
    TagLength::of::<M>(packet.tag.len()).map_or(Purpose::Keystream, |tag| tag.purpose)
}

impl<M: Member> fmt::Debug for ZucBatch<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ZucBatch").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}

impl<M: Authenticates> fmt::Debug for ZucMacBatch<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ZucMacBatch").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}
