//! Counter mode: GB/T 17964-2021 (CTR), SP 800-38A §6.5, with the standard
//! incrementing function of SP 800-38A appendix B.1 over the whole block.

use super::{Block, xor};

/// Adds one to a big-endian integer, modulo two to the number of its bits.
pub fn increment(counter: &mut [u8]) {
    for byte in counter.iter_mut().rev() {
        let (sum, carry) = byte.overflowing_add(1);
        *byte = sum;
        if !carry {
            return;
        }
    }
}

/// `Cⱼ = Pⱼ ⊕ E(Tⱼ)`, `Tⱼ₊₁ = Tⱼ + 1`; the last block is cut to the data's
/// length. Returns the output and the counter block that comes next.
#[must_use]
pub fn crypt_and_count(cipher: Block<'_>, counter: &[u8], data: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut t = counter.to_vec();
    let mut out = Vec::with_capacity(data.len());
    for p in data.chunks(counter.len()) {
        let o = cipher(&t);
        out.extend(xor(p, &o[..p.len()]));
        increment(&mut t);
    }
    (out, t)
}

/// The output of [`crypt_and_count`] alone.
#[must_use]
pub fn crypt(cipher: Block<'_>, counter: &[u8], data: &[u8]) -> Vec<u8> {
    crypt_and_count(cipher, counter, data).0
}

/// Counter mode with `inc₃₂` of SP 800-38D §6.2: the last 32 bits count, modulo 2³², and
/// what stands before them stays.
#[must_use]
pub fn crypt32(cipher: Block<'_>, counter: &[u8], data: &[u8]) -> Vec<u8> {
    let mut t = counter.to_vec();
    let fixed = t.len() - 4;
    let mut out = Vec::with_capacity(data.len());
    for p in data.chunks(counter.len()) {
        out.extend(xor(p, &cipher(&t)[..p.len()]));
        increment(&mut t[fixed..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm4;

    #[test]
    fn first_two_blocks_of_the_draft_ribose_example() {
        let key = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes();
        let iv: Vec<u8> = (0..16).collect();
        let data = [[0xaa; 8], [0xbb; 8], [0xcc; 8], [0xdd; 8]].concat();
        let cipher = |b: &[u8]| sm4::encrypt(&key, b.try_into().unwrap()).to_vec();
        let (out, next) = crypt_and_count(&cipher, &iv, &data[..29]);
        assert_eq!(out[..16], 0xac32_36cb_970c_c207_9136_4c39_5a13_42d1_u128.to_be_bytes());
        assert_eq!(out[16..], 0xa3cb_c187_8c6f_30cd_074c_ce38_5cdd_70c7_u128.to_be_bytes()[..13]);
        assert_eq!(next[15], 17);
    }

    #[test]
    fn the_last_32_bits_count_by_themselves() {
        let identity = |b: &[u8]| b.to_vec();
        let counter = [[7; 4], [0xff; 4]].concat();
        let out = crypt32(&identity, &counter, &[0; 20]);
        let expected = [[7; 4], [0xff; 4], [7; 4], [0; 4], [7; 4]].concat();
        assert_eq!(out, expected);
    }

    #[test]
    fn carries_run_through_all_bytes() {
        let mut counter = [0xff; 16];
        increment(&mut counter);
        assert_eq!(counter, [0; 16]);
        let mut counter = [0, 0xff, 0xff];
        increment(&mut counter);
        assert_eq!(counter, [1, 0, 0]);
    }
}
