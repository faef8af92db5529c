//! Electronic codebook: GB/T 17964-2021 (ECB), SP 800-38A §6.1.

use super::{Block, blocks};

/// `Cⱼ = E(Pⱼ)`; with the inverse block function, `Pⱼ = D(Cⱼ)`.
///
/// # Panics
/// If the data is not whole blocks of `block` bytes.
#[must_use]
pub fn crypt(cipher: Block<'_>, block: usize, data: &[u8]) -> Vec<u8> {
    blocks(block, data).flat_map(cipher).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm4;

    #[test]
    fn two_blocks_of_the_draft_ribose_example() {
        let key = 0xfedc_ba98_7654_3210_0123_4567_89ab_cdef_u128.to_be_bytes();
        let mut data = vec![0xaa; 4];
        for byte in [0xbb, 0xcc, 0xdd, 0xee, 0xff, 0xaa, 0xbb] {
            data.extend([byte; 4]);
        }
        let encrypt = |b: &[u8]| sm4::encrypt(&key, b.try_into().unwrap()).to_vec();
        let decrypt = |b: &[u8]| sm4::decrypt(&key, b.try_into().unwrap()).to_vec();
        let out = crypt(&encrypt, 16, &data);
        assert_eq!(out[..16], 0xc587_6897_e4a5_9bbb_a72a_10c8_3872_245b_u128.to_be_bytes());
        assert_eq!(out[16..], 0x12dd_90bc_2d20_0692_b529_a415_5ac9_e600_u128.to_be_bytes());
        assert_eq!(crypt(&decrypt, 16, &out), data);
    }
}
