//! The last failure of a thread, in words.
//!
//! It lies in the thread's own place and has no destructor: a C library allocates when one is registered, and
//! ends the process where it gets nothing.

use std::cell::{Cell, RefCell};
use std::ffi::c_char;
use std::fmt::{self, Write as _};

use ciphers::Error;

use crate::memory;
use crate::status::{Failure, Status, TEXTS, quiet};

/// The longest line. What echoes a name is as long as its caller likes.
const LONGEST: usize = 1024;

/// Text, up to the room that there is.
struct Line {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Line {
    const EMPTY: Self = Self { bytes: [0; LONGEST], length: 0 };

    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

/// As much of a text as so many bytes hold, up to a character's end; the text begins with one.
fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or(0)]
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let most = LONGEST - self.length;
        let more = cut(text, most);
        self.bytes[self.length..][..more.len()].copy_from_slice(more.as_bytes());
        self.length += more.len();
        if more.len() == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

/// What is known of a failure; of most the words are found when somebody asks.
#[derive(Clone, Copy)]
enum Last {
    None,
    Status(Status),
    Library(Error),
    /// In [`LINE`].
    Line,
}

thread_local! {
    static LAST: Cell<Last> = const { Cell::new(Last::None) };
    static LINE: RefCell<Line> = const { RefCell::new(Line::EMPTY) };
}
const _: () = assert!(!std::mem::needs_drop::<Last>() && !std::mem::needs_drop::<Line>());

/// Keeps a failure of this thread.
pub(crate) fn keep(failure: &Failure) {
    let write = |arguments: fmt::Arguments<'_>| {
        LINE.with_borrow_mut(|line| {
            line.length = 0;
            // Only a line that is too long fails: it is cut.
            _ = line.write_fmt(arguments);
        });
        Last::Line
    };
    LAST.set(match failure {
        Failure::Status(status) => Last::Status(*status),
        Failure::Said(_, line) => write(format_args!("{line}")),
        Failure::Object(objects::Failure::Library(error)) => Last::Library(*error),
        Failure::Object(failure) => write(format_args!("{failure}")),
    });
}

/// One line about the last failure of this thread; empty if no call has failed yet.
fn last<T>(take: impl FnOnce(&str) -> T) -> T {
    let mut line = Line::EMPTY;
    match LAST.get() {
        Last::None => {}
        Last::Status(status) => {
            _ = line.write_str(TEXTS[status as usize].to_str().unwrap_or_default());
        }
        Last::Library(error) => _ = write!(line, "{error}"),
        Last::Line => return LINE.with_borrow(|line| take(line.text())),
    }
    take(line.text())
}

/// Writes one line about the last failure of the calling thread, with the field, the value
/// and what is allowed, cut to `size` bytes with a zero at the end; an empty line if no call
/// has failed yet. Returns the length of the whole line without the zero. Never holds anything
/// secret.
///
/// # Safety
/// `text` is null, or valid for writing `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_last_error(text: *mut c_char, size: usize) -> usize {
    let copy = |line: &str| {
        // SAFETY: the caller's promise.
        if let Ok(room) = unsafe { memory::output("text", text.cast(), size) }
            && let Some(most) = room.len().checked_sub(1)
        {
            let begins = cut(line, most).as_bytes();
            room[..begins.len()].copy_from_slice(begins);
            room[begins.len()] = 0;
        }
        line.len()
    };
    quiet(0, || last(copy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::said;

    fn told(size: usize) -> (usize, Vec<u8>) {
        let mut text = vec![b'?'; 2 * LONGEST];
        // SAFETY: there is more room than is said.
        let length = unsafe { cipherlane_last_error(text.as_mut_ptr().cast(), size) };
        (length, text)
    }

    #[test]
    fn a_line_is_cut_at_a_character() {
        keep(&said(Status::Value, "ä".repeat(LONGEST)));
        let (length, text) = told(2 * LONGEST);
        assert_eq!((length, text[LONGEST - 1], text[LONGEST]), (LONGEST, 0xa4, 0));
        let (length, text) = told(4);
        assert_eq!((length, &text[..4]), (LONGEST, &b"\xc3\xa4\0?"[..]));
        keep(&said(Status::Value, format!("a{}", "ä".repeat(LONGEST))));
        assert_eq!(told(0), (LONGEST - 1, vec![b'?'; 2 * LONGEST]));
    }

    #[test]
    fn every_kind_of_failure_has_its_words() {
        for (failure, words) in [
            (Status::Internal.into(), "an internal error"),
            (Error::EqualKeys.into(), &*Error::EqualKeys.to_string()),
            (said(Status::Text, "so".into()), "so"),
        ] {
            keep(&failure);
            assert_eq!(last(str::to_owned), words);
        }
        assert_eq!(std::thread::spawn(|| last(str::len)).join().ok(), Some(0));
    }
}
