//! Ciphers without a tag: modes over block ciphers, keystreams, modes on whole messages.

use std::ffi::{c_char, c_int};

use ciphers::Error;
use objects::{Context, Spec};

use crate::kept::Kept;
use crate::memory::{self, Handle};
use crate::options::{Settings, cipherlane_options, settings};
use crate::status::{Outcome, Status, guard, guard_or};

/// A cipher under one key, in one direction. Not for two threads at once.
#[expect(missing_debug_implementations, reason = "it holds key material")]
pub struct cipherlane_cipher(Kept<Context>);

impl Handle for cipherlane_cipher {
    fn end(&mut self) {
        self.0.end();
    }
}

/// The most that goes out above what came in.
const BLOCK: usize = 16;

/// Bytes that are copied out of the way where blocks are written over their own input.
const PIECE: usize = 4096;

/// A piece of a message.
///
/// # Safety
/// `from` is null or valid for reading `length` bytes, `to` null or valid for writing
/// `ready` bytes, which is what the piece makes ready.
#[inline]
unsafe fn piece(
    cipher: &mut Context,
    (from, length): (*const u8, usize),
    (to, ready): (*mut u8, usize),
) -> Outcome<usize> {
    // SAFETY: the caller's promises. Where input and output are the same, there is one borrow of
    // both, or a part is copied before its place is written to: what goes out never runs ahead
    // of what came in, and the borrows of one follow those of the other. Elsewhere they are apart.
    unsafe {
        if length == 0 || ready == 0 || !memory::overlap(from, length, to, ready) {
            return Ok(cipher.update(
                memory::input("input", from, length)?,
                memory::output("output", to, ready)?,
            )?);
        }
        if !std::ptr::eq(from, to) {
            return Err(memory::shifted());
        }
        if ready == length {
            return Ok(cipher.update_in_place(memory::output("output", to, length)?)?);
        }
        let (mut piece, mut taken, mut written) = ([0; PIECE], 0, 0);
        while taken < length {
            let now = (length - taken).min(PIECE);
            piece[..now].copy_from_slice(memory::input("input", from.add(taken), now)?);
            taken += now;
            let room = cipher.update_len(now);
            let done =
                cipher.update(&piece[..now], memory::output("output", to.add(written), room)?);
            written += done?;
        }
        Ok(written)
    }
}

/// What was written, none where memory ran out.
///
/// # Safety
/// `written` is null or valid for writing.
unsafe fn none_if_short(done: c_int, written: *mut usize) -> c_int {
    if done == Status::NoMemory as c_int {
        // SAFETY: the caller's promise.
        if let Some(written) = unsafe { written.as_mut() } {
            *written = 0;
        }
    }
    done
}

/// Makes a cipher. `operation` is one of kind `CIPHERLANE_KIND_CIPHER`, e.g. `cbc-encrypt`,
/// `ctr`, `xts-decrypt`, `keystream`. On failure `*cipher` is null.
///
/// # Safety
/// `cipher` is null or valid for writing; the texts end with a zero byte; `options` is null or
/// valid; `key` and `iv` are null or valid for their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_new(
    cipher: *mut *mut cipherlane_cipher,
    algorithm: *const c_char,
    operation: *const c_char,
    options: *const cipherlane_options,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::hand_out("cipher", cipher, || {
            let (algorithm, operation) =
                (memory::text("algorithm", algorithm)?, memory::text("operation", operation)?);
            let (key, iv) =
                (memory::input("key", key, key_length)?, memory::input("iv", iv, iv_length)?);
            let Settings { level, padding, parameters, .. } = settings(options)?;
            let level = Some(level);
            let spec = Spec { algorithm, operation, key, iv, padding, parameters, level };
            Ok(cipherlane_cipher(Kept::new(Context::new(&spec)?)))
        })
    }
}

/// Wipes and frees a cipher; null is allowed.
///
/// # Safety
/// `cipher` is null, or was made by [`cipherlane_cipher_new`] and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_free(cipher: *mut cipherlane_cipher) {
    // SAFETY: the caller's promise.
    unsafe { memory::take_back(cipher) }
}

