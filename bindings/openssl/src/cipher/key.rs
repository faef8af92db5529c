//! A cipher under a key, as the modes share it.

use std::sync::Arc;

use ciphers::BlockCipher;
use ciphers::registry::{self, New, Parameters};

use crate::names::{Spec, level};
use crate::{Outcome, Refused};

/// A block cipher under a key; in its box, as moving it would leave a copy in freed memory.
pub(crate) type Key = Arc<Box<dyn BlockCipher>>;

/// Sets a key up, with parameters where the cipher has such.
pub(crate) fn set_up(spec: &Spec, key: &[u8], parameters: Parameters) -> Outcome<Key> {
    let New::Block { new, .. } = spec.algorithm.new else { return Err(Refused) };
    let usual = parameters == Parameters::default();
    let cipher = match registry::parameters(spec.algorithm.name).filter(|_| !usual) {
        Some(family) => (family.new)(key, parameters, level())?,
        None => new(key, level())?,
    };
    Ok(Arc::new(cipher))
}

/// The IV of a message, of any length that a mode takes.
#[derive(Clone)]
pub(super) struct Iv {
    bytes: [u8; Self::MOST],
    length: usize,
}

impl Iv {
    pub(super) const MOST: usize = 128;

    pub(super) const fn new(length: usize) -> Self {
        Self { bytes: [0; Self::MOST], length }
    }

    pub(super) const fn len(&self) -> usize {
        self.length
    }

    /// Takes another length, which forgets what was there.
    pub(super) fn resize(&mut self, length: usize) -> Outcome {
        if length > Self::MOST {
            return Err(Refused);
        }
        *self = Self::new(length);
        Ok(())
    }

    pub(super) fn set(&mut self, iv: &[u8]) -> Outcome {
        let bytes = self.bytes.get_mut(..self.length).filter(|bytes| bytes.len() == iv.len());
        bytes.ok_or(Refused)?.copy_from_slice(iv);
        Ok(())
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.length]
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
        params.answer(c"keylen", self.key_length)?;
        params
            .answer(c"keybits", self.parameters.effective_key_bits.map_or(0, |it| it as usize))?;
        params.answer(c"rounds", self.parameters.rounds.map_or(12, |it| it as usize))
    }

    pub(super) fn set(&mut self, spec: &Spec, params: crate::core::Params) -> Outcome {
        if let Some(found) = params.find(c"keylen") {
            let length = found.number()?;
            if !spec.keys.allow(length) {
                return Err(Refused);
            }
            self.key_length = length;
        }
        if let (Some(found), true) = (params.find(c"keybits"), spec.key_bits.is_some()) {
            let bits = u32::try_from(found.number()?).map_err(|_| Refused)?;
            self.parameters.effective_key_bits = Some(bits);
        }
        if let Some(found) = params.find(c"rounds") {
            let rounds = u32::try_from(found.number()?).map_err(|_| Refused)?;
            let parameters = Parameters { rounds: Some(rounds), ..self.parameters };
            let family = registry::parameters(spec.algorithm.name).ok_or(Refused)?;
            if !family.takes(parameters) {
                return Err(Refused);
            }
            self.parameters = parameters;
        }
        Ok(())
    }
}
