//! Cipher feedback of single bits: GB/T 17964-2021 (CFB), SP 800-38A §6.3 with s = 1. The first bit
//! of a byte is its most significant one.

use super::Block;

fn bits(bytes: &[u8]) -> Vec<bool> {
    bytes.iter().flat_map(|byte| (0..8).map(move |i| byte >> (7 - i) & 1 == 1)).collect()
}

fn bytes(bits: &[bool]) -> Vec<u8> {
    bits.chunks(8).map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | u8::from(*bit))).collect()
}

/// Both directions: `I₁ = IV`, `Iⱼ = LSB(Iⱼ₋₁) | C#ⱼ₋₁`, and `MSB₁(E(Iⱼ))` is added to each bit.
fn crypt(cipher: Block<'_>, iv: &[u8], data: &[u8], decrypt: bool) -> Vec<u8> {
    let (mut input, mut out) = (bits(iv), Vec::new());
    for bit in bits(data) {
        let other = bit ^ bits(&cipher(&bytes(&input)))[0];
        input.remove(0);
        input.push(if decrypt { bit } else { other });
        out.push(other);
    }
    bytes(&out)
}

/// Encryption.
#[must_use]
pub fn encrypt(cipher: Block<'_>, iv: &[u8], data: &[u8]) -> Vec<u8> {
    crypt(cipher, iv, data, false)
}

/// Decryption.
#[must_use]
pub fn decrypt(cipher: Block<'_>, iv: &[u8], data: &[u8]) -> Vec<u8> {
    crypt(cipher, iv, data, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aes;

    /// SP 800-38A F.3.1: the first 16 bits.
    #[test]
    fn the_example_of_the_standard() {
        let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
        let w = aes::key_expansion(&key);
        let cipher = |b: &[u8]| aes::cipher(&w, b.try_into().unwrap()).to_vec();
        let iv: Vec<u8> = (0..16).collect();
        let out = encrypt(&cipher, &iv, &[0x6b, 0xc1]);
        assert_eq!(out, [0x68, 0xb3]);
        assert_eq!(decrypt(&cipher, &iv, &out), [0x6b, 0xc1]);
    }
}
