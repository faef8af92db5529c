//! Block chaining: GB/T 17964-2021 (BC).

use super::{Block, blocks, xor};

/// `F₁ = IV`, `Cᵢ = E(Pᵢ ⊕ Fᵢ)`, `Fᵢ₊₁ = Fᵢ ⊕ Cᵢ`; the block length is the IV's.
///
/// # Panics
/// If the data is not whole blocks.
#[must_use]
pub fn encrypt(cipher: Block<'_>, iv: &[u8], data: &[u8]) -> Vec<u8> {
    let mut f = iv.to_vec();
    let mut out = Vec::with_capacity(data.len());
    for p in blocks(iv.len(), data) {
        let c = cipher(&xor(p, &f));
        f = xor(&f, &c);
        out.extend(c);
    }
    out
}

/// `Pᵢ = D(Cᵢ) ⊕ Fᵢ` with the same `Fᵢ`; the block length is the IV's.
///
/// # Panics
/// If the data is not whole blocks.
#[must_use]
pub fn decrypt(inverse: Block<'_>, iv: &[u8], data: &[u8]) -> Vec<u8> {
    let mut f = iv.to_vec();
    let mut out = Vec::with_capacity(data.len());
    for c in blocks(iv.len(), data) {
        out.extend(xor(&inverse(c), &f));
        f = xor(&f, c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm4;

    #[test]
    fn first_two_blocks_of_the_example_of_the_standard() {
        let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
        let iv = 0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f_u128.to_be_bytes();
        let cipher = |b: &[u8]| sm4::encrypt(&key, b.try_into().unwrap()).to_vec();
        let inverse = |b: &[u8]| sm4::decrypt(&key, b.try_into().unwrap()).to_vec();
        let data = [
            0x6bc1_bee2_2e40_9f96_e93d_7e11_7393_172a_u128,
            0xae2d_8a57_1e03_ac9c_9eb7_6fac_45af_8e51,
        ]
        .map(u128::to_be_bytes);
        let out = encrypt(&cipher, &iv, data.as_flattened());
        assert_eq!(out[..16], 0xac52_9af9_89a6_2fce_9cdd_c5ff_b841_25ca_u128.to_be_bytes());
        assert_eq!(out[16..], 0xfb8c_de77_339f_fe48_1d11_3c40_bbd5_b678_u128.to_be_bytes());
        assert_eq!(decrypt(&inverse, &iv, &out), data.as_flattened());
    }
}
