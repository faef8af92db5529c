//! ECB and CBC: whole blocks, with padding, and the records of TLS.

use ciphers::block::{Chain, ChainData, WholeMode};
use ciphers::modes::cbc;
use ciphers::modes::{BlockMode, Padding};
use ciphers::{InOut, Sizes};

use super::key::{Iv, Key, Settings, set_up_at};
use super::pipe::{Pipe, TAG};
use super::tls::Record;
use super::{AnyWork, Work};
use crate::core::Params;
use crate::names::{Mode, Spec};
use crate::reason::{Reason, wrong_length};
use crate::wiped::Bytes;
use crate::{Outcome, memory};

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
    /// What was set, and means nothing.
    number: usize,
    /// The IV the message began with, and the one for the next block.
    first: Iv,
    iv: Iv,
    iv_set: bool,
    /// Data that waits for the rest of its block, or for the end.
    held: Bytes<MOST>,
    length: usize,
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
            number: 0,
            first: Iv::new(spec.iv),
            iv: Iv::new(spec.iv),
            iv_set: false,
            held: Bytes::default(),
            length: 0,
            record: Record::default(),
        }
    }

    /// How much of so many more bytes is processed now.
    fn ready(&self, more: usize) -> usize {
        // Blocks are powers of two: a division would take longer than all the rest.
        let (part, total) = (self.spec.block - 1, self.length.saturating_add(more));
        let keeps = self.padding && !self.encrypt && total > 0;
        let held = if keeps { (total - 1 & part) + 1 } else { total & part };
        total - held
    }

    /// Whole blocks.
    #[inline(always)]
    fn run(&mut self, mut io: InOut<'_>) -> Outcome {
        let key = self.key.as_ref().ok_or(Reason::NoKey)?;
        whole(key, self.spec.mode, self.encrypt, &mut self.iv, &mut io)
    }

    /// A piece whose blocks lie apart from their input, or exactly over it: behind the bytes that
    /// were held back, so that a message may be processed where it lies.
    unsafe fn direct(&mut self, from: *const u8, length: usize, to: *mut u8) -> Outcome<usize> {
        let ready = self.ready(length);
        // SAFETY: the promises of `update`.
        unsafe {
            if ready == 0 {
                let input = memory::input(from, length)?;
                self.held.0[self.length..self.length + length].copy_from_slice(input);
                self.length += length;
                return Ok(0);
            }
            let (mut taken, mut written) = (0, 0);
            if self.length > 0 {
                let block = self.spec.block;
                taken = block - self.length;
                self.held.0[self.length..block].copy_from_slice(memory::input(from, taken)?);
                let output = memory::output(to, block)?;
                output.copy_from_slice(&self.held.0[..block]);
                self.run(output.into())?;
                written = block;
            }
            let body = ready - written;
            self.run(memory::in_out(from.add(taken), to.add(written), body)?)?;
            let rest = memory::input(from.add(taken + body), length - taken - body)?;
            self.held.0[..rest.len()].copy_from_slice(rest);
            self.length = rest.len();
            Ok(ready)
        }
    }

    /// Whether a piece can begin with its first byte.
    const fn is_free(&self) -> bool {
        self.length == 0 && !self.record.is_on()
    }
}

/// Whole blocks, with the IV for the first and then for the one behind them. The data comes by
/// reference: handed on by value, it would be loaded in another width than stored.
fn whole(key: &Key, mode: Mode, encrypt: bool, iv: &mut Iv, io: &mut InOut<'_>) -> Outcome {
    if io.is_empty() {
        return Ok(());
    }
    let feedback = match (mode, encrypt) {
        (Mode::Ecb, true) => WholeMode::EcbEncrypt,
        (Mode::Ecb, false) => WholeMode::EcbDecrypt,
        (_, true) => WholeMode::CbcEncrypt,
        (_, false) => WholeMode::CbcDecrypt,
    };
    if key.whole(feedback, io, iv.bytes_mut()) {
        return Ok(());
    }
    let mut io = io.reborrow();
    match feedback {
        WholeMode::EcbEncrypt => key.encrypt_blocks(io, None, None),
        WholeMode::EcbDecrypt => key.decrypt_blocks(io, None, None),
        WholeMode::CbcEncrypt => {
            let value = iv.bytes_mut();
            key.encrypt_chains(&mut [Chain { value, data: ChainData::Encrypt(io) }]);
        }
        _ => {
            let mut next = Iv::new(iv.len());
            next.set(&io.input()[io.len() - iv.len()..])?;
            cbc::Decryptor::new(key, iv.bytes())?.blocks(io.reborrow())?;
            *iv = next;
        }
    }
    Ok(())
}

