//! Message authentication codes.

use std::ffi::{c_char, c_int};

use ciphers::Error;
use objects::{Failure, Mac};

use crate::kept::Kept;
use crate::memory::{self, Handle};
use crate::options::{cipherlane_options, settings};
use crate::status::{Outcome, Status};

/// A MAC under one key. Not for two threads at once.
#[expect(missing_debug_implementations, reason = "it holds key material")]
pub struct cipherlane_mac {
    mac: Kept<Mac>,
    ended: bool,
}

impl Handle for cipherlane_mac {
    fn end(&mut self) {
        self.mac.end();
    }
}

const ENDED: Error = Error::State("the message is finished; a reset starts another one");

/// Makes a MAC, e.g. `cmac`, `gmac`, `eia3`, `mac128`, for tags of `tag_length` bytes (0: the
/// longest). `iv` is empty where the MAC takes none. On failure `*mac` is null.
///
/// # Safety
/// `mac` is null or valid for writing; the texts end with a zero byte; `options` is null or
/// valid; `key` and `iv` are null or valid for their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_mac_new(
    mac: *mut *mut cipherlane_mac,
    algorithm: *const c_char,
    operation: *const c_char,
    options: *const cipherlane_options,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    tag_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::hand_out("mac", mac, || {
            let (algorithm, name) =
                (memory::text("algorithm", algorithm)?, memory::text("operation", operation)?);
            let settings = settings(options)?;
            let (key, iv) =
                (memory::input("key", key, key_length)?, memory::kept("iv", iv, iv_length)?);
            let tag = Some(tag_length).filter(|length| *length != 0);
            let level = Some(settings.level);
            let mut mac = Mac::new(algorithm, name, key, iv, tag, level)?;
            if settings.allow_nonce_reuse {
                mac.allow_iv_reuse();
            }
            Ok(cipherlane_mac { mac: Kept::new(mac), ended: false })
        })
    }
}

/// Wipes and frees a MAC; null is allowed.
///
/// # Safety
/// `mac` is null, or was made by [`cipherlane_mac_new`] and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_mac_free(mac: *mut cipherlane_mac) {
    // SAFETY: the caller's promise.
    unsafe { memory::take_back(mac) }
}

/// Says how many bytes the message will have, which padding method 3 of GB/T 15852.1 must know
/// beforehand; other MACs take no notice.
///
/// # Safety
/// `mac` is null or alive and used by nobody else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_mac_announce(mac: *mut cipherlane_mac, length: u64) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { memory::with("mac", mac, &[], |mac| Ok(going_on(mac)?.announce(length)?)) }
}

/// More of the message.
///
/// # Safety
/// `mac` is null or alive and used by nobody else; `data` is null or valid for its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_mac_update(
    mac: *mut cipherlane_mac,
    data: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("mac", mac, &[], |mac| {
            Ok(going_on(mac)?.update(memory::input("data", data, length)?)?)
        })
    }
}

/// The first `bits` bits of `length` bytes as more of the message, bit 0 the highest of the
/// first byte. Most MACs take whole bytes only.
///
/// # Safety
/// As [`cipherlane_mac_update`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_mac_update_bits(
    mac: *mut cipherlane_mac,
    data: *const u8,
    length: usize,
    bits: u64,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("mac", mac, &[], |mac| {
            Ok(going_on(mac)?.update_bits(memory::input("data", data, length)?, bits)?)
        })
    }
}

/// The MAC, if its message is not finished.
fn going_on(mac: &mut cipherlane_mac) -> Outcome<&mut Mac> {
    if mac.ended { Err(ENDED.into()) } else { mac.mac.get_mut() }
}

/// Ends the message and writes its tag, which has the length that the MAC was made for:
/// `CIPHERLANE_LENGTH` for another one. Then every call is `CIPHERLANE_STATE` until
/// [`cipherlane_mac_reset`] starts another message.
///
/// # Safety
/// `mac` is null or alive and used by nobody else; `tag` is null or valid for its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_mac_final(
    mac: *mut cipherlane_mac,
    tag: *mut u8,
    tag_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("mac", mac, &[(tag, tag_length)], |mac| {
            going_on(mac)?.fill(memory::output("tag", tag, tag_length)?)?;
            mac.ended = true;
            Ok(())
        })
    }
}

/// Ends the message and compares its tag in constant time: `CIPHERLANE_AUTHENTICATION` if it
/// differs, `CIPHERLANE_LENGTH` if it has another length than the MAC was made for.
///
/// # Safety
/// As [`cipherlane_mac_final`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_mac_verify(
    mac: *mut cipherlane_mac,
    tag: *const u8,
    tag_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("mac", mac, &[], |mac| {
            let verdict = going_on(mac)?.compare(memory::input("tag", tag, tag_length)?);
            mac.ended = matches!(verdict, Ok(()) | Err(Failure::Library(Error::Authentication)));
            Ok(verdict?)
        })
    }
}

/// Starts another message under the same key. An IV serves one message: that of a tag which was
/// given out is refused with `CIPHERLANE_NONCE_REUSED`, unless the settings allow it.
///
/// # Safety
/// `mac` is null or alive and used by nobody else; `iv` is null or valid for its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_mac_reset(
    mac: *mut cipherlane_mac,
    iv: *const u8,
    iv_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::with("mac", mac, &[], |mac| {
            mac.mac.get_mut()?.reset(memory::kept("iv", iv, iv_length)?)?;
            mac.ended = false;
            Ok(())
        })
    }
}

/// The tag of one message of whole bytes, from key and IV on.
///
/// # Safety
/// As [`cipherlane_mac_new`], [`cipherlane_mac_update`] and [`cipherlane_mac_final`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_mac_once(
    algorithm: *const c_char,
    operation: *const c_char,
    options: *const cipherlane_options,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    data: *const u8,
    length: usize,
    tag: *mut u8,
    tag_length: usize,
) -> c_int {
    let mut mac = std::ptr::null_mut();
    // SAFETY: the caller's promises; the object is this function's own.
    unsafe {
        let place = &raw mut mac;
        let made = cipherlane_mac_new(
            place, algorithm, operation, options, key, key_length, iv, iv_length, tag_length,
        );
        if made != Status::Ok as c_int {
            return made;
        }
        let mut done = cipherlane_mac_announce(mac, length as u64);
        if done == Status::Ok as c_int {
            done = cipherlane_mac_update(mac, data, length);
        }
        if done == Status::Ok as c_int {
            done = cipherlane_mac_final(mac, tag, tag_length);
        }
        cipherlane_mac_free(mac);
        done
    }
}
