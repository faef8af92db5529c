//! Streams that stay where they are while keys change, for interfaces whose objects do so, as
//! OpenSSL's. Of the powers of the hash key there are first only those that cost nothing:
//! [`make_ready`](GcmStream::make_ready) is told before a message what is to come.

use alloc::boxed::Box;

use super::super::Gcm;
use super::{GcmStream, Phase};
use crate::error::{Error, check_length};
use crate::ghash::{BLOCK, FEW, Key};
use crate::mac::gcm_parts::set_hash_key_for;
use crate::sizes::Sizes;
use crate::traits::block::BlockCipher;

impl<C: BlockCipher> GcmStream<C> {
    /// Under this cipher, before a message: [`restart`](Self::restart) begins one.
    ///
    /// # Errors
    /// As [`Gcm::new`].
    #[doc(hidden)]
    pub fn boxed(cipher: C) -> Result<Box<Self>, Error> {
        check_length("block", cipher.block_size(), Sizes::exactly(BLOCK))?;
        // The place first: made before it, what is moved in would be made twice.
        let place = Box::new_uninit();
        let hash = Key::unset(cipher.level());
        let gcm = Gcm { cipher, hash, tag: BLOCK };
        let mut stream = Box::write(place, Self::waiting(gcm));
        let Gcm { cipher, hash, .. } = &mut stream.gcm;
        set_hash_key_for(cipher, hash, FEW);
        Ok(stream)
    }

    /// Takes another key in the same place, where the cipher has a way to
    /// ([`BlockCipher::rekey`]); otherwise does nothing and returns `false`. A message that has
    /// begun is at its end, as after its tag.
    #[doc(hidden)]
    pub fn rekey(&mut self, key: &[u8]) -> bool {
        let Gcm { cipher, hash, .. } = &mut self.gcm;
        let takes = cipher.rekey(key);
        if takes {
            self.phase = Phase::Ended;
            set_hash_key_for(cipher, hash, FEW);
        }
        takes
    }

    /// Makes the hash key ready for a piece of so many bytes. Without it the result is the same,
    /// and long pieces are slow.
    #[doc(hidden)]
    #[inline(always)]
    pub fn make_ready(&mut self, bytes: usize) {
        // A block that was begun, and the one of the lengths.
        self.gcm.hash.make_ready((bytes / BLOCK).saturating_add(2));
    }

    /// What the messages are under.
    #[doc(hidden)]
    pub const fn gcm(&self) -> &Gcm<C> {
        &self.gcm
    }
}
