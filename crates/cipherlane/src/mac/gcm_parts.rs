//! What GMAC and GCM share (NIST SP 800-38D): the hash key of a cipher, the first counter, the
//! block of the lengths. GMAC is GCM of no data (§3), so the seal stands on the MAC.

use crate::error::{Error, check_length};
use crate::ghash::{BLOCK, Key};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::block::BlockCipher;

/// 2^61 - 1, or as much of it as there can be in memory.
const MOST_BYTES: usize = if usize::BITS < 61 { usize::MAX } else { (1 << 61) - 1 };
/// The nonce lengths allowed, in bytes: 2^64 - 1 bits at most.
pub(crate) const NONCES: Sizes = Sizes::between(1, MOST_BYTES);

/// The longest associated data in bytes: 2^64 - 1 bits.
pub(crate) const AAD: u64 = (1 << 61) - 1;

/// The tag lengths in bytes (§5.2.1.2).
pub(crate) const TAGS: Sizes = Sizes::of([4, 8, 12, 13, 14, 15, 16]);

/// Sets the hash key, `E(0)` of a cipher. In place, as a key is large.
pub(crate) fn set_hash_key(cipher: &dyn BlockCipher, key: &mut Key<true>) {
    set_hash_key_for(cipher, key, usize::MAX);
}

/// The same for calls of at most so many blocks.
pub(crate) fn set_hash_key_for(cipher: &dyn BlockCipher, key: &mut Key<true>, blocks: usize) {
    let mut h = Secret([0; BLOCK]);
    cipher.encrypt_block(&mut h.0);
    key.set_for(&h.0, blocks);
}

/// The first counter J0 of a nonce (§7.1, step 2).
pub(crate) fn first_counter(
    hash: &Key<true>,
    field: &'static str,
    nonce: &[u8],
) -> Result<[u8; BLOCK], Error> {
    first_count(hash, field, nonce).map(u128::to_be_bytes)
}

/// The same as a number: bytes put together would be slow to load as one.
#[inline(always)]
pub(crate) fn first_count(
    hash: &Key<true>,
    field: &'static str,
    nonce: &[u8],
) -> Result<u128, Error> {
    let Ok([a, b, c, d, e, f, g, h, tail @ ..]) = <[u8; 12]>::try_from(nonce) else {
        return hashed_count(hash, field, nonce);
    };
    let head = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
    Ok(u128::from(head) << 64 | u128::from(u32::from_be_bytes(tail)) << 32 | 1)
}

/// That of a nonce which is not 12 bytes.
#[cold]
fn hashed_count(hash: &Key<true>, field: &'static str, nonce: &[u8]) -> Result<u128, Error> {
    check_length(field, nonce.len(), NONCES)?;
    let mut state = Key::<true>::start();
    hash.absorb(&mut state, &[nonce, &lengths(0, nonce.len() as u64)]);
    Ok(u128::from_be_bytes(Key::<true>::hash(&state)))
}

/// The block of the lengths, given in bytes, in bits.
pub(crate) fn lengths(aad: u64, data: u64) -> [u8; BLOCK] {
    (u128::from(8 * aad) << 64 | u128::from(8 * data)).to_be_bytes()
}
