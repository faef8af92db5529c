//! The work of each model.

use std::hint::black_box;

use cipherlane::registry::{Algorithm, Mode, NewStream, Started};
use cipherlane::{BlockCipher, Error, Level, Mac, StreamCipher};
use lab::Model;
use lab::work::{Data, Fault, Keys, Message, Refusal, Run};

use super::{io, refused};

pub(super) fn block(
    algorithm: &Algorithm,
    (name, mode): (&'static str, Mode),
    level: Level,
    model: Model,
    keys: &Keys,
    run: Run<'_>,
) -> Result<(), Refusal> {
    let make = |key: &[u8]| algorithm.cipher(key, level).map_err(|_| "the cipher's constructor");
    let apply = |cipher: &dyn BlockCipher, iv: &[u8], data: Data<'_>| {
        (mode.message)(cipher, iv, io(data)).map_err(|_| name)
    };
    match model {
        // One object takes key after key where the cipher has a way to, as the contexts of the
        // other libraries do.
        Model::Init | Model::Packet => {
            let mut cipher = algorithm.cipher(keys.key(0), level).map_err(refused)?;
            run(&mut |message: Message<'_>| {
                if !cipher.rekey(message.key) {
                    cipher = make(message.key)?;
                }
                apply(black_box(&*cipher), message.iv, message.data)
            });
        }
        Model::Key => {
            let mut cipher = algorithm.cipher(keys.key(0), level).map_err(refused)?;
            run(&mut |message: Message<'_>| {
                if !cipher.rekey(message.key) {
                    cipher = make(message.key)?;
                }
                black_box(&*cipher);
                Ok(())
            });
        }
        Model::Message | Model::Latency => {
            let ready: Result<Vec<Box<dyn BlockCipher>>, Error> =
                keys.keys().map(|key| algorithm.cipher(key, level)).collect();
            let ready = ready.map_err(refused)?;
            run(&mut |message: Message<'_>| apply(&*ready[message.slot], message.iv, message.data));
        }
        Model::Stream => {
            let cipher = algorithm.cipher(keys.key(0), level).map_err(refused)?;
            match (mode.start)(&*cipher, keys.iv(0)).map_err(refused)? {
                Started::Stream(mut stream) => run(&mut |message: Message<'_>| {
                    stream.apply_inout(io(message.data)).map_err(|_| name)
                }),
                Started::Blocks(mut mode) => {
                    run(&mut |message: Message<'_>| mode.blocks(io(message.data)).map_err(|_| name))
                }
            }
        }
        Model::Batch => return Err("a batch is made of single messages".into()),
    }
    Ok(())
}

pub(super) fn stream(
    new: NewStream,
    level: Level,
    model: Model,
    keys: &Keys,
    run: Run<'_>,
) -> Result<(), Refusal> {
    const FAULT: Fault = "the keystream";
    let apply = |stream: &mut dyn StreamCipher, data: Data<'_>| {
        stream.apply_inout(io(data)).map_err(|_| FAULT)
    };
    match model {
        Model::Init | Model::Packet => {
            let mut stream = new(keys.key(0), keys.iv(0), level).map_err(refused)?;
            run(&mut |message: Message<'_>| {
                if !stream.take_key(message.key, message.iv) {
                    stream = new(message.key, message.iv, level).map_err(|_| FAULT)?;
                }
                apply(black_box(&mut *stream), message.data)
            });
        }
        Model::Message => {
            let ready = keys.keys().map(|key| new(key, keys.iv(0), level));
            let mut ready: Vec<Box<dyn StreamCipher>> =
                ready.collect::<Result<_, Error>>().map_err(refused)?;
            run(&mut |message: Message<'_>| {
                let stream = &mut *ready[message.slot];
                stream.reset(message.iv).map_err(|_| FAULT)?;
                apply(stream, message.data)
            });
        }
        Model::Stream => {
            let mut stream = new(keys.key(0), keys.iv(0), level).map_err(refused)?;
            run(&mut |message: Message<'_>| apply(&mut *stream, message.data));
        }
        Model::Key | Model::Batch | Model::Latency => {
            return Err(format!("a stream cipher can't be measured in model {model}").into());
        }
    }
    Ok(())
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
