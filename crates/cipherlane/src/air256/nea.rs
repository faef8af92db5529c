//! 256-NEA4 to 256-NEA6: the keystream, xored into the data.

use core::fmt;

use lanes::{InOut, Level};

use super::{Family, nea_iv};
use crate::air::{Bearer, Count, Direction};
use crate::error::Error;
use crate::traits::stream::StreamCipher;

/// The encryption of one packet; `F` names the family.
pub struct Nea<F: Family>(F::Stream);

impl<F: Family> Nea<F> {
    /// For one packet, under a key of 32 bytes and an IV of 16, at the level [`Level::detect`]
    /// gives.
    ///
    /// # Errors
    /// [`Error::Length`] if key or IV have another length, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, iv, Level::detect()?)
    }

    /// For the packet of that COUNT, BEARER and DIRECTION, with an IV whose make-up is **assumed**:
    /// the texts of TS 35.240, 35.244 and 35.246 were not at hand. Byte 0 is 0, byte 1 has BEARER in
    /// front of DIRECTION, COUNT stands in bytes 2 to 5, the others are 0.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn assuming(
        key: &[u8],
        count: Count,
        bearer: Bearer,
        direction: Direction,
    ) -> Result<Self, Error> {
        Self::new(key, &nea_iv(count, bearer, direction))
    }

    /// As [`new`](Self::new), at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if key or IV have a wrong length.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        F::stream(key, iv, level).map(Self)
    }

    /// Encrypts or decrypts the packet.
    ///
    /// # Errors
    /// Those of [`StreamCipher::apply_inout`].
    pub fn apply(mut self, io: InOut<'_>) -> Result<(), Error> {
        self.0.apply_inout(io)
    }

    /// The packet's keystream, for data in pieces.
    #[must_use]
    pub fn into_stream(self) -> F::Stream {
        self.0
    }
}

impl<F: Family> fmt::Debug for Nea<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(F::NAMES[0]).field("level", &self.0.level()).finish_non_exhaustive()
    }
}
