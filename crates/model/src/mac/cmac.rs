//! CMAC: SP 800-38B §6.1 and §6.2, for blocks of 64 and 128 bits.

use crate::modes::{Block, xor};

/// The bits of a string, the most significant of byte 0 first.
pub(super) fn bits(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|byte| (0..8).map(move |i| byte >> (7 - i) & 1)).collect()
}

/// The string of those bits.
pub(super) fn string(bits: &[u8]) -> Vec<u8> {
    bits.chunks(8).map(|byte| byte.iter().fold(0, |value, bit| value << 1 | bit)).collect()
}

/// The subkeys K1 and K2 (§6.1).
fn subkeys(cipher: Block<'_>, b: usize) -> [Vec<u8>; 2] {
    let mut r_b = vec![0; b];
    r_b[b - 1] = if b == 8 { 0b11011 } else { 0b1000_0111 };
    let next = |l: &[u8]| {
        let l = bits(l);
        let shifted = string(&[&l[1..], &[0]].concat());
        if l[0] == 0 { shifted } else { xor(&shifted, &r_b) }
    };
    let k1 = next(&cipher(&vec![0; b]));
    let k2 = next(&k1);
    [k1, k2]
}

/// The MAC of a message, all its bytes; `b` is the length of a block in bytes.
#[must_use]
pub fn mac(cipher: Block<'_>, b: usize, message: &[u8]) -> Vec<u8> {
    let [k1, k2] = subkeys(cipher, b);
    let n = message.len().div_ceil(b).max(1);
    let (head, last) = message.split_at((n - 1) * b);
    let last = if last.len() == b {
        xor(&k1, last)
    } else {
        let mut padded = [last, &[0x80]].concat();
        padded.resize(b, 0);
        xor(&k2, &padded)
    };
    let mut c = vec![0; b];
    for m in head.chunks(b).chain([&*last]) {
        c = cipher(&xor(&c, m));
    }
    c
}
