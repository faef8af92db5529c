//! 256-NCA4, the 256-bit AEAD of 3GPP made of SNOW 5G and POLYVAL (TS 35.240).
//!
//! The keystream's first three blocks serve the hash as in [`Nia4`](super::Nia4); what follows
//! encrypts. The tag covers associated data and ciphertext. Tags of 16 bytes, or by
//! [`with_tag_len`](crate::Aead::with_tag_len) of 4 to 15. The nonce is the 16-byte IV as 3GPP forms
//! it; its first byte tells the algorithm and the tag's length. It must never repeat under one key.
//!
//! ```
//! use cipherlane::Aead;
//! use cipherlane::snow_v::Nca4;
//!
//! let nca4 = Nca4::new(&[0; 32])?.with_tag_len(4)?;
//! let mut iv = [0; 16];
//! iv[0] = 0x24;
//! let mut tag = [0; 4];
//! nca4.seal(&iv, &[], (&mut [][..]).into(), &mut tag)?;
//! assert_eq!(tag, [0xeb, 0xc1, 0xd9, 0x5b]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use super::OfSnow5g;
use crate::air256::Nca;

/// 256-NCA4 under one key.
pub type Nca4 = Nca<OfSnow5g>;
