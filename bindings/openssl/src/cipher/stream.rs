//! Stream ciphers.

use ciphers::StreamCipher;
use ciphers::registry::Constructor;

use super::key::{Iv, Settings, Unused};
use super::{AnyWork, Work};
use crate::core::Params;
use crate::names::{Spec, level};
use crate::reason::{Reason, wrong_length};
use crate::wiped::{Bytes, Wiped};
use crate::{Outcome, memory};

/// The longest IV of a stream cipher in bytes, with room.
const LONGEST: usize = 64;

pub(super) struct Stream {
    spec: &'static Spec,
    settings: Settings,
    unused: Unused,
    key: Option<Wiped>,
    iv: Iv<LONGEST>,
    iv_set: bool,
    stream: Option<Box<dyn StreamCipher>>,
    /// Bytes of keystream that are used.
    position: u64,
}

impl Stream {
    pub(super) fn new(spec: &'static Spec) -> Self {
        Self {
            spec,
            settings: Settings::new(spec),
            unused: Unused::new(),
            key: None,
            iv: Iv::new(spec.iv),
            iv_set: false,
            stream: None,
            position: 0,
        }
    }

    /// Whether there is an IV, or need not be.
    fn can_start(&self) -> bool {
        self.iv_set || self.spec.ivs.allow(0)
    }

    /// What keeps the keystream from being there.
    const fn missing(&self) -> Reason {
        if self.key.is_none() { Reason::NoKey } else { Reason::NoIv }
    }

    /// The keystream from its first byte.
    fn start(&self) -> Outcome<Box<dyn StreamCipher>> {
        let key = self.key.as_ref().ok_or(Reason::NoKey)?;
        if !self.can_start() {
            return Err(Reason::NoIv.into());
        }
        let Constructor::Stream { new, .. } = self.spec.operations[0].new else {
            return Err(Reason::NotSupported.into());
        };
        let iv = if self.iv_set { self.iv.bytes() } else { &[] };
        Ok(new(key.bytes(), iv, level())?)
    }

    fn copy(&self) -> Outcome<Self> {
        // Bytes of keystream that are passed over at once.
        const PIECE: u64 = 4096;
        let mut stream = None;
        if self.stream.is_some() {
            let mut same = self.start()?;
            let mut left = self.position;
            let mut passed = Bytes([0; PIECE as usize]);
            while left > 0 {
                let now = left.min(PIECE);
                same.keystream(&mut passed.0[..now as usize])?;
                left -= now;
            }
            stream = Some(same);
        }
        let (spec, settings, key) = (self.spec, self.settings, self.key.clone());
        let (iv, iv_set, position) = (self.iv.clone(), self.iv_set, self.position);
        Ok(Self { spec, settings, unused: self.unused, key, iv, iv_set, stream, position })
    }
}

impl Work for Stream {
    fn init(&mut self, _: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        self.unused.number = 0;
        if let Some(iv) = iv {
            self.iv.set(iv)?;
            self.iv_set = true;
        }
        if let Some(key) = key {
            self.settings.check(key)?;
            self.key = Some(Wiped::new(key));
        }
        if key.is_some() || iv.is_some() {
            (self.stream, self.position) = (None, 0);
            if self.key.is_some() && self.can_start() {
                self.stream = Some(self.start()?);
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
        if room < length {
            return Err(Reason::OutputTooSmall.into());
        }
        let missing = self.missing();
        let stream = self.stream.as_mut().ok_or(missing)?;
        // SAFETY: the promises of `update`.
        stream.apply_inout(unsafe { memory::in_out(from, to, length) }?)?;
        self.position += length as u64;
        Ok(length)
    }

    fn finish(&mut self, _: &mut [u8]) -> Outcome<usize> {
        if self.stream.is_some() { Ok(0) } else { Err(self.missing().into()) }
    }

    fn lengths(&self) -> [usize; 2] {
        [self.settings.key_length, self.iv.len()]
    }

    fn get(&mut self, params: Params) -> Outcome {
        self.unused.get(params)?;
        for name in [c"iv", c"updated-iv"] {
            if let Some(found) = params.find(name) {
                found.put_bytes(self.iv.bytes())?;
            }
        }
        Ok(())
    }

    fn set(&mut self, params: Params) -> Outcome {
        self.unused.set(params)?;
        if self.settings.set(self.spec, params)? {
            (self.key, self.stream) = (None, None);
        }
        if let Some(found) = params.find(c"ivlen") {
            let length = found.number()?;
            if !self.spec.ivs.allow(length) {
                return Err(wrong_length("iv", length, self.spec.ivs));
            }
            if length != self.iv.len() {
                self.iv.resize(length)?;
                (self.iv_set, self.stream) = (false, None);
            }
        }
        Ok(())
    }

    fn duplicate(&self) -> AnyWork {
        // What cannot be had again begins without a key, and refuses data.
        AnyWork::Stream(self.copy().unwrap_or_else(|_| Self::new(self.spec)))
    }
}
