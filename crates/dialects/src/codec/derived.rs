//! Keys that are derived with the salt of each value, the latest of them kept.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zeroize::Zeroizing;

use super::keyed::Keyed;
use crate::error::Error;
use crate::hash::Hash;
use crate::layout::LONGEST;

/// So many keys are kept: an engine that draws a salt for each session mixes those of a few in a
/// column. openGauss itself keeps 48 for reading.
const KEPT: usize = 64;

/// What keys are derived from, and those that were.
pub(super) struct Derived {
    password: Zeroizing<Vec<u8>>,
    hash: Hash,
    iterations: u32,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    keys: Vec<([u8; LONGEST], Arc<Keyed>)>,
    /// Where the next one goes when there are [`KEPT`].
    next: usize,
}

/// A salt, which is nothing secret, with zeros behind it.
fn filled(salt: &[u8]) -> [u8; LONGEST] {
    let mut filled = [0; LONGEST];
    filled[..salt.len()].copy_from_slice(salt);
    filled
}

impl Derived {
    pub(super) fn new(password: Zeroizing<Vec<u8>>, hash: Hash, iterations: u32) -> Self {
        Self { password, hash, iterations, kept: Mutex::default() }
    }

    /// Derives a key of that length.
    pub(super) fn derive(&self, salt: &[u8], len: usize) -> Zeroizing<Vec<u8>> {
        let mut key = Zeroizing::new(vec![0; len]);
        self.hash.pbkdf2(&self.password, salt, self.iterations, &mut key);
        key
    }

    /// The key of a salt, if it is one of the latest; else `make` makes it, and it is kept. All
    /// salts of a dialect have one length. Nothing is held while a key is made, so that other
    /// threads go on: two that come to a new salt at once make its key twice.
    ///
    /// # Errors
    /// Those of `make`.
    pub(super) fn of(
        &self,
        salt: &[u8],
        make: impl FnOnce() -> Result<Keyed, Error>,
    ) -> Result<Arc<Keyed>, Error> {
        let salt = filled(salt);
        let found = self.kept().keys.iter().find(|(it, _)| *it == salt).map(|(_, key)| key.clone());
        if let Some(key) = found {
            return Ok(key);
        }
        let key = Arc::new(make()?);
        let mut kept = self.kept();
        if kept.keys.len() < KEPT {
            kept.keys.push((salt, key.clone()));
        } else {
            let place = kept.next;
            kept.keys[place] = (salt, key.clone());
            kept.next = (place + 1) % KEPT;
        }
        Ok(key)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Nothing is half done under the lock.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
