//! The engine `rustcrypto`: the crates of the RustCrypto project for SM4 and AES with its
//! generic modes, AEADs and MACs, and the crate `zuc` built on its traits.
//!
//! ECB is the cipher's own function over blocks. Where a mode needs one direction of AES
//! only, the type of that direction is used (`Aes128Enc`, `Aes128Dec`), whose key schedule
//! is shorter. GCM and GCM-SIV are the generic types of `aes-gcm` and `aes-gcm-siv`; GMAC is
//! GCM of associated data alone, as there is no crate of its own for it.

use aes_gcm::AesGcm;
use aes_gcm_siv::AesGcmSiv;
use ccm::Ccm;
use cmac::digest::FixedOutputReset;
use cmac::{Cmac, Mac};
use ctr::cipher::KeyInit;
use ctr::cipher::consts::{U12, U16};
use lab::reply::{Description, Offer};
use lab::work::{Engine, Keys, Notes, Refusal, Run};
use lab::{Cell, Model};
use sm4::Sm4;

mod data;
mod modes;
mod whole;
mod zuc;

use modes::{Decrypts, Encrypts, Keyed};
use whole::{Authenticate, Compute, Keyed as Whole, Open, Seal, Xts};

use crate::session::drive;

/// The RustCrypto crates.
pub(crate) struct RustCrypto;

/// The ciphers and their keys in bytes.
const CIPHERS: [(&str, u32); 4] = [("sm4", 16), ("aes-128", 16), ("aes-192", 24), ("aes-256", 32)];

/// How an operation is offered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Whole blocks, no IV.
    Ecb,
    /// An IV and data whose length is a multiple of that.
    Stream(u32),
    Aead,
    Xts,
    Cmac,
    Gmac,
}

/// The operations of a block cipher.
const OPERATIONS: [(&str, Kind); 19] = [
    ("ecb-encrypt", Kind::Ecb),
    ("ecb-decrypt", Kind::Ecb),
    ("cbc-encrypt", Kind::Stream(16)),
    ("cbc-decrypt", Kind::Stream(16)),
    ("ctr", Kind::Stream(1)),
    ("cfb-encrypt", Kind::Stream(1)),
    ("cfb-decrypt", Kind::Stream(1)),
    ("cfb8-encrypt", Kind::Stream(1)),
    ("cfb8-decrypt", Kind::Stream(1)),
    ("ofb", Kind::Stream(1)),
    ("gcm-seal", Kind::Aead),
    ("gcm-open", Kind::Aead),
    ("gcm-siv-seal", Kind::Aead),
    ("gcm-siv-open", Kind::Aead),
    ("ccm-seal", Kind::Aead),
    ("ccm-open", Kind::Aead),
    ("xts-encrypt", Kind::Xts),
    ("xts-decrypt", Kind::Xts),
    ("cmac", Kind::Cmac),
];

/// GMAC stands apart: its nonce is set with the key.
const GMAC: (&str, Kind) = ("gmac", Kind::Gmac);

/// Whether an operation of a cipher is in a standard: XTS and GCM-SIV have no AES-192.
fn is_standard(algorithm: &str, operation: &str) -> bool {
    algorithm != "aes-192" || !(operation.starts_with("xts") || operation.starts_with("gcm-siv"))
}

fn offers() -> impl Iterator<Item = Offer> {
    CIPHERS.into_iter().flat_map(|(algorithm, key)| {
        let all = OPERATIONS.into_iter().chain([GMAC]);
        all.filter(move |(operation, _)| is_standard(algorithm, operation)).map(
            move |(operation, kind)| {
                let (models, nonce, granule, tag): (&[Model], _, _, _) = match kind {
                    Kind::Ecb => {
                        (&[Model::Init, Model::Key, Model::Stream, Model::Latency], 0, 16, 0)
                    }
                    Kind::Stream(granule) => {
                        (&[Model::Init, Model::Key, Model::Stream], 16, granule, 0)
                    }
                    Kind::Aead => (&[Model::Init, Model::Key], 12, 1, 16),
                    Kind::Xts => (&[Model::Key], 16, 1, 0),
                    Kind::Cmac => (&[Model::Init, Model::Key], 0, 1, 16),
                    Kind::Gmac => (&[Model::Init], 12, 1, 16),
                };
                Offer {
                    algorithm: algorithm.to_owned(),
                    operation: operation.to_owned(),
                    levels: vec![Cell::OWN_LEVEL.to_owned()],
                    models: [models, &[Model::Packet, Model::Message]].concat(),
                    key_bytes: if kind == Kind::Xts { 2 * key } else { key },
                    nonce_bytes: vec![nonce],
                    granule,
                    tag_bytes: tag,
                }
            },
        )
    })
}

/// A keystream that is set up with its IV.
fn keystream(algorithm: &str, key_bytes: u32, nonce: u32) -> Offer {
    Offer {
        algorithm: algorithm.to_owned(),
        operation: "keystream".to_owned(),
        levels: vec![Cell::OWN_LEVEL.to_owned()],
        models: vec![Model::Init, Model::Stream, Model::Packet, Model::Message],
        key_bytes,
        nonce_bytes: vec![nonce],
        granule: 1,
        tag_bytes: 0,
    }
}

