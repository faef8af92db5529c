//! The registry's entries of the MACs of GB/T 15852.1.

use alloc::boxed::Box;
use alloc::sync::Arc;

use lanes::{Level, wipe::Whole};

use super::{CbcMac, MAX_BLOCK, MAX_KEY, Padding};
use crate::entry::Algorithm;
use crate::entry::constructor::NewMac;
use crate::entry::row::{Over, Row};
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
fn halves(key: &[u8], of: &Algorithm, level: Level) -> Result<(Cipher, Cipher), Error> {
    let (first, second) = key.split_at(key.len() / 2);
    let ciphers = (of.shared(first, level)?, of.shared(second, level)?);
    check_halves(key)?;
    Ok(ciphers)
}

/// Where a cipher has keys of many lengths, two of them may be no halves.
fn check_halves(key: &[u8]) -> Result<(), Error> {
    check_length("key", key.len(), Sizes::steps(0, 2 * MAX_KEY, 2))
}

/// The row of a MAC under one key of the cipher. The names follow the standard's numbers:
/// `cbc-mac-ALGORITHM`, and `-padMETHOD` where the padding method is not 2.
const fn row(name: &'static str, new: NewMac) -> Row {
    Row { tag: tags, ..Row::mac(name, "GB/T 15852.1-2020", new) }
}

/// The same under a key of twice the length.
const fn of_halves(name: &'static str, new: NewMac) -> Row {
    Row { key: |cipher| cipher.through(|cipher| 2 * cipher), ..row(name, new) }
}

/// The same of ciphers whose keys are blocks.
const fn of_block_keys(name: &'static str, new: NewMac) -> Row {
    Row {
        over: Over::Blocks(&[MAX_BLOCK]),
        takes_key: |cipher| cipher == MAX_BLOCK,
        ..row(name, new)
    }
}

pub(crate) const CBC_MAC_1: Row = row("cbc-mac-1", |of, key, iv, level| {
    no_iv(iv)?;
    boxed(CbcMac::new(of.shared(key, level)?, Padding::Method2))
});

pub(crate) const CBC_MAC_1_PAD1: Row = row("cbc-mac-1-pad1", |of, key, iv, level| {
    no_iv(iv)?;
    boxed(CbcMac::new(of.shared(key, level)?, Padding::Method1))
});

pub(crate) const CBC_MAC_1_PAD3: Row = row("cbc-mac-1-pad3", |of, key, iv, level| {
    no_iv(iv)?;
    boxed(CbcMac::new(of.shared(key, level)?, Padding::Method3))
});

pub(crate) const CBC_MAC_2: Row = of_halves("cbc-mac-2", |of, key, iv, level| {
    no_iv(iv)?;
    let (first, second) = halves(key, of, level)?;
    boxed(CbcMac::emac(first, second, Padding::Method2))
});

pub(crate) const CBC_MAC_2_PAD3: Row = of_halves("cbc-mac-2-pad3", |of, key, iv, level| {
    no_iv(iv)?;
    let (first, second) = halves(key, of, level)?;
    boxed(CbcMac::emac(first, second, Padding::Method3))
});

pub(crate) const CBC_MAC_3: Row = of_halves("cbc-mac-3", |of, key, iv, level| {
    no_iv(iv)?;
    let (first, second) = halves(key, of, level)?;
    boxed(CbcMac::ansi_retail(first, second, Padding::Method2))
});

pub(crate) const CBC_MAC_3_PAD3: Row = of_halves("cbc-mac-3-pad3", |of, key, iv, level| {
    no_iv(iv)?;
    let (first, second) = halves(key, of, level)?;
    boxed(CbcMac::ansi_retail(first, second, Padding::Method3))
});

/// MAC algorithm 4, whatever the padding.
fn mac_des(
    of: &Algorithm,
    key: &[u8],
    iv: &[u8],
    level: Level,
    padding: Padding,
) -> Result<Box<dyn DynMac>, Error> {
    no_iv(iv)?;
    let (first, second) = key.split_at(key.len() / 2);
    let mac = CbcMac::mac_des(first, second, |key| of.shared(key, level), padding);
    check_halves(key).and_then(|()| boxed(mac))
}

pub(crate) const CBC_MAC_4: Row =
    of_halves("cbc-mac-4", |of, key, iv, level| mac_des(of, key, iv, level, Padding::Method2));

pub(crate) const CBC_MAC_4_PAD3: Row =
    of_halves("cbc-mac-4-pad3", |of, key, iv, level| mac_des(of, key, iv, level, Padding::Method3));

pub(crate) const CBC_MAC_6: Row = of_block_keys("cbc-mac-6", |of, key, iv, level| {
    no_iv(iv)?;
    boxed(CbcMac::lmac(key, |key| of.shared(key, level), Padding::Method2))
});

pub(crate) const CBC_MAC_6_PAD3: Row = of_block_keys("cbc-mac-6-pad3", |of, key, iv, level| {
    no_iv(iv)?;
    boxed(CbcMac::lmac(key, |key| of.shared(key, level), Padding::Method3))
});

pub(crate) const CBC_MAC_7: Row = Row {
    tag: |block| tags(block / 2),
    ..row("cbc-mac-7", |of, key, iv, level| {
        no_iv(iv)?;
        boxed(CbcMac::tr_cbc(of.shared(key, level)?))
    })
};

pub(crate) const CBC_MAC_8: Row = row("cbc-mac-8", |of, key, iv, level| {
    no_iv(iv)?;
    boxed(CbcMac::cbcr(of.shared(key, level)?))
});
