//! Stream ciphers. None of the crates sets an IV under a ready key, so `message` sets both.

use std::hint::black_box;
use std::marker::PhantomData;

use ctr::cipher::typenum::U12;
use ctr::cipher::typenum::U16;
use ctr::cipher::{KeyInit, KeyIvInit, StreamCipher};
use enocoro128v2::Enocoro128;
use lab::Model;
use lab::work::{Data, Fault, Keys, Message, Refusal, Run};
use rabbit::Rabbit;
use rc4::Rc4;
use salsa20::{Salsa8, Salsa12, Salsa20};

use super::data::{bytes, in_place};

/// RC5-32/12/16.
pub(super) type Rc5 = rc5::RC5<u32, U12, U16>;

/// A keystream.
trait Keystream: Sized {
    fn new(key: &[u8], iv: &[u8]) -> Result<Self, Fault>;
    fn apply(&mut self, data: Data<'_>) -> Result<(), Fault>;
}

/// A type of a crate, by how it is made.
struct Of<C, How>(C, PhantomData<How>);
/// From a key and an IV.
struct KeyAndIv;
/// From a key alone.
struct KeyAlone;

impl<C: KeyIvInit + StreamCipher> Keystream for Of<C, KeyAndIv> {
    #[inline]
    fn new(key: &[u8], iv: &[u8]) -> Result<Self, Fault> {
        let made = C::new_from_slices(key, iv).map_err(|_| "KeyIvInit::new_from_slices")?;
        Ok(Self(made, PhantomData))
    }

    #[inline]
    fn apply(&mut self, data: Data<'_>) -> Result<(), Fault> {
        apply(&mut self.0, data)
    }
}

impl<C: KeyInit + StreamCipher> Keystream for Of<C, KeyAlone> {
    #[inline]
    fn new(key: &[u8], _: &[u8]) -> Result<Self, Fault> {
        let made = C::new_from_slice(key).map_err(|_| "KeyInit::new_from_slice")?;
        Ok(Self(made, PhantomData))
    }

    #[inline]
    fn apply(&mut self, data: Data<'_>) -> Result<(), Fault> {
        apply(&mut self.0, data)
    }
}

#[inline]
fn apply(stream: &mut impl StreamCipher, data: Data<'_>) -> Result<(), Fault> {
    stream
        .try_apply_keystream_inout(bytes(data))
        .map_err(|_| "StreamCipher::try_apply_keystream_inout")
}

impl Keystream for Enocoro128 {
    #[inline]
    fn new(key: &[u8], iv: &[u8]) -> Result<Self, Fault> {
        match (key.try_into(), iv.try_into()) {
            (Ok(key), Ok(iv)) => Ok(Self::new(key, iv)),
            _ => Err("Enocoro128::new"),
        }
    }

    #[inline]
    fn apply(&mut self, data: Data<'_>) -> Result<(), Fault> {
        self.apply_keystream(in_place(data));
        Ok(())
    }
}

/// Why a stream cipher can't be had from the crates, if it can't.
pub(super) fn lacks(cipher: &str) -> Option<String> {
    let there = matches!(
        cipher,
        "rc4" | "rabbit" | "salsa20-8" | "salsa20-12" | "salsa20-20" | "enocoro-128"
    );
    (!there).then(|| format!("there is no crate of RustCrypto for {}", cipher))
}

/// Runs a model of a stream cipher.
pub(super) fn run(cipher: &str, model: Model, keys: &Keys, run: Run<'_>) -> Result<(), Refusal> {
    match cipher {
        "rc4" => models::<Of<Rc4, KeyAlone>>(model, keys, run),
        "rabbit" => models::<Of<Rabbit, KeyAndIv>>(model, keys, run),
        "salsa20-8" => models::<Of<Salsa8, KeyAndIv>>(model, keys, run),
        "salsa20-12" => models::<Of<Salsa12, KeyAndIv>>(model, keys, run),
        "salsa20-20" => models::<Of<Salsa20, KeyAndIv>>(model, keys, run),
        "enocoro-128" => models::<Enocoro128>(model, keys, run),
        other => Err(lacks(other).unwrap_or_default().into()),
    }
}

fn models<C: Keystream>(model: Model, keys: &Keys, run: Run<'_>) -> Result<(), Refusal> {
    match model {
        Model::Init | Model::Packet | Model::Message => run(&mut |message: Message<'_>| {
            black_box(&mut C::new(message.key, message.iv)?).apply(message.data)
        }),
        Model::Stream => {
            let mut stream = C::new(keys.key(0), keys.iv(0))?;
            run(&mut |message: Message<'_>| stream.apply(message.data));
        }
        Model::Key | Model::Batch | Model::Latency => {
            return Err(format!("a stream cipher can't be measured in model {model}").into());
        }
    }
    Ok(())
}
