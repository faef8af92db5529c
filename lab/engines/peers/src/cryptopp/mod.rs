//! The engine `cryptopp`: Crypto++ through a small C interface of our own, as it has none.
//!
//! `lab/engines/cryptopp/shim.cpp` is that interface; `cipherlane engines build cryptopp`
//! compiles it against the library that it fetches. An object of it is one operation of one
//! algorithm. A fresh key and its IV are set by one call (`SetKeyWithIV`), a fresh IV by
//! `Resynchronize`; AEADs take whole messages (`EncryptAndAuthenticate`).
#![expect(unsafe_code, reason = "the library is called through a C interface")]

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;

use lab::reply::Description;
use lab::work::{Engine, Keys, Notes, Refusal, Run};
use lab::{Cell, LabError, Placement};

mod object;

use object::Object;

use crate::asked::{self, Mode, Operation};
use crate::session;
use crate::shared_library::{Opened, Peer};

/// Crypto++ behind its interface, from the cache.
pub(crate) const PEER: Peer = Peer {
    engine: "cryptopp",
    system: &[],
    beside: &[],
    how_to_get: "`cipherlane engines build cryptopp` builds it, or name the library that it \
                 makes with --lib PATH",
};

/// The number of the interface that is spoken here; that of shim.cpp.
const INTERFACE: u32 = 2;

/// The longest name of a provider, with its end.
const PROVIDER: usize = 32;

/// The functions of the interface.
struct Functions {
    new: unsafe extern "C" fn(*const c_char, *const c_char, c_int) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    provider: unsafe extern "C" fn(*mut c_void, *mut c_char, usize) -> c_int,
    key: unsafe extern "C" fn(*mut c_void, *const u8, usize, *const u8, usize) -> c_int,
    iv: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
    data: unsafe extern "C" fn(*mut c_void, *const u8, *mut u8, usize) -> c_int,
    message: unsafe extern "C" fn(
        *mut c_void,
        *const u8,
        usize,
        *const u8,
        usize,
        *const u8,
        *mut u8,
        usize,
        *mut u8,
        usize,
    ) -> c_int,
    mac: unsafe extern "C" fn(*mut c_void, *const u8, usize, *mut u8, usize) -> c_int,
}

/// Crypto++.
pub(crate) struct CryptoPp {
    functions: Functions,
    version: String,
    opened: Opened,
}

impl CryptoPp {
    /// Opens the library of that path, or the one in the cache.
    pub(crate) fn open(lib: Option<&Path>) -> Result<Self, LabError> {
        let opened = PEER.open(lib)?;
        let lacking = |name| PEER.missing(&format!("the library has no function {name}"));
        let (functions, interface, version) = Self::bind(&opened).map_err(lacking)?;
        if interface != INTERFACE {
            return Err(PEER.missing(&format!(
                "{} has interface {interface}, not {INTERFACE}: build it anew with \
                 `cipherlane engines build cryptopp --force`",
                opened.path.display()
            )));
        }
        let version = format!("{}.{}.{}", version / 100, version / 10 % 10, version % 10);
        Ok(Self { functions, version, opened })
    }

    /// The functions, the number of the interface and the version of the library.
    fn bind(opened: &Opened) -> Result<(Functions, u32, c_int), &'static str> {
        // SAFETY: the types are those of shim.cpp; the two that are called take nothing.
        unsafe {
            let interface: unsafe extern "C" fn() -> u32 =
                opened.function("cipherlane_cryptopp_interface")?;
            let version: unsafe extern "C" fn() -> c_int =
                opened.function("cipherlane_cryptopp_version")?;
            let functions = Functions {
                new: opened.function("cipherlane_cryptopp_new")?,
                free: opened.function("cipherlane_cryptopp_free")?,
                provider: opened.function("cipherlane_cryptopp_provider")?,
                key: opened.function("cipherlane_cryptopp_key")?,
                iv: opened.function("cipherlane_cryptopp_iv")?,
                data: opened.function("cipherlane_cryptopp_data")?,
                message: opened.function("cipherlane_cryptopp_message")?,
                mac: opened.function("cipherlane_cryptopp_mac")?,
            };
            Ok((functions, interface(), version()))
        }
    }

    /// An object for an operation, if Crypto++ has such a thing.
    fn object(&self, operation: &Operation) -> Option<Object<'_>> {
        let algorithm = CString::new(operation.cipher).ok()?;
        let mode = CString::new(mode_name(operation)).ok()?;
        // SAFETY: both names are C strings; null is checked.
        let raw = unsafe {
            (self.functions.new)(algorithm.as_ptr(), mode.as_ptr(), operation.encrypt.into())
        };
        (!raw.is_null()).then(|| Object::new(&self.functions, raw, operation))
    }

    /// Why an operation can't be had, if it can't.
    fn lacks(&self, operation: &Operation) -> Option<String> {
        let class = match operation.mode {
            Mode::XtsGb => "XTS_Mode with the tweaks of GB/T 17964-2021",
            Mode::GcmSiv => "class for GCM-SIV",
            _ => "class",
        };
        let what = || format!("{}/{}", operation.cipher, operation.name);
        let lacking = self.object(operation).is_none();
        lacking.then(|| format!("Crypto++ {} has no {class} for {}", self.version, what()))
    }

    /// The code that Crypto++ uses, as it names it itself.
    fn providers(&self) -> String {
        let names: BTreeSet<String> = asked::operations()
            .filter(|it| matches!(it.mode, Mode::Ecb | Mode::Keystream) && it.encrypt)
            .filter_map(|it| {
                let name = self.object(&it)?.provider()?;
                Some(format!("{} {name}", it.cipher))
            })
            .collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    }
}

/// The name of a mode in the interface: that of the registry, without the direction.
fn mode_name(operation: &Operation) -> &'static str {
    operation.name.rsplit_once('-').map_or(operation.name, |(mode, _)| mode)
}

impl Engine for CryptoPp {
    fn describe(&self) -> Description {
        let (offers, known_wrong) = asked::offers(|operation| self.lacks(operation));
        Description {
            engine: PEER.engine.to_owned(),
            version: self.version.clone(),
            build: format!("code: {}", self.providers()),
            path: self.opened.path.display().to_string(),
            offers,
            known_wrong,
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let operation = asked::find(PEER.engine, cell)?;
        if let Some(reason) = self.lacks(&operation) {
            return Err(reason.into());
        }
        session::run(cell.model, keys, run, |key, iv| {
            let object = self.object(&operation).ok_or("cipherlane_cryptopp_new")?;
            object.under(key, iv)
        })?;
        let wrong = matches!(operation.cipher, "hc-128" | "rabbit");
        let copied = wrong && cell.placement == Placement::InPlace && !cell.model.is_setup();
        let remark =
            if copied { "Crypto++ 8.7.0 is wrong in place: the data is copied first" } else { "" };
        Ok(Notes { remark: remark.to_owned(), ..Notes::default() })
    }
}

/// A C string from a buffer.
fn text(buffer: &[c_char; PROVIDER]) -> Option<String> {
    let bytes = buffer.map(c_char::cast_unsigned);
    CStr::from_bytes_until_nul(&bytes).ok().map(|text| text.to_string_lossy().into_owned())
}
