//! SNOW-V-GCM, the AEAD of SNOW-V (2018/1143 §4), and the same of SNOW-Vi.
//!
//! The initialisation begins with the names of the authors in the lower half of B. The keystream's
//! first block is the key of GHASH, the second masks the hash of associated data and ciphertext,
//! taken as in GCM; what follows encrypts. Nonces of 16 bytes, which must never repeat under one key;
//! tags of 16 bytes. Of SNOW-Vi no published value was found: it follows SNOW-V's rule.
//! Constant-time at every level.
//!
//! ```
//! use cipherlane::Aead;
//! use cipherlane::snow_v::SnowVGcm;
//!
//! let gcm = SnowVGcm::new(&[0; 32])?;
//! let mut tag = [0; 16];
//! gcm.seal(&[0; 16], &[], (&mut [][..]).into(), &mut tag)?;
//! assert_eq!(tag[..4], [0x02, 0x9a, 0x62, 0x4c]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;
use core::marker::PhantomData;

use lanes::{InOut, Level};

use super::{IV, KEY, OfSnowV, OfSnowVi, Seals, Snow};
use crate::air256::DEEP;
use crate::air256::hash::check_lengths;
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::ghash::{BLOCK, Key};
use crate::secret::{Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::aead::{Aead, check_tag_len};
use crate::traits::stream::StreamCipher;

/// What stands in b₀ before the initialisation.
const NAMES: [u8; 16] = *b"AlexEkd JingThom";

/// The length of a tag in bytes.
pub(super) const TAG: Sizes = Sizes::exactly(BLOCK);

/// SNOW-V-GCM.
pub type SnowVGcm = SnowGcm<OfSnowV>;

/// The same of SNOW-Vi.
pub type SnowViGcm = SnowGcm<OfSnowVi>;

/// The AEAD of a member of the family under one key.
pub struct SnowGcm<M: Seals> {
    trace: Trace,
    key: Secret<[u8; 32]>,
    level: Level,
    member: PhantomData<M>,
}

/// The hash key and the mask of a tag.
type Blocks = Secret<[[u8; BLOCK]; 2]>;

impl<M: Seals> Clone for SnowGcm<M> {
    fn clone(&self) -> Self {
        Self { trace: self.trace.clone(), key: self.key.clone(), ..*self }
    }
}

impl<M: Seals> SnowGcm<M> {
    /// Under a key of 32 bytes, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key has another length, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 32 bytes.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        admit(level, &super::ANSWER)?;
        check_length("key", key.len(), KEY)?;
        let (trace, place) = (Trace::of(level, DEEP), Secret([0; 32]));
        let mut gcm = Self { trace, key: place, level, member: PhantomData };
        gcm.key.0.copy_from_slice(key);
        Ok(gcm)
    }

    /// The keystream of a message, its hash key and mask; all lengths checked.
    fn start(
        &self,
        nonce: &[u8],
        [aad, message, tag]: [usize; 3],
    ) -> Result<(Snow<M>, Blocks), Error> {
        check_length("nonce", nonce.len(), IV)?;
        check_tag_len(tag, BLOCK)?;
        check_lengths(aad, message)?;
        let mut stream = Snow::<M>::start(&self.key.0, nonce, self.level, &NAMES, None)?;
        stream.trace.leave();
        let mut blocks = Secret([[0; BLOCK]; 2]);
        stream.keystream(blocks.0.as_flattened_mut())?;
        Ok((stream, blocks))
    }

    /// The tag of associated data and ciphertext.
    fn tag(&self, [h, mask]: &[[u8; BLOCK]; 2], aad: &[u8], ciphertext: &[u8]) -> [u8; BLOCK] {
        let mut key = Key::<true>::unset(self.level);
        let blocks = aad.len().div_ceil(BLOCK) + ciphertext.len().div_ceil(BLOCK) + 1;
        key.set_for(h, blocks);
        let mut state = Key::<true>::start();
        let mut lengths = [0; BLOCK];
        lengths[..8].copy_from_slice(&(8 * aad.len() as u64).to_be_bytes());
        lengths[8..].copy_from_slice(&(8 * ciphertext.len() as u64).to_be_bytes());
        key.absorb(&mut state, &[aad, ciphertext, &lengths]);
        let mut tag = Key::<true>::hash(&state);
        for (byte, mask) in tag.iter_mut().zip(mask) {
            *byte ^= mask;
        }
        tag
    }

    /// The keystream of a message, if its tag is right.
    fn verified(
        &self,
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        sent: &[u8],
    ) -> Result<Snow<M>, Error> {
        let lengths = [aad.len(), ciphertext.len(), sent.len()];
        let (stream, blocks) = self.start(nonce, lengths)?;
        let computed = Secret(self.tag(&blocks.0, aad, ciphertext));
        if ct::equal(&computed.0, sent) { Ok(stream) } else { Err(Error::Authentication) }
    }
}

impl<M: Seals> Aead for SnowGcm<M> {
    fn nonce_sizes(&self) -> Sizes {
        IV
    }

    fn tag_sizes(&self) -> Sizes {
        TAG
    }

    fn tag_len(&self) -> usize {
        BLOCK
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, TAG)
    }

    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let (mut stream, blocks) = self.start(nonce, [aad.len(), io.len(), tag.len()])?;
        stream.apply_inout(io.reborrow())?;
        tag.copy_from_slice(&self.tag(&blocks.0, aad, io.output()));
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        match self.verified(nonce, aad, io.input(), tag) {
            Ok(mut stream) => stream.apply_inout(io),
            Err(Error::Authentication) => {
                io.output().fill(0);
                Err(Error::Authentication)
            }
            Err(error) => Err(error),
        }
    }

    fn try_open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.verified(nonce, aad, data, tag)?.apply(data)
    }
}

impl<M: Seals> fmt::Debug for SnowGcm<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("SnowGcm");
        f.field("of", &M::NAME).field("level", &self.level).finish_non_exhaustive()
    }
}
