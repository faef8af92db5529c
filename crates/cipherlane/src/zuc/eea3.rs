//! 128-EEA3, the confidentiality algorithm of LTE and 5G (128-NEA3) made of ZUC-128
//! (3GPP TS 35.221 §3, GM/T 0001.2-2012).
//!
//! ```
//! use cipherlane::zuc::{Eea3, Frame};
//!
//! // TS 35.223, 128-EEA3 test set 1: 193 bits.
//! let eea3 = Eea3::new(&0x173d_14ba_5003_731d_7a60_0494_70f0_0a29_u128.to_be_bytes())?;
//! let mut packet = [0; 25];
//! packet[..3].copy_from_slice(&[0x6c, 0xf6, 0x53]);
//! eea3.apply(Frame::new(0x6603_5492, 15, 0)?, packet.as_mut_slice().into(), 193)?;
//! assert_eq!(packet[..3], [0xa6, 0xc8, 0x5f]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use super::frame::check_length_in_bits;
use super::{Frame, Zuc128};
use crate::error::check_length;
use crate::secret::Secret;
use crate::{Error, Sizes, StreamCipher};

/// 128-EEA3 under a key CK.
#[derive(Clone)]
pub struct Eea3 {
    key: Secret<[u8; 16]>,
    level: Level,
}

impl Eea3 {
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
        let mut eea3 = Self { key: Secret([0; 16]), level };
        eea3.key.0.copy_from_slice(key);
        Ok(eea3)
    }

    /// Encrypts or decrypts a packet of LENGTH `bits`, bit 0 the most significant of
    /// byte 0. The bits behind the last one come out as 0.
    ///
    /// # Errors
    /// [`Error::Value`] unless LENGTH is 1 to 2³² − 1 and just fills the bytes.
    pub fn apply(&self, frame: Frame, mut io: InOut<'_>, bits: u64) -> Result<(), Error> {
        check_length_in_bits(bits, io.len())?;
        self.start(frame)?.apply_inout(io.reborrow())?;
        if let Some(last) = io.output().last_mut() {
            *last &= 0xff << (bits.wrapping_neg() % 8);
        }
        Ok(())
    }

    /// The keystream of a packet, for data in pieces of bytes.
    ///
    /// # Errors
    /// None, as all values were checked; those of [`Zuc128::with_level`].
    pub fn start(&self, frame: Frame) -> Result<Zuc128, Error> {
        Zuc128::with_level(&self.key.0, &frame.eea3_iv(), self.level)
    }
}

impl fmt::Debug for Eea3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Eea3").field("level", &self.level).finish_non_exhaustive()
    }
}
