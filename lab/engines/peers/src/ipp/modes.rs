//! ECB, CBC, CFB, OFB and CTR.

use std::ffi::c_int;

use lab::work::{Data, Fault, Message, Refusal};
use lab::{Cell, Model};

use super::memory::Memory;
use super::names::{Names, direction};
use super::{Ipp, Status, done, length};
use crate::peer_operations::{Mode, Operation};
use crate::session::Session;

type Init = unsafe extern "C" fn(*const u8, c_int, *mut u8, c_int) -> Status;
type SetKey = unsafe extern "C" fn(*const u8, c_int, *mut u8) -> Status;
type Ecb = unsafe extern "C" fn(*const u8, *mut u8, c_int, *const u8) -> Status;
type Cbc = unsafe extern "C" fn(*const u8, *mut u8, c_int, *const u8, *const u8) -> Status;
type Cfb = unsafe extern "C" fn(*const u8, *mut u8, c_int, c_int, *const u8, *const u8) -> Status;
type Ofb = unsafe extern "C" fn(*const u8, *mut u8, c_int, c_int, *const u8, *mut u8) -> Status;
type Ctr = unsafe extern "C" fn(*const u8, *mut u8, c_int, *const u8, *mut u8, c_int) -> Status;

/// The length of a block in bytes.
const BLOCK: usize = 16;

/// The same as the library takes it: feedback of whole blocks.
const WHOLE: c_int = 16;

/// The function of a mode.
#[derive(Clone, Copy)]
enum Call {
    Ecb(Ecb),
    Cbc(Cbc),
    Cfb(Cfb, c_int),
    Ofb(Ofb),
    Ctr(Ctr),
}

/// A mode with its functions.
pub(super) struct Blocks<'l> {
    ipp: &'l Ipp,
    names: &'static Names,
    decrypts: bool,
    init: Init,
    set_key: SetKey,
    call: Call,
    name: &'static str,
}

impl<'l> Blocks<'l> {
    /// Finds the functions of an operation.
    pub(super) fn bind(ipp: &'l Ipp, operation: &Operation, cell: &Cell) -> Result<Self, Refusal> {
        let (names, direction) = (Names::of(operation.cipher), direction(operation));
        let pair = match operation.mode {
            Mode::Cbc => names.cbc,
            Mode::Cfb | Mode::Cfb8 => names.cfb,
            Mode::Ofb => names.ofb,
            Mode::Ctr => names.ctr,
            _ => names.ecb,
        };
        let name = pair[direction];
        let call = match operation.mode {
            Mode::Cbc => Call::Cbc(ipp.function(name)?),
            Mode::Cfb => Call::Cfb(ipp.function(name)?, WHOLE),
            Mode::Cfb8 => Call::Cfb(ipp.function(name)?, 1),
            Mode::Ofb => Call::Ofb(ipp.function(name)?),
            Mode::Ctr => Call::Ctr(ipp.function(name)?),
            _ => Call::Ecb(ipp.function(name)?),
        };
        let rest = !cell.size.is_multiple_of(BLOCK as u64);
        if cell.model == Model::Stream && operation.mode == Mode::Ctr && rest {
            return Err(format!(
                "{name} drops what is left of a keystream block: a stream has pieces of whole \
                 blocks of {BLOCK} bytes, not {}",
                cell.size
            )
            .into());
        }
        let (init, set_key) = (ipp.function(names.cipher[1])?, ipp.function(names.cipher[2])?);
        Ok(Self { ipp, names, decrypts: !operation.encrypt, init, set_key, call, name })
    }

    /// The cipher under a key, its stream at an IV.
    pub(super) fn session(&self, key: &[u8], iv: &[u8]) -> Result<Keyed<'_>, Fault> {
        let [get_size, init, _] = self.names.cipher;
        let mut memory = Memory::new(self.ipp, get_size)?;
        let size = memory.size();
        // SAFETY: the key has the length that is told, the memory that of `ippsXGetSize`.
        let status =
            unsafe { (self.init)(key.as_ptr(), length(key.len(), init)?, memory.pointer(), size) };
        done(status, init)?;
        Ok(Keyed { mode: self, memory, iv: iv.try_into().unwrap_or_default() })
    }
}

/// A cipher under a key, and the IV of its stream.
pub(super) struct Keyed<'b> {
    mode: &'b Blocks<'b>,
    memory: Memory,
    iv: [u8; BLOCK],
}

impl Keyed<'_> {
    /// Processes data from `self.iv`, which OFB and CTR advance.
    #[inline]
    fn process(&mut self, mut data: Data<'_>) -> Result<(), Fault> {
        let (input, output, bytes) = data.pointers();
        if bytes == 0 {
            return Ok(());
        }
        let name = self.mode.name;
        let bytes = length(bytes, name)?;
        let (cipher, iv) = (self.memory.pointer().cast_const(), &mut self.iv);
        // SAFETY: both pointers are valid for `bytes`, the same or disjoint; the cipher was
        // initialised; the IV has a block, and the counter all of its 128 bits.
        let status = unsafe {
            match self.mode.call {
                Call::Ecb(call) => call(input, output, bytes, cipher),
                Call::Cbc(call) => call(input, output, bytes, cipher, iv.as_ptr()),
                Call::Cfb(call, feedback) => {
                    call(input, output, bytes, feedback, cipher, iv.as_ptr())
                }
                Call::Ofb(call) => call(input, output, bytes, WHOLE, cipher, iv.as_mut_ptr()),
                Call::Ctr(call) => call(input, output, bytes, cipher, iv.as_mut_ptr(), 8 * WHOLE),
            }
        };
        done(status, name)
    }

    /// The IV after a piece of ciphertext: its last block, or the last of IV and piece.
    fn after(&self, ciphertext: &[u8]) -> [u8; BLOCK] {
        let mut iv = self.iv;
        let fresh = ciphertext.len().min(BLOCK);
        iv.copy_within(fresh.., 0);
        iv[BLOCK - fresh..].copy_from_slice(&ciphertext[ciphertext.len() - fresh..]);
        iv
    }
}

impl Session for Keyed<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], iv: &[u8]) -> Result<(), Fault> {
        if let Ok(iv) = iv.try_into() {
            self.iv = iv;
        }
        if key.is_empty() {
            return Ok(());
        }
        let name = self.mode.names.cipher[2];
        let bytes = length(key.len(), name)?;
        // SAFETY: the key has the length that is told; the cipher was initialised.
        done(unsafe { (self.mode.set_key)(key.as_ptr(), bytes, self.memory.pointer()) }, name)
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        self.process(message.data)
    }

    #[inline]
    fn piece(&mut self, data: Data<'_>) -> Result<(), Fault> {
        let feeds_back = matches!(self.mode.call, Call::Cbc(_) | Call::Cfb(..));
        if !feeds_back {
            return self.process(data);
        }
        if self.mode.decrypts {
            let iv = self.after(data.input());
            self.process(data)?;
            self.iv = iv;
            return Ok(());
        }
        let mut data = data;
        let again = match &mut data {
            Data::InPlace(data) => Data::InPlace(data),
            Data::Disjoint(input, output) => Data::Disjoint(input, output),
        };
        self.process(again)?;
        let (Data::InPlace(output) | Data::Disjoint(_, output)) = data;
        self.iv = self.after(output);
        Ok(())
    }
}
