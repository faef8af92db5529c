//! CMAC.

use std::ffi::c_int;

use lab::work::{Data, Fault, Message, Refusal};

use super::memory::Memory;
use super::names::Names;
use super::{Ipp, Status, done, length};
use crate::peer_operations::Operation;
use crate::session::Session;

type Init = unsafe extern "C" fn(*const u8, c_int, *mut u8, c_int) -> Status;
type Update = unsafe extern "C" fn(*const u8, c_int, *mut u8) -> Status;
type Final = unsafe extern "C" fn(*mut u8, c_int, *mut u8) -> Status;

/// CMAC with its functions.
pub(super) struct Cmac<'l> {
    ipp: &'l Ipp,
    names: [&'static str; 4],
    init: Init,
    update: Update,
    finish: Final,
}

impl<'l> Cmac<'l> {
    /// Finds the functions.
    pub(super) fn bind(ipp: &'l Ipp, operation: &Operation) -> Result<Self, Refusal> {
        let names = Names::of(operation.cipher).cmac;
        Ok(Self {
            ipp,
            names,
            init: ipp.function(names[1])?,
            update: ipp.function(names[2])?,
            finish: ipp.function(names[3])?,
        })
    }

    /// CMAC under a key.
    pub(super) fn session(&self, key: &[u8]) -> Result<Keyed<'_>, Fault> {
        let mut keyed = Keyed { cmac: self, memory: Memory::new(self.ipp, self.names[0])? };
        keyed.start(key, &[])?;
        Ok(keyed)
    }
}

/// CMAC under a key. Its last function makes it ready for the next message.
pub(super) struct Keyed<'c> {
    cmac: &'c Cmac<'c>,
    memory: Memory,
}

impl Session for Keyed<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], _: &[u8]) -> Result<(), Fault> {
        if key.is_empty() {
            return Ok(());
        }
        let (cmac, size) = (self.cmac, self.memory.size());
        let bytes = length(key.len(), cmac.names[1])?;
        // SAFETY: the key has the length that is told, the memory that of `ippsXGetSize`.
        let status = unsafe { (cmac.init)(key.as_ptr(), bytes, self.memory.pointer(), size) };
        done(status, cmac.names[1])
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        let (cmac, state) = (self.cmac, self.memory.pointer());
        let data = message.data.input();
        if !data.is_empty() {
            let bytes = length(data.len(), cmac.names[2])?;
            // SAFETY: the data has the length that is told; the state was initialised.
            done(unsafe { (cmac.update)(data.as_ptr(), bytes, state) }, cmac.names[2])?;
        }
        let bytes = length(message.tag.len(), cmac.names[3])?;
        // SAFETY: there is room for the tag; the state was initialised.
        done(unsafe { (cmac.finish)(message.tag.as_mut_ptr(), bytes, state) }, cmac.names[3])
    }
    fn piece(&mut self, _: Data<'_>) -> Result<(), Fault> {
        Err("a stream of whole messages")
    }
}
