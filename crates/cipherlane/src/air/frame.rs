//! What a packet of LTE and 5G is known by, and the IVs made of it.

use crate::air::{Bearer, Count, Direction};
use crate::error::Error;

/// COUNT, BEARER and DIRECTION of a packet (3GPP TS 35.221 §2.2).
///
/// ```
/// use cipherlane::air::{Bearer, Count, Direction, Frame};
///
/// let frame = Frame::new(Count(0x6603_5492), Bearer::new(15)?, Direction::Uplink);
/// assert_eq!(frame.eea3_iv()[..5], [0x66, 0x03, 0x54, 0x92, 0x78]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub(crate) count: Count,
    pub(crate) bearer: Bearer,
    pub(crate) direction: Direction,
}

impl Frame {
    /// From its parts.
    #[must_use]
    pub const fn new(count: Count, bearer: Bearer, direction: Direction) -> Self {
        Self { count, bearer, direction }
    }

    /// From plain numbers: a 5-bit BEARER, and a DIRECTION of 0 for uplink or 1 for downlink.
    ///
    /// # Errors
    /// [`Error::Value`] if BEARER or DIRECTION has more bits.
    pub fn from_numbers(count: u32, bearer: u8, direction: u8) -> Result<Self, Error> {
        Ok(Self::new(Count(count), Bearer::new(bearer)?, Direction::new(direction)?))
    }

    /// The IV of 128-EEA3 (TS 35.221 §3.3).
    #[must_use]
    pub const fn eea3_iv(self) -> [u8; 16] {
        self.twice(self.direction.bit() << 2)
    }

    /// The IV of 128-EIA3 (TS 35.221 §4.3).
    #[must_use]
    pub const fn eia3_iv(self) -> [u8; 16] {
        let mut iv = self.twice(0);
        iv[8] ^= self.direction.bit() << 7;
        iv[14] ^= self.direction.bit() << 7;
        iv
    }

    /// The IV of UEA2 and 128-NEA1 (TS 35.215 §3.4): COUNT, BEARER, DIRECTION and zeros, twice. It is
    /// that of 128-EEA3, too.
    #[must_use]
    pub const fn nea1_iv(self) -> [u8; 16] {
        self.eea3_iv()
    }

    /// The IV of 128-NIA1 (TS 33.401 annex B.2.2, TS 33.501 annex D.3.1.2): that of UIA2 with FRESH =
    /// BEARER and 27 zero bits.
    #[must_use]
    pub const fn nia1_iv(self) -> [u8; 16] {
        uia2_iv(self.count, (self.bearer.get() as u32) << 27, self.direction)
    }

    /// The first counter block of 128-NEA2 (TS 33.401 annex B.1.3, TS 33.501 annex D.2.1.3).
    #[must_use]
    pub const fn nea2_counter(self) -> [u8; 16] {
        ((u64::from_be_bytes(self.nia2_iv()) as u128) << 64).to_be_bytes()
    }

    /// What 128-NIA2 puts in front of the message (TS 33.401 annex B.2.3, TS 33.501 annex D.3.1.3).
    #[must_use]
    pub const fn nia2_iv(self) -> [u8; 8] {
        let [a, b, c, d] = self.count.0.to_be_bytes();
        [a, b, c, d, self.bearer.get() << 3 | self.direction.bit() << 2, 0, 0, 0]
    }

    /// The IVs of `snow3g::Nea1Nia1`, one behind the other.
    #[must_use]
    pub fn nea1_nia1_ivs(self) -> [u8; 32] {
        let mut ivs = [0; 32];
        ivs[..16].copy_from_slice(&self.nea1_iv());
        ivs[16..].copy_from_slice(&self.nia1_iv());
        ivs
    }

    /// The IVs of `aead::nea2_nia2::Nea2Nia2`, one behind the other.
    #[must_use]
    pub fn nea2_nia2_ivs(self) -> [u8; 24] {
        let mut ivs = [0; 24];
        ivs[..16].copy_from_slice(&self.nea2_counter());
        ivs[16..].copy_from_slice(&self.nia2_iv());
        ivs
    }

    /// The IVs of `zuc::Eea3Eia3`, one behind the other.
    #[must_use]
    pub fn nonce(self) -> [u8; 32] {
        let mut nonce = [0; 32];
        nonce[..16].copy_from_slice(&self.eea3_iv());
        nonce[16..].copy_from_slice(&self.eia3_iv());
        nonce
    }

    const fn twice(self, direction: u8) -> [u8; 16] {
        let [a, b, c, d] = self.count.0.to_be_bytes();
        let e = self.bearer.get() << 3 | direction;
        [a, b, c, d, e, 0, 0, 0, a, b, c, d, e, 0, 0, 0]
    }
}

/// The IV of UIA2 (TS 35.215 §4.4), whose FRESH is a random number of 32 bits.
///
/// ```
/// use cipherlane::air::{Count, Direction, uia2_iv};
///
/// let iv = uia2_iv(Count(0x3836_2f56), 0x2050_3050, Direction::Downlink);
/// assert_eq!(iv[8..], [0xb8, 0x36, 0x2f, 0x56, 0x20, 0x50, 0xb0, 0x50]);
/// ```
#[must_use]
pub const fn uia2_iv(count: Count, fresh: u32, direction: Direction) -> [u8; 16] {
    let bit = direction.bit() as u32;
    let (count, high) = (count.0 as u128, (count.0 ^ bit << 31) as u128);
    let (fresh, low) = (fresh as u128, (fresh ^ bit << 15) as u128);
    (count << 96 | fresh << 64 | high << 32 | low).to_be_bytes()
}

/// Checks LENGTH, in bits, against a message of `bytes` bytes, which it must just fill.
#[cfg(any(feature = "aes", feature = "snow3g", feature = "zuc"))]
pub(crate) fn check_length_in_bits(bits: u64, bytes: usize) -> Result<(), Error> {
    const MOST: u64 = u32::MAX as u64;
    let max = (8 * bytes as u64).min(MOST);
    let min = (8 * bytes as u64).saturating_sub(7).max(1);
    if (min..=max).contains(&bits) {
        return Ok(());
    }
    let (min, max) = if bytes == 0 || min > MOST { (1, MOST) } else { (min, max) };
    Err(Error::Value { field: "LENGTH in bits", got: bits, min, max })
}
