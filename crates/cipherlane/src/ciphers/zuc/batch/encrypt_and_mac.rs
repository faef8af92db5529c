//! Encryption and MAC of many messages in one call.

use core::fmt;
use core::marker::PhantomData;

use lanes::Level;

use super::super::Order;
use super::super::key;
use super::super::lanes::{Encrypt, Lanes, Rooms, STREAMS};
use super::super::mac::Authenticates;
use super::packets::{AuthInput, Packets};
use super::{authenticate, check_all, check_limit, check_message, purpose};
use crate::ciphers::zuc::load::Purpose;
use crate::ct;
use crate::error::{Error, check_length};
use crate::keystream::constructors::each_way;
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, Packet};

/// Encrypts many messages and makes their tags, or decrypts them and checks their tags.
///
/// Key and IV are those of the encryption, followed by those of the MAC, of the same
/// lengths. Associated data is authenticated in front of the data and not encrypted. In
/// [`Order::MacThenEncrypt`] the tag is encrypted behind the data, as PDCP of LTE and 5G
/// does. See [`Eea3Eia3`](super::super::Eea3Eia3) for one message.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::zuc::{Key128, Order, ZucBothBatch};
///
/// let (mut message, mut tag) = (*b"a message", [0; 4]);
/// let io = message.as_mut_slice().into();
/// ZucBothBatch::<Key128>::seal(Order::EncryptThenMac)?
///     .apply(&mut [Packet::aead(&[1; 32], &[2; 32], b"header", io, &mut tag)])?;
/// let io = message.as_mut_slice().into();
/// ZucBothBatch::<Key128>::open(Order::EncryptThenMac)?
///     .apply(&mut [Packet::aead(&[1; 32], &[2; 32], b"header", io, &mut tag)])?;
/// assert_eq!(&message, b"a message");
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct ZucBothBatch<M: Authenticates> {
    lanes: Lanes,
    rooms: Secret<Rooms>,
    /// Tags as received and as computed.
    tags: Secret<[[[u8; 16]; PACKETS_PER_PASS]; 2]>,
    order: Order,
    open: bool,
    member: PhantomData<M>,
}

/// Messages of one pass of encryption and one of authentication: what one has left in
/// the cache the other finds there.
const PACKETS_PER_PASS: usize = 64;

each_way! {
    ZucBothBatch<M>, [M: Authenticates], open, level, order: Order => {
        let rooms = Secret([[[0; 64]; 3]; STREAMS]);
        let tags = Secret([[[0; 16]; PACKETS_PER_PASS]; 2]);
        Self { lanes: Lanes::new(level), rooms, tags, order, open, member: PhantomData }
    }
}

impl<M: Authenticates> ZucBothBatch<M> {
    fn encrypt(&mut self, packets: &mut [Packet<'_>]) {
        let cells = |packet: &Packet<'_>| {
            let (key, iv) = halves(packet, 0);
            M::load(key, iv, Purpose::Keystream)
        };
        let mut source = Packets::<M, _>::new(packets, AuthInput::Aad, cells);
        source.encrypt_tags = self.order == Order::MacThenEncrypt;
        if self.open {
            source.tags = Some(&mut self.tags.0[0]);
        }
        self.lanes.run(&mut Encrypt(&mut source));
    }

    fn authenticate(&mut self, packets: &mut [Packet<'_>], text: AuthInput) {
        let cells = |packet: &Packet<'_>| {
            let (key, iv) = halves(packet, 1);
            M::load(key, iv, purpose::<M>(packet))
        };
        let mut source = Packets::<M, _>::new(packets, text, cells);
        if self.open {
            source.tags = Some(&mut self.tags.0[1]);
        }
        authenticate::<M>(&mut self.lanes, &mut self.rooms, &mut source);
    }

    /// Wipes the output of each packet whose tag is wrong.
    fn compare(&self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        let mut result = Ok(());
        let [received, computed] = &self.tags.0;
        for (packet, (received, computed)) in packets.iter_mut().zip(received.iter().zip(computed))
        {
            let len = packet.tag.len();
            packet.failed = !ct::equal(&received[..len], &computed[..len]);
            if packet.failed {
                packet.io.output().fill(0);
                result = Err(Error::Authentication);
            }
        }
        result
    }
}

impl<M: Authenticates> BatchCipher for ZucBothBatch<M> {
    fn lanes(&self) -> usize {
        self.lanes.streams()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check_length("key", packet.key.len(), twice(M::KEY))?;
        check_length("iv", packet.iv.len(), twice(M::IV))?;
        for half in [0, 1] {
            let (key, iv) = halves(packet, half);
            key::check::<M>(key, iv)?;
        }
        let tag = packet.tag.len();
        check_message::<M>(packet.aad.len().saturating_add(packet.io.len()), tag)?;
        let tail = if self.order == Order::MacThenEncrypt { tag } else { 0 };
        check_limit(M::LIMIT, packet.io.len().saturating_add(tail))
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        check_all(self.lanes.level(), packets, |packet| self.check(packet))?;
        let mut result = Ok(());
        for packets in packets.chunks_mut(PACKETS_PER_PASS) {
            if self.open {
                for (received, packet) in self.tags.0[0].iter_mut().zip(&*packets) {
                    received[..packet.tag.len()].copy_from_slice(packet.tag);
                }
            }
            // The sender's order, from its end on the receiver's side.
            if (self.order == Order::EncryptThenMac) != self.open {
                self.encrypt(packets);
                self.authenticate(packets, AuthInput::Output);
            } else {
                self.authenticate(packets, AuthInput::Input);
                self.encrypt(packets);
            }
            if self.open {
                result = result.and(self.compare(packets));
            }
        }
        result
    }
}

const fn twice(sizes: Sizes) -> Sizes {
    Sizes::steps(2 * sizes.min, 2 * sizes.max, 2 * sizes.step)
}

/// The first or the second half of key and IV.
fn halves<'p>(packet: &Packet<'p>, half: usize) -> (&'p [u8], &'p [u8]) {
    let (key, iv) = (packet.key.len() / 2, packet.iv.len() / 2);
    (&packet.key[half * key..][..key], &packet.iv[half * iv..][..iv])
}

impl<M: Authenticates> fmt::Debug for ZucBothBatch<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("ZucBothBatch");
        f.field("order", &self.order).field("open", &self.open);
        f.field("lanes", &self.lanes).finish_non_exhaustive()
    }
}
