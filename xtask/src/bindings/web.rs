//! `cargo xtask web`: the library in WebAssembly, its package for JavaScript, and the page; the
//! package is tested in Node.js, the page in a browser without a screen.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::packages::{starts, vectors, verdict};
use super::target;
use crate::outcome::Outcome;
use crate::pages::BROWSERS;
use crate::stage::{skip, stage};
use crate::workspace;

pub(crate) const TRIPLE: &str = "wasm32-unknown-unknown";
const PACKAGE: &str = "bindings/wasm";
const PAGE: &str = "web";

/// The builds, and what the compiler is told: an engine without vectors refuses a module that
/// has any.
pub(crate) const BUILDS: [(&str, &str); 2] = [("scalar", "-simd128"), ("simd128", "+simd128")];

/// Asks for what the tools of the page need; its exit status answers.
const NODE: &str = "const [a, b] = process.versions.node.split('.').map(Number);\
                    process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)";

pub(crate) const OPTIONS: &[&str] = &["--screenshots"];

/// Cargo on a crate of the package's workspace.
fn cargo(arguments: &[&str], package: &str) -> Command {
    let mut cargo = workspace::cargo(arguments);
    cargo.arg("--manifest-path").arg(workspace::root().join(PACKAGE).join("Cargo.toml"));
    cargo.args(["--package", package]);
    cargo
}

/// The same for the library in one of its builds, which share nothing that depends on features.
fn library(verb: &str, name: &str, features: &str) -> Command {
    let arguments = [verb, "--release", "--quiet", "--locked", "--target", TRIPLE];
    let mut cargo = cargo(&arguments, "cipherlane-wasm");
    let flags = format!("target.{TRIPLE}.rustflags=[\"-Ctarget-feature={features}\"]");
    cargo.args(["--config", &flags, "--target-dir"]).arg(target().join(name));
    cargo
}

/// The program that makes modules for JavaScript; the same for the host.
fn packer(verb: &str) -> Command {
    let mut cargo = cargo(&[verb, "--release", "--quiet", "--locked"], "cipherlane-wasm-pack");
    cargo.arg("--target-dir").arg(target());
    cargo
}

fn lint() -> Outcome {
    for name in ["cipherlane-wasm", "cipherlane-wasm-pack"] {
        workspace::run(cargo(&["fmt"], name).args(["--", "--check"]))?;
    }
    let (name, features) = BUILDS[0];
    for mut clippy in [library("clippy", name, features), packer("clippy")] {
        workspace::run(clippy.args(["--", "-D", "warnings"]))?;
    }
    Ok(())
}

/// One build as JavaScript imports it.
fn build(name: &str, features: &str) -> Outcome {
    workspace::run(&mut library("build", name, features))?;
    let module = target().join(name).join(TRIPLE).join("release").join("cipherlane_wasm.wasm");
    let folder = workspace::root().join(PACKAGE).join("js").join("module");
    workspace::run(packer("run").arg("--").arg(module).arg(folder).arg(name))
}

/// npm in the page's folder.
fn npm(arguments: &[&str]) -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args(arguments).current_dir(workspace::root().join(PAGE));
    npm
}

/// What a package would hold: without its modules it would be of no use.
fn packed() -> Outcome {
    let mut pack = npm(&["pack", "--dry-run", "--json", "--loglevel=error"]);
    let listed = workspace::output(pack.current_dir(workspace::root().join(PACKAGE)))?;
    for (name, _) in BUILDS {
        for file in [format!("js/module/{name}.js"), format!("js/module/{name}_bg.wasm")] {
            if !listed.contains(&format!("\"{file}\"")) {
                return Err(format!("the package lacks {file}"));
            }
        }
    }
    Ok(())
}

/// The number behind a name in a sum of Node.js, e.g. of `# pass 12`.
fn number(text: &str, name: &str) -> u64 {
    let lines = text.lines().filter_map(|line| line.strip_prefix("# "));
    let mut found = lines.filter_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    found.next_back().unwrap_or(0)
}

/// What is worth showing of thousands of tests: those that failed, and what tests tell.
fn shown(text: &str) -> Vec<&str> {
    let mut failing = false;
    let worth = |line: &&str| {
        let inner = line.trim_start();
        if inner.starts_with("not ok") {
            failing = true;
        }
        let show = failing || inner.starts_with("# tell: ");
        if inner == "..." {
            failing = false;
        }
        show
    };
    text.lines().filter(worth).collect()
}

