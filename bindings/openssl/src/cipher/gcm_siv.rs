//! GCM-SIV, which takes a message in one piece, as OpenSSL 3.2 and later have it.

use std::sync::Arc;

use ciphers::{Aead, InOut, Sizes};

use super::key::Settings;
use super::{AnyWork, Work};
use crate::core::Params;
use crate::names::{Spec, level};
use crate::reason::{Reason, wrong_length};
use crate::{Outcome, memory};

const TAG: usize = 16;
const NONCE: usize = 12;

#[derive(Clone)]
pub(super) struct GcmSivWork {
    spec: &'static Spec,
    settings: Settings,
    encrypt: bool,
    siv: Option<Arc<Box<dyn Aead>>>,
    /// Zeros, where there is none.
    nonce: [u8; NONCE],
    /// Kept from one message to the next, as by the default provider; empty associated data end
    /// it.
    aad: Vec<u8>,
    tag: [u8; TAG],
    /// The tag to open with, once it is set.
    expected: Option<[u8; TAG]>,
    /// Whether the message was sealed, or opened and found authentic.
    done: bool,
    /// Whether there was a message since `init`; with `speed` there may be more.
    used: bool,
    speed: bool,
}

impl GcmSivWork {
    pub(super) fn new(spec: &'static Spec) -> Self {
        Self {
            spec,
            settings: Settings::new(spec),
            encrypt: true,
            siv: None,
            nonce: [0; NONCE],
            aad: Vec::new(),
            tag: [0; TAG],
            expected: None,
            done: false,
            used: false,
            speed: false,
        }
    }

    /// The whole message; opening wipes what is not authentic.
    fn message(&mut self, io: InOut<'_>) -> Outcome {
        let siv = self.siv.as_ref().ok_or(Reason::NoKey)?;
        self.done = false;
        if self.used && !self.speed {
            return Err(Reason::Operation.because("a message comes in one piece"));
        }
        if self.encrypt {
            self.used = true;
            siv.seal(&self.nonce, &self.aad, io, &mut self.tag)?;
        } else {
            let expected = self.expected.ok_or(Reason::TagNotSet)?;
            self.used = true;
            siv.open(&self.nonce, &self.aad, io, &expected)?;
        }
        self.done = true;
        Ok(())
    }
}

impl Work for GcmSivWork {
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        self.encrypt = encrypt;
        if let Some(key) = key {
            self.settings.check(key)?;
            self.siv = Some(Arc::new(self.spec.operations[0].aead(key, level())?));
        }
        if let Some(iv) = iv {
            let wrong = |_| wrong_length("nonce", iv.len(), Sizes::exactly(NONCE));
            self.nonce = iv.try_into().map_err(wrong)?;
        }
        (self.done, self.used) = (false, false);
        Ok(())
    }

    unsafe fn update(
        &mut self,
        from: *const u8,
        length: usize,
        to: *mut u8,
        room: usize,
    ) -> Outcome<usize> {
        if from.is_null() {
            return self.finish(&mut []);
        }
        // SAFETY: the promises of `update`.
        unsafe {
            if to.is_null() {
                if length == 0 {
                    self.aad.clear();
                }
                crate::wiped::append(&mut self.aad, memory::input(from, length)?)?;
                return Ok(length);
            }
            if room < length {
                return Err(Reason::OutputTooSmall.into());
            }
            self.message(memory::in_out(from, to, length)?)?;
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
        [self.settings.key_length, self.spec.iv]
    }

    fn get(&mut self, params: Params) -> Outcome {
        params.answer(c"taglen", TAG)?;
        if let Some(found) = params.find(c"tag") {
            if !self.encrypt || !self.done {
                return Err(Reason::TagNotSet.into());
            }
            let (size, whole) = (found.size().0, Sizes::exactly(TAG));
            if !whole.allow(size) {
                return Err(wrong_length("tag", size, whole));
            }
            found.put_bytes(&self.tag)?;
        }
        Ok(())
    }

    fn set(&mut self, params: Params) -> Outcome {
        self.settings.set(self.spec, params)?;
        if let Some(found) = params.find(c"tag") {
            let (size, whole) = (found.size().0, Sizes::exactly(TAG));
            if !whole.allow(size) {
                return Err(wrong_length("tag", size, whole));
            }
            // To seal, a tag is taken no notice of.
            if !self.encrypt {
                let mut tag = [0; TAG];
                tag.copy_from_slice(found.bytes()?);
                // Behind a message that was opened, another tag is not that message's.
                self.done &= self.expected == Some(tag);
                self.expected = Some(tag);
            }
        }
        if let Some(found) = params.find(c"speed") {
            self.speed = found.number()? != 0;
        }
        Ok(())
    }

    fn duplicate(&self) -> AnyWork {
        AnyWork::GcmSiv(self.clone())
    }
}
