//! What a packet of LTE and 5G is known by, and the IVs made of it.

use crate::air::{Bearer, Count, Direction};
use crate::error::Error;

/// COUNT, BEARER and DIRECTION of a packet (3GPP TS 35.221 §2.2).
///
/// ```
/// use cipherlane::air::{Bearer, Count, Direction};
/// use cipherlane::zuc::Frame;
///
/// let frame = Frame::new(Count(0x6603_5492), Bearer::new(15)?, Direction::Uplink);
/// assert_eq!(frame.eea3_iv()[..5], [0x66, 0x03, 0x54, 0x92, 0x78]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    count: Count,
    bearer: Bearer,
    direction: Direction,
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

    /// The IVs of [`Eea3Eia3`](super::Eea3Eia3), one behind the other.
    #[must_use]
    pub fn nonce(self) -> [u8; 32] {
        let mut nonce = [0; 32];
        nonce[..16].copy_from_slice(&self.eea3_iv());
        nonce[16..].copy_from_slice(&self.eia3_iv());
        nonce
    }

    /// An IV for 256-NEA6, **assumed**: the text of TS 35.246 was not at hand.
    ///
    /// Known from published test data is that byte 0 tells the algorithm and the tag's length
    /// (0 here), that byte 1 is below 64, and that bytes 12 to 15 are 0. Assumed is that byte 1
    /// has BEARER in front of DIRECTION, as 128-NEA3 has them, and that COUNT stands in bytes 2
    /// to 5. Who must work together with other makers' equipment compares it with the
    /// specification first, or makes the IV itself.
    #[must_use]
    pub const fn assumed_nea6_iv(self) -> [u8; 16] {
        self.assumed(0)
    }

    /// An IV for 256-NIA6 with tags of that many bytes, **assumed** as
    /// [`assumed_nea6_iv`](Self::assumed_nea6_iv) is; byte 0 is the tag's length in bits.
    ///
    /// # Errors
    /// [`Error::Length`] if a tag can't have that length.
    pub fn assumed_nia6_iv(self, tag: usize) -> Result<[u8; 16], Error> {
        super::nia6::check_tag(tag)?;
        Ok(self.assumed(8 * tag as u8))
    }

    /// A nonce for 256-NCA6 with tags of that many bytes, **assumed** as
    /// [`assumed_nea6_iv`](Self::assumed_nea6_iv) is; byte 0 is the tag's length in bits and 4.
    ///
    /// # Errors
    /// [`Error::Length`] if a tag can't have that length.
    pub fn assumed_nca6_nonce(self, tag: usize) -> Result<[u8; 16], Error> {
        super::nia6::check_tag(tag)?;
        Ok(self.assumed(8 * tag as u8 + 4))
    }

    const fn assumed(self, first: u8) -> [u8; 16] {
        let [a, b, c, d] = self.count.0.to_be_bytes();
        let second = self.bearer.get() << 1 | self.direction.bit();
        [first, second, a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    const fn twice(self, direction: u8) -> [u8; 16] {
        let [a, b, c, d] = self.count.0.to_be_bytes();
        let e = self.bearer.get() << 3 | direction;
        [a, b, c, d, e, 0, 0, 0, a, b, c, d, e, 0, 0, 0]
    }
}

/// Checks LENGTH, in bits, against a message of `bytes` bytes, which it must just fill.
pub(super) fn check_length_in_bits(bits: u64, bytes: usize) -> Result<(), Error> {
    const MOST: u64 = u32::MAX as u64;
    let max = (8 * bytes as u64).min(MOST);
    let min = (8 * bytes as u64).saturating_sub(7).max(1);
    if (min..=max).contains(&bits) {
        return Ok(());
    }
    let (min, max) = if bytes == 0 || min > MOST { (1, MOST) } else { (min, max) };
    Err(Error::Value { field: "LENGTH in bits", got: bits, min, max })
}