impl Engine for RustCrypto {
    fn describe(&self) -> Description {
        let zuc = [keystream("zuc-128", 16, 16), keystream("zuc-256", 32, 23)];
        Description {
            engine: "rustcrypto".to_owned(),
            version: env!("PEERS_RUSTCRYPTO").to_owned(),
            build: crate::build(),
            path: crate::own_path(),
            offers: offers().chain(zuc).collect(),
            known_wrong: Vec::new(),
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        use aes::{Aes128, Aes128Dec, Aes128Enc, Aes192, Aes192Dec, Aes192Enc};
        use aes::{Aes256, Aes256Dec, Aes256Enc};
        match cell.algorithm.as_str() {
            "zuc-128" => return zuc::zuc_128(cell, keys, run),
            "zuc-256" => return zuc::zuc_256(cell, keys, run),
            "sm4" => over::<Sm4, Sm4, Sm4, Cmac<Sm4>>(cell, keys, run)?,
            "aes-128" => over::<Aes128, Aes128Enc, Aes128Dec, Cmac<Aes128Enc>>(cell, keys, run)?,
            "aes-192" => over::<Aes192, Aes192Enc, Aes192Dec, Cmac<Aes192Enc>>(cell, keys, run)?,
            "aes-256" => over::<Aes256, Aes256Enc, Aes256Dec, Cmac<Aes256Enc>>(cell, keys, run)?,
            other => return Err(format!("rustcrypto has no algorithm {other}").into()),
        }
        Ok(Notes { flags: Vec::new(), remark: remark(cell).to_owned() })
    }
}

/// What a reader must know of a figure.
fn remark(cell: &Cell) -> &'static str {
    let copies = cell.operation.starts_with("xts")
        || (cell.operation.starts_with("cfb-") && cell.model == Model::Stream);
    if copies && cell.placement == lab::Placement::Disjoint {
        "the crate works in place: the data is copied first"
    } else {
        ""
    }
}

/// An operation over a cipher, `B` in both directions, `E` that encrypts, `D` that decrypts,
/// `M` its CMAC.
fn over<B, E, D, M>(cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<(), Refusal>
where
    B: Encrypts + Decrypts + KeyInit,
    E: Encrypts + KeyInit,
    D: Decrypts + KeyInit,
    M: KeyInit + FixedOutputReset + Mac,
{
    let model = cell.model;
    if cell.operation.starts_with("xts") && !model.is_setup() && cell.size < 16 {
        return Err(format!("Xts128 takes at least 16 bytes, not {}", cell.size).into());
    }
    match cell.operation.as_str() {
        "ecb-encrypt" => drive(model, keys, run, Keyed::<E, modes::EcbEncrypt>::new),
        "ecb-decrypt" => drive(model, keys, run, Keyed::<D, modes::EcbDecrypt>::new),
        "cbc-encrypt" => drive(model, keys, run, Keyed::<E, modes::CbcEncrypt>::new),
        "cbc-decrypt" => drive(model, keys, run, Keyed::<D, modes::CbcDecrypt>::new),
        "ctr" => drive(model, keys, run, Keyed::<E, modes::Counter>::new),
        "cfb-encrypt" => drive(model, keys, run, Keyed::<E, modes::FeedbackEncrypt>::new),
        "cfb-decrypt" => drive(model, keys, run, Keyed::<E, modes::FeedbackDecrypt>::new),
        "cfb8-encrypt" => drive(model, keys, run, Keyed::<E, modes::Feedback8Encrypt>::new),
        "cfb8-decrypt" => drive(model, keys, run, Keyed::<E, modes::Feedback8Decrypt>::new),
        "ofb" => drive(model, keys, run, Keyed::<E, modes::OutputFeedback>::new),
        "gcm-seal" => drive(model, keys, run, Whole::<AesGcm<E, U12>, Seal>::new),
        "gcm-open" => drive(model, keys, run, Whole::<AesGcm<E, U12>, Open>::new),
        "gcm-siv-seal" => drive(model, keys, run, Whole::<AesGcmSiv<E>, Seal>::new),
        "gcm-siv-open" => drive(model, keys, run, Whole::<AesGcmSiv<E>, Open>::new),
        "ccm-seal" => drive(model, keys, run, Whole::<Ccm<E, U16, U12>, Seal>::new),
        "ccm-open" => drive(model, keys, run, Whole::<Ccm<E, U16, U12>, Open>::new),
        "xts-encrypt" => drive(model, keys, run, Xts::<B, false>::new),
        "xts-decrypt" => drive(model, keys, run, Xts::<B, true>::new),
        "cmac" => drive(model, keys, run, Whole::<M, Compute>::new),
        "gmac" => drive(model, keys, run, Whole::<AesGcm<E, U12>, Authenticate>::new),
        other => Err(format!("rustcrypto has no {}/{other}", cell.algorithm).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_one_of_the_registry() {
        let count = offers()
            .inspect(|it| assert!(crate::registered(&it.algorithm, &it.operation), "{it:?}"))
            .count();
        assert_eq!(count, 4 * 20 - 4);
    }
}
