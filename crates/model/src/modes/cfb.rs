//! Cipher feedback: GB/T 17964-2021 (CFB), SP 800-38A §6.3, with segments of
//! `s` bytes; the last segment may be cut short.

use super::{Block, xor};

/// `I₁ = IV`, `Iⱼ = LSB(Iⱼ₋₁) | C#ⱼ₋₁`, `C#ⱼ = P#ⱼ ⊕ MSBₛ(E(Iⱼ))`.
#[must_use]
pub fn encrypt(cipher: Block<'_>, iv: &[u8], s: usize, data: &[u8]) -> Vec<u8> {
    let mut input = iv.to_vec();
    let mut out = Vec::with_capacity(data.len());
    for p in data.chunks(s) {
        let c = xor(p, &cipher(&input)[..p.len()]);
        input = [&input[c.len()..], &c].concat();
        out.extend(c);
    }
    out
}

/// `P#ⱼ = C#ⱼ ⊕ MSBₛ(E(Iⱼ))` with the same `Iⱼ`.
#[must_use]
pub fn decrypt(cipher: Block<'_>, iv: &[u8], s: usize, data: &[u8]) -> Vec<u8> {
    let mut input = iv.to_vec();
    let mut out = Vec::with_capacity(data.len());
    for c in data.chunks(s) {
        out.extend(xor(c, &cipher(&input)[..c.len()]));
        input = [&input[c.len()..], c].concat();
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
        let mut data = Vec::new();
        for byte in [0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0xaa, 0xbb] {
            data.extend([byte; 4]);
        }
        let cipher = |b: &[u8]| sm4::encrypt(&key, b.try_into().unwrap()).to_vec();
        let out = encrypt(&cipher, &iv, 16, &data);
        assert_eq!(out[..16], 0xac32_36cb_861d_d316_e641_3b4e_3c75_24b7_u128.to_be_bytes());
        assert_eq!(out[16..], 0x69d4_c54e_d433_b9a0_3460_09be_b37b_2b3f_u128.to_be_bytes());
        for s in [1, 16] {
            let out = encrypt(&cipher, &iv, s, &data[..29]);
            assert_eq!(decrypt(&cipher, &iv, s, &out), data[..29]);
        }
    }
}
