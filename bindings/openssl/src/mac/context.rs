//! A MAC in the course of a message, by the rules of EVP_MAC.
//!
//! CMAC ends with `final` and begins again with `init`. A MAC with an IV ends with `final` for
//! good, until there is another IV: two tags under one IV let anyone forge a third.

use std::ffi::c_void;

use ciphers::Mac;
use ciphers::Sizes;
use ciphers::mac::cmac::Cmac;
use ciphers::mac::gmac::Gmac;
use ciphers::registry::Parameters;
use ciphers::zuc::mac::{Zuc128Mac, Zuc256Mac};
use ciphers::zuc::nia6::Nia6;

use super::elsewhere::Elsewhere;
use super::running::{Keyed, Kind, Running};
use crate::core::Params;
use crate::host::Host;
use crate::names::{self, Mode, Spec, level};
use crate::reason::{Reason, wrong_length};
use crate::wiped::Wiped;
use crate::{Outcome, instance, memory};

/// How far the message is; of a MAC with an IV, that of its IV.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// There is no IV, or of CMAC no key.
    Waiting,
    /// Nothing came yet.
    Fresh,
    Begun,
    /// The tag was made.
    Ended,
}

/// What OpenSSL holds.
pub(super) struct Context {
    provider: *mut c_void,
    pub(super) host: Host,
    kind: Kind,
    /// The cipher for the next key, and that of the last.
    cipher: Option<&'static Spec>,
    of_key: Option<&'static Spec>,
    key: Option<Keyed>,
    iv: Vec<u8>,
    size: Option<usize>,
    phase: Phase,
    /// Under the key and the IV.
    running: Option<Running>,
    /// In place of all this: another provider's, where the cipher is none of ours.
    elsewhere: Option<Elsewhere>,
}

impl Context {
    /// # Safety
    /// `provider` is what OpenSSL got from this provider, which outlives the context.
    pub(super) unsafe fn new(kind: Kind, provider: *mut c_void) -> Self {
        Self {
            provider,
            // SAFETY: the caller's promise.
            host: unsafe { instance::host(provider) },
            kind,
            cipher: None,
            of_key: None,
            key: None,
            iv: Vec::new(),
            size: None,
            phase: Phase::Waiting,
            running: None,
            elsewhere: None,
        }
    }

    /// Becomes what a new one is.
    pub(super) fn begin_anew(&mut self) {
        // SAFETY: the promise of `new`, which this one was made by.
        *self = unsafe { Self::new(self.kind, self.provider) };
    }

    /// The lengths of tags, and the usual one.
    fn sizes(&self) -> (Sizes, usize) {
        match self.kind {
            Kind::Cmac => {
                let block = self.of_key.map_or(0, block);
                (Sizes::between(1, self.cipher.map_or(16, self::block)), block)
            }
            Kind::Gmac => (Sizes::exactly(16), 16),
            Kind::Eia3 => (Sizes::exactly(4), 4),
            Kind::Zuc256 => (Sizes::steps(4, 16, 4), 16),
            Kind::Nia6 => (Sizes::between(4, 16), 4),
        }
    }

    pub(super) fn size(&self) -> usize {
        let usual = self.sizes().1;
        // Before there is a key CMAC has no size.
        self.size.filter(|_| usual > 0).unwrap_or(usual)
    }

    /// Parameters and then the key, as the default provider takes them. Without a key CMAC begins
    /// anew under the one it has; a message with an IV goes on.
    pub(super) fn init(&mut self, key: Option<&[u8]>, params: Params) -> Outcome {
        self.set(params)?;
        if let Some(elsewhere) = &mut self.elsewhere {
            return elsewhere.init(key);
        }
        match (self.kind, key) {
            (_, Some(key)) => self.set_key(key),
            (Kind::Cmac, None) => {
                let running = self.running.as_mut().ok_or(Reason::NoKey)?;
                running.mac().reset(&[])?;
                self.phase = Phase::Fresh;
                Ok(())
            }
            (Kind::Gmac, None) if self.cipher.is_none() => Err(Reason::MissingCipher.into()),
            (Kind::Gmac, None) => Ok(()),
            // What the default provider lacks begins anew, or not at all.
            (_, None) if self.key.is_none() => Err(Reason::NoKey.into()),
            (_, None) => self.unused(),
        }
    }

    /// That the IV was not used yet.
    fn unused(&self) -> Outcome {
        match self.phase {
            Phase::Waiting => Err(Reason::NoIv.into()),
            Phase::Fresh => Ok(()),
            Phase::Begun | Phase::Ended => Err(Reason::IvUsed.into()),
        }
    }

