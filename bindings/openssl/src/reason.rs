//! Why a call fails, in the words and numbers of OpenSSL's own providers.
//!
//! Programs match these numbers: Python's `cryptography` and Node.js tell a wrong password from
//! an internal fault by `PROV_R_BAD_DECRYPT` and `PROV_R_WRONG_FINAL_BLOCK_LENGTH`. So what
//! `proverr.h` has a number for is put in the queue under `ERR_LIB_PROV`; the rest has numbers
//! of this provider, whose texts [`STRINGS`] tells OpenSSL.

use std::ffi::{CStr, c_char, c_uint, c_void};

use ciphers::{Error, Sizes};

/// `ERR_LIB_PROV`, where an error's code has its library.
const PROV: u32 = 57 << 23;

/// The reasons; those of OpenSSL bear its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Reason {
    /// A message is not authentic. Never in the queue: the default provider leaves it empty for
    /// a wrong tag of GCM, and programs take that for the sign of one.
    Tag = 0,
    Internal = 1,
    Overlap = 2,
    NoIv = 3,
    IvUsed = 4,
    Ssl3 = 5,
    /// Another provider has put it in the queue.
    Told = 6,
    /// `ERR_R_MALLOC_FAILURE`, which OpenSSL has a text for in every library.
    NoMemory = 256 | 1 << 18 | 2 << 18,
    BadDecrypt = PROV | 100,
    Operation = PROV | 102,
    GetParameter = PROV | 103,
    SetParameter = PROV | 104,
    KeyLength = PROV | 105,
    OutputTooSmall = PROV | 106,
    FinalBlock = PROV | 107,
    InvalidAad = PROV | 108,
    IvLength = PROV | 109,
    NoKey = PROV | 114,
    InvalidData = PROV | 115,
    TagLength = PROV | 118,
    TagNotSet = PROV | 119,
    TagNotNeeded = PROV | 120,
    Mode = PROV | 125,
    NotSupported = PROV | 136,
    DataUnit = PROV | 148,
    EqualKeys = PROV | 149,
    Rounds = PROV | 152,
    KeySize = PROV | 153,
    MissingCipher = PROV | 155,
}

/// `OSSL_ITEM`.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Item {
    id: c_uint,
    text: *const c_char,
}

// SAFETY: the pointers are to constants.
unsafe impl Sync for Item {}

impl Item {
    const fn new(reason: Reason, text: &'static CStr) -> Self {
        Self { id: reason as c_uint, text: text.as_ptr() }
    }
}

/// The texts of those reasons that OpenSSL has no number for.
static STRINGS: [Item; 6] = [
    Item::new(Reason::Internal, c"internal error: please report it"),
    Item::new(Reason::Overlap, c"input and output overlap in part"),
    Item::new(Reason::NoIv, c"no iv set"),
    Item::new(Reason::IvUsed, c"the iv was used for a whole message"),
    Item::new(Reason::Ssl3, c"records of ssl 3.0 are not supported"),
    Item { id: 0, text: std::ptr::null() },
];

/// What OpenSSL asks a provider for its texts by.
pub(crate) unsafe extern "C" fn strings(_: *mut c_void) -> *const Item {
    STRINGS.as_ptr()
}

/// A call that fails: why, and which value was wrong. Nothing secret is in it.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) reason: Reason,
    pub(crate) detail: Option<String>,
}

impl From<Reason> for Refused {
    fn from(reason: Reason) -> Self {
        Self { reason, detail: None }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        let reason = match error {
            Error::Authentication => return Reason::Tag.into(),
            Error::Padding => return Reason::BadDecrypt.into(),
            Error::EqualKeys => return Reason::EqualKeys.into(),
            Error::Length { field: "key", .. } => Reason::KeyLength,
            Error::Length { field: "iv" | "nonce" | "tweak", .. } => Reason::IvLength,
            Error::Length { field: "tag", .. } => Reason::TagLength,
            Error::OutputLength { .. } => Reason::OutputTooSmall,
            Error::Value { field: "rounds", .. } => Reason::Rounds,
            Error::SelfTest { .. } => Reason::Internal,
            _ => Reason::Operation,
        };
        Self { reason, detail: Some(error.to_string()) }
    }
}

impl Reason {
    /// The same with the value that was wrong.
    pub(crate) fn because(self, detail: impl Into<String>) -> Refused {
        Refused { reason: self, detail: Some(detail.into()) }
    }
}

/// A length that is not one of those allowed.
pub(crate) fn wrong_length(field: &'static str, got: usize, allowed: Sizes) -> Refused {
    Error::Length { field, got, allowed }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_those_that_programs_match() {
        let key = wrong_length("key", 15, Sizes::exactly(16));
        assert_eq!(key.reason as u32, 57 << 23 | 105);
        assert_eq!(key.detail.as_deref(), Some("key of 15 bytes; allowed: 16 bytes"));
        assert_eq!(Refused::from(Error::Padding).reason as u32, 57 << 23 | 100);
        assert_eq!(Refused::from(Error::Authentication).reason as u32, 0);
    }

    #[test]
    fn every_reason_of_our_own_has_a_text() {
        let own = STRINGS.iter().take_while(|item| item.id != 0);
        assert_eq!(own.map(|item| item.id).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        // Their numbers leave the place of a library free, which OpenSSL fills in.
        assert!(STRINGS.iter().all(|item| item.id >> 23 == 0));
    }
}
