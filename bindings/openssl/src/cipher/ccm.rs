//! CCM, which takes a message in one piece, and the records of TLS 1.2.

use ciphers::aead::ccm::Ccm;
use ciphers::{Aead, Sizes};

use super::key::{Iv, Key, Settings, set_up_at};
use super::tls::{Header, header};
use super::{AnyWork, Work};
use crate::core::Params;
use crate::names::Spec;
use crate::reason::{Reason, Refused, wrong_length};
use crate::{Outcome, memory};

const TAG: usize = 16;
/// What EVP takes where nothing else is said: a nonce of 7 bytes, a tag of 12.
const USUAL_NONCE: usize = 7;
const USUAL_TAG: usize = 12;
/// The lengths of a tag in bytes.
const TAGS: Sizes = Sizes::steps(4, TAG, 2);
/// A record's explicit part of the nonce, and the fixed part.
const TLS_EXPLICIT: usize = 8;
const TLS_FIXED: usize = 4;

#[derive(Clone)]
pub(super) struct CcmWork {
    spec: &'static Spec,
    settings: Settings,
    encrypt: bool,
    key: Option<Key>,
    nonce: Iv,
    nonce_set: bool,
    /// Whether the nonce is gone because a message had it.
    used: bool,
    aad: Vec<u8>,
    /// The length of the message, if it was announced.
    announced: Option<usize>,
    tag: [u8; TAG],
    tag_length: usize,
    /// Whether the tag was set, or computed.
    tag_known: bool,
    tls: Option<Header>,
    /// Whether the message was sealed, or opened and found authentic.
    done: bool,
}

