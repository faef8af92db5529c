//! AEADs on whole messages.

use core::fmt;
use std::sync::{Mutex, PoisonError};

use cipherlane::registry::{self, Algorithm, New};
use cipherlane::{Aead, Error, InOut, Level, Sizes};

use crate::Failure;
use crate::context::{algorithm, level, no_operation};

/// AEADs that a nonce may be given to twice without harm beyond telling equal messages.
const RESISTANT: [&str; 2] = ["gcm-siv", "mur"];

/// The longest nonce that is remembered.
const REMEMBERED: usize = 64;

/// An AEAD under one key, on whole messages; threads may share it.
///
/// If told to remember it refuses to encrypt with the nonce of the message encrypted last,
/// unless the mode bears that.
pub struct Sealer {
    aead: Box<dyn Aead>,
    nonces: Sizes,
    /// The last nonce, its length first; none where that does no harm.
    last: Option<Mutex<(usize, [u8; REMEMBERED])>>,
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer").field("nonces", &self.nonces).finish_non_exhaustive()
    }
}

impl Sealer {
    /// Of the AEAD of that name, e.g. `"gcm"`, over an algorithm.
    ///
    /// # Errors
    /// [`Failure::Unknown`], or what the library says of the key.
    pub fn new(name: &str, mode: &str, key: &[u8], remember: bool) -> Result<Self, Failure> {
        let algorithm = algorithm(name)?;
        let aead = make(algorithm, mode, key, level(None)?)?;
        let nonces = aead.nonce_sizes();
        let last =
            (remember && !RESISTANT.contains(&mode)).then(|| Mutex::new((0, [0; REMEMBERED])));
        Ok(Self { aead, nonces, last })
    }

    /// The tag lengths allowed, in bytes.
    #[must_use]
    pub fn tag_sizes(&self) -> Sizes {
        self.aead.tag_sizes()
    }

    /// Encrypts a message and writes its tag.
    ///
    /// # Errors
    /// [`Failure::NonceReused`]; what the library says. Nothing is written then.
    pub fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Failure> {
        if let Some(last) = &self.last {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            let (length, bytes) = &*last;
            if *length == nonce.len() && bytes.get(..*length) == Some(nonce) && *length > 0 {
                return Err(Failure::NonceReused);
            }
            if let Some(place) = last.1.get_mut(..nonce.len()) {
                place.copy_from_slice(nonce);
                last.0 = nonce.len();
            }
        }
        Ok(self.aead.seal(nonce, aad, io, tag)?)
    }

    /// Decrypts a message if its tag is right.
    ///
    /// # Errors
    /// What the library says; after [`Error::Authentication`] the output is all zeros.
    pub fn open(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &[u8]) -> Result<(), Failure> {
        Ok(self.aead.open(nonce, aad, io, tag)?)
    }

    /// Whether nonce and tag have lengths that are allowed; before a buffer is made.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn check(&self, nonce: usize, tag: usize) -> Result<(), Failure> {
        let tags = self.aead.tag_sizes();
        for (field, got, allowed) in [("nonce", nonce, self.nonces), ("tag", tag, tags)] {
            if !allowed.allow(got) {
                return Err(Error::Length { field, got, allowed }.into());
            }
        }
        Ok(())
    }
}

fn make(
    algorithm: &'static Algorithm,
    mode: &str,
    key: &[u8],
    level: Level,
) -> Result<Box<dyn Aead>, Failure> {
    match algorithm.new {
        New::Block { new, .. } => match registry::aeads(algorithm).find(|it| it.name == mode) {
            Some(entry) => Ok((entry.new)(new, key, level)?),
            None => Err(no_operation(algorithm, mode)),
        },
        New::Stream { .. } => match registry::stream_aeads(algorithm).find(|it| it.name == mode) {
            Some(entry) => Ok((entry.new)(key, level)?),
            None => Err(no_operation(algorithm, mode)),
        },
    }
}
