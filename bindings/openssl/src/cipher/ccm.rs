//! CCM, which takes a message in one piece, and the records of TLS 1.2.

use std::sync::Arc;

use ciphers::Aead;
use ciphers::aead::ccm::Ccm;

use super::key::{Iv, Key, Settings, set_up};
use super::{Work, pipeline};
use crate::core::Params;
use crate::names::Spec;
use crate::{Outcome, Refused, memory};

const TAG: usize = 16;
/// What EVP takes where nothing else is said: a nonce of 7 bytes, a tag of 12.
const USUAL_NONCE: usize = 7;
const USUAL_TAG: usize = 12;
/// A record's associated data in TLS 1.2, its explicit part of the nonce, and the fixed part.
const TLS_AAD: usize = 13;
const TLS_EXPLICIT: usize = 8;
const TLS_FIXED: usize = 4;

#[derive(Clone)]
pub(super) struct CcmWork {
    spec: &'static Spec,
    settings: Settings,
    encrypt: bool,
    ccm: Option<Arc<Ccm<Key>>>,
    nonce: Iv,
    nonce_set: bool,
    aad: Vec<u8>,
    /// The length of the message, if it was announced.
    announced: Option<usize>,
    tag: [u8; TAG],
    tag_length: usize,
    /// Whether the tag was set, or computed.
    tag_known: bool,
    tls: Option<[u8; TLS_AAD]>,
    /// Whether the message was sealed, or opened and found authentic.
    done: bool,
}

impl CcmWork {
    pub(super) fn new(spec: &'static Spec) -> Self {
        Self {
            spec,
            settings: Settings::new(spec),
            encrypt: true,
            ccm: None,
            nonce: Iv::new(USUAL_NONCE),
            nonce_set: false,
            aad: Vec::new(),
            announced: None,
            tag: [0; TAG],
            tag_length: USUAL_TAG,
            tag_known: false,
            tls: None,
            done: false,
        }
    }

    /// The whole message; opening wipes what is not authentic.
    fn message(&mut self, io: ciphers::InOut<'_>) -> Outcome {
        let ccm = self.ccm.clone().filter(|_| self.nonce_set).ok_or(Refused)?;
        if self.announced.is_some_and(|length| length != io.len()) {
            return Err(Refused);
        }
        self.nonce_set = false;
        let tag = &mut self.tag[..self.tag_length];
        if self.encrypt {
            ccm.seal(self.nonce.bytes(), &self.aad, io, tag)?;
            self.tag_known = true;
        } else {
            if !self.tag_known {
                return Err(Refused);
            }
            ccm.open(self.nonce.bytes(), &self.aad, io, tag)?;
        }
        self.done = true;
        Ok(())
    }

    fn record(&mut self, aad: [u8; TLS_AAD], data: &mut [u8]) -> Outcome<usize> {
        let ccm = self.ccm.clone().ok_or(Refused)?;
        let (explicit, rest) = data.split_at_mut_checked(TLS_EXPLICIT).ok_or(Refused)?;
        if self.encrypt {
            // The sequence number is a nonce that does not repeat.
            explicit.copy_from_slice(&aad[..TLS_EXPLICIT]);
        }
        let at = self.nonce.len().checked_sub(TLS_EXPLICIT).ok_or(Refused)?;
        self.nonce.bytes_mut()[at..].copy_from_slice(explicit);
        let body = rest.len().checked_sub(self.tag_length).ok_or(Refused)?;
        let (body, tag) = rest.split_at_mut(body);
        if self.encrypt {
            ccm.seal(self.nonce.bytes(), &aad, body.into(), tag)?;
            return Ok(data.len());
        }
        ccm.open(self.nonce.bytes(), &aad, (&mut *body).into(), tag)?;
        Ok(body.len())
    }
}

