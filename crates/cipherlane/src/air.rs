//! What the algorithms of the 3GPP air interface have in common: COUNT, BEARER and DIRECTION,
//! and how encryption and integrity go together on one PDU.
//!
//! One object of such an algorithm serves one PDU, and its constructor makes the IV, so that no
//! IV is put together by hand and none serves twice:
//!
//! ```
//! use cipherlane::air::{Bearer, Count, Direction};
//! use cipherlane::zuc::Eea3;
//!
//! // TS 35.223, 128-EEA3 test set 1: 193 bits.
//! let key = 0x173d_14ba_5003_731d_7a60_0494_70f0_0a29_u128.to_be_bytes();
//! let eea3 = Eea3::new(&key, Count(0x6603_5492), Bearer::new(15)?, Direction::Uplink)?;
//! let mut packet = [0; 25];
//! packet[..3].copy_from_slice(&[0x6c, 0xf6, 0x53]);
//! eea3.apply(packet.as_mut_slice().into(), 193)?;
//! assert_eq!(packet[..3], [0xa6, 0xc8, 0x5f]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod frame;
#[cfg(feature = "alloc")]
mod iv;

use lanes::InOut;

use crate::error::Error;
#[cfg(any(feature = "aes", feature = "snow3g", feature = "zuc"))]
pub(crate) use frame::check_length_in_bits;
pub use frame::{Frame, uia2_iv};
#[cfg(feature = "alloc")]
pub(crate) use iv::FrameIv;
#[cfg(feature = "alloc")]
pub use iv::Iv;

/// COUNT, 32 bits: in PDCP the hyper frame number and the sequence number. It must never come
/// twice under one key with the same BEARER and DIRECTION.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(pub u32);

/// BEARER, 5 bits: in PDCP the radio bearer's identity less 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bearer(u8);

impl Bearer {
    /// From 0 to 31.
    ///
    /// ```
    /// use cipherlane::air::Bearer;
    ///
    /// assert_eq!(Bearer::new(31)?.get(), 31);
    /// assert_eq!(Bearer::new(32).unwrap_err().to_string(), "BEARER is 32; allowed: 0 to 31");
    /// # Ok::<(), cipherlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Value`] for more.
    pub const fn new(bearer: u8) -> Result<Self, Error> {
        if bearer > 31 {
            return Err(Error::Value { field: "BEARER", got: bearer as u64, min: 0, max: 31 });
        }
        Ok(Self(bearer))
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// DIRECTION, one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From the terminal to the network: 0.
    Uplink,
    /// From the network to the terminal: 1.
    Downlink,
}

impl Direction {
    /// From 0, uplink, or 1, downlink.
    ///
    /// # Errors
    /// [`Error::Value`] for any other number.
    pub const fn new(direction: u8) -> Result<Self, Error> {
        match direction {
            0 => Ok(Self::Uplink),
            1 => Ok(Self::Downlink),
            _ => {
                let got = direction as u64;
                Err(Error::Value { field: "DIRECTION", got, min: 0, max: 1 })
            }
        }
    }

    /// The bit.
    #[must_use]
    pub const fn bit(self) -> u8 {
        self as u8
    }
}

/// What the tag is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Of the ciphertext.
    EncryptThenMac,
    /// Of the plaintext, and then encrypted behind it: PDCP of LTE and 5G (TS 36.323,
    /// TS 38.323).
    MacThenEncrypt,
}

/// Encryption and integrity of PDUs under one pair of keys, as PDCP uses two algorithms
/// together; object-safe.
///
/// This is no [`Aead`](crate::traits::aead::Aead), though it has the same shape. The IV of the encryption is
/// not authenticated, and neither is the boundary between header and data: whoever knows one
/// PDU may present its header longer and its data shorter by the same bytes, and the tag stays
/// right. PDCP can bear that because its receiver makes both IVs itself from one COUNT, and its
/// headers have a length that the receiver knows. Elsewhere, take an AEAD.
pub trait PduCipher: Send + Sync {
    /// Encrypts a PDU's data and writes the tag of header and data. `ivs` are those of the two
    /// algorithms, one behind the other.
    ///
    /// # Errors
    /// [`Error::Length`] for IVs or a tag of a wrong length.
    fn seal_pdu(
        &self,
        ivs: &[u8],
        header: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error>;

    /// Decrypts a PDU's data if the tag is right.
    ///
    /// # Errors
    /// [`Error::Authentication`] if the tag is wrong; the output is then all zeros. Otherwise as
    /// [`seal_pdu`](Self::seal_pdu).
    fn open_pdu(&self, ivs: &[u8], header: &[u8], io: InOut<'_>, tag: &[u8]) -> Result<(), Error>;
}
