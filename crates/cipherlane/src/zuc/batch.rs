//! Many messages at once, under keys, IVs and lengths of their own.
//!
//! | type | what | key | IV | tag |
//! |---|---|---|---|---|
//! | [`ZucBatch`] | encryption | the cipher's | the cipher's | none |
//! | [`ZucMacBatch`] | the MACs of [`mac`](super::mac) | the cipher's | the cipher's | as the MAC's |
//! | [`ZucBothBatch`] | encryption and MAC | encryption key, MAC key | encryption IV, MAC IV | as the MAC's |
//!
//! Nothing is allocated after construction. Time depends on lengths alone.

use core::fmt;
use core::marker::PhantomData;

use lanes::{InOut, Level};

use super::key::{self, Member, Purpose};
use super::lanes::{Authenticate, Encrypt, Lanes, Rooms, STREAMS, Source};
use super::mac::{Authenticates, TagLength, ZucMac, masked_first};
use super::Order;
use crate::Error;
use crate::batch::{BatchCipher, Packet};
use crate::error::{Sizes, check_length};
use crate::secret::Secret;

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
    member: PhantomData<M>,
}

/// Encrypts many messages and makes their tags, in one call. Key and IV are those of the
/// encryption, followed by those of the MAC, of the same lengths.
///
/// Whoever receives such messages uses the other order: what came first is undone last.
/// The tags are to be compared in constant time.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::zuc::{Key128, Order, ZucBothBatch};
///
/// let (mut message, mut tag) = (*b"a message", [0; 4]);
/// let io = message.as_mut_slice().into();
/// ZucBothBatch::<Key128>::new(Order::EncryptThenMac)?
///     .apply(&mut [Packet::aead(&[1; 32], &[2; 32], &[], io, &mut tag)])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct ZucBothBatch<M: Authenticates> {
    lanes: Lanes,
    rooms: Secret<Rooms>,
    order: Order,
    member: PhantomData<M>,
}

impl<M: Member> ZucBatch<M> {
    /// A batch at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
    pub fn new() -> Result<Self, Error> {
        Ok(Self::with_level(Level::detect()?))
    }

    /// A batch at a given level.
    #[must_use]
    pub fn with_level(level: Level) -> Self {
        Self { lanes: Lanes::new(level), limit: M::LIMIT, member: PhantomData }
    }

    /// The same without the specification's limit on the keystream of one key and IV: for
    /// measurements only. What lies past it has no cryptographic warranty.
    #[must_use]
    pub fn unlimited(level: Level) -> Self {
        Self { limit: None, ..Self::with_level(level) }
    }
}

impl<M: Authenticates> ZucMacBatch<M> {
    /// A batch at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
    pub fn new() -> Result<Self, Error> {
        Ok(Self::with_level(Level::detect()?))
    }

    /// A batch at a given level.
    #[must_use]
    pub fn with_level(level: Level) -> Self {
        let rooms = Secret([[[0; 64]; 3]; STREAMS]);
        Self { lanes: Lanes::new(level), rooms, member: PhantomData }
    }
}

impl<M: Authenticates> ZucBothBatch<M> {
    /// A batch at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
    pub fn new(order: Order) -> Result<Self, Error> {
        Ok(Self::with_level(order, Level::detect()?))
    }

    /// A batch at a given level.
    #[must_use]
    pub fn with_level(order: Order, level: Level) -> Self {
        let rooms = Secret([[[0; 64]; 3]; STREAMS]);
        Self { lanes: Lanes::new(level), rooms, order, member: PhantomData }
    }
}

impl<M: Member> BatchCipher for ZucBatch<M> {
    fn lanes(&self) -> usize {
        self.lanes.streams()
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        let limit = self.limit;
        check_all(packets, |packet| {
            key::check::<M>(packet.key, packet.iv)?;
            crate::batch::check_plain(packet.aad, packet.tag)?;
            check_limit(limit, packet.io.len())
        })?;
        let cells = |packet: &Packet<'_>| key::cells::<M>(packet.key, packet.iv);
        self.lanes.run(&mut Encrypt(&mut Packets::<M, _>::new(packets, Text::Aad, cells)));
        Ok(())
    }
}

impl<M: Authenticates> BatchCipher for ZucMacBatch<M> {
    fn lanes(&self) -> usize {
        self.lanes.streams()
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        check_all(packets, |packet| {
            key::check::<M>(packet.key, packet.iv)?;
            check_length("data", packet.io.len(), Sizes::exactly(0))?;
            check_message::<M>(packet.aad.len(), packet.tag.len())
        })?;
        let cells =
            |packet: &Packet<'_>| key::cells_for::<M>(purpose::<M>(packet), packet.key, packet.iv);
        let mut source = Packets::<M, _>::new(packets, Text::Aad, cells);
        authenticate::<M>(&mut self.lanes, &mut self.rooms, &mut source);
        Ok(())
    }
}