impl Work for CcmWork {
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        self.encrypt = encrypt;
        (self.announced, self.tls, self.done) = (None, None, false);
        self.aad.clear();
        if encrypt {
            self.tag_known = false;
        }
        if let Some(iv) = iv {
            self.nonce.set(iv)?;
            self.nonce_set = true;
        }
        if let Some(key) = key {
            if key.len() != self.settings.key_length {
                return Err(Refused);
            }
            let cipher = set_up(self.spec, key, self.settings.parameters)?;
            self.ccm = Some(Arc::new(Ccm::new(cipher)?));
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
        // SAFETY: the promises of `update`.
        unsafe {
            if let Some(aad) = self.tls.take() {
                if !std::ptr::eq(from, to) || room < length {
                    return Err(Refused);
                }
                let written = self.record(aad, memory::output(to, length)?)?;
                self.done = true;
                return Ok(written);
            }
            match (from.is_null(), to.is_null()) {
                (true, true) => self.announced = Some(length),
                (false, true) => {
                    if self.ccm.is_none() || !self.nonce_set {
                        return Err(Refused);
                    }
                    self.aad.extend_from_slice(memory::input(from, length)?);
                }
                _ if room < length => return Err(Refused),
                _ => self.message(memory::in_out(from, to, length)?)?,
            }
        }
        Ok(length)
    }

    fn finish(&mut self, _: &mut [u8]) -> Outcome<usize> {
        // A message without data has had no update that could make or check its tag.
        if !self.done {
            self.message((&mut [][..]).into())?;
        }
        Ok(0)
    }

    fn get(&mut self, params: Params) -> Outcome {
        params.answer(c"keylen", self.settings.key_length)?;
        params.answer(c"ivlen", self.nonce.len())?;
        params.answer(c"taglen", self.tag_length)?;
        params.answer(c"tlsaadpad", if self.tls.is_some() { self.tag_length } else { 0 })?;
        for name in [c"iv", c"updated-iv"] {
            if let Some(found) = params.find(name) {
                found.put_bytes(self.nonce.bytes())?;
            }
        }
        if let Some(found) = params.find(c"tag") {
            let (size, there) = found.size();
            let size = if there { size } else { self.tag_length };
            if !self.encrypt || !self.tag_known || size > self.tag_length {
                return Err(Refused);
            }
            found.put_bytes(&self.tag[..size])?;
        }
        Ok(())
    }

    fn set(&mut self, params: Params) -> Outcome {
        self.settings.set(self.spec, params)?;
        if let Some(found) = params.find(c"tag") {
            let (size, there) = found.size();
            if !(4..=TAG).contains(&size) || size % 2 != 0 || there && self.encrypt {
                return Err(Refused);
            }
            if there {
                self.tag[..size].copy_from_slice(found.bytes()?);
                self.tag_known = true;
            }
            self.tag_length = size;
        }
        if let Some(found) = params.find(c"ivlen") {
            let length = found.number()?;
            if !self.spec.ivs.allow(length) {
                return Err(Refused);
            }
            if length != self.nonce.len() {
                self.nonce.resize(length)?;
                self.nonce_set = false;
            }
        }
        if let Some(found) = params.find(c"tlsaad") {
            let mut aad: [u8; TLS_AAD] = found.bytes()?.try_into().map_err(|_| Refused)?;
            let record = usize::from(u16::from_be_bytes([aad[11], aad[12]]));
            let around = if self.encrypt { TLS_EXPLICIT } else { TLS_EXPLICIT + self.tag_length };
            let data = record.checked_sub(around).ok_or(Refused)? as u16;
            aad[11..].copy_from_slice(&data.to_be_bytes());
            self.tls = Some(aad);
        }
        if let Some(found) = params.find(c"tlsivfixed") {
            let fixed = found.bytes()?;
            if fixed.len() != TLS_FIXED {
                return Err(Refused);
            }
            self.nonce.bytes_mut().get_mut(..TLS_FIXED).ok_or(Refused)?.copy_from_slice(fixed);
        }
        Ok(())
    }

    fn duplicate(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }

    fn pipe(&self) -> Option<pipeline::Pipe> {
        None
    }
}
