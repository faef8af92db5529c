//! What the registry says of SNOW 3G and of what is made of it.
//!
//! The operations' IVs are the 16 bytes that TS 35.215 makes of COUNT, BEARER or FRESH, and DIRECTION:
//! [`Frame`](crate::air::Frame) and [`uia2_iv`](crate::air::uia2_iv) make them, too.

use alloc::boxed::Box;

use lanes::Level;

use super::nea1_nia1::IVS;
use super::{Nea1Nia1, Nea1Nia1Batch, SIXTEEN, Snow3g, Snow3gBatch, Uia2Batch, Uia2Mac, lanes_of};
use crate::air::{FrameIv, Iv, Order};
use crate::entry::constructor::{Constructor, NewMac};
use crate::entry::kind::Kind;
use crate::entry::row::{Over, Row};
use crate::entry::timing::Timing;
use crate::entry::{Algorithm, New, NewBatch, NewStream};
use crate::error::Error;
use crate::pdu::{KEYS, TAG};
use crate::traits::mac::{DynMac, ONE_IV};

/// The registry's entry.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "snow3g",
    title: "SNOW 3G",
    standard: "3GPP TS 35.216",
    key: SIXTEEN,
    new: New::Stream { iv: SIXTEEN, new: STREAM, unlimited: STREAM, limit: None, batch: BATCH },
    timing: Timing::ConstantTime,
    warning: None,
    kernel,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "4881ff48952c491082c5b3002bd6459f",
        "1c0bf45fdf1f9b25ad5c4d84ea024714",
        "abee97047ac31373",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

const STREAM: NewStream = |key, iv, level| Ok(Box::new(Snow3g::with_level(key, iv, level)?));
const BATCH: NewBatch = |_, level| Box::new(Snow3gBatch::with_level(level));
const NEW_MAC: NewMac = |_, key, iv, level| Ok(Box::new(Uia2Mac::with_level(key, iv, level)?));

/// Which kernels run, in words.
fn kernel(level: Level) -> &'static str {
    match lanes_of(level) {
        4 => "one stream: two steps at once, byte maps; many: 4 in lanes",
        8 => "one stream: two steps at once, byte maps; many: 8 in lanes",
        16 => "one stream: two steps at once, byte maps; many: 16 in lanes",
        _ => "one stream: two steps at once, integers; many: one after another",
    }
}

/// What is the same for all operations.
const fn of(name: &'static str, kind: Kind, standard: &'static str, new: Constructor) -> Row {
    Row {
        over: Over::Stream(ALGORITHM.name),
        key: |_| SIXTEEN,
        iv: |_| SIXTEEN,
        ..Row::new(name, kind, standard, new)
    }
}

/// `nea1`, which is UEA2, too.
pub(crate) const NEA1: Row = Row {
    inverse: Some("nea1"),
    air: Some(FrameIv::specified(|frame, _| Ok(Iv::of(&frame.nea1_iv())))),
    batch: Some(BATCH),
    ..of(
        "nea1",
        Kind::Cipher,
        "3GPP TS 35.215 (UEA2, 128-NEA1)",
        Constructor::Stream { new: STREAM, unlimited: STREAM },
    )
};

/// `nia1`, which is UIA2, too.
pub(crate) const NIA1: Row = Row {
    tag: |_| TAG,
    bits: true,
    air: Some(FrameIv::specified(|frame, _| Ok(Iv::of(&frame.nia1_iv())))),
    batch: Some(|_, level| Box::new(Uia2Batch::with_level(level))),
    ..of(
        "nia1",
        Kind::Mac,
        "3GPP TS 35.215 (UIA2, 128-NIA1)",
        Constructor::Mac { new: NEW_MAC, unlimited: NEW_MAC },
    )
};

/// `nea1+nia1`: the ciphertext is authenticated. The key is CK and IK, the nonce the IVs of both.
pub(crate) const NEA1_NIA1: Row = Row {
    inverse: Some("nea1+nia1-open"),
    air: Some(FrameIv::specified(|frame, _| Ok(Iv::of(&frame.nea1_nia1_ivs())))),
    key: |_| KEYS,
    iv: |_| IVS,
    tag: |_| TAG,
    batch: Some(|_, level| Box::new(Nea1Nia1Batch::with_level(false, level))),
    ..of(
        "nea1+nia1",
        Kind::Seal,
        "3GPP TS 35.215",
        Constructor::Pdu(|key, level| {
            Ok(Box::new(Nea1Nia1::with_level(key, Order::EncryptThenMac, level)?))
        }),
    )
};

/// `nea1+nia1-open`.
pub(crate) const NEA1_NIA1_OPEN: Row = Row {
    batch: Some(|_, level| Box::new(Nea1Nia1Batch::with_level(true, level))),
    ..NEA1_NIA1.undo()
};

impl DynMac for Uia2Mac {
    fn fork(&self) -> Result<Box<dyn DynMac>, Error> {
        Err(ONE_IV)
    }
}
