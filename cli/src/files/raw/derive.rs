//! Key and IV from a passphrase as `openssl enc` makes them.

use md5::Md5;
use sha1::Sha1;
use sha2::digest::block_api::EagerHash;
use sha2::{Digest, Sha256, Sha512};
use sm3::Sm3;
use zeroize::Zeroizing;

/// What a file of `openssl enc` begins with, before eight bytes of salt.
pub(crate) const SALTED: [u8; 8] = *b"Salted__";

/// How a passphrase becomes a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kdf {
    /// PBKDF2 (RFC 8018), as with `-pbkdf2`.
    Pbkdf2,
    /// One iteration of a hash, as without it: weak.
    BytesToKey,
}

/// The hash in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Hash {
    Sm3,
    Sha256,
    Sha512,
    Sha1,
    Md5,
}

/// `len` bytes: the key and, behind it, the IV.
pub(crate) fn derive(
    kdf: Kdf,
    hash: Hash,
    iterations: u32,
    passphrase: &[u8],
    salt: &[u8],
    len: usize,
) -> Zeroizing<Vec<u8>> {
    match hash {
        Hash::Sm3 => with::<Sm3>(kdf, iterations, passphrase, salt, len),
        Hash::Sha256 => with::<Sha256>(kdf, iterations, passphrase, salt, len),
        Hash::Sha512 => with::<Sha512>(kdf, iterations, passphrase, salt, len),
        Hash::Sha1 => with::<Sha1>(kdf, iterations, passphrase, salt, len),
        Hash::Md5 => with::<Md5>(kdf, iterations, passphrase, salt, len),
    }
}

fn with<H: Digest + EagerHash<Core: Sync>>(
    kdf: Kdf,
    iterations: u32,
    passphrase: &[u8],
    salt: &[u8],
    len: usize,
) -> Zeroizing<Vec<u8>> {
    let mut out = Zeroizing::new(vec![0; len]);
    match kdf {
        Kdf::Pbkdf2 => pbkdf2::pbkdf2_hmac::<H>(passphrase, salt, iterations, &mut out),
        Kdf::BytesToKey => {
            // D_i = H(D_{i−1} ‖ passphrase ‖ salt), one after another.
            let mut last = Zeroizing::new(Vec::new());
            let mut filled = 0;
            while filled < len {
                let hash = H::new().chain_update(&*last).chain_update(passphrase);
                *last = hash.chain_update(salt).finalize().to_vec();
                let take = last.len().min(len - filled);
                out[filled..filled + take].copy_from_slice(&last[..take]);
                filled += take;
            }
        }
    }
    out
}
