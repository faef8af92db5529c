//! ECB, CBC, CTR, CFB and OFB.

use std::ffi::{c_int, c_ulong, c_void};

use lab::work::{Data, Fault, Message};

use super::{LibTomCrypt, OK, State, length, state};
use crate::peer_operations::{Mode, Operation};
use crate::session::Session;

/// `ecb_start`: cipher, key, its length, rounds, state.
type StartEcb = unsafe extern "C" fn(c_int, *const u8, c_int, c_int, *mut c_void) -> c_int;
/// `cbc_start` and its like: cipher, IV, key, its length, rounds, state.
type Start = unsafe extern "C" fn(c_int, *const u8, *const u8, c_int, c_int, *mut c_void) -> c_int;
/// `ctr_start`, which takes the order of the counter's bytes besides.
type StartCtr =
    unsafe extern "C" fn(c_int, *const u8, *const u8, c_int, c_int, c_int, *mut c_void) -> c_int;
type SetIv = unsafe extern "C" fn(*const u8, c_ulong, *mut c_void) -> c_int;
type Process = unsafe extern "C" fn(*const u8, *mut u8, c_ulong, *mut c_void) -> c_int;

/// `CTR_COUNTER_BIG_ENDIAN`.
const BIG_ENDIAN: c_int = 0x1000;

/// The library's own number of rounds.
const OWN_ROUNDS: c_int = 0;

/// A block of 64 bits, for a key that is set alone.
const NO_IV: [u8; 8] = [0; 8];

#[derive(Clone, Copy)]
enum Begin {
    Ecb(StartEcb),
    With(Start, SetIv),
    Ctr(StartCtr, SetIv),
}

/// A mode over a cipher, with its functions.
pub(super) struct BlockMode {
    cipher: c_int,
    begin: Begin,
    process: Process,
}

impl BlockMode {
    /// Finds the functions of an operation.
    pub(super) fn bind(library: &LibTomCrypt, operation: &Operation) -> Result<Self, String> {
        let cipher = library.cipher(operation)?;
        let encrypt = operation.encrypt;
        let pick = |names: [&'static str; 2]| if encrypt { names[0] } else { names[1] };
        // SAFETY: the types are those of the header tomcrypt_cipher.h, version 1.18.
        let (begin, process) = unsafe {
            match operation.mode {
                Mode::Ecb => (
                    Begin::Ecb(library.function("ecb_start")?),
                    library.function(pick(["ecb_encrypt", "ecb_decrypt"]))?,
                ),
                Mode::Cbc => (
                    Begin::With(library.function("cbc_start")?, library.function("cbc_setiv")?),
                    library.function(pick(["cbc_encrypt", "cbc_decrypt"]))?,
                ),
                Mode::Cfb => (
                    Begin::With(library.function("cfb_start")?, library.function("cfb_setiv")?),
                    library.function(pick(["cfb_encrypt", "cfb_decrypt"]))?,
                ),
                Mode::Ofb => (
                    Begin::With(library.function("ofb_start")?, library.function("ofb_setiv")?),
                    library.function("ofb_encrypt")?,
                ),
                Mode::Ctr => (
                    Begin::Ctr(library.function("ctr_start")?, library.function("ctr_setiv")?),
                    library.function("ctr_encrypt")?,
                ),
                _ => return Err(format!("{} has no {}", library.version, operation.name)),
            }
        };
        Ok(Self { cipher, begin, process })
    }

    /// An object under a key and an IV.
    pub(super) fn session(&self, key: &[u8], iv: &[u8]) -> Result<Object<'_>, Fault> {
        let mut object = Object { mode: self, state: state() };
        object.start(key, iv)?;
        Ok(object)
    }
}

/// A state of the library.
pub(super) struct Object<'m> {
    mode: &'m BlockMode,
    state: State,
}

impl Session for Object<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], iv: &[u8]) -> Result<(), Fault> {
        let state = self.state.as_mut_ptr().cast();
        let vector = if iv.is_empty() { &NO_IV[..] } else { iv };
        let (keys, bytes, ivs) = (key.as_ptr(), key.len() as c_int, vector.as_ptr());
        let cipher = self.mode.cipher;
        // SAFETY: the state has room for any of the library's; key and IV have the lengths
        // that are told, or that of a block.
        let done = unsafe {
            match (self.mode.begin, key.is_empty()) {
                (Begin::Ecb(_), true) => OK,
                (Begin::Ecb(start), false) => start(cipher, keys, bytes, OWN_ROUNDS, state),
                (Begin::With(start, _), false) => {
                    start(cipher, ivs, keys, bytes, OWN_ROUNDS, state)
                }
                (Begin::Ctr(start, _), false) => {
                    start(cipher, ivs, keys, bytes, OWN_ROUNDS, BIG_ENDIAN, state)
                }
                (Begin::With(_, set) | Begin::Ctr(_, set), true) => {
                    set(ivs, length(vector.len()), state)
                }
            }
        };
        if done == OK { Ok(()) } else { Err("the start of a mode or its setiv") }
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
        // SAFETY: the state was started; both pointers are valid for `bytes`, the same or
        // disjoint, which the library's modes allow.
        let done = unsafe {
            (self.mode.process)(input, output, length(bytes), self.state.as_mut_ptr().cast())
        };
        if done == OK { Ok(()) } else { Err("a mode of LibTomCrypt") }
    }
}
