//! Padding of the last block, and taking it off in constant time.

use lanes::hide;

/// How a message that is not whole blocks is filled up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// Not at all: the data must be whole blocks.
    None,
    /// PKCS#7 (RFC 5652 §6.3): `n` bytes of value `n`, 1 to one block.
    Pkcs7,
    /// ISO/IEC 7816-4: a byte `80`, then zeros up to the end of the block.
    Iso7816,
}

impl Padding {
    /// Fills `block` up from `len`, which is less than its length.
    pub(super) fn pad(self, block: &mut [u8], len: usize) {
        match self {
            Self::None => {}
            Self::Pkcs7 => {
                let n = (block.len() - len) as u8;
                block[len..].fill(n);
            }
            Self::Iso7816 => {
                block[len..].fill(0);
                block[len] = 0x80;
            }
        }
    }

    /// The length of the data in a padded block, if the padding is valid. Neither
    /// branches nor addresses depend on the bytes before the verdict.
    ///
    /// For who decrypts many messages in one call; a mode for one message does this itself.
    ///
    /// ```
    /// use cipherlane::modes::Padding;
    ///
    /// assert_eq!(Padding::Pkcs7.unpad(&[7, 7, 7, 7, 7, 3, 3, 3]), Some(5));
    /// assert_eq!(Padding::Pkcs7.unpad(&[7, 7, 7, 7, 7, 2, 3, 3]), None);
    /// assert_eq!(Padding::Pkcs7.unpad(&[]), None);
    /// ```
    #[must_use]
    pub fn unpad(self, block: &[u8]) -> Option<usize> {
        match self {
            _ if block.is_empty() => None,
            Self::None => Some(block.len()),
            Self::Pkcs7 => unpad_pkcs7(block),
            Self::Iso7816 => unpad_iso7816(block),
        }
    }
}

/// All ones for 1, zeros for 0; hidden, so that no compiler makes a branch or a select of it.
#[inline(always)]
fn mask(bit: u32) -> u32 {
    (hide(bit.into()) as u32).wrapping_neg()
}

fn unpad_pkcs7(block: &[u8]) -> Option<usize> {
    let size = block.len() as u32;
    let n = u32::from(block[block.len() - 1]);
    // 1 in the top bit where n is 0 or more than a block.
    let mut bad = n.wrapping_sub(1) | size.wrapping_sub(n);
    for (i, &byte) in block.iter().enumerate() {
        // All ones where byte i belongs to the padding: size - i ≤ n.
        let from_end = size - i as u32;
        let inside = mask(from_end.wrapping_sub(n + 1) >> 31);
        let differs = u32::from(byte) ^ n;
        bad |= (differs & inside).wrapping_neg();
    }
    (core::hint::black_box(bad) >> 31 == 0).then(|| block.len() - n as usize)
}

fn unpad_iso7816(block: &[u8]) -> Option<usize> {
    // From the end: all ones until the first byte that is not zero.
    let mut zeros = u32::MAX;
    let mut found = 0;
    let mut len = 0;
    for (i, &byte) in block.iter().enumerate().rev() {
        // All ones where the byte is not zero, and where it is 80.
        let marks = mask(u32::from(byte).wrapping_neg() >> 31);
        let is_80 = mask(u32::from(byte ^ 0x80).wrapping_sub(1) >> 31);
        found |= zeros & is_80;
        len |= zeros & is_80 & i as u32;
        zeros &= !marks;
    }
    (core::hint::black_box(found) != 0).then_some(len as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpadding_pkcs7_is_right_for_every_last_byte_and_every_spoilt_byte() {
        for n in 0..=255u8 {
            let mut block = [n; 16];
            block[0] ^= u8::from(n < 16);
            let valid = (1..=16).contains(&n);
            assert_eq!(unpad_pkcs7(&block), valid.then(|| 16 - usize::from(n)), "{n}");
        }
        for n in 1..=16usize {
            for spoilt in 16 - n..15 {
                for bit in 0..8 {
                    let mut block = [n as u8; 16];
                    block[spoilt] ^= 1 << bit;
                    assert_eq!(unpad_pkcs7(&block), None, "{n} bytes, byte {spoilt} spoilt");
                }
            }
        }
    }

    #[test]
    fn unpadding_iso7816_finds_the_last_byte_that_is_not_zero() {
        assert_eq!(unpad_iso7816(&[0; 16]), None);
        for place in 0..16 {
            for byte in 1..=255u8 {
                // What stands before the mark is data, whatever it is.
                for before in [0, 0x80, 0xff] {
                    let mut block = [before; 16];
                    block[place] = byte;
                    block[place + 1..].fill(0);
                    let expected = (byte == 0x80).then_some(place);
                    assert_eq!(unpad_iso7816(&block), expected, "{byte:02x} at {place}");
                }
            }
        }
    }

    #[test]
    fn what_was_padded_is_unpadded() {
        for padding in [Padding::Pkcs7, Padding::Iso7816] {
            for size in [8, 16] {
                for len in 0..size {
                    let mut block = [0x80; 16];
                    padding.pad(&mut block[..size], len);
                    assert_eq!(padding.unpad(&block[..size]), Some(len), "{padding:?}");
                }
            }
        }
    }
}
