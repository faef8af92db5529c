//! 128-NEA2, the confidentiality algorithm of LTE and 5G made of AES-128: the counter mode from COUNT,
//! BEARER and DIRECTION (3GPP TS 33.501 annex D.2.1.3; 128-EEA2 of TS 33.401 annex B.1.3).
//!
//! Constant time, as AES is at every level.
//!
//! ```
//! use cipherlane::air::{Bearer, Count, Direction};
//! use cipherlane::modes::nea2::Nea2;
//!
//! // TS 33.401 annex C.1, 128-EEA2 test set 1: 253 bits.
//! let key = 0xd3c5_d592_327f_b11c_4035_c668_0af8_c6d1_u128.to_be_bytes();
//! let nea2 = Nea2::new(&key, Count(0x398a_59b4), Bearer::new(0x15)?, Direction::Downlink)?;
//! let mut packet = [0; 32];
//! packet[..4].copy_from_slice(&[0x98, 0x1b, 0xa6, 0x82]);
//! nea2.apply(packet.as_mut_slice().into(), 253)?;
//! assert_eq!(packet[..4], [0xe9, 0xfe, 0xd8, 0xa6]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use super::ctr::Ctr;
use crate::air::{Bearer, Count, Direction, Frame, check_length_in_bits};
use crate::ciphers::aes::Aes128;
use crate::error::Error;
use crate::traits::stream::StreamCipher;

/// 128-NEA2 under a key of 16 bytes, for one packet.
pub struct Nea2(Ctr<Aes128>);

impl Nea2 {
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
        Ctr::new(Aes128::with_level(key, level)?, &frame.nea2_counter()).map(Self)
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
    pub fn into_stream(self) -> Ctr<Aes128> {
        self.0
    }
}

impl fmt::Debug for Nea2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nea2").field("level", &self.0.level()).finish_non_exhaustive()
    }
}

/// `nea2`.
#[cfg(feature = "alloc")]
pub(crate) const APPLY: crate::entry::row::Row = crate::entry::row::Row {
    name: "nea2",
    inverse: Some("nea2"),
    standard: "3GPP TS 33.501 annex D.2.1.3 (128-NEA2), TS 33.401 (128-EEA2)",
    over: crate::entry::row::Over::Block("aes-128"),
    air: Some(crate::air::FrameIv::specified(|frame, _| {
        Ok(crate::air::Iv::of(&frame.nea2_counter()))
    })),
    ..super::ctr::APPLY
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_packet_comes_out_at_every_level() {
        // TS 33.401 annex C.1, 128-EEA2 test set 1.
        let key = 0xd3c5_d592_327f_b11c_4035_c668_0af8_c6d1_u128.to_be_bytes();
        let plain = [
            0x981b_a682_4c1b_fb1a_b485_4720_29b7_1d80_u128,
            0x8ce3_3e2c_c3c0_b5fc_1f3d_e8a6_dc66_b1f0,
        ];
        let cipher = [
            0xe9fe_d8a6_3d15_5304_d71d_f20b_f3e8_2214_u128,
            0xb20e_d7da_d2f2_33dc_3c22_d7bd_eeed_8e78,
        ];
        let frame = Frame::from_numbers(0x398a_59b4, 0x15, 1).unwrap();
        for level in Level::available() {
            let mut data = plain.map(u128::to_be_bytes);
            let nea2 = Nea2::with_level(&key, frame, level).unwrap();
            nea2.apply(data.as_flattened_mut().into(), 253).unwrap();
            assert_eq!(data, cipher.map(u128::to_be_bytes), "{level}");
        }
    }
}
