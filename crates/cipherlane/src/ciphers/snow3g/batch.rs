//! Many messages at once, each with its own keys, IVs and lengths.

use core::fmt;

use lanes::{InOut, Level};

use super::mac::{HEAD, Hash};
use super::nea1_nia1::IVS;
use super::{ANSWER, SIXTEEN, Snow3g, generate_lanes, initialise_lanes, lanes_of, load};
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::keystream::constructors::{at_level, each_way};
use crate::keystream::lane_rows::{Row, STREAMS};
use crate::keystream::scheduler::{InLanes, Keystream, LaneCipher, batch_in_lanes};
use crate::pdu::many::{PACKETS_PER_PASS, Pairs, Tags, of_cipher};
use crate::pdu::{KEYS, TAG};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, Packet, check_all};
use crate::traits::stream::StreamCipher;

/// Encrypts many messages at once with SNOW 3G, each with its own key, IV and length, in 32-bit lanes.
/// Time depends on lengths alone.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::snow3g::Snow3gBatch;
///
/// let (mut a, mut b) = (*b"one message", *b"and a longer one");
/// let mut batch = Snow3gBatch::new()?;
/// batch.apply(&mut [
///     Packet::new(&[1; 16], &[2; 16], a.as_mut_slice().into()),
///     Packet::new(&[3; 16], &[4; 16], b.as_mut_slice().into()),
/// ])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Debug)]
pub struct Snow3gBatch(InLanes<Lanes>);

/// Makes the tags of UIA2, which is 128-NIA1, of many messages at once: their keystreams in lanes, then
/// one polynomial after another. The message is the associated data.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::snow3g::Uia2Batch;
///
/// let (mut a, mut b) = ([0; 4], [0; 4]);
/// let mut batch = Uia2Batch::new()?;
/// batch.apply(&mut [
///     Packet::mac(&[1; 16], &[2; 16], b"one message", &mut a),
///     Packet::mac(&[3; 16], &[4; 16], b"and a longer one", &mut b),
/// ])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Uia2Batch {
    level: Level,
    lanes: InLanes<Lanes>,
    heads: Secret<Heads>,
}

/// 128-NEA1 and 128-NIA1 of many packets at once; the ciphertext is authenticated, behind the
/// associated data. The key is CK and IK, the IV those of both, 16 bytes each.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::snow3g::Nea1Nia1Batch;
///
/// let (mut data, mut tag) = (*b"any number of bytes", [0; 4]);
/// let mut job = [Packet::aead(&[1; 32], &[2; 32], b"header", (&mut data[..]).into(), &mut tag)];
/// Nea1Nia1Batch::seal()?.apply(&mut job)?;
/// Nea1Nia1Batch::open()?.apply(&mut job)?;
/// assert_eq!(&data, b"any number of bytes");
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Nea1Nia1Batch {
    macs: Uia2Batch,
    open: bool,
}

/// Their keystreams.
type Heads = [[u8; HEAD]; PACKETS_PER_PASS];

batch_in_lanes!(Snow3gBatch);

at_level! {
    Uia2Batch, level => Self { level, lanes: InLanes::new(level), heads: Secret([[0; HEAD]; PACKETS_PER_PASS]) }
}

impl Uia2Batch {
    /// The tags of at most [`PACKETS_PER_PASS`] packets, which have been checked: of the associated data, and
    /// with `whole` of what stands in the packets' inputs or outputs, too.
    fn tags(&mut self, packets: &mut [Packet<'_>], text: Text) -> Result<Tags, Error> {
        let (mut tags, count) = ([[0; 4]; PACKETS_PER_PASS], packets.len());
        let half = if text == Text::Aad { 0 } else { 16 };
        self.heads.0 = [[0; HEAD]; PACKETS_PER_PASS];
        let mut heads = self.heads.0.iter_mut();
        let mut jobs: [Packet<'_>; PACKETS_PER_PASS] = core::array::from_fn(|i| {
            let head: &mut [u8] = heads.next().map_or(&mut [], |head| head.as_mut_slice());
            let of =
                packets.get(i).map_or((&[][..], &[][..]), |it| (&it.key[half..], &it.iv[half..]));
            Packet::new(of.0, of.1, head.into())
        });
        self.lanes.apply(&mut jobs[..count])?;
        for ((packet, head), tag) in packets.iter_mut().zip(&self.heads.0).zip(&mut tags) {
            let mut hash = Hash::new(head);
            hash.update(self.level, packet.aad);
            match text {
                Text::Aad => {}
                Text::Input => hash.update(self.level, packet.io.input()),
                Text::Output => hash.update(self.level, packet.io.output()),
            }
            *tag = hash.finish(self.level);
        }
        Ok(tags)
    }
}

