//! Indices of byte shuffles that several levels use.

/// Turns the index of ShiftRows around, so that an AES instruction which begins with it
/// leaves every byte in its place: byte `i` of its input must be the byte that belongs at `5i mod 16`.
pub(crate) const UNSHIFT_ROWS: [u8; 16] = [0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3];

/// The byte shuffle that rotates 32-bit lanes left by 8, 16 or 24 bits.
pub(crate) const fn rotate_bytes32(bits: u32) -> [u8; 16] {
    let mut index = [0; 16];
    let mut i = 0;
    while i < 16 {
        index[i as usize] = (i & 12 | (i + 4 - bits / 8) & 3) as u8;
        i += 1;
    }
    index
}

/// The byte shuffle that rotates 64-bit lanes left by whole bytes.
pub(crate) const fn rotate_bytes64(bits: u32) -> [u8; 16] {
    assert!(bits.is_multiple_of(8), "by whole bytes");
    let mut index = [0; 16];
    let mut i = 0;
    while i < 16 {
        index[i as usize] = (i & 8 | (i + 8 - bits / 8) & 7) as u8;
        i += 1;
    }
    index
}
