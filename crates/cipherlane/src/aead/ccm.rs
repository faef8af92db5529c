//! CCM (SP 800-38C, RFC 3610; GB/T 36624-2018), over ciphers with 128-bit blocks:
//! a CBC-MAC of the message, and CTR over message and tag.
//!
//! Nonces of 7 to 13 bytes; what a block leaves is the width of the length field, so
//! a longer nonce allows shorter messages: 15 less the nonce's length in bytes, e.g.
//! 65535 bytes of message with 13 bytes of nonce. Tags of 16 bytes, or by
//! [`with_tag_len`](Aead::with_tag_len) of 4 to 14, even. The length of everything must be known at the start: [`CcmStream`] takes pieces after it
//! has been announced.
//!
//! The MAC is a serial chain and is nearly all the cost. Constant-time where the
//! cipher is.
//!
//! ```
//! use cipherlane::aead::ccm::Ccm;
//! use cipherlane::{Aead, Sm4};
//!
//! let ccm = Ccm::new(Sm4::new(&[7; 16])?)?;
//! let mut sealed = [0; 7 + 16];
//! ccm.seal_attached(&[1; 12], b"header", b"message", &mut sealed)?;
//! let mut opened = [0; 7];
//! ccm.open_attached(&[1; 12], b"header", &sealed, &mut opened)?;
//! assert_eq!(&opened, b"message");
//! assert!(ccm.open_attached(&[1; 12], b"another", &sealed, &mut opened).is_err());
//! assert_eq!(opened, [0; 7]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::InOut;

use crate::ct;
use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::aead::{Aead, check_tag_len};
use crate::traits::block::{BlockCipher, Chain, ChainData, WholeMode};

#[cfg(feature = "alloc")]
pub(crate) mod row;
mod stream;

pub use stream::CcmStream;

/// CCM under one key.
#[derive(Clone)]
pub struct Ccm<C> {
    cipher: C,
    /// The length of a tag.
    tag: usize,
}

impl<C> fmt::Debug for Ccm<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ccm").field("tag", &self.tag).finish_non_exhaustive()
    }
}

/// The length of a block in bytes.
const BLOCK: usize = 16;
/// The lengths of a nonce in bytes.
const NONCE: Sizes = Sizes::between(7, 13);
/// The lengths of a tag in bytes.
const TAG: Sizes = Sizes::steps(4, 16, 2);
/// Bytes of a message that MAC and CTR take in turn, so that the second finds them in the cache.
const PIECE: usize = 8192;
/// The shortest message that one pass for MAC and keystream is worth its call for.
const ONE_PASS: usize = 2 * BLOCK;
/// The longest message that is ciphered in one call with the mask of the tag.
const SHORT: usize = 240;
/// What goes into the MAC in its first call: the first block and the head of the
/// associated data.
pub(crate) const HEAD: usize = 64;

impl<C: BlockCipher> Ccm<C> {
    /// Under this cipher.
    ///
    /// # Errors
    /// [`Error::Length`] if the cipher's block is not 16 bytes.
    pub fn new(cipher: C) -> Result<Self, Error> {
        check_length("block", cipher.block_size(), Sizes::exactly(BLOCK))?;
        Ok(Self { cipher, tag: BLOCK })
    }

    /// Runs whole blocks into the MAC.
    fn absorb(&self, value: &mut [u8; BLOCK], blocks: &[u8]) {
        self.cipher.encrypt_chains(&mut [Chain { value, data: ChainData::Absorb(blocks) }]);
    }

    /// Runs data into the MAC, filled up with zeros to whole blocks.
    fn absorb_padded(&self, value: &mut [u8; BLOCK], data: &[u8]) {
        let (whole, tail) = data.split_at(data.len() / BLOCK * BLOCK);
        if !whole.is_empty() {
            self.absorb(value, whole);
        }
        if !tail.is_empty() {
            value.iter_mut().zip(tail).for_each(|(value, byte)| *value ^= byte);
            self.cipher.encrypt_block(value);
        }
    }

