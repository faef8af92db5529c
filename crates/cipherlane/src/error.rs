//! The typed errors of the library: each names the field, the value and what is allowed.

use core::fmt;

use crate::sizes::Sizes;

/// What was wrong with a call. Nothing secret is ever part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A key, IV, nonce or tag has a length that the algorithm does not allow.
    Length {
        /// `"key"`, `"iv"`, `"nonce"`, `"tag"`, …
        field: &'static str,
        /// The length given, in bytes.
        got: usize,
        /// The lengths allowed, in bytes.
        allowed: Sizes,
    },
    /// Data that must be whole blocks is not.
    PartialBlock {
        /// The length given, in bytes.
        got: usize,
        /// The length of a block, in bytes.
        block: usize,
    },
    /// The output buffer has the wrong length.
    OutputLength {
        /// Its length in bytes.
        got: usize,
        /// The length needed, in bytes.
        needed: usize,
    },
    /// A value is outside its range.
    Value {
        /// The field's name.
        field: &'static str,
        /// The value given.
        got: u64,
        /// The smallest allowed.
        min: u64,
        /// The largest allowed.
        max: u64,
    },
    /// The data under one key and IV would exceed what the standard allows.
    Limit {
        /// What is limited, e.g. `"keystream bits under one key and IV"`.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// Two keys that must differ are equal.
    EqualKeys,
    /// The tag is wrong; nothing more is said, on purpose.
    Authentication,
    /// The padding is not valid; nothing more is said, on purpose.
    Padding,
    /// The call does not fit the object's state, e.g. data after the end.
    State(&'static str),
    /// A [self-test](crate::self_test) found a wrong answer: nothing of this library is to be
    /// trusted on this machine.
    SelfTest {
        /// The algorithm.
        algorithm: &'static str,
        /// The operation.
        operation: &'static str,
    },
    /// The system gives no random bytes.
    Entropy,
    /// The instruction-set level can't be had.
    Level(lanes::LevelError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { field, got, allowed } => {
                write!(f, "{field} of {got} bytes; allowed: {allowed} bytes")
            }
            Self::PartialBlock { got, block } => {
                write!(f, "data of {got} bytes; allowed: a multiple of {block} bytes")
            }
            Self::OutputLength { got, needed } => {
                write!(f, "output of {got} bytes; allowed: {needed} bytes")
            }
            Self::Value { field, got, min, max } => {
                write!(f, "{field} is {got}; allowed: {min} to {max}")
            }
            Self::Limit { what, limit } => write!(f, "{what}: the limit of {limit} is reached"),
            Self::EqualKeys => f.write_str("the two keys are equal; allowed: different keys"),
            Self::Authentication => f.write_str("the tag is wrong"),
            Self::Padding => f.write_str("the padding is not valid"),
            Self::State(what) => f.write_str(what),
            Self::SelfTest { algorithm, operation } => {
                write!(f, "the self-test of {algorithm}/{operation} gave a wrong answer")
            }
            Self::Entropy => f.write_str("the system gives no random bytes"),
            Self::Level(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

impl From<lanes::LevelError> for Error {
    fn from(error: lanes::LevelError) -> Self {
        Self::Level(error)
    }
}

/// Returns [`Error::Length`] unless `allowed` holds `got`.
#[inline(always)]
pub(crate) const fn check_length(
    field: &'static str,
    got: usize,
    allowed: Sizes,
) -> Result<(), Error> {
    if allowed.allow(got) { Ok(()) } else { Err(Error::Length { field, got, allowed }) }
}