/// Runs the tests of a folder; how many passed and failed.
fn tests(folder: &str, variables: &[(&str, &Path)], options: &[&str]) -> Result<[u64; 2], String> {
    let files = workspace::files(&format!("{folder}/tests"), "js")?;
    let files = files.into_iter().filter(|file| file.ends_with(".test.js"));
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=tap"]).args(options);
    node.args(files.map(|file| workspace::root().join(file)));
    node.current_dir(workspace::root().join(folder)).envs(variables.iter().copied());
    let output = node.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("node does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    shown(&text).iter().for_each(|line| println!("   {line}"));
    let failed = number(&text, "fail") + number(&text, "cancelled");
    if !output.status.success() && failed == 0 {
        return Err(format!("the tests of {folder} ended with {}", output.status));
    }
    Ok([number(&text, "pass"), failed])
}

/// The first of the names that is on the path.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let places = BROWSERS.iter().flat_map(|name| folders.iter().map(move |it| it.join(name)));
    places.into_iter().find(|place| place.is_file())
}

/// The program, which opens what the page wrote.
fn program() -> Result<PathBuf, String> {
    let folder = workspace::release(&["cipherlane-cli"])?;
    Ok(folder.join(format!("cipherlane{}", std::env::consts::EXE_SUFFIX)))
}

fn page(browser: &Path, screenshots: bool) -> Result<[u64; 2], String> {
    let program = program()?;
    let mut variables = vec![("CIPHERLANE_BROWSER", browser), ("CIPHERLANE_PROGRAM", &program)];
    if screenshots {
        variables.push(("CIPHERLANE_SCREENSHOTS", Path::new("1")));
    }
    // One after the other: the laboratory wants the machine for itself.
    tests(PAGE, &variables, &["--test-concurrency=1"])
}

pub(crate) fn run(options: &[String]) -> Outcome {
    if !workspace::has_target(TRIPLE) {
        let remedy = format!("rustup target add {TRIPLE}");
        skip("the library in WebAssembly: its target is not installed", &remedy);
        return Ok(());
    }
    if !starts("node", &["-e", NODE]) || !starts("npm", &["--version"]) {
        skip(
            "the package for JavaScript: no Node.js 20.19 or 22.12 with npm",
            "https://nodejs.org",
        );
        return Ok(());
    }
    stage("clippy", Duration::from_secs(120), lint)?;
    for (name, features) in BUILDS {
        stage(name, Duration::from_secs(120), || build(name, features))?;
    }
    let lines = stage("vectors", Duration::from_secs(180), vectors)?;
    let test = || tests(PACKAGE, &[("CIPHERLANE_VECTORS", &lines)], &[]);
    let [passed, failed] = stage("tests in Node.js", Duration::from_secs(90), test)?;
    stage("what the package holds", Duration::from_secs(10), packed)?;
    let quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    let install = || workspace::run(npm(&["ci"]).args(quiet));
    stage("tools of the page", Duration::from_secs(60), install)?;
    let silent = ["--silent", "run"];
    stage("types", Duration::from_secs(30), || workspace::run(npm(&silent).arg("types")))?;
    stage("the page", Duration::from_secs(30), || workspace::run(npm(&silent).arg("build")))?;
    let Some(browser) = browser() else {
        skip("the page in a browser: none is on the path", "apt-get install chromium");
        return verdict(passed + 3, failed);
    };
    let letters = Command::new("fc-list").arg(":lang=zh").output();
    if letters.is_ok_and(|output| output.stdout.is_empty()) {
        let remedy = "apt-get install fonts-wqy-zenhei";
        skip("how wide Chinese letters are: no font has them, boxes stand for them", remedy);
    }
    let screenshots = options.iter().any(|option| option == "--screenshots");
    let look = || page(&browser, screenshots);
    let looked = stage("the page in a browser", Duration::from_secs(180), look)?;
    verdict(passed + looked[0] + 3, failed + looked[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAP: &str = "ok 1 - a\n  ---\n  ...\n    not ok 2 - b\n      ---\n      error: 'x'\n\
                       \x20     ...\n# tell: 12 MB/s\n# tests 3\n# pass 2\n# fail 1\n# cancelled 0\n";

    #[test]
    fn sums_of_node_are_read() {
        assert_eq!(
            ["pass", "fail", "cancelled", "nothing"].map(|it| number(TAP, it)),
            [2, 1, 0, 0]
        );
    }

    #[test]
    fn failures_are_shown_and_what_tests_tell() {
        let shown = shown(TAP);
        assert_eq!(shown.len(), 5, "{shown:?}");
        assert!(shown[0].contains("not ok 2") && shown[4].contains("12 MB/s"));
    }
}
