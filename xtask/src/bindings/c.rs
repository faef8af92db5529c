//! `cargo xtask c`: the library for C, installed, and used by programs in C and C++.

use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object as _, ObjectSymbol as _};

use super::{Tally, WARNINGS, cargo, fresh, has, memory, quiet, readme, supercop, target, write};
use crate::outcome::Outcome;
use crate::stage::skip;
use crate::workspace;

/// The examples, and whether valgrind, which is slow, runs them too.
const EXAMPLES: [(&str, bool); 6] = [
    ("seal", true),
    ("packets", true),
    ("misuse", true),
    ("air", true),
    ("pdcp", true),
    ("list", false),
];

/// A compiler with its flags and the end of the file names it takes for its language.
const COMPILERS: [(&str, &[&str]); 2] =
    [("gcc", &["-x", "c", "-std=c11"]), ("g++", &["-x", "c++", "-std=c++17"])];

/// How a program is linked and run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Shared,
    Static,
    Sanitized,
}

pub(crate) fn run(_: &[String]) -> Outcome {
    let mut tally = Tally::default();
    tally.cargo_test("vectors, header, unit tests", &mut cargo("test", "c"));
    let prefix = workspace::scratch("c").join("prefix");
    if !["make", "gcc"].iter().all(|program| has(program)) {
        skip("installing the library and compiling examples", "apt-get install gcc g++ make");
        return tally.end();
    }
    fresh(&prefix)?;
    if tally.check("make install", install(&prefix)) {
        tally.check("exported symbols have the prefix", symbols(&prefix));
        for (compiler, flags) in COMPILERS {
            if has(compiler) {
                examples(&mut tally, &prefix, compiler, flags);
            } else {
                skip(&format!("examples by {compiler}"), &format!("apt-get install {compiler}"));
            }
        }
        tally.check("memory that runs out at any allocation", no_memory(&prefix));
        supercop::run(&mut tally, &prefix);
        page(&mut tally, &prefix);
        core_in_go(&mut tally, &prefix);
    }
    if quiet(&mut workspace::cargo(&["cbuild", "--version"])).is_ok() {
        tally.check("cargo cinstall", cinstall());
    } else {
        skip("installing by cargo-c", "cargo install cargo-c");
    }
    tally.end()
}

/// Builds, and then installs, which builds nothing.
fn install(prefix: &Path) -> Result<(), String> {
    make(prefix, &target(), "build")?;
    let nothing = workspace::scratch("c").join("nothing-is-built");
    match make(prefix, &nothing, "install") {
        Err(said) if said.contains("run make first") => {}
        other => return Err(format!("installing what was not built: {other:?}")),
    }
    make(prefix, &target(), "install")
}

fn make(prefix: &Path, target: &Path, what: &str) -> Result<(), String> {
    let mut make = Command::new("make");
    make.current_dir(workspace::root()).args(["-C", "bindings/c", what]);
    make.arg(format!("PREFIX={}", prefix.display())).env("CARGO_TARGET_DIR", target);
    quiet(&mut make).map(drop)
}

/// The same by the tool that knows how C libraries are installed.
fn cinstall() -> Result<(), String> {
    let prefix = workspace::scratch("c").join("cargo-c");
    fresh(&prefix)?;
    let mut command = cargo("cinstall", "c");
    quiet(command.arg("--prefix").arg(&prefix).args(["--libdir", "lib"]))?;
    let files = ["include/cipherlane.h", "lib/libcipherlane.a", "lib/pkgconfig/cipherlane.pc"];
    let missing = files.iter().find(|file| !prefix.join(file).is_file());
    missing.map_or(Ok(()), |file| Err(format!("it has installed no {file}")))
}

/// Nothing else than the interface may be visible of the shared library.
fn symbols(prefix: &Path) -> Result<(), String> {
    let path = prefix.join("lib").join("libcipherlane.so");
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file = object::File::parse(bytes.as_slice()).map_err(|error| error.to_string())?;
    let mut count = 0;
    for symbol in file.dynamic_symbols().filter(|it| it.is_definition() && it.is_global()) {
        let name = symbol.name().map_err(|error| error.to_string())?;
        if !name.starts_with("cipherlane_") {
            return Err(format!("{name} is exported"));
        }
        count += 1;
    }
    if count > 30 { Ok(()) } else { Err(format!("only {count} symbols are exported")) }
}

