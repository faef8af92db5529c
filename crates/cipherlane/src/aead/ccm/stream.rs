//! CCM of one message in pieces of any length, all lengths announced beforehand.

use core::borrow::Borrow;
use core::fmt;
use core::marker::PhantomData;

use lanes::InOut;

use super::format::{encode_length, first_block, first_counter};
use super::{BLOCK, Ccm, NONCE, PIECE, TAG, check};
use crate::ct;
use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::aead::AeadStream;
use crate::traits::block::BlockCipher;
use crate::traits::mode::Direction;

/// Where a message is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Lengths are to be announced.
    Start,
    Aad,
    Message,
    Ended,
}

/// Bytes that are still to come, and how many there are in all.
#[derive(Clone, Copy, Default)]
struct Part {
    left: u64,
    announced: u64,
}

impl Part {
    const fn new(bytes: u64) -> Self {
        Self { left: bytes, announced: bytes }
    }

    /// Takes `bytes` of it.
    fn take(&mut self, field: &'static str, bytes: usize) -> Result<(), Error> {
        let got = (self.announced - self.left).saturating_add(bytes as u64);
        self.left = self.left.checked_sub(bytes as u64).ok_or(self.other(field, got))?;
        Ok(())
    }

    /// Refuses what ends too early.
    fn complete(&self, field: &'static str) -> Result<(), Error> {
        match self.left {
            0 => Ok(()),
            left => Err(self.other(field, self.announced - left)),
        }
    }

    /// The length, which was announced as another.
    const fn other(&self, field: &'static str, got: u64) -> Error {
        Error::Value { field, got, min: self.announced, max: self.announced }
    }
}

/// One message under a [`Ccm`], which is owned or borrowed, in pieces of any length.
///
/// The MAC begins with the lengths of associated data, message and tag, so
/// [`announce`](AeadStream::announce) comes first, for each message;
/// [`reset`](AeadStream::reset) starts another one without a key set-up.
///
/// ```
/// use cipherlane::aead::AeadStream;
/// use cipherlane::aead::ccm::{Ccm, CcmStream};
/// use cipherlane::modes::Direction;
/// use cipherlane::{Aead, Sm4};
///
/// let ccm = Ccm::new(Sm4::new(&[7; 16])?)?;
/// let (mut pieces, mut whole) = (*b"some text", *b"some text");
/// let mut tags = [[0; 16]; 2];
/// let mut stream = CcmStream::new(&ccm, Direction::Encrypt, &[1; 12])?;
/// stream.announce(0, 9, 16)?;
/// for piece in pieces.chunks_mut(4) {
///     stream.update(piece.into())?;
/// }
/// stream.finish(&mut tags[0])?;
/// ccm.seal(&[1; 12], &[], (&mut whole[..]).into(), &mut tags[1])?;
/// assert_eq!((pieces, tags[0]), (whole, tags[1]));
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct CcmStream<C, G = Ccm<C>> {
    ccm: G,
    direction: Direction,
    phase: Phase,
    /// The nonce in front.
    nonce: ([u8; NONCE.max], usize),
    aad: Part,
    message: Part,
    tag: usize,
    /// The chaining value of the MAC, to which the first `filled` bytes of a block are added.
    value: Secret<[u8; BLOCK]>,
    filled: usize,
    /// What masks the tag.
    mask: Secret<[u8; BLOCK]>,
    /// The next block's counter.
    counter: [u8; BLOCK],
    /// The keystream block of a message block that is begun; `filled` bytes are used.
    keystream: Secret<[u8; BLOCK]>,
    cipher: PhantomData<fn() -> C>,
}

impl<C, G> fmt::Debug for CcmStream<C, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CcmStream").field("left", &self.message.left).finish_non_exhaustive()
    }
}

