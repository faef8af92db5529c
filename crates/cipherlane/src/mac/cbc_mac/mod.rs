//! The MACs of GB/T 15852.1-2020 (ISO/IEC 9797-1) that chain a block cipher, over
//! blocks of 64 or 128 bits. Algorithm 5 is [`Cmac`](super::cmac::Cmac).
//!
//! | no. | constructor | what differs from CBC-MAC `v ← E(v ⊕ block)` |
//! |---|---|---|
//! | 1 | [`CbcMac::new`] | nothing; only for messages of one fixed length per key |
//! | 2 | [`CbcMac::emac`] | at the end `E` under a second key |
//! | 3 | [`CbcMac::ansi_retail`] | at the end `D` under a second key and `E` again |
//! | 4 | [`CbcMac::mac_des`] | `E` under a third key behind the first block, under the second at the end |
//! | 6 | [`CbcMac::lmac`] | keys `E(1)`, and `E(2)` for the last block |
//! | 7 | [`CbcMac::tr_cbc`] | the leftmost bytes, or the rightmost where the message was padded |
//! | 8 | [`CbcMac::cbcr`] | starts from `E(0)`; the last input is rotated, right if whole, left if padded |
//!
//! One message is a serial chain. Constant-time where the cipher is.
//!
//! CBCR rotates in both cases, as its name says. One implementation in circulation
//! shifts to the left and drops the bit that falls out; its tags differ for half of
//! all padded messages, though not for the published examples.
//!
//! ```
//! use cipherlane::mac::cbc_mac::{CbcMac, Padding};
//! use cipherlane::{Mac, Sm4};
//!
//! let mut mac = CbcMac::emac(Sm4::new(&[7; 16])?, Sm4::new(&[8; 16])?, Padding::Method2)?;
//! mac.update(b"a message ")?;
//! mac.update(b"in pieces")?;
//! let mut tag = [0; 16];
//! mac.finish(&mut tag)?;
//! mac.update(b"a message in pieces")?;
//! mac.verify(&tag)?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

#[cfg(feature = "alloc")]
pub(crate) mod entries;

use core::fmt;

use ending::Ending;

use super::cmac::tags;
use super::last_block::{LastBlock, add};
use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::aead::check_tag_len;
use crate::traits::block::{BlockCipher, MAX_BLOCK};
use crate::traits::mac::Mac;

mod ending;

/// How a message is made whole blocks (GB/T 15852.1-2020, padding methods).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// Zeros, none for a whole number of blocks, one block for an empty message. Messages
    /// that differ in zeros at the end have equal tags.
    Method1,
    /// A byte `80`, then zeros.
    Method2,
    /// As method 1, and a first block with the message's length in bits: the length
    /// must be known beforehand, see [`CbcMac::announce`].
    Method3,
}

/// A MAC of the family under its keys. Tags have one block, or half a block with TrCBC, or by
/// [`with_tag_len`](Mac::with_tag_len) less, down to 4 bytes.
#[derive(Clone)]
pub struct CbcMac<C> {
    cipher: C,
    ending: Ending<C>,
    /// The padding, where the algorithm leaves it open.
    padding: Option<Padding>,
    /// The first chaining value.
    start: Secret<[u8; MAX_BLOCK]>,
    message: LastBlock,
    /// Whether a block has gone into the chaining value.
    started: bool,
    /// The length of the message so far, and as announced, in bytes.
    len: u64,
    announced: Option<u64>,
    /// The length of a tag.
    tag: usize,
}

impl<C> fmt::Debug for CbcMac<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CbcMac")
            .field("algorithm", &self.ending.name())
            .field("padding", &self.padding)
            .finish_non_exhaustive()
    }
}

/// The longest key that MacDES derives a third one from, in bytes.
const MAX_KEY: usize = 255;

impl<C: BlockCipher> CbcMac<C> {
    /// MAC algorithm 1, CBC-MAC. Safe only where all messages under a key have the
    /// same length.
    ///
    /// # Errors
    /// [`Error::Length`] if the cipher's block is neither 8 nor 16 bytes.
    pub fn new(cipher: C, padding: Padding) -> Result<Self, Error> {
        Self::with(cipher, Ending::Plain, Some(padding))
    }

