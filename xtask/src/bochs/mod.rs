//! `cargo xtask bochs`: the lanes and the published vectors of SM4 on CPUs that this one is not, in
//! the emulator Bochs, which has the SM4 instructions and AVX-512. Once before a release.
//!
//! Bochs, a kernel and what makes a disk are packages of Debian 13, fetched by apt-get into a folder
//! of their own with sources of their own and compared with `xtask/bochs/packages.sums`. They run
//! with the C library that is among them; nothing is installed.

mod disk;
mod packages;
mod verdict;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;
use packages::Packages;

/// Bochs's name of a CPU, and the levels that must be found on it.
const MODELS: [(&str, &str); 2] = [
    ("arrow_lake", "portable aesni avx2 avx2-gfni avx2-sm4"),
    ("tigerlake", "portable aesni avx2 avx2-gfni avx512"),
];

/// How long one machine may run.
const MOST: Duration = Duration::from_secs(3600);

/// An emulator that ends with its owner.
struct Machine(Child);

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn run(_: &[String]) -> Outcome {
    let folder = workspace::scratch("bochs");
    let say = |error| format!("cannot make {}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(say)?;
    let minutes = |count: u64| Duration::from_secs(60 * count);
    let packages = stage("Bochs and a kernel", minutes(3), || Packages::here(&folder))?;
    let programs = stage("test programs", minutes(3), programs)?;
    for (model, levels) in MODELS {
        stage(model, minutes(15), || boot(&folder, &packages, &programs, model, levels))?;
    }
    Ok(())
}

/// Builds the programs, which need no file of any system.
fn programs() -> Result<Vec<(&'static str, PathBuf)>, String> {
    let static_c = "-Csymbol-mangling-version=v0 -Ctarget-feature=+crt-static -Cstrip=symbols";
    let target = workspace::scratch("bochs-programs");
    let mut built = Vec::new();
    let library = ["-p", "cipherlane", "--no-default-features", "--features=std,sm4"];
    for (name, arguments) in
        [("agree", &["-p", "cipherlane-lanes"][..]), ("self_test", &library), ("vectors", &library)]
    {
        let mut test = workspace::cargo(&["test", "--release", "--no-run", "--quiet"]);
        test.args(arguments).args(["--test", name, "--message-format=json", "--target"]);
        test.arg("x86_64-unknown-linux-gnu").arg("--target-dir").arg(&target);
        let text = workspace::output(test.env("RUSTFLAGS", static_c))?;
        let path = text
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter(|message| message["target"]["name"] == name)
            .find_map(|message| message["executable"].as_str().map(PathBuf::from))
            .ok_or_else(|| format!("cargo names no program for the test `{name}`"))?;
        built.push((name, path));
    }
    let init = target.join("init");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "-O", "-Ctarget-feature=+crt-static", "-Cstrip=symbols"]);
    rustc.current_dir(workspace::root()).arg("xtask/bochs/init.rs").arg("-o").arg(&init);
    workspace::run(&mut rustc)?;
    built.push(("init", init));
    Ok(built)
}

/// Boots a machine of that CPU and waits until its programs have ended.
fn boot(
    folder: &Path,
    packages: &Packages,
    programs: &[(&str, PathBuf)],
    model: &str,
    levels: &str,
) -> Outcome {
    let disk = disk::make(folder, packages, programs, levels)?;
    let serial = folder.join(format!("{model}.txt"));
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
    let write = |path: &Path, text: &str| {
        fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    };
    write(&settings, &lines.join("\n"))?;
    write(&serial, "")?;
    let said = File::create(folder.join("bochs.out"))
        .map_err(|error| format!("cannot write in {}: {error}", folder.display()))?;
    let mut bochs = packages.program("usr/bin/bochs-bin");
    bochs.args(["-q", "-f"]).arg(&settings).current_dir(folder).stdin(Stdio::null());
    bochs.stderr(Stdio::null()).stdout(said);
    let child = bochs.spawn().map_err(|error| format!("Bochs does not start: {error}"))?;
    let mut machine = Machine(child);
    let start = Instant::now();
    loop {
        let ended = machine.0.try_wait().is_ok_and(|status| status.is_some());
        let text = String::from_utf8_lossy(&fs::read(&serial).unwrap_or_default()).into_owned();
        if let Some(verdict) = verdict::of(&text) {
            return verdict.inspect(|text| println!("   {text}")).map(|_| ());
        }
        if ended || start.elapsed() > MOST {
            let how = if ended { "Bochs ended" } else { "an hour is over" };
            return Err(format!("{how} before the tests did; see {}", serial.display()));
        }
        sleep(Duration::from_secs(1));
    }
}
