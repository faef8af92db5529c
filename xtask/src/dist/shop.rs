//! Where artefacts are made: a copy of the sources, a folder of what is compiled, one of what comes
//! out, and how the compiler is called so that all of it comes out the same anywhere.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::identity::Identity;
use super::tree::{self, fault};
use super::{Fault, folder, tools};
use crate::outcome::Outcome;
use crate::workspace;

/// What is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// As the compiler calls it.
    pub(super) triple: &'static str,
    /// As packages call the machine: Rust, Python, Java and RPM.
    pub(super) machine: &'static str,
    /// As Debian does.
    pub(super) debian: &'static str,
}

impl Target {
    /// Whether its C library is musl, that of Alpine Linux.
    pub(super) fn is_musl(self) -> bool {
        self.triple.ends_with("-musl")
    }

    /// Flags for a library of it that others load: for musl the compiler makes static programs unless
    /// it is told so.
    pub(super) fn shared(self) -> &'static [&'static str] {
        if self.is_musl() { &["-Ctarget-feature=-crt-static"] } else { &[] }
    }
}

pub(super) const X86_MUSL: Target =
    Target { triple: "x86_64-unknown-linux-musl", machine: "x86_64", debian: "amd64" };
pub(super) const ARM_MUSL: Target =
    Target { triple: "aarch64-unknown-linux-musl", machine: "aarch64", debian: "arm64" };
pub(super) const X86_GNU: Target =
    Target { triple: "x86_64-unknown-linux-gnu", machine: "x86_64", debian: "amd64" };
pub(super) const WASM: Target =
    Target { triple: "wasm32-unknown-unknown", machine: "wasm32", debian: "" };
pub(super) const ARM_GNU: Target =
    Target { triple: "aarch64-unknown-linux-gnu", machine: "aarch64", debian: "arm64" };

/// The oldest C library of GNU that libraries are linked for: the oldest that Rust itself bears.
pub(super) const GLIBC: &str = "2.17";

/// A place for one making of everything.
pub(crate) struct Shop {
    pub(super) identity: Identity,
    /// What artefacts go to.
    pub(super) out: PathBuf,
    /// Anything else that is made on the way; `trees` in it are what archives are made of.
    pub(super) work: PathBuf,
    /// Whether it is made to try the making: with two levels of x86, and little optimised.
    short: bool,
    /// Seconds since 1970 that all files in archives have.
    pub(super) epoch: String,
    /// The last commit, which the program names.
    commit: String,
    /// Programs that were built in this run.
    programs: RefCell<BTreeMap<&'static str, PathBuf>>,
    /// Held by the first shop: one making at a time has the folders under `/tmp`.
    _lock: Option<File>,
}

/// The time of what is made: SOURCE_DATE_EPOCH, or the last commit's.
fn epoch() -> Result<String, String> {
    if let Ok(named) = std::env::var("SOURCE_DATE_EPOCH") {
        let digits = !named.is_empty() && named.bytes().all(|byte| byte.is_ascii_digit());
        return if digits {
            Ok(named)
        } else {
            Err(format!("SOURCE_DATE_EPOCH is `{named}`; it must be a number of seconds"))
        };
    }
    of_git(&["log", "-1", "--format=%ct"])
}

/// One line that git says of this checkout.
fn of_git(words: &[&str]) -> Result<String, String> {
    let mut git = Command::new("git");
    workspace::output(git.current_dir(workspace::root()).args(words))
        .map(|line| line.trim().to_owned())
}

#[cfg(unix)]
fn linked(to: &Path, link: &Path) -> Outcome {
    std::os::unix::fs::symlink(to, link).map_err(fault(link))
}

#[cfg(not(unix))]
fn linked(_: &Path, link: &Path) -> Outcome {
    Err(format!("{}: artefacts are made on Linux", link.display()))
}

/// Makes a folder that this user alone may write, or sees that it is one: everybody may make folders
/// in `/tmp`, and who has that of the sources decides what is compiled.
#[cfg(unix)]
fn private(folder: &Path, mine: &Path) -> Outcome {
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};

    if folder.is_symlink() {
        fs::remove_file(folder).map_err(fault(folder))?;
    }
    if !folder.exists() {
        return fs::DirBuilder::new().mode(0o700).create(folder).map_err(fault(folder));
    }
    let told = fs::symlink_metadata(folder).map_err(fault(folder))?;
    let me = fs::metadata(mine).map_err(fault(mine))?.uid();
    if told.uid() == me && told.mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(format!(
        "{} is of user {} with mode {:o}; the sources are compiled there, so it must be of user {me} \
         with mode 700: remove it",
        folder.display(),
        told.uid(),
        told.mode() & 0o7777
    ))
}

#[cfg(not(unix))]
fn private(folder: &Path, _: &Path) -> Outcome {
    Err(format!("{}: artefacts are made on Linux", folder.display()))
}

