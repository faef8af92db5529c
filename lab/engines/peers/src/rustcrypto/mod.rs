//! The engine `rustcrypto`: the crates of the RustCrypto project for block ciphers with its
//! generic modes, AEADs and MACs, those for stream ciphers, and the crates `zuc` and `snowv`, built
//! on its traits, and `enocoro128v2`.
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
use ctr::cipher::consts::{U8, U12, U16};
use ctr::cipher::{BlockSizeUser, KeyInit};
use idea::Idea;
use lab::reply::{Description, Offer};
use lab::work::{Engine, Keys, Notes, Refusal, Run};
use lab::{Cell, Model};
use rc2::Rc2;
use sm4::Sm4;

mod data;
mod modes;
mod snow_v;
mod streams;
mod whole;
mod zuc;

use modes::{Decrypts, Encrypts, Keyed};
use streams::Rc5;
use whole::{Act, Authenticate, Compute, Keyed as Whole, Open, Seal, Xts};

use crate::peer_operations::{self, Mode, Operation};
use crate::session;

/// The RustCrypto crates.
pub(crate) struct RustCrypto;

/// Why an operation can't be had from the crates, if it can't.
fn lacks(operation: &Operation) -> Option<String> {
    match operation.mode {
        Mode::XtsGb => Some("xts_mode::Xts128 has the tweaks of IEEE 1619 only".to_owned()),
        Mode::Nia2 => Some("cmac::Cmac is asked for CMAC alone".to_owned()),
        Mode::Keystream => streams::lacks(operation.cipher),
        _ => None,
    }
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
        let families = [
            keystream("zuc-128", 16, 16),
            keystream("zuc-256", 32, 23),
            keystream("snow-v", 32, 16),
        ];
        let (mut offers, known_wrong) = peer_operations::offers(lacks);
        offers.extend(families);
        Description {
            engine: "rustcrypto".to_owned(),
            version: env!("PEERS_RUSTCRYPTO").to_owned(),
            build: crate::build(),
            path: crate::own_path(),
            offers,
            known_wrong,
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        use aes::{Aes128, Aes128Dec, Aes128Enc, Aes192, Aes192Dec, Aes192Enc};
        use aes::{Aes256, Aes256Dec, Aes256Enc};
        match cell.algorithm.as_str() {
            "zuc-128" => return zuc::zuc_128(cell, keys, run),
            "zuc-256" => return zuc::zuc_256(cell, keys, run),
            "snow-v" => snow_v::run(cell.model, keys, run)?,
            "sm4" => over::<Sm4, Sm4, Sm4, Cmac<Sm4>>(cell, keys, run)?,
            "aes-128" => over::<Aes128, Aes128Enc, Aes128Dec, Cmac<Aes128Enc>>(cell, keys, run)?,
            "aes-192" => over::<Aes192, Aes192Enc, Aes192Dec, Cmac<Aes192Enc>>(cell, keys, run)?,
            "aes-256" => over::<Aes256, Aes256Enc, Aes256Dec, Cmac<Aes256Enc>>(cell, keys, run)?,
            "idea" => over_64::<Idea, Cmac<Idea>>(cell, keys, run)?,
            "rc2" => over_64::<Rc2, Cmac<Rc2>>(cell, keys, run)?,
            "rc5" => over_64::<Rc5, Cmac<Rc5>>(cell, keys, run)?,
            _ => {
                let operation = peer_operations::find("rustcrypto", cell)?;
                streams::run(operation.cipher, cell.model, keys, run)?;
            }
        }
        Ok(Notes { flags: Vec::new(), remark: remark(cell).to_owned() })
    }
}