    fn set_key(&mut self, key: &[u8]) -> Outcome {
        if !self.kind.takes_cipher() {
            if self.phase != Phase::Waiting {
                self.unused()?;
            }
            // Of whatever length it is: that is looked at when there is an IV.
            if !reserve::there_is(key.len()) {
                return Err(Reason::NoMemory.into());
            }
            (self.key, self.running) = (Some(Keyed::Bytes(Wiped::new(key))), None);
            return self.make();
        }
        let spec = self.cipher.ok_or(Reason::MissingCipher)?;
        if self.kind == Kind::Cmac {
            // Whatever comes of it, nothing goes on under another key.
            (self.of_key, self.running, self.phase) = (Some(spec), None, Phase::Waiting);
        }
        let fits = key.len() == spec.key || self.kind == Kind::Cmac && spec.keys.allow(key.len());
        if !fits {
            return Err(wrong_length("key", key.len(), spec.keys));
        }
        let parameters = Parameters { effective_key_bits: spec.key_bits, ..Parameters::default() };
        let cipher = crate::cipher::set_up(spec, key, parameters)?;
        if self.kind == Kind::Cmac {
            self.running = Some(Running::Cmac(Cmac::new(cipher)?));
            self.phase = Phase::Fresh;
        } else {
            (self.key, self.running) = (Some(Keyed::Cipher(cipher)), None);
            if self.phase == Phase::Begun {
                self.phase = Phase::Ended;
            }
            self.make()?;
        }
        Ok(())
    }

    /// Makes the MAC of a key and an IV, if both are there and it is not.
    fn make(&mut self) -> Outcome {
        let Some(key) = self.key.as_ref().filter(|_| self.running.is_none()) else { return Ok(()) };
        if self.phase != Phase::Fresh {
            return Ok(());
        }
        let (iv, level, size) = (self.iv.as_slice(), level(), self.size());
        self.running = Some(match (self.kind, key) {
            (Kind::Gmac, Keyed::Cipher(cipher)) => {
                Running::Gmac(Box::new(Gmac::new(cipher.clone(), iv)?))
            }
            (Kind::Eia3, Keyed::Bytes(key)) => {
                Running::Eia3(Box::new(Zuc128Mac::with_level(key.bytes(), iv, size, level)?))
            }
            (Kind::Zuc256, Keyed::Bytes(key)) => {
                Running::Zuc256(Box::new(Zuc256Mac::with_level(key.bytes(), iv, size, level)?))
            }
            (Kind::Nia6, Keyed::Bytes(key)) => {
                Running::Nia6(Box::new(Nia6::with_level(key.bytes(), iv, level)?))
            }
            _ => return Err(Reason::Internal.into()),
        });
        Ok(())
    }

    fn set_iv(&mut self, iv: &[u8]) -> Outcome {
        // EVP's bounds for GCM; other MACs look when they are made.
        let allowed = Sizes::between(1, 128);
        if !allowed.allow(iv.len()) {
            return Err(wrong_length("iv", iv.len(), allowed));
        }
        if let Some(running) = &mut self.running {
            running.mac().reset(iv)?;
        }
        self.iv.clear();
        self.iv.extend_from_slice(iv);
        self.phase = Phase::Fresh;
        self.make()
    }

    /// The MAC for more data or for its end.
    fn ready(&mut self) -> Outcome<&mut dyn Mac> {
        if self.kind == Kind::Cmac {
            if self.phase == Phase::Ended {
                // OpenSSL's own goes on then from a state that is no message's.
                return Err(Reason::Operation.because("CMAC begins a message with init"));
            }
            return Ok(self.running.as_mut().ok_or(Reason::NoKey)?.mac());
        }
        if self.key.is_none() {
            return Err(Reason::NoKey.into());
        }
        match self.phase {
            Phase::Waiting => return Err(Reason::NoIv.into()),
            Phase::Ended => return Err(Reason::IvUsed.into()),
            Phase::Fresh | Phase::Begun => {}
        }
        self.make()?;
        Ok(self.running.as_mut().ok_or(Reason::Internal)?.mac())
    }

    pub(super) fn update(&mut self, data: &[u8]) -> Outcome {
        if let Some(elsewhere) = &mut self.elsewhere {
            return elsewhere.update(data);
        }
        if data.is_empty() && (self.kind == Kind::Gmac || self.running.is_some()) {
            return Ok(());
        }
        self.ready()?.update(data)?;
        self.phase = Phase::Begun;
        Ok(())
    }

