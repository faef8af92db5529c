//! GCM (NIST SP 800-38D) over any block function of 16 bytes.

use crate::ghash::ghash;
use crate::modes::Block;

/// §6.2: inc₃₂, which counts in the last 32 bits.
fn inc32(x: &[u8]) -> Vec<u8> {
    let (fixed, counter) = x.split_at(12);
    let next = u32::from_be_bytes(counter.try_into().expect("32 bits")).wrapping_add(1);
    [fixed, &next.to_be_bytes()].concat()
}

/// §6.5, algorithm 3: GCTR.
fn gctr(cipher: Block<'_>, icb: &[u8], x: &[u8]) -> Vec<u8> {
    let mut cb = icb.to_vec();
    let mut y = Vec::with_capacity(x.len());
    for x in x.chunks(16) {
        y.extend(x.iter().zip(cipher(&cb)).map(|(x, e)| x ^ e));
        cb = inc32(&cb);
    }
    y
}

/// A string filled up with zeros to whole blocks.
fn padded(x: &[u8]) -> Vec<u8> {
    let mut x = x.to_vec();
    x.resize(x.len().next_multiple_of(16), 0);
    x
}

/// The hash subkey and the pre-counter block J₀: §7.1, steps 1 and 2.
fn start(cipher: Block<'_>, iv: &[u8]) -> ([u8; 16], Vec<u8>) {
    let h = cipher(&[0; 16]).try_into().expect("a block");
    if iv.len() == 12 {
        return (h, [iv, &[0, 0, 0, 1]].concat());
    }
    let bits = 8 * iv.len() as u64;
    let data = [padded(iv), vec![0; 8], bits.to_be_bytes().to_vec()].concat();
    (h, ghash(&h, &data).to_vec())
}

/// The whole tag: §7.1, steps 4 to 6 (without the cut to t bits).
fn tag(cipher: Block<'_>, h: &[u8; 16], j0: &[u8], aad: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    let lengths = [8 * aad.len() as u64, 8 * ciphertext.len() as u64].map(u64::to_be_bytes);
    let s = ghash(h, &[padded(aad), padded(ciphertext), lengths.concat()].concat());
    gctr(cipher, j0, &s)
}

/// §7.1, algorithm 4: the ciphertext and the tag of 16 bytes.
#[must_use]
pub fn seal(cipher: Block<'_>, iv: &[u8], aad: &[u8], plaintext: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (h, j0) = start(cipher, iv);
    let ciphertext = gctr(cipher, &inc32(&j0), plaintext);
    let tag = tag(cipher, &h, &j0, aad, &ciphertext);
    (ciphertext, tag)
}

/// §7.2, algorithm 5: the plaintext, if the tag, cut to any length, is right.
#[must_use]
pub fn open(
    cipher: Block<'_>,
    iv: &[u8],
    aad: &[u8],
    ciphertext: &[u8],
    given: &[u8],
) -> Option<Vec<u8>> {
    let (h, j0) = start(cipher, iv);
    let tag = tag(cipher, &h, &j0, aad, ciphertext);
    (tag[..given.len()] == *given).then(|| gctr(cipher, &inc32(&j0), ciphertext))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm4;

    #[test]
    fn first_and_last_bytes_of_the_rfc_8998_example() {
        let key = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes();
        let iv = [0, 0, 0x12, 0x34, 0x56, 0x78, 0, 0, 0, 0, 0xab, 0xcd];
        let aad = [[0xfe, 0xed, 0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef]; 2].concat();
        let aad = [&aad[..], &[0xab, 0xad, 0xda, 0xd2]].concat();
        let text: Vec<u8> = [0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0xee, 0xaa]
            .into_iter()
            .flat_map(|byte| [byte; 8])
            .collect();
        let cipher = |b: &[u8]| sm4::encrypt(&key, b.try_into().unwrap()).to_vec();
        let (ciphertext, tag) = seal(&cipher, &iv, &aad, &text);
        assert_eq!(ciphertext[..4], [0x17, 0xf3, 0x99, 0xf0]);
        let expected = 0x83de_3541_e4c2_b581_77e0_65a9_bf7b_62ec_u128.to_be_bytes();
        assert_eq!(tag, expected);
        assert_eq!(open(&cipher, &iv, &aad, &ciphertext, &tag[..12]), Some(text));
        assert_eq!(open(&cipher, &iv, &aad, &ciphertext, &[0; 12]), None);
    }
}
