//! GCM, GMAC and CCM.

use std::ffi::c_int;
use std::hint::black_box;
use std::ptr;

use lab::work::{Data, Fault, Message, Refusal};

use super::memory::Memory;
use super::names::{Names, direction};
use super::{Ipp, Status, done, length};
use crate::peer_operations::{Mode, Operation};
use crate::session::Session;

type Init = unsafe extern "C" fn(*const u8, c_int, *mut u8, c_int) -> Status;
type Start = unsafe extern "C" fn(*const u8, c_int, *const u8, c_int, *mut u8) -> Status;
type Crypt = unsafe extern "C" fn(*const u8, *mut u8, c_int, *mut u8) -> Status;
type Tag = unsafe extern "C" fn(*mut u8, c_int, *const u8) -> Status;
type MessageLen = unsafe extern "C" fn(u64, *mut u8) -> Status;
type TagLen = unsafe extern "C" fn(c_int, *mut u8) -> Status;

/// The length of the longest tag in bytes.
const TAG: usize = 16;

/// The functions that GCM and CCM have alike.
struct Functions<'l> {
    ipp: &'l Ipp,
    /// Size, initialisation, start, encryption, decryption, tag.
    names: [&'static str; 6],
    opens: bool,
    init: Init,
    start: Start,
    crypt: Crypt,
    tag: Tag,
}

impl<'l> Functions<'l> {
    fn bind(ipp: &'l Ipp, names: [&'static str; 6], direction: usize) -> Result<Self, Refusal> {
        Ok(Self {
            ipp,
            names,
            opens: direction == 1,
            init: ipp.function(names[1])?,
            start: ipp.function(names[2])?,
            crypt: ipp.function(names[3 + direction])?,
            tag: ipp.function(names[5])?,
        })
    }

    fn key(&self, memory: &mut Memory, key: &[u8]) -> Result<(), Fault> {
        let bytes = length(key.len(), self.names[1])?;
        let size = memory.size();
        // SAFETY: the key has the length that is told, the memory that of `ippsXGetSize`.
        done(unsafe { (self.init)(key.as_ptr(), bytes, memory.pointer(), size) }, self.names[1])
    }

    /// Nonce, associated data, data and tag of one message.
    #[inline]
    fn message(&self, memory: &mut Memory, message: Message<'_>) -> Result<(), Fault> {
        let Message { iv, aad, mut data, tag, .. } = message;
        let state = memory.pointer();
        self.begin(state, iv, aad)?;
        let (input, output, bytes) = data.pointers();
        if bytes != 0 {
            let name = self.names[if self.opens { 4 } else { 3 }];
            let bytes = length(bytes, name)?;
            // SAFETY: both pointers are valid for `bytes`, the same or disjoint; the state
            // was initialised and started.
            done(unsafe { (self.crypt)(input, output, bytes, state) }, name)?;
        }
        if !self.opens {
            return self.tag(state, tag);
        }
        let mut own = [0; TAG];
        let own = own.get_mut(..tag.len()).ok_or(self.names[5])?;
        self.tag(state, own)?;
        if same(own, tag) { Ok(()) } else { Err("the comparison of the tags") }
    }

    #[inline]
    fn begin(&self, state: *mut u8, iv: &[u8], aad: &[u8]) -> Result<(), Fault> {
        let (iv_bytes, aad_bytes) =
            (length(iv.len(), self.names[2])?, length(aad.len(), self.names[2])?);
        let aad = if aad.is_empty() { ptr::null() } else { aad.as_ptr() };
        // SAFETY: nonce and associated data have the lengths that are told; the state was
        // initialised.
        let status = unsafe { (self.start)(iv.as_ptr(), iv_bytes, aad, aad_bytes, state) };
        done(status, self.names[2])
    }

    #[inline]
    fn tag(&self, state: *mut u8, tag: &mut [u8]) -> Result<(), Fault> {
        let bytes = length(tag.len(), self.names[5])?;
        // SAFETY: there is room for the tag; the state was initialised and started.
        done(unsafe { (self.tag)(tag.as_mut_ptr(), bytes, state) }, self.names[5])
    }
}

