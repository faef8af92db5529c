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
    nia6,
};
use crate::entry::stream::{Sealed, StreamAeadEntry, StreamEntry, StreamMacEntry};
use crate::entry::{Algorithm, Limits};
use crate::error::{Error, check_length};
use crate::sizes::Sizes;
use crate::traits::batch::BatchCipher;
use crate::traits::mac::{DynMac, Mac, ONE_IV};

/// `eea3`.
pub(crate) const EEA3: StreamEntry = StreamEntry {
    name: "eea3",
    algorithm: ZUC_128.name,
    standard: "3GPP TS 35.221, GM/T 0001.2-2012",
    key: Key128::KEY,
    iv: Key128::IV,
    new: |key, iv, level| Ok(Box::new(Zuc128::with_level(key, iv, level)?)),
    batch: batch::<Key128>,
};

/// `nea6`.
pub(crate) const NEA6: StreamEntry = StreamEntry {
    name: "nea6",
    algorithm: ZUC_256_OF_2023.name,
    standard: "3GPP 256-NEA6",
    key: Key256Of2023::KEY,
    iv: Key256Of2023::IV,
    new: |key, iv, level| Ok(Box::new(Zuc256Of2023::with_level(key, iv, level)?)),
    batch: batch::<Key256Of2023>,
};

/// `eia3`.
pub(crate) const EIA3: StreamMacEntry =
    mac::<Key128, 4>("eia3", &ZUC_128, "3GPP TS 35.221, GM/T 0001.3-2012");

/// `mac32` of 2018.
pub(crate) const MAC32: StreamMacEntry = of_2018::<4>("mac32");
/// `mac64` of 2018.
pub(crate) const MAC64: StreamMacEntry = of_2018::<8>("mac64");
/// `mac128` of 2018.
pub(crate) const MAC128: StreamMacEntry = of_2018::<16>("mac128");
/// `mac32` of 2023.
pub(crate) const MAC32_OF_2023: StreamMacEntry = of_2023::<4>("mac32");
/// `mac64` of 2023.
pub(crate) const MAC64_OF_2023: StreamMacEntry = of_2023::<8>("mac64");
/// `mac128` of 2023.
pub(crate) const MAC128_OF_2023: StreamMacEntry = of_2023::<16>("mac128");

/// `nia6`.
pub(crate) const NIA6: StreamMacEntry = StreamMacEntry {
    name: "nia6",
    algorithm: ZUC_256_OF_2023.name,
    standard: "3GPP 256-NIA6",
    key: Key256Of2023::KEY,
    iv: Key256Of2023::IV,
    tag: nia6::TAGS,
    bits: false,
    new: new_nia6,
    unlimited: new_nia6,
    limit: None,
    batch: Some(|_, level| Box::new(Nia6Batch::with_level(level))),
};

/// `eea3+eia3` and `eea3+eia3-open`: the ciphertext is authenticated. The key is CK and
/// IK, the nonce the IVs of both.
pub(crate) const EEA3_EIA3: StreamAeadEntry = StreamAeadEntry {
    name: "eea3+eia3",
    seal: "eea3+eia3",
    open: "eea3+eia3-open",
    algorithm: ZUC_128.name,
    standard: "3GPP TS 35.221",
    key: eea3_eia3::KEYS,
    nonce: eea3_eia3::NONCE,
    tag: eea3_eia3::TAG,
    new: Sealed::Pdu(|key, level| {
        Ok(Box::new(Eea3Eia3::with_level(key, Order::EncryptThenMac, level)?))
    }),
    batches: Some([|_, level| both(false, level), |_, level| both(true, level)]),
};

/// `nca6-seal` and `nca6-open`.
pub(crate) const NCA6: StreamAeadEntry = StreamAeadEntry {
    name: "nca6",
    seal: "nca6-seal",
    open: "nca6-open",
    algorithm: ZUC_256_OF_2023.name,
    standard: "3GPP 256-NCA6",
    key: Key256Of2023::KEY,
    nonce: Key256Of2023::IV,
    tag: nia6::TAGS,
    new: Sealed::Aead(|key, level| Ok(Box::new(Nca6::with_level(key, level)?))),
    batches: Some([
        |_, level| Box::new(Nca6Batch::with_level(false, level)),
        |_, level| Box::new(Nca6Batch::with_level(true, level)),
    ]),
};

impl<M: Authenticates> DynMac for ZucMac<M> {
    fn fork(&self) -> Result<Box<dyn DynMac>, Error> {
        Err(ONE_IV)
    }
}

impl DynMac for Nia6 {
    fn fork(&self) -> Result<Box<dyn DynMac>, Error> {
        Err(ONE_IV)
    }
}

const fn of_2018<const TAG: usize>(name: &'static str) -> StreamMacEntry {
    StreamMacEntry {
        unlimited: |key, iv, tag, level| {
            check_length("tag", tag, Sizes::exactly(TAG))?;
            Ok(Box::new(Zuc256Mac::unlimited(key, iv, TAG, level)?))
        },
        ..mac::<Key256Of2018, TAG>(name, &ZUC_256, ZUC_256.standard)
    }
}

const fn of_2023<const TAG: usize>(name: &'static str) -> StreamMacEntry {
    mac::<Key256Of2023, TAG>(name, &ZUC_256_OF_2023, ZUC_256_OF_2023.standard)
}

/// What is the same for all MACs of the family.
const fn mac<M: Authenticates, const TAG: usize>(
    name: &'static str,
    algorithm: &Algorithm,
    standard: &'static str,
) -> StreamMacEntry {
    StreamMacEntry {
        name,
        algorithm: algorithm.name,
        standard,
        key: M::KEY,
        iv: M::IV,
        tag: Sizes::exactly(TAG),
        bits: true,
        new: new_mac::<M, TAG>,
        unlimited: new_mac::<M, TAG>,
        // The mask and the last window take two tags' worth of the keystream.
        limit: match M::LIMIT {
            Some(bytes) => Some(bytes - 2 * TAG as u64),
            None => None,
        },
        batch: Some(mac_batch::<M, TAG>),
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
    key: &[u8],
    iv: &[u8],
    tag: usize,
    level: Level,
) -> Result<Box<dyn DynMac>, Error> {
    check_length("tag", tag, Sizes::exactly(TAG))?;
    Ok(Box::new(ZucMac::<M>::with_level(key, iv, TAG, level)?))
}

fn new_nia6(key: &[u8], iv: &[u8], tag: usize, level: Level) -> Result<Box<dyn DynMac>, Error> {
    Ok(Box::new(Nia6::with_level(key, iv, level)?.with_tag_len(tag)?))
}
