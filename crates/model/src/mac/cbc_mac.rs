//! The MAC algorithms 1 to 4 and 6 to 8 of GB/T 15852.1-2020 (ISO/IEC 9797-1), in
//! its six steps: padding, splitting, initial transformation, iteration, final
//! iteration, output transformation.

use super::cmac::{bits, string};
use crate::modes::{Block, xor};

/// A block function with its key: key and block in, block out.
pub type Keyed<'a> = &'a dyn Fn(&[u8], &[u8]) -> Vec<u8>;

/// Padding method 1: zeros; one block for an empty string.
#[must_use]
pub fn method_1(n: usize, message: &[u8]) -> Vec<u8> {
    let mut out = message.to_vec();
    out.resize(message.len().div_ceil(n).max(1) * n, 0);
    out
}

/// Padding method 2: a bit 1, then zeros.
#[must_use]
pub fn method_2(n: usize, message: &[u8]) -> Vec<u8> {
    method_1(n, &[message, &[0x80]].concat())
}

/// Padding method 3: method 1 behind a block with the length in bits.
#[must_use]
pub fn method_3(n: usize, message: &[u8]) -> Vec<u8> {
    let mut out = vec![0; n];
    out[n - 8..].copy_from_slice(&(message.len() as u64 * 8).to_be_bytes());
    out.extend(method_1(n, message));
    out
}

fn chain(cipher: Block<'_>, start: Vec<u8>, blocks: &[u8]) -> Vec<u8> {
    blocks.chunks(start.len()).fold(start.clone(), |h, d| cipher(&xor(&h, d)))
}

/// Algorithm 1, CBC-MAC, of a padded message.
#[must_use]
pub fn cbc_mac(cipher: Block<'_>, n: usize, padded: &[u8]) -> Vec<u8> {
    chain(cipher, vec![0; n], padded)
}

/// Algorithm 2, EMAC: `second` is `E` under the second key.
#[must_use]
pub fn emac(cipher: Block<'_>, second: Block<'_>, n: usize, padded: &[u8]) -> Vec<u8> {
    second(&cbc_mac(cipher, n, padded))
}

/// Algorithm 3, ANSI retail MAC: `inverse` is `D` under the second key.
#[must_use]
pub fn ansi_retail(cipher: Block<'_>, inverse: Block<'_>, n: usize, padded: &[u8]) -> Vec<u8> {
    cipher(&inverse(&cbc_mac(cipher, n, padded)))
}

/// Algorithm 4, MacDES: the third key is the second with every other nibble inverted.
#[must_use]
pub fn mac_des(e: Keyed<'_>, key: &[u8], second: &[u8], n: usize, padded: &[u8]) -> Vec<u8> {
    let third = xor(second, &vec![0xf0; second.len()]);
    let cipher = |block: &[u8]| e(key, block);
    let (first, rest) = padded.split_at(n);
    let h = e(&third, &cipher(first));
    e(second, &chain(&cipher, h, rest))
}

/// Algorithm 6, LMAC.
#[must_use]
pub fn lmac(e: Keyed<'_>, key: &[u8], n: usize, padded: &[u8]) -> Vec<u8> {
    let derived = |number: u8| {
        let mut block = vec![0; n];
        block[n - 1] = number;
        e(key, &block)
    };
    let (first, last) = padded.split_at(padded.len() - n);
    let h = chain(&|block: &[u8]| e(&derived(1), block), vec![0; n], first);
    e(&derived(2), &xor(&h, last))
}

/// Algorithm 7, TrCBC, with a tag of `t` bytes.
#[must_use]
pub fn tr_cbc(cipher: Block<'_>, n: usize, t: usize, message: &[u8]) -> Vec<u8> {
    if !message.is_empty() && message.len().is_multiple_of(n) {
        cbc_mac(cipher, n, message)[..t].to_vec()
    } else {
        cbc_mac(cipher, n, &method_2(n, message))[n - t..].to_vec()
    }
}

/// Algorithm 8, CBCR.
#[must_use]
pub fn cbcr(cipher: Block<'_>, n: usize, message: &[u8]) -> Vec<u8> {
    let whole = !message.is_empty() && message.len().is_multiple_of(n);
    let padded = if whole { message.to_vec() } else { method_2(n, message) };
    let (first, last) = padded.split_at(padded.len() - n);
    let h = chain(cipher, cipher(&vec![0; n]), first);
    let mut input = bits(&xor(&h, last));
    if whole {
        input.rotate_right(1);
    } else {
        input.rotate_left(1);
    }
    cipher(&string(&input))
}
