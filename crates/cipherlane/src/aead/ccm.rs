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
use crate::traits::block::{BlockCipher, Chain, ChainData};
use crate::traits::mode::Direction;

mod format;
#[cfg(feature = "alloc")]
pub(crate) mod row;
mod stream;

#[doc(hidden)]
pub use crate::traits::whole::CcmMessage;
pub(crate) use format::{HEAD, first_counter, head};
use format::{ctr0, first_block};
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
/// Up to this length, exclusively, MAC and keystream of a message are one call each.
const FEW: usize = 2 * BLOCK;
/// The longest message that is ciphered in one call with the mask of the tag.
const SHORT: usize = 240;

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
        io: &mut InOut<'_>,
        tag: usize,
    ) -> Secret<[u8; BLOCK]> {
        let direction = if OPEN { Direction::Decrypt } else { Direction::Encrypt };
        let (first, counter) =
            (first_block(nonce, !aad.is_empty(), io.len() as u64, tag), ctr0(nonce));
        if aad.is_empty() {
            let mut message = CcmMessage { first, counter, aad, io, tag: [0; BLOCK] };
            if self.cipher.ccm(direction, &mut message) {
                return Secret(message.tag);
            }
        }
        self.behind_aad::<OPEN>(nonce, aad, io, (first, counter), tag)
    }

    /// The same of a message with associated data, or of a cipher that has no kernel for it.
    #[inline(never)]
    fn behind_aad<const OPEN: bool>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        io: &mut InOut<'_>,
        (mut first, counter): (u128, u128),
        tag: usize,
    ) -> Secret<[u8; BLOCK]> {
        let direction = if OPEN { Direction::Decrypt } else { Direction::Encrypt };
        let (mut head, len, mut rest) = head(nonce, aad, io.len() as u64, tag);
        let mut value = Secret([0; BLOCK]);
        let mut aad = &head.0[BLOCK..len];
        if !rest.is_empty() {
            // All but the last block of it, with which a kernel can go on as with a first one.
            let (front, last) = rest.split_at((rest.len() - 1) / BLOCK * BLOCK);
            self.absorb(&mut value.0, &head.0[..len]);
            if !front.is_empty() {
                self.absorb(&mut value.0, front);
            }
            value.0.iter_mut().zip(last).for_each(|(value, byte)| *value ^= byte);
            (first, aad, rest) = (u128::from_be_bytes(value.0), &[], last);
        }
        let tag = [0; BLOCK];
        let mut message = CcmMessage { first, counter, aad, io: &mut *io, tag };
        if self.cipher.ccm(direction, &mut message) {
            value.0 = message.tag;
            return value;
        }
        let end = len + io.len().next_multiple_of(BLOCK);
        if !rest.is_empty() {
            self.cipher.encrypt_block(&mut value.0);
        } else if io.len() < FEW && end <= HEAD {
            self.short::<OPEN>(nonce, &mut head.0[..end], &mut value.0, io);
            return value;
        } else {
            self.absorb(&mut value.0, &head.0[..len]);
        }
        self.message::<OPEN>(nonce, &mut value.0, io);
        value
    }

    /// One call for the MAC: `text` is what comes before the message, and room for that.
    fn short<const OPEN: bool>(
        &self,
        nonce: &[u8],
        text: &mut [u8],
        value: &mut [u8; BLOCK],
        io: &mut InOut<'_>,
    ) {
        let (n, mut counter) = (io.len(), first_counter(nonce));
        let from = text.len() - n.next_multiple_of(BLOCK);
        let mut masked = Secret([0; BLOCK + FEW]);
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
    #[inline(always)]
    fn is_right(
        &self,
        nonce: &[u8],
        aad: &[u8],
        io: &mut InOut<'_>,
        tag: &[u8],
    ) -> Result<bool, Error> {
        check_tag_len(tag.len(), self.tag)?;
        check(nonce.len(), io.len() as u64, tag.len())?;
        let value = self.whole::<true>(nonce, aad, io, tag.len());
        Ok(ct::equal(&value.0[..tag.len()], tag))
    }

    /// Runs the plaintext into the MAC and ciphers the message; `value` becomes the tag.
    #[inline(never)]
    fn message<const OPEN: bool>(&self, nonce: &[u8], value: &mut [u8; BLOCK], io: &mut InOut<'_>) {
        let mut counter = first_counter(nonce);
        // The mask of the tag is the keystream block in front of the message's first.
        let mut masked = Secret([0; BLOCK + SHORT]);
        let n = io.len();
        if n <= SHORT {
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

    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        check_tag_len(tag.len(), self.tag)?;
        check(nonce.len(), io.len() as u64, tag.len())?;
        let value = self.whole::<false>(nonce, aad, &mut io, tag.len());
        tag.copy_from_slice(&value.0[..tag.len()]);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        if self.is_right(nonce, aad, &mut io, tag)? {
            return Ok(());
        }
        lanes::wipe::wipe_bytes(io.output());
        Err(Error::Authentication)
    }

    fn try_open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        if self.is_right(nonce, aad, &mut (&mut *data).into(), tag)? {
            return Ok(());
        }
        // Counter mode undoes itself; the MAC is of no interest.
        self.message::<true>(nonce, &mut [0; BLOCK], &mut data.into());
        Err(Error::Authentication)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
