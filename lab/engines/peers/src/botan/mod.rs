//! The engine `botan`: Botan 3 through its C interface and, for modes, one of our own.
//!
//! ECB is `botan_block_cipher_…`, a MAC `botan_mac_…`. The library's `botan_cipher_…` copies data
//! into a buffer of its own and back, so every other mode goes through `lab/engines/botan/shim.cpp`,
//! which calls `Cipher_Mode::process` on the data where they lie. A library that is named with
//! `--lib` and has no such interface is called through its own.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};

use lab::reply::Description;
use lab::work::{Engine, Keys, Notes, Refusal, Run};
use lab::{Cell, LabError, Model};

mod block;
mod cipher;
mod mac;
mod names;

use block::BlockCipher;
use cipher::CipherMode;
use mac::MacObject;

use crate::peer_operations::{self, Mode, Operation};
use crate::session;
use crate::shared_library::{Opened, Peer};

/// Botan from the cache.
pub(crate) const PEER: Peer = Peer {
    engine: "botan",
    system: &[],
    beside: &[],
    how_to_get: "`cipherlane engines build botan` builds it, or name one with --lib PATH",
};

/// `botan_cipher_t`, `botan_block_cipher_t`, `botan_mac_t`: only ever seen as pointers.
type Object = *mut c_void;

type Init = unsafe extern "C" fn(*mut Object, *const c_char, u32) -> c_int;
type Destroy = unsafe extern "C" fn(Object) -> c_int;
type Bytes = unsafe extern "C" fn(Object, *const u8, usize) -> c_int;
type Query = unsafe extern "C" fn(Object, *mut usize) -> c_int;
type Blocks = unsafe extern "C" fn(Object, *const u8, *mut u8, usize) -> c_int;

/// The functions of Botan that are used, with the library that holds them. All but the first
/// return 0 on success.
pub(crate) struct Botan {
    version: unsafe extern "C" fn() -> *const c_char,
    block_init: unsafe extern "C" fn(*mut Object, *const c_char) -> c_int,
    block_destroy: Destroy,
    block_set_key: Bytes,
    block_encrypt: Blocks,
    block_decrypt: Blocks,
    cipher_init: Init,
    cipher_destroy: Destroy,
    cipher_set_key: Bytes,
    cipher_start: Bytes,
    cipher_set_associated_data: Bytes,
    cipher_update: Update,
    cipher_granularity: Query,
    cipher_ideal_granularity: Query,
    /// A whole message, and a piece of a stream, by the interface that copies nothing.
    in_place: Option<(Whole, Piece)>,
    mac_init: Init,
    mac_destroy: Destroy,
    mac_set_key: Bytes,
    mac_set_nonce: Bytes,
    mac_update: Bytes,
    mac_final: unsafe extern "C" fn(Object, *mut u8) -> c_int,
    path: PathBuf,
    _library: Opened,
}

/// `botan_cipher_update`: object, flags, output with its room and what was written of it,
/// input with its length and what was consumed of it.
type Update = unsafe extern "C" fn(
    Object,
    u32,
    *mut u8,
    usize,
    *mut usize,
    *const u8,
    usize,
    *mut usize,
) -> c_int;

/// `cipherlane_botan_message`: object, input, output and their length, a tag with its own.
type Whole = unsafe extern "C" fn(Object, *const u8, *mut u8, usize, *mut u8, usize) -> c_int;

/// `cipherlane_botan_piece`.
type Piece = unsafe extern "C" fn(Object, *const u8, *mut u8, usize) -> c_int;

/// The number of the interface that is spoken here; that of shim.cpp.
const INTERFACE: u32 = 1;

impl Botan {
    /// Opens the library of that path, or the one that was built.
    pub(crate) fn open(lib: Option<&Path>) -> Result<Self, LabError> {
        Self::bind(PEER.open(lib)?)
            .map_err(|function| PEER.missing(&format!("the library has no function {function}")))
    }

