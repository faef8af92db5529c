//! `cargo xtask bochs`: the lanes and the published vectors of SM4 on CPUs that this one is not, in
//! the emulator Bochs, which has the SM4 instructions and AVX-512. Once before a release.
//!
//! A machine is booted for each part, and what has passed with the same programs is not run again.
//! The vectors of a CPU take five to six minutes, all else seconds. Other ciphers are not run there.
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
use verdict::Answers;

/// Bochs's name of a CPU, and the levels that must be found on it.
const MODELS: [(&str, &str); 2] = [
    ("arrow_lake", "portable aesni avx2 avx2-vaes avx2-gfni avx2-sm4"),
    ("tigerlake", "portable aesni avx2 avx2-vaes avx2-gfni avx512"),
];

/// A test program, which a machine is booted for.
struct Part {
    name: &'static str,
    /// The package and the name of the test.
    package: &'static str,
    test: &'static str,
    /// What it counts its answers in.
    unit: &'static str,
}

const LIBRARY: &str = "cipherlane --no-default-features --features=std,sm4";

const PARTS: [Part; 3] = [
    Part { name: "lanes", package: "cipherlane-lanes", test: "agree", unit: "registers" },
    Part { name: "self-test", package: LIBRARY, test: "self_test", unit: "operations" },
    Part { name: "vectors", package: LIBRARY, test: "vectors", unit: "vectors" },
];

/// How long one machine may run.
const MOST: Duration = Duration::from_secs(1800);

pub(crate) const OPTIONS: &[&str] = &["--again", "--only="];

/// An emulator that ends with its owner.
struct Machine(Child);

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Every part on every CPU; one that has passed with the very same programs is not run again,
/// unless `--again` is said. `--only=` takes a CPU, a part, or CPU/part.
pub(crate) fn run(options: &[String]) -> Outcome {
    let again = options.iter().any(|it| it == "--again");
    let only = options.iter().find_map(|it| it.strip_prefix("--only="));
    let asked = |model: &str, part: &Part| {
        let names = [model.to_owned(), part.name.to_owned(), format!("{model}/{}", part.name)];
        only.is_none_or(|only| names.iter().any(|name| name == only))
    };
    if !MODELS.iter().any(|(model, _)| PARTS.iter().any(|part| asked(model, part))) {
        let models = MODELS.map(|it| it.0).join(", ");
        let parts = PARTS.map(|it| it.name).join(", ");
        return Err(format!("--only= takes one of {models}, one of {parts}, or CPU/part"));
    }
    let folder = workspace::scratch("bochs");
    let say = |error| format!("cannot make {}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(say)?;
    let minutes = |count: u64| Duration::from_secs(60 * count);
    let packages = stage("Bochs and a kernel", minutes(3), || Packages::here(&folder))?;
    let programs = stage("test programs", minutes(5), programs)?;
    let mut table = String::new();
    for (model, levels) in MODELS {
        for (part, program) in PARTS.iter().zip(&programs.tests) {
            if !asked(model, part) {
                continue;
            }
            let name = format!("{model}, {}", part.name);
            let answers = stage(&name, minutes(8), || {
                let first = disk::first_files(&programs.init, program, levels)?;
                let serial = folder.join(format!("{model}-{}.txt", part.name));
                let kept = folder.join(format!("{model}-{}.initrd", part.name));
                let before = fs::read_to_string(&serial).unwrap_or_default();
                let same = !again && fs::read(&kept).is_ok_and(|kept| kept == first);
                if let (true, Some(Ok(answers))) = (same, verdict::of(&before, levels, part.unit)) {
                    println!("   has passed before, with the same programs");
                    return Ok(answers);
                }
                write(&serial, b"")?;
                write(&kept, &first)?;
                let disk = disk::make(&folder, &packages, &first)?;
                boot(&folder, &packages, &disk, model, &serial, |text| {
                    verdict::of(text, levels, part.unit)
                })
            })?;
            for (level, count) in answers {
                table += &format!("   {model:<12}{level:<12}{count:>8} {}\n", part.unit);
            }
        }
    }
    println!(
        "{table}   bochs: every answer is right (lanes: that of portable), and levels gave equally many"
    );
    Ok(())
}

/// The programs of a machine.
struct Programs {
    init: PathBuf,
    /// In the order of [`PARTS`].
    tests: Vec<PathBuf>,
}

/// Builds the programs, which need no file of any system.
fn programs() -> Result<Programs, String> {
    let static_c = "-Csymbol-mangling-version=v0 -Ctarget-feature=+crt-static -Cstrip=symbols";
    let target = workspace::scratch("bochs-programs");
    let mut tests = Vec::new();
    for Part { package, test: name, .. } in &PARTS {
        let mut test = workspace::cargo(&["test", "--release", "--no-run", "--quiet", "-p"]);
        test.args(package.split(' ')).args(["--test", name, "--message-format=json"]);
        test.args(["--target", "x86_64-unknown-linux-gnu", "--target-dir"]).arg(&target);
        test.env_remove("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", static_c);
        let text = workspace::output(&mut test)?;
        let path = text
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter(|message| message["target"]["name"] == *name)
            .find_map(|message| message["executable"].as_str().map(PathBuf::from))
            .ok_or_else(|| format!("cargo names no program for the test `{name}`"))?;
        tests.push(path);
    }
    let init = target.join("init");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "-O", "-Ctarget-feature=+crt-static", "-Cstrip=symbols"]);
    rustc.current_dir(workspace::root()).arg("xtask/bochs/init.rs").arg("-o").arg(&init);
    workspace::run(&mut rustc)?;
    Ok(Programs { init, tests })
}

fn write(path: &Path, data: &[u8]) -> Outcome {
    fs::write(path, data).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Boots a machine of that CPU and waits until its program has ended.
fn boot(
    folder: &Path,
    packages: &Packages,
    disk: &Path,
    model: &str,
    serial: &Path,
    verdict: impl Fn(&str) -> Option<Result<Answers, String>>,
) -> Result<Answers, String> {
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
    let mut machine = Machine(child);
    let start = Instant::now();
    loop {
        let ended = machine.0.try_wait().is_ok_and(|status| status.is_some());
        let text = String::from_utf8_lossy(&fs::read(serial).unwrap_or_default()).into_owned();
        if let Some(verdict) = verdict(&text) {
            return verdict.map_err(|error| format!("{error}; see {}", serial.display()));
        }
        if ended || start.elapsed() > MOST {
            let how = if ended { "Bochs ended" } else { "half an hour is over" };
            return Err(format!("{how} before the tests did; see {}", serial.display()));
        }
        sleep(Duration::from_secs(1));
    }
}
