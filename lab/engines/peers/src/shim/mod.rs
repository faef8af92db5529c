//! The engines behind the interface of `lab/engines/shim.h`: libraries in C++, and those in C whose
//! structures are another in every version. `cipherlane engines build` compiles the interface against
//! the library that it fetches.
//!
//! An object of it is one operation of one algorithm. A fresh key and its IV are set by one call, a
//! fresh IV by another; AEADs take whole messages.
#![expect(unsafe_code, reason = "the library is called through a C interface")]

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;

use lab::reply::Description;
use lab::work::{Engine, Keys, Notes, Refusal, Run};
use lab::{Cell, LabError, Model, Placement};

mod object;

use object::Object;

use crate::peer_operations::{self, Mode, Operation};
use crate::session;
use crate::shared_library::{Opened, Peer};

/// A library behind the interface, from the cache.
pub(crate) struct Library {
    pub(crate) peer: Peer,
    pub(crate) title: &'static str,
    /// Why it can't do what a cell asks of an operation that it has, if it can't.
    limit: fn(&Operation, &Cell) -> Option<&'static str>,
    /// What copies the data of a message in place first, and the remark on it.
    copies: fn(&str) -> bool,
    remark: &'static str,
}

/// A library of the cache by its name there.
macro_rules! library {
    ($engine:literal, $title:literal) => {
        Library {
            peer: Peer {
                engine: $engine,
                system: &[],
                beside: &[],
                how_to_get: concat!(
                    "`cipherlane engines build ",
                    $engine,
                    "` builds it, or name the library that it makes with --lib PATH"
                ),
            },
            title: $title,
            limit: |_, _| None,
            copies: |_| false,
            remark: "",
        }
    };
}

/// Crypto++.
pub(crate) const CRYPTOPP: Library = Library {
    copies: |cipher| matches!(cipher, "hc-128" | "rabbit"),
    remark: "Crypto++ 8.7.0 was wrong in place: the data is copied first",
    ..library!("cryptopp", "Crypto++")
};

/// Nettle.
pub(crate) const NETTLE: Library =
    Library { limit: ends_at_a_part, ..library!("nettle", "Nettle") };

/// GmSSL.
pub(crate) const GMSSL: Library = Library {
    limit: |operation, cell| {
        let overwrites = operation.mode == Mode::Cbc && !operation.encrypt;
        if overwrites && cell.placement == Placement::InPlace && !cell.model.is_setup() {
            return Some("GmSSL decrypts CBC from buffer to buffer only");
        }
        ends_at_a_part(operation, cell)
    },
    ..library!("gmssl", "GmSSL")
};

/// wolfSSL.
pub(crate) const WOLFSSL: Library = library!("wolfssl", "wolfSSL");

/// The block of the keystreams that come in blocks and take a nonce: Salsa20's.
const STREAM_BLOCK: u64 = 64;

/// A stream ends where a piece of it is no multiple of a block: nothing of the block is kept.
fn ends_at_a_part(operation: &Operation, cell: &Cell) -> Option<&'static str> {
    let block = match operation.mode {
        Mode::Ctr | Mode::Cfb => operation.block.unwrap_or(1) as u64,
        Mode::Keystream if !operation.sample().1.is_empty() => STREAM_BLOCK,
        _ => 1,
    };
    let parts = cell.model == Model::Stream && !cell.size.is_multiple_of(block);
    parts.then_some("the library takes a stream in pieces of whole blocks only")
}

/// The number of the interface that is spoken here; that of shim.h.
const INTERFACE: u32 = 3;

/// The longest name of a version or a provider, with its end.
const NAME: usize = 64;

/// How the interface writes a name.
type Text = [c_char; NAME];

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

/// A library that was opened.
pub(crate) struct Shim {
    library: Library,
    functions: Functions,
    version: String,
    opened: Opened,
}

impl Shim {
    /// Opens the library of that path, or the one in the cache.
    pub(crate) fn open(library: Library, lib: Option<&Path>) -> Result<Self, LabError> {
        let peer = &library.peer;
        let opened = peer.open(lib)?;
        let lacking = |name| peer.missing(&format!("the library has no function {name}"));
        let (functions, interface, version) = bind(&opened).map_err(lacking)?;
        if interface != INTERFACE {
            let (path, engine) = (opened.path.display(), peer.engine);
            return Err(peer.missing(&format!(
                "{path} has interface {interface}, not {INTERFACE}: build it anew with \
                 `cipherlane engines build {engine} --force`"
            )));
        }
        Ok(Self { library, functions, version, opened })
    }

