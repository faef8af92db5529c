//! GCM of one message in pieces of any length.

use core::borrow::Borrow;
use core::fmt;
use core::marker::PhantomData;

use lanes::{InOut, wipe};

use super::{FIRST, Gcm, GcmMessage, MESSAGE, PIECE};
use crate::ct;
use crate::error::{Error, check_length};
use crate::ghash::{BLOCK, Running};
use crate::mac::gcm_parts::{AAD, TAGS, first_counter, lengths};
use crate::modes::ctr::xor32 as ctr32;
use crate::secret::Secret;
use crate::traits::aead::{AeadStream, check_tag_len};
use crate::traits::block::BlockCipher;
use crate::traits::mode::Direction;

#[cfg(feature = "alloc")]
mod kept;

/// Where a message is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Aad,
    Message,
    Ended,
}

/// One message under a [`Gcm`], which is owned or borrowed, in pieces of any
/// length; [`reset`](AeadStream::reset) starts another one without a key set-up.
///
/// ```
/// use cipherlane::aead::AeadStream;
/// use cipherlane::aead::gcm::{Gcm, GcmStream};
/// use cipherlane::modes::Direction;
/// use cipherlane::{Aead, Sm4};
///
/// let gcm = Gcm::new(Sm4::new(&[7; 16])?)?;
/// let (mut pieces, mut whole) = (*b"some text", *b"some text");
/// let mut tags = [[0; 16]; 2];
/// let mut stream = GcmStream::new(&gcm, Direction::Encrypt, &[1; 12])?;
/// for piece in pieces.chunks_mut(4) {
///     stream.update(piece.into())?;
/// }
/// stream.finish(&mut tags[0])?;
/// gcm.seal(&[1; 12], &[], (&mut whole[..]).into(), &mut tags[1])?;
/// assert_eq!((pieces, tags[0]), (whole, tags[1]));
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct GcmStream<C, G = Gcm<C>> {
    gcm: G,
    direction: Direction,
    phase: Phase,
    hash: Running<true>,
    /// J0, whose encryption masks the tag.
    first: [u8; BLOCK],
    /// The next block's counter; J0 if the first piece is to bring the tag's mask.
    counter: [u8; BLOCK],
    /// The mask, once the first piece has brought it.
    mask: Option<Secret<[u8; BLOCK]>>,
    /// Whether single blocks go alone.
    alone: bool,
    /// The keystream block that the last piece ended in.
    rest: Secret<[u8; BLOCK]>,
    /// How many of its bytes, at the end, are still unused.
    left: usize,
    /// Bytes of associated data and of the message so far.
    lengths: (u64, u64),
    /// The length of a tag.
    tag: usize,
    cipher: PhantomData<fn() -> C>,
}

impl<C, G> fmt::Debug for GcmStream<C, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GcmStream").field("lengths", &self.lengths).finish_non_exhaustive()
    }
}

impl<C: BlockCipher, G: Borrow<Gcm<C>>> GcmStream<C, G> {
    /// Starts a message.
    ///
    /// # Errors
    /// [`Error::Length`] if the nonce is empty.
    pub fn new(gcm: G, direction: Direction, nonce: &[u8]) -> Result<Self, Error> {
        let first = first_counter(&gcm.borrow().hash, "nonce", nonce)?;
        let mut stream = Self::waiting(gcm);
        stream.direction = direction;
        stream.start(first);
        Ok(stream)
    }

    /// Before a message.
    fn waiting(gcm: G) -> Self {
        let Gcm { cipher, tag, .. } = gcm.borrow();
        let (alone, tag) = (cipher.single_is_cheap(), *tag);
        Self {
            gcm,
            alone,
            direction: Direction::Encrypt,
            phase: Phase::Ended,
            hash: Running::new(),
            first: [0; BLOCK],
            counter: [0; BLOCK],
            mask: None,
            rest: Secret([0; BLOCK]),
            left: 0,
            lengths: (0, 0),
            tag,
            cipher: PhantomData,
        }
    }

    /// As [`reset`](AeadStream::reset), in either direction.
    ///
    /// # Errors
    /// [`Error::Length`] if the nonce is empty; then the message before goes on.
    #[doc(hidden)]
    pub fn restart(&mut self, direction: Direction, nonce: &[u8]) -> Result<(), Error> {
        let first = first_counter(&self.gcm.borrow().hash, "nonce", nonce)?;
        self.direction = direction;
        self.start(first);
        Ok(())
    }

