//! One data unit: whole blocks in pieces, ciphertext stealing, and streaming.

use core::fmt;

use lanes::InOut;

use super::standard::{Standard, order};
use super::{BLOCK, MAX_BLOCKS, XtsMode};
use crate::error::Error;
use crate::modes::check_whole;
use crate::secret::Secret;
use crate::traits::block::{BlockCipher, WholeMode};
use crate::traits::mode::{BlockMode, Direction};
use crate::tweaks::{self, RING, STRIDE};

impl<C: BlockCipher, S: Standard> XtsMode<C, S> {
    /// A whole data unit from its first tweak on.
    pub(crate) fn unit<const DECRYPT: bool>(&self, tweak: &mut [u8; BLOCK], io: InOut<'_>) {
        let cut = io.len() % BLOCK;
        let whole = io.len() - cut;
        if cut == 0 {
            return self.whole::<DECRYPT>(tweak, false, io);
        }
        let mut io = io;
        self.whole::<DECRYPT>(tweak, true, io.part(0, whole));
        self.steal::<DECRYPT>(tweak, io.part(whole - BLOCK, BLOCK + cut));
    }

    /// The tweak so many blocks behind one.
    #[cfg(feature = "parallel")]
    pub(crate) fn later(tweak: &[u8; BLOCK], blocks: usize) -> Secret<[u8; BLOCK]> {
        Secret(order::<S>().leap(*tweak, blocks as u128))
    }

    /// Whole blocks from `tweak` on, which is moved on. Before ciphertext stealing,
    /// `tweak` becomes that of the short block.
    fn whole<const DECRYPT: bool>(
        &self,
        tweak: &mut [u8; BLOCK],
        stealing: bool,
        mut io: InOut<'_>,
    ) {
        if !S::REFLECTED && self.kernel::<DECRYPT>(tweak, stealing, &mut io) {
            return;
        }
        self.data.went_deep();
        if io.len() > STRIDE * BLOCK {
            return self.pieces::<DECRYPT>(tweak, stealing, io);
        }
        // A short unit does not pay for clearing a long ring.
        let mut tweaks = Secret([[0; BLOCK]; STRIDE]);
        let tweaks = &mut tweaks.0[..io.len() / BLOCK];
        *tweak = order::<S>().fill(tweaks, *tweak);
        if DECRYPT && stealing {
            swap_last(tweaks, tweak);
        }
        self.blocks::<DECRYPT>(io, tweaks.as_flattened());
    }

    /// The same by the cipher's own kernel, if it has one.
    pub(super) fn kernel<const DECRYPT: bool>(
        &self,
        tweak: &mut [u8; BLOCK],
        stealing: bool,
        io: &mut InOut<'_>,
    ) -> bool {
        if !DECRYPT {
            return self.data.whole(WholeMode::XtsEncrypt, io, tweak);
        }
        if !stealing {
            return self.data.whole(WholeMode::XtsDecrypt, io, tweak);
        }
        let before = io.len() - BLOCK;
        if !self.data.whole(WholeMode::XtsDecrypt, &mut io.part(0, before), tweak) {
            return false;
        }
        let mut second = Secret(order::<S>().times_alpha(*tweak));
        self.data.whole(WholeMode::XtsDecrypt, &mut io.part(before, BLOCK), &mut second.0)
    }

    /// The same in pieces of a ring of tweaks.
    fn pieces<const DECRYPT: bool>(
        &self,
        tweak: &mut [u8; BLOCK],
        stealing: bool,
        mut io: InOut<'_>,
    ) {
        let mut ring = Secret([[0; BLOCK]; RING]);
        order::<S>().fill(&mut ring.0[..STRIDE], *tweak);
        let mut made = STRIDE;
        let mut offset = 0;
        while offset < io.len() {
            let n = (RING * BLOCK).min(io.len() - offset);
            let is_last = offset + n == io.len();
            let part = io.part(offset, n);
            offset += n;
            tweaks::extend(self.data.level(), order::<S>(), &mut ring.0, made, n / BLOCK);
            made = 0;
            let tweaks = &mut ring.0[..n / BLOCK];
            if let (true, Some(last)) = (is_last, tweaks.last()) {
                *tweak = order::<S>().times_alpha(*last);
                if DECRYPT && stealing {
                    swap_last(tweaks, tweak);
                }
            }
            self.blocks::<DECRYPT>(part, tweaks.as_flattened());
        }
    }

    /// Ciphertext stealing (IEEE 1619-2018 §5.3.2): of the last whole block, done
    /// already, the head becomes the short block's output and the rest fills up its input.
    fn steal<const DECRYPT: bool>(&self, tweak: &[u8; BLOCK], mut io: InOut<'_>) {
        let cut = io.len() - BLOCK;
        let mut last = Secret([0; BLOCK]);
        last.0[..cut].copy_from_slice(&io.input()[BLOCK..]);
        let (whole, short) = io.output().split_at_mut(BLOCK);
        last.0[cut..].copy_from_slice(&whole[cut..]);
        short.copy_from_slice(&whole[..cut]);
        self.blocks::<DECRYPT>(last.0.as_mut_slice().into(), tweak);
        whole.copy_from_slice(&last.0);
    }

