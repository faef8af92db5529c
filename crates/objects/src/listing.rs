//! What there is, as plain data.

use cipherlane::registry::{self, ALGORITHMS, Algorithm, Batch, BatchKind, New};

use crate::Failure;
use crate::context::{self, no_operation};

/// One operation of one algorithm.
#[derive(Debug)]
pub struct Listed {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// The block length in bytes; 0 for a stream cipher.
    pub block: usize,
    /// The operation, with its name and lengths.
    pub operation: Batch,
    /// Whether the operation takes a message in pieces.
    pub in_pieces: bool,
}

impl Listed {
    /// `"cipher"`, `"seal"`, `"open"` or `"mac"`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self.operation.kind {
            BatchKind::Cipher => "cipher",
            BatchKind::Seal => "seal",
            BatchKind::Open => "open",
            BatchKind::Mac => "mac",
        }
    }
}

/// Every operation of every algorithm.
#[must_use]
pub fn listing() -> Vec<Listed> {
    let mut listing = Vec::new();
    for algorithm in ALGORITHMS {
        let block = match algorithm.new {
            New::Block { block, .. } => block,
            New::Stream { .. } => 0,
        };
        for operation in registry::batches(algorithm) {
            let in_pieces = takes_pieces(algorithm, &operation);
            listing.push(Listed { algorithm, block, operation, in_pieces });
        }
    }
    listing
}

fn takes_pieces(algorithm: &'static Algorithm, operation: &Batch) -> bool {
    let name = &operation.operation;
    match operation.kind {
        BatchKind::Mac => true,
        BatchKind::Cipher => !registry::messages(algorithm).any(|it| {
            name.strip_suffix("-encrypt").or(name.strip_suffix("-decrypt")) == Some(it.name)
        }),
        BatchKind::Seal | BatchKind::Open => registry::aeads(algorithm).any(|it| {
            let mode = name.strip_suffix("-seal").or(name.strip_suffix("-open"));
            mode == Some(it.name) && it.streaming.constructor().is_some()
        }),
    }
}

/// The algorithm of that name.
///
/// # Errors
/// [`Failure::Unknown`], which tells the names that may have been meant.
pub fn algorithm(name: &str) -> Result<&'static Algorithm, Failure> {
    context::algorithm(name)
}

/// An operation for many messages at once.
///
/// # Errors
/// [`Failure::Unknown`].
pub fn batch(name: &str, operation: &str) -> Result<Batch, Failure> {
    let algorithm = algorithm(name)?;
    let batch = registry::batches(algorithm).find(|it| it.operation == operation);
    batch.ok_or_else(|| no_operation(algorithm, operation))
}
