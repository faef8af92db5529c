//! GCM: a message in pieces, and the records of TLS 1.2.

use ciphers::BlockCipher;
use ciphers::Sizes;
use ciphers::aead::AeadStream;
use ciphers::aead::gcm::GcmStream;
use ciphers::modes::Direction;

use super::key::{Iv, Key, Settings, set_up};
use super::pipe::{Pipe, TAG};
use super::tls::Header;
use super::{AnyWork, Work};
use crate::core::Params;
use crate::names::{Spec, level};
use crate::reason::{Reason, wrong_length};
use crate::{Outcome, memory};

mod piped;
mod records;

use piped::GcmPipe;
use records::{TLS_EXPLICIT, not_counted, random};

/// The longest nonce in bytes.
const LONGEST: usize = 128;
/// The lengths of a tag that opening compares (SP 800-38D §5.2.1.2).
const TAGS: Sizes = Sizes::of([4, 8, 12, 13, 14, 15, 16]);
/// The shortest nonce that may be drawn at random (SP 800-38D §8.2.2).
const DRAWN: usize = 12;

/// Where the IV is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// There is none.
    Waiting,
    /// It is there, and nothing was done under it.
    Ready,
    /// The message has begun.
    Running,
    /// It was used for a whole message.
    Ended,
}

type Stream = GcmStream<Key>;

pub(super) struct GcmWork {
    spec: &'static Spec,
    settings: Settings,
    encrypt: bool,
    iv: Iv<LONGEST>,
    phase: Phase,
    /// The key, and the message under it.
    stream: Option<Box<Stream>>,
    tag: [u8; TAG],
    /// The tag's length, once it is known: set for opening, computed by sealing.
    tag_length: Option<usize>,
    tls: Option<Header>,
    /// Whether the explicit part of the nonce is counted here.
    counts: bool,
    /// Whether the nonce was drawn here.
    drawn: bool,
}

/// OpenSSL's users may copy a message that has begun.
impl Clone for GcmWork {
    fn clone(&self) -> Self {
        Self {
            iv: self.iv.clone(),
            stream: self.stream.as_ref().map(|it| Box::new(it.clone_under_the_same_nonce())),
            ..*self
        }
    }
}

impl GcmWork {
    pub(super) fn new(spec: &'static Spec) -> Self {
        Self {
            spec,
            settings: Settings::new(spec),
            encrypt: true,
            iv: Iv::new(spec.iv),
            phase: Phase::Waiting,
            stream: None,
            tag: [0; TAG],
            tag_length: None,
            tls: None,
            counts: false,
            drawn: false,
        }
    }

    fn stream(&mut self) -> Outcome<&mut Stream> {
        let stream = self.stream.as_mut().ok_or(Reason::NoKey)?;
        // Without an IV for encryption one is drawn, which the program can ask for.
        if self.phase == Phase::Waiting && self.encrypt && self.iv.len() >= DRAWN {
            random(self.iv.bytes_mut())?;
            (self.phase, self.drawn) = (Phase::Ready, true);
        }
        match self.phase {
            Phase::Waiting => return Err(Reason::NoIv.into()),
            Phase::Ended => return Err(Reason::IvUsed.into()),
            Phase::Running => {}
            Phase::Ready => {
                let direction = if self.encrypt { Direction::Encrypt } else { Direction::Decrypt };
                stream.restart(direction, self.iv.bytes())?;
                self.phase = Phase::Running;
            }
        }
        Ok(stream)
    }

    /// Takes a key, in the place of the one before where nobody else works under that.
    fn take_key(&mut self, key: &[u8]) -> Outcome {
        let here = |stream: &mut Box<Stream>| {
            stream.gcm().cipher().level() == level() && stream.rekey(key)
        };
        if !self.stream.as_mut().is_some_and(here) {
            let cipher = set_up(self.spec, key, self.settings.parameters)?;
            self.stream = Some(Stream::boxed(cipher)?);
        }
        Ok(())
    }
}