    /// Writes the tag; returns its length.
    ///
    /// # Safety
    /// `output` is valid for writing `room` bytes.
    pub(super) unsafe fn finish(&mut self, output: *mut u8, room: usize) -> Outcome<usize> {
        if let Some(elsewhere) = &mut self.elsewhere {
            // SAFETY: the caller's promise.
            return unsafe { elsewhere.finish(output, room) };
        }
        let size = self.size();
        // Without an output only the size is asked for.
        if output.is_null() {
            return Ok(size);
        }
        if room < size {
            return Err(Reason::OutputTooSmall.into());
        }
        // EVP's tags may be shorter than the MAC's own: their first bytes.
        let mut tag = [0; 16];
        let mac = self.ready()?;
        let whole = mac.tag_len();
        mac.finish(&mut tag[..whole])?;
        self.phase = Phase::Ended;
        // SAFETY: the caller's promise; there is as much room.
        unsafe { memory::output(output, size) }?.copy_from_slice(&tag[..size]);
        Ok(size)
    }

    /// The same once more.
    pub(super) fn duplicate(&self) -> Outcome<Self> {
        let elsewhere = self.elsewhere.as_ref().map(Elsewhere::duplicate).transpose()?;
        let (running, key, iv) = (self.running.clone(), self.key.clone(), self.iv.clone());
        Ok(Self { running, key, iv, elsewhere, ..*self })
    }

    pub(super) fn get(&self, params: Params) -> Outcome {
        if let Some(elsewhere) = &self.elsewhere {
            elsewhere.get(params)?;
            // The default provider tells that of every GMAC, not of one.
            return if self.kind == Kind::Gmac { params.answer(c"size", 16) } else { Ok(()) };
        }
        params.answer(c"size", self.size())?;
        // As by the default provider, of which only CMAC tells it.
        match self.kind {
            Kind::Cmac => params.answer(c"block-size", self.of_key.map_or(0, block)),
            Kind::Gmac => Ok(()),
            _ => params.answer(c"block-size", 16),
        }
    }

    pub(super) fn set(&mut self, params: Params) -> Outcome {
        if let Some(found) = params.find(c"cipher").filter(|_| self.kind.takes_cipher()) {
            let name = found.text()?;
            let query = params.find(c"properties").map(|it| it.text()).transpose()?;
            match self.ours(name, query) {
                Some(spec) => {
                    let fits =
                        spec.mode == if self.kind == Kind::Cmac { Mode::Cbc } else { Mode::Gcm };
                    if !fits {
                        return Err(Reason::Mode.because(format!("{name} in a MAC")));
                    }
                    (self.elsewhere, self.cipher) = (None, Some(spec));
                    if self.kind == Kind::Gmac {
                        // A cipher begins everything anew.
                        (self.key, self.running, self.phase) = (None, None, Phase::Waiting);
                    }
                }
                None if self.elsewhere.is_none() => {
                    // What was set up for another cipher is of no use any more.
                    let cmac = self.kind == Kind::Cmac;
                    // SAFETY: the promise of `new`.
                    let fresh = unsafe { Elsewhere::new(self.provider, self.host, cmac) }?;
                    (self.key, self.running, self.phase) = (None, None, Phase::Waiting);
                    self.elsewhere = Some(fresh);
                }
                None => {}
            }
        }
        if let Some(elsewhere) = &mut self.elsewhere {
            return elsewhere.set(params);
        }
        if let Some(found) = params.find(c"size") {
            let (size, allowed) = (found.number()?, self.sizes().0);
            if !allowed.allow(size) {
                return Err(wrong_length("tag", size, allowed));
            }
            if self.size != Some(size) && self.kind.takes_iv() && self.phase != Phase::Begun {
                self.running = None;
            }
            self.size = Some(size);
        }
        if let Some(found) = params.find(c"key") {
            self.set_key(found.bytes()?)?;
        }
        if let Some(found) = params.find(c"iv").filter(|_| self.kind.takes_iv()) {
            self.set_iv(found.bytes()?)?;
        }
        Ok(())
    }

    /// The cipher, if it is one of ours and nobody asks for another provider's.
    fn ours(&self, name: &str, query: Option<&str>) -> Option<&'static Spec> {
        let asks = query.unwrap_or_default();
        let for_us = ["", "provider=cipherlane", "?provider=cipherlane"].contains(&asks);
        // SAFETY: the promise of `new`.
        let legacy = unsafe { instance::legacy(self.provider) };
        names::spec(name).filter(|spec| for_us && (legacy || !spec.is_legacy()))
    }
}

/// The block length of a cipher in bytes.
fn block(spec: &'static Spec) -> usize {
    spec.algorithm.block().unwrap_or(1)
}
