//! Machines that QEMU emulates: the prover built for them, and run under the watcher's eyes.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Record;
use crate::stage::skip;
use crate::workspace;

/// A machine that QEMU emulates.
pub(super) struct Machine {
    /// As `--only=` and the table name it.
    pub(super) name: &'static str,
    /// Rust's name for it.
    triple: &'static str,
    /// GNU's.
    gnu: &'static str,
    emulator: &'static str,
    /// What Debian calls the compiler and the C library.
    packages: &'static str,
}

pub(super) const MACHINES: [Machine; 3] = [
    Machine {
        name: "aarch64",
        triple: "aarch64-unknown-linux-gnu",
        gnu: "aarch64-linux-gnu",
        emulator: "qemu-aarch64",
        packages: "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    },
    Machine {
        name: "i686",
        triple: "i686-unknown-linux-gnu",
        gnu: "i686-linux-gnu",
        emulator: "qemu-i386",
        packages: "gcc-i686-linux-gnu libc6-dev-i386-cross",
    },
    Machine {
        name: "riscv64",
        triple: "riscv64gc-unknown-linux-gnu",
        gnu: "riscv64-linux-gnu",
        emulator: "qemu-riscv64",
        packages: "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross",
    },
];

/// The variable by which the prover finds what the watcher says, as in `prove/src/watched.rs`.
const FILE: &str = "CIPHERLANE_WATCHER";
/// The variable by which the watcher takes another version of QEMU's interface.
const VERSION: &str = "CIPHERLANE_WATCHER_VERSION";
/// Its versions so far, and some to come.
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=8;

impl Machine {
    fn root(&self) -> String {
        format!("/usr/{}", self.gnu)
    }

    /// Whether all that it takes is here; says so if not.
    pub(super) fn is_here(&self) -> bool {
        let what = format!("traces on {}", self.name);
        let starts =
            |program: &str| workspace::output(Command::new(program).arg("--version")).is_ok();
        if !workspace::has_target(self.triple) {
            skip(&what, &format!("rustup target add {}", self.triple));
        } else if !starts(&self.linker()) || !Path::new(&self.root()).exists() {
            skip(&what, &format!("apt-get install {}", self.packages));
        } else if !starts(self.emulator) {
            skip(&what, "apt-get install qemu-user");
        } else {
            return true;
        }
        false
    }

    fn linker(&self) -> String {
        format!("{}-gcc", self.gnu)
    }

    /// The prover for it.
    fn build(&self) -> Result<PathBuf, String> {
        let mut build = workspace::cargo(&["build", "--quiet", "--release"]);
        build.args(["-p", "cipherlane-prove", "--bin", "cipherlane-prove"]);
        build.args(["--target", self.triple, "--config"]);
        build.arg(format!("target.{}.linker=\"{}\"", self.triple, self.linker()));
        build.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        workspace::run(&mut build)?;
        Ok(workspace::target().join(self.triple).join("release/cipherlane-prove"))
    }
}

/// What one machine takes to run the prover: the watcher, and the version that the emulator has.
pub(super) struct Watched<'m> {
    machine: &'m Machine,
    program: PathBuf,
    plugin: PathBuf,
    version: u32,
}

impl<'m> Watched<'m> {
    pub(super) fn new(machine: &'m Machine, plugin: &Path) -> Result<Self, String> {
        let program = machine.build()?;
        let folder = workspace::scratch("prove");
        std::fs::create_dir_all(&folder).map_err(|it| format!("{}: {it}", folder.display()))?;
        let mut watched = Self { machine, program, plugin: plugin.to_owned(), version: 1 };
        let mut said = String::new();
        for version in VERSIONS {
            watched.version = version;
            match workspace::output(&mut watched.command(&["claims"], "claims")) {
                Ok(_) => return Ok(watched),
                Err(error) => said = error,
            }
        }
        Err(format!("{} does not take the watcher: {said}", machine.emulator))
    }

    fn command(&self, arguments: &[&str], name: &str) -> Command {
        let said = workspace::scratch("prove").join(format!("{}-{name}", self.machine.name));
        let mut command = Command::new(self.machine.emulator);
        command.args(["-L", &self.machine.root(), "-plugin"]);
        command.arg(format!("{},out={}", self.plugin.display(), said.display()));
        command.arg(&self.program).args(arguments);
        command.env(FILE, &said).env(VERSION, self.version.to_string());
        command.env_remove("CIPHERLANE_LEVEL");
        command
    }

    /// The records of a check, by as many processes as there are cores.
    pub(super) fn records(&self, check: &str, quick: bool) -> Result<Vec<Record>, String> {
        let shares = std::thread::available_parallelism().map_or(1, usize::from);
        let one = |share: usize| {
            let (name, share) = (format!("{check}-{share}"), format!("{share}/{shares}"));
            let mut arguments = vec![check, "--share", &share];
            arguments.extend(quick.then_some("--quick"));
            let output = self.command(&arguments, &name).output();
            let output = output.map_err(|error| error.to_string())?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let records = text.lines().map(Record::parse).collect::<Result<Vec<_>, _>>()?;
            if !output.status.success() && records.iter().all(Record::passed) {
                let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                return Err(format!("{check} ended with {}: {why}", output.status));
            }
            Ok(records)
        };
        let all = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..shares).map(|share| scope.spawn(move || one(share))).collect();
            let ended = threads.into_iter().map(|thread| {
                thread.join().unwrap_or_else(|_| Err(format!("{check}: a thread panicked")))
            });
            ended.collect::<Result<Vec<_>, String>>()
        })?;
        Ok(all.into_iter().flatten().collect())
    }
}
