//! The crate `snowv`. It has no key set-up apart from the IV's, so `message` sets both.
//!
//! Messages go through the crate's own type; a stream in pieces wants the RustCrypto wrapper around
//! it, as a call with a part of a block ends the crate's own.

use std::hint::black_box;

use lab::Model;
use lab::work::{Data, Fault, Keys, Message, Refusal, Run};
use snowv::SnowV;
use zuc::cipher::inout::InOutBuf;
use zuc::cipher::{StreamCipher, StreamCipherCoreWrapper};

/// Measures SNOW-V.
pub(super) fn run(model: Model, keys: &Keys, run: Run<'_>) -> Result<(), Refusal> {
    match model {
        Model::Init | Model::Packet | Model::Message => run(&mut |message: Message<'_>| {
            black_box(start(message.key, message.iv)?)
                .apply_keystream(bytes(message.data))
                .map_err(|_| "SnowV::apply_keystream")
        }),
        Model::Stream => {
            let first = start(keys.key(0), keys.iv(0))?;
            let mut stream = StreamCipherCoreWrapper::from_core(first);
            run(&mut |message: Message<'_>| {
                stream
                    .try_apply_keystream_inout(bytes(message.data))
                    .map_err(|_| "StreamCipher::try_apply_keystream_inout")
            });
        }
        Model::Key | Model::Batch | Model::Latency => {
            return Err(format!("a stream cipher can't be measured in model {model}").into());
        }
    }
    Ok(())
}

/// A stream from a key and an IV.
#[inline]
fn start(key: &[u8], iv: &[u8]) -> Result<SnowV, Fault> {
    match (key.try_into(), iv.try_into()) {
        (Ok(key), Ok(iv)) => Ok(SnowV::new(key, iv)),
        _ => Err("SnowV::new"),
    }
}

/// The laboratory's data as the crate takes it.
#[inline]
fn bytes(data: Data<'_>) -> InOutBuf<'_, '_, u8> {
    match data {
        Data::InPlace(data) => data.into(),
        Data::Disjoint(input, output) => {
            InOutBuf::new(input, output).expect("the ring's buffers have one length")
        }
    }
}
