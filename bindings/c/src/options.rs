//! What else can be said when an object is made.

use std::ffi::{c_char, c_int};
use std::fmt::Display;

use ciphers::modes::Padding;
use ciphers::registry::Parameters;
use ciphers::{Error, Level};

use crate::memory;
use crate::status::{Failure, Outcome, Status, said};

/// No padding: the data must be whole blocks, where the operation wants them.
pub const CIPHERLANE_PADDING_NONE: c_int = 0;
/// PKCS#7.
pub const CIPHERLANE_PADDING_PKCS7: c_int = 1;
/// ISO/IEC 7816-4.
pub const CIPHERLANE_PADDING_ISO7816: c_int = 2;

/// Settings of a new object; all zero, or no settings at all, are the usual.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cipherlane_options {
    /// `sizeof(struct cipherlane_options)` of the program, by which a later library knows which
    /// members there are; 0 stands for those that 0.1 has. Anything else is `CIPHERLANE_VALUE`.
    pub size: usize,
    /// The level's name; null for the best, capped by the variable `CIPHERLANE_LEVEL`.
    pub level: *const c_char,
    /// One of `CIPHERLANE_PADDING_…`, for modes that take whole blocks.
    pub padding: c_int,
    /// RC2: the effective key length in bits; 0 for that of the key.
    pub effective_key_bits: u32,
    /// RC5: the length of a word in bits; 0 for 32.
    pub word_bits: u32,
    /// RC5: the number of rounds plus one, as 0 rounds are allowed; 0 for 12 rounds.
    pub rounds_plus_one: u32,
    /// AEADs and MACs: 1 to let a nonce or IV be used again, for known answers and measurements;
    /// 0 to refuse the one of the message before.
    pub allow_nonce_reuse: c_int,
    /// AEADs and batches with tags: their length in bytes, to which every call keeps; 0 for the
    /// longest. That of a MAC stands in its constructor.
    pub tag_length: usize,
}

/// The settings, checked.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) level: Level,
    pub(crate) padding: Padding,
    pub(crate) parameters: Parameters,
    pub(crate) allow_nonce_reuse: bool,
    /// The length of tags; none for the longest.
    pub(crate) tag: Option<usize>,
}

/// The settings of an object that is to be made.
///
/// # Safety
/// `options` is null or valid; its text is null or ends with a zero byte.
pub(crate) unsafe fn settings(options: *const cipherlane_options) -> Outcome<Settings> {
    // SAFETY: the caller's promise.
    let Some(options) = (unsafe { options.as_ref() }) else {
        let (level, padding) = (detect()?, Padding::None);
        let parameters = Parameters::default();
        return Ok(Settings { level, padding, parameters, allow_nonce_reuse: false, tag: None });
    };
    if options.size != 0 && options.size != size_of::<cipherlane_options>() {
        return Err(wrong("size", options.size, "0 or sizeof(struct cipherlane_options)"));
    }
    let level = if options.level.is_null() {
        detect()?
    } else {
        // SAFETY: the caller's promise.
        Level::by_name(unsafe { memory::text("level", options.level) }?).map_err(Error::from)?
    };
    let padding = match options.padding {
        CIPHERLANE_PADDING_NONE => Padding::None,
        CIPHERLANE_PADDING_PKCS7 => Padding::Pkcs7,
        CIPHERLANE_PADDING_ISO7816 => Padding::Iso7816,
        other => return Err(wrong("padding", other, "one of CIPHERLANE_PADDING_…")),
    };
    let parameters = Parameters {
        effective_key_bits: Some(options.effective_key_bits).filter(|bits| *bits != 0),
        word_bits: Some(options.word_bits).filter(|bits| *bits != 0),
        rounds: options.rounds_plus_one.checked_sub(1),
    };
    let allow_nonce_reuse = match options.allow_nonce_reuse {
        0 => false,
        1 => true,
        other => return Err(wrong("allow_nonce_reuse", other, "0 or 1")),
    };
    let tag = Some(options.tag_length).filter(|length| *length != 0);
    Ok(Settings { level, padding, parameters, allow_nonce_reuse, tag })
}

/// What is said of a member that has no such value.
fn wrong(member: &str, got: impl Display, allowed: &str) -> Failure {
    said(Status::Value, format!("{member} of the options is {got}; allowed: {allowed}"))
}

fn detect() -> Outcome<Level> {
    Ok(Level::detect().map_err(Error::from)?)
}
