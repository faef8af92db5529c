//! XTS: a data unit from several of its tweaks on, and many sectors.

use lanes::InOut;

use super::Threads;
use crate::error::Error;
use crate::modes::xts::{BLOCK, Standard, XtsMode, check_sectors, check_unit};
use crate::traits::block::BlockCipher;

impl Threads<'_> {
    /// Encrypts one data unit.
    ///
    /// # Errors
    /// As [`XtsMode::encrypt`].
    pub fn xts_encrypt<C: BlockCipher, S: Standard>(
        &self,
        xts: &XtsMode<C, S>,
        tweak: &[u8],
        io: InOut<'_>,
    ) -> Result<(), Error> {
        self.unit::<C, S, false>(xts, tweak, io)
    }

    /// Decrypts one data unit.
    ///
    /// # Errors
    /// As [`XtsMode::decrypt`].
    pub fn xts_decrypt<C: BlockCipher, S: Standard>(
        &self,
        xts: &XtsMode<C, S>,
        tweak: &[u8],
        io: InOut<'_>,
    ) -> Result<(), Error> {
        self.unit::<C, S, true>(xts, tweak, io)
    }

    fn unit<C: BlockCipher, S: Standard, const DECRYPT: bool>(
        &self,
        xts: &XtsMode<C, S>,
        tweak: &[u8],
        io: InOut<'_>,
    ) -> Result<(), Error> {
        check_unit(io.len())?;
        let first = xts.start(tweak)?;
        // Ciphertext stealing stays inside the last piece, which has a whole block.
        self.pieces(self.piece(io.len()), io, (), &|_, _| (), &|io, offset, ()| {
            let mut tweak = XtsMode::<C, S>::later(&first.0, offset / BLOCK);
            xts.unit::<DECRYPT>(&mut tweak.0, io);
        });
        Ok(())
    }

    /// Encrypts whole sectors of `size` bytes, the first with the number `first`.
    ///
    /// # Errors
    /// As [`XtsMode::encrypt_sectors`].
    pub fn xts_encrypt_sectors<C: BlockCipher, S: Standard>(
        &self,
        xts: &XtsMode<C, S>,
        first: u128,
        size: usize,
        io: InOut<'_>,
    ) -> Result<(), Error> {
        self.sectors::<C, S, false>(xts, first, size, io)
    }

    /// Decrypts whole sectors of `size` bytes, the first with the number `first`.
    ///
    /// # Errors
    /// As [`XtsMode::decrypt_sectors`].
    pub fn xts_decrypt_sectors<C: BlockCipher, S: Standard>(
        &self,
        xts: &XtsMode<C, S>,
        first: u128,
        size: usize,
        io: InOut<'_>,
    ) -> Result<(), Error> {
        self.sectors::<C, S, true>(xts, first, size, io)
    }

    fn sectors<C: BlockCipher, S: Standard, const DECRYPT: bool>(
        &self,
        xts: &XtsMode<C, S>,
        first: u128,
        size: usize,
        io: InOut<'_>,
    ) -> Result<(), Error> {
        check_sectors(first, size, io.len())?;
        let piece = self.piece(io.len()).next_multiple_of(size);
        self.pieces(piece, io, (), &|_, _| (), &|io, offset, ()| {
            let first = first + (offset / size) as u128;
            let done = if DECRYPT {
                xts.decrypt_sectors(first, size, io)
            } else {
                xts.encrypt_sectors(first, size, io)
            };
            done.expect("checked for all pieces");
        });
        Ok(())
    }
}