/// Processes one whole message under the key and another IV: as many bytes go out as come in,
/// without padding. Input and output are the same, or apart. It ends a message in pieces.
///
/// # Safety
/// `cipher` is null or alive and used by nobody else; the pointers are null or valid for their
/// lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_message(
    cipher: *mut cipherlane_cipher,
    iv: *const u8,
    iv_length: usize,
    input: *const u8,
    output: *mut u8,
    length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("cipher", cipher, &[(output, length)], |cipher| {
            memory::apart(("output", output, length), &[("iv", iv, iv_length)])?;
            let iv = memory::input("iv", iv, iv_length)?;
            Ok(cipher.0.get_mut()?.message(iv, memory::in_out(input, output, length)?)?)
        })
    }
}

/// Processes a piece of a message. `*written` tells how many bytes went out: as many as came
/// in, or with modes that take whole blocks up to a block more or less. Modes on whole messages
/// (XTS, HCTR, OFBNLF) take the message in one piece. Input and output begin at the same byte,
/// or are apart.
///
/// # Safety
/// `cipher` is null or alive and used by nobody else; the pointers are null or valid for their
/// lengths, `written` for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_update(
    cipher: *mut cipherlane_cipher,
    input: *const u8,
    length: usize,
    output: *mut u8,
    output_size: usize,
    written: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises; what will be written has room.
    unsafe {
        let most = output_size.min(length.saturating_add(BLOCK));
        let work = || {
            memory::put("written", written, 0)?;
            let cipher = memory::object("cipher", cipher)?.0.get_mut()?;
            if length > isize::MAX as usize {
                return Err(memory::too_long("input", length));
            }
            let (got, needed) = (output_size, cipher.update_len(length));
            if got < needed {
                return Err(Error::OutputLength { got, needed }.into());
            }
            let count = piece(cipher, (input, length), (output, needed))?;
            memory::put("written", written, count)
        };
        let done = guard_or(|| memory::end(cipher, &[(output, most)]), work);
        none_if_short(done, written)
    }
}

/// Ends a message in pieces: pads, or checks and takes off the padding. At most a block is
/// written, none without padding.
///
/// # Safety
/// As [`cipherlane_cipher_update`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_final(
    cipher: *mut cipherlane_cipher,
    output: *mut u8,
    output_size: usize,
    written: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        let most = output_size.min(BLOCK);
        let work = || {
            memory::put("written", written, 0)?;
            let cipher = memory::object("cipher", cipher)?.0.get_mut()?;
            let count = cipher.finish(memory::output("output", output, output_size)?)?;
            memory::put("written", written, count)
        };
        let done = guard_or(|| memory::end(cipher, &[(output, most)]), work);
        none_if_short(done, written)
    }
}

/// Starts another message under the same key.
///
/// # Safety
/// `cipher` is null or alive and used by nobody else; `iv` is null or valid for its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_reset(
    cipher: *mut cipherlane_cipher,
    iv: *const u8,
    iv_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("cipher", cipher, &[], |cipher| {
            Ok(cipher.0.get_mut()?.reset(memory::input("iv", iv, iv_length)?)?)
        })
    }
}

/// One message from key and IV to the last byte, padding included. `*written` is 0 if it fails.
///
/// # Safety
/// As [`cipherlane_cipher_new`] and [`cipherlane_cipher_update`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_once(
    algorithm: *const c_char,
    operation: *const c_char,
    options: *const cipherlane_options,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    input: *const u8,
    length: usize,
    output: *mut u8,
    output_size: usize,
    written: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises; the object is this function's own.
    unsafe {
        let named = guard(|| memory::put("written", written, 0));
        if named != Status::Ok as c_int {
            return named;
        }
        let mut cipher = std::ptr::null_mut();
        let made = cipherlane_cipher_new(
            &raw mut cipher,
            algorithm,
            operation,
            options,
            key,
            key_length,
            iv,
            iv_length,
        );
        if made != Status::Ok as c_int {
            return made;
        }
        let mut done =
            cipherlane_cipher_update(cipher, input, length, output, output_size, written);
        if done == Status::Ok as c_int {
            let (taken, mut last) = (*written, 0);
            let rest = if output.is_null() { output } else { output.add(taken) };
            done = cipherlane_cipher_final(cipher, rest, output_size - taken, &raw mut last);
            *written = if done == Status::Ok as c_int { taken + last } else { 0 };
            if done == Status::NoMemory as c_int {
                memory::wipe(&[(output, taken)]);
            }
        }
        cipherlane_cipher_free(cipher);
        done
    }
}
