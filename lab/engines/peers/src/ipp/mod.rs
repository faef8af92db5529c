//! The engine `ipp`: Intel's Cryptography Primitives Library, opened at run time.
//!
//! Every object lies in memory of the size that the library asks for. The library picks
//! its code for this CPU when it is loaded (`ippcpInit`, which is called again so that a
//! refusal is seen). CBC and CFB leave their IV as it was: in model `stream` the last
//! block of ciphertext is carried over by the engine, as the library's manual has it.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

use std::ffi::{CStr, c_char, c_int};
use std::path::{Path, PathBuf};

use lab::reply::{Description, KnownWrong, Offer};
use lab::work::{Engine, Keys, Notes, Refusal, Run};
use lab::{Cell, LabError};
use libloading::Library;

mod aead;
mod mac;
mod memory;
mod modes;
mod operations;
mod xts;

use operations::{Kind, Operation};

use crate::session::drive;

/// The names under which systems keep the library.
const NAMES: [&str; 2] = ["libippcp.so.13", "libippcp.so"];

/// What brings the library.
pub(crate) const HOW_TO_GET: &str =
    "`pip download ipp-crypto` brings a wheel with libippcp.so; name it with --lib PATH";

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

/// The library.
pub(crate) struct Ipp {
    version: String,
    build: String,
    path: PathBuf,
    library: Library,
}

impl Ipp {
    /// Opens the library of that path, or the system's.
    pub(crate) fn open(lib: Option<&Path>) -> Result<Self, LabError> {
        let missing = |why: &str| LabError::EngineMissing {
            engine: "ipp".to_owned(),
            how_to_get: format!("{why}; {HOW_TO_GET}"),
        };
        let names = match lib {
            Some(path) => vec![path.to_path_buf()],
            None => NAMES.map(PathBuf::from).to_vec(),
        };
        let opened = names.into_iter().find_map(|path| {
            // SAFETY: the library's initialisers may run at any time; a file that the user
            // names instead is the user's word that the same holds for it.
            unsafe { Library::new(&path) }.ok().map(|library| (path, library))
        });
        let Some((path, library)) = opened else {
            return Err(missing(&match lib {
                Some(path) => format!("{} can't be opened as a shared library", path.display()),
                None => "there is no libippcp on this system".to_owned(),
            }));
        };
        let path = crate::loaded_path(&path);
        let mut ipp = Self { version: String::new(), build: String::new(), path, library };
        ipp.start().map_err(|refusal| missing(&refusal.0))?;
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
    fn function<T: Copy>(&self, name: &str) -> Result<T, Refusal> {
        // SAFETY: every caller names the function's type of the header.
        unsafe { self.library.get::<T>(name) }.map(|symbol| *symbol).map_err(|_| self.lacks(name))
    }

    /// The refusal for a function that the library lacks.
    fn lacks(&self, function: &str) -> Refusal {
        format!("libippcp {} has no function {function}", self.version).into()
    }

    /// The first function of an operation that the library lacks.
    fn missing(&self, operation: &Operation) -> Option<Refusal> {
        let functions = operation.functions();
        let lacking = functions.into_iter().find(|name| self.function::<*const ()>(name).is_err());
        lacking.map(|name| self.lacks(name))
    }
}

impl Engine for Ipp {
    fn describe(&self) -> Description {
        let (mut offers, mut known_wrong) = (Vec::new(), Vec::new());
        for it in operations::all() {
            let (algorithm, operation) = (it.algorithm.to_owned(), it.operation.to_owned());
            match self.missing(&it) {
                Some(refusal) => {
                    known_wrong.push(KnownWrong { algorithm, operation, reason: refusal.0 });
                }
                None => offers.push(Offer {
                    algorithm,
                    operation,
                    levels: vec![Cell::OWN_LEVEL.to_owned()],
                    models: it.kind.models(),
                    key_bytes: it.key_bytes(),
                    nonce_bytes: vec![it.kind.nonce_bytes()],
                    granule: it.kind.granule(),
                    tag_bytes: it.kind.tag_bytes(),
                }),
            }
        }
        Description {
            engine: "ipp".to_owned(),
            version: self.version.clone(),
            build: self.build.clone(),
            path: self.path.display().to_string(),
            offers,
            known_wrong,
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let it = operations::all()
            .find(|it| it.algorithm == cell.algorithm && it.operation == cell.operation)
            .ok_or_else(|| format!("ipp has no {}/{}", cell.algorithm, cell.operation))?;
        if let Some(refusal) = self.missing(&it) {
            return Err(refusal);
        }
        match it.kind {
            Kind::Gcm | Kind::Gmac => {
                let state = aead::Gcm::bind(self, &it)?;
                drive(cell.model, keys, run, |key| state.session(key))?;
            }
            Kind::Ccm => {
                let state = aead::Ccm::bind(self, &it)?;
                drive(cell.model, keys, run, |key| state.session(key))?;
            }
            Kind::Xts => {
                let state = xts::Xts::bind(self, &it, cell)?;
                drive(cell.model, keys, run, |key| state.session(key))?;
            }
            Kind::Cmac => {
                let state = mac::Cmac::bind(self, &it)?;
                drive(cell.model, keys, run, |key| state.session(key))?;
            }
            Kind::Ecb | Kind::Cbc | Kind::Cfb(_) | Kind::Ofb | Kind::Ctr => {
                let state = modes::Blocks::bind(self, &it, cell)?;
                drive(cell.model, keys, run, |key| state.session(key))?;
            }
        }
        Ok(Notes::default())
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
