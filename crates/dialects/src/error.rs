//! What can be wrong with a name, a setting or a stored value.

use core::fmt;

/// What was wrong. Nothing secret is ever part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no such dialect.
    Unknown {
        /// The name given.
        name: String,
        /// The dialect whose name is nearest.
        near: &'static str,
    },
    /// The dialect has no such mode.
    Mode {
        /// The dialect.
        dialect: &'static str,
        /// The name given.
        name: String,
        /// The dialect's modes.
        allowed: String,
        /// Whether the engine answers such a name with NULL instead of an error.
        gives_null: bool,
    },
    /// A key or an IV has a length that the dialect does not allow.
    Length {
        /// The dialect.
        dialect: &'static str,
        /// `"key"` or `"IV"`.
        field: &'static str,
        /// The length given, in bytes.
        got: usize,
        /// What is allowed.
        allowed: String,
    },
    /// A setting that the dialect has no place for, or a missing one.
    Setting {
        /// The dialect.
        dialect: &'static str,
        /// The setting.
        field: &'static str,
        /// What it is.
        got: String,
        /// What is allowed.
        allowed: String,
    },
    /// A key, an IV or a stored value is not in its coding.
    Coding {
        /// `"key"`, `"IV"` or `"stored value"`.
        field: &'static str,
        /// The coding it should have.
        coding: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// A stored value has a length that no value has.
    Stored {
        /// The dialect.
        dialect: &'static str,
        /// Its length in bytes, without its coding.
        got: usize,
        /// What is allowed.
        allowed: String,
    },
    /// A plaintext has a length that the mode does not allow.
    Plaintext {
        /// The mode.
        mode: &'static str,
        /// Its length in bytes.
        got: usize,
        /// The length of a block.
        block: usize,
    },
    /// A plaintext has a byte 0, at which the engine would end it.
    ZeroByte {
        /// The dialect.
        dialect: &'static str,
        /// Its place, from 0.
        at: usize,
    },
    /// The tag or MAC is wrong; nothing of the plaintext was given out.
    Authentication {
        /// The dialect.
        dialect: &'static str,
    },
    /// The padding is wrong. For the owner of the data alone; see the crate's documentation.
    Padding {
        /// The dialect.
        dialect: &'static str,
    },
    /// What the engine makes of NULL is not known.
    NullUnknown {
        /// The dialect.
        dialect: &'static str,
    },
    /// The system gave no random bytes.
    Random(String),
    /// What the library says.
    Library(cipherlane::Error),
}

impl Error {
    /// Whether the engine answers the same call with NULL instead of an error.
    #[must_use]
    pub const fn gives_null(&self) -> bool {
        matches!(self, Self::Mode { gives_null: true, .. })
    }

    /// Whether it is about one stored value or plaintext, so that others may go well.
    #[must_use]
    pub fn of_value(&self) -> bool {
        matches!(
            self,
            Self::Coding { field: "stored value", .. }
                | Self::Stored { .. }
                | Self::Plaintext { .. }
                | Self::ZeroByte { .. }
                | Self::Authentication { .. }
                | Self::Padding { .. }
        )
    }

    /// What to do about it.
    #[must_use]
    pub fn remedy(&self) -> String {
        match self {
            Self::Unknown { near, .. } => format!("did you mean {near}?"),
            Self::Mode { .. } => "name one of these, or none for the engine's own choice".into(),
            Self::Length { field, .. } => {
                format!("give the {field} as the engine's user gives it, byte by byte")
            }
            Self::Setting { .. } => "the dialect's row says what it takes".into(),
            Self::Coding { field: "stored value", .. } => {
                "name the coding that the values have, or take an undamaged copy".into()
            }
            Self::Coding { field, .. } => format!("give the {field} in that coding"),
            Self::Stored { .. } => {
                "it is cut off, or of another dialect, mode or coding; take an undamaged copy"
                    .into()
            }
            Self::Plaintext { .. } => "take whole blocks, or a mode with padding".into(),
            Self::ZeroByte { .. } => "the engine stores texts alone: code such data first".into(),
            Self::Authentication { .. } => {
                "another key or associated data, or the value was changed".into()
            }
            Self::Padding { .. } => "another key, mode or IV, or the value was changed".into(),
            Self::NullUnknown { .. } => "keep NULL as NULL outside of the dialect".into(),
            Self::Random(_) => "the system must have a random generator".into(),
            Self::Library(_) => "see the dialect's row".into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, .. } => write!(f, "no dialect is called `{name}`"),
            Self::Mode { dialect, name, allowed, gives_null } => {
                let null = if *gives_null { " (the engine gives NULL for it)" } else { "" };
                write!(f, "mode of {dialect} is `{name}`{null}; allowed: {allowed}")
            }
            Self::Length { dialect, field, got, allowed } => {
                write!(f, "{field} of {dialect} has {got} bytes; allowed: {allowed}")
            }
            Self::Setting { dialect, field, got, allowed } => {
                write!(f, "{field} of {dialect} is {got}; allowed: {allowed}")
            }
            Self::Coding { field, coding, what } => {
                write!(f, "{field} is no {coding}: {what}; allowed: {coding} alone")
            }
            Self::Stored { dialect, got, allowed } => {
                write!(f, "stored value of {dialect} has {got} bytes; allowed: {allowed}")
            }
            Self::Plaintext { mode, got, block } => {
                write!(f, "plaintext of {mode} has {got} bytes; allowed: a multiple of {block}")
            }
            Self::ZeroByte { dialect, at } => {
                write!(f, "plaintext of {dialect} has byte 0 at place {at}; allowed: 1 to 255")
            }
            Self::Authentication { dialect } => {
                write!(f, "the tag or MAC of this value of {dialect} is wrong")
            }
            Self::Padding { dialect } => {
                write!(f, "the padding of this value of {dialect} is wrong")
            }
            Self::NullUnknown { dialect } => {
                write!(f, "what the engine of {dialect} makes of NULL is not known")
            }
            Self::Random(what) => write!(f, "no random bytes: {what}"),
            Self::Library(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

impl From<cipherlane::Error> for Error {
    fn from(error: cipherlane::Error) -> Self {
        Self::Library(error)
    }
}

impl From<cipherlane::LevelError> for Error {
    fn from(error: cipherlane::LevelError) -> Self {
        Self::Library(error.into())
    }
}
