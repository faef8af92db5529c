//! 128-EEA3 and 128-EIA3 (3GPP TS 35.221; GM/T 0001.2-2012 and GM/T 0001.3-2012).

use crate::zuc128;

/// §3.3: the IV of 128-EEA3 from COUNT, BEARER and DIRECTION.
#[must_use]
pub fn eea3_iv(count: u32, bearer: u8, direction: u8) -> [u8; 16] {
    let c = count.to_be_bytes();
    let half = [c[0], c[1], c[2], c[3], bearer << 3 | direction << 2, 0, 0, 0];
    [half, half].concat().try_into().expect("16 bytes")
}

/// §4.3: the IV of 128-EIA3.
#[must_use]
pub fn eia3_iv(count: u32, bearer: u8, direction: u8) -> [u8; 16] {
    let mut iv = eea3_iv(count, bearer, 0);
    iv[8] ^= direction << 7;
    iv[14] ^= direction << 7;
    iv
}

/// §4.4 and §4.5: the MAC of the first `bits` bits of a message under an IV.
///
/// # Panics
/// If the message is shorter.
#[must_use]
pub fn mac(key: &[u8; 16], iv: &[u8; 16], message: &[u8], bits: usize) -> [u8; 4] {
    // L keystream words, and every 32 bits that begin at any of their bits.
    let words = bits.div_ceil(32) + 2;
    let z = zuc128::keystream(key, iv, 4 * words);
    let bit = |of: &[u8], i: usize| of[i / 8] >> (7 - i % 8) & 1;
    let word = |i: usize| (i..i + 32).fold(0_u32, |word, i| word << 1 | u32::from(bit(&z, i)));
    let mut t = 0;
    for i in 0..bits {
        if bit(message, i) == 1 {
            t ^= word(i);
        }
    }
    t ^= word(bits);
    (t ^ word(32 * (words - 1))).to_be_bytes()
}