fn examples(tally: &mut Tally, prefix: &Path, compiler: &str, flags: &[&str]) {
    for (example, short) in EXAMPLES {
        for (way, name) in
            [(Way::Shared, "shared"), (Way::Static, "static"), (Way::Sanitized, "AddressSanitizer")]
        {
            let what = format!("{example} by {compiler}, {name}");
            let source = workspace::root().join(format!("bindings/c/examples/{example}.c"));
            let program = workspace::scratch("c").join(format!("{example}-{compiler}-{name}"));
            let built = compile(compiler, flags, &source, &program, prefix, way);
            let passed = tally.check(&what, built.and_then(|()| start(&program, prefix, &[])));
            if !(passed && way == Way::Shared && short && compiler == "gcc") {
                continue;
            }
            if has("valgrind") {
                let memcheck = ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full"];
                let run = start(&program, prefix, &memcheck);
                tally.check(&format!("{example} under valgrind"), run);
            } else {
                skip(&format!("{example} under valgrind"), "apt-get install valgrind");
            }
        }
    }
}

fn compile(
    compiler: &str,
    flags: &[&str],
    source: &Path,
    program: &Path,
    prefix: &Path,
    way: Way,
) -> Result<(), String> {
    let mut command = Command::new(compiler);
    command.args(flags).args(WARNINGS).args(["-O1", "-g"]);
    command.arg("-I").arg(prefix.join("include")).arg(source).args(["-x", "none"]);
    match way {
        Way::Static => {
            command.arg(prefix.join("lib").join("libcipherlane.a"));
            command.args(["-lpthread", "-ldl", "-lm"]);
        }
        _ => {
            command.arg("-L").arg(prefix.join("lib")).arg("-lcipherlane");
        }
    }
    if way == Way::Sanitized {
        command.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    }
    quiet(command.arg("-o").arg(program)).map(drop)
}

/// Runs a program with the library that was installed, under another program if there is one.
fn start(program: &Path, prefix: &Path, under: &[&str]) -> Result<(), String> {
    let mut command = match under.split_first() {
        Some((first, rest)) => {
            let mut command = Command::new(first);
            command.args(rest).arg(program);
            command
        }
        None => Command::new(program),
    };
    quiet(command.env("LD_LIBRARY_PATH", prefix.join("lib"))).map(drop)
}

/// Examples whose allocations fail, one after the other; not that which makes every object there is, as it
/// would take minutes.
fn no_memory(prefix: &Path) -> Outcome {
    let folder = workspace::scratch("c");
    let shim = memory::shim(&folder)?;
    for example in ["seal", "packets", "air", "pdcp"] {
        let program = || {
            let mut command = Command::new(folder.join(format!("{example}-gcc-shared")));
            command.env("LD_LIBRARY_PATH", prefix.join("lib"));
            command
        };
        let failed = |error: String| format!("{example}: {error}");
        let ours = memory::of_ours(program, &shim, "libcipherlane.so", usize::MAX);
        let all = memory::Taken { from: None, most: 50, behind: true };
        let all = memory::runs_out(program, &shim, all).map_err(failed)?;
        println!("   {example}: the library's: {}; all: {all}", ours.map_err(failed)?);
    }
    Ok(())
}

/// The example of the page, compiled and run by the page's own lines.
fn page(tally: &mut Tally, prefix: &Path) {
    if !has("pkg-config") {
        skip("the example of bindings/c/README.md", "apt-get install pkg-config");
        return;
    }
    tally.check("the example of the README", example(prefix));
}

/// The recipe of `docs/AIR.md`: functions of a 5G core over the library, with their tests.
fn core_in_go(tally: &mut Tally, prefix: &Path) {
    let go = quiet(Command::new("go").arg("version")).is_ok();
    if !go || !has("pkg-config") {
        skip("the recipe for Go of docs/AIR.md", "apt-get install golang pkg-config");
        return;
    }
    let mut test = Command::new("go");
    test.args(["test", "-count=1", "./..."]);
    test.current_dir(workspace::root().join("docs/recipes/5g-core-go"));
    test.env("PKG_CONFIG_PATH", prefix.join("lib").join("pkgconfig"));
    test.env("LD_LIBRARY_PATH", prefix.join("lib"));
    test.env("GOTOOLCHAIN", "local").env("CGO_ENABLED", "1");
    tally.check("the recipe for Go of docs/AIR.md", quiet(&mut test).map(drop));
}

fn example(prefix: &Path) -> Result<(), String> {
    let page = workspace::read("bindings/c/README.md")?;
    let code = readme::blocks(&page, "c");
    let lines = readme::blocks(&page, "sh");
    let (Some(code), Some(compile)) = (code.first(), lines.last()) else {
        return Err("bindings/c/README.md has no example".into());
    };
    let folder: PathBuf = workspace::scratch("c").join("readme");
    fresh(&folder)?;
    write(&folder.join("example.c"), code)?;
    let mut shell = Command::new("sh");
    shell.args(["-ec", &format!("{compile}./example")]).current_dir(&folder);
    shell.env("PKG_CONFIG_PATH", prefix.join("lib").join("pkgconfig"));
    let said = quiet(shell.env("LD_LIBRARY_PATH", prefix.join("lib")))?;
    if said.trim() == "done" { Ok(()) } else { Err(format!("it printed `{}`", said.trim())) }
}
