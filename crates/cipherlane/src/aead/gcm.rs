//! GCM, Galois/counter mode (NIST SP 800-38D; SM4: RFC 8998, GB/T 36624-2018 §9)
//! of a cipher with blocks of 16 bytes.
//!
//! Nonces of any length from one byte; 12 bytes are fastest and what the standard
//! recommends. Tags of 16 bytes, or by [`with_tag_len`](Aead::with_tag_len) of 4, 8 and 12
//! to 15 (§5.2.1.2); the two shortest only where appendix C allows them. At most 2^32 - 2 blocks a message (§5.2.1.1). A
//! nonce that repeats under one key gives the key of the hash away. As
//! constant-time as the cipher.
//!
//! Counter mode and hash take turns over pieces that stay in the L1 cache; the
//! block that masks the tag is encrypted together with the first piece.
//!
//! ```
//! use cipherlane::aead::gcm::Gcm;
//! use cipherlane::{Aead, Sm4};
//!
//! let gcm = Gcm::new(Sm4::new(&[7; 16])?)?;
//! let (nonce, aad) = ([1; 12], b"header");
//! let mut data = *b"any number of bytes";
//! let mut tag = [0; 16];
//! gcm.seal(&nonce, aad, (&mut data[..]).into(), &mut tag)?;
//! gcm.open(&nonce, aad, (&mut data[..]).into(), &tag)?;
//! assert_eq!(&data, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, wipe};

use crate::ct;
use crate::error::{Error, check_length};
use crate::ghash::{BLOCK, Key, State};
use crate::mac::gcm_parts::{AAD, NONCES, TAGS, first_count, lengths, set_hash_key};
use crate::modes::ctr::xor32 as ctr32;
use crate::sizes::Sizes;
use crate::traits::aead::{Aead, check_tag_len};
use crate::traits::block::BlockCipher;
use crate::traits::mode::Direction;

mod stream;

#[doc(hidden)]
pub use crate::traits::whole::GcmMessage;
pub use stream::GcmStream;

/// The longest message in bytes: 2^32 - 2 blocks.
const MESSAGE: u64 = ((1 << 32) - 2) * BLOCK as u64;
/// Bytes of counter mode that take turns with as many of the hash.
const PIECE: usize = 4096;
/// Buffers of the first piece; a shorter one costs less to clear. The longest is
/// as many blocks as any cipher here works on at once.
const FIRST: [usize; 3] = [128, 640, 2048];

/// GCM under one key.
#[derive(Clone)]
pub struct Gcm<C> {
    pub(crate) cipher: C,
    pub(crate) hash: Key<true>,
    /// The length of a tag.
    pub(crate) tag: usize,
}

impl<C> fmt::Debug for Gcm<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gcm").finish_non_exhaustive()
    }
}

impl<C: BlockCipher> Gcm<C> {
    /// Under this cipher; encrypts one block, the key of the hash.
    ///
    /// # Errors
    /// [`Error::Length`] if the cipher's blocks are not 16 bytes.
    pub fn new(cipher: C) -> Result<Self, Error> {
        check_length("block", cipher.block_size(), Sizes::exactly(BLOCK))?;
        let hash = Key::unset(cipher.level());
        // In the place that is returned: moved, it would leave a copy behind.
        let mut made = Ok(Self { cipher, hash, tag: BLOCK });
        if let Ok(gcm) = &mut made {
            set_hash_key(&gcm.cipher, &mut gcm.hash);
        }
        made
    }

    /// The same where it stays.
    #[cfg(feature = "alloc")]
    fn boxed(cipher: C) -> Result<alloc::boxed::Box<Self>, Error> {
        check_length("block", cipher.block_size(), Sizes::exactly(BLOCK))?;
        // The place first: made before it, what is moved in would be made twice.
        let place = alloc::boxed::Box::new_uninit();
        let hash = Key::unset(cipher.level());
        let mut gcm = alloc::boxed::Box::write(place, Self { cipher, hash, tag: BLOCK });
        set_hash_key(&gcm.cipher, &mut gcm.hash);
        Ok(gcm)
    }

    /// The cipher.
    pub const fn cipher(&self) -> &C {
        &self.cipher
    }

