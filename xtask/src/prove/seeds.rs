//! `cargo xtask prove-seeds`: checks the checker. A leak is put into a kernel of a copy of the checkout, of one
//! cipher after the other: a branch, a look-up in a table, and a loop that ends early. Each must make exactly the
//! verdicts of its kernel stale, and the traces must find it; without a leak they find nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::code::{Build, Judged, Pair};
use super::lacking::claims;
use super::records::Record;
use super::{build, program_in};
use crate::outcome::Outcome;
use crate::recipe::copy::Copy;
use crate::stage::{skip, stage};
use crate::workspace;

pub(crate) const OPTIONS: &[&str] = &["--only="];

/// A leak: where it is put, in front of which text, and who runs through it.
struct Seed {
    algorithm: &'static str,
    about: &'static str,
    file: &'static str,
    before: &'static str,
    leak: &'static str,
    /// Levels that have another kernel.
    not_at: &'static [&'static str],
}

const SEEDS: [Seed; 3] = [
    Seed {
        algorithm: "trivium",
        about: "a branch on a bit of the state",
        file: "crates/cipherlane/src/ciphers/trivium/kernel.rs",
        before: "    clocks!(s, sum, product, plus, xor)\n}\n\n/// 64 keystream bits of every stream.\n",
        leak: "    if core::hint::black_box(s[0]) & 1 == 1 {\n        core::hint::black_box(1_u8);\n    }\n",
        not_at: &[],
    },
    Seed {
        algorithm: "sm4",
        about: "a look-up in a table by a byte of the state",
        file: "crates/cipherlane/src/ciphers/sm4/word_sliced.rs",
        before: "    let mut key = keys.quad(isa, 0, 0);\n",
        leak: "    static TABLE: [u8; 256] = [7; 256];\n    let mut state = [0; 64];\n    \
               isa.store(x[0], &mut state);\n    \
               core::hint::black_box(core::hint::black_box(&TABLE)[usize::from(state[0])]);\n",
        // It has bits for bytes in planes.
        not_at: &["portable"],
    },
    Seed {
        algorithm: "rabbit",
        about: "a loop that ends at the first odd word of the state",
        file: "crates/cipherlane/src/ciphers/rabbit/clock.rs",
        before: "        let mut carry = self.carry;\n",
        leak: "        for x in self.x {\n            if core::hint::black_box(x) & 1 == 1 {\n                break;\n            }\n        }\n",
        not_at: &[],
    },
];

impl Seed {
    /// The text with the leak in front of the place that it is for.
    fn sown(&self, text: &str) -> Result<String, String> {
        let places = text.matches(self.before).count();
        if places != 1 {
            return Err(format!("{}: {places} places for the leak; it needs one", self.file));
        }
        Ok(text.replace(self.before, &format!("{}{}", self.leak, self.before)))
    }

    /// The pairs of an algorithm and a level that run through the kernel.
    fn pairs(&self, claims: &[Pair]) -> BTreeSet<Pair> {
        let mine =
            |pair: &&Pair| pair.0 == self.algorithm && !self.not_at.contains(&pair.1.as_str());
        claims.iter().filter(mine).cloned().collect()
    }
}

fn told(pairs: &BTreeSet<Pair>) -> String {
    let names: Vec<String> = pairs.iter().map(|(name, level)| format!("{name}@{level}")).collect();
    if names.is_empty() { "none".into() } else { names.join(",") }
}

/// What of the claims lacks a verdict of the code in this folder.
fn stale(folder: &Path, claims: &[Pair]) -> Result<BTreeSet<Pair>, String> {
    let lacking = Judged::read()?.lacking(&Build::read(folder)?, claims);
    Ok(lacking.into_keys().filter(|pair| claims.contains(pair)).collect())
}

