//! Comparison whose time does not depend on the values.

/// Whether `a` and `b` are equal; only their lengths may show in the time.
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let differs = a.iter().zip(b).fold(0, |sum, (a, b)| sum | (a ^ b));
    // Without the barrier the compiler may turn the loop into one that stops early.
    core::hint::black_box(differs) == 0
}

#[cfg(test)]
mod tests {
    use super::equal;

    #[test]
    fn every_single_bit_and_every_length_counts() {
        let a = [0xa5; 16];
        assert!(equal(&a, &a));
        assert!(equal(&[], &[]));
        assert!(!equal(&a, &a[..15]));
        for bit in 0..128 {
            let mut b = a;
            b[bit / 8] ^= 1 << (bit % 8);
            assert!(!equal(&a, &b));
        }
    }
}
