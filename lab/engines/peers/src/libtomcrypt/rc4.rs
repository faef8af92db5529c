//! RC4.

use std::ffi::{c_int, c_ulong, c_void};

use lab::work::{Data, Fault, Message};

use super::{LibTomCrypt, OK, State, length, state};
use crate::peer_operations::Operation;
use crate::session::Session;

type Setup = unsafe extern "C" fn(*mut c_void, *const u8, c_ulong) -> c_int;
type Crypt = unsafe extern "C" fn(*mut c_void, *const u8, c_ulong, *mut u8) -> c_int;

/// The functions.
#[derive(Clone, Copy)]
pub(super) struct Rc4 {
    setup: Setup,
    crypt: Crypt,
}

impl Rc4 {
    /// Finds the functions.
    pub(super) fn bind(library: &LibTomCrypt, operation: &Operation) -> Result<Self, String> {
        if operation.cipher != "rc4" {
            return Err(format!("{} has no {}", library.version, operation.cipher));
        }
        // SAFETY: the types are those of the header tomcrypt_cipher.h, version 1.18.
        unsafe {
            Ok(Self {
                setup: library.function("rc4_stream_setup")?,
                crypt: library.function("rc4_stream_crypt")?,
            })
        }
    }

    /// A stream under a key.
    pub(super) fn session(self, key: &[u8]) -> Result<Stream, Fault> {
        let mut stream = Stream { functions: self, state: state() };
        stream.start(key, &[])?;
        Ok(stream)
    }
}

/// A state of the library.
pub(super) struct Stream {
    functions: Rc4,
    state: State,
}

impl Session for Stream {
    #[inline]
    fn start(&mut self, key: &[u8], _: &[u8]) -> Result<(), Fault> {
        if key.is_empty() {
            return Ok(());
        }
        let state = self.state.as_mut_ptr().cast();
        // SAFETY: the state has room for the library's; the key has the length that is told.
        let done = unsafe { (self.functions.setup)(state, key.as_ptr(), length(key.len())) };
        if done == OK { Ok(()) } else { Err("rc4_stream_setup") }
    }

    fn restarts(&self) -> bool {
        true
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        self.piece(message.data)
    }

    #[inline]
    fn piece(&mut self, mut data: Data<'_>) -> Result<(), Fault> {
        let (input, output, bytes) = data.pointers();
        if bytes == 0 {
            return Ok(());
        }
        let state = self.state.as_mut_ptr().cast();
        // SAFETY: the state was set up; both pointers are valid for `bytes`, the same or
        // disjoint.
        let done = unsafe { (self.functions.crypt)(state, input, length(bytes), output) };
        if done == OK { Ok(()) } else { Err("rc4_stream_crypt") }
    }
}
