//! What tells the algorithms apart: behind the first block, in the last step, and at
//! the end.

use crate::mac::last_block::absorb;
use crate::traits::block::BlockCipher;

/// What an algorithm does beside the chain.
#[derive(Clone)]
pub(super) enum Ending<C> {
    /// Algorithm 1.
    Plain,
    /// Algorithm 2, with the second key.
    Emac(C),
    /// Algorithm 3, with the second key.
    AnsiRetail(C),
    /// Algorithm 4, with the second and third key.
    MacDes(C, C),
    /// Algorithm 6, with the last block's key.
    Lmac(C),
    /// Algorithm 7.
    TrCbc,
    /// Algorithm 8.
    Cbcr,
}

impl<C> Ending<C> {
    /// The algorithm's name.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Plain => "CBC-MAC",
            Self::Emac(_) => "EMAC",
            Self::AnsiRetail(_) => "ANSI retail MAC",
            Self::MacDes(..) => "MacDES",
            Self::Lmac(_) => "LMAC",
            Self::TrCbc => "TrCBC",
            Self::Cbcr => "CBCR",
        }
    }
}

impl<C: BlockCipher> Ending<C> {
    /// Runs whole blocks into the chaining value; `started` tells whether there were
    /// any before.
    pub(super) fn run(&self, cipher: &C, started: &mut bool, value: &mut [u8], blocks: &[u8]) {
        let mut blocks = blocks;
        if let (Self::MacDes(_, third), false) = (self, *started) {
            let (first, rest) = blocks.split_at(value.len());
            absorb(cipher, value, first);
            third.encrypt_block(value);
            blocks = rest;
        }
        *started = true;
        absorb(cipher, value, blocks);
    }

    /// The last step, with the last block, whole or padded, in the chaining value
    /// already, and what comes behind it.
    pub(super) fn end(&self, cipher: &C, started: bool, value: &mut [u8], whole: bool) {
        match self {
            Self::Lmac(last) => return last.encrypt_block(value),
            Self::Cbcr if whole => rotate_right(value),
            Self::Cbcr => rotate_left(value),
            _ => {}
        }
        cipher.encrypt_block(value);
        match self {
            Self::Emac(second) => second.encrypt_block(value),
            Self::AnsiRetail(second) => {
                second.decrypt_block(value);
                cipher.encrypt_block(value);
            }
            Self::MacDes(second, third) => {
                if !started {
                    third.encrypt_block(value);
                }
                second.encrypt_block(value);
            }
            Self::Plain | Self::Lmac(_) | Self::TrCbc | Self::Cbcr => {}
        }
    }
}

/// Rotates a string of bits, the most significant of byte 0 first, by one place.
fn rotate_right(bytes: &mut [u8]) {
    let mut carry = bytes.last().map_or(0, |last| last << 7);
    for byte in bytes {
        let out = *byte << 7;
        *byte = *byte >> 1 | carry;
        carry = out;
    }
}

/// The other way round.
fn rotate_left(bytes: &mut [u8]) {
    let mut carry = bytes.first().map_or(0, |first| first >> 7);
    for byte in bytes.iter_mut().rev() {
        let out = *byte >> 7;
        *byte = *byte << 1 | carry;
        carry = out;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_carry_through_all_bytes() {
        let mut bytes = [0x80, 0x00, 0x01];
        rotate_right(&mut bytes);
        assert_eq!(bytes, [0xc0, 0x00, 0x00]);
        rotate_left(&mut bytes);
        assert_eq!(bytes, [0x80, 0x00, 0x01]);
        rotate_left(&mut bytes);
        assert_eq!(bytes, [0x00, 0x00, 0x03]);
    }
}
