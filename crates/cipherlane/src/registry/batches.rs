//! What there is for many messages at once: every operation of every algorithm, in lanes
//! where [`BATCHES`] has an entry for it.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use lanes::Level;

use super::{KEYSTREAM, aeads, macs, messages, operations, stream_aeads, stream_macs, streams};
use crate::batch::adapt::{Fresh, Numbered, with_keys};
use crate::batch::objects::{Messages, Objects, Rules};
use crate::batch::one_tag::OneTag;
use crate::batch::stream::KeptKeys;
use crate::batch::traced::Traced;
use crate::batch::{cmac, feedback, short};
use crate::entry::batch::BatchEntry;
use crate::entry::stream::{NewBatch, StreamAeadEntry, StreamEntry, StreamMacEntry};
use crate::entry::{
    AeadEntry, Algorithm, DataRule, Limits, MacEntry, MessageEntry, New, Operation,
};
use crate::error::{Error, check_length};
use crate::first_use::permit;
use crate::sizes::Sizes;
use crate::traits::aead::Aead;
use crate::traits::batch::{BatchCipher, Job, ReadyBatch};
use crate::traits::mac::DynMac;
use crate::traits::mode::MessageMode;

/// Every operation that has lanes of its own.
pub static BATCHES: &[BatchEntry] = &[
    short::ecb_encrypt::<16>(),
    short::ecb_decrypt::<16>(),
    crate::batch::cbc::ENCRYPT,
    short::cbc_decrypt::<16>(),
    feedback::cfb_encrypt::<16>(),
    short::cfb_decrypt::<16>(),
    feedback::ofb::<16>(),
    short::counter::<16>(),
    crate::batch::gcm::SEAL,
    crate::batch::gcm::OPEN,
    crate::batch::gcm::GMAC,
    crate::batch::ccm::SEAL,
    crate::batch::ccm::OPEN,
    cmac::cmac::<16>(),
    crate::batch::xts::ENCRYPT,
    crate::batch::xts::DECRYPT,
    crate::batch::xts::GB_ENCRYPT,
    crate::batch::xts::GB_DECRYPT,
    #[cfg(feature = "_small_blocks")]
    short::ecb_encrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    short::ecb_decrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    short::cbc_decrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    feedback::cfb_encrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    short::cfb_decrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    feedback::ofb::<8>(),
    #[cfg(feature = "_small_blocks")]
    short::counter::<8>(),
    #[cfg(feature = "_small_blocks")]
    cmac::cmac::<8>(),
];

/// Keys that one after another are set up together.
const ROOM: usize = 16;

/// What is done with a message of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchKind {
    /// The data is encrypted or decrypted; there is no tag.
    Cipher,
    /// The data is encrypted, the tag written.
    Seal,
    /// The data is decrypted if the tag is right.
    Open,
    /// The associated data is the message, its tag is written; there is no data.
    Mac,
}

/// One operation of one algorithm on many messages.
#[derive(Clone)]
pub struct Batch {
    /// The operation's name as elsewhere, e.g. `"gcm-seal"`.
    pub operation: String,
    /// What is done with a message.
    pub kind: BatchKind,
    /// The key lengths in bytes.
    pub key: Sizes,
    /// The IV or nonce lengths in bytes.
    pub iv: Sizes,
    /// The IV length to take where nothing else is said.
    pub usual_iv: usize,
    /// The lengths of the data in bytes; of the message, for a MAC.
    pub data: Sizes,
    /// The tag lengths in bytes that the operation has; see [`tag_len`](Self::tag_len).
    pub tag: Sizes,
    tag_len: usize,
    /// Whether messages run in lanes; else one after another.
    pub in_lanes: bool,
    from: From,
    algorithm: &'static Algorithm,
    entry: Option<&'static BatchEntry>,
}

