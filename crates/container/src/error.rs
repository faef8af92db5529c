//! What can be wrong with a file, a key or a call.

/// What was wrong. Nothing secret is ever part of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file does not begin as such a file does.
    #[error("not a Cipherlane file: it does not begin with its eight signature bytes")]
    Signature,
    /// The file ends inside its header.
    #[error("the file ends after {got} bytes; its header has {needed}")]
    ShortHeader {
        /// The file's length in bytes.
        got: usize,
        /// The header's length in bytes.
        needed: usize,
    },
    /// A field of the header, or a parameter, is outside its range.
    #[error("{field} is {got}; allowed: {allowed}")]
    Field {
        /// The field.
        field: &'static str,
        /// Its value.
        got: u64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The key is another one than that of the file, or the header was changed.
    #[error("this key does not open the file, or its header was changed")]
    WrongKey,
    /// A chunk was changed, moved, cut off or put in.
    #[error("chunk {index} is not what was written there: the file was changed or cut off")]
    Chunk {
        /// The chunk, counted from 0.
        index: u64,
    },
    /// The file has a length that no whole file has.
    #[error("the file was cut off: {got} bytes can't end a whole chunk")]
    CutOff {
        /// The file's length in bytes.
        got: u64,
    },
    /// A passphrase is needed to open the file and a key was given, or the other way round.
    #[error("the file was made with {made}; give that")]
    KeyKind {
        /// `"a key"` or `"a passphrase"`.
        made: &'static str,
    },
    /// The key could not be derived.
    #[error("the key could not be derived from the passphrase: {0}")]
    Derivation(String),
    /// The cipher refused.
    #[error(transparent)]
    Cipher(#[from] cipherlane::Error),
}
