//! `cargo xtask prove-elsewhere`: traces of machines that this one is not, [emulated](super::elsewhere), and of
//! [WebAssembly](super::wasm).

use std::time::Instant;

use super::{elsewhere, evidence, wasm};
use crate::outcome::Outcome;

pub(crate) const OPTIONS: &[&str] = &["--quick", "--only=", "--write"];
pub(crate) const VERB: &str = "prove-elsewhere";
/// What `--only=` calls both modules of WebAssembly.
const WASM: &str = "wasm";

pub(crate) fn run(options: &[String]) -> Outcome {
    let began = Instant::now();
    let has = |name: &str| options.iter().any(|it| it == name);
    let (quick, write) = (has("--quick"), has("--write"));
    let only = options.iter().find_map(|it| it.strip_prefix("--only="));
    let names: Vec<&str> = elsewhere::names().chain([WASM]).collect();
    if let Some(only) = only.filter(|only| !names.contains(only)) {
        return Err(format!("--only={only}; allowed: {}", names.join(", ")));
    }
    let (mut passed, mut failed, mut left_out) = (0, 0, 0);
    for name in names.into_iter().filter(|it| only.is_none_or(|only| only == *it)) {
        let done = match name {
            WASM => wasm::possible().then(|| wasm::all(quick, write)),
            machine => elsewhere::all(machine, quick, write),
        };
        match done {
            Some(counts) => {
                let (good, bad) = counts?;
                (passed, failed) = (passed + good, failed + bad);
            }
            None => left_out += 1,
        }
    }
    if write {
        // A part, or a short form, is no run of the command that the page names.
        if only.is_none() && !quick {
            let ended = match (failed, left_out) {
                (0, 0) => "ok".into(),
                (0, some) => format!("ok, {some} skipped"),
                _ => "failed".to_owned(),
            };
            evidence::keep(&format!("cargo xtask {VERB}"), began.elapsed(), &ended)?;
        }
        super::renew()?;
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 { Ok(()) } else { Err("not everything passed; see the lines FAILED".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_there() {
        assert!(
            run(&["--only=sparc".into()]).unwrap_err().contains("aarch64, i686, riscv64, wasm")
        );
    }
}
