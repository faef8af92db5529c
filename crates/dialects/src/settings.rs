//! What a caller chooses, and what comes of a value.

use core::fmt;

use cipherlane::Level;

use crate::coding::Coding;
use crate::form::Form;
use crate::hash::Hash;

/// A key and what goes with it, for [`Dialect::prepare`](crate::Dialect::prepare).
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// The key as the engine's user gives it.
    pub key: &'a [u8],
    /// How it is given. Else the forms of the dialect are tried in their order, and the first
    /// under which the key has an allowed length is taken.
    pub key_form: Option<Form>,
    /// The mode by the engine's name, whatever its case; else the engine's own choice.
    pub mode: Option<&'a str>,
    /// The IV argument, of dialects that have one.
    pub iv: Option<&'a [u8]>,
    /// How it is given; see [`key_form`](Self::key_form).
    pub iv_form: Option<Form>,
    /// The digest that makes the key, of dialects with a choice; else the usual one.
    pub hash: Option<Hash>,
    /// Associated data, of modes that have such.
    pub aad: &'a [u8],
    /// How stored values are coded; else as the engine gives them.
    pub coding: Option<Coding>,
    /// The level of the kernels; else the best there is.
    pub level: Option<Level>,
}

impl<'a> Settings<'a> {
    /// A key, and the engine's own choice of all else.
    #[must_use]
    pub const fn new(key: &'a [u8]) -> Self {
        Self {
            key,
            key_form: None,
            mode: None,
            iv: None,
            iv_form: None,
            hash: None,
            aad: &[],
            coding: None,
            level: None,
        }
    }
}

impl fmt::Debug for Settings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("mode", &self.mode).finish_non_exhaustive()
    }
}

/// What came of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A value, behind what the output held before.
    Value,
    /// SQL's NULL, as the engine has it; the output is as it was.
    Null,
}

impl Outcome {
    /// The bytes of a value, none of NULL.
    pub(crate) const fn of(self, bytes: &[u8]) -> Option<&[u8]> {
        match self {
            Self::Value => Some(bytes),
            Self::Null => None,
        }
    }
}
