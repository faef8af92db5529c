//! 128-EIA3, the integrity algorithm of LTE and 5G (128-NIA3) made of ZUC-128
//! (3GPP TS 35.221 §4, GM/T 0001.3-2012).
//!
//! ```
//! use cipherlane::zuc::{Eia3, Frame};
//!
//! // TS 35.223, 128-EIA3 test set 1: one bit.
//! let eia3 = Eia3::new(&[0; 16])?;
//! let frame = Frame::new(0, 0, 0)?;
//! assert_eq!(eia3.mac(frame, &[0], 1)?, [0xc8, 0xa9, 0x59, 0x5e]);
//! eia3.verify(frame, &[0], 1, &[0xc8, 0xa9, 0x59, 0x5e])?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::Level;

use super::Frame;
use super::frame::check_length_in_bits;
use super::mac::Zuc128Mac;
use crate::error::check_length;
use crate::secret::Secret;
use crate::{Error, Mac, Sizes, ct};

/// The length of a tag in bytes.
const TAG: usize = 4;

/// 128-EIA3 under a key IK.
#[derive(Clone)]
pub struct Eia3 {
    key: Secret<[u8; 16]>,
    level: Level,
}

impl Eia3 {
    /// Under a key of 16 bytes, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key has another length, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        crate::first_use::admit(level)?;
        check_length("key", key.len(), Sizes::exactly(16))?;
        let mut eia3 = Self { key: Secret([0; 16]), level };
        eia3.key.0.copy_from_slice(key);
        Ok(eia3)
    }

    /// The tag of a message of LENGTH `bits`, bit 0 the most significant of byte 0.
    /// The bits behind the last one count for nothing.
    ///
    /// # Errors
    /// [`Error::Value`] unless LENGTH is 1 to 2³² − 1 and just fills the bytes.
    pub fn mac(&self, frame: Frame, message: &[u8], bits: u64) -> Result<[u8; TAG], Error> {
        check_length_in_bits(bits, message.len())?;
        let mut mac = self.start(frame)?;
        mac.update_bits(message, bits)?;
        let mut tag = [0; TAG];
        mac.finish(&mut tag)?;
        Ok(tag)
    }

    /// Compares a tag in constant time.
    ///
    /// # Errors
    /// [`Error::Authentication`] if it is not that of the message; otherwise as
    /// [`mac`](Self::mac).
    pub fn verify(
        &self,
        frame: Frame,
        message: &[u8],
        bits: u64,
        tag: &[u8; TAG],
    ) -> Result<(), Error> {
        let computed = self.mac(frame, message, bits)?;
        if ct::equal(&computed, tag) { Ok(()) } else { Err(Error::Authentication) }
    }

    /// The MAC of a message that comes in pieces.
    ///
    /// # Errors
    /// None, as all values were checked; those of [`Zuc128Mac::with_level`].
    ///
    /// [`Zuc128Mac::with_level`]: super::mac::ZucMac::with_level
    pub fn start(&self, frame: Frame) -> Result<Zuc128Mac, Error> {
        Zuc128Mac::with_level(&self.key.0, &frame.eia3_iv(), TAG, self.level)
    }
}

impl fmt::Debug for Eia3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Eia3").field("level", &self.level).finish_non_exhaustive()
    }
}
