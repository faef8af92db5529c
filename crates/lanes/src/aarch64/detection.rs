//! Which features of the levels of AArch64 there are.
//!
//! User programs have no instruction to ask the CPU with; the system tells, and the
//! standard library knows how. Without it only what the program is compiled for is
//! known, as on systems whose every CPU has the AES instructions.

#[cfg(feature = "std")]
use std::arch::is_aarch64_feature_detected as has;

#[cfg(not(feature = "std"))]
macro_rules! has {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}

/// A feature's name and the question for it.
type Feature = (&'static str, fn() -> bool);

/// Every feature that a level may list.
const FEATURES: &[Feature] =
    &[("neon", || has!("neon")), ("aes", || has!("aes")), ("sm4", || has!("sm4"))];

/// Whether the CPU and the system have all of these features.
pub(crate) fn detected(features: &[&str]) -> bool {
    features.iter().all(|wanted| FEATURES.iter().any(|(name, has)| name == wanted && has()))
}

#[cfg(test)]
mod tests {
    use super::{FEATURES, detected};
    use crate::aarch64::{Neon, NeonSm4};

    #[test]
    fn every_feature_of_a_level_is_known() {
        for feature in [Neon::FEATURES, NeonSm4::FEATURES].concat() {
            assert!(FEATURES.iter().any(|(name, _)| *name == feature), "{feature}");
        }
    }

    #[test]
    fn one_feature_that_is_lacking_is_enough() {
        assert!(detected(&["neon"]), "the baseline of this target");
        assert!(!detected(&["no-such-feature"]));
        assert!(!detected(&["neon", "no-such-feature"]));
    }
}