    /// MAC algorithm 2, EMAC, under two keys.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn emac(cipher: C, second: C, padding: Padding) -> Result<Self, Error> {
        Self::with(cipher, Ending::Emac(second), Some(padding))
    }

    /// MAC algorithm 3, the ANSI retail MAC, under two keys.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn ansi_retail(cipher: C, second: C, padding: Padding) -> Result<Self, Error> {
        Self::with(cipher, Ending::AnsiRetail(second), Some(padding))
    }

    /// MAC algorithm 4, MacDES, under two keys; the third is the second with `F0`
    /// added to every byte.
    ///
    /// # Errors
    /// As [`new`](Self::new); what `cipher` says to a key; [`Error::Length`] if the
    /// second key is longer than 255 bytes.
    pub fn mac_des<F>(key: &[u8], second: &[u8], cipher: F, padding: Padding) -> Result<Self, Error>
    where
        F: Fn(&[u8]) -> Result<C, Error>,
    {
        check_length("key", second.len(), Sizes::between(0, MAX_KEY))?;
        let mut third = Secret([0xf0; MAX_KEY]);
        add(&mut third.0, second);
        let third = cipher(&third.0[..second.len()])?;
        Self::with(cipher(key)?, Ending::MacDes(cipher(second)?, third), Some(padding))
    }

    /// MAC algorithm 6, LMAC, under one key, for ciphers whose keys have the length of
    /// their blocks: the chain's key is `E(0…01)`, the last block's `E(0…02)`.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::Length`] for a key that is not as long as a block; what
    /// `cipher` says to a key.
    pub fn lmac<F>(key: &[u8], cipher: F, padding: Padding) -> Result<Self, Error>
    where
        F: Fn(&[u8]) -> Result<C, Error>,
    {
        let under = cipher(key)?;
        let block = under.block_size();
        check_block(block)?;
        check_length("key", key.len(), Sizes::exactly(block))?;
        let derived = |number: u8| {
            let mut key = Secret([0; MAX_BLOCK]);
            let key = &mut key.0[..block];
            key[block - 1] = number;
            under.encrypt_block(key);
            cipher(key)
        };
        Self::with(derived(1)?, Ending::Lmac(derived(2)?), Some(padding))
    }

    /// MAC algorithm 7, TrCBC. Its padding is its own: method 2 for what is not whole blocks.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn tr_cbc(cipher: C) -> Result<Self, Error> {
        Self::with(cipher, Ending::TrCbc, None)
    }

    /// MAC algorithm 8, CBCR. Its padding is its own: method 2 for what is not whole blocks.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn cbcr(cipher: C) -> Result<Self, Error> {
        Self::with(cipher, Ending::Cbcr, None)
    }

    fn with(cipher: C, ending: Ending<C>, padding: Option<Padding>) -> Result<Self, Error> {
        let block = cipher.block_size();
        check_block(block)?;
        let mut start = Secret([0; MAX_BLOCK]);
        if let Ending::Cbcr = ending {
            cipher.went_deep();
            cipher.encrypt_block(&mut start.0[..block]);
        }
        let message = LastBlock::new();
        let (started, len, announced) = (false, 0, None);
        let mut mac =
            Self { cipher, ending, padding, start, message, started, len, announced, tag: 0 };
        mac.tag = mac.tag_sizes().max;
        mac.restart();
        Ok(mac)
    }

    /// Announces the length of the message that follows, in bytes; padding method 3
    /// puts it in front.
    ///
    /// # Errors
    /// [`Error::State`] if the padding is another or the message has begun,
    /// [`Error::Limit`] if the length in bits does not fit into a block.
    pub fn announce(&mut self, bytes: u64) -> Result<(), Error> {
        if self.padding != Some(Padding::Method3) {
            return Err(Error::State("only padding method 3 takes the length beforehand"));
        }
        if self.announced.is_some() {
            return Err(Error::State("the length has been announced; a reset takes it back"));
        }
        let block = self.cipher.block_size();
        let bits = u128::from(bytes) * 8;
        if block == 8 && bits > u128::from(u64::MAX) {
            return Err(Error::Limit { what: "bits of a message", limit: u64::MAX });
        }
        let number = &bits.to_be_bytes()[MAX_BLOCK - block..];
        let Self { cipher, ending, started, message, .. } = self;
        ending.run(cipher, started, &mut message.value.0[..block], number);
        self.announced = Some(bytes);
        Ok(())
    }

    /// The tag of one whole message, whatever the padding; a message that has been
    /// begun is forgotten.
    ///
    /// # Errors
    /// As [`finish`](Mac::finish) and [`announce`](Self::announce).
    pub fn compute(&mut self, message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        check_tag_len(tag.len(), self.tag)?;
        self.restart();
        if self.padding == Some(Padding::Method3) {
            self.announce(message.len() as u64)?;
        }
        self.update(message)?;
        self.finish(tag)
    }

    fn restart(&mut self) {
        self.message.start(&self.start.0);
        (self.started, self.len, self.announced) = (false, 0, None);
    }

    /// The message's length, which was announced as another.
    fn wrong_length(&self, got: u64, announced: u64) -> Error {
        Error::Value { field: "message length", got, min: announced, max: announced }
    }
}

