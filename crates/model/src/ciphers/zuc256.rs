//! ZUC-256: the key and IV loadings of its three published versions.
//!
//! * [`Version::Y2018`]: "The ZUC-256 Stream Cipher" (ZUC team, 2018), an IV of
//!   184 bits, 32 + 1 initialisation rounds;
//! * [`Version::Y2021`]: the addendum (IACR ePrint 2021/1439), 128 bits, 32 + 1 rounds;
//! * [`Version::Y2023`]: the new initialisation scheme (2023), 128 bits, 48 + 1 rounds.

use crate::zuc::Zuc;

/// One of the three incompatible initialisations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 184-bit IV, 32 + 1 rounds.
    Y2018,
    /// 128-bit IV, 32 + 1 rounds.
    Y2021,
    /// 128-bit IV, 48 + 1 rounds.
    Y2023,
}

/// What the keystream is for; the designers separate the uses by the constants d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Encryption.
    Keystream,
    /// An authentication tag of 32 bits.
    Mac32,
    /// An authentication tag of 64 bits.
    Mac64,
    /// An authentication tag of 128 bits.
    Mac128,
}

/// The 7-bit constants d_0 … d_15 of the 2018 paper.
fn constants_2018(purpose: Use) -> [u32; 16] {
    let [d0, d2] = match purpose {
        Use::Keystream => [0b010_0010, 0b010_0100],
        Use::Mac32 => [0b010_0010, 0b010_0101],
        Use::Mac64 => [0b010_0011, 0b010_0100],
        Use::Mac128 => [0b010_0011, 0b010_0101],
    };
    [
        d0, 0b010_1111, d2, 0b010_1010, 0b110_1101, 0b100_0000, 0b100_0000, 0b100_0000, 0b100_0000,
        0b100_0000, 0b100_0000, 0b100_0000, 0b100_0000, 0b101_0010, 0b001_0000, 0b011_0000,
    ]
}

/// The constants of the 2021 and 2023 versions.
fn constants_2021(purpose: Use) -> [u32; 16] {
    let [d0, d2] = match purpose {
        Use::Keystream => [0x64, 0x7b],
        Use::Mac32 => [0x64, 0x7a],
        Use::Mac64 => [0x65, 0x7b],
        Use::Mac128 => [0x65, 0x7a],
    };
    [d0, 0x43, d2, 0x2a, 0x11, 0x05, 0x51, 0x42, 0x1a, 0x31, 0x18, 0x66, 0x14, 0x2e, 0x01, 0x5c]
}

/// A cell of 8 + 7 + 8 + 8 bits, leftmost first.
fn cell(a: u8, b: u32, c: u8, d: u8) -> u32 {
    u32::from(a) << 23 | b << 16 | u32::from(c) << 8 | u32::from(d)
}

/// The 25 elements iv_0 … iv_24 of the 2018 IV from its 23-byte form: 17 bytes,
/// then eight 6-bit values, most significant bit first.
#[must_use]
pub fn unpack_iv(iv: &[u8; 23]) -> [u8; 25] {
    let mut out = [0; 25];
    out[..17].copy_from_slice(&iv[..17]);
    for (i, element) in out[17..].iter_mut().enumerate() {
        for bit in 6 * i..6 * i + 6 {
            *element = *element << 1 | (iv[17 + bit / 8] >> (7 - bit % 8) & 1);
        }
    }
    out
}

/// The loading of the 2018 paper, §2.
fn load_2018(k: &[u8; 32], iv: &[u8; 25], d: [u32; 16]) -> [u32; 16] {
    let six = |i: usize| u32::from(iv[i]);
    [
        cell(k[0], d[0], k[21], k[16]),
        cell(k[1], d[1], k[22], k[17]),
        cell(k[2], d[2], k[23], k[18]),
        cell(k[3], d[3], k[24], k[19]),
        cell(k[4], d[4], k[25], k[20]),
        cell(iv[0], d[5] | six(17), k[5], k[26]),
        cell(iv[1], d[6] | six(18), k[6], k[27]),
        cell(iv[10], d[7] | six(19), k[7], iv[2]),
        cell(k[8], d[8] | six(20), iv[3], iv[11]),
        cell(k[9], d[9] | six(21), iv[12], iv[4]),
        cell(iv[5], d[10] | six(22), k[10], k[28]),
        cell(k[11], d[11] | six(23), iv[6], iv[13]),
        cell(k[12], d[12] | six(24), iv[7], iv[14]),
        cell(k[13], d[13], iv[15], iv[8]),
        cell(k[14], d[14] | u32::from(k[31] >> 4), iv[16], iv[9]),
        cell(k[15], d[15] | u32::from(k[31] & 15), k[30], k[29]),
    ]
}

