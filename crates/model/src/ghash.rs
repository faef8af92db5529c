//! GHASH (NIST SP 800-38D §6.3, §6.4) and POLYVAL (RFC 8452 §3), one bit at a time.

/// Bit `i` of a string of bits: the first one is the most significant of byte 0.
fn bit(x: &[u8; 16], i: usize) -> bool {
    x[i / 8] >> (7 - i % 8) & 1 == 1
}

fn add(x: &mut [u8; 16], y: &[u8; 16]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x ^= y;
    }
}

/// §6.3, algorithm 1: the product X • Y of two blocks.
#[must_use]
pub fn multiply(x: &[u8; 16], y: &[u8; 16]) -> [u8; 16] {
    let (mut z, mut v) = ([0; 16], *y);
    for i in 0..128 {
        if bit(x, i) {
            add(&mut z, &v);
        }
        let last = bit(&v, 127);
        v = (u128::from_be_bytes(v) >> 1).to_be_bytes();
        if last {
            // R = 11100001 ‖ 0^120
            v[0] ^= 0b1110_0001;
        }
    }
    z
}

/// §6.4, algorithm 2: GHASH_H; the last block is filled up with zeros.
#[must_use]
pub fn ghash(h: &[u8; 16], data: &[u8]) -> [u8; 16] {
    let mut y = [0; 16];
    for x in data.chunks(16) {
        let mut block = [0; 16];
        block[..x.len()].copy_from_slice(x);
        add(&mut y, &block);
        y = multiply(&y, h);
    }
    y
}

/// RFC 8452 §3: `a·b·x^-128` modulo x^128 + x^127 + x^126 + x^121 + 1; the
/// lowest coefficient is the least significant bit of byte 0.
#[must_use]
pub fn dot(a: &[u8; 16], b: &[u8; 16]) -> [u8; 16] {
    let (a, b) = (u128::from_le_bytes(*a), u128::from_le_bytes(*b));
    let modulus = 1 << 127 | 1 << 126 | 1 << 121 | 1;
    let mut z = 0;
    for i in 0..128 {
        if a >> i & 1 == 1 {
            z ^= b;
        }
        // Division by x: where the constant term is set, the modulus, whose own is
        // 1, is added first; its term x^128 comes down to x^127.
        let odd = z & 1 == 1;
        if odd {
            z ^= modulus;
        }
        z = z >> 1 | u128::from(odd) << 127;
    }
    z.to_le_bytes()
}

/// RFC 8452 §3: POLYVAL; the last block is filled up with zeros.
#[must_use]
pub fn polyval(h: &[u8; 16], data: &[u8]) -> [u8; 16] {
    let mut s = [0; 16];
    for x in data.chunks(16) {
        let mut block = [0; 16];
        block[..x.len()].copy_from_slice(x);
        add(&mut s, &block);
        s = dot(&s, h);
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gcm_specifications_second_test_case() {
        let h = 0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2e_u128.to_be_bytes();
        let mut data = 0x0388_dace_60b6_a392_f328_c2b9_71b2_fe78_u128.to_be_bytes().to_vec();
        data.extend(128_u128.to_be_bytes());
        let expected = 0xf38c_bb1a_d692_23dc_c345_7ae5_b6b0_f885_u128;
        assert_eq!(ghash(&h, &data), expected.to_be_bytes());
    }

    #[test]
    fn the_example_of_rfc_8452_appendix_a() {
        let h = 0x2562_9347_5892_4276_1d31_f826_ba4b_757b_u128.to_be_bytes();
        let mut data = 0x4f4f_9566_8c83_dfb6_4017_62bb_2d01_a262_u128.to_be_bytes().to_vec();
        data.extend(0xd1a2_4ddd_2721_d006_bbe4_5f20_d3c9_f362_u128.to_be_bytes());
        let expected = 0xf7a3_b47b_8461_19fa_e5b7_866c_f5e5_b77e_u128;
        assert_eq!(polyval(&h, &data), expected.to_be_bytes());
    }
}
