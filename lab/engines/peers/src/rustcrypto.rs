//! The engine `rustcrypto`: the crates `sm4` with `cbc` and `ctr` of the RustCrypto
//! project, and the crate `zuc` built on its traits.
//!
//! ECB is `encrypt_blocks` of the cipher itself. A mode borrows the ready cipher and is
//! made anew for every IV, which is how these crates set one. `zuc` has no key set-up
//! apart from the IV's, so its `message` sets both.

use std::hint::black_box;

use ctr::CtrCore;
use ctr::cipher::inout::InOutBuf;
use ctr::cipher::typenum::U16;
use ctr::cipher::{
    Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit,
    KeyInit, StreamCipher, StreamCipherCoreWrapper,
};
use lab::reply::{Description, Offer};
use lab::work::{Data, Engine, Fault, Keys, Message, Notes, Refusal, Run};
use lab::{Cell, Model};
use sm4::Sm4;
use zuc::cipher as cipher04;
use zuc::zuc128::Zuc128StreamCipher;
use zuc::zuc256::Zuc256StreamCipher;

/// The RustCrypto crates.
pub(crate) struct RustCrypto;

impl Engine for RustCrypto {
    fn describe(&self) -> Description {
        let ready = [Model::Init, Model::Stream, Model::Packet, Model::Message];
        let keyed = [ready.as_slice(), &[Model::Key]].concat();
        let chained = [keyed.as_slice(), &[Model::Latency]].concat();
        let offer =
            |algorithm: &str, operation: &str, models: &[Model], key, nonce, granule| Offer {
                algorithm: algorithm.to_owned(),
                operation: operation.to_owned(),
                levels: vec![Cell::OWN_LEVEL.to_owned()],
                models: models.to_vec(),
                key_bytes: key,
                nonce_bytes: vec![nonce],
                granule,
                tag_bytes: 0,
            };
        Description {
            engine: "rustcrypto".to_owned(),
            version: env!("PEERS_RUSTCRYPTO").to_owned(),
            build: crate::build(),
            path: crate::own_path(),
            offers: vec![
                offer("sm4", "ecb-encrypt", &chained, 16, 0, 16),
                offer("sm4", "ecb-decrypt", &chained, 16, 0, 16),
                offer("sm4", "cbc-encrypt", &keyed, 16, 16, 16),
                offer("sm4", "cbc-decrypt", &keyed, 16, 16, 16),
                offer("sm4", "ctr", &keyed, 16, 16, 1),
                offer("zuc-128", "keystream", &ready, 16, 16, 1),
                offer("zuc-256", "keystream", &ready, 32, 23, 1),
            ],
            known_wrong: Vec::new(),
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let (model, key, iv) = (cell.model, keys.key(0), keys.iv(0));
        match (cell.algorithm.as_str(), cell.operation.as_str()) {
            ("sm4", "ecb-encrypt") => {
                let cipher = sm4(key)?;
                let apply = |cipher: &Sm4, _: &[u8], data: Data<'_>| {
                    cipher.encrypt_blocks_inout(blocks(data));
                };
                sm4_models(model, keys, run, apply, |data| apply(&cipher, iv, data))?;
            }
            ("sm4", "ecb-decrypt") => {
                let cipher = sm4(key)?;
                let apply = |cipher: &Sm4, _: &[u8], data: Data<'_>| {
                    cipher.decrypt_blocks_inout(blocks(data));
                };
                sm4_models(model, keys, run, apply, |data| apply(&cipher, iv, data))?;
            }
            ("sm4", "cbc-encrypt") => {
                let cipher = sm4(key)?;
                let mut stream = cbc::Encryptor::inner_iv_init(&cipher, block(iv));
                let apply = |cipher: &Sm4, iv: &[u8], data: Data<'_>| {
                    cbc::Encryptor::inner_iv_init(cipher, block(iv))
                        .encrypt_blocks_inout(blocks(data));
                };
                let next = |data: Data<'_>| stream.encrypt_blocks_inout(blocks(data));
                sm4_models(model, keys, run, apply, next)?;
            }
            ("sm4", "cbc-decrypt") => {
                let cipher = sm4(key)?;
                let mut stream = cbc::Decryptor::inner_iv_init(&cipher, block(iv));
                let apply = |cipher: &Sm4, iv: &[u8], data: Data<'_>| {
                    cbc::Decryptor::inner_iv_init(cipher, block(iv))
                        .decrypt_blocks_inout(blocks(data));
                };
                let next = |data: Data<'_>| stream.decrypt_blocks_inout(blocks(data));
                sm4_models(model, keys, run, apply, next)?;
            }
            ("sm4", "ctr") => {
                let cipher = sm4(key)?;
                let mut stream = counter(&cipher, iv);
                let apply = |cipher: &Sm4, iv: &[u8], data: Data<'_>| {
                    counter(cipher, iv).apply_keystream_inout(bytes(data));
                };
                let next = |data: Data<'_>| stream.apply_keystream_inout(bytes(data));
                sm4_models(model, keys, run, apply, next)?;
            }
            ("zuc-128", "keystream") => zuc_models::<Zuc128StreamCipher>(model, keys, run)?,
            ("zuc-256", "keystream") => return zuc_256(cell, keys, run),
            _ => {
                return Err(
                    format!("rustcrypto has no {}/{}", cell.algorithm, cell.operation).into()
                );
            }
        }
        Ok(Notes::default())
    }
}

