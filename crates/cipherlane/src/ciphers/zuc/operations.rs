//! The operations that the registry has of the family besides its keystreams.
//!
//! Their IVs are those that the ciphers take: for the 3GPP algorithms the 16 bytes that
//! the specifications make of COUNT, BEARER and DIRECTION.

use alloc::boxed::Box;

use lanes::Level;

use super::entries::batch;
use super::mac::{Authenticates, Zuc256Mac, ZucMac};
use super::{
    Eea3Eia3, Key128, Key256Of2018, Key256Of2023, Member, Nca6, Nca6Batch, Nia6, Nia6Batch, Order,
    ZUC_128, ZUC_256, ZUC_256_OF_2023, Zuc128, Zuc256Of2023, ZucBothBatch, ZucMacBatch, eea3_eia3,
};
use crate::air::{FrameIv, Iv};
use crate::air256::{self, hash::TAGS};
use crate::entry::constructor::{AeadStreaming, Constructor, NewMac};
use crate::entry::kind::Kind;
use crate::entry::row::{Over, Row};
use crate::entry::{Algorithm, Limits, NewStream};
use crate::error::Error;
use crate::pdu;
use crate::sizes::Sizes;
use crate::traits::batch::BatchCipher;
use crate::traits::mac::{DynMac, ONE_IV};

/// `eea3`.
pub(crate) const EEA3: Row = Row {
    air: Some(FrameIv::specified(|frame, _| Ok(Iv::of(&frame.eea3_iv())))),
    ..keystream::<Key128>("eea3", &ZUC_128, "3GPP TS 35.221, GM/T 0001.2-2012", |key, iv, level| {
        Ok(Box::new(Zuc128::with_level(key, iv, level)?))
    })
};

/// `nea6`.
pub(crate) const NEA6: Row = Row {
    air: Some(air256::NEA),
    ..keystream::<Key256Of2023>("nea6", &ZUC_256_OF_2023, "3GPP 256-NEA6", |key, iv, level| {
        Ok(Box::new(Zuc256Of2023::with_level(key, iv, level)?))
    })
};

/// `eia3`.
pub(crate) const EIA3: Row = Row {
    air: Some(FrameIv::specified(|frame, _| Ok(Iv::of(&frame.eia3_iv())))),
    ..mac::<Key128, 4>("eia3", &ZUC_128, "3GPP TS 35.221, GM/T 0001.3-2012")
};

/// `mac32` of 2018.
pub(crate) const MAC32: Row = of_2018::<4>("mac32");
/// `mac64` of 2018.
pub(crate) const MAC64: Row = of_2018::<8>("mac64");
/// `mac128` of 2018.
pub(crate) const MAC128: Row = of_2018::<16>("mac128");
/// `mac32` of 2023.
pub(crate) const MAC32_OF_2023: Row = of_2023::<4>("mac32");
/// `mac64` of 2023.
pub(crate) const MAC64_OF_2023: Row = of_2023::<8>("mac64");
/// `mac128` of 2023.
pub(crate) const MAC128_OF_2023: Row = of_2023::<16>("mac128");

const NEW_NIA6: NewMac = |_, key, iv, level| Ok(Box::new(Nia6::with_level(key, iv, level)?));

/// `nia6`.
pub(crate) const NIA6: Row = Row {
    tag: |_| TAGS,
    air: Some(air256::NIA),
    batch: Some(|_, level| Box::new(Nia6Batch::with_level(level))),
    ..of::<Key256Of2023>(
        "nia6",
        Kind::Mac,
        &ZUC_256_OF_2023,
        "3GPP 256-NIA6",
        Constructor::Mac { new: NEW_NIA6, unlimited: NEW_NIA6 },
    )
};

/// `eea3+eia3`: the ciphertext is authenticated. The key is CK and IK, the nonce the IVs of both.
pub(crate) const EEA3_EIA3: Row = Row {
    inverse: Some("eea3+eia3-open"),
    key: |_| pdu::KEYS,
    iv: |_| eea3_eia3::NONCE,
    tag: |_| pdu::TAG,
    air: Some(FrameIv::specified(|frame, _| Ok(Iv::of(&frame.nonce())))),
    batch: Some(|_, level| both(false, level)),
    ..of::<Key128>(
        "eea3+eia3",
        Kind::Seal,
        &ZUC_128,
        "3GPP TS 35.221",
        Constructor::Pdu(|key, level| {
            Ok(Box::new(Eea3Eia3::with_level(key, Order::EncryptThenMac, level)?))
        }),
    )
};

