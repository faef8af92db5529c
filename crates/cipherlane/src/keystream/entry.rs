//! How the registry makes objects of a generator.

use alloc::boxed::Box;

use lanes::Level;

use super::batch::KeystreamBatch;
use super::generator::{Generator, Keystream};
use crate::entry::{Limits, New};
use crate::error::Error;
use crate::traits::batch::BatchCipher;
use crate::traits::stream::StreamCipher;

/// The constructors of `G`. No standard bounds its keystream.
pub(crate) const fn new<G: Generator>() -> New {
    New::Stream { iv: G::IV, new: one::<G>, unlimited: one::<G>, limit: None, batch: many::<G> }
}

fn one<G: Generator>(key: &[u8], iv: &[u8], level: Level) -> Result<Box<dyn StreamCipher>, Error> {
    Ok(Box::new(Keystream::<G>::with_level(key, iv, level)?))
}

fn many<G: Generator>(_: Limits, level: Level) -> Box<dyn BatchCipher> {
    Box::new(KeystreamBatch::<G>::with_level(level))
}
