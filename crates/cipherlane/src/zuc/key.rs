//! Key and IV loading: what the members of the family differ in.
//!
//! ZUC-128: TS 35.222 §3.5, the same in GM/T 0001.1-2012. ZUC-256: "The ZUC-256 Stream
//! Cipher" (ZUC team, 2018), initialisation.

use crate::Error;
use crate::error::{Sizes, check_length};

mod sealed {
    /// What the kernel must know of a [`Member`](super::Member), out of users' reach.
    pub trait Load {
        /// Initialisation clocks before the one whose word is discarded; a multiple of 16.
        const ROUNDS: usize;

        /// The cells, from a key and an IV of right lengths.
        fn load(key: &[u8], iv: &[u8]) -> Result<[u32; 16], crate::Error>;
    }
}
pub(super) use sealed::Load;

/// A member of the ZUC family; sealed.
pub trait Member: Load + Send + 'static {
    /// The key's length in bytes.
    const KEY: Sizes;
    /// The IV's lengths in bytes.
    const IV: Sizes;
    /// The most keystream bytes under one key and IV.
    const LIMIT: Option<u64>;
}

/// ZUC-128: GM/T 0001.1-2012, GB/T 33133.1-2016, 3GPP TS 35.222.
#[derive(Clone, Copy, Debug)]
pub enum Key128 {}

/// ZUC-256 as published in 2018: a 184-bit IV, 32 + 1 initialisation rounds.
#[derive(Clone, Copy, Debug)]
pub enum Key256Of2018 {}

impl Load for Key128 {
    const ROUNDS: usize = 32;

    fn load(key: &[u8], iv: &[u8]) -> Result<[u32; 16], Error> {
        let byte = |bytes: &[u8], i: usize| u32::from(bytes[i]);
        Ok(core::array::from_fn(|i| byte(key, i) << 23 | D_128[i] << 8 | byte(iv, i)))
    }
}

impl Member for Key128 {
    const KEY: Sizes = Sizes::exactly(16);
    const IV: Sizes = Sizes::exactly(16);
    const LIMIT: Option<u64> = None;
}

impl Load for Key256Of2018 {
    const ROUNDS: usize = 32;

    fn load(key: &[u8], iv: &[u8]) -> Result<[u32; 16], Error> {
        load_184(&D_2018, key, &unpack(iv)?)
    }
}

impl Member for Key256Of2018 {
    const KEY: Sizes = Sizes::exactly(32);
    const IV: Sizes = Sizes { min: 23, max: 25, step: 2 };
    /// 20 000 bits.
    const LIMIT: Option<u64> = Some(2500);
}

/// Checks the lengths of a key and an IV for `M`, then loads them.
pub(super) fn cells<M: Member>(key: &[u8], iv: &[u8]) -> Result<[u32; 16], Error> {
    check_length("key", key.len(), M::KEY)?;
    check_length("iv", iv.len(), M::IV)?;
    M::load(key, iv)
}

/// The 15-bit constants d of ZUC-128.
const D_128: [u32; 16] = [
    0x44d7, 0x26bc, 0x626b, 0x135e, 0x5789, 0x35e2, 0x7135, 0x09af, 0x4d78, 0x2f13, 0x6bc4, 0x1af1,
    0x5e26, 0x3c4d, 0x789a, 0x47ac,
];

/// The 7-bit constants d of ZUC-256 (2018) for encryption; its MACs have others.
const D_2018: [u8; 16] = [
    0x22, 0x2f, 0x24, 0x2a, 0x6d, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x52, 0x10, 0x30,
];

/// `a ‖ b ‖ c ‖ d`, of 8, 7, 8 and 8 bits.
fn cell(a: u8, b: u8, c: u8, d: u8) -> u32 {
    u32::from(a) << 23 | u32::from(b) << 16 | u32::from(c) << 8 | u32::from(d)
}

/// The loading of 2018, under the constants of its use.
#[rustfmt::skip] // one line a cell, as the paper prints it
fn load_184(d: &[u8; 16], k: &[u8], iv: &[u8; 25]) -> Result<[u32; 16], Error> {
    Ok([
        cell(k[0], d[0], k[21], k[16]),
        cell(k[1], d[1], k[22], k[17]),
        cell(k[2], d[2], k[23], k[18]),
        cell(k[3], d[3], k[24], k[19]),
        cell(k[4], d[4], k[25], k[20]),
        cell(iv[0], d[5] | iv[17], k[5], k[26]),
        cell(iv[1], d[6] | iv[18], k[6], k[27]),
        cell(iv[10], d[7] | iv[19], k[7], iv[2]),
        cell(k[8], d[8] | iv[20], iv[3], iv[11]),
        cell(k[9], d[9] | iv[21], iv[12], iv[4]),
        cell(iv[5], d[10] | iv[22], k[10], k[28]),
        cell(k[11], d[11] | iv[23], iv[6], iv[13]),
        cell(k[12], d[12] | iv[24], iv[7], iv[14]),
        cell(k[13], d[13], iv[15], iv[8]),
        cell(k[14], d[14] | k[31] >> 4, iv[16], iv[9]),
        cell(k[15], d[15] | k[31] & 15, k[30], k[29]),
    ])
}

/// The fields of the IV that hold 6 bits.
const SIX_BITS: [&str; 8] =
    ["iv[17]", "iv[18]", "iv[19]", "iv[20]", "iv[21]", "iv[22]", "iv[23]", "iv[24]"];

/// The IV as 17 bytes and eight 6-bit values: as it stands, or out of 23 bytes, in
/// which the eight values fill the last six bytes from the highest bit on.
fn unpack(iv: &[u8]) -> Result<[u8; 25], Error> {
    let mut values = [0; 25];
    if let Ok(unpacked) = <&[u8; 25]>::try_from(iv) {
        values = *unpacked;
        for (&value, field) in values[17..].iter().zip(SIX_BITS) {
            if value > 63 {
                return Err(Error::Value { field, got: value.into(), min: 0, max: 63 });
            }
        }
    } else {
        let (bytes, packed) = iv.split_at(17);
        values[..17].copy_from_slice(bytes);
        let packed = packed.iter().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        for (i, value) in values[17..].iter_mut().enumerate() {
            *value = (packed >> (42 - 6 * i)) as u8 & 63;
        }
    }
    Ok(values)
}
