//! Batches of every operation: in lanes where it has some, else one message after another.

use alloc::boxed::Box;

use lanes::Level;

use super::adapt::{Fresh, Numbered, with_keys};
use super::objects::{Messages, Objects, Rules};
use super::one_tag::OneTag;
use super::stream::CachedKeys;
use super::traced::Traced;
use crate::entry::batch::BatchEntry;
use crate::entry::constructor::Constructor;
use crate::entry::kind::Kind;
use crate::entry::operation::Operation;
use crate::entry::row::{ANY, NONE};
use crate::entry::{Limits, New};
use crate::error::Error;
use crate::first_use::permit;
use crate::traits::aead::Aead;
use crate::traits::batch::{BatchCipher, Job, ReadyBatch};
use crate::traits::keys::NewKeys;
use crate::traits::mac::DynMac;
use crate::traits::mode::{Direction, MessageMode};

/// Keys that one after another are set up together.
const ROOM: usize = 16;

impl Operation {
    /// Whether the messages of a batch run in lanes; else one after another.
    #[must_use]
    pub fn in_lanes(&self) -> bool {
        self.batch.is_some() || self.entry().is_some()
    }

    /// The lanes over a block cipher, if it has some, and the cipher's sets of keys.
    fn entry(&self) -> Option<(&'static BatchEntry, NewKeys)> {
        let New::Block { block, keys, .. } = self.algorithm.new else { return None };
        let of_this = |it: &&BatchEntry| it.blocks.contains(&block) && it.operation == self.name;
        Some((self.lanes.iter().find(of_this)?, keys))
    }

    /// The operation under these keys, set up now; a [`Job`] names them by their places.
    ///
    /// # Errors
    /// [`Error::Length`] for a key of a wrong length, [`Error::EqualKeys`] for one whose
    /// halves must differ and don't.
    pub fn ready(&self, keys: &[&[u8]], level: Level) -> Result<Box<dyn ReadyBatch>, Error> {
        permit(level)?;
        let batch = match (self.entry(), self.batch) {
            (Some((entry, new)), _) => (entry.ready)(new, self.algorithm.key, keys, level)?,
            (None, Some(batch)) => {
                let batch = batch(Limits::Enforced, level);
                with_keys(CachedKeys::with_room(batch, self.rules(), keys.len()), keys)?
            }
            (None, None) => self.one_by_one(level, keys.len(), Keyed(keys))?,
        };
        let batch: Box<dyn ReadyBatch> = match self.tag_len() {
            0 => batch,
            tag => Box::new(OneTag::new(tag, batch)),
        };
        Ok(Traced::boxed(batch, level))
    }

    /// The operation under keys that come with the messages.
    ///
    /// # Errors
    /// [`Error::SelfTest`] where a known answer was wrong at this level (feature `self-test`).
    pub fn fresh(&self, level: Level) -> Result<Box<dyn BatchCipher>, Error> {
        self.with_limits(Limits::Enforced, level)
    }

    /// The same without the standard's limits on what one key and IV give: for
    /// measurements only.
    ///
    /// # Errors
    /// As [`fresh`](Self::fresh).
    pub fn unlimited(&self, level: Level) -> Result<Box<dyn BatchCipher>, Error> {
        self.with_limits(Limits::Lifted, level)
    }

    fn with_limits(&self, limits: Limits, level: Level) -> Result<Box<dyn BatchCipher>, Error> {
        permit(level)?;
        let batch = match (self.entry(), self.batch) {
            (Some((entry, new)), _) => (entry.fresh)(new, self.algorithm.key, level)?,
            (None, Some(batch)) => batch(limits, level),
            (None, None) => self.one_by_one(level, ROOM, Unkeyed)?,
        };
        let batch: Box<dyn BatchCipher> = match self.tag_len() {
            0 => batch,
            tag => Box::new(OneTag::new(tag, batch)),
        };
        Ok(Traced::boxed(batch, level))
    }

    /// What the lengths of a job must be.
    fn rules(&self) -> Rules {
        let (aad, data) = match self.kind {
            Kind::Cipher => (NONE, self.data),
            Kind::Seal | Kind::Open => (ANY, self.data),
            Kind::Mac => (ANY, NONE),
        };
        Rules { key: self.key, iv: self.iv, aad, data, tag: self.tag }
    }

    /// One message after another.
    fn one_by_one<F: Finish>(
        &self,
        level: Level,
        room: usize,
        finish: F,
    ) -> Result<F::Output, Error> {
        let (algorithm, rules, tag) = (self.algorithm, self.rules(), self.tag_len());
        match self.new {
            Constructor::Mode(mode) => {
                let New::Block { keys, .. } = algorithm.new else {
                    unreachable!("only block ciphers have modes")
                };
                finish.finish(Messages::with_room((mode, keys), self, room, level)?)
            }
            Constructor::Message(new) => {
                let new = move |key: &[u8]| new(algorithm, key, level);
                let apply: fn(&mut (dyn MessageMode + 'static), &mut Job<'_>) -> _ =
                    match self.direction() {
                        Direction::Encrypt => |mode, job| mode.encrypt(job.iv, job.io.reborrow()),
                        Direction::Decrypt => |mode, job| mode.decrypt(job.iv, job.io.reborrow()),
                    };
                finish.finish(Objects::with_room(new, rules, apply, room))
            }
            Constructor::Aead { new, .. } => {
                let new = move |key: &[u8]| {
                    let mut aead = new(algorithm, key, level)?;
                    aead.set_tag_len(tag)?;
                    Ok(aead)
                };
                let apply: fn(&mut (dyn Aead + 'static), &mut Job<'_>) -> _ = match self.kind {
                    Kind::Open => {
                        |aead, job| aead.open(job.iv, job.aad, job.io.reborrow(), job.tag)
                    }
                    _ => |aead, job| aead.seal(job.iv, job.aad, job.io.reborrow(), job.tag),
                };
                finish.finish(Objects::with_room(new, rules, apply, room))
            }
            Constructor::Mac { new, .. } => {
                let usual = alloc::vec![0; self.usual_iv];
                let new = move |key: &[u8]| {
                    let mut mac = new(algorithm, key, &usual, level)?;
                    mac.set_tag_len(tag)?;
                    Ok(mac)
                };
                finish.finish(Objects::with_room(new, rules, authenticate, room))
            }
            Constructor::Stream { .. } | Constructor::Pdu(_) => {
                unreachable!("keystreams and PDUs have lanes")
            }
        }
    }
}

/// One message of a MAC, its tag written.
fn authenticate(mac: &mut (dyn DynMac + 'static), job: &mut Job<'_>) -> Result<(), Error> {
    mac.reset(job.iv)?;
    mac.announce(job.aad.len() as u64)?;
    mac.update(job.aad)?;
    mac.finish(job.tag)
}

/// What becomes of an operation over a room of keys: the keys are known, or come with
/// the messages.
trait Finish {
    type Output;
    fn finish<B: Numbered + 'static>(self, batch: B) -> Result<Self::Output, Error>;
}

struct Keyed<'k>(&'k [&'k [u8]]);

impl Finish for Keyed<'_> {
    type Output = Box<dyn ReadyBatch>;
    fn finish<B: Numbered + 'static>(self, batch: B) -> Result<Self::Output, Error> {
        with_keys(batch, self.0)
    }
}

struct Unkeyed;

impl Finish for Unkeyed {
    type Output = Box<dyn BatchCipher>;
    fn finish<B: Numbered + 'static>(self, batch: B) -> Result<Self::Output, Error> {
        Ok(Box::new(Fresh(batch)))
    }
}
