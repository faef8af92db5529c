//! The forms that bytes are given in.

use serde::Deserialize;

/// How the bytes of a key or an IV are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The argument itself, byte by byte.
    Text,
    /// Hexadecimal digits.
    Hex,
    /// Base64.
    Base64,
    /// What the digits or the Base64 stand for, where the engine takes those; else as
    /// [`Text`](Self::Text).
    Bytes,
}

impl Form {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Hex => "hex",
            Self::Base64 => "base64",
            Self::Bytes => "bytes",
        }
    }
}
