//! Operations on whole messages over a block cipher: modes that are not cut into blocks,
//! AEADs and MACs.

use std::hint::black_box;

use cipherlane::mac::DynMac;
use cipherlane::modes::MessageMode;
use cipherlane::registry::{
    self, AeadEntry, Algorithm, MacEntry, MessageEntry, New, NewBlock, NewShared,
};
use cipherlane::{Aead, Error, Level, Mac};
use lab::reply::Offer;
use lab::work::{Fault, Keys, Message, Refusal, Run};
use lab::{Cell, Model};

use super::{bytes, io, offer, refused, usual_key};

/// The tag of every AEAD, in bytes.
const TAG: usize = 16;

/// An operation on whole messages.
#[derive(Clone, Copy)]
pub(super) enum Whole {
    Encrypt(&'static MessageEntry),
    Decrypt(&'static MessageEntry),
    Seal(&'static AeadEntry),
    Open(&'static AeadEntry),
    Mac(&'static MacEntry),
}

/// The operation of that name, if the algorithm has one.
pub(super) fn find(algorithm: &Algorithm, operation: &str) -> Option<Whole> {
    all(algorithm).find(|(name, _)| name == operation).map(|(_, whole)| whole)
}

/// Every operation on whole messages that an algorithm has, with its name.
fn all(algorithm: &Algorithm) -> impl Iterator<Item = (String, Whole)> + use<> {
    let messages = registry::messages(algorithm).flat_map(|it| {
        let name = |direction| format!("{}-{direction}", it.name);
        [(name("encrypt"), Whole::Encrypt(it)), (name("decrypt"), Whole::Decrypt(it))]
    });
    let aeads = registry::aeads(algorithm).flat_map(|it| {
        let name = |direction| format!("{}-{direction}", it.name);
        [(name("seal"), Whole::Seal(it)), (name("open"), Whole::Open(it))]
    });
    let macs = registry::macs(algorithm).map(|it| (it.name.to_owned(), Whole::Mac(it)));
    messages.chain(aeads).chain(macs)
}

/// What is offered of them, at every level.
pub(super) fn offers(algorithm: &'static Algorithm) -> Vec<Offer> {
    let New::Block { block, .. } = algorithm.new else { return Vec::new() };
    let cipher_key = usual_key(algorithm.key);
    let one = |(name, whole): (String, Whole)| {
        let base = offer(algorithm, &name, &[Model::Key, Model::Packet, Model::Message]);
        match whole {
            Whole::Encrypt(it) | Whole::Decrypt(it) => {
                let data = (it.data)(block);
                let mut models = base.models.clone();
                if data.min == 0 {
                    models.insert(0, Model::Init);
                }
                Offer {
                    models,
                    key_bytes: bytes((it.key)(cipher_key)),
                    nonce_bytes: vec![bytes((it.iv)(block).min)],
                    granule: bytes(data.step.max(1)),
                    ..base
                }
            }
            Whole::Seal(it) | Whole::Open(it) => Offer {
                models: [&[Model::Init], base.models.as_slice()].concat(),
                nonce_bytes: vec![bytes(it.usual_nonce)],
                tag_bytes: bytes(TAG),
                ..base
            },
            Whole::Mac(it) => {
                let key_bytes = (it.key)(cipher_key);
                // A MAC that takes an IV sets it with the key.
                let with_key: &[Model] = if it.iv.max == 0 { &[Model::Key] } else { &[] };
                Offer {
                    models: [&[Model::Init], with_key, &[Model::Packet, Model::Message]].concat(),
                    key_bytes: bytes(key_bytes),
                    nonce_bytes: vec![bytes(it.usual_iv)],
                    tag_bytes: bytes((it.tag)(block).max),
                    ..base
                }
            }
        }
    };
    all(algorithm).map(one).collect()
}

/// Gets the work of a cell ready and hands it to `run`.
pub(super) fn prepare(
    (new, shared, block): (NewBlock, NewShared, usize),
    whole: Whole,
    level: Level,
    cell: &Cell,
    keys: &Keys,
    run: Run<'_>,
) -> Result<(), Refusal> {
    match whole {
        Whole::Encrypt(it) | Whole::Decrypt(it) => {
            let (data, size) = ((it.data)(block), usize::try_from(cell.size).unwrap_or(usize::MAX));
            if !cell.model.is_setup() && !data.allow(size) {
                let (what, size) = (&cell.operation, cell.size);
                return Err(format!("{what} takes messages of {data} bytes, not {size}").into());
            }
            let make = |key: &[u8], _: &[u8]| (it.new)(new, key, level);
            let take: Take<dyn MessageMode> = |mode, key, _| mode.take_key(key);
            if matches!(whole, Whole::Encrypt(_)) {
                models(cell.model, keys, run, (make, take), |mode, message, _| {
                    mode.encrypt(message.iv, io(message.data)).map_err(|_| it.name)
                })
            } else {
                models(cell.model, keys, run, (make, take), |mode, message, _| {
                    mode.decrypt(message.iv, io(message.data)).map_err(|_| it.name)
                })
            }
        }
        Whole::Seal(it) => {
            let make = |key: &[u8], _: &[u8]| (it.new)(new, key, level);
            models(cell.model, keys, run, (make, take_key), |aead, message, _| {
                let Message { iv, aad, data, tag, .. } = message;
                aead.seal(iv, aad, io(data), tag).map_err(|_| it.name)
            })
        }
        Whole::Open(it) => {
            let make = |key: &[u8], _: &[u8]| (it.new)(new, key, level);
            models(cell.model, keys, run, (make, take_key), |aead, message, _| {
                let Message { iv, aad, data, tag, .. } = message;
                aead.open(iv, aad, io(data), tag).map_err(|_| it.name)
            })
        }
        Whole::Mac(it) => {
            let make = |key: &[u8], iv: &[u8]| (it.new)(shared, key, iv, level);
            let take: Take<dyn DynMac> =
                |mac, key, iv| mac.take_key(key) && (iv.is_empty() || mac.reset(iv).is_ok());
            models(cell.model, keys, run, (make, take), |mac, message, fresh| {
                authenticate(mac, message, fresh).map_err(|_| it.name)
            })
        }
    }
}

pub(super) fn authenticate(
    mac: &mut dyn Mac,
    message: Message<'_>,
    fresh: bool,
) -> Result<(), Error> {
    if !fresh && !message.iv.is_empty() {
        mac.reset(message.iv)?;
    }
    let data = message.data.input();
    mac.announce(data.len() as u64)?;
    mac.update(data)?;
    mac.finish(message.tag)
}

/// Sets key and IV of an object that had others before, if it has a way to.
pub(super) type Take<T> = fn(&mut T, &[u8], &[u8]) -> bool;

/// Of an AEAD, whose nonce comes with a message.
fn take_key(aead: &mut (dyn Aead + 'static), key: &[u8], _: &[u8]) -> bool {
    aead.take_key(key)
}

/// Of objects that are made anew for every key.
pub(super) fn never<T: ?Sized>(_: &mut T, _: &[u8], _: &[u8]) -> bool {
    false
}

/// Every model, from `make` on key and IV and `apply` on one message; `apply` is told
/// whether key and IV were set for this message. One object takes key after key where it has
/// a way to, as the contexts of the other libraries do.
pub(super) fn models<T: ?Sized>(
    model: Model,
    keys: &Keys,
    run: Run<'_>,
    (make, take): (impl Fn(&[u8], &[u8]) -> Result<Box<T>, Error>, Take<T>),
    apply: impl Fn(&mut T, Message<'_>, bool) -> Result<(), Fault>,
) -> Result<(), Refusal> {
    let set = |object: &mut Box<T>, message: &Message<'_>| {
        if !take(object, message.key, message.iv) {
            *object = make(message.key, message.iv).map_err(|_| "the operation's constructor")?;
        }
        black_box(&mut **object);
        Ok(())
    };
    match model {
        Model::Init | Model::Packet => {
            let mut object = make(keys.key(0), keys.iv(0)).map_err(refused)?;
            run(&mut |message: Message<'_>| {
                set(&mut object, &message)?;
                apply(&mut *object, message, true)
            });
        }
        Model::Key => {
            let mut object = make(keys.key(0), keys.iv(0)).map_err(refused)?;
            run(&mut |message: Message<'_>| set(&mut object, &message));
        }
        Model::Message => {
            let ready = (0..keys.slots()).map(|slot| make(keys.key(slot), keys.iv(slot)));
            let mut ready: Vec<Box<T>> = ready.collect::<Result<_, _>>().map_err(refused)?;
            run(&mut |message: Message<'_>| apply(&mut *ready[message.slot], message, false));
        }
        Model::Stream | Model::Batch | Model::Latency => {
            return Err(format!("whole messages can't be measured in model {model}").into());
        }
    }
    Ok(())
}
