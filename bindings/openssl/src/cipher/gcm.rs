//! GCM: a message in pieces, and the records of TLS 1.2.

use std::sync::Arc;

use ciphers::Aead;
use ciphers::aead::AeadStream;
use ciphers::aead::gcm::{Gcm, GcmStream};
use ciphers::modes::Direction;

use super::key::{Iv, Key, Settings, set_up};
use super::{Work, pipeline};
use crate::core::Params;
use crate::names::Spec;
use crate::{Outcome, Refused, memory};

/// The longest tag in bytes.
pub(super) const TAG: usize = 16;
/// A record's associated data in TLS 1.2, its explicit part of the nonce, and the fixed part.
const TLS_AAD: usize = 13;
const TLS_EXPLICIT: usize = 8;
const TLS_FIXED: usize = 4;

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

type Stream = GcmStream<Key, Arc<Gcm<Key>>>;

#[derive(Clone)]
pub(super) struct GcmWork {
    spec: &'static Spec,
    settings: Settings,
    pub(super) encrypt: bool,
    pub(super) gcm: Option<Arc<Gcm<Key>>>,
    pub(super) key: crate::wiped::Wiped,
    pub(super) iv: Iv,
    phase: Phase,
    stream: Option<Stream>,
    tag: [u8; TAG],
    /// The tag's length, once it is known: set for opening, computed by sealing.
    tag_length: Option<usize>,
    tls: Option<[u8; TLS_AAD]>,
    /// Whether the explicit part of the nonce is counted here.
    counts: bool,
}

impl GcmWork {
    pub(super) fn new(spec: &'static Spec) -> Self {
        Self {
            spec,
            settings: Settings::new(spec),
            encrypt: true,
            gcm: None,
            key: crate::wiped::Wiped::default(),
            iv: Iv::new(spec.iv),
            phase: Phase::Waiting,
            stream: None,
            tag: [0; TAG],
            tag_length: None,
            tls: None,
            counts: false,
        }
    }

    fn stream(&mut self) -> Outcome<&mut Stream> {
        let gcm = self.gcm.as_ref().ok_or(Refused)?;
        match self.phase {
            Phase::Waiting | Phase::Ended => return Err(Refused),
            Phase::Running => {}
            Phase::Ready => {
                let direction = if self.encrypt { Direction::Encrypt } else { Direction::Decrypt };
                match &mut self.stream {
                    // One of another key or direction was dropped.
                    Some(stream) => stream.reset(self.iv.bytes())?,
                    None => {
                        let stream = GcmStream::new(Arc::clone(gcm), direction, self.iv.bytes())?;
                        self.stream = Some(stream);
                    }
                }
                self.phase = Phase::Running;
            }
        }
        self.stream.as_mut().ok_or(Refused)
    }

    /// A whole record, in place: explicit part of the nonce, data, tag.
    fn record(&mut self, aad: [u8; TLS_AAD], data: &mut [u8]) -> Outcome<usize> {
        let gcm = self.gcm.clone().ok_or(Refused)?;
        let (explicit, rest) = data.split_at_mut_checked(TLS_EXPLICIT).ok_or(Refused)?;
        let body = rest.len().checked_sub(TAG).ok_or(Refused)?;
        let (body, tag) = rest.split_at_mut(body);
        if self.encrypt {
            self.generated(explicit)?;
            gcm.seal(self.iv.bytes(), &aad, body.into(), tag)?;
            return Ok(data.len());
        }
        self.invocation(explicit)?;
        gcm.open(self.iv.bytes(), &aad, (&mut *body).into(), tag)?;
        Ok(body.len())
    }

    /// Writes the last bytes of the nonce and counts them for the next one.
    fn generated(&mut self, place: &mut [u8]) -> Outcome {
        if !self.counts {
            return Err(Refused);
        }
        let count = place.len().min(self.iv.len());
        let at = self.iv.len() - count;
        place[..count].copy_from_slice(&self.iv.bytes()[at..]);
        Ok(())
    }