    fn bind(library: Opened) -> Result<Self, &'static str> {
        // SAFETY: the types are those of the header ffi.h of Botan 3 and of shim.cpp, whose
        // functions stand for those of the header with the same types.
        unsafe {
            type Number = unsafe extern "C" fn() -> u32;
            const NUMBER: &str = "cipherlane_botan_interface";
            let ours = library.function::<Number>(NUMBER).ok().map(|number| number());
            if ours.is_some_and(|number| number != INTERFACE) {
                return Err(NUMBER);
            }
            let of = |theirs, own| if ours.is_some() { own } else { theirs };
            let in_place = match ours {
                None => None,
                Some(_) => Some((
                    library.function("cipherlane_botan_message")?,
                    library.function("cipherlane_botan_piece")?,
                )),
            };
            Ok(Self {
                in_place,
                version: library.function("botan_version_string")?,
                block_init: library.function("botan_block_cipher_init")?,
                block_destroy: library.function("botan_block_cipher_destroy")?,
                block_set_key: library.function("botan_block_cipher_set_key")?,
                block_encrypt: library.function("botan_block_cipher_encrypt_blocks")?,
                block_decrypt: library.function("botan_block_cipher_decrypt_blocks")?,
                cipher_init: library.function(of("botan_cipher_init", "cipherlane_botan_init"))?,
                cipher_destroy: library
                    .function(of("botan_cipher_destroy", "cipherlane_botan_destroy"))?,
                cipher_set_key: library
                    .function(of("botan_cipher_set_key", "cipherlane_botan_set_key"))?,
                cipher_start: library
                    .function(of("botan_cipher_start", "cipherlane_botan_start"))?,
                cipher_set_associated_data: library.function(of(
                    "botan_cipher_set_associated_data",
                    "cipherlane_botan_set_associated_data",
                ))?,
                cipher_update: library.function("botan_cipher_update")?,
                cipher_granularity: library.function(of(
                    "botan_cipher_get_update_granularity",
                    "cipherlane_botan_granularity",
                ))?,
                // The interface of our own takes whole messages and is not asked.
                cipher_ideal_granularity: library.function(of(
                    "botan_cipher_get_ideal_update_granularity",
                    "cipherlane_botan_granularity",
                ))?,
                mac_init: library.function("botan_mac_init")?,
                mac_destroy: library.function("botan_mac_destroy")?,
                mac_set_key: library.function("botan_mac_set_key")?,
                mac_set_nonce: library.function("botan_mac_set_nonce")?,
                mac_update: library.function("botan_mac_update")?,
                mac_final: library.function("botan_mac_final")?,
                path: library.path.clone(),
                _library: library,
            })
        }
    }

    fn version(&self) -> String {
        // SAFETY: the function takes nothing and returns a static string.
        unsafe { CStr::from_ptr((self.version)()) }.to_string_lossy().into_owned()
    }

    /// Why an operation can't be had from this library, if it can't.
    fn lacks(&self, operation: &Operation) -> Option<String> {
        // The first words are the version's number, the rest its date and origin.
        let version = self.version();
        let version = version.split(" (").next().unwrap_or_default();
        let Some(name) = names::of(operation) else {
            let (name, cipher) = (operation.name, operation.cipher);
            return Some(format!("botan_cipher_init of {version} knows no {name} of {cipher}"));
        };
        let (key, iv) = operation.sample();
        let tried = if operation.mode.is_mac() {
            MacObject::new(self, &name).and_then(|it| session::started(it, &key, &iv)).map(drop)
        } else if operation.mode == Mode::Ecb {
            BlockCipher::new(self, &name, true)
                .and_then(|it| session::started(it, &key, &iv))
                .map(drop)
        } else {
            CipherMode::new(self, &name, operation)
                .and_then(|it| session::started(it, &key, &iv))
                .map(drop)
        };
        let fault = tried.err()?;
        Some(format!("{fault} of {version} refuses {}", name.to_string_lossy()))
    }

    fn run(
        &self,
        operation: &Operation,
        name: &CString,
        cell: &Cell,
        keys: &Keys,
        run: Run<'_>,
    ) -> Result<(), Refusal> {
        if operation.mode.is_mac() {
            session::run(cell.model, keys, run, |key, iv| {
                session::started(MacObject::new(self, name)?, key, iv)
            })
        } else if operation.mode == Mode::Ecb {
            session::run(cell.model, keys, run, |key, iv| {
                session::started(BlockCipher::new(self, name, operation.encrypt)?, key, iv)
            })
        } else {
            if cell.model == Model::Stream {
                let mode = CipherMode::new(self, name, operation)?;
                let (size, granularity) = (cell.size, mode.granularity()? as u64);
                if !size.is_multiple_of(granularity) {
                    let name = name.to_string_lossy();
                    return Err(format!(
                        "botan_cipher_update of {name} takes {granularity} bytes at a time, \
                         which {size} is no multiple of"
                    )
                    .into());
                }
            }
            session::run(cell.model, keys, run, |key, iv| {
                session::started(CipherMode::new(self, name, operation)?, key, iv)
            })
        }
    }
}

impl Engine for Botan {
    fn describe(&self) -> Description {
        let (offers, known_wrong) = peer_operations::offers(|operation| self.lacks(operation));
        Description {
            engine: PEER.engine.to_owned(),
            version: self.version(),
            build: String::new(),
            path: self.path.display().to_string(),
            offers,
            known_wrong,
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let operation = peer_operations::find(PEER.engine, cell)?;
        match (self.lacks(&operation), names::of(&operation)) {
            (None, Some(name)) => self.run(&operation, &name, cell, keys, run)?,
            (reason, _) => return Err(reason.unwrap_or_default().into()),
        }
        let remark = match (operation.mode, self.in_place) {
            (Mode::Ccm | Mode::GcmSiv, Some(_)) => "Cipher_Mode::finish wants the data in a vector",
            (Mode::Ecb, _) | (_, Some(_)) => "",
            (mode, None) if mode.is_mac() => "",
            (_, None) => "botan_cipher_update copies the data twice",
        };
        Ok(Notes { flags: Vec::new(), remark: remark.to_owned() })
    }
}
