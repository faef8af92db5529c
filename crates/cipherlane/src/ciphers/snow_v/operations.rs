//! The operations that the registry has of the family besides its keystreams.
//!
//! The IVs of 3GPP's are the 16 bytes that the specification makes of COUNT, BEARER and DIRECTION.

use alloc::boxed::Box;

use super::entries::batch;
use super::gcm::TAG;
use super::{
    IV, KEY, Nca4, Nca4Batch, Nia4, Nia4Batch, OfSnow5g, OfSnowV, OfSnowVi, SNOW_5G, SNOW_V,
    SNOW_VI, Seals, Snow5g, SnowGcm,
};
use crate::air256::{self, hash::TAGS};
use crate::entry::constructor::{AeadStreaming, Constructor, NewMac};
use crate::entry::kind::Kind;
use crate::entry::row::{Over, Row};
use crate::entry::{Algorithm, NewStream};

const NEW_NEA4: NewStream = |key, iv, level| Ok(Box::new(Snow5g::with_level(key, iv, level)?));

/// `nea4`.
pub(crate) const NEA4: Row = Row {
    inverse: Some("nea4"),
    air: Some(air256::NEA),
    batch: Some(batch::<OfSnow5g>),
    ..of(
        &SNOW_5G,
        "nea4",
        Kind::Cipher,
        "3GPP 256-NEA4",
        Constructor::Stream { new: NEW_NEA4, unlimited: NEW_NEA4 },
    )
};

const NEW_NIA4: NewMac = |_, key, iv, level| Ok(Box::new(Nia4::with_level(key, iv, level)?));

/// `nia4`.
pub(crate) const NIA4: Row = Row {
    tag: |_| TAGS,
    air: Some(air256::NIA),
    batch: Some(|_, level| Box::new(Nia4Batch::with_level(level))),
    ..of(
        &SNOW_5G,
        "nia4",
        Kind::Mac,
        "3GPP 256-NIA4",
        Constructor::Mac { new: NEW_NIA4, unlimited: NEW_NIA4 },
    )
};

/// `nca4-seal`.
pub(crate) const NCA4_SEAL: Row = Row {
    inverse: Some("nca4-open"),
    tag: |_| TAGS,
    air: Some(air256::NCA),
    batch: Some(|_, level| Box::new(Nca4Batch::with_level(false, level))),
    ..of(
        &SNOW_5G,
        "nca4-seal",
        Kind::Seal,
        "3GPP 256-NCA4",
        Constructor::Aead {
            new: |_, key, level| Ok(Box::new(Nca4::with_level(key, level)?)),
            streaming: WHOLE,
        },
    )
};

/// `nca4-open`.
pub(crate) const NCA4_OPEN: Row = Row {
    batch: Some(|_, level| Box::new(Nca4Batch::with_level(true, level))),
    ..NCA4_SEAL.undo()
};

/// SNOW-V-GCM, `snow-v-gcm-seal`.
pub(crate) const GCM_SEAL: Row = gcm::<OfSnowV>(&SNOW_V, ["snow-v-gcm-seal", "snow-v-gcm-open"]);
/// `snow-v-gcm-open`.
pub(crate) const GCM_OPEN: Row = GCM_SEAL.undo();
/// The same of SNOW-Vi, `snow-vi-gcm-seal`.
pub(crate) const VI_GCM_SEAL: Row =
    gcm::<OfSnowVi>(&SNOW_VI, ["snow-vi-gcm-seal", "snow-vi-gcm-open"]);
/// `snow-vi-gcm-open`.
pub(crate) const VI_GCM_OPEN: Row = VI_GCM_SEAL.undo();

const WHOLE: AeadStreaming = AeadStreaming::No("the library has it for whole messages");

const fn gcm<M: Seals>(algorithm: &Algorithm, [seal, open]: [&'static str; 2]) -> Row {
    Row {
        inverse: Some(open),
        tag: |_| TAG,
        ..of(
            algorithm,
            seal,
            Kind::Seal,
            "IACR ePrint 2018/1143, SNOW-V-GCM",
            Constructor::Aead {
                new: |_, key, level| Ok(Box::new(SnowGcm::<M>::with_level(key, level)?)),
                streaming: WHOLE,
            },
        )
    }
}

/// What is the same for all operations of the family.
const fn of(
    algorithm: &Algorithm,
    name: &'static str,
    kind: Kind,
    standard: &'static str,
    new: Constructor,
) -> Row {
    Row {
        over: Over::Stream(algorithm.name),
        key: |_| KEY,
        iv: |_| IV,
        ..Row::new(name, kind, standard, new)
    }
}
