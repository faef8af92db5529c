//! The registry as C sees it: all algorithms, and the operations of each.

use std::ffi::{CString, c_char, c_int};
use std::ptr;
use std::sync::OnceLock;

use ciphers::Sizes;
use ciphers::registry::{ALGORITHMS, Algorithm, Kind, operations};
use reserve::Watch;

use crate::memory;
use crate::status::{Failure, Outcome, Status, guard, quiet, said};

/// Lengths in bytes: `min`, `min + step` … `max`; only `min` where `step` is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cipherlane_sizes {
    /// The smallest.
    pub min: usize,
    /// The largest.
    pub max: usize,
    /// The distance between two.
    pub step: usize,
    /// Where the steps say too much: bit `n` tells whether the length `n` is allowed. Else 0.
    pub set: u64,
}

/// An algorithm. All texts are static.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cipherlane_algorithm_info {
    /// Its name in calls, e.g. `sm4`.
    pub name: *const c_char,
    /// Its name in prose.
    pub title: *const c_char,
    /// The standard.
    pub standard: *const c_char,
    /// `constant-time` or `table`: what its time may tell.
    pub timing: *const c_char,
    /// What a user must know before using it; null if nothing.
    pub warning: *const c_char,
    /// The key lengths in bytes.
    pub key: cipherlane_sizes,
    /// The length of a block in bytes; 0 for a stream cipher.
    pub block: usize,
    /// Zeros: room for what later versions tell.
    pub reserved: [usize; 4],
}

/// Data is encrypted or decrypted: `cipherlane_cipher`.
pub const CIPHERLANE_KIND_CIPHER: c_int = 0;
/// Data is encrypted and a tag written: `cipherlane_aead`.
pub const CIPHERLANE_KIND_SEAL: c_int = 1;
/// Data is decrypted if the tag is right: `cipherlane_aead`.
pub const CIPHERLANE_KIND_OPEN: c_int = 2;
/// A tag is written: `cipherlane_mac`.
pub const CIPHERLANE_KIND_MAC: c_int = 3;

/// An operation of an algorithm. All texts are static.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cipherlane_operation_info {
    /// Its name in calls, e.g. `gcm-seal`.
    pub name: *const c_char,
    /// The dotted object identifier of its mode; null if there is none.
    pub oid: *const c_char,
    /// One of `CIPHERLANE_KIND_…`.
    pub kind: c_int,
    /// The key lengths in bytes.
    pub key: cipherlane_sizes,
    /// The IV or nonce lengths in bytes.
    pub iv: cipherlane_sizes,
    /// The IV length to take where nothing else is said.
    pub usual_iv: usize,
    /// The lengths of the data in bytes; of the message, for a MAC.
    pub data: cipherlane_sizes,
    /// The tag lengths in bytes that an object may have; it has one of them.
    pub tag: cipherlane_sizes,
    /// 1 if the messages of a batch run side by side in lanes, else 0.
    pub in_lanes: c_int,
    /// Zeros: room for what later versions tell.
    pub reserved: [usize; 4],
}

/// One algorithm with its operations, and the texts they point to.
struct Row {
    algorithm: cipherlane_algorithm_info,
    operations: Vec<cipherlane_operation_info>,
    _texts: Vec<CString>,
}

// SAFETY: the pointers are to texts that are never written to, and live as long as the row.
unsafe impl Send for Row {}
// SAFETY: as above.
unsafe impl Sync for Row {}

/// All there are. What ran out of memory is made anew by the next call: nothing stays in the reserve.
fn rows() -> Outcome<&'static [Row]> {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    if let Some(rows) = ROWS.get() {
        return Ok(rows);
    }
    let (watch, mut rows) = (Watch::begin(), Vec::with_capacity(ALGORITHMS.len()));
    for algorithm in ALGORITHMS {
        rows.push(row(algorithm));
        // The texts of all are more than the reserve has room for.
        if watch.holds() {
            return Err(Status::NoMemory.into());
        }
    }
    Ok(ROWS.get_or_init(|| rows))
}

fn row(algorithm: &'static Algorithm) -> Row {
    let mut texts = Vec::new();
    let mut text = |text: &str| {
        let text = CString::new(text).unwrap_or_default();
        let first = text.as_ptr();
        texts.push(text);
        first
    };
    let operations = operations(algorithm).map(|it| cipherlane_operation_info {
        name: text(it.name),
        oid: it.oid().map_or(ptr::null(), &mut text),
        kind: match it.kind {
            Kind::Cipher => CIPHERLANE_KIND_CIPHER,
            Kind::Seal => CIPHERLANE_KIND_SEAL,
            Kind::Open => CIPHERLANE_KIND_OPEN,
            Kind::Mac => CIPHERLANE_KIND_MAC,
        },
        key: sizes(it.key),
        iv: sizes(it.iv),
        usual_iv: it.usual_iv,
        data: sizes(it.data),
        tag: sizes(it.tag),
        in_lanes: c_int::from(it.in_lanes()),
        reserved: [0; 4],
    });
    let operations = operations.collect();
    let warning = algorithm.warning.map_or(ptr::null(), &mut text);
    let algorithm = cipherlane_algorithm_info {
        name: text(algorithm.name),
        title: text(algorithm.title),
        standard: text(algorithm.standard),
        timing: text(algorithm.timing.name()),
        warning,
        key: sizes(algorithm.key),
        block: algorithm.block().unwrap_or(0),
        reserved: [0; 4],
    };
    Row { algorithm, operations, _texts: texts }
}

fn sizes(Sizes { min, max, step, set }: Sizes) -> cipherlane_sizes {
    cipherlane_sizes { min, max, step, set }
}

fn no_algorithm(index: usize) -> Failure {
    let text = format!("no algorithm has the number {index}; there are {}", ALGORITHMS.len());
    said(Status::UnknownAlgorithm, text)
}

/// How many algorithms there are.
#[unsafe(no_mangle)]
pub extern "C" fn cipherlane_algorithm_count() -> usize {
    ALGORITHMS.len()
}

/// Tells about the algorithm of that number.
///
/// # Safety
/// `info` is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_algorithm(
    index: usize,
    info: *mut cipherlane_algorithm_info,
) -> c_int {
    guard(|| {
        let row = rows()?.get(index).ok_or_else(|| no_algorithm(index))?;
        // SAFETY: the caller's promise.
        unsafe { memory::put("info", info, row.algorithm) }
    })
}

/// How many operations the algorithm of that number has; 0 if there is none of that number.
#[unsafe(no_mangle)]
pub extern "C" fn cipherlane_operation_count(algorithm: usize) -> usize {
    quiet(0, || ALGORITHMS.get(algorithm).map_or(0, |it| operations(it).count()))
}

/// Tells about an operation of the algorithm of that number.
///
/// # Safety
/// `info` is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_operation(
    algorithm: usize,
    index: usize,
    info: *mut cipherlane_operation_info,
) -> c_int {
    guard(|| {
        let row = rows()?.get(algorithm).ok_or_else(|| no_algorithm(algorithm))?;
        let operation = row.operations.get(index).ok_or_else(|| {
            let text = format!("no operation has the number {index}");
            said(Status::UnknownOperation, format!("{text}; there are {}", row.operations.len()))
        })?;
        // SAFETY: the caller's promise.
        unsafe { memory::put("info", info, *operation) }
    })
}
