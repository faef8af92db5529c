//! CTR, counter mode (GB/T 17964-2021 §10, SP 800-38A §6.5), with a big-endian
//! counter as wide as the block ([`Ctr`]) or of its last 32 bits ([`Ctr32`]).
//!
//! The standards leave the counter's layout to the user: the IV is the first
//! counter. A counter must never repeat under one key; [`Ctr32`] ends before its
//! own do. CTR gives no authenticity.
//!
//! Any place of the keystream is reached in constant time by
//! [`seek`](StreamSeek::seek).
//!
//! ```
//! use cipherlane::modes::ctr::Ctr;
//! use cipherlane::{Sm4, StreamCipher, StreamSeek};
//!
//! let sm4 = Sm4::new(&[7; 16])?;
//! let mut data = *b"any number of bytes";
//! let mut ctr = Ctr::new(&sm4, &[1; 16])?;
//! ctr.apply(&mut data)?;
//! ctr.seek(4)?;
//! ctr.apply(&mut data[4..])?;
//! assert_eq!(&data[4..], b"number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;
use core::marker::PhantomData;

use lanes::{InOut, Level};

use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, MAX_BLOCK};
use crate::traits::stream::{StreamCipher, StreamSeek};

mod counter;

pub use counter::{Counter, Low32, WholeBlock};
pub(crate) use counter::{advance, xor32};

/// CTR whose counter is the whole block.
pub type Ctr<C> = CtrMode<C, WholeBlock>;
/// CTR whose counter is the last 32 bits of the block, which wrap without a carry into
/// what stands before them (`inc₃₂` of SP 800-38D §6.2): the counter mode inside GCM.
///
/// After 2³² blocks the counters would repeat, so there it ends with [`Error::Limit`].
pub type Ctr32<C> = CtrMode<C, Low32>;

/// A keystream of encrypted counters; use it by the names [`Ctr`] and [`Ctr32`].
pub struct CtrMode<C, W> {
    cipher: C,
    /// The first counter.
    first: [u8; MAX_BLOCK],
    /// The next block's counter.
    counter: [u8; MAX_BLOCK],
    /// The blocks of keystream that are made.
    made: u128,
    /// The keystream block that the last piece ended in.
    rest: Secret<[u8; MAX_BLOCK]>,
    /// How many of its bytes, at the end, are still unused.
    left: usize,
    width: PhantomData<fn() -> W>,
}

impl<C, W> fmt::Debug for CtrMode<C, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ctr").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<C: BlockCipher, W: Counter> CtrMode<C, W> {
    /// Under this cipher, from the first counter, one block.
    ///
    /// # Errors
    /// [`Error::Length`] if the counter is not one block.
    pub fn new(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        let (first, rest) = ([0; MAX_BLOCK], Secret([0; MAX_BLOCK]));
        let width = PhantomData;
        let mut mode = Self { cipher, first, counter: first, made: 0, rest, left: 0, width };
        mode.reset(iv)?;
        Ok(mode)
    }

    /// The cipher.
    pub const fn cipher(&self) -> &C {
        &self.cipher
    }

    /// Whether there are so many more bytes of keystream.
    #[cfg(feature = "rustcrypto")]
    pub(crate) fn has(&self, bytes: usize) -> bool {
        let block = self.cipher.block_size();
        let blocks = (bytes.saturating_sub(self.left)).div_ceil(block) as u128;
        check_blocks::<W>(block, self.made.saturating_add(blocks)).is_ok()
    }

    /// Takes up to `io`'s length of the keystream left over from the last piece.
    fn use_rest(&mut self, mut io: InOut<'_>) {
        let block = self.cipher.block_size();
        let from = block - self.left;
        io.xor(&self.rest.0[from..from + io.len()]);
        self.left -= io.len();
    }

    /// Makes a block of keystream to take bytes of.
    fn fill_rest(&mut self) {
        let block = self.cipher.block_size();
        self.rest.0 = [0; MAX_BLOCK];
        let counter = &mut self.counter[..block];
        counter::xor::<W>(&self.cipher, (&mut self.rest.0[..block]).into(), counter);
        self.left = block;
        self.made += 1;
    }
}

#[cfg(feature = "aes")]
impl<C: BlockCipher + Clone, W: Counter> CtrMode<C, W> {
    /// A copy at the same place of the same keystream: **both together are a keystream used twice**.
    pub(crate) fn clone_under_the_same_iv(&self) -> Self {
        Self { cipher: self.cipher.clone(), rest: self.rest.clone(), ..*self }
    }
}

