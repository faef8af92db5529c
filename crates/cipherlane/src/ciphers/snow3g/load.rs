//! What the shift register starts from (TS 35.216 §4.1).

/// The words of a key and an IV of 16 bytes each, in the order in which TS 35.215 writes them: the first
/// four bytes are K₃ and IV₃.
fn words(bytes: &[u8]) -> [u32; 4] {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().rev().zip(bytes.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}

/// s₀ to s₁₅. Contents of missing bytes are 0; callers have checked the lengths.
pub(super) fn cells(key: &[u8], iv: &[u8]) -> [u32; 16] {
    let ([k0, k1, k2, k3], [v0, v1, v2, v3]) = (words(key), words(iv));
    [!k0, !k1, !k2, !k3, k0, k1, k2, k3, !k0, !k1 ^ v3, !k2 ^ v2, !k3, k0 ^ v1, k1, k2, k3 ^ v0]
}
