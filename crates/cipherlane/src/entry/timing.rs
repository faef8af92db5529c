//! What the time of an algorithm tells.

/// What an observer of the time may learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// No branch and no address depends on a secret.
    ConstantTime,
    /// Tables are indexed by secrets; inherent to the cipher or the level.
    Table,
}

impl Timing {
    /// `"constant-time"` or `"table"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ConstantTime => "constant-time",
            Self::Table => "table",
        }
    }
}
