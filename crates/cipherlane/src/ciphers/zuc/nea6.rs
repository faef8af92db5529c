//! 256-NEA6, the 256-bit confidentiality algorithm of 3GPP made of ZUC-256 (2023): the
//! keystream from its first byte.
//!
//! The IV is 16 bytes as 3GPP forms them; its first byte is 0. How COUNT, BEARER and DIRECTION
//! stand in it, TS 35.246 says, whose text was not at hand: [`Nea6::assuming`] makes what
//! [`Frame::assumed_nea6_iv`](super::Frame::assumed_nea6_iv) tells.
//!
//! ```
//! use cipherlane::zuc::Nea6;
//!
//! let mut packet = *b"any number of bytes";
//! Nea6::new(&[7; 32], &[0; 16])?.apply((&mut packet[..]).into())?;
//! Nea6::new(&[7; 32], &[0; 16])?.apply((&mut packet[..]).into())?;
//! assert_eq!(&packet, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use super::family::OfZuc256;
use crate::air256::Nea;

/// 256-NEA6 of one packet.
pub type Nea6 = Nea<OfZuc256>;