impl Shop {
    /// Opens a place of that name, with the sources as they are now; the first one's artefacts go to
    /// `target/dist`. `short` is to try the making.
    pub(super) fn open(name: &str, short: bool) -> Result<Self, String> {
        let mut shop = Self::at(name, short)?;
        let path = shop.named("-lock");
        let mut open = File::options();
        // Never emptied, whatever somebody else may have laid there.
        let lock = open.create(true).write(true).truncate(false).open(&path);
        let lock = lock.map_err(fault(&path))?;
        match lock.try_lock() {
            Ok(()) => shop._lock = Some(lock),
            Err(TryLockError::WouldBlock) => {
                let place = shop.sources();
                return Err(format!(
                    "another `cargo xtask dist` compiles in {}; wait for its end",
                    place.display()
                ));
            }
            Err(TryLockError::Error(error)) => return Err(fault(&path)(error)),
        }
        shop.occupy()?;
        Ok(shop)
    }

    fn at(name: &str, short: bool) -> Result<Self, String> {
        let identity = Identity::read()?;
        let work = workspace::scratch("dist").join(name);
        let out = if name == "first" { folder() } else { work.join("out") };
        for folder in [&out, &work.join("build")] {
            fs::create_dir_all(folder).map_err(fault(folder))?;
        }
        let commit = of_git(&["rev-parse", "--short=12", "HEAD"])?;
        Ok(Self {
            identity,
            out,
            work,
            short,
            epoch: epoch()?,
            commit,
            programs: RefCell::default(),
            _lock: None,
        })
    }

    /// The copy of the sources, at a path that is the same anywhere. Cargo makes the names of symbols
    /// from the paths of crates outside a workspace, as the library is to its bindings. No link:
    /// maturin and build scripts follow those.
    pub(super) fn sources(&self) -> PathBuf {
        self.named("")
    }

    /// A path under `/tmp` of this version.
    fn named(&self, end: &str) -> PathBuf {
        let short = if self.short { "-short" } else { "" };
        PathBuf::from(format!("/tmp/cipherlane-{}{short}{end}", self.identity.version))
    }

    /// Brings the copy up to date, and points the path of what is compiled at this shop's.
    fn occupy(&self) -> Outcome {
        private(&self.sources(), &self.work)?;
        self.refresh()?;
        let link = self.target_dir();
        if link.is_symlink() {
            fs::remove_file(&link).map_err(fault(&link))?;
        }
        linked(&self.work.join("build"), &link)
    }

    /// A folder of files for an archive, empty.
    pub(super) fn tree(&self, name: &str) -> Result<PathBuf, String> {
        let tree = self.work.join("trees").join(name);
        tree::fresh(&tree)?;
        Ok(tree)
    }

    /// A folder in which something is installed and tried, empty, outside of our sources.
    pub(super) fn clean(&self, name: &str) -> Result<PathBuf, String> {
        let clean = std::env::temp_dir().join(format!("cipherlane-try-{}", std::process::id()));
        let clean = clean.join(name);
        tree::fresh(&clean)?;
        Ok(clean)
    }

    /// Both licences, into a folder.
    pub(super) fn licences(&self, folder: &Path) -> Outcome {
        ["LICENSE-MIT", "LICENSE-APACHE"]
            .into_iter()
            .try_for_each(|name| tree::copy(&self.sources().join(name), &folder.join(name)))
    }

    /// Brings the copy up to date: packages of registries have something else in it than the
    /// repository has (addresses, links), and the program knows its sources by their content.
    pub(super) fn refresh(&self) -> Outcome {
        tree::refresh(&self.sources())
    }

    /// A program, built once in a run: packages have the very one that its archive has.
    pub(super) fn once(
        &self,
        target: Target,
        build: impl FnOnce() -> Result<PathBuf, Fault>,
    ) -> Result<PathBuf, Fault> {
        if let Some(program) = self.programs.borrow().get(target.triple) {
            return Ok(program.clone());
        }
        let built = build()?;
        self.programs.borrow_mut().insert(target.triple, built.clone());
        Ok(built)
    }

    /// A place for the same once more, from nothing, with another copy of the sources; this one's
    /// stands aside until `back`, so that its files keep their times and nothing is compiled again for
    /// them.
    pub(super) fn another(&self) -> Result<Self, String> {
        let other = Self::at(if self.short { "short-again" } else { "again" }, self.short)?;
        tree::fresh(&other.work.join("build"))?;
        let (place, aside) = (self.sources(), self.named("-aside"));
        if aside.exists() {
            fs::remove_dir_all(&aside).map_err(fault(&aside))?;
        }
        fs::rename(&place, &aside).map_err(fault(&aside))?;
        other.occupy()?;
        Ok(other)
    }

    /// Brings this shop's copy of the sources back.
    pub(super) fn back(&self) -> Outcome {
        let (place, aside) = (self.sources(), self.named("-aside"));
        fs::remove_dir_all(&place).map_err(fault(&place))?;
        fs::rename(&aside, &place).map_err(fault(&aside))?;
        self.occupy()
    }

    /// Where a target's libraries and programs are.
    pub(super) fn built(&self, target: Target) -> PathBuf {
        self.target_dir().join(target.triple).join("release")
    }