impl<C: BlockCipher, W: Counter> StreamCipher for CtrMode<C, W> {
    fn level(&self) -> Level {
        self.cipher.level()
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let block = self.cipher.block_size();
        let head = self.left.min(io.len());
        let blocks = (io.len() - head).div_ceil(block) as u128;
        check_blocks::<W>(block, self.made.saturating_add(blocks))?;
        let (head, io) = io.split_at(head);
        if !head.is_empty() {
            self.use_rest(head);
        }
        // A short end is ciphered with a whole block of which the rest is kept.
        let whole = io.len() / block * block;
        let (whole, tail) = io.split_at(whole);
        if !whole.is_empty() {
            self.made += (whole.len() / block) as u128;
            counter::xor::<W>(&self.cipher, whole, &mut self.counter[..block]);
        }
        if !tail.is_empty() {
            self.fill_rest();
            self.use_rest(tail);
        }
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let block = self.cipher.block_size();
        check_length("iv", iv.len(), Sizes::exactly(block))?;
        self.first[..block].copy_from_slice(iv);
        self.counter = self.first;
        self.made = 0;
        self.left = 0;
        Ok(())
    }
}

impl<C: BlockCipher, W: Counter> StreamSeek for CtrMode<C, W> {
    fn position(&self) -> u128 {
        // The last byte that a position can name lies in a block that ends one past them all.
        let end = self.made.wrapping_mul(self.cipher.block_size() as u128);
        end.wrapping_sub(self.left as u128)
    }

    fn seek(&mut self, position: u128) -> Result<(), Error> {
        let size = self.cipher.block_size();
        let (blocks, within) = (position / size as u128, (position % size as u128) as usize);
        check_blocks::<W>(size, blocks + u128::from(within > 0))?;
        self.counter = self.first;
        advance::<W>(&mut self.counter[..size], blocks);
        self.made = blocks;
        self.left = 0;
        if within > 0 {
            self.fill_rest();
            self.left = size - within;
        }
        Ok(())
    }
}

/// Returns [`Error::Limit`] if there are not so many blocks of keystream.
pub(crate) fn check_blocks<W: Counter>(block: usize, blocks: u128) -> Result<(), Error> {
    match counter::blocks::<W>(block) {
        Some(limit) if blocks > u128::from(limit) => {
            Err(Error::Limit { what: "blocks of keystream from one first counter", limit })
        }
        _ => Ok(()),
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use super::{Ctr, Ctr32};
    use crate::entry::constructor::mode;
    use crate::entry::kind::Split;
    use crate::entry::row::Row;

    /// `ctr`.
    pub(crate) const APPLY: Row = Row {
        split: Split::Counter,
        ..Row::mode(
            "ctr",
            "ctr",
            "GB/T 17964-2021 §10, SP 800-38A §6.5",
            mode!(super::apply, Stream, Ctr::new),
        )
    };

    /// `ctr32`.
    pub(crate) const APPLY_32: Row = Row {
        split: Split::Counter32,
        ..Row::mode(
            "ctr32",
            "ctr32",
            "SP 800-38A §6.5 with inc32 of SP 800-38D §6.2",
            mode!(super::apply32, Stream, Ctr32::new),
        )
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{APPLY, APPLY_32};

/// Ciphers one whole message from the first counter `iv`, one block, as [`Ctr`] does. The
/// message's end needs no keystream kept, so a ragged length costs no more.
///
/// # Errors
/// [`Error::Length`] if the counter is not one block.
pub fn apply(cipher: &dyn BlockCipher, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
    message::<WholeBlock>(cipher, iv, io)
}

/// Ciphers one whole message from the first counter `iv`, one block, as [`Ctr32`] does.
///
/// # Errors
/// [`Error::Length`] if the counter is not one block, [`Error::Limit`] if the message has
/// more than 2³² blocks; nothing is written then.
pub fn apply32(cipher: &dyn BlockCipher, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
    message::<Low32>(cipher, iv, io)
}

#[inline(always)]
fn message<W: Counter>(cipher: &dyn BlockCipher, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
    let block = cipher.block_size();
    check_length("iv", iv.len(), Sizes::exactly(block))?;
    check_blocks::<W>(block, io.len().div_ceil(block) as u128)?;
    let mut counter = [0; MAX_BLOCK];
    counter[..block].copy_from_slice(iv);
    counter::xor::<W>(cipher, io, &mut counter[..block]);
    Ok(())
}
