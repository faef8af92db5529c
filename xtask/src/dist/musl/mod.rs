//! Trials with musl on a system of another C library: Debian's musl beside that one, and programs in C
//! compiled for it. Those of another machine are emulated.

mod python;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::pack::quiet;
use super::shop::Target;
use super::tree::{self, fault};
use super::{Fault, tools};
use crate::{debian, workspace};

pub(super) use python::VERSION;

/// What fetches it: signatures are checked.
const SUITE: &str = "trixie";
const REMEDY: &str = "apt-get and Debian's packages, or a mirror of them";

/// A musl to run programs by.
pub(super) struct Musl {
    target: Target,
    /// The loader, which is the C library.
    loader: PathBuf,
}

/// The folder that peers are kept in, too.
fn kept() -> Result<PathBuf, Fault> {
    Ok(recipes::folder().map_err(|error| error.to_string())?)
}

/// Debian's package, unpacked, and of it the one file that a program needs.
fn fetch(target: Target, to: &Path) -> Result<(), String> {
    let work = to.with_extension("new");
    tree::fresh(&work)?;
    let packages = work.join("packages");
    tree::fresh(&packages)?;
    let suite = debian::Suite { name: SUITE, architecture: target.debian };
    suite.download(&work.join("apt"), &packages, &["musl".to_owned()])?;
    let root = work.join("root");
    for package in tree::files(&packages)? {
        let mut unpack = Command::new("dpkg-deb");
        quiet(unpack.arg("-x").arg(packages.join(package)).arg(&root))?;
    }
    let all = tree::files(&root)?;
    // It has moved from /lib to /usr/lib.
    let library = all.iter().find(|it| it.ends_with("libc.so") && !root.join(it).is_symlink());
    let library = library.ok_or_else(|| format!("Debian's musl has no libc.so: {all:?}"))?;
    tree::copy(&root.join(library), to)?;
    fs::remove_dir_all(&work).map_err(fault(&work))
}

impl Musl {
    /// That of a target, fetched now unless it is there.
    pub(super) fn of(target: Target) -> Result<Self, Fault> {
        let file = format!("ld-musl-{}.so.1", target.machine);
        let musl = Self { target, loader: kept()?.join(format!("musl-{SUITE}")).join(file) };
        if musl.foreign() && !tools::has(&musl.emulator()) {
            let what = format!("programs for {}", target.triple);
            return Err(Fault::missing(what, "apt-get install qemu-user"));
        }
        if !musl.loader.exists() {
            fetch(target, &musl.loader).map_err(|why| {
                Fault::missing(format!("musl for {}: {}", target.machine, why.trim()), REMEDY)
            })?;
        }
        Ok(musl)
    }

    /// Whether its programs need an emulator here.
    fn foreign(&self) -> bool {
        self.target.machine != std::env::consts::ARCH
    }

    /// How this machine runs programs for another one.
    fn emulator(&self) -> String {
        format!("qemu-{}", self.target.machine)
    }

    /// What starts a program of it.
    pub(super) fn starts(&self, program: &Path) -> Command {
        if !self.foreign() {
            return Command::new(program);
        }
        let mut command = Command::new(self.emulator());
        command.arg(program);
        command
    }

    /// What is said of how it ran.
    pub(super) fn how(&self) -> String {
        let emulated = if self.foreign() { ", emulated" } else { "" };
        format!("musl on {}{emulated}", self.target.machine)
    }

    /// The compiler for C and its words, as one line: programs that look for this loader.
    fn compiler(&self) -> Result<String, Fault> {
        let (zig, machine) = (tools::zig()?, self.target.machine);
        Ok(format!("{} cc -target {machine}-linux-musl -dynamic", zig.display()))
    }

    /// Tells the linker of the loader.
    fn linker(&self) -> String {
        format!("-Wl,--dynamic-linker={}", self.loader.display())
    }

    /// Compiles a program in C.
    pub(super) fn compile(&self, source: &Path, to: &Path) -> Result<(), Fault> {
        let line = self.compiler()?;
        let mut words = line.split(' ');
        let mut compiler = Command::new(words.next().unwrap_or_default());
        compiler.args(words).args(["-O1", "-Wall", "-Wextra", "-Werror", self.linker().as_str()]);
        compiler.arg(source).arg("-o").arg(to).current_dir(workspace::root());
        quiet(&mut compiler)?;
        Ok(())
    }
}
