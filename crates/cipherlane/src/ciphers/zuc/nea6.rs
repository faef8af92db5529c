//! 256-NEA6, the 256-bit confidentiality algorithm of 3GPP made of ZUC-256 (2023): the
//! keystream from its first byte.
//!
//! The IV is 16 bytes as 3GPP forms them; its first byte is 0. How COUNT, BEARER and DIRECTION
//! stand in it, TS 35.246 says, whose text was not at hand: [`Nea6::assuming`] makes what
//! [`Frame::assumed_nea6_iv`] tells.
//!
//! ```
//! use cipherlane::zuc::Nea6;
//!
//! let mut packet = *b"any number of bytes";
//! Nea6::new(&[7; 32], &[0; 16])?.apply((&mut packet[..]).into())?;
//! Nea6::new(&[7; 32], &[0; 16])?.apply((&mut packet[..]).into())?;
//! assert_eq!(&packet, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use super::{Frame, Zuc256Of2023};
use crate::air::{Bearer, Count, Direction};
use crate::error::Error;
use crate::traits::stream::StreamCipher;

/// 256-NEA6 under one key, for one packet.
pub struct Nea6(Zuc256Of2023);

impl Nea6 {
    /// Under a key of 32 bytes and an IV of 16, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if key or IV have another length, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, iv, Level::detect()?)
    }

    /// For the packet of that COUNT, BEARER and DIRECTION, with the IV that
    /// [`Frame::assumed_nea6_iv`] makes: read there what is assumed.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn assuming(
        key: &[u8],
        count: Count,
        bearer: Bearer,
        direction: Direction,
    ) -> Result<Self, Error> {
        Self::new(key, &Frame::new(count, bearer, direction).assumed_nea6_iv())
    }

    /// As [`new`](Self::new), at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if key or IV have a wrong length.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        Zuc256Of2023::with_level(key, iv, level).map(Self)
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
    pub fn into_stream(self) -> Zuc256Of2023 {
        self.0
    }
}

impl fmt::Debug for Nea6 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nea6").field("level", &self.0.level()).finish_non_exhaustive()
    }
}