impl Work for GcmWork {
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        if self.encrypt != encrypt && self.phase == Phase::Running {
            self.phase = Phase::Ended;
        }
        (self.encrypt, self.tls) = (encrypt, None);
        if encrypt {
            self.tag_length = None;
        }
        if let Some(iv) = iv {
            if iv.len() != self.iv.len() {
                if !self.spec.ivs.allow(iv.len()) {
                    return Err(wrong_length("iv", iv.len(), self.spec.ivs));
                }
                self.iv.resize(iv.len())?;
            }
            self.iv.set(iv)?;
            (self.phase, self.counts, self.drawn) = (Phase::Ready, false, false);
        }
        if let Some(key) = key {
            self.settings.check(key)?;
            self.take_key(key)?;
            if self.phase == Phase::Running {
                self.phase = Phase::Ended;
            }
        }
        Ok(())
    }

    unsafe fn update(
        &mut self,
        from: *const u8,
        length: usize,
        to: *mut u8,
        room: usize,
    ) -> Outcome<usize> {
        if length == 0 {
            return Ok(0);
        }
        if let Some(aad) = self.tls.take() {
            if !std::ptr::eq(from, to) || room < length {
                return Err(Reason::Operation.because("a record is processed where it lies"));
            }
            // SAFETY: the promises of `update`.
            let data = unsafe { memory::output(to, length) }?;
            let done = self.record(aad, data);
            self.phase = Phase::Ended;
            return done;
        }
        // SAFETY: the promises of `update`.
        unsafe {
            if to.is_null() {
                let stream = self.stream()?;
                stream.make_ready(length);
                stream.aad(memory::input(from, length)?)?;
            } else {
                if room < length {
                    return Err(Reason::OutputTooSmall.into());
                }
                let stream = self.stream()?;
                stream.make_ready(length);
                stream.update(memory::in_out(from, to, length)?)?;
            }
        }
        Ok(length)
    }

    fn finish(&mut self, _: &mut [u8]) -> Outcome<usize> {
        // Nor does a record have an end of its own: its update has said whether it is authentic.
        let (encrypt, tag, length) = (self.encrypt, self.tag, self.tag_length);
        let stream = self.stream()?;
        if encrypt {
            let mut tag = [0; TAG];
            stream.set_tag_len(TAG)?;
            stream.finish(&mut tag)?;
            (self.tag, self.tag_length) = (tag, Some(TAG));
        } else {
            let length = length.ok_or(Reason::TagNotSet)?;
            // The caller says the length, with the tag.
            stream.set_tag_len(length)?;
            let verdict = stream.verify(tag.get(..length).ok_or(Reason::Internal)?);
            self.phase = Phase::Ended;
            verdict?;
        }
        self.phase = Phase::Ended;
        Ok(0)
    }

    fn lengths(&self) -> [usize; 2] {
        [self.settings.key_length, self.iv.len()]
    }

    fn get(&mut self, params: Params) -> Outcome {
        params.answer(c"taglen", self.tag_length.unwrap_or(TAG))?;
        params.answer(c"tlsaadpad", if self.tls.is_some() { TAG } else { 0 })?;
        params.answer(c"iv-generated", usize::from(self.drawn))?;
        for name in [c"iv", c"updated-iv"] {
            if let Some(found) = params.find(name) {
                if self.phase == Phase::Waiting {
                    return Err(Reason::NoIv.into());
                }
                found.put_bytes(self.iv.bytes())?;
            }
        }
        if let Some(found) = params.find(c"tag") {
            let length = self.tag_length.filter(|_| self.encrypt).ok_or(Reason::TagNotSet)?;
            let (size, there) = found.size();
            let size = if there { size } else { length };
            let tag = self.tag.get(..size).filter(|tag| !tag.is_empty());
            let allowed = Sizes::between(1, TAG);
            found.put_bytes(tag.ok_or_else(|| wrong_length("tag", size, allowed))?)?;
        }
        if let Some(found) = params.find(c"tlsivgen") {
            let (size, _) = found.size();
            let size = if size == 0 || size > self.iv.len() { self.iv.len() } else { size };
            if !self.counts {
                return Err(not_counted());
            }
            if self.stream.is_none() {
                return Err(Reason::NoKey.into());
            }
            let at = self.iv.len() - size;
            found.put_bytes(&self.iv.bytes()[at..])?;
            self.phase = Phase::Ready;
            self.stream()?;
            self.count();
        }
        Ok(())
    }

    fn set(&mut self, params: Params) -> Outcome {
        if self.settings.set(self.spec, params)? {
            self.stream = None;
        }
        if let Some(found) = params.find(c"tag") {
            if self.encrypt {
                return Err(Reason::TagNotNeeded.into());
            }
            let tag = found.bytes()?;
            self.expect(tag)?;
        }
        if let Some(found) = params.find(c"ivlen") {
            let length = found.number()?;
            if !self.spec.ivs.allow(length) {
                return Err(wrong_length("iv", length, self.spec.ivs));
            }
            if length != self.iv.len() {
                self.iv.resize(length)?;
                if self.phase != Phase::Waiting {
                    self.phase = Phase::Ended;
                }
            }
        }
        if let Some(found) = params.find(c"tlsaad") {
            let aad = found.bytes()?;
            let around = if self.encrypt { TLS_EXPLICIT } else { TLS_EXPLICIT + TAG };
            self.tls = Some(super::tls::header(aad, around)?);
        }
        if let Some(found) = params.find(c"tlsivfixed") {
            self.fixed(found)?;
        }
        if let Some(found) = params.find(c"tlsivinv") {
            self.invocation(found.bytes()?)?;
        }
        Ok(())
    }

    fn duplicate(&self) -> AnyWork {
        AnyWork::Gcm(self.clone())
    }

    fn pipe(&self) -> Option<Box<dyn Pipe>> {
        Some(Box::new(GcmPipe::new(self.clone())))
    }
}

impl GcmWork {
    /// The tag that a batch has computed ends the message.
    fn ended_with(&mut self, tag: [u8; TAG]) {
        (self.tag, self.tag_length, self.phase) = (tag, Some(TAG), Phase::Ended);
    }

    /// The tag, as long as it is known.
    fn tag(&self) -> Option<&[u8]> {
        self.tag.get(..self.tag_length?)
    }

    /// Sets the tag that opening compares.
    fn expect(&mut self, tag: &[u8]) -> Outcome {
        if !TAGS.allow(tag.len()) {
            return Err(wrong_length("tag", tag.len(), TAGS));
        }
        self.tag[..tag.len()].copy_from_slice(tag);
        self.tag_length = Some(tag.len());
        Ok(())
    }
}
