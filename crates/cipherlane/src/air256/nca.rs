//! 256-NCA4 to 256-NCA6: encryption, and the tag of associated data and ciphertext.

use core::fmt;
use core::marker::PhantomData;

use lanes::{InOut, Level};

use super::hash::{Hash, TAGS, check_lengths};
use super::{DEEP, Family, IV, KEY, nca_nonce};
use crate::air::{Bearer, Count, Direction};
use crate::ct;
use crate::error::{Error, check_length};
use crate::ghash::{self, BLOCK};
use crate::secret::{Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::aead::{Aead, check_tag_len};
use crate::traits::mode::Direction as Way;
use crate::traits::stream::StreamCipher;

/// In what pieces a message is ciphered and hashed: the second finds it in the second-level cache.
/// Shorter pieces would cut the chain of the keystream more often than they save.
const PIECE: usize = 128 << 10;

/// The AEAD of one family under one key; `F` names the family.
pub struct Nca<F: Family> {
    trace: Trace,
    key: Secret<[u8; 32]>,
    level: Level,
    /// The length of a tag.
    tag: usize,
    family: PhantomData<F>,
}

impl<F: Family> Clone for Nca<F> {
    fn clone(&self) -> Self {
        Self { trace: self.trace.clone(), key: self.key.clone(), ..*self }
    }
}

impl<F: Family> Nca<F> {
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
        F::admit(level)?;
        check_length("key", key.len(), KEY)?;
        let (trace, key_place) = (Trace::of(level, DEEP), Secret([0; 32]));
        let mut nca = Self { trace, key: key_place, level, tag: TAGS.max, family: PhantomData };
        nca.key.0.copy_from_slice(key);
        Ok(nca)
    }

    /// The nonce for the message of that COUNT, BEARER and DIRECTION and tags of this object's length,
    /// whose make-up is **assumed**, as that of [`Nea::assuming`](super::Nea::assuming) is: byte 0 is the
    /// tag's length in bits and 4.
    #[must_use]
    pub fn assumed_nonce(&self, count: Count, bearer: Bearer, direction: Direction) -> [u8; 16] {
        nca_nonce(count, bearer, direction, self.tag)
    }

    /// Keystream and hash of a message, all lengths checked.
    fn start(
        &self,
        nonce: &[u8],
        aad: &[u8],
        message: usize,
        tag: usize,
    ) -> Result<(F::Stream, Hash), Error> {
        check_length("nonce", nonce.len(), self.nonce_sizes())?;
        check_tag_len(tag, self.tag)?;
        check_lengths(aad.len(), message)?;
        let mut hash = Hash::unset(self.level);
        let stream = F::start(&self.key.0, nonce, self.level, hash.place())?;
        Ok((stream, hash))
    }
}

impl<F: Family> Aead for Nca<F> {
    fn nonce_sizes(&self) -> Sizes {
        IV
    }

    fn tag_sizes(&self) -> Sizes {
        TAGS
    }

    fn tag_len(&self) -> usize {
        self.tag
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, TAGS)?;
        self.tag = bytes;
        Ok(())
    }

    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        out: &mut [u8],
    ) -> Result<(), Error> {
        let (mut stream, mut hash) = self.start(nonce, aad, io.len(), out.len())?;
        match in_one_pass(&mut stream, &mut hash, Way::Encrypt, aad, io.reborrow()) {
            Ok(tag) => {
                out.copy_from_slice(&tag[..out.len()]);
                Ok(())
            }
            Err(error) => {
                io.output().fill(0);
                Err(error)
            }
        }
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, sent: &[u8]) -> Result<(), Error> {
        let (mut stream, mut hash) = self.start(nonce, aad, io.len(), sent.len())?;
        let tag = in_one_pass(&mut stream, &mut hash, Way::Decrypt, aad, io.reborrow());
        let done = tag.map(Secret).and_then(|tag| {
            let right = ct::equal(&tag.0[..sent.len()], sent);
            if right { Ok(()) } else { Err(Error::Authentication) }
        });
        if done.is_err() {
            io.output().fill(0);
        }
        done
    }

    fn try_open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        sent: &[u8],
    ) -> Result<(), Error> {
        self.verified(nonce, aad, data, sent)?.apply(data)
    }
}

impl<F: Family> Nca<F> {
    /// The keystream of a message, if its tag is right.
    fn verified(
        &self,
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        sent: &[u8],
    ) -> Result<F::Stream, Error> {
        let (stream, mut hash) = self.start(nonce, aad, ciphertext.len(), sent.len())?;
        let computed = Secret(hash.of([aad, ciphertext]));
        let right = ct::equal(&computed.0[..sent.len()], sent);
        if right { Ok(stream) } else { Err(Error::Authentication) }
    }
}

/// Ciphers and hashes a message piece by piece; its whole tag. After an error the output holds what
/// it must not.
fn in_one_pass(
    stream: &mut impl StreamCipher,
    hash: &mut Hash,
    way: Way,
    aad: &[u8],
    mut io: InOut<'_>,
) -> Result<[u8; BLOCK], Error> {
    let length = io.len();
    hash.key(aad.len().div_ceil(BLOCK) + length.div_ceil(BLOCK));
    let (mut state, mut before) = (ghash::Key::<false>::start(), aad);
    for offset in (0..length).step_by(PIECE) {
        let mut piece = io.part(offset, PIECE.min(length - offset));
        match way {
            Way::Encrypt => {
                stream.apply_inout(piece.reborrow())?;
                hash.absorb(&mut state, [before, piece.output()]);
            }
            Way::Decrypt => {
                hash.absorb(&mut state, [before, piece.input()]);
                stream.apply_inout(piece)?;
            }
        }
        before = &[];
    }
    if length == 0 {
        hash.absorb(&mut state, [aad, &[]]);
    }
    Ok(hash.tag(&ghash::Key::<false>::hash(&state), length as u64, aad.len() as u64))
}

impl<F: Family> fmt::Debug for Nca<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(F::NAMES[2]).field("level", &self.level).finish_non_exhaustive()
    }
}