    fn count(&mut self) {
        let at = self.iv.len() - TLS_EXPLICIT;
        for byte in self.iv.bytes_mut()[at..].iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }

    /// Takes the last bytes of the nonce from a record.
    fn invocation(&mut self, bytes: &[u8]) -> Outcome {
        if !self.counts || self.encrypt {
            return Err(Refused);
        }
        let at = self.iv.len().checked_sub(bytes.len()).ok_or(Refused)?;
        self.iv.bytes_mut()[at..].copy_from_slice(bytes);
        self.phase = Phase::Ready;
        Ok(())
    }

    /// The fixed part of the nonce; the rest is counted from a random start when sealing.
    fn fixed(&mut self, bytes: &[u8]) -> Outcome {
        if bytes.len() == self.iv.len() {
            self.iv.set(bytes)?;
        } else {
            let rest = self.iv.len().checked_sub(bytes.len()).ok_or(Refused)?;
            if bytes.len() < TLS_FIXED || rest < TLS_EXPLICIT {
                return Err(Refused);
            }
            self.iv.bytes_mut()[..bytes.len()].copy_from_slice(bytes);
            if self.encrypt {
                random(&mut self.iv.bytes_mut()[bytes.len()..])?;
            }
        }
        self.counts = true;
        self.phase = Phase::Ready;
        Ok(())
    }
}

/// Fills bytes from the system's generator.
fn random(bytes: &mut [u8]) -> Outcome {
    use std::io::Read as _;
    let file = std::fs::File::open("/dev/urandom");
    file.and_then(|mut file| file.read_exact(bytes)).map_err(|_| Refused)
}

impl Work for GcmWork {
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        if self.encrypt != encrypt {
            self.stream = None;
        }
        (self.encrypt, self.tls) = (encrypt, None);
        if encrypt {
            self.tag_length = None;
        }
        if let Some(iv) = iv {
            if iv.len() != self.iv.len() {
                if !self.spec.ivs.allow(iv.len()) {
                    return Err(Refused);
                }
                self.iv.resize(iv.len())?;
            }
            self.iv.set(iv)?;
            (self.phase, self.counts) = (Phase::Ready, false);
        }
        if let Some(key) = key {
            if key.len() != self.settings.key_length {
                return Err(Refused);
            }
            let cipher = set_up(self.spec, key, self.settings.parameters)?;
            self.stream = None;
            match self.gcm.as_mut().and_then(Arc::get_mut) {
                Some(gcm) => gcm.rekey(cipher)?,
                None => self.gcm = Some(Arc::new(Gcm::new(cipher)?)),
            }
            self.key = crate::wiped::Wiped::new(key);
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
        if let Some(aad) = self.tls.take() {
            if !std::ptr::eq(from, to) || room < length {
                return Err(Refused);
            }
            // SAFETY: the promises of `update`.
            let data = unsafe { memory::output(to, length) }?;
            let done = self.record(aad, data);
            if self.encrypt {
                self.count();
            }
            self.phase = Phase::Ended;
            return done;
        }
        if from.is_null() && length == 0 && !to.is_null() {
            return Ok(0);
        }
        // SAFETY: the promises of `update`.
        unsafe {
            if to.is_null() {
                self.stream()?.aad(memory::input(from, length)?)?;
            } else {
                if room < length {
                    return Err(Refused);
                }
                self.stream()?.update(memory::in_out(from, to, length)?)?;
            }
        }
        Ok(length)
    }

    fn finish(&mut self, _: &mut [u8]) -> Outcome<usize> {
        // A record is finished with its update.
        if self.phase == Phase::Ended && self.counts {
            return Ok(0);
        }
        let (encrypt, tag, length) = (self.encrypt, self.tag, self.tag_length);
        let stream = self.stream()?;
        if encrypt {
            let mut tag = [0; TAG];
            stream.finish(&mut tag)?;
            (self.tag, self.tag_length) = (tag, Some(TAG));
        } else {
            let length = length.ok_or(Refused)?;
            let verdict = stream.verify(tag.get(..length).ok_or(Refused)?);
            self.phase = Phase::Ended;
            verdict?;
        }
        self.phase = Phase::Ended;
        Ok(0)
    }

