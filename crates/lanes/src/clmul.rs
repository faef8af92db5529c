//! Carry-less multiplication by integer arithmetic: no table, no branch.
//!
//! Integers multiply like polynomials over GF(2) as long as nothing carries. Each
//! factor is cut into four parts that keep every fourth bit; in the product of
//! two parts the bits of interest are four apart again, and each is the parity of
//! a sum of at most 15, which fits into the four bits it has. Sixteen terms would
//! not, so the first factor's top four bits are left to shifts.
//!
//! CPUs of 32 bits and WebAssembly have no product of 128 bits. There the factors are
//! halved first (Karatsuba), and sums have at most eight terms.

/// Every fourth bit.
const HOLED: u64 = 0x1111_1111_1111_1111;

/// `a · b` as polynomials over GF(2), lowest coefficient in the lowest bit.
// Out of line: a call costs little beside it, and kernels that hold dozens of copies do not.
#[inline(never)]
pub(crate) const fn clmul(a: u64, b: u64) -> u128 {
    if cfg!(target_pointer_width = "32") { by_halves(a, b) } else { whole(a, b) }
}

#[inline(always)]
const fn by_halves(a: u64, b: u64) -> u128 {
    let low = half(a as u32, b as u32);
    let high = half((a >> 32) as u32, (b >> 32) as u32);
    let middle = half(a as u32 ^ (a >> 32) as u32, b as u32 ^ (b >> 32) as u32) ^ low ^ high;
    let [low, high] = [low ^ middle << 32, high ^ middle >> 32];
    (high as u128) << 64 | low as u128
}

/// The product of two halves.
#[inline(always)]
const fn half(a: u32, b: u32) -> u64 {
    let (a, b) = (a as u64, b as u64);
    let x = [a & HOLED, a & HOLED << 1, a & HOLED << 2, a & HOLED << 3];
    let y = [b & HOLED, b & HOLED << 1, b & HOLED << 2, b & HOLED << 3];
    let z0 = (x[0] * y[0]) ^ (x[1] * y[3]) ^ (x[2] * y[2]) ^ (x[3] * y[1]);
    let z1 = (x[0] * y[1]) ^ (x[1] * y[0]) ^ (x[2] * y[3]) ^ (x[3] * y[2]);
    let z2 = (x[0] * y[2]) ^ (x[1] * y[1]) ^ (x[2] * y[0]) ^ (x[3] * y[3]);
    let z3 = (x[0] * y[3]) ^ (x[1] * y[2]) ^ (x[2] * y[1]) ^ (x[3] * y[0]);
    z0 & HOLED | z1 & (HOLED << 1) | z2 & (HOLED << 2) | z3 & (HOLED << 3)
}

#[inline(always)]
const fn whole(a: u64, b: u64) -> u128 {
    let low = a & (u64::MAX >> 4);
    let x = [low & HOLED, low & HOLED << 1, low & HOLED << 2, low & HOLED << 3];
    let y = [b & HOLED, b & HOLED << 1, b & HOLED << 2, b & HOLED << 3];
    let bits = (HOLED as u128) << 64 | HOLED as u128;
    let z0 = times(x[0], y[0]) ^ times(x[1], y[3]) ^ times(x[2], y[2]) ^ times(x[3], y[1]);
    let z1 = times(x[0], y[1]) ^ times(x[1], y[0]) ^ times(x[2], y[3]) ^ times(x[3], y[2]);
    let z2 = times(x[0], y[2]) ^ times(x[1], y[1]) ^ times(x[2], y[0]) ^ times(x[3], y[3]);
    let z3 = times(x[0], y[3]) ^ times(x[1], y[2]) ^ times(x[2], y[1]) ^ times(x[3], y[0]);
    let product = z0 & bits | z1 & bits << 1 | z2 & bits << 2 | z3 & bits << 3;
    product ^ shifted(a, b, 60) ^ shifted(a, b, 61) ^ shifted(a, b, 62) ^ shifted(a, b, 63)
}

#[inline(always)]
const fn times(a: u64, b: u64) -> u128 {
    a as u128 * b as u128
}

/// `b` shifted left by `i` if bit `i` of `a` is set, else 0.
#[inline(always)]
const fn shifted(a: u64, b: u64, i: u32) -> u128 {
    ((b & (a >> i & 1).wrapping_neg()) as u128) << i
}

#[cfg(test)]
mod tests {
    use super::{by_halves, clmul, whole};

    /// One bit of `a` at a time.
    fn plain(a: u64, b: u64) -> u128 {
        (0..64).filter(|i| a >> i & 1 == 1).fold(0, |sum, i| sum ^ u128::from(b) << i)
    }

    #[test]
    fn is_the_sum_of_shifted_factors() {
        let mut words = std::vec![0, 1, u64::MAX, u64::MAX >> 1, 1 << 63, 0xf << 60];
        words.extend((0..4).map(|i| super::HOLED << i));
        let mut x = 1u64;
        for _ in 0..200 {
            x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x >> 29 ^ 1;
            words.push(x);
        }
        for &a in &words {
            for &b in &words {
                let product = plain(a, b);
                assert_eq!(clmul(a, b), product, "{a:#x} · {b:#x}");
                assert_eq!(whole(a, b), product, "{a:#x} · {b:#x} at once");
                assert_eq!(by_halves(a, b), product, "{a:#x} · {b:#x} by halves");
            }
        }
    }
}
