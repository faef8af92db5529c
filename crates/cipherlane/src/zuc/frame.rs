//! What a packet of LTE and 5G is known by, and the IVs made of it.

use crate::Error;

/// COUNT, BEARER and DIRECTION (3GPP TS 35.221 §2.2), within their ranges.
///
/// ```
/// use cipherlane::zuc::Frame;
///
/// let frame = Frame::new(0x6603_5492, 15, 0)?;
/// assert_eq!(frame.eea3_iv()[..5], [0x66, 0x03, 0x54, 0x92, 0x78]);
/// assert_eq!(Frame::new(0, 32, 0).unwrap_err().to_string(), "BEARER is 32; allowed: 0 to 31");
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    count: u32,
    bearer: u8,
    direction: u8,
}

impl Frame {
    /// From a 32-bit COUNT, a 5-bit BEARER and a DIRECTION of 0 or 1.
    ///
    /// # Errors
    /// [`Error::Value`] if BEARER or DIRECTION has more bits.
    pub const fn new(count: u32, bearer: u8, direction: u8) -> Result<Self, Error> {
        if bearer > 31 {
            return Err(Error::Value { field: "BEARER", got: bearer as u64, min: 0, max: 31 });
        }
        if direction > 1 {
            return Err(Error::Value { field: "DIRECTION", got: direction as u64, min: 0, max: 1 });
        }
        Ok(Self { count, bearer, direction })
    }

    /// The IV of 128-EEA3 (TS 35.221 §3.3).
    #[must_use]
    pub const fn eea3_iv(self) -> [u8; 16] {
        self.twice(self.direction << 2)
    }

    /// The IV of 128-EIA3 (TS 35.221 §4.3).
    #[must_use]
    pub const fn eia3_iv(self) -> [u8; 16] {
        let mut iv = self.twice(0);
        iv[8] ^= self.direction << 7;
        iv[14] ^= self.direction << 7;
        iv
    }

    /// The nonce of [`Eea3Eia3`](super::Eea3Eia3): both IVs.
    #[must_use]
    pub fn nonce(self) -> [u8; 32] {
        let mut nonce = [0; 32];
        nonce[..16].copy_from_slice(&self.eea3_iv());
        nonce[16..].copy_from_slice(&self.eia3_iv());
        nonce
    }

    const fn twice(self, direction: u8) -> [u8; 16] {
        let [a, b, c, d] = self.count.to_be_bytes();
        let e = self.bearer << 3 | direction;
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