fn sm4(key: &[u8]) -> Result<Sm4, Refusal> {
    Sm4::new_from_slice(key).map_err(|error| Refusal(error.to_string()))
}

fn block(iv: &[u8]) -> &Block<Sm4> {
    iv.try_into().expect("the offered IV length")
}

fn counter<'c>(cipher: &'c Sm4, iv: &[u8]) -> ctr::Ctr128BE<&'c Sm4> {
    StreamCipherCoreWrapper::from_core(CtrCore::inner_iv_init(cipher, block(iv)))
}

fn bytes(data: Data<'_>) -> InOutBuf<'_, '_, u8> {
    match data {
        Data::InPlace(data) => data.into(),
        Data::Disjoint(input, output) => {
            InOutBuf::new(input, output).expect("the ring's buffers have one length")
        }
    }
}

fn blocks(data: Data<'_>) -> InOutBuf<'_, '_, Block<Sm4>> {
    bytes(data).into_chunks::<U16>().0
}

/// Every model, from `apply` on one message under a ready cipher and `next` on a stream.
fn sm4_models(
    model: Model,
    keys: &Keys,
    run: Run<'_>,
    apply: impl Fn(&Sm4, &[u8], Data<'_>),
    mut next: impl FnMut(Data<'_>),
) -> Result<(), Refusal> {
    let make = |key: &[u8]| Sm4::new_from_slice(key).map_err(|_| "Sm4::new");
    match model {
        Model::Init | Model::Packet => run(&mut |message: Message<'_>| {
            apply(black_box(&make(message.key)?), message.iv, message.data);
            Ok(())
        }),
        Model::Key => {
            run(&mut |message: Message<'_>| make(message.key).map(|it| drop(black_box(it))))
        }
        Model::Message | Model::Latency => {
            let ready: Vec<Sm4> = keys.keys().map(sm4).collect::<Result<_, _>>()?;
            run(&mut |message: Message<'_>| {
                apply(&ready[message.slot], message.iv, message.data);
                Ok(())
            });
        }
        Model::Stream => run(&mut |message: Message<'_>| {
            next(message.data);
            Ok(())
        }),
        Model::Batch => return Err("a batch is made of single messages".into()),
    }
    Ok(())
}

fn zuc_256(cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
    /// The most keystream that the designers allow under one key and IV: 20000 bits.
    const LIMIT: u64 = 2500;
    zuc_models::<Zuc256StreamCipher>(cell.model, keys, run)?;
    if cell.model != Model::Stream && cell.size <= LIMIT {
        return Ok(Notes::default());
    }
    Ok(Notes {
        flags: vec!["outside the specification".to_owned()],
        remark: format!("ZUC-256 allows {LIMIT} bytes under one key and IV"),
    })
}

fn zuc_models<C>(model: Model, keys: &Keys, run: Run<'_>) -> Result<(), Refusal>
where
    C: cipher04::KeyIvInit + cipher04::StreamCipher,
{
    const FAULT: Fault = "StreamCipher::try_apply_keystream";
    let make = |key: &[u8], iv: &[u8]| C::new_from_slices(key, iv).map_err(|_| "KeyIvInit::new");
    let apply = |stream: &mut C, data: Data<'_>| {
        match data {
            Data::InPlace(data) => stream.try_apply_keystream(data),
            Data::Disjoint(input, output) => match stream.apply_keystream_b2b(input, output) {
                Ok(()) => Ok(()),
                Err(_) => return Err(FAULT),
            },
        }
        .map_err(|_| FAULT)
    };
    match model {
        Model::Init | Model::Packet | Model::Message => run(&mut |message: Message<'_>| {
            apply(black_box(&mut make(message.key, message.iv)?), message.data)
        }),
        Model::Stream => {
            let mut stream = make(keys.key(0), keys.iv(0))?;
            run(&mut |message: Message<'_>| apply(&mut stream, message.data));
        }
        Model::Key | Model::Batch | Model::Latency => {
            return Err(format!("a stream cipher can't be measured in model {model}").into());
        }
    }
    Ok(())
}
