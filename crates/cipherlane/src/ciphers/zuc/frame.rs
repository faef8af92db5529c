//! The IVs that ZUC-256 makes of a packet's COUNT, BEARER and DIRECTION.

pub use crate::air::Frame;
pub(super) use crate::air::check_length_in_bits;
use crate::air256;
use crate::air256::hash::check_tag;
use crate::error::Error;

impl Frame {
    /// An IV for 256-NEA6, **assumed**: the text of TS 35.246 was not at hand.
    ///
    /// Known from published test data is that byte 0 tells the algorithm and the tag's length
    /// (0 here), that byte 1 is below 64, and that bytes 12 to 15 are 0. Assumed is that byte 1
    /// has BEARER in front of DIRECTION, as 128-NEA3 has them, and that COUNT stands in bytes 2
    /// to 5. Who must work together with other makers' equipment compares it with the
    /// specification first, or makes the IV itself.
    #[must_use]
    pub const fn assumed_nea6_iv(self) -> [u8; 16] {
        air256::nea_iv(self.count, self.bearer, self.direction)
    }

    /// An IV for 256-NIA6 with tags of that many bytes, **assumed** as
    /// [`assumed_nea6_iv`](Self::assumed_nea6_iv) is; byte 0 is the tag's length in bits.
    ///
    /// # Errors
    /// [`Error::Length`] if a tag can't have that length.
    pub fn assumed_nia6_iv(self, tag: usize) -> Result<[u8; 16], Error> {
        air256::nia_iv(self.count, self.bearer, self.direction, tag)
    }

    /// A nonce for 256-NCA6 with tags of that many bytes, **assumed** as
    /// [`assumed_nea6_iv`](Self::assumed_nea6_iv) is; byte 0 is the tag's length in bits and 4.
    ///
    /// # Errors
    /// [`Error::Length`] if a tag can't have that length.
    pub fn assumed_nca6_nonce(self, tag: usize) -> Result<[u8; 16], Error> {
        check_tag(tag)?;
        Ok(air256::nca_nonce(self.count, self.bearer, self.direction, tag))
    }
}
