//! Any split of the data, and padding, over a mode that takes whole blocks.

use core::fmt;

use lanes::InOut;

use super::Padding;
use crate::error::Error;
use crate::secret::Secret;
use crate::traits::block::MAX_BLOCK;
use crate::traits::mode::BlockMode;
use crate::traits::mode::Direction;

/// Takes data in pieces of any length and gives whole blocks to a mode.
///
/// Decryption with padding keeps the last block back until
/// [`finish`](Self::finish), which checks the padding in constant time.
///
/// ```
/// use cipherlane::Sm4;
/// use cipherlane::modes::{Buffered, Padding, cbc};
///
/// let sm4 = Sm4::new(&[7; 16])?;
/// let mut mode = Buffered::new(cbc::Encryptor::new(&sm4, &[1; 16])?, Padding::Pkcs7);
/// let mut sealed = [0; 32];
/// let n = mode.update(b"twenty bytes of text", &mut sealed)?;
/// let n = n + mode.finish(&mut sealed[n..])?;
/// assert_eq!(n, 32);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Buffered<M> {
    mode: M,
    padding: Padding,
    /// Data that waits for the rest of its block, or for the end.
    held: Secret<[u8; MAX_BLOCK]>,
    len: usize,
    finished: bool,
}

impl<M> fmt::Debug for Buffered<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffered")
            .field("padding", &self.padding)
            .field("held", &self.len)
            .finish_non_exhaustive()
    }
}

const FINISHED: Error = Error::State("the message is finished; a reset starts another one");

impl<M: BlockMode> Buffered<M> {
    /// Over this mode.
    pub const fn new(mode: M, padding: Padding) -> Self {
        Self { mode, padding, held: Secret([0; MAX_BLOCK]), len: 0, finished: false }
    }

    /// Whether a full block must be held back until the end is known.
    fn keeps_last(&self) -> bool {
        self.padding != Padding::None && self.mode.direction() == Direction::Decrypt
    }

    /// How many bytes [`update`](Self::update) writes for `input` more bytes.
    pub fn update_len(&self, input: usize) -> usize {
        let block = self.mode.block_size();
        let total = self.len + input;
        let held =
            if self.keeps_last() && total > 0 { (total - 1) % block + 1 } else { total % block };
        total - held
    }

    /// Takes more data and writes what blocks are ready to the head of `output`;
    /// returns their length.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `output` is shorter than
    /// [`update_len`](Self::update_len), [`Error::State`] after the end; nothing has been
    /// taken or written then.
    pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        if self.finished {
            return Err(FINISHED);
        }
        let block = self.mode.block_size();
        let ready = self.update_len(input.len());
        let got = output.len();
        let output = output.get_mut(..ready).ok_or(Error::OutputLength { got, needed: ready })?;
        if ready == 0 {
            self.held.0[self.len..self.len + input.len()].copy_from_slice(input);
            self.len += input.len();
            return Ok(0);
        }
        let (mut taken, mut written) = (0, 0);
        if self.len > 0 {
            taken = block - self.len;
            output[..self.len].copy_from_slice(&self.held.0[..self.len]);
            output[self.len..block].copy_from_slice(&input[..taken]);
            self.mode.blocks((&mut output[..block]).into())?;
            written = block;
        }
        let (body, rest) = input[taken..].split_at(ready - written);
        let io = InOut::disjoint(body, &mut output[written..]).expect("equal lengths");
        self.mode.blocks(io)?;
        self.held.0[..rest.len()].copy_from_slice(rest);
        self.len = rest.len();
        Ok(ready)
    }

    /// Takes more data and overwrites its head with what blocks are ready; returns their
    /// length.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `data` is shorter than [`update_len`](Self::update_len),
    /// which it can be by less than a block, [`Error::State`] after the end; nothing has been
    /// taken or written then.
    pub fn update_in_place(&mut self, data: &mut [u8]) -> Result<usize, Error> {
        if self.finished {
            return Err(FINISHED);
        }
        let (got, needed) = (data.len(), self.update_len(data.len()));
        if got < needed {
            return Err(Error::OutputLength { got, needed });
        }
        if needed == 0 {
            self.held.0[self.len..self.len + got].copy_from_slice(data);
            self.len += got;
            return Ok(0);
        }
        // What was held comes first, so the data moves up by as much and its end is held.
        let kept = needed - self.len;
        let mut held = Secret([0; MAX_BLOCK]);
        held.0[..got - kept].copy_from_slice(&data[kept..]);
        data.copy_within(..kept, self.len);
        data[..self.len].copy_from_slice(&self.held.0[..self.len]);
        self.mode.blocks((&mut data[..needed]).into())?;
        (self.held, self.len) = (held, got - kept);
        Ok(needed)
    }

    /// Ends the message: pads, or checks and takes off the padding, and writes the
    /// last block to the head of `output`; returns how many bytes count.
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if the data was not whole blocks and had to be,
    /// [`Error::Padding`] if the padding is not valid (nothing of the block is written),
    /// [`Error::OutputLength`] if there is padding and `output` is shorter than one block,
    /// [`Error::State`] after the end.
    pub fn finish(&mut self, output: &mut [u8]) -> Result<usize, Error> {
        if self.finished {
            return Err(FINISHED);
        }
        let block = self.mode.block_size();
        let got = output.len();
        let encrypting = self.mode.direction() == Direction::Encrypt;
        // Without padding nothing may be left; to take padding off, one block must be.
        let expected = if self.padding == Padding::None { 0 } else { block };
        if self.len != expected && !(encrypting && self.padding != Padding::None) {
            return Err(Error::PartialBlock { got: self.len, block });
        }
        if got < expected {
            return Err(Error::OutputLength { got, needed: expected });
        }
        self.finished = true;
        if self.padding == Padding::None {
            return Ok(0);
        }
        let held = &mut self.held.0[..block];
        if encrypting {
            self.padding.pad(held, self.len);
            self.mode.blocks((&mut *held).into())?;
            output[..block].copy_from_slice(held);
            return Ok(block);
        }
        self.mode.blocks((&mut *held).into())?;
        let n = self.padding.unpad(held).ok_or(Error::Padding)?;
        output[..n].copy_from_slice(&held[..n]);
        Ok(n)
    }

    /// Starts another message with another IV under the same key.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV's length is not allowed; the object is unchanged.
    pub fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.mode.reset(iv)?;
        self.len = 0;
        self.finished = false;
        Ok(())
    }
}
