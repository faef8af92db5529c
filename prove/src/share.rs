//! What is checked, and which part of it by which process.

use cipherlane::registry::Timing;

/// Every `shares`th piece of work, from the number `share`.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Below `shares`.
    pub share: usize,
    /// How many processes work.
    pub shares: usize,
}

impl Share {
    pub(crate) fn of<T>(self, all: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        all.skip(self.share).step_by(self.shares)
    }
}

/// Whether an algorithm claims that its time tells no secret.
#[must_use]
pub fn claims(algorithm: &cipherlane::registry::Algorithm) -> bool {
    algorithm.timing == Timing::ConstantTime
}