impl<M: Authenticates> BatchCipher for ZucBothBatch<M> {
    fn lanes(&self) -> usize {
        self.lanes.streams()
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        check_all(packets, |packet| {
            check_length("key", packet.key.len(), twice(M::KEY))?;
            check_length("iv", packet.iv.len(), twice(M::IV))?;
            for half in [0, 1] {
                let (key, iv) = halves(packet, half);
                key::check::<M>(key, iv)?;
            }
            check_length("associated data", packet.aad.len(), Sizes::exactly(0))?;
            check_limit(M::LIMIT, packet.io.len())?;
            check_message::<M>(packet.io.len(), packet.tag.len())
        })?;
        // What one pass has left in the cache the other one finds there.
        for packets in packets.chunks_mut(TOGETHER) {
            match self.order {
                Order::EncryptThenMac => {
                    self.encrypt(packets);
                    self.authenticate(packets, Text::Output);
                }
                Order::MacThenEncrypt => {
                    self.authenticate(packets, Text::Input);
                    self.encrypt(packets);
                }
            }
        }
        Ok(())
    }
}

/// Messages of one pass of encryption and one of authentication.
const TOGETHER: usize = 64;

impl<M: Authenticates> ZucBothBatch<M> {
    fn encrypt(&mut self, packets: &mut [Packet<'_>]) {
        let cells = |packet: &Packet<'_>| {
            let (key, iv) = halves(packet, 0);
            key::cells::<M>(key, iv)
        };
        self.lanes.run(&mut Encrypt(&mut Packets::<M, _>::new(packets, Text::Aad, cells)));
    }

    fn authenticate(&mut self, packets: &mut [Packet<'_>], text: Text) {
        let cells = |packet: &Packet<'_>| {
            let (key, iv) = halves(packet, 1);
            key::cells_for::<M>(purpose::<M>(packet), key, iv)
        };
        let mut source = Packets::<M, _>::new(packets, text, cells);
        authenticate::<M>(&mut self.lanes, &mut self.rooms, &mut source);
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

/// Checks every packet before the first byte is written, and marks the one refused.
fn check_all(
    packets: &mut [Packet<'_>],
    check: impl Fn(&Packet<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    for packet in packets {
        let checked = check(packet);
        packet.failed = checked.is_err();
        checked?;
    }
    Ok(())
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

const fn twice(sizes: Sizes) -> Sizes {
    Sizes { min: 2 * sizes.min, max: 2 * sizes.max, step: 2 * sizes.step }
}

/// The first or the second half of key and IV.
fn halves<'p>(packet: &Packet<'p>, half: usize) -> (&'p [u8], &'p [u8]) {
    let (key, iv) = (packet.key.len() / 2, packet.iv.len() / 2);
    (&packet.key[half * key..][..key], &packet.iv[half * iv..][..iv])
}

/// What of a packet is authenticated.
#[derive(Clone, Copy)]
enum Text {
    Aad,
    Input,
    Output,
}

/// Packets that have been checked.
struct Packets<'p, 'a, M, F> {
    packets: &'p mut [Packet<'a>],
    text: Text,
    cells: F,
    member: PhantomData<M>,
}

impl<'p, 'a, M, F> Packets<'p, 'a, M, F>
where
    F: Fn(&Packet<'_>) -> Result<[u32; 16], Error>,
{
    fn new(packets: &'p mut [Packet<'a>], text: Text, cells: F) -> Self {
        Self { packets, text, cells, member: PhantomData }
    }
}

impl<M: Member, F> Source for Packets<'_, '_, M, F>
where
    F: Fn(&Packet<'_>) -> Result<[u32; 16], Error>,
{
    fn count(&self) -> usize {
        self.packets.len()
    }

    fn rounds(&self) -> usize {
        M::ROUNDS
    }

    fn cells(&self, message: usize) -> [u32; 16] {
        // Refused keys and IVs were refused before.
        (self.cells)(&self.packets[message]).unwrap_or([0; 16])
    }

    fn data(&mut self, message: usize) -> InOut<'_> {
        self.packets[message].io.reborrow()
    }

    fn data_len(&self, message: usize) -> usize {
        self.packets[message].io.len()
    }

    fn text(&mut self, message: usize) -> (&[u8], u64) {
        let packet = &mut self.packets[message];
        let text = match self.text {
            Text::Aad => packet.aad,
            Text::Input => packet.io.input(),
            Text::Output => packet.io.output(),
        };
        (text, 8 * text.len() as u64)
    }

    fn lengths(&self, message: usize) -> (u64, usize) {
        let packet = &self.packets[message];
        let bytes = match self.text {
            Text::Aad => packet.aad.len(),
            Text::Input | Text::Output => packet.io.len(),
        };
        (8 * bytes as u64, packet.tag.len())
    }

    fn tag(&mut self, message: usize) -> &mut [u8] {
        self.packets[message].tag
    }
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

impl<M: Authenticates> fmt::Debug for ZucBothBatch<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("ZucBothBatch");
        f.field("order", &self.order).field("lanes", &self.lanes).finish_non_exhaustive()
    }
}