    /// A copy of a message that has begun. **Both go on under one nonce**: if the two then
    /// differ in a byte of plaintext, and both are sent, the nonce has served two messages. For
    /// interfaces that have such copies, as OpenSSL's; whoever can avoid it, does.
    #[must_use]
    pub fn clone_under_the_same_nonce(&self) -> Self
    where
        G: Clone,
    {
        let (hash, mask, rest) = (self.hash.clone(), self.mask.clone(), self.rest.clone());
        Self { gcm: self.gcm.clone(), hash, mask, rest, ..*self }
    }

    fn start(&mut self, first: [u8; BLOCK]) {
        self.phase = Phase::Aad;
        self.hash = Running::new();
        (self.first, self.counter, self.mask) = (first, first, None);
        if self.alone {
            let next = u32::from_be_bytes([first[12], first[13], first[14], first[15]]);
            self.counter[12..].copy_from_slice(&next.wrapping_add(1).to_be_bytes());
        }
        self.left = 0;
        self.lengths = (0, 0);
    }

    /// Takes up to `io`'s length of the keystream left over from the last piece.
    fn use_rest(&mut self, mut io: InOut<'_>) {
        let from = BLOCK - self.left;
        self.left -= io.len();
        let key = &self.gcm.borrow().hash;
        if self.direction == Direction::Decrypt {
            self.hash.update(key, io.input());
        }
        io.xor(&self.rest.0[from..from + io.len()]);
        if self.direction == Direction::Encrypt {
            self.hash.update(key, io.output());
        }
    }

    /// Whether the next piece is to bring the tag's mask.
    fn unmasked(&self) -> bool {
        !self.alone && self.mask.is_none()
    }

    /// Takes bytes of any number that has room in the longest buffer, behind the tag's mask if
    /// that is still to be made.
    fn buffered(&mut self, io: InOut<'_>) {
        let mask = if self.unmasked() { BLOCK } else { 0 };
        match mask + io.len().next_multiple_of(BLOCK) {
            n if n <= FIRST[0] => self.through::<{ FIRST[0] }>(mask, io),
            n if n <= FIRST[1] => self.through::<{ FIRST[1] }>(mask, io),
            _ => self.through::<{ FIRST[2] }>(mask, io),
        }
    }

    /// Mask, data and what is left of the last keystream block come from one call of the cipher:
    /// where it works on many blocks at once, all but the data costs nothing.
    #[inline(always)]
    fn through<const N: usize>(&mut self, mask: usize, mut io: InOut<'_>) {
        let Gcm { cipher, hash: key, .. } = self.gcm.borrow();
        let (data, mut buffer) = (mask..mask + io.len(), [0; N]);
        let end = data.end.next_multiple_of(BLOCK);
        buffer[data.clone()].copy_from_slice(io.input());
        ctr32(cipher, (&mut buffer[..end]).into(), &mut self.counter);
        match self.direction {
            Direction::Encrypt => self.hash.update(key, &buffer[data.clone()]),
            Direction::Decrypt => self.hash.update(key, io.input()),
        }
        io.output().copy_from_slice(&buffer[data.clone()]);
        if mask != 0 {
            let made = self.mask.get_or_insert(Secret([0; BLOCK]));
            made.0.copy_from_slice(&buffer[..BLOCK]);
        }
        self.left = end - data.end;
        if self.left != 0 {
            self.rest.0.copy_from_slice(&buffer[end - BLOCK..end]);
        }
        match self.direction {
            // Ciphertext is no secret.
            Direction::Encrypt => {
                wipe::wipe_bytes(&mut buffer[..mask]);
                wipe::wipe_bytes(&mut buffer[data.end..end]);
            }
            Direction::Decrypt => wipe::wipe(&mut buffer),
        }
    }

    /// Takes as many whole blocks as the cipher's kernel for messages has tiles for, in one pass;
    /// returns how many bytes. None where it has no such kernel, which is where single blocks go
    /// with others.
    fn in_one_pass(&mut self, mut io: InOut<'_>) -> usize {
        let Gcm { cipher, hash, .. } = self.gcm.borrow();
        if !self.alone || io.len() < LEAST || !hash.is_full() {
            return 0;
        }
        let Some(state) = self.hash.between_blocks() else { return 0 };
        let next = u128::from_be_bytes(self.counter);
        let (fixed, next) = (next >> 32 << 32, next as u32);
        let counter = fixed | u128::from(next.wrapping_sub(1));
        let (tag, piece) = (state.0, Some(0));
        let mut message = GcmMessage { hash, counter, aad: &[], io: &mut io, tag, piece };
        if !cipher.gcm(self.direction, &mut message) {
            return 0;
        }
        let done = message.piece.unwrap_or(0);
        state.0 = message.tag;
        wipe::wipe(&mut message.tag);
        let next = next.wrapping_add((done / BLOCK) as u32);
        self.counter = (fixed | u128::from(next)).to_be_bytes();
        done
    }

