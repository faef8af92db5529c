//! CCM: SP 800-38C §6 with the formatting of appendix A.

use super::ctr::increment;
use super::{Block, xor};

/// Zeros up to whole blocks.
fn pad0(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    bytes
}

/// The blocks B that are authenticated (A.2).
fn format(nonce: &[u8], aad: &[u8], payload: &[u8], t: usize) -> Vec<u8> {
    let q = 15 - nonce.len();
    let adata = usize::from(!aad.is_empty());
    let mut b = vec![(64 * adata + 8 * ((t - 2) / 2) + (q - 1)) as u8];
    b.extend(nonce);
    b.extend(&(payload.len() as u128).to_be_bytes()[16 - q..]);
    if !aad.is_empty() {
        let a = aad.len();
        let mut encoded = if a < (1 << 16) - (1 << 8) {
            (a as u16).to_be_bytes().to_vec()
        } else {
            assert!(u32::try_from(a).is_ok(), "associated data of {a} bytes");
            [&[0xff, 0xfe], &(a as u32).to_be_bytes()[..]].concat()
        };
        encoded.extend(aad);
        b.extend(pad0(encoded));
    }
    b.extend(pad0(payload.to_vec()));
    b
}

/// Ciphertext and tag of `t` bytes (§6.1).
#[must_use]
pub fn seal(
    cipher: Block<'_>,
    nonce: &[u8],
    aad: &[u8],
    payload: &[u8],
    t: usize,
) -> (Vec<u8>, Vec<u8>) {
    let b = format(nonce, aad, payload, t);
    let y = b.chunks(16).fold(vec![0; 16], |y, b| cipher(&xor(&y, b)));
    let mut counter = vec![14 - nonce.len() as u8];
    counter.extend(nonce);
    counter.resize(16, 0);
    let s0 = cipher(&counter);
    let mut ciphertext = Vec::new();
    for p in payload.chunks(16) {
        increment(&mut counter);
        ciphertext.extend(xor(p, &cipher(&counter)[..p.len()]));
    }
    (ciphertext, xor(&y[..t], &s0[..t]))
}
