//! `cargo xtask prove-seeds`: a branch on a secret is put into three kernels of a copy of the checkout. Exactly
//! the verdicts of their algorithms must be stale then, and the traces must find each of the three.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::Duration;

use super::code::{Build, Judged, Pair};
use super::lacking::claims;
use super::program_in;
use super::records::Record;
use crate::outcome::Outcome;
use crate::recipe::copy::Copy;
use crate::stage::{skip, stage};
use crate::workspace;

/// A leak: where it is put, before which text, and whose verdicts it must make stale.
struct Seed {
    file: &'static str,
    before: &'static str,
    leak: &'static str,
    algorithm: &'static str,
}

const SEEDS: [Seed; 3] = [
    Seed {
        file: "crates/cipherlane/src/ciphers/sm4/schedule.rs",
        before: "        let mut t = isa.xor(isa.xor3(k[1], k[2], k[3]), isa.splat32(CONSTANTS[0]));\n",
        leak: "        let mut seen = [0_u8; 64];\n        isa.store(k[0], &mut seen);\n        if core::hint::black_box(seen[0]) & 1 == 1 {\n            core::hint::black_box(1_u8);\n        }\n",
        algorithm: "sm4",
    },
    Seed {
        file: "crates/cipherlane/src/ciphers/trivium/kernel.rs",
        before: "    clocks!(s, sum, product, plus, xor)\n}\n\n/// 64 keystream bits of every stream.\n",
        leak: "    if core::hint::black_box(s[0]) & 1 == 1 {\n        core::hint::black_box(1_u8);\n    }\n",
        algorithm: "trivium",
    },
    Seed {
        file: "crates/cipherlane/src/ciphers/rabbit/clock.rs",
        before: "        let mut carry = self.carry;\n",
        leak: "        if core::hint::black_box(self.x[0]) & 1 == 1 {\n            core::hint::black_box(1_u8);\n        }\n",
        algorithm: "rabbit",
    },
];

/// The text with the leak in front of the place that it is for.
fn seeded(text: &str, seed: &Seed) -> Result<String, String> {
    let places = text.matches(seed.before).count();
    if places != 1 {
        return Err(format!("{}: {places} places for the leak; it needs one", seed.file));
    }
    Ok(text.replace(seed.before, &format!("{}{}", seed.leak, seed.before)))
}

/// The pairs of the seeds' algorithms among these.
fn of_seeds(pairs: &[Pair]) -> BTreeSet<Pair> {
    let seeded = |pair: &&Pair| SEEDS.iter().any(|seed| seed.algorithm == pair.0);
    pairs.iter().filter(seeded).cloned().collect()
}

fn told(pairs: &BTreeSet<Pair>) -> String {
    let names: Vec<String> = pairs.iter().map(|(name, level)| format!("{name}@{level}")).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

pub(crate) fn run(_: &[String]) -> Outcome {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        skip("leaks in kernels", "run it on Linux on x86-64");
        return Ok(());
    }
    let copy = Copy::called("prove-seeds");
    let folder = stage("three kernels with a leak", Duration::from_secs(600), || {
        copy.renew()?;
        for seed in &SEEDS {
            let path = copy.folder.join(seed.file);
            let text =
                fs::read_to_string(&path).map_err(|error| format!("{}: {error}", seed.file))?;
            fs::write(&path, seeded(&text, seed)?)
                .map_err(|error| format!("{}: {error}", seed.file))?;
        }
        // The packages that the verdicts' build has, as their features are those of all together.
        let mut build = workspace::cargo(&["build", "--quiet", "--release", "--locked"]);
        for name in ["cipherlane-cli", "cipherlane", "cipherlane-lanes", "cipherlane-prove"] {
            build.args(["-p", name]);
        }
        build.current_dir(&copy.folder).env("CARGO_TARGET_DIR", &copy.target);
        build.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        workspace::run(&mut build)?;
        Ok(copy.target.join("release"))
    })?;
    let all = claims(&folder)?;
    let wanted = of_seeds(&all);
    stage("exactly their verdicts are stale", Duration::from_secs(10), || {
        let lacking = Judged::read()?.lacking(&Build::read(&folder)?, &all);
        let stale: BTreeSet<Pair> = lacking.into_keys().collect();
        if stale == wanted {
            println!("   {} of {}: {}", stale.len(), all.len(), told(&stale));
            return Ok(());
        }
        let more: BTreeSet<Pair> = stale.difference(&wanted).cloned().collect();
        let less: BTreeSet<Pair> = wanted.difference(&stale).cloned().collect();
        Err(format!("stale, and should not be: {}; not stale: {}", told(&more), told(&less)))
    })?;
    stage("the traces find them", Duration::from_secs(120), || {
        let mut trace = Command::new(program_in(&folder));
        trace.args(["trace", "--quick", "--pairs", &told(&wanted).replace(", ", ",")]);
        // It ends with 1, as it must find something.
        let output = trace.output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        let records: Vec<Record> = text.lines().map(Record::parse).collect::<Result<_, _>>()?;
        let found: BTreeSet<Pair> = records
            .iter()
            .filter(|it| it.check == "trace" && !it.passed())
            .map(|it| (it.algorithm().to_owned(), it.level.clone()))
            .collect();
        println!("   {} of {}: {}", found.len(), wanted.len(), told(&found));
        if found == wanted { Ok(()) } else { Err("a leak was not found".to_owned()) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leak_has_its_place() {
        for seed in &SEEDS {
            let text = workspace::read(seed.file).unwrap();
            let with = seeded(&text, seed).unwrap();
            assert_eq!(with.len(), text.len() + seed.leak.len(), "{}", seed.file);
            assert!(seeded(&with.replace(seed.before, ""), seed).is_err());
        }
        let pairs = [("sm4", "avx2"), ("aes-128", "avx2")].map(|(a, b)| (a.into(), b.into()));
        assert_eq!(told(&of_seeds(&pairs)), "sm4@avx2");
    }
}
