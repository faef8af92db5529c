//! ECB and CBC: whole blocks, with padding, and the records of TLS.

use ciphers::InOut;
use ciphers::block::{Chain, ChainData};
use ciphers::modes::cbc;
use ciphers::modes::{BlockMode, Padding};

use super::key::{Iv, Key, Settings, set_up};
use super::tls::Record;
use super::{Work, pipeline};
use crate::core::Params;
use crate::names::{Mode, Spec};
use crate::{Outcome, Refused, memory};

/// Bytes that are copied out of the way where blocks are written over their own input.
const PIECE: usize = 4096;

/// The longest block in bytes.
const MOST: usize = 16;

/// A message in pieces.
#[derive(Clone)]
pub(super) struct Blocks {
    spec: &'static Spec,
    pub(super) settings: Settings,
    pub(super) key: Option<Key>,
    pub(super) encrypt: bool,
    padding: bool,
    /// The IV the message began with, and the one for the next block.
    first: Iv,
    pub(super) iv: Iv,
    iv_set: bool,
    /// Data that waits for the rest of its block, or for the end.
    held: [u8; MOST],
    length: usize,
    ended: bool,
    record: Record,
}

impl Blocks {
    pub(super) fn new(spec: &'static Spec) -> Self {
        Self {
            spec,
            settings: Settings::new(spec),
            key: None,
            encrypt: true,
            padding: true,
            first: Iv::new(spec.iv),
            iv: Iv::new(spec.iv),
            iv_set: spec.iv == 0,
            held: [0; MOST],
            length: 0,
            ended: false,
            record: Record::default(),
        }
    }

    /// How much of so many more bytes is processed now.
    pub(super) fn ready(&self, more: usize) -> usize {
        let (block, total) = (self.spec.block, self.length.saturating_add(more));
        let keeps = self.padding && !self.encrypt && total > 0;
        let held = if keeps { (total - 1) % block + 1 } else { total % block };
        total - held
    }

    /// Whole blocks.
    fn run(&mut self, mut io: InOut<'_>) -> Outcome {
        let Some(key) = self.key.as_ref().filter(|_| self.iv_set) else { return Err(Refused) };
        if io.is_empty() {
            return Ok(());
        }
        match (self.spec.mode, self.encrypt) {
            (Mode::Ecb, true) => key.encrypt_blocks(io, None, None),
            (Mode::Ecb, false) => key.decrypt_blocks(io, None, None),
            (_, true) => {
                let value = self.iv.bytes_mut();
                key.encrypt_chains(&mut [Chain { value, data: ChainData::Encrypt(io.reborrow()) }]);
            }
            (_, false) => {
                let mut next = Iv::new(self.iv.len());
                next.set(&io.input()[io.len() - self.iv.len()..])?;
                cbc::Decryptor::new(key, self.iv.bytes())?.blocks(io)?;
                self.iv = next;
            }
        }
        Ok(())
    }

    /// A piece whose blocks do not lie over their input, or lie exactly over it.
    unsafe fn direct(&mut self, from: *const u8, length: usize, to: *mut u8) -> Outcome<usize> {
        let ready = self.ready(length);
        // SAFETY: the promises of `update`.
        unsafe {
            if ready == 0 {
                let input = memory::input(from, length)?;
                self.held[self.length..self.length + length].copy_from_slice(input);
                self.length += length;
                return Ok(0);
            }
            let (mut taken, mut written) = (0, 0);
            if self.length > 0 {
                let block = self.spec.block;
                taken = block - self.length;
                self.held[self.length..block].copy_from_slice(memory::input(from, taken)?);
                let output = memory::output(to, block)?;
                output.copy_from_slice(&self.held[..block]);
                self.run(output.into())?;
                written = block;
            }
            let body = ready - written;
            self.run(memory::in_out(from.add(taken), to.add(written), body)?)?;
            let rest = memory::input(from.add(taken + body), length - taken - body)?;
            self.held[..rest.len()].copy_from_slice(rest);
            self.length = rest.len();
            Ok(ready)
        }
    }

