//! The tag that 256-NIA4, 5 and 6 and 256-NCA4, 5 and 6 have in common (3GPP TS 35.240, 35.244 and
//! 35.246), and those of SNOW 5G and AES-256.

use crate::ghash::{dot, polyval};
use crate::{aes, snow_v};

/// The data filled up with zeros to whole blocks.
pub(crate) fn padded(data: &[u8]) -> Vec<u8> {
    let mut data = data.to_vec();
    data.resize(data.len().next_multiple_of(16), 0);
    data
}

pub(crate) fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// Ciphertext and tag, from the blocks H, Q and P and the keystream of the data. The lengths are
/// multiplied by Q alone.
///
/// # Panics
/// If a tag of more than 16 bytes is asked for.
#[must_use]
pub fn seal(
    keys: &[u8; 48],
    keystream: &[u8],
    aad: &[u8],
    plaintext: &[u8],
    tag: usize,
) -> (Vec<u8>, Vec<u8>) {
    let block = |bytes: &[u8]| -> [u8; 16] { bytes.try_into().expect("16 bytes") };
    let (h, q, p) = (block(&keys[..16]), block(&keys[16..32]), &keys[32..]);
    let ciphertext = xor(plaintext, keystream);
    let y = polyval(&h, &[padded(aad), padded(&ciphertext)].concat());
    let lengths = [8 * ciphertext.len() as u64, 8 * aad.len() as u64].map(u64::to_le_bytes);
    let y = dot(&block(&xor(&y, &lengths.concat())), &q);
    (ciphertext, xor(&y, p)[..tag].to_vec())
}

/// 256-NCA4: SNOW 5G. 256-NIA4 is the tag of associated data alone.
#[must_use]
pub fn nca4(
    key: &[u8; 32],
    iv: &[u8; 16],
    aad: &[u8],
    plaintext: &[u8],
    tag: usize,
) -> (Vec<u8>, Vec<u8>) {
    let keystream = snow_v::keystream(&snow_v::SNOW_5G, key, iv, 48 + plaintext.len());
    let (keys, stream) = keystream.split_at(48);
    seal(keys.try_into().expect("48 bytes"), stream, aad, plaintext, tag)
}

/// 256-NEA5's keystream: AES-256 of the first 12 bytes of the IV and a counter from 0 on; the last
/// four bytes of the IV are not used.
#[must_use]
pub fn nea5_keystream(key: &[u8; 32], iv: &[u8; 16], bytes: usize) -> Vec<u8> {
    let w = aes::key_expansion(key);
    let blocks = (0..bytes.div_ceil(16) as u32).flat_map(|counter| {
        let mut block = *iv;
        block[12..].copy_from_slice(&counter.to_be_bytes());
        aes::cipher(&w, &block)
    });
    blocks.take(bytes).collect()
}

/// 256-NCA5: AES-256. 256-NIA5 is the tag of associated data alone. The lowest bit of the IV's first
/// byte tells the keys of the tag from the keystream.
#[must_use]
pub fn nca5(
    key: &[u8; 32],
    iv: &[u8; 16],
    aad: &[u8],
    plaintext: &[u8],
    tag: usize,
) -> (Vec<u8>, Vec<u8>) {
    let [mut of_keys, mut of_data] = [*iv; 2];
    of_keys[0] |= 1;
    of_data[0] &= !1;
    let keys = nea5_keystream(key, &of_keys, 48).try_into().expect("48 bytes");
    let stream = nea5_keystream(key, &of_data, plaintext.len());
    seal(&keys, &stream, aad, plaintext, tag)
}
