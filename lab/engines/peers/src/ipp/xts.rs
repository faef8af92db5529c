//! XTS, one data unit a message.

use std::ffi::c_int;

use lab::Cell;
use lab::work::{Data, Fault, Message, Refusal};

use super::memory::Memory;
use super::names::{Names, direction};
use super::{Ipp, Status, done, length};
use crate::peer_operations::Operation;
use crate::session::Session;

/// Key, its bits, the bits of a data unit, memory and its size.
type Init = unsafe extern "C" fn(*const u8, c_int, c_int, *mut u8, c_int) -> Status;
/// Input, output, bits, object, tweak, the first block's number.
type Crypt = unsafe extern "C" fn(*const u8, *mut u8, c_int, *const u8, *const u8, c_int) -> Status;

/// The shortest data unit in bytes.
const SHORTEST: u64 = 16;

/// XTS with its functions, for data units that mostly have one length.
pub(super) struct Xts<'l> {
    ipp: &'l Ipp,
    names: [&'static str; 4],
    init: Init,
    crypt: Crypt,
    crypt_name: &'static str,
    unit_bits: c_int,
}

impl<'l> Xts<'l> {
    /// Finds the functions.
    pub(super) fn bind(ipp: &'l Ipp, operation: &Operation, cell: &Cell) -> Result<Self, Refusal> {
        let names = Names::of(operation.cipher).xts;
        let crypt_name = names[2 + direction(operation)];
        let unit = if cell.model.is_setup() { lab::input::SETUP_CHECK_BYTES } else { cell.size };
        let bits = unit.checked_mul(8).and_then(|bits| c_int::try_from(bits).ok());
        let unit_bits = bits.filter(|_| unit >= SHORTEST).ok_or_else(|| {
            format!("{crypt_name} takes data units of {SHORTEST} to {} bytes, not {unit}", {
                c_int::MAX / 8
            })
        })?;
        let (init, crypt) = (ipp.function(names[1])?, ipp.function(crypt_name)?);
        Ok(Self { ipp, names, init, crypt, crypt_name, unit_bits })
    }

    /// XTS under a pair of keys.
    pub(super) fn session(&self, key: &[u8]) -> Result<Keyed<'_>, Fault> {
        let memory = Memory::new(self.ipp, self.names[0])?;
        let mut keyed = Keyed { xts: self, memory, unit_bits: self.unit_bits, key: Vec::new() };
        keyed.start(key, &[])?;
        Ok(keyed)
    }
}

/// XTS under a pair of keys.
pub(super) struct Keyed<'x> {
    xts: &'x Xts<'x>,
    memory: Memory,
    unit_bits: c_int,
    /// Kept, as a data unit of another length takes an initialisation of its own.
    key: Vec<u8>,
}

impl Keyed<'_> {
    /// Sets up the keys that are kept for data units of so many bits.
    #[inline]
    fn initialise(&mut self, unit_bits: c_int) -> Result<(), Fault> {
        let (xts, key, size) = (self.xts, &self.key, self.memory.size());
        let bits = length(key.len() * 8, xts.names[1])?;
        self.unit_bits = unit_bits;
        // SAFETY: the key has the length that is told, the memory that of `ippsXGetSize`.
        let status =
            unsafe { (xts.init)(key.as_ptr(), bits, unit_bits, self.memory.pointer(), size) };
        done(status, xts.names[1])
    }
}

impl Session for Keyed<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], _: &[u8]) -> Result<(), Fault> {
        if key.is_empty() {
            return Ok(());
        }
        self.key.clear();
        self.key.extend_from_slice(key);
        self.initialise(self.xts.unit_bits)
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        let (xts, Message { iv, mut data, .. }) = (self.xts, message);
        let (input, output, bytes) = data.pointers();
        let bits = length(bytes * 8, xts.crypt_name)?;
        if iv.len() != 16 {
            return Err(xts.crypt_name);
        }
        if bits != self.unit_bits {
            self.initialise(bits)?;
        }
        // SAFETY: both pointers are valid for `bytes`, the same or disjoint; the object was
        // initialised; the tweak has 16 bytes.
        let status =
            unsafe { (xts.crypt)(input, output, bits, self.memory.pointer(), iv.as_ptr(), 0) };
        done(status, xts.crypt_name)
    }
    fn piece(&mut self, _: Data<'_>) -> Result<(), Fault> {
        Err("a stream of whole messages")
    }
}
