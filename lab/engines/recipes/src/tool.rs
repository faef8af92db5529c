//! The programs that recipes call.

use std::env;
use std::path::Path;

/// A program, and what brings it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name on the `PATH`.
    pub program: &'static str,
    /// What brings it.
    pub remedy: &'static str,
}

impl Tool {
    /// Debian's package client.
    pub const APT_GET: Self =
        Self { program: "apt-get", remedy: "this engine comes from Debian's packages only" };
    /// What unpacks Debian's packages.
    pub const DPKG_DEB: Self =
        Self { program: "dpkg-deb", remedy: "`apt-get install dpkg` brings it" };
    /// Rust's package client.
    pub const CARGO: Self =
        Self { program: "cargo", remedy: "install Rust as https://rustup.rs says" };
    /// Python 3, with `pip` where wheels are fetched.
    pub const PYTHON: Self =
        Self { program: "python3", remedy: "`apt-get install python3 python3-pip` brings it" };
    /// Perl 5.
    pub const PERL: Self = Self { program: "perl", remedy: "`apt-get install perl` brings it" };
    /// Make.
    pub const MAKE: Self = Self { program: "make", remedy: "`apt-get install make` brings it" };
    /// The C compiler.
    pub const GCC: Self = Self { program: "gcc", remedy: "`apt-get install gcc` brings it" };
    /// The other C compiler.
    pub const CLANG: Self = Self { program: "clang", remedy: "`apt-get install clang` brings it" };
    /// The C compiler for a big-endian machine.
    pub const GCC_S390X: Self = Self {
        program: "s390x-linux-gnu-gcc",
        remedy: "`apt-get install gcc-s390x-linux-gnu libc6-dev-s390x-cross` brings it",
    };
    /// What runs its programs.
    pub const QEMU_S390X: Self = Self {
        program: "qemu-s390x-static",
        remedy: "`apt-get install qemu-user-static` brings it",
    };
    /// The C++ compiler.
    pub const GXX: Self = Self { program: "g++", remedy: "`apt-get install g++` brings it" };

    /// Go.
    pub const GO: Self = Self {
        program: "go",
        remedy: "install Go 1.25 or later as https://go.dev/doc/install says",
    };

    /// Maven.
    pub const MAVEN: Self = Self { program: "mvn", remedy: "`apt-get install maven` brings it" };
    /// The compiler of Java 17 or later.
    pub const JAVAC: Self =
        Self { program: "javac", remedy: "`apt-get install openjdk-17-jdk-headless` brings it" };
    /// What packs Java's classes.
    pub const JAR: Self =
        Self { program: "jar", remedy: "`apt-get install openjdk-17-jdk-headless` brings it" };

    /// Whether it is on the `PATH`.
    #[must_use]
    pub fn is_there(self) -> bool {
        let path = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&path).any(|folder| is_program(&folder.join(self.program)))
    }
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.with_extension("exe").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_on_the_path_or_not() {
        assert!(Tool::CARGO.is_there());
        assert!(!Tool { program: "no-such-program-of-anyone", remedy: "" }.is_there());
    }
}
