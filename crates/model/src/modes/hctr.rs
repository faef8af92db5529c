//! HCTR: GB/T 17964-2021; blocks of 16 bytes, two keys, messages of at least a block.

use super::{Block, xor};
use crate::ghash::ghash;

/// h(M): GHASH of M ‖ T filled up with zeros, and of its length in bits.
fn h(k2: &[u8; 16], m: &[u8], t: &[u8]) -> Vec<u8> {
    let mut input = [m, t].concat();
    let bits = 8 * input.len() as u128;
    input.resize(input.len().next_multiple_of(16), 0);
    input.extend(bits.to_be_bytes());
    ghash(k2, &input).to_vec()
}

/// R ⊕ E(S ⊕ 1) ‖ E(S ⊕ 2) ‖ …
fn counter(cipher: Block<'_>, s: &[u8], r: &[u8]) -> Vec<u8> {
    let blocks = r.chunks(16).zip(1u128..);
    let out = blocks.flat_map(|(r, i)| {
        let e = cipher(&xor(s, &i.to_be_bytes()));
        xor(r, &e[..r.len()])
    });
    out.collect()
}

/// Encryption; `t` is the tweak, `k2` the key of the hash.
#[must_use]
pub fn encrypt(cipher: Block<'_>, k2: &[u8; 16], t: &[u8], p: &[u8]) -> Vec<u8> {
    let (p1, r) = p.split_at(16);
    let z1 = xor(p1, &h(k2, r, t));
    let z2 = cipher(&z1);
    let cr = counter(cipher, &xor(&z1, &z2), r);
    [xor(&z2, &h(k2, &cr, t)), cr].concat()
}

/// Decryption; `inverse` is the inverse block function.
#[must_use]
pub fn decrypt(
    cipher: Block<'_>,
    inverse: Block<'_>,
    k2: &[u8; 16],
    t: &[u8],
    c: &[u8],
) -> Vec<u8> {
    let (c1, cr) = c.split_at(16);
    let z2 = xor(c1, &h(k2, cr, t));
    let z1 = inverse(&z2);
    let r = counter(cipher, &xor(&z1, &z2), cr);
    [xor(&z1, &h(k2, &r, t)), r].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm4;

    #[test]
    fn first_words_of_the_standards_example() {
        let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
        let k2 = 0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f_u128.to_be_bytes();
        let t = 0xf0f1_f2f3_f4f5_f6f7_f8f9_fafb_fcfd_feff_u128.to_be_bytes();
        let p: Vec<u8> = [
            0x6bc1_bee2_2e40_9f96_e93d_7e11_7393_172a_u128,
            0xae2d_8a57_1e03_ac9c_9eb7_6fac_45af_8e51,
            0x30c8_1c46_a35c_e411_e5fb_c119_1a0a_52ef,
            0xf69f_2445_df4f_9b17_ad2b_417b_e66c_3710,
        ]
        .into_iter()
        .flat_map(u128::to_be_bytes)
        .collect();
        let cipher = |b: &[u8]| sm4::encrypt(&key, b.try_into().unwrap()).to_vec();
        let inverse = |b: &[u8]| sm4::decrypt(&key, b.try_into().unwrap()).to_vec();
        let c = encrypt(&cipher, &k2, &t, &p);
        assert_eq!(c[..8], 0x9cd7_481d_3b7c_a904_u64.to_be_bytes());
        assert_eq!(decrypt(&cipher, &inverse, &k2, &t, &c), p);
    }
}
