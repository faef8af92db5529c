//! How a chore ends.

/// What a verb returns: one clear line where it failed.
pub(crate) type Outcome = Result<(), String>;