    fn get(&mut self, params: Params) -> Outcome {
        params.answer(c"keylen", self.settings.key_length)?;
        params.answer(c"ivlen", self.iv.len())?;
        params.answer(c"taglen", self.tag_length.unwrap_or(TAG))?;
        params.answer(c"tlsaadpad", if self.tls.is_some() { TAG } else { 0 })?;
        params.answer(c"iv-generated", 0)?;
        for name in [c"iv", c"updated-iv"] {
            if let Some(found) = params.find(name) {
                found.put_bytes(self.iv.bytes())?;
            }
        }
        if let Some(found) = params.find(c"tag") {
            let length = self.tag_length.filter(|_| self.encrypt).ok_or(Refused)?;
            let (size, there) = found.size();
            let size = if there { size } else { length };
            let tag = self.tag.get(..size).filter(|tag| !tag.is_empty());
            found.put_bytes(tag.ok_or(Refused)?)?;
        }
        if let Some(found) = params.find(c"tlsivgen") {
            let (size, _) = found.size();
            let size = if size == 0 || size > self.iv.len() { self.iv.len() } else { size };
            if !self.counts {
                return Err(Refused);
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
        self.settings.set(self.spec, params)?;
        if let Some(found) = params.find(c"tag") {
            let (size, there) = found.size();
            if size == 0 || size > TAG || self.encrypt {
                return Err(Refused);
            }
            if there {
                self.tag[..size].copy_from_slice(found.bytes()?);
            }
            self.tag_length = Some(size);
        }
        if let Some(found) = params.find(c"ivlen") {
            let length = found.number()?;
            if !self.spec.ivs.allow(length) {
                return Err(Refused);
            }
            if length != self.iv.len() {
                self.iv.resize(length)?;
                self.phase = Phase::Waiting;
            }
        }
        if let Some(found) = params.find(c"tlsaad") {
            let mut aad: [u8; TLS_AAD] = found.bytes()?.try_into().map_err(|_| Refused)?;
            // The length in it is the record's; authenticated is the data's.
            let record = usize::from(u16::from_be_bytes([aad[11], aad[12]]));
            let around = if self.encrypt { TLS_EXPLICIT } else { TLS_EXPLICIT + TAG };
            let data = record.checked_sub(around).ok_or(Refused)? as u16;
            aad[11..].copy_from_slice(&data.to_be_bytes());
            self.tls = Some(aad);
        }
        if let Some(found) = params.find(c"tlsivfixed") {
            self.fixed(found.bytes()?)?;
        }
        if let Some(found) = params.find(c"tlsivinv") {
            self.invocation(found.bytes()?)?;
        }
        Ok(())
    }

    fn duplicate(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }

    fn pipe(&self) -> Option<pipeline::Pipe> {
        let pipe =
            pipeline::GcmPipe { work: self.clone(), aad: Vec::new(), begun: false, done: false };
        Some(pipeline::Pipe::Gcm(Box::new(pipe)))
    }
}

impl GcmWork {
    /// The tag that a batch has computed ends the message.
    pub(super) fn ended_with(&mut self, tag: [u8; TAG]) {
        (self.tag, self.tag_length, self.phase) = (tag, Some(TAG), Phase::Ended);
    }

    /// The tag, as long as it is known.
    pub(super) fn tag(&self) -> Option<&[u8]> {
        self.tag.get(..self.tag_length?)
    }

    /// Sets the tag that opening compares.
    pub(super) fn expect(&mut self, tag: &[u8]) -> Outcome {
        self.tag.get_mut(..tag.len()).ok_or(Refused)?.copy_from_slice(tag);
        self.tag_length = Some(tag.len());
        Ok(())
    }
}
