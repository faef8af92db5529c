//! `cargo xtask openssl`: the provider in OpenSSL 3.0 and 4.0, through their programs, through
//! EVP, and in Node.js.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

mod program;

use program::Program;

use super::evp_test;
use super::{Tally, cargo, fresh, has, openssl4, quiet, readme, sequences, target, write};
use crate::outcome::Outcome;
use crate::stage::skip;
use crate::workspace;

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let options = sequences::Options::parse(arguments)?;
    let mut tally = Tally::default();
    let folder = workspace::scratch("openssl");
    fresh(&folder)?;
    tally.cargo_test("names, records of TLS, room for all", cargo("test", "openssl").arg("--lib"));
    let built = quiet(&mut cargo("build", "openssl")).and_then(|_| place(&folder));
    if !tally.check("cargo build", built) {
        return tally.end();
    }
    let mut programs = Vec::new();
    match Program::open("openssl".into(), None, &folder) {
        Ok(program) if !program.version.starts_with("1.") => {
            libcrypto(&mut tally, &folder, "libcrypto.so.3".as_ref(), &options);
            programs.push(program);
        }
        _ => skip("the provider in the system's OpenSSL", "apt-get install openssl"),
    }
    match openssl4::built() {
        Ok((program, library)) => {
            libcrypto(&mut tally, &folder, library.as_os_str(), &options);
            programs.push(Program::open(program, Some(library), &folder)?);
        }
        Err(error) => skip("the provider in OpenSSL 4.0", &error.to_string()),
    }
    for program in &programs {
        program.list(&mut tally);
        program.ciphers(&mut tally);
        tally.check(&program.named("enc with both providers"), program.both());
        program.macs(&mut tally);
        tally.check(&program.named("no RC4 without asking"), program.without_legacy());
        let configured = program.named("MACs, KRB5KDF and levels by the README's configuration");
        match program.configured() {
            // The program that is built here holds its libcrypto; a MAC over another provider's
            // cipher needs one that shows its functions, as every shared one does. The random
            // calls make such MACs in that of this version.
            Err(error) if error.contains("does not show its functions") => {
                skip(&configured, "this program holds its libcrypto; sequences try it");
            }
            verdict => {
                tally.check(&configured, verdict);
            }
        }
        let memory = program.named("memory that runs out");
        if has("gcc") {
            tally.check(&memory, program.no_memory());
        } else {
            skip(&memory, "apt-get install gcc");
        }
        program.speed(&mut tally);
        tally.check(&program.named("the example of the README"), program.page());
        evp_test::run(&mut tally, &program.tested());
    }
    node(&mut tally, &folder);
    tally.end()
}

/// Puts the library where OpenSSL looks for the provider `cipherlane`.
fn place(folder: &Path) -> Result<(), String> {
    let from = target().join("release").join("libcipherlane_provider.so");
    let done = std::fs::copy(&from, folder.join("cipherlane.so"));
    done.map(drop).map_err(|error| format!("{}: {error}", from.display()))
}

/// Lets the tests through EVP that a command is about to build with a profile run in the system's
/// libcrypto, with the provider that it builds.
///
/// # Errors
/// That the folder can't be made.
pub(crate) fn in_libcrypto(command: &mut Command, profile: &str) -> Outcome {
    let folder = workspace::scratch("openssl").join(profile);
    fresh(&folder)?;
    let built = target().join(profile).join("deps").join("libcipherlane_provider.so");
    let link = folder.join("cipherlane.so");
    std::os::unix::fs::symlink(built, &link)
        .map_err(|error| format!("{}: {error}", link.display()))?;
    let file = sequences::legacy_configuration(&folder)?;
    // For the cargo that it starts: it has an option of this name of its own.
    let name = file.display().to_string();
    command.arg(format!("--cargo-arg=--config=env.OPENSSL_CONF={name:?}"));
    command.env("CARGO_TARGET_DIR", target());
    // Another one that is asked for has more of what is tested: OpenSSL 3.5 and later have pipelines.
    if std::env::var_os("CIPHERLANE_LIBCRYPTO").is_none() {
        command.env("CIPHERLANE_LIBCRYPTO", "libcrypto.so.3");
    }
    command.env("CIPHERLANE_PROVIDER", folder).env("CIPHERLANE_CALLS", "30000");
    Ok(())
}

/// The tests through EVP in a libcrypto.
fn libcrypto(tally: &mut Tally, folder: &Path, library: &OsStr, options: &sequences::Options) {
    let mut test = cargo("test", "openssl");
    test.args(["--test", "evp"]).env("CIPHERLANE_LIBCRYPTO", library);
    let name = format!("EVP and pipelines in {}", library.to_string_lossy());
    match sequences::legacy_configuration(folder) {
        // For the tests alone: cargo has an OpenSSL of its own, which must not read it.
        Ok(file) => {
            test.arg("--config").arg(format!("env.OPENSSL_CONF={:?}", file.display().to_string()));
        }
        Err(error) => {
            tally.check(&name, Err(error));
            return;
        }
    }
    tally.cargo_test(&name, test.env("CIPHERLANE_PROVIDER", folder));
    sequences::run(tally, folder, library, options);
}

/// Node.js gains SM4-GCM by the page's configuration alone.
fn node(tally: &mut Tally, folder: &Path) {
    if !has("node") {
        skip("sm4-gcm in Node.js", "apt-get install nodejs");
        return;
    }
    let outcome = readme::configuration(&folder.join("cipherlane.so")).and_then(|text| {
        let file = folder.join("openssl.cnf");
        write(&file, &text)?;
        let script = workspace::root().join("bindings/openssl/tests/node.js");
        let mut node = Command::new("node");
        let said = quiet(node.arg(script).env("OPENSSL_CONF", &file))?;
        if said.trim().ends_with("ok") { Ok(()) } else { Err(said) }
    });
    tally.check("sm4-gcm in Node.js", outcome);
}
