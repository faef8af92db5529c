//! The last failure of a thread, in words.

use std::ffi::c_char;

use crate::memory;
use crate::status::{last, quiet};

/// Writes one line about the last failure of the calling thread, with the field, the value
/// and what is allowed, cut to `size` bytes with a zero at the end; an empty line if no call
/// has failed yet. Returns the length of the whole line without the zero. Never holds anything
/// secret.
///
/// # Safety
/// `text` is null, or valid for writing `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_last_error(text: *mut c_char, size: usize) -> usize {
    let line = quiet(String::new(), last);
    // SAFETY: the caller's promise.
    if let Ok(room) = unsafe { memory::output("text", text.cast(), size) }
        && let Some(most) = room.len().checked_sub(1)
    {
        let most = most.min(line.len());
        // At a character's end; the line begins with one.
        let length = (0..=most).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0);
        room[..length].copy_from_slice(&line.as_bytes()[..length]);
        room[length] = 0;
    }
    line.len()
}
