//! 128-EIA3, the integrity algorithm of LTE and 5G (128-NIA3) made of ZUC-128
//! (3GPP TS 35.221 §4, GM/T 0001.3-2012).
//!
//! ```
//! use cipherlane::air::{Bearer, Count, Direction};
//! use cipherlane::zuc::Eia3;
//!
//! // TS 35.223, 128-EIA3 test set 1: one bit.
//! let eia3 = || Eia3::new(&[0; 16], Count(0), Bearer::new(0)?, Direction::Uplink);
//! assert_eq!(eia3()?.mac(&[0], 1)?, [0xc8, 0xa9, 0x59, 0x5e]);
//! eia3()?.verify(&[0], 1, &[0xc8, 0xa9, 0x59, 0x5e])?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::Level;

use super::Frame;
use super::frame::check_length_in_bits;
use super::mac::Zuc128Mac;
use crate::air::{Bearer, Count, Direction};
use crate::ct;
use crate::error::Error;
use crate::secret::Secret;
use crate::traits::mac::Mac;

/// The length of a tag in bytes.
const TAG: usize = 4;

/// 128-EIA3 under a key IK, for one message.
pub struct Eia3(Zuc128Mac);

impl Eia3 {
    /// For the message of that COUNT, BEARER and DIRECTION, under a key of 16 bytes, at the level
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
        Zuc128Mac::with_level(key, &frame.eia3_iv(), TAG, level).map(Self)
    }

    /// The tag of the message, of LENGTH `bits`, bit 0 the most significant of byte 0.
    /// The bits behind the last one count for nothing.
    ///
    /// # Errors
    /// [`Error::Value`] unless LENGTH is 1 to 2³² − 1 and just fills the bytes.
    pub fn mac(mut self, message: &[u8], bits: u64) -> Result<[u8; TAG], Error> {
        check_length_in_bits(bits, message.len())?;
        self.0.update_bits(message, bits)?;
        let mut tag = [0; TAG];
        self.0.finish(&mut tag)?;
        Ok(tag)
    }

    /// Compares the message's tag in constant time.
    ///
    /// # Errors
    /// [`Error::Authentication`] if it is not that of the message; otherwise as
    /// [`mac`](Self::mac).
    pub fn verify(self, message: &[u8], bits: u64, tag: &[u8; TAG]) -> Result<(), Error> {
        let computed = Secret(self.mac(message, bits)?);
        if ct::equal(&computed.0, tag) { Ok(()) } else { Err(Error::Authentication) }
    }

    /// The MAC of a message that comes in pieces.
    #[must_use]
    pub fn into_mac(self) -> Zuc128Mac {
        self.0
    }
}

impl fmt::Debug for Eia3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Eia3").field("level", &self.0.level()).finish_non_exhaustive()
    }
}