/// Steps through these pairs; those whose traces part.
fn parted(folder: &Path, pairs: &BTreeSet<Pair>) -> Result<BTreeSet<Pair>, String> {
    let mut trace = Command::new(program_in(folder));
    trace.args(["trace", "--quick", "--pairs", &told(pairs)]);
    // Where it finds something it ends with 1.
    let output = trace.output().map_err(|error| format!("the traces do not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let records: Vec<Record> = text.lines().map(Record::parse).collect::<Result<_, _>>()?;
    let traces: Vec<&Record> = records.iter().filter(|it| it.check == super::TRACE).collect();
    let pair = |it: &&Record| (it.algorithm().to_owned(), it.level.clone());
    let stepped: BTreeSet<Pair> = traces.iter().map(pair).collect();
    if stepped != *pairs {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("stepped through {}: {}", told(&stepped), why.trim()));
    }
    println!("   {} traces", traces.len());
    Ok(traces.iter().filter(|it| !it.passed()).map(pair).collect())
}

/// Puts a leak into the copy and builds it.
fn sow(copy: &Copy, seed: &Seed) -> Result<PathBuf, String> {
    copy.renew()?;
    let path = copy.folder.join(seed.file);
    let failed = |error: std::io::Error| format!("{}: {error}", seed.file);
    let text = fs::read_to_string(&path).map_err(failed)?;
    fs::write(&path, seed.sown(&text)?).map_err(failed)?;
    // The packages that the verdicts' build has, as their features are those of all together.
    let mut build = workspace::cargo(&["build", "--quiet", "--release", "--locked"]);
    for name in ["cipherlane-cli", "cipherlane", "cipherlane-lanes", "cipherlane-prove"] {
        build.args(["-p", name]);
    }
    build.args(["--lib", "--bin", "cipherlane-prove"]);
    build.current_dir(&copy.folder).env("CARGO_TARGET_DIR", &copy.target);
    build.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    workspace::run(&mut build)?;
    Ok(copy.target.join("release"))
}

/// A leak from its kernel to what is said of it; `before` is what was stale without it.
fn one(copy: &Copy, seed: &Seed, claims: &[Pair], before: &BTreeSet<Pair>) -> Outcome {
    let Seed { algorithm, about, .. } = seed;
    let wanted = seed.pairs(claims);
    let name = format!("{algorithm} with {about}");
    let folder = stage(&name, Duration::from_secs(400), || sow(copy, seed))?;
    stage("exactly its verdicts are stale", Duration::from_secs(10), || {
        let stale: BTreeSet<Pair> = stale(&folder, claims)?.difference(before).cloned().collect();
        println!("   {} of {}: {}", stale.len(), claims.len(), told(&stale));
        if stale == wanted {
            return Ok(());
        }
        let (more, less) = (&stale - &wanted, &wanted - &stale);
        Err(format!("stale, and should not be: {}; not stale: {}", told(&more), told(&less)))
    })?;
    stage("the traces find it", Duration::from_secs(120), || {
        let found = parted(&folder, &wanted)?;
        println!("   found at {} of {}: {}", found.len(), wanted.len(), told(&found));
        if found == wanted { Ok(()) } else { Err("a leak was not found".to_owned()) }
    })
}

pub(crate) fn run(options: &[String]) -> Outcome {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        skip("leaks in kernels", "run it on Linux on x86-64");
        return Ok(());
    }
    let only = options.iter().find_map(|option| option.strip_prefix("--only="));
    let seeds: Vec<&Seed> =
        SEEDS.iter().filter(|seed| only.is_none_or(|name| seed.algorithm == name)).collect();
    if seeds.is_empty() {
        let names = SEEDS.map(|seed| seed.algorithm).join(", ");
        return Err(format!("--only={}: none of {names}", only.unwrap_or_default()));
    }
    let folder = stage("build", Duration::from_secs(400), build)?;
    let claims: Vec<Pair> = claims(&folder)?.into_keys().collect();
    let wanted: BTreeSet<Pair> = seeds.iter().flat_map(|seed| seed.pairs(&claims)).collect();
    let before = stage("without a leak nothing is found", Duration::from_secs(120), || {
        let before = stale(&folder, &claims)?;
        if !before.is_disjoint(&wanted) {
            let both = &before & &wanted;
            return Err(format!("stale before: {}; `cargo xtask prove-quick`", told(&both)));
        }
        match parted(&folder, &wanted)? {
            found if found.is_empty() => Ok(before),
            found => Err(format!("found in {}", told(&found))),
        }
    })?;
    let copy = Copy::called("prove-seeds");
    let outcomes: Vec<Outcome> =
        seeds.iter().map(|seed| one(&copy, seed, &claims, &before)).collect();
    let bad: Vec<&str> =
        outcomes.iter().filter_map(|it| it.as_ref().err()).map(String::as_str).collect();
    println!("{} passed, {} failed", outcomes.len() - bad.len(), bad.len());
    if bad.is_empty() { Ok(()) } else { Err(bad.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leak_has_its_place() {
        for seed in &SEEDS {
            let text = workspace::read(seed.file).unwrap();
            let sown = seed.sown(&text).unwrap();
            assert_eq!(sown.len(), text.len() + seed.leak.len(), "{}", seed.file);
            assert!(seed.sown(&text.replace(seed.before, "")).unwrap_err().contains("0 places"));
            assert!(seed.sown(&format!("{text}{}", seed.before)).unwrap_err().contains("2 places"));
        }
    }

    #[test]
    fn a_leak_is_of_the_levels_that_have_the_kernel() {
        let claims =
            [("sm4", "avx2"), ("sm4", "portable"), ("rabbit", "avx2"), ("aes-128", "avx2")];
        let claims = claims.map(|(a, b)| (a.to_owned(), b.to_owned()));
        let of = |name: &str| {
            let seed = SEEDS.iter().find(|seed| seed.algorithm == name).unwrap();
            told(&seed.pairs(&claims))
        };
        assert_eq!(of("sm4"), "sm4@avx2");
        assert_eq!(of("rabbit"), "rabbit@avx2");
        assert_eq!(of("trivium"), "none");
    }
}
