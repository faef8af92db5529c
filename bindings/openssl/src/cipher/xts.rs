//! XTS: one data unit under a tweak. SM4 has it by two standards.

use std::ffi::CStr;
use std::sync::Arc;

use ciphers::modes::MessageMode;
use ciphers::registry::{self, New};

use super::key::{Iv, Settings};
use super::{Work, pipeline};
use crate::core::Params;
use crate::names::{Spec, level};
use crate::wiped::Wiped;
use crate::{Outcome, Refused, memory};

#[derive(Clone)]
pub(super) struct Xts {
    spec: &'static Spec,
    settings: Settings,
    encrypt: bool,
    key: Option<Arc<Wiped>>,
    /// The mode under the key, once it is known by which standard.
    mode: Option<Arc<dyn MessageMode>>,
    /// Whether the tweaks are those of GB/T 17964.
    gb: bool,
    tweak: Iv,
    tweak_set: bool,
}

/// The parameter that chooses the standard.
const STANDARD: &CStr = c"xts_standard";

impl Xts {
    pub(super) fn new(spec: &'static Spec) -> Self {
        Self {
            spec,
            settings: Settings::new(spec),
            encrypt: true,
            key: None,
            mode: None,
            // OpenSSL takes the national standard for the national cipher.
            gb: has(spec, "xts-gb"),
            tweak: Iv::new(spec.iv),
            tweak_set: false,
        }
    }

    fn mode(&mut self) -> Outcome<Arc<dyn MessageMode>> {
        if let Some(mode) = &self.mode {
            return Ok(Arc::clone(mode));
        }
        let key = self.key.as_ref().ok_or(Refused)?;
        let name = if self.gb { "xts-gb" } else { "xts" };
        let entry = registry::messages(self.spec.algorithm).find(|it| it.name == name);
        let New::Block { new, .. } = self.spec.algorithm.new else { return Err(Refused) };
        let mode: Arc<dyn MessageMode> =
            (entry.ok_or(Refused)?.new)(new, key.bytes(), level())?.into();
        self.mode = Some(Arc::clone(&mode));
        Ok(mode)
    }
}

fn has(spec: &Spec, name: &str) -> bool {
    registry::messages(spec.algorithm).any(|it| it.name == name)
}

impl Work for Xts {
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        self.encrypt = encrypt;
        if let Some(iv) = iv {
            self.tweak.set(iv)?;
            self.tweak_set = true;
        }
        if let Some(key) = key {
            if key.len() != self.settings.key_length {
                return Err(Refused);
            }
            (self.key, self.mode) = (Some(Arc::new(Wiped::new(key))), None);
            // A key that is not allowed is refused now, not with the data.
            self.mode()?;
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
        if room < length || !self.tweak_set {
            return Err(Refused);
        }
        if length == 0 {
            return Ok(0);
        }
        let mode = self.mode()?;
        // SAFETY: the promises of `update`.
        let io = unsafe { memory::in_out(from, to, length) }?;
        if self.encrypt {
            mode.encrypt(self.tweak.bytes(), io)?;
        } else {
            mode.decrypt(self.tweak.bytes(), io)?;
        }
        Ok(length)
    }

    fn finish(&mut self, _: &mut [u8]) -> Outcome<usize> {
        if self.key.is_some() { Ok(0) } else { Err(Refused) }
    }

    fn get(&mut self, params: Params) -> Outcome {
        self.settings.get(params)?;
        params.answer(c"ivlen", self.spec.iv)?;
        params.answer(c"padding", 0)?;
        params.answer(c"num", 0)?;
        for name in [c"iv", c"updated-iv"] {
            if let Some(found) = params.find(name) {
                found.put_bytes(self.tweak.bytes())?;
            }
        }
        Ok(())
    }

    fn set(&mut self, params: Params) -> Outcome {
        if let Some(found) = params.find(c"keylen")
            && found.number()? != self.settings.key_length
        {
            return Err(Refused);
        }
        if let Some(found) = params.find(STANDARD) {
            let gb = match found.text()? {
                name if name.eq_ignore_ascii_case("GB") => true,
                name if name.eq_ignore_ascii_case("IEEE") => false,
                _ => return Err(Refused),
            };
            if gb && !has(self.spec, "xts-gb") {
                return Err(Refused);
            }
            if gb != self.gb {
                (self.gb, self.mode) = (gb, None);
            }
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
