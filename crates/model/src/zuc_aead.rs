//! The AEADs made of ZUC: GXM and MUR (GM/T 0001.4-2024) and 256-NIA6, 256-NCA6 (3GPP).

use crate::ghash::ghash;
use crate::nca::{self, padded, xor};
use crate::zuc128;
use crate::zuc256::{self, Version};

fn block(bytes: &[u8]) -> [u8; 16] {
    bytes.try_into().expect("16 bytes")
}

/// H, K1 and K2 from a master key.
#[must_use]
pub fn subkeys(master: &[u8; 16]) -> [[u8; 16]; 3] {
    let keystream = zuc128::keystream(master, &[0; 16], 48);
    [block(&keystream[..16]), block(&keystream[16..32]), block(&keystream[32..])]
}

/// The hash of associated data and data, as in GCM.
fn hash(h: &[u8; 16], aad: &[u8], data: &[u8]) -> [u8; 16] {
    let lengths = [8 * aad.len() as u64, 8 * data.len() as u64].map(u64::to_be_bytes);
    ghash(h, &[padded(aad), padded(data), lengths.concat()].concat())
}

/// GXM: ciphertext and tag.
#[must_use]
pub fn gxm(
    [h, k1]: [&[u8; 16]; 2],
    iv: &[u8; 16],
    aad: &[u8],
    plaintext: &[u8],
    tag: usize,
) -> (Vec<u8>, Vec<u8>) {
    let keystream = zuc128::keystream(k1, iv, tag + plaintext.len());
    let (mask, keystream) = keystream.split_at(tag);
    let ciphertext = xor(plaintext, keystream);
    let tag = xor(mask, &hash(h, aad, &ciphertext));
    (ciphertext, tag)
}

/// MUR: ciphertext and tag.
#[must_use]
pub fn mur(
    [h, k1, k2]: [&[u8; 16]; 3],
    iv: &[u8; 16],
    aad: &[u8],
    plaintext: &[u8],
    tag: usize,
) -> (Vec<u8>, Vec<u8>) {
    let s = hash(h, aad, plaintext);
    let tag = zuc128::keystream(k2, &block(&xor(&s, iv)), tag);
    let data_iv = xor(iv, &padded(&tag));
    let keystream = zuc128::keystream(k1, &block(&data_iv), plaintext.len());
    (xor(plaintext, &keystream), tag)
}

/// 256-NCA6: ciphertext and tag. 256-NIA6 is the tag of associated data alone.
#[must_use]
pub fn nca6(
    key: &[u8; 32],
    iv: &[u8; 16],
    aad: &[u8],
    plaintext: &[u8],
    tag: usize,
) -> (Vec<u8>, Vec<u8>) {
    let keystream = zuc256::keystream(Version::Y2023, key, iv, 48 + plaintext.len());
    let (keys, stream) = keystream.split_at(48);
    nca::seal(keys.try_into().expect("48 bytes"), stream, aad, plaintext, tag)
}
