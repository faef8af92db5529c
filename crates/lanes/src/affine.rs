//! Affine maps of bytes over GF(2), at compile time.
//!
//! A map is the 64-bit matrix of the GFNI instructions: the byte that gives bit
//! `i` of the result is byte `7 - i` of the matrix, and the result bit is the
//! parity of that byte and the input.

/// `matrix · x`.
#[must_use]
pub const fn apply(matrix: u64, x: u8) -> u8 {
    let mut y = 0;
    let mut i = 0;
    while i < 8 {
        let row = (matrix >> (8 * (7 - i))) as u8;
        y |= (((row & x).count_ones() & 1) as u8) << i;
        i += 1;
    }
    y
}

/// The matrix of `x ↦ outer · (inner · x)`.
#[must_use]
pub const fn compose(outer: u64, inner: u64) -> u64 {
    let mut matrix = 0u64;
    let mut j = 0;
    while j < 8 {
        let column = apply(outer, apply(inner, 1 << j));
        let mut i = 0;
        while i < 8 {
            matrix |= (((column >> i) & 1) as u64) << (8 * (7 - i) + j);
            i += 1;
        }
        j += 1;
    }
    matrix
}

/// The matrix of `x ↦ x << places`; of `x >> -places` where negative.
#[must_use]
pub const fn shift(places: i32) -> u64 {
    let mut matrix = 0u64;
    let mut i = 0;
    while i < 8 {
        if 0 <= i - places && i - places < 8 {
            matrix |= 1 << (8 * (7 - i) + i - places);
        }
        i += 1;
    }
    matrix
}

/// The tables `x ↦ matrix · x + constant` for the low and `matrix · 16x` for the
/// high nibble; their xor is the map of the byte.
pub(crate) const fn nibbles(matrix: u64, constant: u8) -> [[u8; 16]; 2] {
    let mut tables = [[0; 16]; 2];
    let mut x = 0;
    while x < 16 {
        tables[0][x as usize] = apply(matrix, x) ^ constant;
        tables[1][x as usize] = apply(matrix, x << 4);
        x += 1;
    }
    tables
}

/// The inverse of the linear part of the AES S-box (FIPS 197 §5.1.1).
pub(crate) const AES_LINEAR_INVERSE: u64 = 0xa449_9225_4a94_2952;

/// The constant of the AES S-box.
pub(crate) const AES_CONSTANT: u8 = 0x63;

#[cfg(test)]
mod tests {
    use super::*;

    /// The linear part of the AES S-box: `y_i = x_i + x_(i+4) + x_(i+5) + x_(i+6) + x_(i+7)`.
    fn aes_linear(x: u8) -> u8 {
        x ^ x.rotate_left(1) ^ x.rotate_left(2) ^ x.rotate_left(3) ^ x.rotate_left(4)
    }

    #[test]
    fn the_aes_matrix_undoes_the_standards_map() {
        for x in 0..=255 {
            assert_eq!(apply(AES_LINEAR_INVERSE, aes_linear(x)), x);
        }
    }

    #[test]
    fn shifts_shift() {
        for x in 0..=255u8 {
            for places in 0..8 {
                assert_eq!(apply(shift(places), x), x << places);
                assert_eq!(apply(shift(-places), x), x >> places);
            }
        }
    }

    #[test]
    fn composition_and_nibbles_agree_with_application() {
        let (m, n) = (0x4c28_7db9_1a22_505d, 0xf3ab_34a9_74a6_b589);
        let [low, high] = nibbles(m, 0x3e);
        for x in 0..=255u8 {
            assert_eq!(apply(compose(m, n), x), apply(m, apply(n, x)));
            assert_eq!(low[usize::from(x & 15)] ^ high[usize::from(x >> 4)], apply(m, x) ^ 0x3e);
        }
    }
}
