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
mod machine;
mod packages;
mod verdict;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) use machine::{ARROW_LAKE, Machine, TIGER_LAKE};

use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

/// Bochs's name of a CPU, and the levels that must be found on it.
const MODELS: [(&str, &str); 2] = [
    (ARROW_LAKE, "portable aesni avx2 avx2-vaes avx2-gfni avx2-sm4"),
    (TIGER_LAKE, "portable aesni avx2 avx2-vaes avx2-gfni avx512"),
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
    let minutes = |count: u64| Duration::from_secs(60 * count);
    let machine = Machine::new()?;
    let programs = stage("test programs", minutes(5), programs)?;
    let mut table = String::new();
    for (model, levels) in MODELS {
        for (part, program) in PARTS.iter().zip(&programs) {
            if !asked(model, part) {
                continue;
            }
            let name = format!("{model}, {}", part.name);
            let answers = stage(&name, minutes(8), || {
                // The tests read levels in their environment, where `init` puts them.
                let levels_file = ("levels".to_owned(), levels.as_bytes().to_vec());
                let arguments = ["--test-threads=1", "--nocapture"];
                let first = machine.first_files(program, &arguments, vec![levels_file])?;
                let name = format!("{model}-{}", part.name);
                let before = fs::read_to_string(machine.serial(&name)).unwrap_or_default();
                let kept = fs::read(machine.began_with(&name));
                let same = !again && kept.is_ok_and(|kept| kept == first);
                let verdict = |text: &str| verdict::of(text, levels, part.unit);
                if let (true, Some(Ok(answers))) = (same, verdict(&before)) {
                    println!("   has passed before, with the same programs");
                    return Ok(answers);
                }
                machine.run(model, &name, &first, MOST, verdict)
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

/// Builds the programs, in the order of [`PARTS`], which need no file of any system.
fn programs() -> Result<Vec<PathBuf>, String> {
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
    Ok(tests)
}