fn check_block(block: usize) -> Result<(), Error> {
    check_length("block", block, Sizes::steps(8, 16, 8))
}

impl<C: BlockCipher> Mac for CbcMac<C> {
    fn announce(&mut self, bytes: u64) -> Result<(), Error> {
        match self.padding {
            Some(Padding::Method3) => self.announce(bytes),
            _ => Ok(()),
        }
    }
    fn tag_sizes(&self) -> Sizes {
        let block = self.cipher.block_size();
        let half = matches!(self.ending, Ending::TrCbc);
        tags(if half { block / 2 } else { block })
    }
    fn tag_len(&self) -> usize {
        self.tag
    }
    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, self.tag_sizes())?;
        self.tag = bytes;
        Ok(())
    }

    /// # Errors
    /// With padding method 3, [`Error::State`] if the length has not been announced,
    /// [`Error::Value`] if the message becomes longer than it.
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        let len = self.len.saturating_add(data.len() as u64);
        if self.padding == Some(Padding::Method3) {
            let missing = "padding method 3 needs the length announced before the message";
            let announced = self.announced.ok_or(Error::State(missing))?;
            if len > announced {
                return Err(self.wrong_length(len, announced));
            }
        }
        self.len = len;
        let Self { cipher, ending, started, message, .. } = self;
        message.update(cipher.block_size(), data, |value, blocks| {
            ending.run(cipher, started, value, blocks);
        });
        Ok(())
    }

    /// # Errors
    /// [`Error::Length`] if the tag's length is not allowed; with padding method 3,
    /// [`Error::Value`] if the message is shorter than announced. The message goes on then.
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        check_tag_len(tag.len(), self.tag)?;
        if self.padding == Some(Padding::Method3) {
            match self.announced {
                Some(announced) if announced != self.len => {
                    return Err(self.wrong_length(self.len, announced));
                }
                Some(_) => {}
                None => self.announce(0)?,
            }
        }
        let block = self.cipher.block_size();
        let mut last = Secret([0; MAX_BLOCK]);
        let held = self.message.held();
        let whole = held.len() == block;
        last.0[..held.len()].copy_from_slice(held);
        match self.padding {
            Some(Padding::Method1 | Padding::Method3) => {}
            Some(Padding::Method2) if whole => {
                let Self { cipher, ending, started, message, .. } = self;
                let value = &mut message.value.0[..block];
                ending.run(cipher, started, value, &last.0[..block]);
                last.0 = [0; MAX_BLOCK];
                last.0[0] = 0x80;
            }
            None if whole => {}
            Some(Padding::Method2) | None => last.0[held.len()] = 0x80,
        }
        let value = &mut self.message.value.0[..block];
        add(value, &last.0);
        self.ending.end(&self.cipher, self.started, value, whole);
        let rightmost = matches!(self.ending, Ending::TrCbc) && !whole;
        let from = if rightmost { block - tag.len() } else { 0 };
        tag.copy_from_slice(&value[from..from + tag.len()]);
        self.restart();
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), Sizes::exactly(0))?;
        self.restart();
        Ok(())
    }
}
