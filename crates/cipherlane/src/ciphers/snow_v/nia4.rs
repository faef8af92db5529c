//! 256-NIA4, the 256-bit integrity algorithm of 3GPP made of SNOW 5G and POLYVAL (TS 35.240).
//!
//! The first three keystream blocks are H, Q and P. The tag is the leftmost bytes of
//! `(POLYVAL_H(message) ⊕ lengths) · Q ⊕ P`, the product being that of RFC 8452 §3. The IV
//! is 16 bytes as 3GPP forms them; its first byte tells the algorithm and the tag's
//! length. No key and IV may serve two messages: after [`finish`](crate::Mac::finish) or
//! [`verify`](crate::Mac::verify) an object is at its end until [`reset`](crate::Mac::reset) gives it
//! another IV. Tags of 16 bytes, or by [`with_tag_len`](crate::Mac::with_tag_len) of 4 to 15.
//!
//! ```
//! use cipherlane::Mac;
//! use cipherlane::snow_v::Nia4;
//!
//! // A tag of 40 bits.
//! let mut iv = [0; 16];
//! iv[..2].copy_from_slice(&[40, 0x3f]);
//! let mut nia4 = Nia4::new(&[0; 32], &iv)?.with_tag_len(5)?;
//! nia4.update(&[0])?;
//! nia4.verify(&[0x51, 0x52, 0x9f, 0xd4, 0xe2])?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use super::OfSnow5g;
use crate::air256::Nia;

/// 256-NIA4 under one key and IV.
pub type Nia4 = Nia<OfSnow5g>;
