//! ZUC-128: key loading of TS 35.222 (document 2 §3.5), GM/T 0001.1-2012.

use crate::zuc::Zuc;

/// §3.5: the 15-bit constants d_0 … d_15.
const D: [u32; 16] = [
    0b100_0100_1101_0111,
    0b010_0110_1011_1100,
    0b110_0010_0110_1011,
    0b001_0011_0101_1110,
    0b101_0111_1000_1001,
    0b011_0101_1110_0010,
    0b111_0001_0011_0101,
    0b000_1001_1010_1111,
    0b100_1101_0111_1000,
    0b010_1111_0001_0011,
    0b110_1011_1100_0100,
    0b001_1010_1111_0001,
    0b101_1110_0010_0110,
    0b011_1100_0100_1101,
    0b111_1000_1001_1010,
    0b100_0111_1010_1100,
];

/// The generator after its initialisation.
#[must_use]
pub fn start(key: &[u8; 16], iv: &[u8; 16]) -> Zuc {
    let mut s = [0u32; 16];
    for i in 0..16 {
        // §3.5: s_i = k_i ‖ d_i ‖ iv_i, of 8, 15 and 8 bits.
        s[i] = u32::from(key[i]) << 23 | D[i] << 8 | u32::from(iv[i]);
    }
    Zuc::initialise(s, 32)
}

/// The first `bytes` keystream bytes under a key and an IV.
#[must_use]
pub fn keystream(key: &[u8; 16], iv: &[u8; 16], bytes: usize) -> Vec<u8> {
    start(key, iv).keystream(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_data_set_1() {
        let expected = [0x27, 0xbe, 0xde, 0x74, 0x01, 0x80, 0x82, 0xda];
        assert_eq!(keystream(&[0; 16], &[0; 16], 8), expected);
    }

    #[test]
    fn test_data_set_2() {
        let expected = [0x06, 0x57, 0xcf, 0xa0, 0x70, 0x96, 0x39, 0x8b];
        assert_eq!(keystream(&[0xff; 16], &[0xff; 16], 8), expected);
    }
}
