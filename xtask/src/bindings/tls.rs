//! `cargo xtask tls`: the provider under OpenSSL 4.0's own TLS and DTLS, each suite between ends of
//! which one or both take their ciphers from it; and with `--time` the table of `docs/TLS.md`.

use std::path::{Path, PathBuf};
use std::process::Command;

mod library;
mod nginx;
mod times;

use super::{Tally, cargo, fresh, quiet, target};
use crate::outcome::Outcome;
use crate::stage::skip;
use crate::workspace;

/// The options of the verb.
pub(crate) const OPTIONS: &[&str] = &["--short", "--seed=", "--time"];

/// The parts of the program that speaks both ends.
const PARTS: [&str; 6] = ["main.c", "sides.c", "pair.c", "checks.c", "transfer.c", "records.c"];

pub(crate) fn run(options: &[String]) -> Outcome {
    let has = |name: &str| options.iter().any(|option| option == name);
    let seed = options.iter().find_map(|option| option.strip_prefix("--seed="));
    let seed: u64 = match seed {
        Some(text) => text.parse().map_err(|_| format!("seed `{text}`; allowed: 0 to 2^64 - 1"))?,
        None => 1,
    };
    let openssl = match library::built() {
        Ok(folder) => folder,
        Err(error) => {
            skip("the provider under TLS", &error.to_string());
            return Ok(());
        }
    };
    let folder = workspace::scratch("tls");
    fresh(&folder)?;
    let mut tally = Tally::default();
    let built = quiet(&mut cargo("build", "openssl")).and_then(|_| place(&folder));
    if !tally.check("cargo build", built) {
        return tally.end();
    }
    let program = compiled(&openssl, &folder)?;
    if has("--time") {
        times::records(&program, &folder)?;
        times::transfers(&program, &folder)?;
        times::handshakes(&openssl.join("openssl"), &folder)?;
        return nginx::run(&folder);
    }
    let rounds = if has("--short") { "1" } else { "8" };
    let mut suites = Command::new(&program);
    suites.arg(&folder).arg(seed.to_string()).arg(rounds).env_remove("OPENSSL_CONF");
    let output = suites.output().map_err(|error| format!("{}: {error}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    match sums(&said) {
        Some((passed, failed)) if output.status.success() == (failed == 0) => {
            tally.add(passed, failed);
        }
        _ => _ = tally.check("every suite between two ends", Err(output.status.to_string())),
    }
    if !has("--short") {
        tally.cargo_test("the example of rustls", &mut cargo("test", "rustls"));
    }
    tally.end()
}

/// Puts the library where OpenSSL looks for the provider `cipherlane`.
fn place(folder: &Path) -> Result<(), String> {
    let from = target().join("release").join("libcipherlane_provider.so");
    let done = std::fs::copy(&from, folder.join("cipherlane.so"));
    done.map(drop).map_err(|error| format!("{}: {error}", from.display()))
}

/// The program that speaks both ends, linked with that OpenSSL.
fn compiled(openssl: &Path, folder: &Path) -> Result<PathBuf, String> {
    let sources = workspace::root().join("bindings/openssl/tests/tls");
    let program = folder.join("tls");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(openssl.join("include"));
    gcc.args(PARTS.map(|part| sources.join(part))).arg("-o").arg(&program).arg("-L").arg(openssl);
    gcc.args(["-l:libssl.so.4", "-l:libcrypto.so.4"]);
    quiet(gcc.arg(format!("-Wl,-rpath,{}", openssl.display())))?;
    Ok(program)
}

/// What the last line counts: `seed 1: 5 passed, 0 failed`.
fn sums(said: &str) -> Option<(usize, usize)> {
    let (_, sums) = said.lines().rev().find(|line| line.starts_with("seed "))?.split_once(": ")?;
    let (passed, failed) = sums.split_once(", ")?;
    let number = |text: &str, word: &str| text.strip_suffix(word)?.trim().parse().ok();
    Some((number(passed, "passed")?, number(failed, "failed")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_read() {
        assert_eq!(sums("FAILED  x: y\nseed 7: 12 passed, 1 failed\n"), Some((12, 1)));
        assert_eq!(sums("the default provider alone fails\n"), None);
    }
}
