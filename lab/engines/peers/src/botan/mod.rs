//! The engine `botan`: Botan 3 through its C interface.
//!
//! ECB is `botan_block_cipher_…`, a MAC `botan_mac_…`, every other mode `botan_cipher_…`,
//! which copies data into a buffer of its own and back: that is the price of the interface.
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

use crate::asked::{self, Mode, Operation};
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

impl Botan {
    /// Opens the library of that path, or the one that was built.
    pub(crate) fn open(lib: Option<&Path>) -> Result<Self, LabError> {
        Self::bind(PEER.open(lib)?)
            .map_err(|function| PEER.missing(&format!("the library has no function {function}")))
    }

    fn bind(library: Opened) -> Result<Self, &'static str> {
        // SAFETY: the types are those of the header ffi.h of Botan 3.
        unsafe {
            Ok(Self {
                version: library.function("botan_version_string")?,
                block_init: library.function("botan_block_cipher_init")?,
                block_destroy: library.function("botan_block_cipher_destroy")?,
                block_set_key: library.function("botan_block_cipher_set_key")?,
                block_encrypt: library.function("botan_block_cipher_encrypt_blocks")?,
                block_decrypt: library.function("botan_block_cipher_decrypt_blocks")?,
                cipher_init: library.function("botan_cipher_init")?,
                cipher_destroy: library.function("botan_cipher_destroy")?,
                cipher_set_key: library.function("botan_cipher_set_key")?,
                cipher_start: library.function("botan_cipher_start")?,
                cipher_set_associated_data: library.function("botan_cipher_set_associated_data")?,
                cipher_update: library.function("botan_cipher_update")?,
                cipher_granularity: library.function("botan_cipher_get_update_granularity")?,
                cipher_ideal_granularity: library
                    .function("botan_cipher_get_ideal_update_granularity")?,
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
            let (name, cipher) = (operation.name, operation.cipher.algorithm());
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
        let (offers, known_wrong) = asked::offers(|operation| self.lacks(operation));
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
        let operation = asked::find(PEER.engine, cell)?;
        match (self.lacks(&operation), names::of(&operation)) {
            (None, Some(name)) => self.run(&operation, &name, cell, keys, run)?,
            (reason, _) => return Err(reason.unwrap_or_default().into()),
        }
        let copies = operation.mode != Mode::Ecb && !operation.mode.is_mac();
        let remark = if copies { "botan_cipher_update copies the data twice" } else { "" };
        Ok(Notes { flags: Vec::new(), remark: remark.to_owned() })
    }
}