    /// An object for an operation, if the library has such a thing.
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
        let what = match operation.mode {
            Mode::XtsGb => "XTS with the tweaks of GB/T 17964-2021",
            Mode::GcmSiv => "GCM-SIV",
            _ => "such thing",
        };
        let Operation { cipher, name, .. } = operation;
        let lacking = self.object(operation).is_none();
        lacking.then(|| format!("{} has no {what} for {cipher}/{name}", self.name()))
    }

    fn name(&self) -> String {
        format!("{} {}", self.library.title, self.version)
    }

    /// The code that the library uses, as it names it itself.
    fn providers(&self) -> String {
        let names: BTreeSet<String> = peer_operations::operations()
            .filter(|it| matches!(it.mode, Mode::Ecb | Mode::Keystream) && it.encrypt)
            .filter_map(|it| {
                let name = self.object(&it)?.provider()?;
                Some(format!("{} {name}", it.cipher))
            })
            .collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    }
}

/// The functions, the number of the interface and the version of the library.
fn bind(opened: &Opened) -> Result<(Functions, u32, String), &'static str> {
    // SAFETY: the types are those of shim.h; of the two that are called, one takes nothing and the
    // other a buffer with its length.
    unsafe {
        let interface: unsafe extern "C" fn() -> u32 =
            opened.function("cipherlane_shim_interface")?;
        let version: unsafe extern "C" fn(*mut c_char, usize) -> c_int =
            opened.function("cipherlane_shim_version")?;
        let functions = Functions {
            new: opened.function("cipherlane_shim_new")?,
            free: opened.function("cipherlane_shim_free")?,
            provider: opened.function("cipherlane_shim_provider")?,
            key: opened.function("cipherlane_shim_key")?,
            iv: opened.function("cipherlane_shim_iv")?,
            data: opened.function("cipherlane_shim_data")?,
            message: opened.function("cipherlane_shim_message")?,
            mac: opened.function("cipherlane_shim_mac")?,
        };
        let mut name: Text = [0; NAME];
        let done = version(name.as_mut_ptr(), name.len());
        let version = text(&name).filter(|_| done == 0).unwrap_or_default();
        Ok((functions, interface(), version))
    }
}

/// The name of a mode in the interface: that of the registry, without the direction.
fn mode_name(operation: &Operation) -> &'static str {
    if operation.mode == Mode::Ctr {
        return "ctr";
    }
    operation.name.rsplit_once('-').map_or(operation.name, |(mode, _)| mode)
}

impl Engine for Shim {
    fn describe(&self) -> Description {
        let (offers, known_wrong) = peer_operations::offers(|operation| self.lacks(operation));
        let providers = self.providers();
        let told = !providers.is_empty();
        Description {
            engine: self.library.peer.engine.to_owned(),
            version: self.version.clone(),
            build: if told { format!("code: {providers}") } else { String::new() },
            path: self.opened.path.display().to_string(),
            offers,
            known_wrong,
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let operation = peer_operations::find(self.library.peer.engine, cell)?;
        if let Some(reason) = self.lacks(&operation) {
            return Err(reason.into());
        }
        if let Some(reason) = (self.library.limit)(&operation, cell) {
            return Err(reason.into());
        }
        session::run(cell.model, keys, run, |key, iv| {
            let object = self.object(&operation).ok_or("cipherlane_shim_new")?;
            object.under(key, iv)
        })?;
        let in_place = cell.placement == Placement::InPlace && !cell.model.is_setup();
        let copied = in_place && (self.library.copies)(operation.cipher);
        let remark = if copied { self.library.remark } else { "" };
        Ok(Notes { remark: remark.to_owned(), ..Notes::default() })
    }
}

/// A C string from a buffer.
fn text(buffer: &Text) -> Option<String> {
    // A character of C is signed on x86 and not on AArch64.
    let bytes = buffer.map(|character| character.to_ne_bytes()[0]);
    CStr::from_bytes_until_nul(&bytes).ok().map(|text| text.to_string_lossy().into_owned())
}
