//! What a test expects besides bytes: whether it is accepted, and which pieces of a keystream.

/// Whether an implementation has to accept a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// It must.
    #[default]
    Valid,
    /// It may.
    Acceptable,
    /// It must reject it.
    Invalid,
}

/// A piece of keystream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where it starts, in bytes from the start of the keystream.
    pub offset: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Segment {
    /// Where it ends, in bytes from the start of the keystream.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes.len() as u64)
    }
}