    /// Takes at most a piece of whole blocks.
    fn whole(&mut self, mut io: InOut<'_>) {
        let Gcm { cipher, hash: key, .. } = self.gcm.borrow();
        match self.direction {
            Direction::Encrypt => {
                ctr32(cipher, io.reborrow(), &mut self.counter);
                self.hash.update(key, io.output());
            }
            Direction::Decrypt => {
                self.hash.update(key, io.input());
                ctr32(cipher, io, &mut self.counter);
            }
        }
    }

    /// The end of a message in the right direction, with a tag of a right length.
    fn end(&mut self, direction: Direction, tag: usize) -> Result<[u8; BLOCK], Error> {
        if self.phase == Phase::Ended {
            return Err(ENDED);
        }
        if self.direction != direction {
            return Err(Error::State(match direction {
                Direction::Encrypt => "this message is decrypted: its tag is checked, not made",
                Direction::Decrypt => "this message is encrypted: its tag is made, not checked",
            }));
        }
        check_tag_len(tag, self.tag)?;
        self.phase = Phase::Ended;
        let Gcm { cipher, hash: key, .. } = self.gcm.borrow();
        self.hash.pad_and(key, &lengths(self.lengths.0, self.lengths.1));
        let mut tag = self.hash.hash();
        match &self.mask {
            Some(mask) => tag.iter_mut().zip(&mask.0).for_each(|(byte, mask)| *byte ^= mask),
            None => {
                let hash = tag;
                tag = self.first;
                cipher.encrypt_blocks((&mut tag[..]).into(), None, Some(&hash));
            }
        }
        Ok(tag)
    }
}

/// The least that goes through a kernel for messages: a tile of four of the widest registers.
const LEAST: usize = 256;

/// The longest buffer.
const MOST: usize = FIRST[2];

const ENDED: Error = Error::State("the message has ended; a reset starts another one");

impl<C: BlockCipher, G: Borrow<Gcm<C>> + Send> AeadStream for GcmStream<C, G> {
    fn tag_len(&self) -> usize {
        self.tag
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, TAGS)?;
        self.tag = bytes;
        Ok(())
    }

    fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        match self.phase {
            Phase::Aad => {}
            Phase::Message => return Err(Error::State("associated data after the message")),
            Phase::Ended => return Err(ENDED),
        }
        if aad.len() as u64 > AAD - self.lengths.0 {
            return Err(Error::Limit { what: "bytes of associated data", limit: AAD });
        }
        self.lengths.0 += aad.len() as u64;
        self.hash.update(&self.gcm.borrow().hash, aad);
        Ok(())
    }

    fn update(&mut self, io: InOut<'_>) -> Result<(), Error> {
        if self.phase == Phase::Ended {
            return Err(ENDED);
        }
        if io.len() as u64 > MESSAGE - self.lengths.1 {
            return Err(Error::Limit { what: "bytes of one GCM message", limit: MESSAGE });
        }
        self.lengths.1 += io.len() as u64;
        if self.phase == Phase::Aad {
            self.hash.pad(&self.gcm.borrow().hash);
            self.phase = Phase::Message;
        }
        let head = self.left.min(io.len());
        let (head, io) = io.split_at(head);
        if !head.is_empty() {
            self.use_rest(head);
        }
        let first = if self.unmasked() { io.len().min(MOST - BLOCK) } else { 0 };
        let (first, io) = io.split_at(first);
        if !first.is_empty() {
            self.buffered(first);
        }
        // As much as there is room for goes with what is no whole block.
        let last = match io.len() % BLOCK {
            odd if odd == 0 || self.alone => odd,
            odd => io.len().min(MOST - BLOCK + odd),
        };
        let whole = io.len() - last;
        let (mut whole, last) = io.split_at(whole);
        let mut offset = self.in_one_pass(whole.reborrow());
        while offset < whole.len() {
            let n = PIECE.min(whole.len() - offset);
            self.whole(whole.part(offset, n));
            offset += n;
        }
        if !last.is_empty() {
            self.buffered(last);
        }
        Ok(())
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        let whole = self.end(Direction::Encrypt, tag.len())?;
        tag.copy_from_slice(&whole[..tag.len()]);
        Ok(())
    }

    fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        let whole = Secret(self.end(Direction::Decrypt, tag.len())?);
        if ct::equal(&whole.0[..tag.len()], tag) { Ok(()) } else { Err(Error::Authentication) }
    }

    fn reset(&mut self, nonce: &[u8]) -> Result<(), Error> {
        self.restart(self.direction, nonce)
    }
}

#[cfg(all(test, feature = "sm4"))]
mod tests;