    /// A link, as `/tmp` may be small: build scripts are told this path, and write it into sources
    /// that they make.
    pub(super) fn target_dir(&self) -> PathBuf {
        self.named("-build")
    }

    /// Flags for the compiler: no path of this machine gets into what it writes.
    pub(super) fn flags(&self, more: &[&str]) -> Result<String, String> {
        let mut rustc = Command::new("rustc");
        rustc.current_dir(workspace::root()).args(["--print", "sysroot"]);
        let sysroot = workspace::output(&mut rustc)?;
        let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
        let mut flags = vec!["-Csymbol-mangling-version=v0".to_owned()];
        let mut remap = |from: &Path, to: &str| {
            flags.push(format!("--remap-path-prefix={}={to}", from.display()));
        };
        // The last that fits is taken.
        if let Some(home) = home {
            remap(&home, "/cargo");
        }
        remap(Path::new(sysroot.trim()), "/rust");
        remap(&self.sources(), "/cipherlane");
        remap(&self.work.join("build"), "/build");
        remap(&self.target_dir(), "/build");
        if self.short {
            flags.push("--cfg=cipherlane_few_levels".to_owned());
        }
        flags.extend(more.iter().map(|&flag| flag.to_owned()));
        Ok(flags.join(" "))
    }

    /// Settles a command that compiles: what stands in the environment of whoever runs this must not
    /// matter.
    pub(super) fn settle(&self, command: &mut Command, flags: &[&str]) -> Outcome {
        for variable in ["CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET"] {
            command.env_remove(variable);
        }
        command.env("RUSTFLAGS", self.flags(flags)?).env("SOURCE_DATE_EPOCH", &self.epoch);
        // The copy is no checkout; and what is built is shipped, so that it looks for nothing there.
        command.env("CIPHERLANE_COMMIT", &self.commit);
        if self.short {
            command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
        }
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_RELEASE_INCREMENTAL", "false");
        Ok(())
    }

    /// Cargo's `rustc` of a program of the sources, static, by the linker that comes with the
    /// compiler.
    pub(super) fn static_build(
        &self,
        target: Target,
        manifest: &str,
        program: &str,
    ) -> Result<Command, String> {
        let mut command = workspace::cargo(&["rustc", "--release", "--locked", "--quiet"]);
        command.arg("--manifest-path").arg(self.sources().join(manifest));
        command.args(["--target", target.triple, "--target-dir"]).arg(self.target_dir());
        command.arg("--config").arg(format!("target.{}.linker=\"rust-lld\"", target.triple));
        self.settle(&mut command, &["-Clink-self-contained=yes"])?;
        // In musl the functions of `libdl` are in the C library, whatever crates ask for.
        let empty = self.target_dir().join("empty");
        tree::write(&empty.join("libdl.a"), "!<arch>\n")?;
        command.args(["--bin", program, "--"]).arg(format!("-Lnative={}", empty.display()));
        Ok(command)
    }

    /// Cargo on a manifest of the sources for a library, linked for an old C library of GNU or for musl:
    /// `verb` is `build` or `rustc`.
    pub(super) fn library_build(
        &self,
        target: Target,
        manifest: &str,
        verb: &str,
    ) -> Result<Command, Fault> {
        let programs = tools::python()?;
        let mut command = Command::new(programs.join("cargo-zigbuild"));
        command.current_dir(workspace::root());
        command.arg(if verb == "build" { "zigbuild" } else { verb });
        command.args(["--release", "--locked", "--quiet", "--lib"]);
        command.arg("--manifest-path").arg(self.sources().join(manifest));
        command.args(["--target-dir"]).arg(self.target_dir());
        let oldest = if target.is_musl() { String::new() } else { format!(".{GLIBC}") };
        command.arg("--target").arg(format!("{}{oldest}", target.triple));
        // Lines of the debugger are for who measures here.
        command.args(["--config", "profile.release.debug=false"]);
        self.settle(&mut command, target.shared())?;
        command.env("PATH", tools::path_with(&programs)?);
        Ok(command)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_folder_of_sources_is_writable_by_its_user_alone() {
        let folder = workspace::scratch("shop-test");
        tree::fresh(&folder).unwrap();
        let (place, elsewhere) = (folder.join("place"), folder.join("elsewhere"));
        fs::create_dir(&elsewhere).unwrap();
        linked(&elsewhere, &place).unwrap();
        // A link gives way to a folder, which is then kept as it is.
        private(&place, &folder).unwrap();
        tree::write(&place.join("kept"), "1").unwrap();
        private(&place, &folder).unwrap();
        assert!(!place.is_symlink() && place.join("kept").exists() && elsewhere.exists());
        let mode = |mode| fs::set_permissions(&place, fs::Permissions::from_mode(mode)).unwrap();
        for open in [0o755, 0o770, 0o702] {
            mode(open);
            let error = private(&place, &folder).unwrap_err();
            assert!(
                error.contains(&format!("mode {open:o}")) && error.contains("remove"),
                "{error}"
            );
        }
        mode(0o700);
        private(&place, &folder).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }
}
