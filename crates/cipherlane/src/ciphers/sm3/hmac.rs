//! HMAC-SM3 (RFC 2104; GB/T 15852.2, MAC algorithm 2).

use core::fmt;

use lanes::Level;

use super::batch::{self, Job};
use super::{ANSWER, BLOCK, DIGEST, INITIAL, Sm3, Value, absorb};
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::aead::check_tag_len;
use crate::traits::mac::Mac;

/// The lengths of tags in bytes; RFC 2104, 5, advises against less than half a digest.
const TAGS: Sizes = Sizes::between(DIGEST / 2, DIGEST);

/// HMAC-SM3 under one key of any length. Tags have 32 bytes, or by
/// [`with_tag_len`](Mac::with_tag_len) 16 to 32. It takes no IV.
///
/// ```
/// use cipherlane::Mac;
/// use cipherlane::sm3::HmacSm3;
///
/// let mut mac = HmacSm3::new(b"a key of any length")?;
/// let mut tag = [0; 32];
/// mac.update(b"a message ")?;
/// mac.update(b"in pieces")?;
/// mac.finish(&mut tag)?;
/// mac.update(b"a message in pieces")?;
/// mac.verify(&tag)?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Clone)]
pub struct HmacSm3 {
    /// What the key's block leaves under either mask.
    inner: Value,
    outer: Value,
    message: Sm3,
    /// The length of a tag.
    tag: usize,
}

impl fmt::Debug for HmacSm3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HmacSm3").field("level", &self.message.level).finish_non_exhaustive()
    }
}

impl HmacSm3 {
    /// Under this key, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::SelfTest`] where the feature `self-test` has found a wrong answer.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        let initial = Secret(INITIAL);
        let (inner, outer) = (initial.clone(), initial.clone());
        let message = Sm3::resume(level, &initial, 0);
        let mut mac = Self { inner, outer, message, tag: DIGEST };
        mac.set(key);
        Ok(mac)
    }

    fn set(&mut self, key: &[u8]) {
        let level = self.message.level;
        let mut block = Secret([0x36; BLOCK]);
        let mut long = Secret([0; DIGEST]);
        let key = if key.len() > BLOCK {
            let mut sm3 = Sm3::inner(level, &Secret(INITIAL), 0);
            sm3.update(key);
            long.0 = sm3.end();
            &long.0
        } else {
            key
        };
        for (byte, key) in block.0.iter_mut().zip(key) {
            *byte ^= key;
        }
        (self.inner.0, self.outer.0) = (INITIAL, INITIAL);
        absorb(level, &mut self.inner, core::slice::from_ref(&block.0));
        for byte in &mut block.0 {
            *byte ^= 0x36 ^ 0x5c;
        }
        absorb(level, &mut self.outer, core::slice::from_ref(&block.0));
        self.start();
    }

    /// A message begins.
    fn start(&mut self) {
        (self.message.value.0, self.message.length) = (self.inner.0, BLOCK as u64);
    }

    /// Ends the message.
    pub(super) fn end(&mut self) -> Secret<[u8; DIGEST]> {
        let inner = Secret(self.message.end());
        let mut outer = Sm3::inner(self.message.level, &self.outer, BLOCK as u64);
        outer.update(&inner.0);
        self.start();
        Secret(outer.end())
    }

    /// The tags of many messages, each under a MAC of its own or one that others have, too; side by
    /// side at the level of the first. The messages that the MACs have begun are not touched.
    ///
    /// ```
    /// use cipherlane::sm3::HmacSm3;
    ///
    /// let (a, b) = (HmacSm3::new(b"one key")?, HmacSm3::new(b"another key")?);
    /// let mut tags = [[0; 32]; 3];
    /// HmacSm3::tags(&[&a, &b, &a], &[b"first", b"second", b"third"], &mut tags)?;
    /// # Ok::<(), cipherlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] if there are not as many messages and tags as MACs.
    pub fn tags(
        macs: &[&Self],
        messages: &[&[u8]],
        tags: &mut [[u8; DIGEST]],
    ) -> Result<(), Error> {
        check_length("messages", messages.len(), Sizes::exactly(macs.len()))?;
        check_length("tags", tags.len(), Sizes::exactly(macs.len()))?;
        let Some(first) = macs.first() else { return Ok(()) };
        let level = first.message.level;
        let before = BLOCK as u64;
        let inner = |i: usize| Job { value: &macs[i].inner, before, data: messages[i] };
        batch::digests(level, macs.len(), inner, |i, digest| tags[i] = digest);
        // In the room for the tags some inner digests would be overwritten before they are read.
        for (macs, tags) in macs.chunks(INNER).zip(tags.chunks_mut(INNER)) {
            let mut held = Secret([[0; DIGEST]; INNER]);
            held.0[..tags.len()].copy_from_slice(tags);
            let outer = |i: usize| Job { value: &macs[i].outer, before, data: &held.0[i] };
            batch::digests(level, macs.len(), outer, |i, digest| tags[i] = digest);
        }
        Ok(())
    }
}

/// How many inner digests are held at once.
const INNER: usize = 64;

impl Mac for HmacSm3 {
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
        self.set(key);
        true
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.message.update(data);
        Ok(())
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        check_tag_len(tag.len(), self.tag)?;
        let whole = self.end();
        tag.copy_from_slice(&whole.0[..tag.len()]);
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), Sizes::exactly(0))?;
        self.start();
        Ok(())
    }

    fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        check_tag_len(tag.len(), self.tag)?;
        let whole = self.end();
        if ct::equal(&whole.0[..tag.len()], tag) { Ok(()) } else { Err(Error::Authentication) }
    }
}
