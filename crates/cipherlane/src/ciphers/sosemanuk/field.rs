//! GF(2³²) as the LFSR takes it ("Sosemanuk" §3.2): polynomials in α over GF(2⁸), which is
//! the polynomials in β modulo β⁸ + β⁷ + β⁵ + β³ + 1.

/// α⁴ = β²³α³ + β²⁴⁵α² + β⁴⁸α + β²³⁹: the exponents, highest power of α first.
const BY_ALPHA: [u32; 4] = [23, 245, 48, 239];

/// α⁻¹ = β¹⁶α³ + β³⁹α² + β⁶α + β⁶⁴, which follows: with β⁻²³⁹ = β¹⁶, the same times β¹⁶.
const BY_INVERSE: [u32; 4] = [16, 39, 6, 64];

/// The product of an element of GF(2⁸) and a power of β.
const fn times_power(mut a: u8, power: u32) -> u8 {
    let mut i = 0;
    while i < power {
        a = a << 1 ^ if a & 0x80 == 0 { 0 } else { 0xa9 };
        i += 1;
    }
    a
}

/// What the byte that falls out adds to the rest, for all its values, and with `own` the byte
/// itself besides.
const fn table(powers: [u32; 4], own: bool) -> [u32; 256] {
    let mut table = [0; 256];
    let mut c = 0;
    while c < 256 {
        table[c] = u32::from_be_bytes([
            times_power(c as u8, powers[0]),
            times_power(c as u8, powers[1]),
            times_power(c as u8, powers[2]),
            times_power(c as u8, powers[3]),
        ]);
        if own {
            table[c] ^= c as u32;
        }
        c += 1;
    }
    table
}

/// The tables of both products, side by side so that one address serves both.
pub(super) struct Tables {
    /// `x α = r ⊕ alpha[r mod 256]` with `r = x ⋘ 8`: what a rotation leaves at the low end is
    /// taken away again.
    pub(super) alpha: [u32; 256],
    /// `x α⁻¹ = (x >> 8) ⊕ inverse[x mod 256]`.
    pub(super) inverse: [u32; 256],
}

pub(super) static TABLES: Tables =
    Tables { alpha: table(BY_ALPHA, true), inverse: table(BY_INVERSE, false) };

/// The multiplication by a power of β as a matrix, written as lanes take it: byte `7 − i`
/// has the row that gives bit `i`.
const fn matrix(power: u32) -> u64 {
    let mut matrix = 0;
    let mut column = 0;
    while column < 8 {
        let image = times_power(1 << column, power);
        let mut row = 0;
        while row < 8 {
            if image >> row & 1 == 1 {
                matrix |= 1 << (8 * (7 - row) + column);
            }
            row += 1;
        }
        column += 1;
    }
    matrix
}

/// The matrices of the product by α, the lowest byte's first.
pub(super) const ALPHA_MATRICES: [u64; 4] =
    [matrix(BY_ALPHA[3]), matrix(BY_ALPHA[2]), matrix(BY_ALPHA[1]), matrix(BY_ALPHA[0])];

/// The matrices of the product by α⁻¹, the lowest byte's first.
pub(super) const INVERSE_MATRICES: [u64; 4] =
    [matrix(BY_INVERSE[3]), matrix(BY_INVERSE[2]), matrix(BY_INVERSE[1]), matrix(BY_INVERSE[0])];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_undoes_the_other() {
        let mut x = 0x0123_4567_u32;
        for _ in 0..1000 {
            let turned = x.rotate_left(8);
            let product = turned ^ TABLES.alpha[(turned & 0xff) as usize];
            let back = product >> 8 ^ TABLES.inverse[(product & 0xff) as usize];
            assert_eq!(back, x);
            x = product.wrapping_mul(0x9e37_79b1).wrapping_add(1);
        }
    }
}
