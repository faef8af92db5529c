//! The programs that recipes call.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program, and what brings it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name on the `PATH`.
    pub program: &'static str,
    /// What brings it.
    pub remedy: &'static str,
    /// Of a compiler: what it must make a program with; its name is enough where there is nothing.
    pub flags: &'static [&'static str],
}

/// The 32-bit C library and compiler library.
const MULTILIB: &str = "`apt-get install gcc-multilib` brings the 32-bit C library";

impl Tool {
    /// A program that is asked for by its name.
    #[must_use]
    pub const fn named(program: &'static str, remedy: &'static str) -> Self {
        Self { program, remedy, flags: &[] }
    }

    /// Debian's package client.
    pub const APT_GET: Self =
        Self::named("apt-get", "this engine comes from Debian's packages only");
    /// What unpacks Debian's packages.
    pub const DPKG_DEB: Self = Self::named("dpkg-deb", "`apt-get install dpkg` brings it");
    /// Rust's package client.
    pub const CARGO: Self = Self::named("cargo", "install Rust as https://rustup.rs says");
    /// Python 3, with `pip` where wheels are fetched.
    pub const PYTHON: Self =
        Self::named("python3", "`apt-get install python3 python3-pip` brings it");
    /// Perl 5.
    pub const PERL: Self = Self::named("perl", "`apt-get install perl` brings it");
    /// Make.
    pub const MAKE: Self = Self::named("make", "`apt-get install make` brings it");
    /// The C compiler.
    pub const GCC: Self = Self::named("gcc", "`apt-get install gcc` brings it");
    /// The other C compiler.
    pub const CLANG: Self = Self::named("clang", "`apt-get install clang` brings it");
    /// The C compiler for a big-endian machine.
    pub const GCC_S390X: Self = Self::named(
        "s390x-linux-gnu-gcc",
        "`apt-get install gcc-s390x-linux-gnu libc6-dev-s390x-cross` brings it",
    );
    /// What runs its programs.
    pub const QEMU_S390X: Self =
        Self::named("qemu-s390x-static", "`apt-get install qemu-user-static` brings it");
    /// The C compiler for 32-bit programs of this machine, which need a C library of their own.
    pub const GCC_M32: Self = Self { flags: &["-m32", "-static"], ..Self::named("gcc", MULTILIB) };
    /// The same of the other compiler.
    pub const CLANG_M32: Self =
        Self { flags: &["-m32", "-static"], ..Self::named("clang", MULTILIB) };
    /// The C++ compiler.
    pub const GXX: Self = Self::named("g++", "`apt-get install g++` brings it");

    /// Go.
    pub const GO: Self =
        Self::named("go", "install Go 1.25 or later as https://go.dev/doc/install says");

    /// Maven.
    pub const MAVEN: Self = Self::named("mvn", "`apt-get install maven` brings it");
    /// The compiler of Java 17 or later.
    pub const JAVAC: Self =
        Self::named("javac", "`apt-get install openjdk-17-jdk-headless` brings it");
    /// What packs Java's classes.
    pub const JAR: Self = Self::named("jar", "`apt-get install openjdk-17-jdk-headless` brings it");

    /// Whether it is on the `PATH`.
    #[must_use]
    pub fn is_on_path(self) -> bool {
        let path = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&path).any(|folder| is_program(&folder.join(self.program)))
    }

    /// Whether it is on the `PATH` and can do what it is needed for.
    #[must_use]
    pub fn is_there(self) -> bool {
        self.is_on_path() && (self.flags.is_empty() || self.links())
    }

    /// Whether it makes a program with its flags.
    fn links(self) -> bool {
        let Ok(folder) = tempfile::tempdir() else { return false };
        let source = folder.path().join("empty.c");
        // Headers of the C library may be absent as well as the library itself.
        let text = "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n";
        if fs::write(&source, text).is_err() {
            return false;
        }
        let mut compile = Command::new(self.program);
        compile.args(self.flags).arg("-o").arg(folder.path().join("empty")).arg(&source);
        compile.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        compile.status().is_ok_and(|status| status.success())
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
        assert!(!Tool::named("no-such-program-of-anyone", "").is_there());
    }

    #[test]
    fn a_compiler_is_there_if_it_makes_what_it_must() {
        if !Tool::GCC.is_there() {
            println!("SKIP: gcc is not on the PATH; {}", Tool::GCC.remedy);
            return;
        }
        assert!(Tool { flags: &["-O1"], ..Tool::GCC }.is_there());
        let never = Tool { flags: &["-l-no-such-library-of-anyone"], ..Tool::GCC };
        assert!(never.is_on_path() && !never.is_there());
    }
}
