//! GCM-SIV (RFC 8452 §4, §5) over any block function of 16 bytes made from a key.

use crate::ghash::polyval;

/// A block function: a key and a block in, a block out.
pub type Keyed<'a> = &'a dyn Fn(&[u8], &[u8]) -> Vec<u8>;

/// §4: the message-authentication key and the message-encryption key.
#[must_use]
pub fn derive_keys(cipher: Keyed<'_>, key: &[u8], nonce: &[u8]) -> ([u8; 16], Vec<u8>) {
    let half = |i: u32| cipher(key, &[&i.to_le_bytes(), nonce].concat())[..8].to_vec();
    let authentication = [half(0), half(1)].concat().try_into().expect("16 bytes");
    let mut encryption = [half(2), half(3)].concat();
    if key.len() == 32 {
        encryption.extend([half(4), half(5)].concat());
    }
    (authentication, encryption)
}

/// §4: AES_CTR.
fn ctr(cipher: Keyed<'_>, key: &[u8], initial: &[u8], data: &[u8]) -> Vec<u8> {
    let mut block = initial.to_vec();
    let mut out = Vec::with_capacity(data.len());
    for data in data.chunks(16) {
        out.extend(data.iter().zip(cipher(key, &block)).map(|(x, e)| x ^ e));
        let next = u32::from_le_bytes(block[..4].try_into().expect("32 bits")).wrapping_add(1);
        block[..4].copy_from_slice(&next.to_le_bytes());
    }
    out
}

fn padded(x: &[u8]) -> Vec<u8> {
    let mut x = x.to_vec();
    x.resize(x.len().next_multiple_of(16), 0);
    x
}

/// §4: the tag of a plaintext.
fn tag(
    cipher: Keyed<'_>,
    (authentication, encryption): &([u8; 16], Vec<u8>),
    nonce: &[u8],
    aad: &[u8],
    plaintext: &[u8],
) -> Vec<u8> {
    let lengths = [8 * aad.len() as u64, 8 * plaintext.len() as u64].map(u64::to_le_bytes);
    let input = [padded(aad), padded(plaintext), lengths.concat()].concat();
    let mut s = polyval(authentication, &input);
    for i in 0..12 {
        s[i] ^= nonce[i];
    }
    s[15] &= 0x7f;
    cipher(encryption, &s)
}

fn counter(tag: &[u8]) -> Vec<u8> {
    let mut block = tag.to_vec();
    block[15] |= 0x80;
    block
}

/// §4: the ciphertext and the tag.
#[must_use]
pub fn seal(
    cipher: Keyed<'_>,
    key: &[u8],
    nonce: &[u8],
    aad: &[u8],
    plaintext: &[u8],
) -> (Vec<u8>, Vec<u8>) {
    let keys = derive_keys(cipher, key, nonce);
    let tag = tag(cipher, &keys, nonce, aad, plaintext);
    (ctr(cipher, &keys.1, &counter(&tag), plaintext), tag)
}

/// §5: the plaintext, if the tag is right.
#[must_use]
pub fn open(
    cipher: Keyed<'_>,
    key: &[u8],
    nonce: &[u8],
    aad: &[u8],
    ciphertext: &[u8],
    given: &[u8],
) -> Option<Vec<u8>> {
    let keys = derive_keys(cipher, key, nonce);
    let plaintext = ctr(cipher, &keys.1, &counter(given), ciphertext);
    (tag(cipher, &keys, nonce, aad, &plaintext) == given).then_some(plaintext)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm4;

    #[test]
    fn the_empty_message_under_sm4() {
        let cipher = |key: &[u8], block: &[u8]| {
            sm4::encrypt(key.try_into().unwrap(), block.try_into().unwrap()).to_vec()
        };
        let (mut key, mut nonce) = ([0; 16], [0; 12]);
        (key[0], nonce[0]) = (1, 3);
        let (ciphertext, tag) = seal(&cipher, &key, &nonce, &[], &[]);
        assert!(ciphertext.is_empty());
        assert_eq!(tag, 0x1a8a_0d12_6908_56bd_81e7_3d4b_49a4_84a6_u128.to_be_bytes());
        assert_eq!(open(&cipher, &key, &nonce, &[], &[], &tag), Some(vec![]));
    }
}
