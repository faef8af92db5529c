//! CFB, OFB and CTR: any number of bytes, and a block that was begun.

use ciphers::InOut;

use super::key::{Iv, Key, Settings, set_up_at};
use super::pipe::{Pipe, TAG};
use super::{AnyWork, Work};
use crate::core::Params;
use crate::names::{Mode, Spec};
use crate::reason::Reason;
use crate::wiped::Bytes;
use crate::{Outcome, memory};

/// The longest block in bytes.
const MOST: usize = 16;

/// A message in pieces.
#[derive(Clone)]
pub(super) struct Feedback {
    spec: &'static Spec,
    settings: Settings,
    block: usize,
    key: Option<Key>,
    encrypt: bool,
    padding: bool,
    first: Iv,
    /// What is encrypted next: a counter, the last keystream or ciphertext block. In a block that
    /// is begun, CFB and OFB have here what comes of it: keystream, and in front of that, in
    /// CFB, ciphertext.
    iv: Iv,
    iv_set: bool,
    /// CTR: the keystream block that is begun.
    rest: Bytes<MOST>,
    /// How many bytes of the block are used; 0 for none that is begun.
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
            padding: true,
            first: Iv::new(spec.iv),
            iv: Iv::new(spec.iv),
            iv_set: false,
            rest: Bytes::default(),
            used: 0,
        }
    }

    /// Bytes of a block that is begun.
    fn part(&mut self, mut io: InOut<'_>) {
        let place = self.used..self.used + io.len();
        self.used = place.end % self.block;
        if self.spec.mode == Mode::Ctr {
            io.xor(&self.rest.0[place]);
            return;
        }
        let mut keystream = Bytes::<MOST>::default();
        let keystream = &mut keystream.0[..io.len()];
        let iv = &mut self.iv.bytes_mut()[place];
        keystream.copy_from_slice(iv);
        let cfb = self.spec.mode == Mode::Cfb;
        if cfb && !self.encrypt {
            iv.copy_from_slice(io.input());
        }
        io.xor(keystream);
        if cfb && self.encrypt {
            iv.copy_from_slice(io.output());
        }
    }

    /// Begins a keystream block.
    fn begin(&mut self, key: &Key) {
        if self.spec.mode == Mode::Ctr {
            let rest = &mut self.rest.0[..self.block];
            rest.fill(0);
            key.ctr(rest.into(), self.iv.bytes_mut());
        } else {
            key.encrypt_block(self.iv.bytes_mut());
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
        let operation = &self.spec.operations[usize::from(!self.encrypt)];
        let mode = operation.block_mode().ok_or(Reason::NotSupported)?;
        (mode.message)(&**key, self.iv.bytes(), io.reborrow())?;
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
        // Taken out for as long as it works on the rest of this object.
        let key = self.key.take().ok_or(Reason::NoKey)?;
        let done = self.under(&key, io);
        self.key = Some(key);
        done
    }

    fn under(&mut self, key: &Key, io: InOut<'_>) -> Outcome {
        if io.is_empty() {
            return Ok(());
        }
        if self.spec.mode == Mode::Cfb8 {
            return self.whole(key, io);
        }
        let begun = if self.used > 0 { (self.block - self.used).min(io.len()) } else { 0 };
        let (head, body) = io.split_at(begun);
        if begun > 0 {
            self.part(head);
        }
        let length = body.len();
        let (body, tail) = body.split_at(length - length % self.block);
        if !body.is_empty() {
            self.whole(key, body)?;
        }
        if !tail.is_empty() {
            self.begin(key);
            self.part(tail);
        }
        Ok(())
    }
}

impl Work for Feedback {
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        (self.encrypt, self.used) = (encrypt, 0);
        if let Some(iv) = iv {
            self.first.set(iv)?;
            self.iv.copy(&self.first);
            self.iv_set = true;
        } else if self.iv_set && self.spec.mode != Mode::Ctr {
            // CFB and OFB begin again with the IV that was set. A counter goes on: the same
            // keystream for another message would give both away.
            self.iv.copy(&self.first);
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
        if length > room {
            return Err(Reason::OutputTooSmall.into());
        }
        // SAFETY: the promises of `update`.
        self.apply(unsafe { memory::in_out(from, to, length) }?)?;
        Ok(length)
    }

    fn finish(&mut self, _: &mut [u8]) -> Outcome<usize> {
        if self.key.is_some() { Ok(0) } else { Err(Reason::NoKey.into()) }
    }

    fn lengths(&self) -> [usize; 2] {
        [self.settings.key_length, self.spec.iv]
    }

    fn get(&mut self, params: Params) -> Outcome {
        self.settings.get(params)?;
        params.answer(c"padding", usize::from(self.padding))?;
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
        if self.settings.set(self.spec, params)? {
            self.key = None;
        }
        if let Some(found) = params.find(c"padding") {
            // It changes nothing, and is told to who asks.
            self.padding = found.number()? != 0;
        }
        if let Some(found) = params.find(c"num") {
            let used = found.number()?;
            // A keystream block of a counter that was not begun is not there to go on in.
            let begun = self.spec.mode != Mode::Ctr || used == 0 || self.used > 0;
            if used >= self.block || !begun {
                let said = format!("num is {used}, in a block of {} bytes", self.block);
                return Err(Reason::SetParameter.because(said));
            }
            self.used = used;
        }
        Ok(())
    }

    fn duplicate(&self) -> AnyWork {
        AnyWork::Feedback(self.clone())
    }

    fn pipe(&self) -> Option<Box<dyn Pipe>> {
        if self.spec.mode == Mode::Ctr { Some(Box::new(self.clone())) } else { None }
    }
}

/// Of CTR alone.
impl Pipe for Feedback {
    fn work(&mut self) -> &mut dyn Work {
        self
    }

    fn batched(&self, length: usize) -> usize {
        if self.used == 0 { length - length % self.block } else { 0 }
    }

    fn iv(&self) -> &[u8] {
        self.iv.bytes()
    }

    fn went(&mut self, amount: usize, _: &[u8], _: [u8; TAG]) -> Outcome {
        let mut carry = (amount / self.block) as u128;
        for byte in self.iv.bytes_mut().iter_mut().rev() {
            carry += u128::from(*byte);
            *byte = carry as u8;
            carry >>= 8;
        }
        Ok(())
    }
}
