//! The engines `ladder-java` and `ladder-java-int`: RC2, RC4, RC5 and IDEA in Java, one idea of
//! implementing them at a time, compiled while they run and by the interpreter alone. The
//! program is in `lab/engines/ladder-java`.

use crate::program::Built;

/// With the compiler of the virtual machine.
pub(crate) const COMPILED: Built = Built {
    engine: "ladder-java",
    runner: &["java", "-jar"],
    how_to_get: "`cipherlane engines build ladder-java` builds it, for which and for running it \
                 Java 17 or later must be on the PATH, or name the jar that it makes with --lib PATH",
};

/// Without it.
pub(crate) const INTERPRETED: Built =
    Built { engine: "ladder-java-int", runner: &["java", "-Xint", "-jar"], ..COMPILED };