    /// What stands behind the blocks of a piece that [`pipeline`] has processed, of which the
    /// last ciphertext block was `next`.
    pub(super) fn goes_on(&mut self, next: &[u8], rest: &[u8]) -> Outcome {
        if !next.is_empty() {
            self.iv.set(next)?;
        }
        self.held[..rest.len()].copy_from_slice(rest);
        self.length = rest.len();
        Ok(())
    }

    /// Whether a piece can begin with its first byte.
    pub(super) fn is_free(&self) -> bool {
        self.length == 0 && !self.ended && self.iv_set && !self.record.is_on()
    }
}

impl Work for Blocks {
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        (self.encrypt, self.length, self.ended) = (encrypt, 0, false);
        if let Some(iv) = iv.filter(|_| self.spec.iv > 0) {
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
        if self.ended || self.key.is_none() || length > isize::MAX as usize {
            return Err(Refused);
        }
        if self.record.is_on() {
            let (block, encrypt) = (self.spec.block, self.encrypt);
            // SAFETY: the promises of `update`: in place, and as much room.
            let data = unsafe { Record::room(from, length, to, room) }?;
            let length = if encrypt { Record::pad(data, length, block)? } else { length };
            let data = data.get_mut(..length).ok_or(Refused)?;
            if !data.len().is_multiple_of(block) {
                return Err(Refused);
            }
            self.run((&mut *data).into())?;
            return if encrypt { Ok(length) } else { self.record.unpad(data, block) };
        }
        let ready = self.ready(length);
        if ready > room || length > 0 && from.is_null() {
            return Err(Refused);
        }
        // SAFETY: the promises of `update`.
        unsafe {
            let shifted = self.length > 0 && memory::overlap(from, length, to, ready);
            if !shifted {
                return self.direct(from, length, to);
            }
            if !std::ptr::eq(from, to) {
                return Err(Refused);
            }
            // What goes out never runs ahead of what has been copied.
            let (mut piece, mut taken, mut written) = ([0; PIECE], 0, 0);
            while taken < length {
                let now = (length - taken).min(PIECE);
                piece[..now].copy_from_slice(memory::input(from.add(taken), now)?);
                taken += now;
                written += self.direct(piece.as_ptr(), now, to.add(written))?;
            }
            Ok(written)
        }
    }

    fn finish(&mut self, output: &mut [u8]) -> Outcome<usize> {
        if self.ended || self.key.is_none() {
            return Err(Refused);
        }
        let block = self.spec.block;
        if !self.padding {
            self.ended = true;
            return if self.length == 0 { Ok(0) } else { Err(Refused) };
        }
        if output.len() < block && self.encrypt || !self.encrypt && self.length != block {
            return Err(Refused);
        }
        self.ended = true;
        let mut held = self.held;
        let last = &mut held[..block];
        if self.encrypt {
            let fill = block - self.length;
            last[self.length..].fill(fill as u8);
            self.run((&mut *last).into())?;
            output[..block].copy_from_slice(last);
            return Ok(block);
        }
        self.run((&mut *last).into())?;
        let left = Padding::Pkcs7.unpad(last).ok_or(Refused)?;
        output.get_mut(..left).ok_or(Refused)?.copy_from_slice(&last[..left]);
        Ok(left)
    }

    fn get(&mut self, params: Params) -> Outcome {
        self.settings.get(params)?;
        params.answer(c"ivlen", self.spec.iv)?;
        params.answer(c"padding", usize::from(self.padding))?;
        params.answer(c"num", self.length)?;
        if let Some(found) = params.find(c"iv") {
            found.put_bytes(self.first.bytes())?;
        }
        if let Some(found) = params.find(c"updated-iv") {
            found.put_bytes(self.iv.bytes())?;
        }
        self.record.get(params)
    }

    fn set(&mut self, params: Params) -> Outcome {
        self.settings.set(self.spec, params)?;
        if let Some(found) = params.find(c"padding") {
            self.padding = found.number()? != 0;
        }
        self.record.set(params)
    }

    fn duplicate(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }

    fn pipe(&self) -> Option<pipeline::Pipe> {
        (self.spec.mode == Mode::Cbc).then(|| pipeline::Pipe::Blocks(self.clone()))
    }
}
