//! Cipher block chaining: GB/T 17964-2021 (CBC), SP 800-38A §6.2.

use super::{Block, blocks, xor};

/// `C₁ = E(P₁ ⊕ IV)`, `Cⱼ = E(Pⱼ ⊕ Cⱼ₋₁)`; the block length is the IV's.
///
/// # Panics
/// If the data is not whole blocks.
#[must_use]
pub fn encrypt(cipher: Block<'_>, iv: &[u8], data: &[u8]) -> Vec<u8> {
    let mut previous = iv.to_vec();
    let mut out = Vec::with_capacity(data.len());
    for p in blocks(iv.len(), data) {
        previous = cipher(&xor(p, &previous));
        out.extend(&previous);
    }
    out
}

/// `P₁ = D(C₁) ⊕ IV`, `Pⱼ = D(Cⱼ) ⊕ Cⱼ₋₁`; the block length is the IV's.
///
/// # Panics
/// If the data is not whole blocks.
#[must_use]
pub fn decrypt(inverse: Block<'_>, iv: &[u8], data: &[u8]) -> Vec<u8> {
    let mut previous = iv;
    let mut out = Vec::with_capacity(data.len());
    for c in blocks(iv.len(), data) {
        out.extend(xor(&inverse(c), previous));
        previous = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm4;

    #[test]
    fn two_blocks_of_the_draft_ribose_example() {
        let key = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes();
        let iv: Vec<u8> = (0..16).collect();
        let mut data = vec![0xaa; 4];
        for byte in [0xbb, 0xcc, 0xdd, 0xee, 0xff, 0xaa, 0xbb] {
            data.extend([byte; 4]);
        }
        let cipher = |b: &[u8]| sm4::encrypt(&key, b.try_into().unwrap()).to_vec();
        let inverse = |b: &[u8]| sm4::decrypt(&key, b.try_into().unwrap()).to_vec();
        let out = encrypt(&cipher, &iv, &data);
        assert_eq!(out[..16], 0x78eb_b11c_c40b_0a48_312a_aeb2_0402_44cb_u128.to_be_bytes());
        assert_eq!(out[16..], 0x4cb7_0169_5190_9226_979b_0d15_dc6a_8f6d_u128.to_be_bytes());
        assert_eq!(decrypt(&inverse, &iv, &out), data);
    }
}
