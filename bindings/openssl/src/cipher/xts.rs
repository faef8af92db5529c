//! XTS: one data unit under a tweak. SM4 has it by two standards.

use std::ffi::CStr;

use ciphers::InOut;
use ciphers::Sizes;
use ciphers::modes::xts;
use ciphers::registry;

use super::key::{Iv, Key, Settings, set_up_at};
use super::{AnyWork, Work};
use crate::core::Params;
use crate::names::Spec;
use crate::reason::{Reason, wrong_length};
use crate::{Outcome, memory};

/// The lengths of a data unit in bytes.
const UNIT: Sizes = Sizes::between(16, 16 << 20);

#[derive(Clone)]
pub(super) struct Xts {
    spec: &'static Spec,
    settings: Settings,
    encrypt: bool,
    /// The ciphers of the data and of the tweaks.
    data: Option<Key>,
    tweaks: Option<Key>,
    /// Whether both keys are the same, which is good for decryption only.
    equal: bool,
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
            data: None,
            tweaks: None,
            equal: false,
            gb: has_gb(spec),
            tweak: Iv::new(spec.iv),
            tweak_set: false,
        }
    }

    fn unit(&self, io: InOut<'_>) -> Outcome {
        let data = self.data.as_ref().ok_or(Reason::NoKey)?;
        let tweaks = self.tweaks.as_ref().ok_or(Reason::NoKey)?;
        if self.encrypt && self.equal {
            return Err(Reason::EqualKeys.into());
        }
        let tweak = self.tweak.bytes();
        match (self.gb, self.encrypt) {
            (true, true) => xts::XtsGb::even_with_equal_keys(data, tweaks)?.encrypt(tweak, io),
            (true, false) => xts::XtsGb::even_with_equal_keys(data, tweaks)?.decrypt(tweak, io),
            (false, true) => xts::Xts::even_with_equal_keys(data, tweaks)?.encrypt(tweak, io),
            (false, false) => xts::Xts::even_with_equal_keys(data, tweaks)?.decrypt(tweak, io),
        }?;
        Ok(())
    }
}

/// Whether a cipher goes by GB/T 17964 unless told: OpenSSL takes the national standard for the
/// national cipher. The registry has both standards for every cipher of such blocks, but the
/// names of AES are those of IEEE 1619.
fn has_gb(spec: &Spec) -> bool {
    spec.algorithm.name == "sm4" && registry::operation(spec.algorithm, "xts-gb-encrypt").is_some()
}

impl Work for Xts {
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        self.encrypt = encrypt;
        if let Some(iv) = iv {
            self.tweak.set(iv)?;
            self.tweak_set = true;
        }
        if let Some(key) = key {
            self.settings.check(key)?;
            let (data, tweaks) = key.split_at(key.len() / 2);
            let differ = data.iter().zip(tweaks).fold(0, |all, (one, two)| all | (one ^ two));
            self.equal = std::hint::black_box(differ) == 0;
            // A key that is not allowed is refused now, not with the data.
            if encrypt && self.equal {
                (self.data, self.tweaks) = (None, None);
                return Err(Reason::EqualKeys.into());
            }
            let parameters = self.settings.parameters;
            set_up_at(&mut self.data, self.spec, data, parameters)?;
            set_up_at(&mut self.tweaks, self.spec, tweaks, parameters)?;
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
        if self.data.is_none() {
            return Err(Reason::NoKey.into());
        }
        if !self.tweak_set {
            return Err(Reason::NoIv.into());
        }
        if room < length {
            return Err(Reason::OutputTooSmall.into());
        }
        if length > UNIT.max {
            return Err(Reason::DataUnit.because(format!("{length} bytes; allowed: {UNIT}")));
        }
        if length < UNIT.min {
            return Err(wrong_length("data", length, UNIT));
        }
        // SAFETY: the promises of `update`.
        self.unit(unsafe { memory::in_out(from, to, length) }?)?;
        Ok(length)
    }

    fn finish(&mut self, _: &mut [u8]) -> Outcome<usize> {
        Ok(0)
    }

    fn lengths(&self) -> [usize; 2] {
        [self.settings.key_length, self.spec.iv]
    }

    fn get(&mut self, params: Params) -> Outcome {
        self.settings.get(params)?;
        params.answer(c"padding", 1)?;
        params.answer(c"num", 0)?;
        for name in [c"iv", c"updated-iv"] {
            if let Some(found) = params.find(name) {
                found.put_bytes(self.tweak.bytes())?;
            }
        }
        Ok(())
    }

    fn set(&mut self, params: Params) -> Outcome {
        if let Some(found) = params.find(c"keylen") {
            let (length, allowed) = (found.number()?, Sizes::exactly(self.settings.key_length));
            if !allowed.allow(length) {
                return Err(wrong_length("key", length, allowed));
            }
        }
        if let Some(found) = params.find(STANDARD) {
            let name = found.text()?;
            let gb = name.eq_ignore_ascii_case("GB");
            let known = gb && has_gb(self.spec) || name.eq_ignore_ascii_case("IEEE");
            if !known {
                let allowed = if has_gb(self.spec) { "GB or IEEE" } else { "IEEE" };
                let said = format!("xts_standard {name:?}; allowed: {allowed}");
                return Err(Reason::SetParameter.because(said));
            }
            self.gb = gb;
        }
        Ok(())
    }

    fn duplicate(&self) -> AnyWork {
        AnyWork::Xts(self.clone())
    }
}