/// What a reader must know of a figure.
fn remark(cell: &Cell) -> &'static str {
    if cell.algorithm == "snow-v" {
        return "portable code: the part of snowv 0.1.0 with AES instructions doesn't compile on x86-64";
    }
    let copies = cell.operation.starts_with("xts")
        || cell.algorithm == "enocoro-128"
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
    B: Encrypts + Decrypts + KeyInit + BlockSizeUser<BlockSize = U16>,
    E: Encrypts + KeyInit + BlockSizeUser<BlockSize = U16>,
    D: Decrypts + KeyInit + BlockSizeUser<BlockSize = U16>,
    M: KeyInit + FixedOutputReset + Mac,
{
    let operation = peer_operations::find("rustcrypto", cell)?;
    if let Some(reason) = lacks(&operation) {
        return Err(reason.into());
    }
    match (operation.mode, operation.encrypt) {
        (Mode::Keystream | Mode::Nia2, _) => Err("the crates have no such operation".into()),
        (Mode::Ecb, true) => in_mode::<E, modes::EcbEncrypt>(cell, keys, run),
        (Mode::Ecb, false) => in_mode::<D, modes::EcbDecrypt>(cell, keys, run),
        (Mode::Cbc, true) => in_mode::<E, modes::CbcEncrypt>(cell, keys, run),
        (Mode::Cbc, false) => in_mode::<D, modes::CbcDecrypt>(cell, keys, run),
        (Mode::Ctr, _) => in_mode::<E, modes::Counter>(cell, keys, run),
        (Mode::Cfb, true) => in_mode::<E, modes::FeedbackEncrypt>(cell, keys, run),
        (Mode::Cfb, false) => in_mode::<E, modes::FeedbackDecrypt>(cell, keys, run),
        (Mode::Cfb8, true) => in_mode::<E, modes::Feedback8Encrypt>(cell, keys, run),
        (Mode::Cfb8, false) => in_mode::<E, modes::Feedback8Decrypt>(cell, keys, run),
        (Mode::Ofb, _) => in_mode::<E, modes::OutputFeedback>(cell, keys, run),
        (Mode::Gcm, true) => whole::<AesGcm<E, U12>, Seal>(cell, keys, run),
        (Mode::Gcm, false) => whole::<AesGcm<E, U12>, Open>(cell, keys, run),
        (Mode::GcmSiv, true) => whole::<AesGcmSiv<E>, Seal>(cell, keys, run),
        (Mode::GcmSiv, false) => whole::<AesGcmSiv<E>, Open>(cell, keys, run),
        (Mode::Ccm, true) => whole::<Ccm<E, U16, U12>, Seal>(cell, keys, run),
        (Mode::Ccm, false) => whole::<Ccm<E, U16, U12>, Open>(cell, keys, run),
        (Mode::Xts | Mode::XtsGb, true) => {
            session::run(cell.model, keys, run, Xts::<B, false>::new)
        }
        (Mode::Xts | Mode::XtsGb, false) => {
            session::run(cell.model, keys, run, Xts::<B, true>::new)
        }
        (Mode::Cmac, _) => whole::<M, Compute>(cell, keys, run),
        (Mode::Gmac, _) => whole::<AesGcm<E, U12>, Authenticate>(cell, keys, run),
    }
}

/// An operation over a cipher with blocks of 64 bits, `M` its CMAC.
fn over_64<B, M>(cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<(), Refusal>
where
    B: Encrypts + Decrypts + KeyInit + BlockSizeUser<BlockSize = U8>,
    M: KeyInit + FixedOutputReset + Mac,
{
    let operation = peer_operations::find("rustcrypto", cell)?;
    match (operation.mode, operation.encrypt) {
        (Mode::Ecb, true) => in_mode::<B, modes::EcbEncrypt>(cell, keys, run),
        (Mode::Ecb, false) => in_mode::<B, modes::EcbDecrypt>(cell, keys, run),
        (Mode::Cbc, true) => in_mode::<B, modes::CbcEncrypt>(cell, keys, run),
        (Mode::Cbc, false) => in_mode::<B, modes::CbcDecrypt>(cell, keys, run),
        (Mode::Ctr, _) => in_mode::<B, modes::Counter64>(cell, keys, run),
        (Mode::Cfb, true) => in_mode::<B, modes::FeedbackEncrypt>(cell, keys, run),
        (Mode::Cfb, false) => in_mode::<B, modes::FeedbackDecrypt>(cell, keys, run),
        (Mode::Cfb8, true) => in_mode::<B, modes::Feedback8Encrypt>(cell, keys, run),
        (Mode::Cfb8, false) => in_mode::<B, modes::Feedback8Decrypt>(cell, keys, run),
        (Mode::Ofb, _) => in_mode::<B, modes::OutputFeedback64>(cell, keys, run),
        (Mode::Cmac, _) => whole::<M, Compute>(cell, keys, run),
        (mode, _) => Err(format!("{mode:?} is not defined for blocks of 64 bits").into()),
    }
}

/// A mode of operation over a cipher.
fn in_mode<C: KeyInit + Clone, M: modes::Mode<C>>(
    cell: &Cell,
    keys: &Keys,
    run: Run<'_>,
) -> Result<(), Refusal> {
    let streams = cell.model == Model::Stream;
    session::run(cell.model, keys, run, |key, iv| Keyed::<C, M>::new(key, iv, streams))
}

/// An object for whole messages.
fn whole<T: KeyInit, A: Act<T>>(cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<(), Refusal> {
    session::run(cell.model, keys, run, Whole::<T, A>::new)
}
