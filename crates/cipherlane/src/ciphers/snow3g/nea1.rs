//! 128-NEA1, the confidentiality algorithm of LTE and 5G made of SNOW 3G, which is UEA2 of UMTS.

use core::fmt;

use lanes::{InOut, Level};

use super::Snow3g;
use crate::air::{Bearer, Count, Direction, Frame, check_length_in_bits};
use crate::error::Error;
use crate::traits::stream::StreamCipher;

/// 128-NEA1 (3GPP TS 33.501 annex D.2.1.2; 128-EEA1 of TS 33.401; UEA2 of TS 35.215 §3) under a key of
/// 16 bytes, for one packet. Constant time at every level.
///
/// ```
/// use cipherlane::air::{Bearer, Count, Direction};
/// use cipherlane::snow3g::Nea1;
///
/// // TS 35.217, UEA2 test set 2: 510 bits.
/// let key = 0xefa8_b222_9e72_0c2a_7c36_ea55_e960_5695_u128.to_be_bytes();
/// let nea1 = Nea1::new(&key, Count(0xe28b_cf7b), Bearer::new(24)?, Direction::Uplink)?;
/// let mut packet = [0; 64];
/// packet[..4].copy_from_slice(&[0x10, 0x11, 0x12, 0x31]);
/// nea1.apply(packet.as_mut_slice().into(), 510)?;
/// assert_eq!(packet[..4], [0xe0, 0xda, 0x15, 0xca]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Nea1(Snow3g);

impl Nea1 {
    /// For the packet of that COUNT, BEARER and DIRECTION, at the level [`Level::detect`] gives.
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
        Snow3g::with_level(key, &frame.nea1_iv(), level).map(Self)
    }

    /// Encrypts or decrypts the packet, of LENGTH `bits`, bit 0 the most significant of byte 0. The
    /// bits behind the last one come out as 0.
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
    pub fn into_stream(self) -> Snow3g {
        self.0
    }
}

impl fmt::Debug for Nea1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nea1").field("level", &self.0.level()).finish_non_exhaustive()
    }
}
