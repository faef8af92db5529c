//! The program for Linux: static, so that it runs wherever the kernel does, with completions for
//! shells and manual pages.

use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object as _, ObjectSection as _};

use super::pack::{self, quiet};
use super::shop::{ARM_MUSL, Target, X86_MUSL};
use super::tree::{self, fault};
use super::{Fault, Shop, notices, tools};
use crate::workspace;

/// `cargo rustc` wants the manifest of a package; what is known of its crates stands beside the lock file.
const MANIFEST: &str = "cli/Cargo.toml";
const WORKSPACE: &str = "Cargo.toml";
const PACKAGE: &str = "cipherlane-cli";

const TARGETS: [Target; 2] = [X86_MUSL, ARM_MUSL];

/// Shells, and where in the archive their completions lie, by the names that they look for.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "completions/cipherlane.bash"),
    ("zsh", "completions/_cipherlane"),
    ("fish", "completions/cipherlane.fish"),
];

/// How this machine runs programs for AArch64.
const EMULATOR: &str = "qemu-aarch64";

/// The name of an archive: the one that `cargo binstall` is told in the manifest.
fn name(shop: &Shop, target: Target) -> String {
    format!("cipherlane-{}-{}", shop.identity.version, target.triple)
}

/// The static program of a target, compiled now if need be.
pub(super) fn built(shop: &Shop, target: Target) -> Result<PathBuf, Fault> {
    if !workspace::has_target(target.triple) {
        let remedy = format!("rustup target add {}", target.triple);
        return Err(Fault::missing(format!("the program for {}", target.triple), remedy));
    }
    shop.once(target, || {
        workspace::run(&mut shop.static_build(target, MANIFEST, "cipherlane")?)?;
        let program = shop.built(target).join("cipherlane");
        is_static(&program)?;
        Ok(program)
    })
}

/// A static program asks for no loader.
fn is_static(program: &Path) -> Result<(), String> {
    let bytes = std::fs::read(program).map_err(fault(program))?;
    let file = object::File::parse(bytes.as_slice()).map_err(|error| error.to_string())?;
    let asks = file.sections().any(|section| section.name() == Ok(".interp"));
    if asks { Err(format!("{} is not static", program.display())) } else { Ok(()) }
}

/// The program's verbs, as its help lists them.
fn verbs(help: &str) -> Vec<&str> {
    let list = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let list = list.take_while(|line| !line.is_empty());
    // Lines that go on with an explanation are further in.
    let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect()
}

/// Writes the completions and manual pages that a program prints; how many pages.
pub(super) fn texts(program: &Path, folder: &Path) -> Result<usize, String> {
    let said = |arguments: &[&str]| quiet(Command::new(program).args(arguments));
    for (shell, place) in SHELLS {
        tree::write(&folder.join(place), said(&["completions", shell])?)?;
    }
    tree::write(&folder.join("man/cipherlane.1"), said(&["man"])?)?;
    let help = said(&["--help"])?;
    let verbs = verbs(&help);
    if verbs.len() < 10 {
        return Err(format!("the help lists {} verbs", verbs.len()));
    }
    for verb in &verbs {
        let page = folder.join(format!("man/cipherlane-{verb}.1"));
        tree::write(&page, said(&["man", verb])?)?;
    }
    Ok(verbs.len() + 1)
}

/// The archive that `cargo binstall` looks for, as the manifest tells it.
fn looked_for(manifest: &str, shop: &Shop, target: Target) -> Option<String> {
    let url = manifest.lines().find_map(|line| line.strip_prefix("pkg-url = \""))?;
    let name = url.trim_end_matches('"').rsplit('/').next()?;
    let name = name.replace("{ version }", &shop.identity.version);
    Some(name.replace("{ target }", target.triple))
}

