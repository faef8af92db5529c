//! How much of each room the targets reach from their corpora, by LLVM's instruments: lines that ran, of
//! those that the program of all targets has.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::FOLDER;
use crate::here;
use crate::outcome::Outcome;
use crate::stage::skip;
use crate::workspace;

/// What was reached: room, lines, lines that ran.
pub(crate) const KEPT: &str = "fuzz/coverage.tsv";
/// In front of when and of what sources it was, and on which CPU, in the second line.
const WHEN: &str = "# ";
const HEAD: &str = "room\tlines\treached\n";
const RUN: &str = "every_corpus_runs";

/// A room's lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) name: String,
    pub(crate) lines: u64,
    pub(crate) reached: u64,
}

/// When it was, of what sources and on which CPU.
pub(crate) fn when(text: &str) -> Option<&str> {
    text.lines().nth(1)?.strip_prefix(WHEN)
}

/// The rows of the file.
pub(crate) fn parse(text: &str) -> Result<Vec<Room>, String> {
    let row = |line: &str| {
        let wrong = || format!("{KEPT}: `{line}`");
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, lines, reached] = fields[..] else { return Err(wrong()) };
        let number = |text: &str| text.parse().map_err(|_| wrong());
        Ok(Room { name: name.into(), lines: number(lines)?, reached: number(reached)? })
    };
    text.lines().skip(1).filter(|line| !line.starts_with(WHEN)).map(row).collect()
}

/// The room of a file, from its path from the root; none for what is not under test.
fn room(path: &str) -> Option<String> {
    let inside = |folder: &str| path.strip_prefix(folder);
    if let Some(rest) = inside("crates/cipherlane/src/") {
        let mut parts = rest.split('/');
        let (first, second) = (parts.next()?, parts.next());
        return Some(match (first, second) {
            ("ciphers", Some(cipher)) => format!("cipher {cipher}"),
            (room, Some(_)) => format!("library {room}"),
            _ => "library, its ground".to_owned(),
        });
    }
    let folders = [
        ("crates/lanes/", "lanes"),
        ("crates/container/", "container"),
        ("crates/objects/", "objects"),
        ("bindings/openssl/", "provider"),
        ("lab/src/", "laboratory"),
    ];
    folders.iter().find(|it| inside(it.0).is_some()).map(|it| it.1.to_owned())
}

/// The rooms of a report in the form of lcov, in the order of their names.
fn rooms(report: &str, root: &Path) -> Vec<Room> {
    let mut all: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut name = None;
    for line in report.lines() {
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        let number = || value.parse::<u64>().unwrap_or(0);
        match key {
            "SF" => {
                let path = Path::new(value).strip_prefix(root).ok();
                name = path.and_then(|path| room(&path.to_string_lossy()));
            }
            "LF" => {
                if let Some(name) = &name {
                    all.entry(name.clone()).or_default().0 += number();
                }
            }
            "LH" => {
                if let Some(name) = &name {
                    all.entry(name.clone()).or_default().1 += number();
                }
            }
            _ => {}
        }
    }
    all.into_iter().map(|(name, (lines, reached))| Room { name, lines, reached }).collect()
}

/// The version of LLVM that the compiler is of, the number before the first point.
fn wanted() -> Option<String> {
    let version = workspace::output(Command::new("rustc").arg("-vV")).ok()?;
    let wanted = version.lines().find_map(|line| line.strip_prefix("LLVM version: "))?;
    wanted.split('.').next().map(str::to_owned)
}

/// A tool of LLVM: the toolchain's own component, or the system's of the compiler's version, which some
/// systems have under a name with that. An older one can't read what the compiler wrote.
fn tool(name: &str) -> Option<PathBuf> {
    let sysroot = workspace::output(Command::new("rustc").args(["--print", "sysroot"])).ok()?;
    let own = Path::new(sysroot.trim()).join("lib/rustlib").join(super::build::triple().ok()?);
    let own = own.join("bin").join(name);
    if own.exists() {
        return Some(own);
    }
    let wanted = wanted()?;
    let fits = |tool: &String| {
        let mut command = Command::new(tool);
        // `llvm-profdata` of some versions has no word for it by itself.
        let said = workspace::output(command.args(["show", "--version"])).unwrap_or_default();
        said.contains(&format!("LLVM version {wanted}."))
    };
    [format!("{name}-{wanted}"), name.to_owned()].into_iter().find(fits).map(PathBuf::from)
}

