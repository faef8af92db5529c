//! Operations of stream ciphers besides their keystream: other keystreams, MACs and AEADs.

use cipherlane::Level;
use cipherlane::registry::{
    self, Algorithm, KEYSTREAM, New, Sealed, StreamAeadEntry, StreamEntry, StreamMacEntry,
};
use lab::reply::Offer;
use lab::work::{Keys, Message, Notes, Refusal, Run};
use lab::{Cell, Model};

use super::whole::{authenticate, models, never};
use super::{ONE_KEY, bytes, io, offer, outside, stream};

/// The longest tag that is offered, in bytes.
const TAG: usize = 16;

/// An operation of a stream cipher.
#[derive(Clone, Copy)]
enum Work {
    Stream(&'static StreamEntry),
    Mac(&'static StreamMacEntry),
    Seal(&'static StreamAeadEntry),
    Open(&'static StreamAeadEntry),
}

/// Every operation that an algorithm has, with its name.
fn all(algorithm: &Algorithm) -> impl Iterator<Item = (&'static str, Work)> + use<> {
    let streams = registry::streams(algorithm).map(|it| (it.name, Work::Stream(it)));
    let macs = registry::stream_macs(algorithm).map(|it| (it.name, Work::Mac(it)));
    let aeads = registry::stream_aeads(algorithm)
        .flat_map(|it| [(it.seal, Work::Seal(it)), (it.open, Work::Open(it))]);
    streams.chain(macs).chain(aeads)
}

/// What is offered of them, at every level.
pub(super) fn offers(algorithm: &'static Algorithm) -> Vec<Offer> {
    let one = |(name, work): (&str, Work)| {
        // A key and its IV are set together, so there is no set-up of the key alone.
        let base = offer(algorithm, name, &[Model::Init, Model::Packet, Model::Message]);
        match work {
            Work::Stream(it) => Offer {
                models: vec![Model::Init, Model::Stream, Model::Packet, Model::Message],
                key_bytes: bytes(it.key.min),
                nonce_bytes: vec![bytes(it.iv.min)],
                ..base
            },
            Work::Mac(it) => Offer {
                key_bytes: bytes(it.key.min),
                nonce_bytes: vec![bytes(it.iv.min)],
                tag_bytes: bytes(it.tag.max.min(TAG)),
                ..base
            },
            Work::Seal(it) | Work::Open(it) => Offer {
                key_bytes: bytes(it.key.min),
                nonce_bytes: vec![bytes(it.nonce.min)],
                tag_bytes: bytes(it.tag.max.min(TAG)),
                ..base
            },
        }
    };
    all(algorithm).map(one).collect()
}

/// What a reader must know of single messages or batches whose messages are longer than the
/// standard allows; none where they aren't.
pub(super) fn beyond(algorithm: &Algorithm, cell: &Cell) -> Option<Notes> {
    let New::Stream { limit, .. } = algorithm.new else { return None };
    let (limit, under) = if cell.operation == KEYSTREAM {
        (limit, ONE_KEY)
    } else {
        let mac = registry::stream_macs(algorithm).find(|it| it.name == cell.operation)?;
        (mac.limit, mac.name)
    };
    limit.filter(|limit| cell.size > *limit).map(|limit| outside(algorithm, limit, under))
}

/// Gets the work of a cell ready and hands it to `run`.
pub(super) fn prepare(
    algorithm: &Algorithm,
    level: Level,
    cell: &Cell,
    keys: &Keys,
    run: Run<'_>,
) -> Result<Notes, Refusal> {
    let found = all(algorithm).find(|(name, _)| *name == cell.operation);
    let Some((name, work)) = found else {
        return Err(format!("{} has no operation {}", cell.algorithm, cell.operation).into());
    };
    let mut notes = Notes::default();
    match work {
        Work::Stream(it) => stream(it.new, level, cell.model, keys, run)?,
        Work::Mac(it) => {
            let mut new = it.new;
            if let Some(beyond) = beyond(algorithm, cell) {
                new = it.unlimited;
                notes = beyond;
            }
            let tag = it.tag.max.min(TAG);
            let make = |key: &[u8], iv: &[u8]| new(key, iv, tag, level);
            models(cell.model, keys, run, (make, never), |mac, message, fresh| {
                authenticate(mac, message, fresh).map_err(|_| name)
            })?;
        }
        Work::Seal(it) | Work::Open(it) => {
            let open = matches!(work, Work::Open(_));
            sealed(it.new, open, level, cell.model, keys, run, name)?;
        }
    }
    Ok(notes)
}

/// What has a tag and encrypts: an AEAD, or two algorithms on a PDU.
fn sealed(
    new: Sealed,
    open: bool,
    level: Level,
    model: Model,
    keys: &Keys,
    run: Run<'_>,
    name: &'static str,
) -> Result<(), Refusal> {
    match new {
        Sealed::Aead(new) => {
            let make = |key: &[u8], _: &[u8]| new(key, level);
            models(model, keys, run, (make, never), |aead, message, _| {
                let Message { iv, aad, data, tag, .. } = message;
                let done = if open {
                    aead.open(iv, aad, io(data), tag)
                } else {
                    aead.seal(iv, aad, io(data), tag)
                };
                done.map_err(|_| name)
            })
        }
        Sealed::Pdu(new) => {
            let make = |key: &[u8], _: &[u8]| new(key, level);
            models(model, keys, run, (make, never), |both, message, _| {
                let Message { iv, aad, data, tag, .. } = message;
                let done = if open {
                    both.open_pdu(iv, aad, io(data), tag)
                } else {
                    both.seal_pdu(iv, aad, io(data), tag)
                };
                done.map_err(|_| name)
            })
        }
    }
}
