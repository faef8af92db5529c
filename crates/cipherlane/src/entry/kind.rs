//! What sorts of operations there are.

/// What is done with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The data is encrypted or decrypted; there is no tag.
    Cipher,
    /// The data is encrypted, the tag written.
    Seal,
    /// The data is decrypted if the tag is right.
    Open,
    /// A tag is written. In a batch the associated data is the message, and there is no data.
    Mac,
}

impl Kind {
    /// `"cipher"`, `"seal"`, `"open"` or `"mac"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cipher => "cipher",
            Self::Seal => "seal",
            Self::Open => "open",
            Self::Mac => "mac",
        }
    }
}

/// How the data of an operation can be cut, between blocks, into pieces that need
/// nothing of each other's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Not at all: each block needs what became of the one before.
    Never,
    /// Anywhere.
    Anywhere,
    /// A piece's IV is the block of input before it.
    InputBefore,
    /// A piece's IV is the first counter plus the number of blocks before it.
    Counter,
    /// The same, where the last 32 bits of a block count.
    Counter32,
}