    /// Starts encrypting one data unit of whole blocks in pieces.
    ///
    /// # Errors
    /// [`Error::Length`] if the tweak is not 16 bytes.
    pub fn encryptor(&self, tweak: &[u8]) -> Result<Encryptor<'_, C, S>, Error> {
        Stream::new(self, tweak).map(Encryptor)
    }

    /// Starts decrypting one data unit of whole blocks in pieces.
    ///
    /// # Errors
    /// [`Error::Length`] if the tweak is not 16 bytes.
    pub fn decryptor(&self, tweak: &[u8]) -> Result<Decryptor<'_, C, S>, Error> {
        Stream::new(self, tweak).map(Decryptor)
    }
}

/// With stealing, decryption takes the last two tweaks in the other order (IEEE
/// 1619-2018 §5.4.2).
fn swap_last(tweaks: &mut [[u8; BLOCK]], next: &mut [u8; BLOCK]) {
    if let Some(last) = tweaks.last_mut() {
        core::mem::swap(last, next);
    }
}

/// Encrypts one data unit of whole blocks in pieces.
pub struct Encryptor<'x, C, S>(Stream<'x, C, S>);

/// Decrypts one data unit of whole blocks in pieces.
pub struct Decryptor<'x, C, S>(Stream<'x, C, S>);

impl<C, S> fmt::Debug for Encryptor<'_, C, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encryptor").field("done", &self.0.done).finish_non_exhaustive()
    }
}

impl<C, S> fmt::Debug for Decryptor<'_, C, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decryptor").field("done", &self.0.done).finish_non_exhaustive()
    }
}

struct Stream<'x, C, S> {
    xts: &'x XtsMode<C, S>,
    /// The first block's tweak.
    first: Secret<[u8; BLOCK]>,
    /// The next block's tweak.
    tweak: Secret<[u8; BLOCK]>,
    /// The blocks so far.
    done: usize,
}

impl<'x, C: BlockCipher, S: Standard> Stream<'x, C, S> {
    fn new(xts: &'x XtsMode<C, S>, tweak: &[u8]) -> Result<Self, Error> {
        let first = xts.start(tweak)?;
        Ok(Self { xts, tweak: first.clone(), first, done: 0 })
    }

    fn blocks<const DECRYPT: bool>(&mut self, io: InOut<'_>) -> Result<(), Error> {
        check_whole(io.len(), BLOCK)?;
        let blocks = io.len() / BLOCK;
        if blocks > MAX_BLOCKS - self.done {
            return Err(super::TOO_LONG);
        }
        self.xts.whole::<DECRYPT>(&mut self.tweak.0, false, io);
        self.done += blocks;
        Ok(())
    }

    fn reset(&mut self, tweak: &[u8]) -> Result<(), Error> {
        self.first = self.xts.start(tweak)?;
        self.tweak = self.first.clone();
        self.done = 0;
        Ok(())
    }

    fn seek(&mut self, block: usize) -> Result<(), Error> {
        if block > MAX_BLOCKS {
            return Err(super::TOO_LONG);
        }
        self.tweak.0 = order::<S>().leap(self.first.0, block as u128);
        self.done = block;
        Ok(())
    }
}

/// What both directions offer besides [`BlockMode`].
macro_rules! seeking {
    ($Direction:ident) => {
        impl<C: BlockCipher, S: Standard> $Direction<'_, C, S> {
            /// The block of the data unit that comes next, counted from 0.
            #[must_use]
            pub const fn position(&self) -> usize {
                self.0.done
            }

            /// Goes to a block of the data unit, forth or back.
            ///
            /// # Errors
            /// [`Error::Limit`] if the block is past 2²⁰; the object is unchanged.
            pub fn seek(&mut self, block: usize) -> Result<(), Error> {
                self.0.seek(block)
            }

            /// Goes to the start of the data unit of a sector, whose number is the tweak,
            /// little-endian (IEEE 1619-2018 §5.1).
            pub fn seek_sector(&mut self, number: u128) {
                self.0.reset(&number.to_le_bytes()).expect("a tweak of 16 bytes");
            }
        }
    };
}
seeking!(Encryptor);
seeking!(Decryptor);

impl<C: BlockCipher, S: Standard> BlockMode for Encryptor<'_, C, S> {
    fn block_size(&self) -> usize {
        BLOCK
    }
    fn direction(&self) -> Direction {
        Direction::Encrypt
    }
    fn blocks(&mut self, io: InOut<'_>) -> Result<(), Error> {
        self.0.blocks::<false>(io)
    }
    fn reset(&mut self, tweak: &[u8]) -> Result<(), Error> {
        self.0.reset(tweak)
    }
}

impl<C: BlockCipher, S: Standard> BlockMode for Decryptor<'_, C, S> {
    fn block_size(&self) -> usize {
        BLOCK
    }
    fn direction(&self) -> Direction {
        Direction::Decrypt
    }
    fn blocks(&mut self, io: InOut<'_>) -> Result<(), Error> {
        self.0.blocks::<true>(io)
    }
    fn reset(&mut self, tweak: &[u8]) -> Result<(), Error> {
        self.0.reset(tweak)
    }
}
