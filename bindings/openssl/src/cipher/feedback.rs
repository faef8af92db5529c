//! CFB, OFB and CTR: any number of bytes, and a block that was begun.

use ciphers::InOut;
use ciphers::registry::{self, Operation};

use super::key::{Iv, Key, Settings, set_up};
use super::{Work, pipeline};
use crate::core::Params;
use crate::names::{Mode, Spec};
use crate::{Outcome, Refused, memory};

/// The longest block in bytes.
const MOST: usize = 16;

/// A message in pieces.
#[derive(Clone)]
pub(super) struct Feedback {
    spec: &'static Spec,
    settings: Settings,
    block: usize,
    key: Option<Key>,
    pub(super) encrypt: bool,
    first: Iv,
    /// What is encrypted next: a counter, the last keystream or ciphertext block.
    pub(super) iv: Iv,
    iv_set: bool,
    /// The keystream block that is begun, and how many of its bytes are used; 0 for none.
    rest: [u8; MOST],
    used: usize,
}

impl Feedback {
    pub(super) fn new(spec: &'static Spec) -> Self {
        Self {
            spec,
            settings: Settings::new(spec),
            block: spec.iv,
            key: None,
            encrypt: true,
            first: Iv::new(spec.iv),
            iv: Iv::new(spec.iv),
            iv_set: false,
            rest: [0; MOST],
            used: 0,
        }
    }

    /// The registry's operation of this direction.
    pub(super) fn operation(&self) -> Outcome<&'static Operation> {
        let names = self.spec.mode.operations().ok_or(Refused)?;
        registry::operation(names[usize::from(!self.encrypt)]).ok_or(Refused)
    }

    /// Bytes of a block that is begun.
    fn part(&mut self, mut io: InOut<'_>) {
        let used = self.used;
        if self.spec.mode == Mode::Cfb && !self.encrypt {
            self.iv.bytes_mut()[used..used + io.len()].copy_from_slice(io.input());
        }
        io.xor(&self.rest[used..used + io.len()]);
        if self.spec.mode == Mode::Cfb && self.encrypt {
            self.iv.bytes_mut()[used..used + io.len()].copy_from_slice(io.output());
        }
        self.used = (used + io.len()) % self.block;
    }

    /// Begins a keystream block.
    fn begin(&mut self, key: &Key) {
        let rest = &mut self.rest[..self.block];
        if self.spec.mode == Mode::Ctr {
            rest.fill(0);
            key.ctr(rest.into(), self.iv.bytes_mut());
        } else {
            rest.copy_from_slice(self.iv.bytes());
            key.encrypt_block(rest);
            if self.spec.mode == Mode::Ofb {
                self.iv.bytes_mut().copy_from_slice(rest);
            }
        }
    }

    /// Whole blocks, or any bytes in CFB8.
    fn whole(&mut self, key: &Key, mut io: InOut<'_>) -> Outcome {
        if self.spec.mode == Mode::Ctr {
            key.ctr(io, self.iv.bytes_mut());
            return Ok(());
        }
        let (block, length) = (self.block, io.len());
        let mut next = self.iv.clone();
        // The last bytes of what goes in; of the IV and them, if they are fewer than a block.
        let keep = |bytes: &[u8], next: &mut Iv| {
            let count = block.min(bytes.len());
            next.bytes_mut().copy_within(count.., 0);
            next.bytes_mut()[block - count..].copy_from_slice(&bytes[bytes.len() - count..]);
        };
        keep(io.input(), &mut next);
        (self.operation()?.message)(&**key, self.iv.bytes(), io.reborrow())?;
        match self.spec.mode {
            Mode::Ofb => {
                let output = &io.output()[length - block..];
                next.bytes_mut().iter_mut().zip(output).for_each(|(byte, other)| *byte ^= other);
            }
            _ if self.encrypt => {
                next = self.iv.clone();
                keep(io.output(), &mut next);
            }
            _ => {}
        }
        self.iv = next;
        Ok(())
    }

    fn apply(&mut self, io: InOut<'_>) -> Outcome {
        let Some(key) = self.key.clone().filter(|_| self.iv_set) else { return Err(Refused) };
        if io.is_empty() {
            return Ok(());
        }
        if self.spec.mode == Mode::Cfb8 {
            return self.whole(&key, io);
        }
        let begun = if self.used > 0 { (self.block - self.used).min(io.len()) } else { 0 };
        let (head, body) = io.split_at(begun);
        if begun > 0 {
            self.part(head);
        }
        let length = body.len();
        let (body, tail) = body.split_at(length - length % self.block);
        if !body.is_empty() {
            self.whole(&key, body)?;
        }
        if !tail.is_empty() {
            self.begin(&key);
            self.part(tail);
        }
        Ok(())
    }

    /// Whether a piece can begin with its first byte.
    pub(super) fn is_free(&self) -> bool {
        self.used == 0 && self.iv_set
    }

    /// Goes past blocks that [`pipeline`] has processed.
    pub(super) fn skip(&mut self, blocks: usize) {
        let mut carry = blocks as u128;
        for byte in self.iv.bytes_mut().iter_mut().rev() {
            carry += u128::from(*byte);
            *byte = carry as u8;
            carry >>= 8;
        }
    }
}

impl Work for Feedback {
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        (self.encrypt, self.used) = (encrypt, 0);
        if let Some(iv) = iv {
            self.first.set(iv)?;
            self.iv_set = true;
        }
        self.iv = self.first.clone();
        if let Some(key) = key {
            if key.len() != self.settings.key_length {
                return Err(Refused);
            }
            self.key = Some(set_up(self.spec, key, self.settings.parameters)?);
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
        if length > room {
            return Err(Refused);
        }
        // SAFETY: the promises of `update`.
        self.apply(unsafe { memory::in_out(from, to, length) }?)?;
        Ok(length)
    }

    fn finish(&mut self, _: &mut [u8]) -> Outcome<usize> {
        if self.key.is_some() { Ok(0) } else { Err(Refused) }
    }

    fn get(&mut self, params: Params) -> Outcome {
        self.settings.get(params)?;
        params.answer(c"ivlen", self.spec.iv)?;
        params.answer(c"padding", 1)?;
        params.answer(c"num", self.used)?;
        if let Some(found) = params.find(c"iv") {
            found.put_bytes(self.first.bytes())?;
        }
        if let Some(found) = params.find(c"updated-iv") {
            found.put_bytes(self.iv.bytes())?;
        }
        Ok(())
    }

    fn set(&mut self, params: Params) -> Outcome {
        self.settings.set(self.spec, params)?;
        // Another number than 0 would need the block that was begun.
        match params.find(c"num").map(|found| found.number()) {
            None | Some(Ok(0)) => Ok(()),
            _ => Err(Refused),
        }
    }

    fn duplicate(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }

    fn pipe(&self) -> Option<pipeline::Pipe> {
        (self.spec.mode == Mode::Ctr).then(|| pipeline::Pipe::Ctr(self.clone()))
    }
}
