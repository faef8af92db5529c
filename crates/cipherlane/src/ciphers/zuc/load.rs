//! Key and IV loading: the cells before the first initialisation clock.
//!
//! - ZUC-128: TS 35.222 §3.5, the same in GM/T 0001.1-2012.
//! - ZUC-256 with 184 bits of IV: "The ZUC-256 Stream Cipher" (ZUC team, 2018).
//! - ZUC-256 with 128 bits: "An Addendum to the ZUC-256 Stream Cipher" (IACR ePrint
//!   2021/1439); "A New Initialization Scheme of the ZUC-256 Stream Cipher" (2023)
//!   loads alike.

use crate::error::Error;

/// What the keystream is for: ZUC-256 keeps the uses apart by its constants d.
// As wide as its neighbours: see `Level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Purpose {
    /// Encryption.
    Keystream,
    /// A tag of 32 bits.
    Mac32,
    /// A tag of 64 bits.
    Mac64,
    /// A tag of 128 bits.
    Mac128,
}

/// The 15-bit constants d of ZUC-128.
const D_128: [u32; 16] = [
    0x44d7, 0x26bc, 0x626b, 0x135e, 0x5789, 0x35e2, 0x7135, 0x09af, 0x4d78, 0x2f13, 0x6bc4, 0x1af1,
    0x5e26, 0x3c4d, 0x789a, 0x47ac,
];

/// The 7-bit constants d of ZUC-256 under one use.
pub(super) struct Constants([u8; 16]);

impl Constants {
    /// Those of the 2018 paper.
    pub(super) const fn of_2018(purpose: Purpose) -> Self {
        let mut d = [0x40; 16];
        [d[1], d[3], d[4], d[13], d[14], d[15]] = [0x2f, 0x2a, 0x6d, 0x52, 0x10, 0x30];
        [d[0], d[2]] = match purpose {
            Purpose::Keystream => [0x22, 0x24],
            Purpose::Mac32 => [0x22, 0x25],
            Purpose::Mac64 => [0x23, 0x24],
            Purpose::Mac128 => [0x23, 0x25],
        };
        Self(d)
    }

    /// Those of the addendum of 2021, which the scheme of 2023 keeps.
    pub(super) const fn of_2021(purpose: Purpose) -> Self {
        let mut d = [
            0, 0x43, 0, 0x2a, 0x11, 0x05, 0x51, 0x42, 0x1a, 0x31, 0x18, 0x66, 0x14, 0x2e, 0x01,
            0x5c,
        ];
        [d[0], d[2]] = match purpose {
            Purpose::Keystream => [0x64, 0x7b],
            Purpose::Mac32 => [0x64, 0x7a],
            Purpose::Mac64 => [0x65, 0x7b],
            Purpose::Mac128 => [0x65, 0x7a],
        };
        Self(d)
    }
}

/// `a ‖ b ‖ c ‖ d`, of 8, 7, 8 and 8 bits.
fn cell(a: u8, b: u8, c: u8, d: u8) -> u32 {
    u32::from(a) << 23 | u32::from(b) << 16 | u32::from(c) << 8 | u32::from(d)
}

/// The loading of ZUC-128.
#[inline(always)] // each copy of the cells costs as much as they do
pub(super) fn of_128(key: &[u8], iv: &[u8]) -> [u32; 16] {
    let mut cells = D_128;
    // Slices of known length, so that this becomes a few vector operations.
    let (key, iv) = (&key[..16], &iv[..16]);
    for i in 0..16 {
        cells[i] = u32::from(key[i]) << 23 | cells[i] << 8 | u32::from(iv[i]);
    }
    cells
}

/// The loading of 2018.
#[rustfmt::skip] // one line a cell, as the paper prints it
pub(super) fn of_184(Constants(d): &Constants, k: &[u8], iv: &[u8; 25]) -> [u32; 16] {
    [
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
    ]
}

/// The loading of 2021 and 2023.
pub(super) fn of_256(Constants(d): &Constants, k: &[u8], iv: &[u8]) -> [u32; 16] {
    let (low, high) = iv.split_at(8);
    core::array::from_fn(|i| match i {
        0..7 => cell(k[i], d[i], k[16 + i], k[24 + i]),
        7..15 => cell(k[i], d[i], low[i - 7], high[i - 7]),
        _ => cell(k[15], d[15], k[23], k[31]),
    })
}

/// The fields of the IV that hold 6 bits.
const SIX_BITS: [&str; 8] =
    ["iv[17]", "iv[18]", "iv[19]", "iv[20]", "iv[21]", "iv[22]", "iv[23]", "iv[24]"];

/// Refuses an IV of 25 bytes one of whose last eight is 64 or more.
pub(super) fn check_six_bits(iv: &[u8]) -> Result<(), Error> {
    if iv.len() == 25 {
        for (&value, field) in iv[17..].iter().zip(SIX_BITS) {
            if value > 63 {
                return Err(Error::Value { field, got: value.into(), min: 0, max: 63 });
            }
        }
    }
    Ok(())
}

/// The IV as 17 bytes and eight 6-bit values: as it stands, or out of 23 bytes, in
/// which the eight values fill the last six bytes from the highest bit on.
pub(super) fn unpack(iv: &[u8]) -> [u8; 25] {
    if let Ok(unpacked) = <&[u8; 25]>::try_from(iv) {
        return *unpacked;
    }
    let mut values = [0; 25];
    let (bytes, packed) = iv.split_at(17);
    values[..17].copy_from_slice(bytes);
    let packed = packed.iter().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
    for (i, value) in values[17..].iter_mut().enumerate() {
        *value = (packed >> (42 - 6 * i)) as u8 & 63;
    }
    values
}
