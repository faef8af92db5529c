//! The registry's entries of the MACs of GB/T 15852.1.

use alloc::boxed::Box;
use alloc::sync::Arc;

use lanes::{Level, wipe::Whole};

use super::{CbcMac, MAX_BLOCK, MAX_KEY, Padding};
use crate::entry::{MacEntry, NewShared};
use crate::error::{Error, check_length};
use crate::mac::cmac::tags;
use crate::sizes::Sizes;
use crate::traits::block::BlockCipher;
use crate::traits::mac::DynMac;

/// Shared, so that a MAC can be copied.
type Cipher = Arc<dyn BlockCipher>;

fn boxed(mac: Result<CbcMac<Cipher>, Error>) -> Result<Box<dyn DynMac>, Error> {
    // Most members leave room of others unused, and what lay there would stay.
    Ok(Box::new(Whole::new(mac?)))
}

fn no_iv(iv: &[u8]) -> Result<(), Error> {
    check_length("iv", iv.len(), Sizes::exactly(0))
}

/// Two ciphers from one key of twice the length.
fn halves(key: &[u8], new: NewShared, level: Level) -> Result<(Cipher, Cipher), Error> {
    let (first, second) = key.split_at(key.len() / 2);
    let ciphers = (new(first, level)?, new(second, level)?);
    check_halves(key)?;
    Ok(ciphers)
}

/// Where a cipher has keys of many lengths, two of them may be no halves.
fn check_halves(key: &[u8]) -> Result<(), Error> {
    check_length("key", key.len(), Sizes::steps(0, 2 * MAX_KEY, 2))
}

/// MAC algorithm 1, padding method 2. The names of the others follow this one's:
/// `cbc-mac-ALGORITHM`, and `-padMETHOD` where the method is not 2.
pub(crate) const CBC_MAC_1: MacEntry = MacEntry {
    name: "cbc-mac-1",
    standard: "GB/T 15852.1-2020",
    blocks: &[8, 16],
    key: |cipher| cipher,
    iv: Sizes::exactly(0),
    usual_iv: 0,
    tag: tags,
    new: |new, key, iv, level| {
        no_iv(iv)?;
        boxed(CbcMac::new(new(key, level)?, Padding::Method2))
    },
};

pub(crate) const CBC_MAC_1_PAD1: MacEntry = MacEntry {
    name: "cbc-mac-1-pad1",
    key: |cipher| cipher,
    new: |new, key, iv, level| {
        no_iv(iv)?;
        boxed(CbcMac::new(new(key, level)?, Padding::Method1))
    },
    ..CBC_MAC_1
};

pub(crate) const CBC_MAC_1_PAD3: MacEntry = MacEntry {
    name: "cbc-mac-1-pad3",
    key: |cipher| cipher,
    new: |new, key, iv, level| {
        no_iv(iv)?;
        boxed(CbcMac::new(new(key, level)?, Padding::Method3))
    },
    ..CBC_MAC_1
};

pub(crate) const CBC_MAC_2: MacEntry = MacEntry {
    name: "cbc-mac-2",
    key: |cipher| 2 * cipher,
    new: |new, key, iv, level| {
        no_iv(iv)?;
        let (first, second) = halves(key, new, level)?;
        boxed(CbcMac::emac(first, second, Padding::Method2))
    },
    ..CBC_MAC_1
};

pub(crate) const CBC_MAC_2_PAD3: MacEntry = MacEntry {
    name: "cbc-mac-2-pad3",
    key: |cipher| 2 * cipher,
    new: |new, key, iv, level| {
        no_iv(iv)?;
        let (first, second) = halves(key, new, level)?;
        boxed(CbcMac::emac(first, second, Padding::Method3))
    },
    ..CBC_MAC_1
};

pub(crate) const CBC_MAC_3: MacEntry = MacEntry {
    name: "cbc-mac-3",
    key: |cipher| 2 * cipher,
    new: |new, key, iv, level| {
        no_iv(iv)?;
        let (first, second) = halves(key, new, level)?;
        boxed(CbcMac::ansi_retail(first, second, Padding::Method2))
    },
    ..CBC_MAC_1
};

pub(crate) const CBC_MAC_3_PAD3: MacEntry = MacEntry {
    name: "cbc-mac-3-pad3",
    key: |cipher| 2 * cipher,
    new: |new, key, iv, level| {
        no_iv(iv)?;
        let (first, second) = halves(key, new, level)?;
        boxed(CbcMac::ansi_retail(first, second, Padding::Method3))
    },
    ..CBC_MAC_1
};

/// MAC algorithm 4, whatever the padding.
fn mac_des(
    new: NewShared,
    key: &[u8],
    iv: &[u8],
    level: Level,
    padding: Padding,
) -> Result<Box<dyn DynMac>, Error> {
    no_iv(iv)?;
    let (first, second) = key.split_at(key.len() / 2);
    let mac = CbcMac::mac_des(first, second, |key| new(key, level), padding);
    check_halves(key).and_then(|()| boxed(mac))
}

pub(crate) const CBC_MAC_4: MacEntry = MacEntry {
    name: "cbc-mac-4",
    key: |cipher| 2 * cipher,
    new: |new, key, iv, level| mac_des(new, key, iv, level, Padding::Method2),
    ..CBC_MAC_1
};

pub(crate) const CBC_MAC_4_PAD3: MacEntry = MacEntry {
    name: "cbc-mac-4-pad3",
    key: |cipher| 2 * cipher,
    new: |new, key, iv, level| mac_des(new, key, iv, level, Padding::Method3),
    ..CBC_MAC_1
};

pub(crate) const CBC_MAC_6: MacEntry = MacEntry {
    name: "cbc-mac-6",
    // Its keys are blocks.
    blocks: &[MAX_BLOCK],
    key: |cipher| if cipher == MAX_BLOCK { cipher } else { 0 },
    new: |new, key, iv, level| {
        no_iv(iv)?;
        boxed(CbcMac::lmac(key, |key| new(key, level), Padding::Method2))
    },
    ..CBC_MAC_1
};

pub(crate) const CBC_MAC_6_PAD3: MacEntry = MacEntry {
    name: "cbc-mac-6-pad3",
    // Its keys are blocks.
    blocks: &[MAX_BLOCK],
    key: |cipher| if cipher == MAX_BLOCK { cipher } else { 0 },
    new: |new, key, iv, level| {
        no_iv(iv)?;
        boxed(CbcMac::lmac(key, |key| new(key, level), Padding::Method3))
    },
    ..CBC_MAC_1
};

pub(crate) const CBC_MAC_7: MacEntry = MacEntry {
    name: "cbc-mac-7",
    key: |cipher| cipher,
    tag: |block| tags(block / 2),
    new: |new, key, iv, level| {
        no_iv(iv)?;
        boxed(CbcMac::tr_cbc(new(key, level)?))
    },
    ..CBC_MAC_1
};

pub(crate) const CBC_MAC_8: MacEntry = MacEntry {
    name: "cbc-mac-8",
    key: |cipher| cipher,
    new: |new, key, iv, level| {
        no_iv(iv)?;
        boxed(CbcMac::cbcr(new(key, level)?))
    },
    ..CBC_MAC_1
};