    /// Goes on under another cipher, in the same place: a key of the hash is some 1000 bytes,
    /// which a new object would have to move.
    ///
    /// ```
    /// use cipherlane::aead::gcm::Gcm;
    /// use cipherlane::{Aead, Sm4};
    ///
    /// let (mut data, mut tags) = (*b"a message", [[0; 16]; 2]);
    /// let mut gcm = Gcm::new(Sm4::new(&[1; 16])?)?;
    /// gcm.rekey(Sm4::new(&[2; 16])?)?;
    /// gcm.seal(&[3; 12], &[], (&mut data[..]).into(), &mut tags[0])?;
    /// let mut data = *b"a message";
    /// let fresh = Gcm::new(Sm4::new(&[2; 16])?)?;
    /// fresh.seal(&[3; 12], &[], (&mut data[..]).into(), &mut tags[1])?;
    /// assert_eq!(tags[0], tags[1]);
    /// # Ok::<(), cipherlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new); then the old cipher stays.
    pub fn rekey(&mut self, cipher: C) -> Result<(), Error> {
        check_length("block", cipher.block_size(), Sizes::exactly(BLOCK))?;
        self.hash.at(cipher.level());
        self.cipher = cipher;
        set_hash_key(&self.cipher, &mut self.hash);
        Ok(())
    }
}

/// Returns [`Error::Limit`] if the lengths in bytes are more than the mode allows.
pub(crate) const fn check_limits(aad: u64, message: u64) -> Result<(), Error> {
    if aad > AAD {
        return Err(Error::Limit { what: "bytes of associated data", limit: AAD });
    }
    if message > MESSAGE {
        return Err(Error::Limit { what: "bytes of one GCM message", limit: MESSAGE });
    }
    Ok(())
}

/// One message: encrypts or decrypts it and returns its whole tag.
fn process(
    cipher: &dyn BlockCipher,
    hash: &Key<true>,
    direction: Direction,
    counter: [u8; BLOCK],
    aad: &[u8],
    io: InOut<'_>,
) -> [u8; BLOCK] {
    match io.len() + BLOCK {
        n if n <= FIRST[0] => in_pieces::<{ FIRST[0] }>(cipher, hash, direction, counter, aad, io),
        n if n <= FIRST[1] => in_pieces::<{ FIRST[1] }>(cipher, hash, direction, counter, aad, io),
        _ => in_pieces::<{ FIRST[2] }>(cipher, hash, direction, counter, aad, io),
    }
}

/// The first piece goes through a buffer of `N` bytes, behind a block of zeros
/// that becomes the tag's mask `E(J0)`: both then cost one call, and where the
/// cipher works on many blocks at once, the mask costs nothing.
#[inline(always)]
fn in_pieces<const N: usize>(
    cipher: &dyn BlockCipher,
    hash: &Key<true>,
    direction: Direction,
    mut counter: [u8; BLOCK],
    aad: &[u8],
    io: InOut<'_>,
) -> [u8; BLOCK] {
    let lengths = lengths(aad.len() as u64, io.len() as u64);
    let mut state = Key::<true>::start();
    let mut buffer = [0; N];
    let first = io.len().min(N - BLOCK);
    let (mut head, rest) = io.split_at(first);
    let (end, piece) = (BLOCK + first, BLOCK..BLOCK + first);
    buffer[piece.clone()].copy_from_slice(head.input());
    ctr32(cipher, (&mut buffer[..end]).into(), &mut counter);
    let last: &[u8] = if rest.is_empty() { &lengths } else { &[] };
    match direction {
        Direction::Encrypt => hash.absorb(&mut state, &[aad, &buffer[piece.clone()], last]),
        Direction::Decrypt => hash.absorb(&mut state, &[aad, head.input(), last]),
    }
    head.output().copy_from_slice(&buffer[piece]);
    whole_pieces(cipher, hash, direction, &mut counter, &mut state, rest, &lengths);
    let mut tag = Key::<true>::hash(&state);
    for (byte, mask) in tag.iter_mut().zip(&buffer) {
        *byte ^= mask;
    }
    match direction {
        Direction::Encrypt => wipe::wipe_bytes(&mut buffer[..BLOCK]),
        Direction::Decrypt => wipe::wipe(&mut buffer),
    }
    tag
}

/// Data in pieces that stay in the L1 cache, from `counter` on; what is `behind` it is
/// absorbed with the last one, if there is any.
pub(crate) fn whole_pieces(
    cipher: &dyn BlockCipher,
    hash: &Key<true>,
    direction: Direction,
    counter: &mut [u8; BLOCK],
    state: &mut State,
    mut io: InOut<'_>,
    behind: &[u8],
) {
    let mut offset = 0;
    while offset < io.len() {
        let n = PIECE.min(io.len() - offset);
        let last: &[u8] = if offset + n == io.len() { behind } else { &[] };
        let mut io = io.part(offset, n);
        offset += n;
        match direction {
            Direction::Encrypt => {
                ctr32(cipher, io.reborrow(), counter);
                hash.absorb(state, &[io.output(), last]);
            }
            Direction::Decrypt => {
                hash.absorb(state, &[io.input(), last]);
                ctr32(cipher, io, counter);
            }
        }
    }
}