/// Whether two tags are the same, in a time that tells nothing of where they differ: the
/// library leaves this to its caller.
pub(super) fn same(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |differ, (a, b)| differ | (a ^ b));
    one.len() == other.len() && black_box(differ) == 0
}

/// GCM with its functions, also for GMAC.
pub(super) struct Gcm<'l> {
    functions: Functions<'l>,
    authenticates_only: bool,
}

impl<'l> Gcm<'l> {
    /// Finds the functions.
    pub(super) fn bind(ipp: &'l Ipp, operation: &Operation) -> Result<Self, Refusal> {
        let functions =
            Functions::bind(ipp, Names::of(operation.cipher).gcm, direction(operation))?;
        Ok(Self { functions, authenticates_only: operation.mode == Mode::Gmac })
    }

    /// GCM under a key.
    pub(super) fn session(&self, key: &[u8]) -> Result<GcmKeyed<'_>, Fault> {
        let memory = Memory::new(self.functions.ipp, self.functions.names[0])?;
        let mut keyed = GcmKeyed { gcm: self, memory };
        keyed.start(key, &[])?;
        Ok(keyed)
    }
}

/// GCM under a key.
pub(super) struct GcmKeyed<'g> {
    gcm: &'g Gcm<'g>,
    memory: Memory,
}

impl Session for GcmKeyed<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], _: &[u8]) -> Result<(), Fault> {
        if key.is_empty() {
            return Ok(());
        }
        self.gcm.functions.key(&mut self.memory, key)
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        let functions = &self.gcm.functions;
        if !self.gcm.authenticates_only {
            return functions.message(&mut self.memory, message);
        }
        let state = self.memory.pointer();
        functions.begin(state, message.iv, message.data.input())?;
        functions.tag(state, message.tag)
    }
    fn piece(&mut self, _: Data<'_>) -> Result<(), Fault> {
        Err("a stream of whole messages")
    }
}

/// CCM with its functions.
pub(super) struct Ccm<'l> {
    functions: Functions<'l>,
    message_len: MessageLen,
    tag_len: TagLen,
    /// The names of these two.
    names: [&'static str; 2],
}

impl<'l> Ccm<'l> {
    /// Finds the functions.
    pub(super) fn bind(ipp: &'l Ipp, operation: &Operation) -> Result<Self, Refusal> {
        let [size, init, start, seal, open, tag, message_len, tag_len] =
            Names::of(operation.cipher).ccm;
        let names = [size, init, start, seal, open, tag];
        Ok(Self {
            functions: Functions::bind(ipp, names, direction(operation))?,
            message_len: ipp.function(message_len)?,
            tag_len: ipp.function(tag_len)?,
            names: [message_len, tag_len],
        })
    }

    /// CCM under a key.
    pub(super) fn session(&self, key: &[u8]) -> Result<CcmKeyed<'_>, Fault> {
        let memory = Memory::new(self.functions.ipp, self.functions.names[0])?;
        let mut keyed = CcmKeyed { ccm: self, memory };
        keyed.start(key, &[])?;
        Ok(keyed)
    }
}

/// CCM under a key.
pub(super) struct CcmKeyed<'c> {
    ccm: &'c Ccm<'c>,
    memory: Memory,
}

impl Session for CcmKeyed<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], _: &[u8]) -> Result<(), Fault> {
        if key.is_empty() {
            return Ok(());
        }
        self.ccm.functions.key(&mut self.memory, key)
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        let [message_len, tag_len] = self.ccm.names;
        let tag_bytes = length(message.tag.len(), tag_len)?;
        let state = self.memory.pointer();
        // SAFETY: the state was initialised; both functions take numbers only.
        unsafe {
            done((self.ccm.tag_len)(tag_bytes, state), tag_len)?;
            done((self.ccm.message_len)(message.data.len() as u64, state), message_len)?;
        }
        self.ccm.functions.message(&mut self.memory, message)
    }
    fn piece(&mut self, _: Data<'_>) -> Result<(), Fault> {
        Err("a stream of whole messages")
    }
}
