//! Comparison whose time does not depend on the values.

/// Whether `a` and `b` are equal; only their lengths may show in the time.
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if let (Ok(a), Ok(b)) = (<[u8; 16]>::try_from(a), <[u8; 16]>::try_from(b)) {
        let differs = u128::from_ne_bytes(a) ^ u128::from_ne_bytes(b);
        return core::hint::black_box(differs) == 0;
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
        assert!(equal(&a[..15], &[0xa5; 15]));
        for bit in 0..128 {
            let mut b = a;
            b[bit / 8] ^= 1 << (bit % 8);
            assert!(!equal(&a, &b));
            assert_eq!(equal(&a[..15], &b[..15]), bit >= 120);
        }
        // The same difference twice is no equality.
        let mut b = a;
        b[3] ^= 0x10;
        b[9] ^= 0x10;
        assert!(!equal(&a, &b) && !equal(&a[..12], &b[..12]));
    }
}
