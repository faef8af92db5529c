//! Many data units of one length with consecutive numbers, e.g. the sectors of a disk.

use lanes::InOut;

use super::standard::{Standard, order};
use super::{BLOCK, XtsMode, check_unit};
use crate::error::Error;
use crate::secret::Secret;
use crate::traits::block::BlockCipher;
use crate::tweaks::RING;

/// Sectors whose first tweaks are encrypted together.
const STARTS: usize = 32;
/// The length from which a sector is worth a call of the cipher's own kernel.
const ALONE: usize = 128;

/// How many sectors there are, if they may be.
pub(crate) fn check_sectors(first: u128, size: usize, len: usize) -> Result<usize, Error> {
    check_unit(size)?;
    if !len.is_multiple_of(size) {
        return Err(Error::PartialBlock { got: len, block: size });
    }
    let count = len / size;
    if count > 0 && first.checked_add(count as u128 - 1).is_none() {
        return Err(Error::Limit { what: "bits of a sector's number", limit: 128 });
    }
    Ok(count)
}

impl<C: BlockCipher, S: Standard> XtsMode<C, S> {
    /// Encrypts whole sectors of `size` bytes, the first with the number `first`.
    /// A sector's tweak is its number as 16 bytes, little-endian (IEEE 1619-2018 §5.1).
    ///
    /// # Errors
    /// [`Error::Length`] or [`Error::Limit`] if `size` is no length of a data unit,
    /// [`Error::PartialBlock`] if the data is not whole sectors, [`Error::Limit`] if
    /// a number would not fit into 128 bits; nothing is written then.
    pub fn encrypt_sectors(&self, first: u128, size: usize, io: InOut<'_>) -> Result<(), Error> {
        self.sectors::<false>(first, size, io)
    }

    /// Decrypts whole sectors of `size` bytes, the first with the number `first`.
    ///
    /// # Errors
    /// As [`encrypt_sectors`](Self::encrypt_sectors).
    pub fn decrypt_sectors(&self, first: u128, size: usize, io: InOut<'_>) -> Result<(), Error> {
        self.sectors::<true>(first, size, io)
    }

    fn sectors<const DECRYPT: bool>(
        &self,
        first: u128,
        size: usize,
        mut io: InOut<'_>,
    ) -> Result<(), Error> {
        let count = check_sectors(first, size, io.len())?;
        let mut starts = Secret([[0; BLOCK]; STARTS]);
        let mut done = 0;
        while done < count {
            let n = STARTS.min(count - done);
            let starts = &mut starts.0[..n];
            for (i, start) in starts.iter_mut().enumerate() {
                *start = (first + (done + i) as u128).to_le_bytes();
            }
            self.tweak.encrypt_blocks(starts.as_flattened_mut().into(), None, None);
            let mut part = io.part(done * size, n * size);
            if !size.is_multiple_of(BLOCK) || size >= RING * BLOCK {
                self.long_sectors::<DECRYPT>(starts, size, part);
            } else if size < ALONE || !self.by_kernel::<DECRYPT>(starts, size, part.reborrow()) {
                self.short_sectors::<DECRYPT>(starts, size, part);
            }
            done += n;
        }
        Ok(())
    }

    /// Sectors each of which is enough for the cipher's widest form, or has a last
    /// block cut short.
    fn long_sectors<const DECRYPT: bool>(
        &self,
        starts: &mut [[u8; BLOCK]],
        size: usize,
        mut io: InOut<'_>,
    ) {
        for (i, start) in starts.iter_mut().enumerate() {
            self.unit::<DECRYPT>(start, io.part(i * size, size));
        }
    }

    /// Sectors of whole blocks by the cipher's own kernel, which needs no tweaks in memory; if it has none,
    /// nothing is done.
    fn by_kernel<const DECRYPT: bool>(
        &self,
        starts: &mut [[u8; BLOCK]],
        size: usize,
        mut io: InOut<'_>,
    ) -> bool {
        !S::REFLECTED
            && starts.iter_mut().enumerate().all(|(i, start)| {
                self.kernel::<DECRYPT>(start, false, &mut io.part(i * size, size))
            })
    }

    /// Sectors of whole blocks, of which several share a call of the cipher.
    fn short_sectors<const DECRYPT: bool>(
        &self,
        starts: &[[u8; BLOCK]],
        size: usize,
        mut io: InOut<'_>,
    ) {
        let mut tweaks = Secret([[0; BLOCK]; RING]);
        let blocks = size / BLOCK;
        let mut offset = 0;
        for starts in starts.chunks(RING / blocks) {
            let tweaks = &mut tweaks.0[..starts.len() * blocks];
            for (tweaks, start) in tweaks.chunks_exact_mut(blocks).zip(starts) {
                order::<S>().fill(tweaks, *start);
            }
            let part = io.part(offset, starts.len() * size);
            offset += part.len();
            self.blocks::<DECRYPT>(part, tweaks.as_flattened());
        }
    }
}