impl Work for Blocks {
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome {
        (self.encrypt, self.length, self.number) = (encrypt, 0, 0);
        if let Some(iv) = iv.filter(|_| self.spec.iv > 0) {
            self.first.set(iv)?;
            self.iv_set = true;
        }
        // Without an IV one that was set begins again; where none was, zeros did, and go on.
        if self.iv_set {
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
        if self.key.is_none() {
            return Err(Reason::NoKey.into());
        }
        if self.record.is_on() {
            let (block, encrypt) = (self.spec.block, self.encrypt);
            // SAFETY: the promises of `update`: in place, and as much room.
            let data = unsafe { Record::room(from, length, to, room) }?;
            let length = if encrypt { Record::pad(data, length, block)? } else { length };
            let data = data.get_mut(..length).ok_or(Reason::OutputTooSmall)?;
            if !data.len().is_multiple_of(block) {
                return Err(Reason::Operation.because("a record is not whole blocks"));
            }
            self.run((&mut *data).into())?;
            return if encrypt { Ok(length) } else { self.record.unpad(data, block) };
        }
        let ready = self.ready(length);
        if ready > room {
            return Err(Reason::OutputTooSmall.into());
        }
        if length > 0 {
            // SAFETY: the promises of `update`; looked at only for what they cannot be.
            unsafe { memory::input(from, length) }?;
        }
        // SAFETY: the promises of `update`.
        unsafe {
            let lags = std::ptr::eq(from, to.wrapping_add(self.length));
            if lags || !memory::overlap(from, length, to, ready) {
                return self.direct(from, length, to);
            }
            if !std::ptr::eq(from, to) {
                return Err(Reason::Overlap.into());
            }
            // What goes out never runs ahead of what has been copied.
            let (mut piece, mut taken, mut written) = (Bytes([0; PIECE]), 0, 0);
            while taken < length {
                let now = (length - taken).min(PIECE);
                piece.0[..now].copy_from_slice(memory::input(from.add(taken), now)?);
                taken += now;
                written += self.direct(piece.0.as_ptr(), now, to.add(written))?;
            }
            Ok(written)
        }
    }

    unsafe fn once(
        &mut self,
        from: *const u8,
        length: usize,
        to: *mut u8,
        room: usize,
    ) -> Outcome<usize> {
        if self.key.is_none() {
            return Err(Reason::NoKey.into());
        }
        // Blocks as they are, without padding and with nothing held back.
        if room < length {
            return Err(Reason::OutputTooSmall.into());
        }
        let block = self.spec.block;
        if !length.is_multiple_of(block) {
            let blocks = Sizes::steps(0, usize::MAX, block);
            return Err(wrong_length("data", length, blocks));
        }
        // SAFETY: the promises of `update`.
        self.run(unsafe { memory::in_out(from, to, length) }?)?;
        Ok(length)
    }

    fn finish(&mut self, output: &mut [u8]) -> Outcome<usize> {
        if self.key.is_none() {
            return Err(Reason::NoKey.into());
        }
        if self.record.is_on() {
            return Err(Reason::Operation.because("a record ends with its update"));
        }
        let block = self.spec.block;
        let fill = block - self.length;
        match (self.padding, self.encrypt) {
            (true, true) if output.len() < block => return Err(Reason::OutputTooSmall.into()),
            (true, true) => self.held.0[self.length..block].fill(fill as u8),
            (false, _) if self.length == 0 => return Ok(0),
            (_, false) if self.length == block => {}
            _ => {
                let what = format!("{} bytes are left of a block of {block}", self.length);
                return Err(Reason::FinalBlock.because(what));
            }
        }
        let last = &mut self.held.0[..block];
        let key = self.key.as_ref().ok_or(Reason::NoKey)?;
        whole(key, self.spec.mode, self.encrypt, &mut self.iv, &mut (&mut *last).into())?;
        let left = match (self.padding, self.encrypt) {
            (true, false) => Padding::Pkcs7.unpad(last),
            _ => Some(block),
        };
        let given = left.map(|left| {
            let output = output.get_mut(..left)?;
            output.copy_from_slice(&last[..left]);
            Some(left)
        });
        let left = given.ok_or(Reason::BadDecrypt)?.ok_or(Reason::OutputTooSmall)?;
        // What follows goes on from here, as with the default provider.
        self.length = 0;
        Ok(left)
    }

    fn lengths(&self) -> [usize; 2] {
        [self.settings.key_length, self.spec.iv]
    }

    fn get(&mut self, params: Params) -> Outcome {
        self.settings.get(params)?;
        params.answer(c"padding", usize::from(self.padding))?;
        params.answer(c"num", self.number)?;
        if let Some(found) = params.find(c"iv") {
            found.put_bytes(self.first.bytes())?;
        }
        if let Some(found) = params.find(c"updated-iv") {
            found.put_bytes(self.iv.bytes())?;
        }
        self.record.get(params)
    }

    fn set(&mut self, params: Params) -> Outcome {
        if self.settings.set(self.spec, params)? {
            self.key = None;
        }
        if let Some(found) = params.find(c"num") {
            self.number = found.number()?;
        }
        if let Some(found) = params.find(c"padding") {
            self.padding = found.number()? != 0;
        }
        self.record.set(params)
    }

    fn duplicate(&self) -> AnyWork {
        AnyWork::Blocks(self.clone())
    }

    fn pipe(&self) -> Option<Box<dyn Pipe>> {
        if self.spec.mode == Mode::Cbc { Some(Box::new(self.clone())) } else { None }
    }
}

impl Pipe for Blocks {
    fn work(&mut self) -> &mut dyn Work {
        self
    }

    fn batched(&self, length: usize) -> usize {
        if self.is_free() { self.ready(length) } else { 0 }
    }

    fn iv(&self) -> &[u8] {
        self.iv.bytes()
    }

    fn chained(&self) -> usize {
        self.iv.len()
    }

    fn went(&mut self, _: usize, chained: &[u8], _: [u8; TAG]) -> Outcome {
        self.iv.set(chained)
    }
}
