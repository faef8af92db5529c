//! The blocks of a message that are not data (SP 800-38C appendix A): the first one, the counters, the
//! length of associated data.

use super::BLOCK;
use crate::secret::Secret;

/// What goes into the MAC in its first call: the first block and the head of the
/// associated data.
pub(crate) const HEAD: usize = 64;

/// What stands in front of the message in the MAC: the first block and as much of the
/// associated data as there is room for; its length in whole blocks, and what of the
/// associated data is left.
pub(crate) fn head<'a>(
    nonce: &[u8],
    aad: &'a [u8],
    message: u64,
    tag: usize,
) -> (Secret<[u8; HEAD]>, usize, &'a [u8]) {
    let mut head = Secret([0; HEAD]);
    let mut len = BLOCK;
    let (first, second) = head.0.split_at_mut(BLOCK);
    first.copy_from_slice(&first_block(nonce, !aad.is_empty(), message, tag).to_be_bytes());
    let mut rest = aad;
    if !aad.is_empty() {
        let (encoding, n) = encode_length(aad.len() as u64);
        second[..n].copy_from_slice(&encoding[..n]);
        let (here, behind) = aad.split_at(aad.len().min(second.len() - n));
        second[n..n + here.len()].copy_from_slice(here);
        len += (n + here.len()).next_multiple_of(BLOCK);
        rest = behind;
    }
    (head, len, rest)
}

/// The block of flags, nonce and the message's length in front of the MAC (A.2.1), a big-endian number.
#[inline(always)]
pub(super) fn first_block(nonce: &[u8], aad: bool, message: u64, tag: usize) -> u128 {
    let length_field = BLOCK - 1 - nonce.len();
    let flags = ((tag - 2) / 2 * 8 + length_field - 1) as u8 | u8::from(aad) << 6;
    block(flags, nonce) | u128::from(message)
}

/// The flags, the nonce, and the counter in what the nonce leaves (A.3): Ctr0, a big-endian number.
#[inline(always)]
pub(super) fn ctr0(nonce: &[u8]) -> u128 {
    block((BLOCK - 1 - nonce.len() - 1) as u8, nonce)
}

/// The same as bytes.
pub(crate) fn first_counter(nonce: &[u8]) -> [u8; BLOCK] {
    ctr0(nonce).to_be_bytes()
}

/// Flags and a nonce in front of zeros, as a number: bytes put together would be slow to load as one.
#[inline(always)]
fn block(flags: u8, nonce: &[u8]) -> u128 {
    // Of a nonce from 7 to 13 bytes the first and the last ones, which overlap.
    let [head, tail] = match (nonce.first_chunk(), nonce.last_chunk()) {
        (Some(head), Some(tail)) => [head, tail].map(|half| u64::from_be_bytes(*half)),
        _ => {
            let mut whole = [0; 8];
            whole[1..].copy_from_slice(nonce);
            [0, u64::from_be_bytes(whole)]
        }
    };
    let behind = 8 * nonce.len().saturating_sub(8);
    let number = u128::from(head) << behind | u128::from(tail);
    u128::from(flags) << 120 | number << (8 * (BLOCK - 1 - nonce.len()))
}

/// The encoding of the length of associated data (A.2.2), and how long it is.
pub(super) fn encode_length(len: u64) -> ([u8; 10], usize) {
    let mut out = [0; 10];
    let n = match len {
        0..0xff00 => {
            out[..2].copy_from_slice(&(len as u16).to_be_bytes());
            2
        }
        0xff00..=0xffff_ffff => {
            out[..2].copy_from_slice(&[0xff, 0xfe]);
            out[2..6].copy_from_slice(&(len as u32).to_be_bytes());
            6
        }
        _ => {
            out[..2].copy_from_slice(&[0xff, 0xff]);
            out[2..].copy_from_slice(&len.to_be_bytes());
            10
        }
    };
    (out, n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_encoded_as_the_standard_says() {
        let encoded = |len| {
            let (bytes, n) = encode_length(len);
            bytes[..n].to_vec()
        };
        assert_eq!(encoded(1), [0, 1]);
        assert_eq!(encoded(0xfeff), [0xfe, 0xff]);
        assert_eq!(encoded(0xff00), [0xff, 0xfe, 0, 0, 0xff, 0]);
        assert_eq!(encoded(0xffff_ffff), [0xff, 0xfe, 0xff, 0xff, 0xff, 0xff]);
        assert_eq!(encoded(1 << 32), [0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn a_nonce_of_each_length_stands_behind_the_flags() {
        for len in 7..=13 {
            let all: [u8; 13] = core::array::from_fn(|i| 0xf0 ^ i as u8);
            let nonce = &all[..len];
            let mut first = [0; BLOCK];
            first[0] = 0x40 | 5 << 3 | (15 - len as u8 - 1);
            first[1..=len].copy_from_slice(nonce);
            first[14..].copy_from_slice(&[0x12, 0x34]);
            assert_eq!(first_block(nonce, true, 0x1234, 12).to_be_bytes(), first, "{len}");
            first[0] = 15 - len as u8 - 1;
            first[14..].fill(0);
            assert_eq!(first_counter(nonce), first, "{len}");
        }
    }
}