impl<C: BlockCipher> Aead for Gcm<C> {
    fn nonce_sizes(&self) -> Sizes {
        NONCES
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

    fn take_key(&mut self, key: &[u8]) -> bool {
        let takes = self.cipher.rekey(key);
        if takes {
            set_hash_key(&self.cipher, &mut self.hash);
        }
        takes
    }

    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        check_tag_len(tag.len(), self.tag)?;
        seal((&self.cipher, &self.hash), nonce, aad, &mut io, tag)
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        check_tag_len(tag.len(), self.tag)?;
        open((&self.cipher, &self.hash), nonce, aad, &mut io, tag)
    }

    fn try_open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        check_tag_len(tag.len(), self.tag)?;
        let key = (&self.cipher, &self.hash);
        if is_right(key, nonce, aad, &mut (&mut *data).into(), tag)? {
            return Ok(());
        }
        // Counter mode undoes itself.
        message(key, Direction::Decrypt, nonce, aad, &mut data.into())?;
        Err(Error::Authentication)
    }
}

/// [`Aead::seal`] under a cipher and the hash key that goes with it; the tag's length is
/// checked.
#[inline(always)]
pub(crate) fn seal<C: BlockCipher + ?Sized>(
    key: (&C, &Key<true>),
    nonce: &[u8],
    aad: &[u8],
    io: &mut InOut<'_>,
    tag: &mut [u8],
) -> Result<(), Error> {
    check_limits(aad.len() as u64, io.len() as u64)?;
    let whole = message(key, Direction::Encrypt, nonce, aad, io)?;
    match <&mut [u8; BLOCK]>::try_from(&mut *tag) {
        Ok(tag) => *tag = whole,
        Err(_) => tag.copy_from_slice(&whole[..tag.len()]),
    }
    Ok(())
}

/// [`Aead::open`] under a cipher and the hash key that goes with it; the tag's length is
/// checked.
#[inline(always)]
pub(crate) fn open<C: BlockCipher + ?Sized>(
    key: (&C, &Key<true>),
    nonce: &[u8],
    aad: &[u8],
    io: &mut InOut<'_>,
    tag: &[u8],
) -> Result<(), Error> {
    if is_right(key, nonce, aad, io, tag)? {
        return Ok(());
    }
    io.output().fill(0);
    Err(Error::Authentication)
}

/// Decrypts a message and tells whether its tag is right.
#[inline(always)]
fn is_right<C: BlockCipher + ?Sized>(
    key: (&C, &Key<true>),
    nonce: &[u8],
    aad: &[u8],
    io: &mut InOut<'_>,
    tag: &[u8],
) -> Result<bool, Error> {
    check_limits(aad.len() as u64, io.len() as u64)?;
    let mut whole = message(key, Direction::Decrypt, nonce, aad, io)?;
    let right = ct::equal(&whole[..tag.len()], tag);
    wipe::wipe(&mut whole);
    Ok(right)
}

/// One message whose lengths are checked; returns its whole tag. The data by reference: a copy of
/// the two addresses would be loaded at once where the caller stored one after the other, which waits
/// until all in front of it is done, so that messages don't overlap.
#[inline(always)]
fn message<C: BlockCipher + ?Sized>(
    (cipher, hash): (&C, &Key<true>),
    direction: Direction,
    nonce: &[u8],
    aad: &[u8],
    io: &mut InOut<'_>,
) -> Result<[u8; BLOCK], Error> {
    let counter = first_count(hash, "nonce", nonce)?;
    let mut message = GcmMessage { hash, counter, aad, io, tag: [0; BLOCK], piece: None };
    if hash.is_full() && cipher.gcm(direction, &mut message) {
        return Ok(message.tag);
    }
    Ok(process(&cipher, hash, direction, counter.to_be_bytes(), aad, io.reborrow()))
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::{Gcm, GcmStream};
    use crate::entry::constructor::AeadStreaming;
    use crate::entry::row::Row;
    use crate::mac::gcm_parts::TAGS;
    use crate::sizes::Sizes;

    /// `gcm-seal`.
    pub(crate) const SEAL: Row = Row {
        iv: |_| Sizes::between(1, usize::MAX),
        usual_iv: Some(12),
        tag: |_| TAGS,
        ..Row::aead(
            ["gcm-seal", "gcm-open"],
            "SP 800-38D, RFC 8998, GB/T 36624",
            |of, key, level| Ok(Gcm::boxed(of.cipher(key, level)?)?),
            AeadStreaming::Yes(|of, key, level, direction, nonce| {
                Ok(Box::new(GcmStream::<_>::new(
                    Gcm::new(of.cipher(key, level)?)?,
                    direction,
                    nonce,
                )?))
            }),
        )
    };

    /// `gcm-open`.
    pub(crate) const OPEN: Row = SEAL.undo();
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{OPEN, SEAL};