impl CcmWork {
    pub(super) fn new(spec: &'static Spec) -> Self {
        Self {
            spec,
            settings: Settings::new(spec),
            encrypt: true,
            key: None,
            nonce: Iv::new(USUAL_NONCE),
            nonce_set: false,
            used: false,
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
        let ccm = ccm(self.key.as_ref(), self.tag_length)?;
        if !self.nonce_set {
            return Err(if self.used { Reason::IvUsed } else { Reason::NoIv }.into());
        }
        if let Some(length) = self.announced.filter(|length| *length != io.len()) {
            let said =
                format!("{} bytes of a message of {length}; it comes in one piece", io.len());
            return Err(Reason::Operation.because(said));
        }
        if !self.encrypt && !self.tag_known {
            return Err(Reason::TagNotSet.into());
        }
        (self.nonce_set, self.used) = (false, true);
        let tag = &mut self.tag[..self.tag_length];
        if self.encrypt {
            ccm.seal(self.nonce.bytes(), &self.aad, io, tag)?;
            self.tag_known = true;
        } else {
            self.tag_known = false;
            let opened = ccm.open(self.nonce.bytes(), &self.aad, io, tag);
            opened.map_err(not_authentic)?;
        }
        self.done = true;
        Ok(())
    }

    fn record(&mut self, aad: Header, data: &mut [u8]) -> Outcome<usize> {
        let ccm = ccm(self.key.as_ref(), self.tag_length)?;
        let too_short = || Reason::Operation.because("a record is shorter than its nonce and tag");
        let (explicit, rest) = data.split_at_mut_checked(TLS_EXPLICIT).ok_or_else(too_short)?;
        if self.encrypt {
            // The sequence number is a nonce that does not repeat.
            explicit.copy_from_slice(&aad[..TLS_EXPLICIT]);
        }
        let at = self.nonce.len().checked_sub(TLS_EXPLICIT).ok_or(Reason::IvLength)?;
        self.nonce.bytes_mut()[at..].copy_from_slice(explicit);
        let body = rest.len().checked_sub(self.tag_length).ok_or_else(too_short)?;
        let (body, tag) = rest.split_at_mut(body);
        if self.encrypt {
            ccm.seal(self.nonce.bytes(), &aad, body.into(), tag)?;
            return Ok(data.len());
        }
        let opened = ccm.open(self.nonce.bytes(), &aad, (&mut *body).into(), tag);
        opened.map_err(not_authentic)?;
        Ok(body.len())
    }
}

/// The mode for one message: the caller says the tag's length before it, or with the tag.
fn ccm(key: Option<&Key>, tag: usize) -> Outcome<Ccm<&Key>> {
    let mut ccm = Ccm::new(key.ok_or(Reason::NoKey)?)?;
    ccm.set_tag_len(tag)?;
    Ok(ccm)
}

/// CCM tells of a wrong tag with the data, as the default provider does.
fn not_authentic(error: ciphers::Error) -> Refused {
    match error {
        ciphers::Error::Authentication => Reason::Operation.because("the tag is wrong"),
        error => error.into(),
    }
}

impl Work for CcmWork {
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        // A tag that was made is none to open with.
        self.tag_known &= !encrypt && !self.encrypt;
        self.encrypt = encrypt;
        (self.announced, self.tls, self.done, self.used) = (None, None, false, false);
        self.aad.clear();
        if let Some(iv) = iv {
            self.nonce.set(iv)?;
            self.nonce_set = true;
        }
        if let Some(key) = key {
            self.settings.check(key)?;
            set_up_at(&mut self.key, self.spec, key, self.settings.parameters)?;
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
                    return Err(Reason::Operation.because("a record is processed where it lies"));
                }
                // Its nonce is the record's now, and serves nothing else.
                (self.nonce_set, self.used) = (false, true);
                let written = self.record(aad, memory::output(to, length)?)?;
                self.done = true;
                return Ok(written);
            }
            if self.key.is_none() {
                return Err(Reason::NoKey.into());
            }
            match (from.is_null(), to.is_null()) {
                // Nothing comes out, as when the message ends.
                (true, false) if length == 0 => return Ok(0),
                (_, true) if !self.nonce_set => return Err(Reason::NoIv.into()),
                (true, true) => self.announced = Some(length),
                (false, true) => {
                    if self.announced.is_none() && length > 0 {
                        let said = "the message's length is told before associated data";
                        return Err(Reason::Operation.because(said));
                    }
                    crate::wiped::append(&mut self.aad, memory::input(from, length)?)?;
                }
                _ if room < length => return Err(Reason::OutputTooSmall.into()),
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

    fn lengths(&self) -> [usize; 2] {
        [self.settings.key_length, self.nonce.len()]
    }

    fn get(&mut self, params: Params) -> Outcome {
        params.answer(c"taglen", self.tag_length)?;
        params.answer(c"tlsaadpad", if self.tls.is_some() { self.tag_length } else { 0 })?;
        for name in [c"iv", c"updated-iv"] {
            if let Some(found) = params.find(name) {
                found.put_bytes(self.nonce.bytes())?;
            }
        }
        if let Some(found) = params.find(c"tag") {
            let (size, there) = found.size();
            if !self.encrypt || !self.tag_known {
                return Err(Reason::TagNotSet.into());
            }
            let whole = Sizes::exactly(self.tag_length);
            if there && !whole.allow(size) {
                return Err(wrong_length("tag", size, whole));
            }
            found.put_bytes(&self.tag[..self.tag_length])?;
            // Told once, as by the default provider.
            self.tag_known = false;
        }
        Ok(())
    }

    fn set(&mut self, params: Params) -> Outcome {
        if self.settings.set(self.spec, params)? {
            self.key = None;
        }
        if let Some(found) = params.find(c"tag") {
            let (size, there) = found.size();
            if !TAGS.allow(size) {
                return Err(wrong_length("tag", size, TAGS));
            }
            if there && self.encrypt {
                return Err(Reason::TagNotNeeded.into());
            }
            if there {
                self.tag[..size].copy_from_slice(found.bytes()?);
                self.tag_known = true;
            }
            if self.encrypt {
                // One that was made has another length.
                self.tag_known = false;
            }
            self.tag_length = size;
        }
        if let Some(found) = params.find(c"ivlen") {
            let length = found.number()?;
            if !self.spec.ivs.allow(length) {
                return Err(wrong_length("nonce", length, self.spec.ivs));
            }
            if length != self.nonce.len() {
                self.nonce.resize(length)?;
                self.nonce_set = false;
            }
        }
        if let Some(found) = params.find(c"tlsaad") {
            let tag = if self.encrypt { 0 } else { self.tag_length };
            self.tls = Some(header(found.bytes()?, TLS_EXPLICIT + tag)?);
        }
        if let Some(found) = params.find(c"tlsivfixed") {
            let (fixed, allowed) = (found.bytes()?, Sizes::exactly(TLS_FIXED));
            if !allowed.allow(fixed.len()) {
                return Err(wrong_length("nonce", fixed.len(), allowed));
            }
            self.nonce.bytes_mut()[..TLS_FIXED].copy_from_slice(fixed);
        }
        Ok(())
    }

    fn duplicate(&self) -> AnyWork {
        AnyWork::Ccm(self.clone())
    }
}
