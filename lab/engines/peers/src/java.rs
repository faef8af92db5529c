//! The engine `java`: this project's provider for Java, by a program in `lab/engines/java`.

use crate::program::Built;

/// The program, from the cache.
pub(crate) const PEER: Built = Built {
    engine: "java",
    runner: &["java", "-jar"],
    how_to_get: "`cipherlane engines build java` builds it in a clone of the repository, for which \
                 a JDK 17 or later and Maven must be on the PATH, or name the jar that it makes \
                 with --lib PATH",
};
