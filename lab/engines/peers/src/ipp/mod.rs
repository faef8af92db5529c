//! The engine `ipp`: Intel's Cryptography Primitives Library, opened at run time.
//!
//! Every object lies in memory of the size that the library asks for. The library picks
//! its code for this CPU when it is loaded (`ippcpInit`, which is called again so that a
//! refusal is seen). CBC and CFB leave their IV as it was: in model `stream` the last
//! block of ciphertext is carried over by the engine, as the library's manual has it.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

use std::ffi::{CStr, c_char, c_int};
use std::path::Path;

use lab::reply::{Description, Offer};
use lab::work::{Batch, Engine, Keys, Notes, Refusal, Run, RunBatch, one_by_one};
use lab::{Cell, LabError, Model};

mod aead;
mod batch;
mod mac;
mod memory;
mod modes;
mod names;
mod xts;

use batch::CryptoMb;

use crate::peer_operations::{self, Mode, Operation};
use crate::session;
use crate::shared_library::{Opened, Peer};

/// The library from the cache, or the system's.
pub(crate) const PEER: Peer = Peer {
    engine: "ipp",
    system: &["libippcp.so.13"],
    beside: &[],
    how_to_get: "`cipherlane engines build ipp` brings it, or name a libippcp with --lib PATH",
};

/// `IppStatus`: 0 is `ippStsNoErr`, what is above a warning, what is below an error.
type Status = c_int;

/// `CryptoLibraryVersion` of the header ippcpdefs.h.
#[repr(C)]
struct Version {
    numbers: [c_int; 3],
    target_cpu: [c_char; 4],
    name: *const c_char,
    build_date: *const c_char,
    version: *const c_char,
}

/// The library, and its like for many messages at once.
pub(crate) struct Ipp {
    version: String,
    build: String,
    opened: Opened,
    batches: Result<CryptoMb, String>,
}

impl Ipp {
    /// Opens the library of that path, the one in the cache, or the system's.
    pub(crate) fn open(lib: Option<&Path>) -> Result<Self, LabError> {
        let (version, build, opened) = (String::new(), String::new(), PEER.open(lib)?);
        let batches = CryptoMb::beside(&opened.path);
        let mut ipp = Self { version, build, opened, batches };
        ipp.start().map_err(|refusal| PEER.missing(&refusal.0))?;
        Ok(ipp)
    }

    /// Has the library pick its code for this CPU, and reads its version.
    fn start(&mut self) -> Result<(), Refusal> {
        let init: unsafe extern "C" fn() -> Status = self.function("ippcpInit")?;
        let version: unsafe extern "C" fn() -> *const Version =
            self.function("cryptoGetLibVersion")?;
        // SAFETY: both take nothing; the second returns a static structure of static strings.
        let (status, version, text) = unsafe {
            let (status, version) = (init(), &*version());
            (status, version, CStr::from_ptr(version.version).to_string_lossy().into_owned())
        };
        if status < 0 {
            return Err(format!("ippcpInit failed with status {status}").into());
        }
        let [major, minor, patch] = version.numbers;
        self.version = format!("{major}.{minor}.{patch}");
        self.build = text;
        Ok(())
    }

    /// The function of that name, at the type of the place it is put. The types that are
    /// asked for are those of the header ippcp.h, version 2.3.
    fn function<T: Copy>(&self, name: &'static str) -> Result<T, Refusal> {
        // SAFETY: every caller names the function's type of the header.
        unsafe { self.opened.function(name) }.map_err(|name| self.lacks(name).into())
    }

    /// Why a function can't be called.
    fn lacks(&self, function: &str) -> String {
        format!("libippcp {} has no function {function}", self.version)
    }

    /// The multi-buffer library, if it is there and does an operation.
    fn multi_buffer(&self, operation: &Operation) -> Option<&CryptoMb> {
        self.batches.as_ref().ok().filter(|_| CryptoMb::takes(operation))
    }

    /// Why an operation can't be had from this library, if it can't.
    fn missing(&self, operation: &Operation) -> Option<String> {
        let functions = names::functions(operation);
        if functions.is_empty() {
            let cipher = operation.cipher;
            return Some(self.lacks(&format!("for {} of {cipher}", operation.name)));
        }
        let lacking = functions.into_iter().find(|name| self.function::<*const ()>(name).is_err());
        lacking.map(|name| self.lacks(name))
    }
}

impl Engine for Ipp {
    fn describe(&self) -> Description {
        let (mut offers, known_wrong) = peer_operations::offers(|it| {
            self.missing(it).filter(|_| self.multi_buffer(it).is_none())
        });
        // What only the multi-buffer library has is measured in batches only.
        for operation in peer_operations::operations().filter(|it| self.missing(it).is_some()) {
            let same = |it: &&mut Offer| {
                it.algorithm == operation.cipher && it.operation == operation.name
            };
            if let Some(offer) = offers.iter_mut().find(same) {
                offer.models = vec![Model::Batch];
            }
        }
        // The feedback of both modes is of whole blocks, and a last part of one is refused.
        for offer in &mut offers {
            if ["cfb-encrypt", "cfb-decrypt", "ofb"].contains(&offer.operation.as_str()) {
                offer.granule = 16;
            }
        }
        Description {
            engine: PEER.engine.to_owned(),
            version: self.version.clone(),
            build: match &self.batches {
                Ok(library) => format!("{}; {}", self.build, library.version()),
                Err(why) => format!("{}; no batches: {why}", self.build),
            },
            path: self.opened.path.display().to_string(),
            offers,
            known_wrong,
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let it = peer_operations::find(PEER.engine, cell)?;
        if let Some(reason) = self.missing(&it) {
            return match self.multi_buffer(&it) {
                Some(library) if it.mode.is_aead() => library.singly(&it, run),
                _ => Err(reason.into()),
            };
        }
        match it.mode {
            Mode::Gcm | Mode::Gmac => {
                let gcm = aead::Gcm::bind(self, &it)?;
                session::run(cell.model, keys, run, |key, _| gcm.session(key))?;
            }
            Mode::Ccm => {
                let ccm = aead::Ccm::bind(self, &it)?;
                session::run(cell.model, keys, run, |key, _| ccm.session(key))?;
            }
            Mode::Xts => {
                let xts = xts::Xts::bind(self, &it, cell)?;
                session::run(cell.model, keys, run, |key, _| xts.session(key))?;
            }
            Mode::Cmac => {
                let cmac = mac::Cmac::bind(self, &it)?;
                session::run(cell.model, keys, run, |key, _| cmac.session(key))?;
            }
            _ => {
                let blocks = modes::Blocks::bind(self, &it, cell)?;
                session::run(cell.model, keys, run, |key, iv| blocks.session(key, iv))?;
            }
        }
        Ok(Notes::default())
    }

    fn prepare_batch<'m>(
        &self,
        cell: &Cell,
        keys: &'m Keys,
        batches: Vec<Batch<'m>>,
        run: RunBatch<'_>,
    ) -> Result<Notes, Refusal> {
        let it = peer_operations::find(PEER.engine, cell)?;
        match self.multi_buffer(&it) {
            Some(library) => library.prepare(&it, cell, batches, run),
            None => one_by_one(self, cell, keys, batches, run),
        }
    }
}

/// A length as the library takes it.
fn length(bytes: usize, function: &'static str) -> Result<c_int, &'static str> {
    c_int::try_from(bytes).map_err(|_| function)
}

/// Whether a call succeeded; a warning, such as that of ECB, is no failure.
fn done(status: Status, function: &'static str) -> Result<(), &'static str> {
    if status >= 0 { Ok(()) } else { Err(function) }
}