/// The program of all targets' tests, built with LLVM's instruments.
fn build(folder: &Path) -> Result<PathBuf, String> {
    let mut command = workspace::cargo(&["test", "--release", "--locked", "--lib", "--no-run"]);
    command.args(["--message-format", "json"]).current_dir(workspace::root().join(FOLDER));
    command.env("CARGO_TARGET_DIR", folder).env_remove("RUSTFLAGS");
    command.env("CARGO_ENCODED_RUSTFLAGS", "-Cinstrument-coverage");
    // Scripts of crates and macros are instrumented, too, and would write beside the sources.
    command.env("LLVM_PROFILE_FILE", folder.join("build-%m.profraw"));
    let text = workspace::output(&mut command)?;
    let mut programs = text.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let test = message["profile"]["test"].as_bool()?;
        message["executable"].as_str().filter(|_| test).map(PathBuf::from)
    });
    programs.next_back().ok_or_else(|| "cargo told of no program of tests".to_owned())
}

/// Runs all corpora and keeps what they reached, if `write`.
pub(super) fn run(write: bool) -> Outcome {
    let (Some(profdata), Some(cov)) = (tool("llvm-profdata"), tool("llvm-cov")) else {
        skip("what the corpora reach", "rustup component add llvm-tools, or LLVM's of its version");
        return Ok(());
    };
    let folder = workspace::scratch("fuzz-coverage");
    let program = build(&folder)?;
    let (raw, data) = (folder.join("all.profraw"), folder.join("all.profdata"));
    let mut test = Command::new(&program);
    test.current_dir(workspace::root().join(FOLDER)).arg(RUN);
    let said = workspace::output(test.env("LLVM_PROFILE_FILE", &raw))?;
    if !said.contains("1 passed") {
        return Err(format!("the test {RUN} did not run: has it another name?"));
    }
    workspace::run(Command::new(profdata).args(["merge", "-sparse", "-o"]).args([&data, &raw]))?;
    let mut export = Command::new(cov);
    export.args(["export", "--format=lcov", "--summary-only"]).arg(&program);
    export.arg(format!("--instr-profile={}", data.display()));
    let rooms = rooms(&workspace::output(&mut export)?, &workspace::root());
    let (date, sources, cpu) = (here::today()?, here::sources(), here::cpu());
    let mut text = format!("{HEAD}{WHEN}{date}, sources {sources}, {cpu}\n");
    for Room { name, lines, reached } in &rooms {
        println!("   {name}: {reached} of {lines} lines");
        let _ = writeln!(text, "{name}\t{lines}\t{reached}");
    }
    if rooms.is_empty() {
        return Err("the report names no file of these sources".to_owned());
    }
    if write {
        let path = workspace::root().join(KEPT);
        return fs::write(path, text).map_err(|error| format!("{KEPT}: {error}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_by_room() {
        let report = "SF:/r/crates/cipherlane/src/ciphers/sm4/mod.rs\nLF:10\nLH:9\nend_of_record\n\
            SF:/r/crates/cipherlane/src/ciphers/sm4/key.rs\nLF:5\nLH:5\nend_of_record\n\
            SF:/r/crates/cipherlane/src/error.rs\nLF:4\nLH:0\nend_of_record\n\
            SF:/r/crates/cipherlane/src/modes/ctr.rs\nLF:3\nLH:1\nend_of_record\n\
            SF:/r/crates/model/src/lib.rs\nLF:100\nLH:1\nend_of_record\n\
            SF:/elsewhere/lib.rs\nLF:100\nLH:1\nend_of_record\n\
            SF:/r/bindings/openssl/src/core.rs\nLF:7\nLH:6\nend_of_record\n";
        let rooms = rooms(report, Path::new("/r"));
        let all: Vec<_> = rooms.iter().map(|it| (it.name.as_str(), it.lines, it.reached)).collect();
        let ground = ("library, its ground", 4, 0);
        let wanted = [("cipher sm4", 15, 14), ground, ("library modes", 3, 1), ("provider", 7, 6)];
        assert_eq!(all, [wanted[0], wanted[2], wanted[1], wanted[3]]);
        assert!(parse("head\na\t1\n").is_err());
        assert_eq!(parse("head\na\t2\t1\n").unwrap()[0].reached, 1);
        let dated = "head\n# a day, a CPU\na\t2\t1\n";
        assert_eq!((parse(dated).unwrap().len(), when(dated)), (1, Some("a day, a CPU")));
        assert_eq!(when("head\na\t2\t1\n"), None);
    }
}
