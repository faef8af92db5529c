//! The calls on arrays without JNI: downcalls of Java 22 and later (JEP 454), which hand the
//! arrays over where they lie.
//!
//! # Why this is sound
//! Only the class `Calls` makes these calls. It gives the handle of an object that it keeps
//! reachable, and arrays as critical segments: their addresses are valid until the function
//! returns, and for as many bytes as the class has checked with `Objects.checkFromIndexSize`.
//! Nothing here calls back into Java. Input and output may be one array: [`pair`] compares them
//! before slices are made. A panic is kept as trouble, it does not cross.
//!
//! What fails is kept for the thread; the class then calls `Native.raise`, which throws it.
#![expect(unsafe_code, reason = "the addresses of a caller in Java; argued above")]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use jni_sys::{JNIEnv, jclass, jint, jlong};
use objects::{AeadOneShot, Context, Mac};

use crate::aead::Message;
use crate::cipher::update;
use crate::handle::{hold, read};
use crate::jvm::{Trouble, length, method, pair};

thread_local! {
    /// Why the thread's last call failed; nothing is a panic.
    static LAST: Cell<Option<Trouble>> = const { Cell::new(None) };
}

/// What Java gets where a call failed.
const FAILED: jint = -1;

fn call(body: impl FnOnce() -> Result<usize, Trouble>) -> jint {
    let trouble = match catch_unwind(AssertUnwindSafe(body)) {
        // No array has more bytes.
        Ok(Ok(written)) => return written as jint,
        Ok(Err(trouble)) => Some(trouble),
        Err(_) => None,
    };
    LAST.set(trouble);
    FAILED
}

/// Throws what the thread's last call failed with.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_raise(env: *mut JNIEnv, _: jclass) {
    method(env, |_| -> Result<(), Trouble> {
        Err(LAST.take().expect("the call before was at fault"))
    });
}

/// The bytes of an array from `offset` on.
///
/// # Safety
/// They are valid for reading until the call returns, and nothing writes to them.
unsafe fn bytes<'a>(array: *const u8, offset: jint, count: jint) -> Result<&'a [u8], Trouble> {
    let (offset, count) = (length(offset)?, length(count)?);
    if count == 0 {
        return Ok(&[]);
    }
    // SAFETY: as the caller promises; checked numbers are not negative.
    Ok(unsafe { slice::from_raw_parts(array.add(offset), count) })
}

/// Where a range of an array that is written to begins, and its length.
fn range(array: *mut u8, offset: jint, count: jint) -> Result<(*mut u8, usize), Trouble> {
    Ok((array.wrapping_add(length(offset)?), length(count)?))
}

/// `Calls.aead`.
///
/// # Safety
/// The contract of the module.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn cipherlane_java_aead(
    handle: jlong,
    open: jint,
    nonce: *const u8,
    nonce_length: jint,
    aad: *const u8,
    aad_length: jint,
    tag: jint,
    input: *mut u8,
    input_offset: jint,
    input_length: jint,
    output: *mut u8,
    output_offset: jint,
    output_room: jint,
) -> jint {
    call(|| {
        let input = range(input, input_offset, input_length)?;
        let output = range(output, output_offset, output_room)?;
        // A nonce or associated data may lie in the array that is written to.
        // SAFETY: the contract of the module; copied before anything is written.
        let (nonce, aad) = unsafe { (bytes(nonce, 0, nonce_length)?, bytes(aad, 0, aad_length)?) };
        let (nonce, aad) = (Copied::new(nonce), Copied::new(aad));
        let message =
            Message { nonce: nonce.slice(), aad: aad.slice(), tag: length(tag)?, open: open != 0 };
        read(handle, |sealer: &AeadOneShot| {
            // SAFETY: the contract of the module: the ranges lie inside.
            unsafe { pair(input, output, |pair| message.apply(sealer, pair)) }
        })
    })
}

/// `Calls.cipher`.
///
/// # Safety
/// The contract of the module.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn cipherlane_java_cipher(
    handle: jlong,
    input: *mut u8,
    input_offset: jint,
    input_length: jint,
    output: *mut u8,
    output_offset: jint,
    output_room: jint,
) -> jint {
    call(|| {
        let input = range(input, input_offset, input_length)?;
        let output = range(output, output_offset, output_room)?;
        hold(handle, |context: &mut Context| {
            // SAFETY: the contract of the module: the ranges lie inside.
            unsafe { pair(input, output, |pair| update(context, pair)) }
        })
    })
}

/// `Calls.mac`.
///
/// # Safety
/// The contract of the module.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn cipherlane_java_mac(
    handle: jlong,
    data: *const u8,
    offset: jint,
    count: jint,
) -> jint {
    call(|| {
        // SAFETY: the contract of the module.
        let data = unsafe { bytes(data, offset, count)? };
        hold(handle, |tagger: &mut Mac| Ok(tagger.update(data).map(|()| 0)?))
    })
}

/// A few bytes on the stack, or many on the heap.
enum Copied {
    Few([u8; Self::FEW], usize),
    Many(Vec<u8>),
}

impl Copied {
    const FEW: usize = 64;

    fn new(bytes: &[u8]) -> Self {
        let mut few = [0; Self::FEW];
        match few.get_mut(..bytes.len()) {
            Some(start) => start.copy_from_slice(bytes),
            None => return Self::Many(bytes.to_vec()),
        }
        Self::Few(few, bytes.len())
    }

    fn slice(&self) -> &[u8] {
        match self {
            Self::Few(bytes, length) => &bytes[..*length],
            Self::Many(bytes) => bytes,
        }
    }
}