impl<C: BlockCipher, G: Borrow<Ccm<C>>> CcmStream<C, G> {
    /// Starts a message, whose lengths are to be announced.
    ///
    /// # Errors
    /// [`Error::Length`] if the nonce is not 7 to 13 bytes.
    pub fn new(ccm: G, direction: Direction, nonce: &[u8]) -> Result<Self, Error> {
        let tag = ccm.borrow().tag;
        let mut stream = Self {
            ccm,
            direction,
            phase: Phase::Start,
            nonce: ([0; NONCE.max], 0),
            aad: Part::default(),
            message: Part::default(),
            tag,
            value: Secret([0; BLOCK]),
            filled: 0,
            mask: Secret([0; BLOCK]),
            counter: [0; BLOCK],
            keystream: Secret([0; BLOCK]),
            cipher: PhantomData,
        };
        stream.start(nonce)?;
        Ok(stream)
    }

    fn start(&mut self, nonce: &[u8]) -> Result<(), Error> {
        check_length("nonce", nonce.len(), NONCE)?;
        self.nonce.0[..nonce.len()].copy_from_slice(nonce);
        self.nonce.1 = nonce.len();
        self.phase = Phase::Start;
        Ok(())
    }

    /// Adds bytes to the chaining value, encrypted where a block is full.
    fn absorb(&mut self, data: &[u8]) {
        let ccm = self.ccm.borrow();
        let (head, rest) = data.split_at(data.len().min((BLOCK - self.filled) % BLOCK));
        add(&mut self.value.0[self.filled..], head);
        self.filled += head.len();
        if self.filled == BLOCK {
            ccm.cipher.encrypt_block(&mut self.value.0);
            self.filled = 0;
        }
        let (whole, tail) = rest.split_at(rest.len() / BLOCK * BLOCK);
        if !whole.is_empty() {
            ccm.absorb(&mut self.value.0, whole);
        }
        if !tail.is_empty() {
            add(&mut self.value.0, tail);
            self.filled = tail.len();
        }
    }

    /// Ends a block that is begun, with zeros.
    fn pad(&mut self) {
        if self.filled > 0 {
            self.ccm.borrow().cipher.encrypt_block(&mut self.value.0);
            self.filled = 0;
        }
    }

    /// Takes what belongs to one block of the message, whose keystream is there.
    fn within_block(&mut self, mut io: InOut<'_>) {
        let from = self.filled;
        if self.direction == Direction::Encrypt {
            self.absorb(io.input());
        }
        io.xor(&self.keystream.0[from..from + io.len()]);
        if self.direction == Direction::Decrypt {
            self.absorb(io.output());
        }
    }

    /// Takes at most a piece of whole blocks.
    fn whole(&mut self, mut io: InOut<'_>) {
        let ccm = self.ccm.borrow();
        if self.direction == Direction::Encrypt {
            ccm.absorb(&mut self.value.0, io.input());
        }
        ccm.cipher.ctr(io.reborrow(), &mut self.counter);
        if self.direction == Direction::Decrypt {
            ccm.absorb(&mut self.value.0, io.output());
        }
    }

    /// The end of a message in the right direction.
    fn end(&mut self, direction: Direction, tag: usize) -> Result<(), Error> {
        match self.phase {
            Phase::Ended => return Err(ENDED),
            Phase::Start => return Err(UNANNOUNCED),
            Phase::Aad | Phase::Message => {}
        }
        if self.direction != direction {
            return Err(Error::State(match direction {
                Direction::Encrypt => "this message is decrypted: its tag is checked, not made",
                Direction::Decrypt => "this message is encrypted: its tag is made, not checked",
            }));
        }
        check_length("tag", tag, Sizes::exactly(self.tag))?;
        self.aad.complete(AAD_LENGTH)?;
        self.message.complete(MESSAGE_LENGTH)?;
        self.pad();
        add(&mut self.value.0, &self.mask.0);
        self.phase = Phase::Ended;
        Ok(())
    }
}

fn add(value: &mut [u8], data: &[u8]) {
    value.iter_mut().zip(data).for_each(|(value, byte)| *value ^= byte);
}

const ENDED: Error = Error::State("the message has ended; a reset starts another one");
const UNANNOUNCED: Error = Error::State("CCM needs the lengths announced before the message");
const AAD_LENGTH: &str = "length of the associated data";
const MESSAGE_LENGTH: &str = "message length";

