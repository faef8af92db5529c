//! CMAC, which the library calls OMAC.

use std::ffi::{c_int, c_ulong, c_void};

use lab::work::{Data, Fault, Message};

use super::{LibTomCrypt, OK, State, length, state};
use crate::peer_operations::Operation;
use crate::session::Session;

type Init = unsafe extern "C" fn(*mut c_void, c_int, *const u8, c_ulong) -> c_int;
type Process = unsafe extern "C" fn(*mut c_void, *const u8, c_ulong) -> c_int;
type Done = unsafe extern "C" fn(*mut c_void, *mut u8, *mut c_ulong) -> c_int;

/// The functions with the number of a cipher.
#[derive(Clone, Copy)]
pub(super) struct Omac {
    cipher: c_int,
    init: Init,
    process: Process,
    done: Done,
}

impl Omac {
    /// Finds the functions.
    pub(super) fn bind(library: &LibTomCrypt, operation: &Operation) -> Result<Self, String> {
        let cipher = library.cipher(operation)?;
        // SAFETY: the types are those of the header tomcrypt_mac.h, version 1.18.
        unsafe {
            Ok(Self {
                cipher,
                init: library.function("omac_init")?,
                process: library.function("omac_process")?,
                done: library.function("omac_done")?,
            })
        }
    }

    /// A state under a key.
    pub(super) fn session(self, key: &[u8]) -> Result<Tag, Fault> {
        let mut tag = Tag { functions: self, state: state(), begun: false };
        tag.start(key, &[])?;
        Ok(tag)
    }
}

/// A state of the library.
pub(super) struct Tag {
    functions: Omac,
    state: State,
    /// Whether a message can begin.
    begun: bool,
}

impl Session for Tag {
    #[inline]
    fn start(&mut self, key: &[u8], _: &[u8]) -> Result<(), Fault> {
        if key.is_empty() {
            return Ok(());
        }
        let Omac { cipher, init, .. } = self.functions;
        let state = self.state.as_mut_ptr().cast();
        // SAFETY: the state has room for the library's; the key has the length that is told.
        let done = unsafe { init(state, cipher, key.as_ptr(), length(key.len())) };
        self.begun = done == OK;
        if self.begun { Ok(()) } else { Err("omac_init") }
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        if !self.begun {
            self.start(message.key, &[])?;
        }
        self.begun = false;
        let (data, tag) = (message.data.input(), message.tag);
        let mut bytes = length(tag.len());
        let state = self.state.as_mut_ptr().cast();
        let Omac { process, done, .. } = self.functions;
        // SAFETY: the state was begun; data and tag have the lengths that are told.
        let done = unsafe {
            process(state, data.as_ptr(), length(data.len())) == OK
                && done(state, tag.as_mut_ptr(), &raw mut bytes) == OK
        };
        if done && bytes == length(tag.len()) { Ok(()) } else { Err("omac_process or omac_done") }
    }

    fn piece(&mut self, _: Data<'_>) -> Result<(), Fault> {
        Err("omac_process as a stream")
    }
}