/// Where an operation stands in the registry.
#[derive(Clone, Copy)]
enum From {
    Stream,
    Operation(&'static Operation),
    Message(&'static MessageEntry, bool),
    Aead(&'static AeadEntry, bool),
    Mac(&'static MacEntry),
    OfStream(&'static StreamEntry),
    StreamMac(&'static StreamMacEntry),
    StreamAead(&'static StreamAeadEntry, bool),
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, algorithm, .. } = self;
        f.debug_struct("Batch")
            .field("algorithm", &algorithm.name)
            .field("operation", operation)
            .finish_non_exhaustive()
    }
}

/// The batches of an algorithm, one for each of its operations.
#[must_use]
pub fn batches(algorithm: &'static Algorithm) -> alloc::vec::IntoIter<Batch> {
    let new = |from, operation: String, kind| {
        let entry = BATCHES.iter().find(|entry| {
            let New::Block { block, .. } = algorithm.new else { return false };
            entry.operation == operation && entry.blocks.contains(&block)
        });
        Batch::new(algorithm, from, operation, kind, entry)
    };
    let mut all = Vec::new();
    if matches!(algorithm.new, New::Stream { .. }) {
        all.push(new(From::Stream, KEYSTREAM.to_string(), BatchKind::Cipher));
    }
    for it in operations(algorithm) {
        all.push(new(From::Operation(it), it.name.to_string(), BatchKind::Cipher));
    }
    for it in messages(algorithm) {
        for (decrypt, verb) in [(false, "encrypt"), (true, "decrypt")] {
            let name = format!("{}-{verb}", it.name);
            all.push(new(From::Message(it, decrypt), name, BatchKind::Cipher));
        }
    }
    for it in aeads(algorithm) {
        all.push(new(From::Aead(it, false), format!("{}-seal", it.name), BatchKind::Seal));
        all.push(new(From::Aead(it, true), format!("{}-open", it.name), BatchKind::Open));
    }
    for it in macs(algorithm) {
        all.push(new(From::Mac(it), it.name.to_string(), BatchKind::Mac));
    }
    for it in streams(algorithm) {
        all.push(new(From::OfStream(it), it.name.to_string(), BatchKind::Cipher));
    }
    for it in stream_macs(algorithm) {
        all.push(new(From::StreamMac(it), it.name.to_string(), BatchKind::Mac));
    }
    for it in stream_aeads(algorithm) {
        all.push(new(From::StreamAead(it, false), it.seal.to_string(), BatchKind::Seal));
        all.push(new(From::StreamAead(it, true), it.open.to_string(), BatchKind::Open));
    }
    all.into_iter()
}

/// No bytes.
const NONE: Sizes = Sizes::exactly(0);
/// Any number of bytes.
const ANY: Sizes = Sizes::between(0, usize::MAX);

impl Batch {
    fn new(
        algorithm: &'static Algorithm,
        from: From,
        operation: String,
        kind: BatchKind,
        entry: Option<&'static BatchEntry>,
    ) -> Self {
        let block = match algorithm.new {
            New::Block { block, .. } => block,
            New::Stream { .. } => 1,
        };
        let cipher_key = algorithm.key;
        let whole = Sizes::steps(0, usize::MAX / block * block, block);
        let (key, iv, usual_iv, data, tag) = match (from, algorithm.new) {
            (From::Stream, New::Stream { iv, .. }) => (algorithm.key, iv, iv.min, ANY, NONE),
            (From::Stream, New::Block { .. }) => (algorithm.key, NONE, 0, ANY, NONE),
            (From::Operation(it), _) => {
                let iv = (it.iv)(block);
                let data = if it.data == DataRule::Any { ANY } else { whole };
                (algorithm.key, iv, iv.min, data, NONE)
            }
            (From::Message(it, _), _) => {
                let (key, iv) = (cipher_key.through(it.key), (it.iv)(block));
                (key, iv, iv.min, (it.data)(block), NONE)
            }
            (From::Aead(it, _), _) => (algorithm.key, it.nonce, it.usual_nonce, ANY, it.tag),
            (From::Mac(it), _) => {
                let key = cipher_key.through(it.key);
                (key, it.iv, it.usual_iv, ANY, (it.tag)(block))
            }
            (From::OfStream(it), _) => (it.key, it.iv, it.iv.min, ANY, NONE),
            (From::StreamMac(it), _) => (it.key, it.iv, it.iv.min, ANY, it.tag),
            (From::StreamAead(it, _), _) => (it.key, it.nonce, it.nonce.min, ANY, it.tag),
        };
        let in_lanes = entry.is_some() || in_lanes_of_stream(from, algorithm.new).is_some();
        let tag_len = tag.max;
        Self {
            operation,
            kind,
            key,
            iv,
            usual_iv,
            data,
            tag,
            tag_len,
            in_lanes,
            from,
            algorithm,
            entry,
        }
    }

    /// The length of the tags of batches made from this, in bytes; 0 where there are none.
    #[must_use]
    pub const fn tag_len(&self) -> usize {
        self.tag_len
    }

    /// The same operation with tags of that many bytes instead of the longest.
    ///
    /// # Errors
    /// [`Error::Length`] if it is not one of [`tag`](Self::tag).
    pub fn with_tag_len(mut self, bytes: usize) -> Result<Self, Error> {
        check_length("tag", bytes, self.tag)?;
        self.tag_len = bytes;
        Ok(self)
    }

    /// The operation under these keys, set up now; a [`Job`] names them by their places.
    ///
    /// # Errors
    /// [`Error::Length`] for a key of a wrong length, [`Error::EqualKeys`] for one whose
    /// halves must differ and don't.
    pub fn ready(&self, keys: &[&[u8]], level: Level) -> Result<Box<dyn ReadyBatch>, Error> {
        permit(level)?;
        let batch = match (self.algorithm.new, self.entry) {
            (New::Block { keys: new, .. }, Some(entry)) => {
                (entry.ready)(new, self.algorithm.key, keys, level)?
            }
            _ => self.one_by_one(level, keys.len(), Keyed(keys))?,
        };
        let batch: Box<dyn ReadyBatch> =
            if self.tag_len > 0 { Box::new(OneTag::new(self.tag_len, batch)) } else { batch };
        Ok(Traced::boxed(batch, level))
    }

    /// The operation under keys that come with the messages.
    ///
    /// # Errors
    /// None so far; what a constructor could refuse is known beforehand.
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
        let batch = match (self.algorithm.new, self.entry) {
            (New::Block { keys: new, .. }, Some(entry)) => {
                (entry.fresh)(new, self.algorithm.key, level)?
            }
            (new, _) => match in_lanes_of_stream(self.from, new) {
                Some(batch) => batch(limits, level),
                None => self.one_by_one(level, ROOM, Unkeyed)?,
            },
        };
        let batch: Box<dyn BatchCipher> =
            if self.tag_len > 0 { Box::new(OneTag::new(self.tag_len, batch)) } else { batch };
        Ok(Traced::boxed(batch, level))
    }

    /// One message after another.
    fn one_by_one<F: Finish>(
        &self,
        level: Level,
        room: usize,
        finish: F,
    ) -> Result<F::Output, Error> {
        let rules = Rules { key: self.key, iv: self.iv, aad: NONE, data: self.data, tag: self.tag };
        let (block, shared, keys) = match self.algorithm.new {
            New::Block { new, shared, keys, .. } => (new, shared, keys),
            New::Stream { .. } => return self.of_stream(level, room, rules, finish),
        };
        match self.from {
            From::Stream | From::OfStream(_) | From::StreamMac(_) | From::StreamAead(..) => {
                unreachable!("only stream ciphers have these")
            }
            From::Operation(it) => {
                let key = self.algorithm.key;
                finish.finish(Messages::with_room(it, (keys, key), room, level)?)
            }
            From::Message(it, decrypt) => {
                let new = move |key: &[u8]| (it.new)(block, key, level);
                let apply: fn(&mut (dyn MessageMode + 'static), &mut Job<'_>) -> _ = if decrypt {
                    |mode, job| mode.decrypt(job.iv, job.io.reborrow())
                } else {
                    |mode, job| mode.encrypt(job.iv, job.io.reborrow())
                };
                finish.finish(Objects::with_room(new, rules, apply, room))
            }
            From::Aead(it, open) => {
                let rules = Rules { aad: ANY, ..rules };
                let tag = self.tag_len;
                let new = move |key: &[u8]| {
                    let mut aead = (it.new)(block, key, level)?;
                    aead.set_tag_len(tag)?;
                    Ok(aead)
                };
                finish.finish(Objects::with_room(new, rules, apply_aead(open), room))
            }
            From::Mac(it) => {
                let rules = Rules { aad: ANY, data: NONE, ..rules };
                let (usual, tag) = (alloc::vec![0; it.usual_iv], self.tag_len);
                let new = move |key: &[u8]| {
                    let mut mac = (it.new)(shared, key, &usual, level)?;
                    mac.set_tag_len(tag)?;
                    Ok(mac)
                };
                finish.finish(Objects::with_room(new, rules, authenticate, room))
            }
        }
    }

    /// One message after another, or keys in front of the lanes, for a stream cipher.
    fn of_stream<F: Finish>(
        &self,
        level: Level,
        room: usize,
        rules: Rules,
        finish: F,
    ) -> Result<F::Output, Error> {
        let rules = match self.kind {
            BatchKind::Cipher => rules,
            BatchKind::Seal | BatchKind::Open => Rules { aad: ANY, ..rules },
            BatchKind::Mac => Rules { aad: ANY, data: NONE, ..rules },
        };
        if let Some(batch) = in_lanes_of_stream(self.from, self.algorithm.new) {
            let batch = batch(Limits::Enforced, level);
            return finish.finish(KeptKeys::with_room(batch, rules, room));
        }
        match self.from {
            From::StreamMac(it) => {
                let (usual, tag) = (alloc::vec![0; it.iv.min], self.tag_len);
                let new = move |key: &[u8]| (it.new)(key, &usual, tag, level);
                finish.finish(Objects::with_room(new, rules, authenticate, room))
            }
            From::StreamAead(it, open) => {
                // What is none has lanes.
                let Some(new) = it.new.aead() else { unreachable!("PDUs have a batch") };
                let tag = self.tag_len;
                let new = move |key: &[u8]| {
                    let mut aead = new(key, level)?;
                    aead.set_tag_len(tag)?;
                    Ok(aead)
                };
                finish.finish(Objects::with_room(new, rules, apply_aead(open), room))
            }
            _ => unreachable!("every keystream has a batch"),
        }
    }
}

/// The constructor of an operation of a stream cipher, if it has lanes.
fn in_lanes_of_stream(from: From, new: New) -> Option<NewBatch> {
    match (from, new) {
        (From::Stream, New::Stream { batch, .. }) => Some(batch),
        (From::OfStream(it), _) => Some(it.batch),
        (From::StreamMac(it), _) => it.batch,
        (From::StreamAead(it, open), _) => it.batches.map(|batches| batches[usize::from(open)]),
        _ => None,
    }
}

/// What is done with an AEAD and a message.
fn apply_aead(open: bool) -> fn(&mut (dyn Aead + 'static), &mut Job<'_>) -> Result<(), Error> {
    if open {
        |aead, job| aead.open(job.iv, job.aad, job.io.reborrow(), job.tag)
    } else {
        |aead, job| aead.seal(job.iv, job.aad, job.io.reborrow(), job.tag)
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
