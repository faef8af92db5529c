//! SM3, HMAC-SM3 and HKDF-SM3.
//!
//! The hash of GB/T 32905-2016 (ISO/IEC 10118-3:2018, dedicated hash function 17), which the protocols
//! of SM4 stand on: [`Sm3`] for one message in pieces, [`digests`] for many, side by side in the lanes
//! of a register. [`HmacSm3`] is the MAC over it (RFC 2104; GB/T 15852.2, MAC algorithm 2), a
//! [`Mac`](crate::Mac); [`HkdfSm3`] derives keys by that (RFC 5869), as TLS 1.3 does in RFC 8998.
//!
//! # Timing
//! Additions, rotations and bits alone: no branch and no address depends on what is hashed, only on how
//! long it is.
//!
//! # Limits
//! A message of less than 2⁶¹ bytes; nobody reaches the end of that.
//!
//! # Example
//! ```
//! use cipherlane::sm3::{self, Sm3};
//!
//! let mut sm3 = Sm3::new()?;
//! sm3.update(b"a message ");
//! sm3.update(b"in pieces");
//! let digest = sm3.finish();
//! assert_eq!(digest, Sm3::digest(b"a message in pieces")?);
//!
//! let messages: [&[u8]; 3] = [b"many messages", b"", b"a message in pieces"];
//! let mut digests = [[0; sm3::DIGEST]; 3];
//! sm3::digests(&messages, &mut digests)?;
//! assert_eq!(digests[2], digest);
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod batch;
mod compress;
mod hkdf;
mod hmac;
mod known;
#[cfg(test)]
mod tests;

use core::fmt;

use lanes::{Level, dispatch_plain};

use crate::error::{Error, check_length};
use crate::first_use::{admit, answer};
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use batch::Job;
pub use hkdf::HkdfSm3;
pub use hmac::HmacSm3;
pub use known::self_test;

answer!(self_test);

/// The length of a digest in bytes.
pub const DIGEST: usize = 32;
/// The length of a block in bytes.
pub const BLOCK: usize = 64;

/// The value before the first block (GB/T 32905-2016, 4.1).
const INITIAL: [u32; 8] = [
    0x7380_166f,
    0x4914_b2b9,
    0x1724_42d7,
    0xda8a_0600,
    0xa96f_30bc,
    0x1631_38aa,
    0xe38d_ee4d,
    0xb0fb_0e4e,
];

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(2 << 10);

/// A value between two blocks.
type Value = Secret<[u32; 8]>;

/// Whole blocks of one message.
fn absorb(level: Level, value: &mut Value, blocks: &[[u8; BLOCK]]) {
    if !blocks.is_empty() {
        // For its rotations into a third register; the words are integers.
        dispatch_plain!(level, isa => one(isa, value, blocks));
    }
}

#[inline(always)]
fn one<I: lanes::Isa>(_: I, value: &mut Value, blocks: &[[u8; BLOCK]]) {
    compress::one(&mut value.0, blocks);
}

/// A value as the bytes of a digest.
fn bytes_of(value: &[u32; 8]) -> [u8; DIGEST] {
    let mut bytes = [0; DIGEST];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(value) {
        *bytes = word.to_be_bytes();
    }
    bytes
}

/// The end of a message as blocks: what did not fill one, a bit 1, zeros and the length in bits
/// (GB/T 32905-2016, 5.2).
struct Padding {
    blocks: Secret<[[u8; BLOCK]; 2]>,
    two: bool,
}

impl Padding {
    /// Of a message of so many bytes, of which these are behind the last whole block.
    fn new(rest: &[u8], bytes: u64) -> Self {
        let mut blocks = Secret([[0; BLOCK]; 2]);
        let two = rest.len() >= BLOCK - 8;
        blocks.0[0][..rest.len()].copy_from_slice(rest);
        blocks.0[0][rest.len()] = 0x80;
        blocks.0[usize::from(two)][BLOCK - 8..].copy_from_slice(&(8 * bytes).to_be_bytes());
        Self { blocks, two }
    }

