//! What went wrong, and what sort of exception tells it.

use core::fmt;

use cipherlane::{Error, LevelError};

use crate::nearest;

/// What was wrong with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There is nothing of that name.
    Unknown {
        /// What was looked for.
        what: Query,
        /// The name given.
        name: String,
    },
    /// The algorithm or operation has no parameters, and some were given.
    NoParameters,
    /// The nonce or IV is the one that the last message was encrypted or authenticated with.
    NonceReused,
    /// The operation of that name has a tag, but is no AEAD.
    NoAead(&'static str),
    /// What the library says.
    Library(Error),
}

/// What a name is looked up for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// An algorithm.
    Algorithm,
    /// An operation of the algorithm of that name.
    Operation(&'static str),
    /// An AEAD of the algorithm of that name, for messages in pieces.
    Pieces(&'static str),
    /// A padding of the operation of that name, e.g. `sm4/ctr`.
    Padding(String),
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Algorithm => f.write_str("algorithm"),
            Self::Operation(algorithm) => write!(f, "operation of {algorithm}"),
            Self::Pieces(algorithm) => write!(f, "AEAD in pieces of {algorithm}"),
            Self::Padding(operation) => write!(f, "padding of {operation}"),
        }
    }
}

/// The sorts of failures that languages tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// There is no such algorithm.
    Unknown,
    /// A value that is not allowed.
    Value,
    /// A key of a wrong length.
    Key,
    /// Data that had to be whole blocks.
    Block,
    /// An output that is too short.
    Output,
    /// A wrong tag.
    Tag,
    /// Wrong padding.
    Padding,
    /// A call that does not fit what was called before.
    State,
}

impl Failure {
    pub(crate) fn unknown(what: Query, name: &str) -> Self {
        Self::Unknown { what, name: name.to_owned() }
    }

    /// The sort it is of.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Unknown { .. } | Self::NoAead(_) => Kind::Unknown,
            Self::Library(Error::Length { field: "key", .. } | Error::EqualKeys) => Kind::Key,
            Self::Library(Error::PartialBlock { .. }) => Kind::Block,
            Self::Library(Error::OutputLength { .. }) => Kind::Output,
            Self::Library(Error::Authentication) => Kind::Tag,
            Self::Library(Error::Padding) => Kind::Padding,
            Self::Library(Error::State(_)) => Kind::State,
            Self::NonceReused | Self::NoParameters | Self::Library(_) => Kind::Value,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { what, name } => {
                if let Query::Operation(algorithm) = what
                    && let Some(owner) = nearest::owner(algorithm, name)
                {
                    let of = format_args!("`{name}` of {algorithm}");
                    return write!(f, "{of} is an operation of {owner}, not of this object");
                }
                write!(f, "no {what} is called `{name}`")?;
                nearest::hint(f, what, name)
            }
            Self::NonceReused => {
                f.write_str("the nonce is the last message's; allowed: another one for each")
            }
            Self::NoAead(name) => write!(
                f,
                "{name} is no AEAD: its tag covers neither the IV of the encryption nor the \
                 boundary of the associated data; allowed: a batch of it, where headers have \
                 lengths known beforehand"
            ),
            Self::NoParameters => f.write_str("parameters; allowed: none, as it is no family"),
            Self::Library(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl From<LevelError> for Failure {
    fn from(error: LevelError) -> Self {
        Self::Library(error.into())
    }
}
