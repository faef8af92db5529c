//! The engine `libtomcrypt`: RC2, RC5 and RC4 of LibTomCrypt, through its C interface.
//!
//! A mode object holds its key, and a fresh IV is set by `cbc_setiv` and its like. ECB and CBC
//! work block by block; OMAC1, which is CMAC, takes its key anew with every message, as does RC4.
//! RC2 and RC5 are called with the library's own rounds: RC5-32/12, and as many effective key
//! bits as the key of RC2 has.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

use std::ffi::{CStr, c_char, c_int, c_ulong, c_void};
use std::path::Path;

use lab::reply::Description;
use lab::work::{Engine, Keys, Notes, Refusal, Run};
use lab::{Cell, LabError};

mod block;
mod rc4;
mod tag;

use block::BlockMode;
use rc4::Rc4;
use tag::Omac;

use crate::peer_operations::{self, Mode, Operation};
use crate::session;
use crate::shared_library::{Opened, Peer};

/// LibTomCrypt, the one in the cache or the system's.
pub(crate) const PEER: Peer = Peer {
    engine: "libtomcrypt",
    system: &["libtomcrypt.so.1"],
    beside: &["libgmp.so.10", "libtommath.so.1"],
    how_to_get: "`cipherlane engines build libtomcrypt` or `apt-get install libtomcrypt1` brings \
                 it, or name one with --lib PATH",
};

/// Room for any state of the library: the largest of version 1.18 has 4784 bytes.
type State = Box<[u64; 1024]>;

fn state() -> State {
    Box::new([0; 1024])
}

/// `CRYPT_OK`.
const OK: c_int = 0;

/// LibTomCrypt.
pub(crate) struct LibTomCrypt {
    opened: Opened,
    version: String,
    rc2: c_int,
    rc5: c_int,
}

impl LibTomCrypt {
    /// Opens the library of that path, or the one there is.
    pub(crate) fn open(lib: Option<&Path>) -> Result<Self, LabError> {
        let opened = PEER.open(lib)?;
        let lacking = |name| PEER.missing(&format!("the library lacks {name}"));
        // SAFETY: the types are those of the headers tomcrypt_cipher.h and tomcrypt_misc.h of
        // version 1.18: descriptors are structures, the settings a pointer to a text, and a
        // number below 0 stands for a cipher that is not there.
        let (version, rc2, rc5) = unsafe {
            let register: unsafe extern "C" fn(*const c_void) -> c_int =
                opened.function("register_cipher").map_err(lacking)?;
            let settings: *const *const c_char =
                opened.function("crypt_build_settings").map_err(lacking)?;
            let descriptor =
                |name| opened.function::<*const c_void>(name).map_or(-1, |it| register(it));
            let text = CStr::from_ptr(*settings).to_string_lossy().into_owned();
            (text, descriptor("rc2_desc"), descriptor("rc5_desc"))
        };
        // Its first line is e.g. `LibTomCrypt 1.18.2 (www.libtom.net)`.
        let version = version.split(" (").next().unwrap_or_default().trim().to_owned();
        Ok(Self { opened, version, rc2, rc5 })
    }

    /// The function of that name, at the type of the place it is put.
    ///
    /// # Safety
    /// The type must be that of the function.
    unsafe fn function<T: Copy>(&self, name: &'static str) -> Result<T, String> {
        // SAFETY: the caller's.
        unsafe { self.opened.function(name) }
            .map_err(|name| format!("{} has no function {name}", self.version))
    }

    /// The library's number of a block cipher.
    fn cipher(&self, operation: &Operation) -> Result<c_int, String> {
        let number = match operation.cipher {
            "rc2" => self.rc2,
            "rc5" => self.rc5,
            _ => -1,
        };
        if number >= 0 {
            return Ok(number);
        }
        Err(format!("{} is not asked for {}", self.version, operation.cipher))
    }

    /// Why an operation can't be had from this library, if it can't.
    fn lacks(&self, operation: &Operation) -> Option<String> {
        match operation.mode {
            Mode::Keystream => Rc4::bind(self, operation).err(),
            Mode::Cmac => Omac::bind(self, operation).err(),
            _ => BlockMode::bind(self, operation).err(),
        }
    }
}

/// A length as the library takes it.
fn length(bytes: usize) -> c_ulong {
    bytes as c_ulong
}

impl Engine for LibTomCrypt {
    fn describe(&self) -> Description {
        let (offers, known_wrong) = peer_operations::offers(|operation| self.lacks(operation));
        Description {
            engine: PEER.engine.to_owned(),
            version: self.version.clone(),
            build: String::new(),
            path: self.opened.path.display().to_string(),
            offers,
            known_wrong,
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let operation = peer_operations::find(PEER.engine, cell)?;
        let mut remark = "";
        match operation.mode {
            Mode::Keystream => {
                let rc4 = Rc4::bind(self, &operation)?;
                session::run(cell.model, keys, run, |key, _| rc4.session(key))?;
            }
            Mode::Cmac => {
                remark = "omac_init takes the key with every message";
                let omac = Omac::bind(self, &operation)?;
                session::run(cell.model, keys, run, |key, _| omac.session(key))?;
            }
            _ => {
                let mode = BlockMode::bind(self, &operation)?;
                session::run(cell.model, keys, run, |key, iv| mode.session(key, iv))?;
            }
        }
        Ok(Notes { remark: remark.to_owned(), ..Notes::default() })
    }
}