pub(super) fn make(shop: &Shop) -> Result<Vec<PathBuf>, Fault> {
    let mut made = Vec::new();
    // The other targets have what this one prints.
    let printing = built(shop, X86_MUSL)?;
    for target in TARGETS {
        let program = match built(shop, target) {
            Err(Fault::Missing { what, remedy }) => {
                crate::stage::skip(&what, &remedy);
                continue;
            }
            program => program?,
        };
        let name = name(shop, target);
        let tree = shop.tree(&name)?;
        tree::copy(&program, &tree.join("cipherlane"))?;
        texts(&printing, &tree)?;
        tree::copy(&shop.sources().join("README.md"), &tree.join("README.md"))?;
        let manifest = workspace::read("cli/Cargo.toml")?;
        if looked_for(&manifest, shop, target) != Some(format!("{name}.tar.gz")) {
            return Err("cli/Cargo.toml tells cargo binstall of another archive".into());
        }
        notices::put(shop, &tree, WORKSPACE, PACKAGE, target)?;
        made.push(pack::tar(shop, &name)?);
    }
    Ok(made)
}

/// Encrypts with one program and decrypts with another.
fn there_and_back(folder: &Path, one: &[String], other: &[String]) -> Result<(), String> {
    let text = "a file that is encrypted and decrypted\n".repeat(5000);
    tree::write(&folder.join("plain"), &text)?;
    for made in ["my.key", "sealed", "opened"] {
        let _ = std::fs::remove_file(folder.join(made));
    }
    let run = |program: &[String], arguments: &[&str]| {
        let mut command = Command::new(&program[0]);
        command.args(&program[1..]).args(arguments).current_dir(folder).env_clear();
        quiet(&mut command).map(drop)
    };
    run(one, &["keygen", "-o", "my.key"])?;
    run(one, &["encrypt", "-k", "my.key", "plain", "-o", "sealed"])?;
    run(other, &["decrypt", "-k", "my.key", "sealed", "-o", "opened"])?;
    let opened = folder.join("opened");
    let opened = std::fs::read_to_string(&opened).map_err(fault(&opened))?;
    if opened == text { Ok(()) } else { Err("what was decrypted is not what was encrypted".into()) }
}

/// Unpacked into an empty folder: version, known answers at every level, and files from one to the
/// other; the second under an emulator.
pub(super) fn attempt(shop: &Shop) -> Result<Vec<String>, Fault> {
    let clean = shop.clean("program")?;
    let mut ran = Vec::new();
    let mut first: Option<Vec<String>> = None;
    for target in TARGETS {
        let name = name(shop, target);
        let archive = shop.out.join(format!("{name}.tar.gz"));
        if !archive.exists() {
            continue;
        }
        pack::untar(&archive, &clean)?;
        let mut program = vec![clean.join(&name).join("cipherlane").display().to_string()];
        if target.machine != std::env::consts::ARCH {
            if !tools::has(EMULATOR) {
                crate::stage::skip(&format!("running {name}"), "apt-get install qemu-user");
                continue;
            }
            program.insert(0, EMULATOR.to_owned());
        }
        let said = |arguments: &[&str]| {
            let mut command = Command::new(&program[0]);
            command.args(&program[1..]).args(arguments).current_dir(&clean);
            quiet(command.env_remove("CIPHERLANE_LEVEL"))
        };
        let version = said(&["--version"])?;
        if !version.contains(&shop.identity.version) {
            return Err(Fault::Failed(format!("{name} says it is `{}`", version.trim())));
        }
        let answers = said(&["self-test"])?;
        let last = answers.lines().last().unwrap_or_default().trim().to_owned();
        let other = first.get_or_insert_with(|| program.clone()).clone();
        there_and_back(&clean, &program, &other)?;
        there_and_back(&clean, &other, &program)?;
        ran.push(format!("{name}: {}; {last}; files both ways", version.trim()));
    }
    if ran.is_empty() {
        Err(Fault::missing("running the program", "a target above"))
    } else {
        Ok(ran)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_read_from_the_help() {
        let help = "Usage: x\n\nCommands:\n  list    All\n          of them\n  bench   Measure\n  \
                    help    Print\n\nOptions:\n  -h  Help\n";
        assert_eq!(verbs(help), ["list", "bench"]);
        assert!(verbs("nothing").is_empty());
    }
}