/// What of a packet is authenticated: the associated data, and what else.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    Aad,
    Input,
    Output,
}

each_way! {
    Nea1Nia1Batch, open, level => Self { macs: Uia2Batch::with_level(level), open }
}

impl Pairs for Nea1Nia1Batch {
    fn encrypt(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        of_cipher(packets, |packets| self.macs.lanes.apply(packets))
    }

    fn tags(&mut self, packets: &mut [Packet<'_>], of_output: bool) -> Result<Tags, Error> {
        self.macs.tags(packets, if of_output { Text::Output } else { Text::Input })
    }
}

impl BatchCipher for Uia2Batch {
    fn lanes(&self) -> usize {
        self.lanes.lanes()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check_length("key", packet.key.len(), SIXTEEN)?;
        check_length("iv", packet.iv.len(), SIXTEEN)?;
        check_length("data", packet.io.len(), Sizes::exactly(0))?;
        check_length("tag", packet.tag.len(), TAG)
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        admit(self.level, &ANSWER)?;
        check_all(packets, |packet| self.check(packet))?;
        for packets in packets.chunks_mut(PACKETS_PER_PASS) {
            let tags = Secret(self.tags(packets, Text::Aad)?);
            for (packet, tag) in packets.iter_mut().zip(&tags.0) {
                packet.tag.copy_from_slice(tag);
            }
        }
        Ok(())
    }
}

impl BatchCipher for Nea1Nia1Batch {
    fn lanes(&self) -> usize {
        self.macs.lanes.lanes()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check_length("keys", packet.key.len(), KEYS)?;
        check_length("ivs", packet.iv.len(), IVS)?;
        check_length("tag", packet.tag.len(), TAG)
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        admit(self.macs.level, &ANSWER)?;
        check_all(packets, |packet| self.check(packet))?;
        self.run(packets, self.open)
    }
}

impl fmt::Debug for Uia2Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Uia2Batch").field("level", &self.level).finish_non_exhaustive()
    }
}

impl fmt::Debug for Nea1Nia1Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Nea1Nia1Batch");
        f.field("level", &self.macs.level).field("open", &self.open).finish_non_exhaustive()
    }
}

/// What the lanes are of.
struct Lanes;

impl LaneCipher for Lanes {
    type State = super::lanes::Rows;
    const EMPTY: Self::State = [[0; 64]; 19];
    const KEY: Sizes = SIXTEEN;
    const IV: Sizes = SIXTEEN;
    const HALVES: bool = true;
    const FEWEST: usize = 2;

    fn admit(level: Level) -> Result<(), Error> {
        admit(level, &ANSWER)
    }

    fn lanes(level: Level) -> usize {
        lanes_of(level)
    }

    fn load(key: &[u8], iv: &[u8]) -> Row {
        let mut row = [0; 64];
        for (bytes, cell) in row.as_chunks_mut().0.iter_mut().zip(load::cells(key, iv)) {
            *bytes = cell.to_le_bytes();
        }
        row
    }

    fn initialise(level: Level, rows: &[Row; STREAMS], state: &mut Self::State) {
        initialise_lanes(level, rows, state);
    }

    fn generate(
        level: Level,
        state: &mut Self::State,
        blocks: usize,
        quads: usize,
        out: &mut Keystream,
    ) {
        generate_lanes(level, state, blocks, quads, out);
    }

    fn alone(level: Level, key: &[u8], iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        Snow3g::within(key, iv, level)?.apply_inout(io)
    }
}
