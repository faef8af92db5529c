//! 256-NIA6, the 256-bit integrity algorithm of 3GPP made of ZUC-256 (2023) and POLYVAL.
//!
//! The first three keystream blocks are H, Q and P. The tag is the leftmost bytes of
//! `(POLYVAL_H(message) ⊕ lengths) · Q ⊕ P`, the product being that of RFC 8452 §3. The IV
//! is 16 bytes as 3GPP forms them; its first byte tells the algorithm and the tag's
//! length. No key and IV may serve two messages: after [`finish`](crate::Mac::finish) or
//! [`verify`](crate::Mac::verify) an object is at its end until [`reset`](crate::Mac::reset) gives it another
//! IV. Tags of 16 bytes, or by [`with_tag_len`](crate::Mac::with_tag_len) of 4 to 15.
//!
//! ```
//! use cipherlane::Mac;
//! use cipherlane::zuc::Nia6;
//!
//! // A tag of 40 bits.
//! let mut iv = [0; 16];
//! iv[..2].copy_from_slice(&[40, 0x3f]);
//! let mut nia6 = Nia6::new(&[0; 32], &iv)?.with_tag_len(5)?;
//! nia6.update(&[0])?;
//! nia6.verify(&[0x41, 0x53, 0x90, 0x61, 0xeb])?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use super::family::OfZuc256;
use crate::air256::Nia;

/// 256-NIA6 under one key and IV.
pub type Nia6 = Nia<OfZuc256>;
