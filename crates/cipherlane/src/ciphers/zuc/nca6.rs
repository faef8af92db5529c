//! 256-NCA6, the 256-bit AEAD of 3GPP made of ZUC-256 (2023) and POLYVAL.
//!
//! The keystream's first three blocks serve the hash as in [`Nia6`](super::Nia6); what
//! follows encrypts. The tag covers associated data and ciphertext. Tags of 16 bytes, or by
//! [`with_tag_len`](crate::Aead::with_tag_len) of 4 to 15. The nonce is the 16-byte IV as 3GPP forms it; its first byte tells the
//! algorithm and the tag's length. It must never repeat under one key.
//! [`Frame::assumed_nca6_nonce`](super::Frame::assumed_nca6_nonce) makes one of COUNT, BEARER
//! and DIRECTION and tells what is assumed.
//!
//! ```
//! use cipherlane::Aead;
//! use cipherlane::zuc::Nca6;
//!
//! let nca6 = Nca6::new(&[0; 32])?.with_tag_len(4)?;
//! let mut iv = [0; 16];
//! iv[0] = 0x24;
//! let mut tag = [0; 4];
//! nca6.seal(&iv, &[], (&mut [][..]).into(), &mut tag)?;
//! assert_eq!(tag, [0xe0, 0xa4, 0x71, 0x85]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use super::family::OfZuc256;
use crate::air256::Nca;

/// 256-NCA6 under one key.
pub type Nca6 = Nca<OfZuc256>;
