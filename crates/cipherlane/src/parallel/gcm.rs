//! GCM of one large message on several threads: counters and hashes of its pieces apart,
//! the hashes joined by powers of the hash key.

use lanes::InOut;

use super::Threads;
use crate::aead::gcm::{Gcm, check_limits, whole_pieces};
use crate::ct;
use crate::error::Error;
use crate::ghash::{BLOCK, Key, State};
use crate::mac::gcm_parts::{first_counter, lengths};
use crate::modes::ctr::{Low32, advance};
use crate::secret::Secret;
use crate::traits::aead::check_tag_len;
use crate::traits::block::BlockCipher;
use crate::traits::mode::Direction;

impl Threads<'_> {
    /// Encrypts a message under a nonce and writes its tag.
    ///
    /// # Errors
    /// As [`Aead::seal`](crate::traits::aead::Aead::seal) of [`Gcm`].
    pub fn gcm_seal<C: BlockCipher>(
        &self,
        gcm: &Gcm<C>,
        nonce: &[u8],
        aad: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let whole = gcm.on(self, Direction::Encrypt, nonce, aad, io, tag.len())?;
        tag.copy_from_slice(&whole.0[..tag.len()]);
        Ok(())
    }

    /// Decrypts a message if its tag is right.
    ///
    /// # Errors
    /// As [`Aead::open`](crate::traits::aead::Aead::open) of [`Gcm`].
    pub fn gcm_open<C: BlockCipher>(
        &self,
        gcm: &Gcm<C>,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let output = io.reborrow();
        let whole = gcm.on(self, Direction::Decrypt, nonce, aad, output, tag.len())?;
        if ct::equal(&whole.0[..tag.len()], tag) {
            return Ok(());
        }
        io.output().fill(0);
        Err(Error::Authentication)
    }
}

impl<C: BlockCipher> Gcm<C> {
    /// One message; returns its whole tag.
    fn on(
        &self,
        threads: &Threads<'_>,
        direction: Direction,
        nonce: &[u8],
        aad: &[u8],
        io: InOut<'_>,
        tag: usize,
    ) -> Result<State, Error> {
        check_tag_len(tag, self.tag)?;
        check_limits(aad.len() as u64, io.len() as u64)?;
        let first = first_counter(&self.hash, "nonce", nonce)?;
        let lengths = lengths(aad.len() as u64, io.len() as u64);
        let mut state = Key::<true>::start();
        self.hash.absorb(&mut state, &[aad]);
        let join = |mut before: State, behind: State, bytes: usize| {
            self.hash.leap(&mut before, bytes.div_ceil(BLOCK) as u64);
            before.0.iter_mut().zip(&behind.0).for_each(|(byte, behind)| *byte ^= behind);
            before
        };
        let piece = |io: InOut<'_>, offset: usize| {
            let mut counter = first;
            advance::<Low32>(&mut counter, 1 + (offset / BLOCK) as u128);
            let mut state = Key::<true>::start();
            let (cipher, hash) = (&self.cipher, &self.hash);
            whole_pieces(cipher, hash, direction, &mut counter, &mut state, io, &[]);
            state
        };
        let len = io.len();
        let mut state = join(state, threads.joined(io, &piece, &join), len);
        self.hash.absorb(&mut state, &[&lengths]);
        let hash = Secret(Key::<true>::hash(&state));
        let mut tag = Secret(first);
        self.cipher.encrypt_blocks(tag.0.as_mut_slice().into(), None, Some(&hash.0));
        Ok(tag)
    }
}
