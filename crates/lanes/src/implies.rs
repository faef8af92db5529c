//! Which levels are parts of others: their tokens follow from those.

/// A token: what it is proof of, for [`implies`].
pub(crate) trait Token: Copy {
    /// The CPU features that were detected.
    const DETECTED: &'static [&'static str];
}

/// Whether a CPU with the features `all` has the features `some`.
pub(crate) const fn implies(all: &[&str], some: &[&str]) -> bool {
    let mut i = 0;
    while i < some.len() {
        let mut j = 0;
        while j < all.len() && !equal(all[j].as_bytes(), some[i].as_bytes()) {
            j += 1;
        }
        if j == all.len() {
            return false;
        }
        i += 1;
    }
    true
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_features_implies_its_subsets_and_no_others() {
        assert!(implies(&["aes", "avx2"], &["avx2"]));
        assert!(implies(&["aes", "avx2"], &[]));
        assert!(!implies(&["aes", "avx2"], &["avx"]));
        assert!(!implies(&["aes", "avx"], &["avx2"]));
        assert!(!implies(&["aes"], &["aes", "gfni"]));
    }
}
