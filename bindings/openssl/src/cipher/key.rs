//! A cipher under a key, as the modes share it.

use std::sync::Arc;

use ciphers::registry::{self, Parameters};
use ciphers::{BlockCipher, Sizes};

use crate::Outcome;
use crate::names::{Spec, level};
use crate::reason::{Reason, wrong_length};
use crate::wiped::Bytes;

/// A block cipher under a key.
pub(crate) type Key = Arc<dyn BlockCipher>;

/// Sets a key up, with parameters where the cipher has such.
pub(crate) fn set_up(spec: &Spec, key: &[u8], parameters: Parameters) -> Outcome<Key> {
    let usual = parameters == Parameters::default();
    let family = if usual { None } else { registry::parameters(spec.algorithm.name) };
    Ok(match family {
        // In its box: moved, it would leave a copy in freed memory.
        Some(family) => Arc::new((family.new)(key, parameters, level())?),
        None => spec.algorithm.shared(key, level())?,
    })
}

/// Sets a key up, in the place of the one before where nobody else works under that.
pub(super) fn set_up_at(
    place: &mut Option<Key>,
    spec: &Spec,
    key: &[u8],
    parameters: Parameters,
) -> Outcome {
    if !place.as_mut().is_some_and(|cipher| rekeyed(cipher, key, parameters)) {
        *place = Some(set_up(spec, key, parameters)?);
    }
    Ok(())
}

/// Whether a cipher takes another key where it is.
fn rekeyed(cipher: &mut Key, key: &[u8], parameters: Parameters) -> bool {
    parameters == Parameters::default() && cipher.level() == level() && cipher.rekey(key)
}

/// The IV of a message, of any length that a mode takes: up to `MOST` bytes. It is wiped, as
/// what a mode with feedback encrypts next may be keystream.
#[derive(Clone)]
pub(super) struct Iv<const MOST: usize = 16> {
    bytes: Bytes<MOST>,
    length: usize,
}

impl<const MOST: usize> Iv<MOST> {
    pub(super) fn new(length: usize) -> Self {
        Self { bytes: Bytes::default(), length: length.min(MOST) }
    }

    pub(super) const fn len(&self) -> usize {
        self.length
    }

    /// Takes another length, which forgets what was there.
    pub(super) fn resize(&mut self, length: usize) -> Outcome {
        if length > MOST {
            return Err(wrong_length("iv", length, Sizes::between(0, MOST)));
        }
        *self = Self::new(length);
        Ok(())
    }

    pub(super) fn set(&mut self, iv: &[u8]) -> Outcome {
        if iv.len() != self.length {
            return Err(wrong_length("iv", iv.len(), Sizes::exactly(self.length)));
        }
        self.bytes_mut().copy_from_slice(iv);
        Ok(())
    }

    /// Becomes what another one is, in its own place.
    pub(super) fn copy(&mut self, other: &Self) {
        (self.bytes.0, self.length) = (other.bytes.0, other.length);
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes.0[..self.length]
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes.0[..self.length]
    }
}

/// RC5: what EVP allows of 0 to 255.
const ROUNDS: [usize; 3] = [8, 12, 16];

/// What EVP keeps of every context, and what means nothing in modes without blocks.
#[derive(Clone, Copy)]
pub(super) struct Unused {
    padding: bool,
    pub(super) number: usize,
}

impl Unused {
    pub(super) const fn new() -> Self {
        Self { padding: true, number: 0 }
    }

    pub(super) fn get(&self, params: crate::core::Params) -> Outcome {
        params.answer(c"padding", usize::from(self.padding))?;
        params.answer(c"num", self.number)
    }

    pub(super) fn set(&mut self, params: crate::core::Params) -> Outcome {
        if let Some(found) = params.find(c"padding") {
            self.padding = found.number()? != 0;
        }
        if let Some(found) = params.find(c"num") {
            self.number = found.number()?;
        }
        Ok(())
    }
}

/// Settings that many modes have: key length, RC2's effective key bits, RC5's rounds.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    pub(super) key_length: usize,
    pub(super) parameters: Parameters,
}

impl Settings {
    pub(super) fn new(spec: &Spec) -> Self {
        let parameters = Parameters { effective_key_bits: spec.key_bits, ..Parameters::default() };
        Self { key_length: spec.key, parameters }
    }

    pub(super) fn get(&self, params: crate::core::Params) -> Outcome {
        params
            .answer(c"keybits", self.parameters.effective_key_bits.map_or(0, |it| it as usize))?;
        params.answer(c"rounds", self.parameters.rounds.map_or(12, |it| it as usize))
    }

    /// Whether a key has the length that is set.
    pub(super) fn check(&self, key: &[u8]) -> Outcome {
        let wanted = Sizes::exactly(self.key_length);
        if wanted.allow(key.len()) { Ok(()) } else { Err(wrong_length("key", key.len(), wanted)) }
    }

    /// Takes what is set; tells whether a key that was set before is none any more, because it
    /// had another length.
    pub(super) fn set(&mut self, spec: &Spec, params: crate::core::Params) -> Outcome<bool> {
        let before = self.key_length;
        if let Some(found) = params.find(c"keylen") {
            let length = found.number()?;
            if !spec.keys.allow(length) {
                return Err(wrong_length("key", length, spec.keys));
            }
            self.key_length = length;
        }
        if let (Some(found), true) = (params.find(c"keybits"), spec.key_bits.is_some()) {
            let bits = found.number()?;
            let wrong = |_| Reason::KeySize.because(format!("{bits} effective bits of the key"));
            self.parameters.effective_key_bits = Some(u32::try_from(bits).map_err(wrong)?);
        }
        let family = registry::parameters(spec.algorithm.name);
        let family = family.filter(|_| spec.algorithm.name == "rc5");
        // Nobody else knows that name.
        if let (Some(found), Some(family)) = (params.find(c"rounds"), family) {
            let rounds = found.number()?;
            if !ROUNDS.contains(&rounds) {
                return Err(Reason::Rounds.because(format!("{rounds}; allowed: 8, 12 or 16")));
            }
            let parameters = Parameters { rounds: Some(rounds as u32), ..self.parameters };
            if !family.takes(parameters) {
                return Err(Reason::Rounds.because("of this cipher they cannot be chosen"));
            }
            self.parameters = parameters;
        }
        Ok(self.key_length != before)
    }
}
