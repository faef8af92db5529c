//! Authenticated encryption: whole messages, and messages in pieces.

use std::ffi::{c_char, c_int};

use ciphers::modes::Direction;
use objects::{AeadOneShot, AeadStream};

use crate::kept::Kept;
use crate::memory::{self, Handle};
use crate::options::{cipherlane_options, settings};
use crate::status::{Failure, Status, guard_or, said};

/// An AEAD under one key. Two threads may use one at the same time.
#[expect(missing_debug_implementations, reason = "it holds key material")]
pub struct cipherlane_aead(AeadOneShot);

/// A message of an AEAD in pieces. Not for two threads at once.
#[expect(missing_debug_implementations, reason = "it holds key material")]
pub struct cipherlane_aead_stream(Kept<AeadStream>);

impl Handle for cipherlane_aead_stream {
    fn end(&mut self) {
        self.0.end();
    }
}

/// Makes an AEAD. `operation` is a mode, e.g. `gcm`, or either of its operations. Its tags have
/// the length that `options` names, or else the longest of the mode. On failure `*aead` is null.
///
/// # Safety
/// `aead` is null or valid for writing; the texts end with a zero byte; `options` is null or
/// valid; `key` is null or valid for its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_new(
    aead: *mut *mut cipherlane_aead,
    algorithm: *const c_char,
    operation: *const c_char,
    options: *const cipherlane_options,
    key: *const u8,
    key_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::hand_out("aead", aead, || {
            let (algorithm, name) =
                (memory::text("algorithm", algorithm)?, memory::text("operation", operation)?);
            let settings = settings(options)?;
            let key = memory::input("key", key, key_length)?;
            let remember = !settings.allow_nonce_reuse;
            let aead = AeadOneShot::new(algorithm, name, key, remember, Some(settings.level))?;
            Ok(cipherlane_aead(match settings.tag {
                Some(tag) => aead.with_tag_len(tag)?,
                None => aead,
            }))
        })
    }
}

/// Wipes and frees an AEAD; null is allowed.
///
/// # Safety
/// `aead` is null, or was made by [`cipherlane_aead_new`] and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_free(aead: *mut cipherlane_aead) {
    // SAFETY: the caller's promise.
    unsafe { memory::take_back(aead) }
}

/// Encrypts a message and writes its tag, which has the length of the AEAD's tags:
/// `CIPHERLANE_LENGTH` for another one. A nonce must never repeat under one key, unless the mode
/// says otherwise: that of the message before is refused with `CIPHERLANE_NONCE_REUSED`.
///
/// # Safety
/// `aead` is null or alive; the pointers are null or valid for their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_seal(
    aead: *const cipherlane_aead,
    nonce: *const u8,
    nonce_length: usize,
    aad: *const u8,
    aad_length: usize,
    input: *const u8,
    output: *mut u8,
    length: usize,
    tag: *mut u8,
    tag_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    let work = || unsafe {
        let aead = memory::shared("aead", aead)?;
        let head = [("nonce", nonce, nonce_length), ("aad", aad, aad_length)];
        let (from, to) = (("input", input, length), ("output", output.cast_const(), length));
        memory::apart(("tag", tag, tag_length), &[head[0], head[1], from, to])?;
        memory::apart(to, &head)?;
        let nonce = memory::input("nonce", nonce, nonce_length)?;
        let (aad, tag) =
            (memory::input("aad", aad, aad_length)?, memory::output("tag", tag, tag_length)?);
        Ok(aead.0.seal(nonce, aad, memory::in_out(input, output, length)?, tag)?)
    };
    // SAFETY: as above.
    guard_or(|| unsafe { memory::wipe(&[(output, length), (tag, tag_length)]) }, work)
}

/// Decrypts a message if its tag is right; else returns `CIPHERLANE_AUTHENTICATION`, and the
/// output is all zeros. A tag of another length than the AEAD's is `CIPHERLANE_LENGTH`.
///
/// # Safety
/// As [`cipherlane_aead_seal`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_open(
    aead: *const cipherlane_aead,
    nonce: *const u8,
    nonce_length: usize,
    aad: *const u8,
    aad_length: usize,
    input: *const u8,
    output: *mut u8,
    length: usize,
    tag: *const u8,
    tag_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    let work = || unsafe {
        let aead = memory::shared("aead", aead)?;
        let head = [("nonce", nonce, nonce_length), ("aad", aad, aad_length)];
        memory::apart(("output", output, length), &[head[0], head[1], ("tag", tag, tag_length)])?;
        let nonce = memory::input("nonce", nonce, nonce_length)?;
        let (aad, tag) =
            (memory::input("aad", aad, aad_length)?, memory::input("tag", tag, tag_length)?);
        Ok(aead.0.open(nonce, aad, memory::in_out(input, output, length)?, tag)?)
    };
    // SAFETY: as above.
    guard_or(|| unsafe { memory::wipe(&[(output, length)]) }, work)
}