/// `eea3+eia3-open`.
pub(crate) const EEA3_EIA3_OPEN: Row =
    Row { batch: Some(|_, level| both(true, level)), ..EEA3_EIA3.undo() };

/// `nca6-seal`.
pub(crate) const NCA6_SEAL: Row = Row {
    inverse: Some("nca6-open"),
    tag: |_| TAGS,
    air: Some(air256::NCA),
    batch: Some(|_, level| Box::new(Nca6Batch::with_level(false, level))),
    ..of::<Key256Of2023>(
        "nca6-seal",
        Kind::Seal,
        &ZUC_256_OF_2023,
        "3GPP 256-NCA6",
        Constructor::Aead {
            new: |_, key, level| Ok(Box::new(Nca6::with_level(key, level)?)),
            streaming: AeadStreaming::No("the library has it for whole messages"),
        },
    )
};

/// `nca6-open`.
pub(crate) const NCA6_OPEN: Row = Row {
    batch: Some(|_, level| Box::new(Nca6Batch::with_level(true, level))),
    ..NCA6_SEAL.undo()
};

impl<M: Authenticates> DynMac for ZucMac<M> {
    fn fork(&self) -> Result<Box<dyn DynMac>, Error> {
        Err(ONE_IV)
    }
}

/// What is the same for all operations of the family.
const fn of<M: Member>(
    name: &'static str,
    kind: Kind,
    algorithm: &Algorithm,
    standard: &'static str,
    new: Constructor,
) -> Row {
    Row {
        over: Over::Stream(algorithm.name),
        key: |_| M::KEY,
        iv: |_| M::IV,
        ..Row::new(name, kind, standard, new)
    }
}

const fn keystream<M: Member>(
    name: &'static str,
    algorithm: &Algorithm,
    standard: &'static str,
    new: NewStream,
) -> Row {
    let both = Constructor::Stream { new, unlimited: new };
    Row {
        inverse: Some(name),
        batch: Some(batch::<M>),
        ..of::<M>(name, Kind::Cipher, algorithm, standard, both)
    }
}

const fn of_2018<const TAG: usize>(name: &'static str) -> Row {
    let unlimited: NewMac =
        |_, key, iv, level| Ok(Box::new(Zuc256Mac::unlimited(key, iv, TAG, level)?));
    Row {
        new: Constructor::Mac { new: new_mac::<Key256Of2018, TAG>, unlimited },
        ..mac::<Key256Of2018, TAG>(name, &ZUC_256, ZUC_256.standard)
    }
}

const fn of_2023<const TAG: usize>(name: &'static str) -> Row {
    mac::<Key256Of2023, TAG>(name, &ZUC_256_OF_2023, ZUC_256_OF_2023.standard)
}

/// What is the same for all MACs of the family.
const fn mac<M: Authenticates, const TAG: usize>(
    name: &'static str,
    algorithm: &Algorithm,
    standard: &'static str,
) -> Row {
    let new = Constructor::Mac { new: new_mac::<M, TAG>, unlimited: new_mac::<M, TAG> };
    Row {
        tag: |_| Sizes::exactly(TAG),
        bits: true,
        // The mask and the last window take two tags' worth of the keystream.
        limit: match M::LIMIT {
            Some(bytes) => Some(bytes - 2 * TAG as u64),
            None => None,
        },
        batch: Some(mac_batch::<M, TAG>),
        ..of::<M>(name, Kind::Mac, algorithm, standard, new)
    }
}

fn mac_batch<M: Authenticates, const TAG: usize>(
    limits: Limits,
    level: Level,
) -> Box<dyn BatchCipher> {
    Box::new(ZucMacBatch::<M>::of_tag(TAG, limits, level))
}

fn both(open: bool, level: Level) -> Box<dyn BatchCipher> {
    Box::new(ZucBothBatch::<Key128>::with_level(Order::EncryptThenMac, open, level))
}

fn new_mac<M: Authenticates, const TAG: usize>(
    _: &Algorithm,
    key: &[u8],
    iv: &[u8],
    level: Level,
) -> Result<Box<dyn DynMac>, Error> {
    Ok(Box::new(ZucMac::<M>::with_level(key, iv, TAG, level)?))
}
