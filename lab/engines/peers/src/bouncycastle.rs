//! The engine `bouncycastle`: ciphers of Bouncy Castle's lightweight interface, by a program in
//! `lab/engines/bouncycastle` that `cipherlane engines build bouncycastle` compiles.

use crate::program::Built;

/// The program, from the cache.
pub(crate) const PEER: Built = Built {
    engine: "bouncycastle",
    runner: &["java", "-jar"],
    how_to_get: "`cipherlane engines build bouncycastle` builds it, for which and for running it \
                 Java 17 or later must be on the PATH, or name the jar that it makes with --lib PATH",
};
