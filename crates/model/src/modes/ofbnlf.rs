//! Output feedback with a nonlinear function: GB/T 17964-2021 (OFBNLF).

use super::{Block, blocks};

/// A block function with its key: key and block in, block out.
pub type Keyed<'a> = &'a dyn Fn(&[u8], &[u8]) -> Vec<u8>;

/// `X₀ = IV`, `Xᵢ = E(K, Xᵢ₋₁)`, `Cᵢ = F(Xᵢ, Pᵢ)` with `F` the encryption, or the
/// decryption for the other direction; `cipher` is `E` under `K`.
///
/// # Panics
/// If the data is not whole blocks.
#[must_use]
pub fn crypt(cipher: Block<'_>, function: Keyed<'_>, iv: &[u8], data: &[u8]) -> Vec<u8> {
    let mut x = iv.to_vec();
    let mut out = Vec::with_capacity(data.len());
    for p in blocks(iv.len(), data) {
        x = cipher(&x);
        out.extend(function(&x, p));
    }
    out
}