/// Starts a message in pieces, to be sealed (`gcm-seal`) or opened (`gcm-open`), with tags as
/// [`cipherlane_aead_new`] has them. What is opened in pieces goes out before the tag is
/// checked: none of it may be used before [`cipherlane_aead_stream_verify`] has returned 0. On
/// failure `*stream` is null.
///
/// # Safety
/// As [`cipherlane_aead_new`]; `nonce` is null or valid for its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_stream_new(
    stream: *mut *mut cipherlane_aead_stream,
    algorithm: *const c_char,
    operation: *const c_char,
    options: *const cipherlane_options,
    key: *const u8,
    key_length: usize,
    nonce: *const u8,
    nonce_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::hand_out("stream", stream, || {
            let (algorithm, name) =
                (memory::text("algorithm", algorithm)?, memory::text("operation", operation)?);
            let settings = settings(options)?;
            let (key, nonce) = (
                memory::input("key", key, key_length)?,
                memory::kept("nonce", nonce, nonce_length)?,
            );
            let (mode, direction) = match (name.strip_suffix("-seal"), name.strip_suffix("-open")) {
                (Some(mode), _) => (mode, Direction::Encrypt),
                (_, Some(mode)) => (mode, Direction::Decrypt),
                _ => return Err(no_direction(name)),
            };
            let level = Some(settings.level);
            let mut stream = AeadStream::new(algorithm, mode, key, direction, nonce, level)?;
            if let Some(tag) = settings.tag {
                stream.set_tag_len(tag)?;
            }
            if settings.allow_nonce_reuse {
                stream.allow_nonce_reuse();
            }
            Ok(cipherlane_aead_stream(Kept::new(stream)))
        })
    }
}

/// What is said of a mode whose direction nothing tells.
fn no_direction(name: &str) -> Failure {
    let text = format!("`{name}` tells no direction; allowed: {name}-seal or {name}-open");
    said(Status::UnknownOperation, text)
}

/// Wipes and frees a message in pieces; null is allowed.
///
/// # Safety
/// `stream` is null, or was made by [`cipherlane_aead_stream_new`] and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_stream_free(stream: *mut cipherlane_aead_stream) {
    // SAFETY: the caller's promise.
    unsafe { memory::take_back(stream) }
}

/// Says beforehand how long associated data, message and tag will be, which CCM must know;
/// other modes take no notice.
///
/// # Safety
/// `stream` is null or alive and used by nobody else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_stream_announce(
    stream: *mut cipherlane_aead_stream,
    aad_length: u64,
    length: u64,
    tag_length: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        memory::with("stream", stream, &[], |stream| {
            Ok(stream.0.get_mut()?.announce(aad_length, length, tag_length)?)
        })
    }
}

/// More associated data; all of it comes before the first of the message.
///
/// # Safety
/// `stream` is null or alive and used by nobody else; `aad` is null or valid for its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_stream_aad(
    stream: *mut cipherlane_aead_stream,
    aad: *const u8,
    aad_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("stream", stream, &[], |stream| {
            Ok(stream.0.get_mut()?.aad(memory::input("aad", aad, aad_length)?)?)
        })
    }
}

/// More of the message; as many bytes go out as come in.
///
/// # Safety
/// `stream` is null or alive and used by nobody else; the pointers are null or valid for their
/// lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_stream_update(
    stream: *mut cipherlane_aead_stream,
    input: *const u8,
    output: *mut u8,
    length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("stream", stream, &[(output, length)], |stream| {
            Ok(stream.0.get_mut()?.update(memory::in_out(input, output, length)?)?)
        })
    }
}

/// Ends a message that is sealed, and writes its tag.
///
/// # Safety
/// `stream` is null or alive and used by nobody else; `tag` is null or valid for its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_stream_final(
    stream: *mut cipherlane_aead_stream,
    tag: *mut u8,
    tag_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("stream", stream, &[(tag, tag_length)], |stream| {
            Ok(stream.0.get_mut()?.finish(memory::output("tag", tag, tag_length)?)?)
        })
    }
}

/// Ends a message that is opened, and checks its tag.
///
/// # Safety
/// As [`cipherlane_aead_stream_final`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_stream_verify(
    stream: *mut cipherlane_aead_stream,
    tag: *const u8,
    tag_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("stream", stream, &[], |stream| {
            Ok(stream.0.get_mut()?.verify(memory::input("tag", tag, tag_length)?)?)
        })
    }
}

/// Starts another message under the same key and in the same direction.
///
/// # Safety
/// `stream` is null or alive and used by nobody else; `nonce` is null or valid for its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_aead_stream_reset(
    stream: *mut cipherlane_aead_stream,
    nonce: *const u8,
    nonce_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("stream", stream, &[], |stream| {
            Ok(stream.0.get_mut()?.reset(memory::kept("nonce", nonce, nonce_length)?)?)
        })
    }
}