    /// Runs a block of flags, nonce and the message's length (SP 800-38C A.2.1), the associated
    /// data behind their length (A.2.2) and the message into the MAC; ciphers it.
    fn whole<const OPEN: bool>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        io: InOut<'_>,
        tag: usize,
    ) -> Secret<[u8; BLOCK]> {
        let (mut head, len, rest) = head(nonce, aad, io.len() as u64, tag);
        let mut value = Secret([0; BLOCK]);
        let end = len + io.len().next_multiple_of(BLOCK);
        if io.len() < ONE_PASS && rest.is_empty() && end <= HEAD {
            self.short::<OPEN>(nonce, &mut head.0[..end], &mut value.0, io);
        } else {
            self.absorb(&mut value.0, &head.0[..len]);
            self.absorb_padded(&mut value.0, rest);
            self.message::<OPEN>(nonce, &mut value.0, io);
        }
        value
    }

    /// One call for the MAC: `text` is what comes before the message, and room for that.
    fn short<const OPEN: bool>(
        &self,
        nonce: &[u8],
        text: &mut [u8],
        value: &mut [u8; BLOCK],
        mut io: InOut<'_>,
    ) {
        let (n, mut counter) = (io.len(), first_counter(nonce));
        let from = text.len() - n.next_multiple_of(BLOCK);
        let mut masked = Secret([0; BLOCK + ONE_PASS]);
        let masked = &mut masked.0[..BLOCK + n];
        masked[BLOCK..].copy_from_slice(io.input());
        if OPEN {
            self.cipher.ctr((&mut *masked).into(), &mut counter);
        }
        text[from..from + n].copy_from_slice(&masked[BLOCK..]);
        self.absorb(value, text);
        if !OPEN {
            self.cipher.ctr((&mut *masked).into(), &mut counter);
        }
        io.output().copy_from_slice(&masked[BLOCK..]);
        value.iter_mut().zip(masked).for_each(|(value, mask)| *value ^= *mask);
    }

    /// Decrypts a message and tells whether its tag is right.
    fn is_right(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &[u8]) -> Result<bool, Error> {
        check_tag_len(tag.len(), self.tag)?;
        check(nonce.len(), io.len() as u64, tag.len())?;
        let value = self.whole::<true>(nonce, aad, io, tag.len());
        Ok(ct::equal(&value.0[..tag.len()], tag))
    }

    /// Whole blocks in one pass, if the cipher can.
    fn blocks<const OPEN: bool>(
        &self,
        io: &mut InOut<'_>,
        counter: &mut [u8; BLOCK],
        value: &mut [u8; BLOCK],
    ) -> bool {
        let mode = if OPEN { WholeMode::CcmOpen } else { WholeMode::CcmSeal };
        let mut both = Secret([0; 2 * BLOCK]);
        both.0[..BLOCK].copy_from_slice(counter);
        both.0[BLOCK..].copy_from_slice(value);
        let done = self.cipher.whole(mode, io, &mut both.0);
        if done {
            counter.copy_from_slice(&both.0[..BLOCK]);
            value.copy_from_slice(&both.0[BLOCK..]);
        }
        done
    }

    /// Runs the plaintext into the MAC and ciphers the message; `value` becomes the tag.
    #[inline(never)]
    fn message<const OPEN: bool>(&self, nonce: &[u8], value: &mut [u8; BLOCK], mut io: InOut<'_>) {
        let mut counter = first_counter(nonce);
        // The mask of the tag is the keystream block in front of the message's first.
        let mut masked = Secret([0; BLOCK + SHORT]);
        let n = io.len();
        let (mut blocks, mut rest) = io.reborrow().split_at(n / BLOCK * BLOCK);
        let mut next = (u128::from_be_bytes(counter) + 1).to_be_bytes();
        if n >= ONE_PASS && self.blocks::<OPEN>(&mut blocks, &mut next, value) {
            self.cipher.ctr((&mut masked.0[..BLOCK]).into(), &mut counter);
            let tail = rest.len();
            if tail > 0 {
                let block = &mut masked.0[BLOCK..2 * BLOCK];
                block[..tail].copy_from_slice(rest.input());
                if !OPEN {
                    self.absorb(value, block);
                }
                self.cipher.ctr((&mut block[..tail]).into(), &mut next);
                if OPEN {
                    self.absorb(value, block);
                }
                rest.output().copy_from_slice(&block[..tail]);
            }
        } else if n <= SHORT {
            let padded = BLOCK..BLOCK + n.next_multiple_of(BLOCK);
            masked.0[BLOCK..BLOCK + n].copy_from_slice(io.input());
            if !OPEN {
                self.absorb(value, &masked.0[padded.clone()]);
            }
            self.cipher.ctr((&mut masked.0[..BLOCK + n]).into(), &mut counter);
            if OPEN {
                self.absorb(value, &masked.0[padded]);
            }
            io.output().copy_from_slice(&masked.0[BLOCK..BLOCK + n]);
        } else {
            self.cipher.ctr((&mut masked.0[..BLOCK]).into(), &mut counter);
            for offset in (0..n).step_by(PIECE) {
                let mut part = io.part(offset, PIECE.min(n - offset));
                if !OPEN {
                    self.absorb_padded(value, part.input());
                }
                self.cipher.ctr(part.reborrow(), &mut counter);
                if OPEN {
                    self.absorb_padded(value, part.output());
                }
            }
        }
        value.iter_mut().zip(&masked.0).for_each(|(value, mask)| *value ^= mask);
    }
}

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
    first.copy_from_slice(&first_block(nonce, !aad.is_empty(), message, tag));
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

