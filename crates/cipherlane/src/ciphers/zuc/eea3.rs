//! 128-EEA3, the confidentiality algorithm of LTE and 5G (128-NEA3) made of ZUC-128
//! (3GPP TS 35.221 §3, GM/T 0001.2-2012).
//!
//! ```
//! use cipherlane::air::{Bearer, Count, Direction};
//! use cipherlane::zuc::Eea3;
//!
//! // TS 35.223, 128-EEA3 test set 1: 193 bits.
//! let key = 0x173d_14ba_5003_731d_7a60_0494_70f0_0a29_u128.to_be_bytes();
//! let eea3 = Eea3::new(&key, Count(0x6603_5492), Bearer::new(15)?, Direction::Uplink)?;
//! let mut packet = [0; 25];
//! packet[..3].copy_from_slice(&[0x6c, 0xf6, 0x53]);
//! eea3.apply(packet.as_mut_slice().into(), 193)?;
//! assert_eq!(packet[..3], [0xa6, 0xc8, 0x5f]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use super::frame::check_length_in_bits;
use super::{Frame, Zuc128};
use crate::air::{Bearer, Count, Direction};
use crate::error::Error;
use crate::traits::stream::StreamCipher;

/// 128-EEA3 under a key CK, for one packet.
pub struct Eea3(Zuc128);

impl Eea3 {
    /// For the packet of that COUNT, BEARER and DIRECTION, under a key of 16 bytes, at the level
    /// [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key has another length, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(
        key: &[u8],
        count: Count,
        bearer: Bearer,
        direction: Direction,
    ) -> Result<Self, Error> {
        Self::with_level(key, Frame::new(count, bearer, direction), Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes.
    pub fn with_level(key: &[u8], frame: Frame, level: Level) -> Result<Self, Error> {
        Zuc128::with_level(key, &frame.eea3_iv(), level).map(Self)
    }

    /// Encrypts or decrypts the packet, of LENGTH `bits`, bit 0 the most significant of
    /// byte 0. The bits behind the last one come out as 0.
    ///
    /// # Errors
    /// [`Error::Value`] unless LENGTH is 1 to 2³² − 1 and just fills the bytes.
    pub fn apply(mut self, mut io: InOut<'_>, bits: u64) -> Result<(), Error> {
        check_length_in_bits(bits, io.len())?;
        self.0.apply_inout(io.reborrow())?;
        if let Some(last) = io.output().last_mut() {
            *last &= 0xff << (bits.wrapping_neg() % 8);
        }
        Ok(())
    }

    /// The packet's keystream, for data in pieces of bytes.
    #[must_use]
    pub fn into_stream(self) -> Zuc128 {
        self.0
    }
}

impl fmt::Debug for Eea3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Eea3").field("level", &self.0.level()).finish_non_exhaustive()
    }
}
