//! 128-NIA1, the integrity algorithm of LTE and 5G made of SNOW 3G, which is UIA2 of UMTS.

use core::fmt;

use lanes::Level;

use super::Uia2Mac;
use super::mac::TAG;
use crate::air::{Bearer, Count, Direction, Frame, check_length_in_bits, uia2_iv};
use crate::ct;
use crate::error::Error;
use crate::secret::Secret;
use crate::traits::mac::Mac;

/// 128-NIA1 (3GPP TS 33.501 annex D.3.1.2; 128-EIA1 of TS 33.401; UIA2 of TS 35.215 §4) under a key of
/// 16 bytes, for one message. Tags of 4 bytes. Constant time at every level.
///
/// ```
/// use cipherlane::air::{Bearer, Count, Direction};
/// use cipherlane::snow3g::Nia1;
///
/// // TS 33.401 annex C, 128-EIA1 test set 1: 88 bits.
/// let key = 0x2bd6_459f_82c5_b300_952c_4910_4881_ff48_u128.to_be_bytes();
/// let nia1 = || Nia1::new(&key, Count(0x38a6_f056), Bearer::new(31)?, Direction::Uplink);
/// assert_eq!(nia1()?.mac(b"324bc98a74y", 88)?, [0x73, 0x1f, 0x11, 0x65]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Nia1(Uia2Mac);

impl Nia1 {
    /// For the message of that COUNT, BEARER and DIRECTION, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes, [`Error::Level`] if `CIPHERLANE_LEVEL` names no
    /// level.
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
        Uia2Mac::with_level(key, &frame.nia1_iv(), level).map(Self)
    }

    /// UIA2 as UMTS has it: with FRESH, a random number of 32 bits, instead of BEARER.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_fresh(
        key: &[u8],
        count: Count,
        fresh: u32,
        direction: Direction,
    ) -> Result<Self, Error> {
        Uia2Mac::new(key, &uia2_iv(count, fresh, direction)).map(Self)
    }

    /// The tag of the message, of LENGTH `bits`, bit 0 the most significant of byte 0. The bits
    /// behind the last one count for nothing.
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
    /// [`Error::Authentication`] if it is not that of the message; otherwise as [`mac`](Self::mac).
    pub fn verify(self, message: &[u8], bits: u64, tag: &[u8; TAG]) -> Result<(), Error> {
        let computed = Secret(self.mac(message, bits)?);
        if ct::equal(&computed.0, tag) { Ok(()) } else { Err(Error::Authentication) }
    }

    /// The MAC of a message that comes in pieces.
    #[must_use]
    pub fn into_mac(self) -> Uia2Mac {
        self.0
    }
}

impl fmt::Debug for Nia1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nia1").field("level", &self.0.level()).finish_non_exhaustive()
    }
}
