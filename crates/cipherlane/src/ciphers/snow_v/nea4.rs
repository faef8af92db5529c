//! 256-NEA4, the 256-bit confidentiality algorithm of 3GPP made of SNOW 5G (TS 35.240): the
//! keystream from its first byte.
//!
//! The IV is 16 bytes as 3GPP forms them; its first byte is 0. How COUNT, BEARER and DIRECTION
//! stand in it, TS 35.240 says, whose text was not at hand: [`Nea4::assuming`] tells what it
//! assumes.
//!
//! ```
//! use cipherlane::snow_v::Nea4;
//!
//! let mut packet = *b"any number of bytes";
//! Nea4::new(&[7; 32], &[0; 16])?.apply((&mut packet[..]).into())?;
//! Nea4::new(&[7; 32], &[0; 16])?.apply((&mut packet[..]).into())?;
//! assert_eq!(&packet, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use super::OfSnow5g;
use crate::air256::Nea;

/// 256-NEA4 under one key, for one packet.
pub type Nea4 = Nea<OfSnow5g>;
