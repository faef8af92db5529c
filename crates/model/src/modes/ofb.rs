//! Output feedback: GB/T 17964-2021 (OFB), SP 800-38A §6.4.

use super::{Block, xor};

/// `O₁ = E(IV)`, `Oⱼ = E(Oⱼ₋₁)`, `Cⱼ = Pⱼ ⊕ Oⱼ`; the last block is cut to the data's length.
#[must_use]
pub fn crypt(cipher: Block<'_>, iv: &[u8], data: &[u8]) -> Vec<u8> {
    let mut o = iv.to_vec();
    let mut out = Vec::with_capacity(data.len());
    for p in data.chunks(iv.len()) {
        o = cipher(&o);
        out.extend(xor(p, &o[..p.len()]));
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
        let out = crypt(&cipher, &iv, &data[..29]);
        assert_eq!(out[..16], 0xac32_36cb_861d_d316_e641_3b4e_3c75_24b7_u128.to_be_bytes());
        assert_eq!(out[16..], 0x1d01_aca2_487c_a582_cbf5_463e_6698_539b_u128.to_be_bytes()[..13]);
    }
}