    fn used(&self) -> &[[u8; BLOCK]] {
        &self.blocks.0[..1 + usize::from(self.two)]
    }
}

/// SM3 over one message, in pieces of any length.
#[derive(Clone)]
pub struct Sm3 {
    level: Level,
    trace: Trace,
    value: Value,
    /// What does not fill a block yet.
    held: Secret<[u8; BLOCK]>,
    /// How many bytes the message has so far.
    length: u64,
}

impl fmt::Debug for Sm3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sm3").field("level", &self.level).finish_non_exhaustive()
    }
}

impl Sm3 {
    /// At the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
    pub fn new() -> Result<Self, Error> {
        Self::with_level(Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::SelfTest`] where the feature `self-test` has found a wrong answer.
    pub fn with_level(level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        Ok(Self::resume(level, &Secret(INITIAL), 0))
    }

    /// From a value that so many bytes have left, whole blocks.
    fn resume(level: Level, value: &Value, length: u64) -> Self {
        let (trace, held) = (Trace::of(level, STACK), Secret([0; BLOCK]));
        Self { level, trace, value: value.clone(), held, length }
    }

    /// The same inside of an object that clears behind both.
    fn inner(level: Level, value: &Value, length: u64) -> Self {
        let mut inner = Self::resume(level, value, length);
        inner.trace.leave();
        inner
    }

    /// The level that it runs at.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// More of the message.
    pub fn update(&mut self, mut data: &[u8]) {
        let held = self.held_bytes();
        self.length = self.length.wrapping_add(data.len() as u64);
        if held > 0 {
            let room = &mut self.held.0[held..];
            let (now, later) = data.split_at(data.len().min(room.len()));
            room[..now.len()].copy_from_slice(now);
            if now.len() < room.len() {
                return;
            }
            absorb(self.level, &mut self.value, core::slice::from_ref(&self.held.0));
            data = later;
        }
        let (whole, rest) = data.as_chunks();
        absorb(self.level, &mut self.value, whole);
        self.held.0[..rest.len()].copy_from_slice(rest);
    }

    const fn held_bytes(&self) -> usize {
        // Less than a block.
        (self.length % BLOCK as u64) as usize
    }

    /// The digest of the message. Another message may follow.
    pub fn finish(&mut self) -> [u8; DIGEST] {
        let digest = self.end();
        (self.value.0, self.length) = (INITIAL, 0);
        digest
    }

    /// The digest; the value is of no use behind it.
    fn end(&mut self) -> [u8; DIGEST] {
        let held = self.held_bytes();
        let padding = Padding::new(&self.held.0[..held], self.length);
        absorb(self.level, &mut self.value, padding.used());
        bytes_of(&self.value.0)
    }

    /// The digest of a message that is there as a whole.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn digest(data: &[u8]) -> Result<[u8; DIGEST], Error> {
        let mut sm3 = Self::new()?;
        sm3.update(data);
        Ok(sm3.end())
    }
}

/// The digests of many messages of any lengths, as many side by side as there are 32-bit lanes in a
/// register.
///
/// # Errors
/// [`Error::Length`] if there are not as many digests as messages; as [`Sm3::new`].
pub fn digests(messages: &[&[u8]], digests: &mut [[u8; DIGEST]]) -> Result<(), Error> {
    digests_with_level(messages, digests, Level::detect()?)
}

/// [`digests`] at a given level.
///
/// # Errors
/// As [`digests`], but for the level.
pub fn digests_with_level(
    messages: &[&[u8]],
    digests: &mut [[u8; DIGEST]],
    level: Level,
) -> Result<(), Error> {
    admit(level, &ANSWER)?;
    check_length("digests", digests.len(), Sizes::exactly(messages.len()))?;
    let initial = Secret(INITIAL);
    batch::digests(
        level,
        messages.len(),
        |index| Job { value: &initial, before: 0, data: messages[index] },
        |index, digest| digests[index] = digest,
    );
    Ok(())
}