/// The loading that the 2021 and 2023 versions share.
fn load_2021(k: &[u8; 32], iv: &[u8; 16], d: [u32; 16]) -> [u32; 16] {
    let mut s = [0; 16];
    for i in 0..7 {
        s[i] = cell(k[i], d[i], k[16 + i], k[24 + i]);
    }
    for i in 7..15 {
        s[i] = cell(k[i], d[i], iv[i - 7], iv[i + 1]);
    }
    s[15] = cell(k[15], d[15], k[23], k[31]);
    s
}

/// The generator after its initialisation. The IV has 23 (packed) or 25 bytes
/// in the 2018 version, 16 bytes in the others.
///
/// # Panics
/// If the IV has another length, or one of the last eight of 25 bytes is above 63.
#[must_use]
pub fn start(version: Version, purpose: Use, key: &[u8; 32], iv: &[u8]) -> Zuc {
    match version {
        Version::Y2018 => {
            let iv = match iv.len() {
                25 => iv.try_into().expect("25 bytes"),
                _ => unpack_iv(iv.try_into().expect("an IV of 23 or 25 bytes")),
            };
            assert!(iv[17..].iter().all(|&element| element < 64), "iv_17 … iv_24 have 6 bits");
            Zuc::initialise(load_2018(key, &iv, constants_2018(purpose)), 32)
        }
        Version::Y2021 | Version::Y2023 => {
            let iv = iv.try_into().expect("an IV of 16 bytes");
            let rounds = if version == Version::Y2021 { 32 } else { 48 };
            Zuc::initialise(load_2021(key, iv, constants_2021(purpose)), rounds)
        }
    }
}

/// The first `bytes` keystream bytes under a key and an IV of the given version.
///
/// # Panics
/// As [`start`].
#[must_use]
pub fn keystream(version: Version, key: &[u8; 32], iv: &[u8], bytes: usize) -> Vec<u8> {
    start(version, Use::Keystream, key, iv).keystream(bytes)
}

/// The tag of the first `bits` bits of a message, as the 2018 paper generates
/// it; the other versions differ in [`start`] alone.
///
/// # Panics
/// If the tag is not of 32, 64 or 128 bits, the message is shorter than `bits`
/// bits, or as [`start`].
#[must_use]
pub fn mac(
    version: Version,
    key: &[u8; 32],
    iv: &[u8],
    (message, bits): (&[u8], usize),
    tag_bits: usize,
) -> Vec<u8> {
    let purpose = match tag_bits {
        32 => Use::Mac32,
        64 => Use::Mac64,
        128 => Use::Mac128,
        _ => panic!("a tag of {tag_bits} bits; allowed: 32, 64, 128"),
    };
    let z = start(version, purpose, key, iv).keystream((bits + 2 * tag_bits).div_ceil(8));
    let bit = |of: &[u8], i: usize| of[i / 8] >> (7 - i % 8) & 1;
    let mut tag = vec![0; tag_bits / 8];
    let mut add = |from: usize| {
        for i in 0..tag_bits {
            tag[i / 8] ^= bit(&z, from + i) << (7 - i % 8);
        }
    };
    add(0);
    for i in 0..bits {
        if bit(message, i) == 1 {
            add(tag_bits + i);
        }
    }
    add(tag_bits + bits);
    tag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_zero_example_of_the_2018_paper() {
        let expected = [0x58, 0xd0, 0x3a, 0xd6, 0x2e, 0x03, 0x2c, 0xe2];
        assert_eq!(keystream(Version::Y2018, &[0; 32], &[0; 25], 8), expected);
        assert_eq!(keystream(Version::Y2018, &[0; 32], &[0; 23], 8), expected);
    }

    #[test]
    fn all_zero_example_of_the_addendum() {
        let expected = [0xe4, 0x57, 0xe2, 0x06, 0xce, 0xe7, 0x9e, 0x16];
        assert_eq!(keystream(Version::Y2021, &[0; 32], &[0; 16], 8), expected);
    }

    #[test]
    fn all_zero_example_of_the_2023_scheme() {
        let expected = [0x02, 0x34, 0xe9, 0x32, 0xf0, 0xc2, 0x22, 0x92];
        assert_eq!(keystream(Version::Y2023, &[0; 32], &[0; 16], 8), expected);
    }

    #[test]
    fn the_packed_form_holds_six_bits_an_element() {
        let mut iv = [0xff; 23];
        assert_eq!(unpack_iv(&iv)[16..], [0xff, 63, 63, 63, 63, 63, 63, 63, 63]);
        iv[17..].copy_from_slice(&[0b0000_0100, 0b0010_0000, 0b1100_0100, 0, 0, 1]);
        assert_eq!(unpack_iv(&iv)[17..], [1, 2, 3, 4, 0, 0, 0, 1]);
    }
}
