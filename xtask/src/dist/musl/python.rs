//! A Python for musl, which no package of a registry has: compiled from Debian's sources once, with
//! what the standard library needs nothing else for. It has no `pip`, as there is no zlib.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Musl, REMEDY, SUITE, kept};
use crate::bindings::python_versions::interpreter;
use crate::debian;
use crate::dist::Fault;
use crate::dist::pack::{quiet, untar};
use crate::dist::tools;
use crate::dist::tree::{self, fault};

/// The suite's version. One of its kind runs what the making of the other needs.
pub(in crate::dist) const VERSION: &str = "3.13";

/// Questions that `configure` would put to a program of the other system.
const ANSWERS: [&str; 2] = ["ac_cv_file__dev_ptmx=no", "ac_cv_file__dev_ptc=no"];

/// The sources in a folder.
fn sources(musl: &Musl, work: &Path) -> Result<PathBuf, String> {
    let (packages, root) = (work.join("packages"), work.join("sources"));
    tree::fresh(&packages)?;
    tree::fresh(&root)?;
    let suite = debian::Suite { name: SUITE, architecture: musl.target.debian };
    suite.sources(&work.join("apt"), &packages, &format!("python{VERSION}"))?;
    let all = tree::files(&packages)?;
    let archive = all.iter().find(|it| it.to_string_lossy().ends_with(".orig.tar.xz"));
    untar(
        &packages.join(archive.ok_or_else(|| format!("no archive of sources: {all:?}"))?),
        &root,
    )?;
    let mut folders = fs::read_dir(&root).map_err(fault(&root))?;
    let folder = folders.next().ok_or_else(|| format!("{} is empty", root.display()))?;
    Ok(folder.map_err(fault(&root))?.path())
}

/// Compiles it.
fn build(musl: &Musl, here: &Path, sources: &Path) -> Result<(), Fault> {
    let zig = tools::zig()?;
    let tool = |name: &str| format!("{} {name}", zig.display());
    let mut configure = Command::new(sources.join("configure"));
    configure.current_dir(sources);
    configure.arg(format!("--build={}-pc-linux-gnu", std::env::consts::ARCH));
    configure.arg(format!("--host={}-linux-musl", musl.target.machine));
    configure.arg(format!("--with-build-python={}", here.display())).args(ANSWERS);
    configure.args(["--disable-test-modules", "--without-ensurepip", "--enable-ipv6"]);
    for variable in ["CPPFLAGS", "PYTHONPATH", "PYTHONHOME"] {
        configure.env_remove(variable);
    }
    // Modules are in the program, and libraries of this system are none of the other's.
    configure.env("MODULE_BUILDTYPE", "static").env("PKG_CONFIG", "false");
    configure.env("CC", musl.compiler()?).env("AR", tool("ar")).env("RANLIB", tool("ranlib"));
    // It tells when it was compiled, which Zig takes for a fault.
    configure.env("OPT", "-O1").env("CFLAGS", "-Wno-date-time").env("LDFLAGS", musl.linker());
    quiet(&mut configure)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut make = Command::new("make");
    make.arg(format!("-j{cores}")).args(["python", "pybuilddir.txt"]).current_dir(sources);
    quiet(&mut make)?;
    Ok(())
}

/// Program and library where the program looks for them.
fn install(sources: &Path, to: &Path) -> Result<(), String> {
    let library = to.join("lib").join(format!("python{VERSION}"));
    tree::copy(&sources.join("python"), &to.join("bin/python3"))?;
    let all = sources.join("Lib");
    for file in tree::files(&all)? {
        let skipped = file.starts_with("test") || file.starts_with("idlelib");
        if !skipped {
            tree::copy(&all.join(&file), &library.join(&file))?;
        }
    }
    let settings = sources.join("pybuilddir.txt");
    let settings = fs::read_to_string(&settings).map_err(fault(&settings))?;
    let settings = sources.join(settings.trim());
    for file in tree::files(&settings)? {
        tree::copy(&settings.join(&file), &library.join(&file))?;
    }
    // Without it the program says that it is not whole.
    fs::create_dir_all(library.join("lib-dynload")).map_err(fault(&library))
}

impl Musl {
    /// The program, made now unless it is there.
    pub(in crate::dist) fn python(&self) -> Result<PathBuf, Fault> {
        let name = format!("python-{VERSION}-musl-{}", self.target.machine);
        let folder = kept()?.join(&name);
        let program = folder.join("bin/python3");
        if program.exists() {
            return Ok(program);
        }
        let here = interpreter(VERSION).ok_or_else(|| {
            Fault::missing(format!("{name}: no Python {VERSION} here"), "such an interpreter")
        })?;
        println!("   {name}, compiled from Debian's sources: minutes, once");
        let work = folder.with_extension("new");
        tree::fresh(&work)?;
        let sources = sources(self, &work)
            .map_err(|why| Fault::missing(format!("{name}: {}", why.trim()), REMEDY))?;
        build(self, &here, &sources)?;
        let whole = work.join("whole");
        install(&sources, &whole)?;
        let mut first = self.starts(&whole.join("bin/python3"));
        quiet(first.args(["-I", "-c", "import sysconfig, importlib.metadata, subprocess"]))?;
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(fault(&folder))?;
        }
        fs::rename(&whole, &folder).map_err(fault(&folder))?;
        fs::remove_dir_all(&work).map_err(fault(&work))?;
        Ok(program)
    }
}
