//! The expansion of key and nonce to the words of a block ("Salsa20 specification" §9).

use crate::error::{Error, check_length};
use crate::sizes::Sizes;

/// The key lengths in bytes.
pub(super) const KEY: Sizes = Sizes::steps(16, 32, 16);

/// The nonce's length in bytes.
pub(super) const NONCE: Sizes = Sizes::exactly(8);

/// Checks the lengths of a key and a nonce.
pub(super) fn check(key: &[u8], nonce: &[u8]) -> Result<(), Error> {
    check_length("key", key.len(), KEY)?;
    check_length("iv", nonce.len(), NONCE)
}

/// The words of block 0, of a key and a nonce of right lengths.
#[inline]
pub(super) fn expand(key: &[u8], nonce: &[u8], words: &mut [u32; 16]) {
    let constants = if key.len() == 32 { b"expand 32-byte k" } else { b"expand 16-byte k" };
    let word = |bytes: &[u8], i: usize| {
        u32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]])
    };
    // A key of 16 bytes stands in both places.
    let second = &key[key.len() - 16..];
    for i in 0..4 {
        words[5 * i] = word(constants, i);
        words[1 + i] = word(key, i);
        words[11 + i] = word(second, i);
    }
    (words[6], words[7]) = (word(nonce, 0), word(nonce, 1));
}
