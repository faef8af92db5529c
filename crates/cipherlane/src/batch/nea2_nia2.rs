//! 128-NEA2 and 128-NIA2 of many packets: the counters of all in lanes, then their CMACs.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::array;

use lanes::Level;

use super::adapt::with_keys;
use super::lockstep::BLOCK;
use super::objects::Rules;
use super::stream::CachedKeys;
use super::{nia2, parallel_modes};
use crate::aead::nea2_nia2::IVS;
use crate::entry::batch::BatchEntry;
use crate::entry::row::ANY;
use crate::error::{Error, check_length};
use crate::pdu::many::{PACKETS_PER_PASS, Pairs, Tags, of_cipher};
use crate::pdu::{KEYS, TAG};
use crate::secret::Wipe;
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, Packet, ReadyBatch, check_all};
use crate::traits::keys::NewKeys;

/// `nea2+nia2`.
pub(crate) const SEAL: BatchEntry = entry::<false>("nea2+nia2");
/// `nea2+nia2-open`.
pub(crate) const OPEN: BatchEntry = entry::<true>("nea2+nia2-open");

const fn entry<const UNSEAL: bool>(operation: &'static str) -> BatchEntry {
    BatchEntry { operation, blocks: &[BLOCK], ready: ready::<UNSEAL>, fresh: fresh::<UNSEAL> }
}

/// The two algorithms in batches of their own.
struct Both {
    cipher: Box<dyn BatchCipher>,
    mac: Box<dyn BatchCipher>,
    /// Headers with the ciphertext behind them, one packet after the other.
    texts: Vec<u8>,
    open: bool,
}

/// A batch within a batch goes deeper on the stack than is cleared for one ([`Traced`](super::traced)):
/// by what this function has there.
#[inline(never)]
fn clear_below() {
    let room = [0_u8; 16 << 10];
    let room = core::hint::black_box(&room);
    lanes::clear_stack(96 << 10);
    core::hint::black_box(room);
}

impl Drop for Both {
    fn drop(&mut self) {
        clear_below();
    }
}

fn both(new: NewKeys, key: Sizes, level: Level, open: bool) -> Result<Box<Both>, Error> {
    let cipher = (parallel_modes::counter::<BLOCK>().fresh)(new, key, level)?;
    let mac = (nia2::NIA2.fresh)(new, key, level)?;
    Ok(Box::new(Both { cipher, mac, texts: Vec::new(), open }))
}

fn fresh<const UNSEAL: bool>(
    new: NewKeys,
    key: Sizes,
    level: Level,
) -> Result<Box<dyn BatchCipher>, Error> {
    Ok(both(new, key, level, UNSEAL)?)
}

fn ready<const UNSEAL: bool>(
    new: NewKeys,
    key: Sizes,
    keys: &[&[u8]],
    level: Level,
) -> Result<Box<dyn ReadyBatch>, Error> {
    let rules = Rules { key: KEYS, iv: IVS, aad: ANY, data: ANY, tag: TAG };
    with_keys(CachedKeys::with_room(both(new, key, level, UNSEAL)?, rules, keys.len()), keys)
}

impl BatchCipher for Both {
    fn lanes(&self) -> usize {
        self.cipher.lanes()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check_length("keys", packet.key.len(), KEYS)?;
        check_length("ivs", packet.iv.len(), IVS)?;
        check_length("tag", packet.tag.len(), TAG)
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        check_all(packets, |packet| self.check(packet))?;
        self.run(packets, self.open)
    }
}

impl Pairs for Both {
    fn encrypt(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        of_cipher(packets, |packets| self.cipher.apply(packets))
    }

    fn tags(&mut self, packets: &mut [Packet<'_>], of_output: bool) -> Result<Tags, Error> {
        let Self { mac, texts, .. } = self;
        // A message of the MAC is one piece; without a header it lies there already.
        // All of it is zeros when it grows and when it is given back.
        texts.clear();
        let with_header = packets.iter().filter(|it| !it.aad.is_empty());
        texts.reserve(with_header.map(|it| it.aad.len() + it.io.len()).sum());
        for packet in packets.iter_mut().filter(|it| !it.aad.is_empty()) {
            texts.extend_from_slice(packet.aad);
            texts.extend_from_slice(ciphertext(packet, of_output));
        }
        let (mut tags, count) = ([[0; 4]; PACKETS_PER_PASS], packets.len());
        let (mut rest, mut packets, mut places) = (&texts[..], packets.iter_mut(), tags.iter_mut());
        let mut jobs: [Packet<'_>; PACKETS_PER_PASS] = array::from_fn(|_| {
            let (Some(packet), Some(tag)) = (packets.next(), places.next()) else {
                return Packet::mac(&[], &[], &[], &mut []);
            };
            let (key, iv) = (&packet.key[16..], &packet.iv[16..]);
            let text = if packet.aad.is_empty() {
                ciphertext(packet, of_output)
            } else {
                let (text, behind) = rest.split_at(packet.aad.len() + packet.io.len());
                rest = behind;
                text
            };
            Packet::mac(key, iv, text, tag)
        });
        let done = mac.apply(&mut jobs[..count]);
        texts.as_mut_slice().wipe();
        done.map(|()| tags)
    }
}

/// What the tag is of, behind the header.
fn ciphertext<'p>(packet: &'p mut Packet<'_>, of_output: bool) -> &'p [u8] {
    if of_output { packet.io.output() } else { packet.io.input() }
}
