//! What there is, as plain data.

use cipherlane::registry::{self, ALGORITHMS, Algorithm, Operation};

use crate::Failure;
use crate::context::{self, operation};

/// Every operation of every algorithm.
#[must_use]
pub fn listing() -> Vec<Operation> {
    ALGORITHMS.iter().flat_map(registry::operations).collect()
}

/// The algorithm of that name.
///
/// # Errors
/// [`Failure::Unknown`], which tells the names that may have been meant.
pub fn algorithm(name: &str) -> Result<&'static Algorithm, Failure> {
    context::algorithm(name)
}

/// An operation, for many messages at once.
///
/// # Errors
/// [`Failure::Unknown`].
pub fn batch(name: &str, of: &str) -> Result<Operation, Failure> {
    operation(algorithm(name)?, of)
}