/// The block of flags, nonce and the message's length in front of the MAC (A.2.1).
#[inline(always)]
fn first_block(nonce: &[u8], aad: bool, message: u64, tag: usize) -> [u8; BLOCK] {
    let mut first = [0; BLOCK];
    first[8..].copy_from_slice(&message.to_be_bytes());
    first[1..=nonce.len()].copy_from_slice(nonce);
    let length_field = BLOCK - 1 - nonce.len();
    first[0] = ((tag - 2) / 2 * 8 + length_field - 1) as u8 | u8::from(aad) << 6;
    first
}

/// The flags, the nonce, and the counter in what the nonce leaves (A.3).
#[inline(always)]
pub(crate) fn first_counter(nonce: &[u8]) -> [u8; BLOCK] {
    let mut counter = [0; BLOCK];
    counter[0] = (BLOCK - 1 - nonce.len() - 1) as u8;
    counter[1..=nonce.len()].copy_from_slice(nonce);
    counter
}

/// The encoding of the length of associated data (A.2.2), and how long it is.
fn encode_length(len: u64) -> ([u8; 10], usize) {
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

/// Checks all lengths of a call.
pub(crate) fn check(nonce: usize, message: u64, tag: usize) -> Result<(), Error> {
    check_length("nonce", nonce, NONCE)?;
    check_length("tag", tag, TAG)?;
    let limit = u64::MAX >> (8 * (nonce - NONCE.min));
    if message > limit {
        return Err(Error::Limit { what: "bytes of a message with a nonce of this length", limit });
    }
    Ok(())
}

impl<C: BlockCipher> Aead for Ccm<C> {
    fn nonce_sizes(&self) -> Sizes {
        NONCE
    }

    fn tag_sizes(&self) -> Sizes {
        TAG
    }

    fn tag_len(&self) -> usize {
        self.tag
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, TAG)?;
        self.tag = bytes;
        Ok(())
    }

    fn take_key(&mut self, key: &[u8]) -> bool {
        self.cipher.rekey(key)
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<(), Error> {
        check_tag_len(tag.len(), self.tag)?;
        check(nonce.len(), io.len() as u64, tag.len())?;
        let value = self.whole::<false>(nonce, aad, io, tag.len());
        tag.copy_from_slice(&value.0[..tag.len()]);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        if self.is_right(nonce, aad, io.reborrow(), tag)? {
            return Ok(());
        }
        lanes::wipe::wipe_bytes(io.output());
        Err(Error::Authentication)
    }

    fn try_open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        if self.is_right(nonce, aad, (&mut *data).into(), tag)? {
            return Ok(());
        }
        // Counter mode undoes itself; the MAC is of no interest.
        self.message::<true>(nonce, &mut [0; BLOCK], data.into());
        Err(Error::Authentication)
    }
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
    fn a_longer_nonce_allows_shorter_messages() {
        let limit = |nonce, message| check(nonce, message, 16).err();
        for (nonce, bits) in [(13, 16), (12, 24), (11, 32), (10, 40), (9, 48), (8, 56)] {
            let most = (1_u64 << bits) - 1;
            let what = "bytes of a message with a nonce of this length";
            let refused = Some(Error::Limit { what, limit: most });
            assert_eq!(limit(nonce, most), None, "{nonce}");
            assert_eq!(limit(nonce, most + 1), refused, "{nonce}");
        }
        assert_eq!(limit(7, u64::MAX), None);
    }
}