impl<C: BlockCipher, G: Borrow<Ccm<C>> + Send> AeadStream for CcmStream<C, G> {
    /// # Errors
    /// [`Error::State`] if the message has begun, [`Error::Length`] for a tag of a wrong
    /// length, [`Error::Limit`] for a message longer than the nonce leaves room for.
    fn announce(&mut self, aad: u64, message: u64, tag: usize) -> Result<(), Error> {
        match self.phase {
            Phase::Start => {}
            Phase::Ended => return Err(ENDED),
            Phase::Aad | Phase::Message => {
                return Err(Error::State("the lengths are announced; a reset takes them back"));
            }
        }
        let nonce = &self.nonce.0[..self.nonce.1];
        check(nonce.len(), message, tag)?;
        self.value.0 = first_block(nonce, aad > 0, message, tag).to_be_bytes();
        self.counter = first_counter(nonce);
        self.mask.0 = [0; BLOCK];
        let cipher = &self.ccm.borrow().cipher;
        cipher.encrypt_block(&mut self.value.0);
        cipher.ctr(self.mask.0.as_mut_slice().into(), &mut self.counter);
        (self.aad, self.message, self.tag) = (Part::new(aad), Part::new(message), tag);
        self.filled = 0;
        self.phase = Phase::Aad;
        if aad > 0 {
            let (encoding, n) = encode_length(aad);
            self.absorb(&encoding[..n]);
        }
        Ok(())
    }

    fn tag_len(&self) -> usize {
        self.tag
    }

    /// # Errors
    /// [`Error::State`] while a message is announced, whose MAC begins with the length.
    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, TAG)?;
        if matches!(self.phase, Phase::Aad | Phase::Message) && bytes != self.tag {
            return Err(Error::State("the tag's length is announced; a reset takes it back"));
        }
        self.tag = bytes;
        Ok(())
    }

    fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        match self.phase {
            Phase::Start => return Err(UNANNOUNCED),
            Phase::Aad => {}
            Phase::Message => return Err(Error::State("associated data after the message")),
            Phase::Ended => return Err(ENDED),
        }
        self.aad.take(AAD_LENGTH, aad.len())?;
        self.absorb(aad);
        Ok(())
    }

    fn update(&mut self, io: InOut<'_>) -> Result<(), Error> {
        match self.phase {
            Phase::Start => return Err(UNANNOUNCED),
            Phase::Ended => return Err(ENDED),
            Phase::Aad | Phase::Message => {}
        }
        self.aad.complete(AAD_LENGTH)?;
        self.message.take(MESSAGE_LENGTH, io.len())?;
        if self.phase == Phase::Aad {
            self.pad();
            self.phase = Phase::Message;
        }
        let head = io.len().min((BLOCK - self.filled) % BLOCK);
        let (head, io) = io.split_at(head);
        if !head.is_empty() {
            self.within_block(head);
        }
        let whole = io.len() / BLOCK * BLOCK;
        let (mut whole, tail) = io.split_at(whole);
        let mut offset = 0;
        while offset < whole.len() {
            let n = PIECE.min(whole.len() - offset);
            self.whole(whole.part(offset, n));
            offset += n;
        }
        if !tail.is_empty() {
            self.keystream.0 = [0; BLOCK];
            let cipher = &self.ccm.borrow().cipher;
            cipher.ctr(self.keystream.0.as_mut_slice().into(), &mut self.counter);
            self.within_block(tail);
        }
        Ok(())
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        self.end(Direction::Encrypt, tag.len())?;
        tag.copy_from_slice(&self.value.0[..tag.len()]);
        Ok(())
    }

    fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        self.end(Direction::Decrypt, tag.len())?;
        let right = ct::equal(&self.value.0[..tag.len()], tag);
        // The tag of a message that was changed is nobody's business.
        self.value.0 = [0; BLOCK];
        if right { Ok(()) } else { Err(Error::Authentication) }
    }

    fn reset(&mut self, nonce: &[u8]) -> Result<(), Error> {
        self.start(nonce)
    }
}
