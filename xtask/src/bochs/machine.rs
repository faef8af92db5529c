//! The emulated machine: what it is made of, and a run of it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::disk;
use super::packages::Packages;
use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

/// Bochs's name of a CPU with GFNI and AVX-512.
pub(crate) const TIGER_LAKE: &str = "tigerlake";
/// Bochs's name of a CPU with the SM4 instructions and without AVX-512.
pub(crate) const ARROW_LAKE: &str = "arrow_lake";

/// An emulator that ends with its owner.
struct Emulator(Child);

impl Drop for Emulator {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Bochs, a kernel and the first process.
pub(crate) struct Machine {
    folder: PathBuf,
    packages: Packages,
    init: PathBuf,
}

impl Machine {
    /// Fetches the packages, unless they are there, and compiles the first process.
    pub(crate) fn new() -> Result<Self, String> {
        let folder = workspace::scratch("bochs");
        let say = |error| format!("cannot make {}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(say)?;
        stage("Bochs and a kernel", Duration::from_secs(180), || {
            let packages = Packages::here(&folder)?;
            let init = folder.join("init");
            let mut rustc = Command::new("rustc");
            rustc.args(["--edition=2024", "-O", "-Ctarget-feature=+crt-static", "-Cstrip=symbols"]);
            rustc.current_dir(workspace::root()).arg("xtask/bochs/init.rs").arg("-o").arg(&init);
            workspace::run(&mut rustc)?;
            Ok(Self { folder, packages, init })
        })
    }

    /// What the machine finds when it starts: a program, its arguments, and other files.
    pub(crate) fn first_files(
        &self,
        program: &Path,
        arguments: &[&str],
        more: Vec<disk::File>,
    ) -> Result<Vec<u8>, String> {
        let data = fs::read(program).map_err(|error| format!("{}: {error}", program.display()))?;
        let lines = arguments.join("\n").into_bytes();
        let mut files = vec![("program".to_owned(), data), ("arguments".to_owned(), lines)];
        files.extend(more);
        disk::first_files(&self.init, &files)
    }

    /// A static program that mounts file systems.
    pub(crate) fn busybox(&self) -> Result<disk::File, String> {
        let path = self.packages.file("usr/bin/busybox");
        let data = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(("busybox".into(), data))
    }

    /// Where what the serial port said in a run of that name stays.
    pub(crate) fn serial(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.txt"))
    }

    /// Where the files that a run of that name began with stay.
    pub(super) fn began_with(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.initrd"))
    }

    /// Boots a machine of that CPU and waits until `verdict` has one, of what the serial port said, or for
    /// so long at most.
    pub(crate) fn run<T>(
        &self,
        model: &str,
        name: &str,
        first: &[u8],
        most: Duration,
        verdict: impl Fn(&str) -> Option<Result<T, String>>,
    ) -> Result<T, String> {
        let serial = self.serial(name);
        write(&serial, b"")?;
        write(&self.began_with(name), first)?;
        let disk = disk::make(&self.folder, &self.packages, first)?;
        let mut emulator = self.boot(model, &disk, &serial)?;
        let start = Instant::now();
        loop {
            let ended = emulator.0.try_wait().is_ok_and(|status| status.is_some());
            let text = String::from_utf8_lossy(&fs::read(&serial).unwrap_or_default()).into_owned();
            if let Some(verdict) = verdict(&text) {
                return verdict.map_err(|error| format!("{error}; see {}", serial.display()));
            }
            if ended || start.elapsed() > most {
                let minutes = most.as_secs() / 60;
                let how =
                    if ended { "Bochs ended" } else { &format!("{minutes} minutes are over") };
                return Err(format!("{how} before the program did; see {}", serial.display()));
            }
            sleep(Duration::from_secs(1));
        }
    }

    fn boot(&self, model: &str, disk: &Path, serial: &Path) -> Result<Emulator, String> {
        let Self { folder, packages, .. } = self;
        let settings = folder.join("bochsrc");
        let share = packages.file("usr/share/bochs");
        let lines = [
            "display_library: rfb, options=\"timeout=0\"".to_string(),
            format!("cpu: model={model}, count=1, ips=50000000, reset_on_triple_fault=0"),
            "memory: guest=512, host=512".into(),
            format!("romimage: file={}/BIOS-bochs-latest", share.display()),
            format!("vgaromimage: file={}/VGABIOS-lgpl-latest", share.display()),
            format!("ata0-master: type=cdrom, path={}, status=inserted", disk.display()),
            "boot: cdrom".into(),
            format!("com1: enabled=1, mode=file, dev={}", serial.display()),
            "clock: sync=none, time0=utc".into(),
            format!("log: {}", folder.join(format!("{model}.log")).display()),
            "panic: action=fatal".into(),
        ];
        write(&settings, lines.join("\n").as_bytes())?;
        let said = File::create(folder.join("bochs.out"))
            .map_err(|error| format!("cannot write in {}: {error}", folder.display()))?;
        let mut bochs = packages.program("usr/bin/bochs-bin");
        bochs.args(["-q", "-f"]).arg(&settings).current_dir(folder).stdin(Stdio::null());
        bochs.stderr(Stdio::null()).stdout(said);
        let child = bochs.spawn().map_err(|error| format!("Bochs does not start: {error}"))?;
        Ok(Emulator(child))
    }
}

fn write(path: &Path, data: &[u8]) -> Outcome {
    fs::write(path, data).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
