//! The package for Python: wheels for Linux with an old C library of GNU or with musl, and the sources.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::musl::{self, Musl};
use super::pack::quiet;
use super::shop::{ARM_GNU, ARM_MUSL, Target, X86_GNU, X86_MUSL};
use super::tree::{self, fault};
use super::{Fault, Shop, notices, page, tools};
use crate::bindings::python_versions::interpreter;
use crate::bindings::readme;
use crate::stage::skip;
use crate::workspace;

const FOLDER: &str = "bindings/python";
const MANIFEST: &str = "bindings/python/Cargo.toml";
const PACKAGE: &str = "cipherlane-python";

const TARGETS: [Target; 4] = [X86_GNU, ARM_GNU, X86_MUSL, ARM_MUSL];

/// The platform of a target's wheels: PEP 599 and PEP 656, without the machine.
fn platform(target: Target) -> &'static str {
    if target.is_musl() { "musllinux_1_2" } else { "manylinux2014" }
}

/// Versions of Python, and whether what is built for it serves all later ones. The stable interface
/// has buffers from 3.11 on, and musl has that wheel alone.
const VERSIONS: [(&str, bool); 3] = [("3.11", true), ("3.10", false), ("3.9", false)];

/// Versions that wheels are tried in.
const TRIED: [&str; 6] = ["3.9", "3.10", "3.11", "3.12", "3.13", "3.14"];

/// Our bill of materials in a wheel, instead of maturin's, in which the path of the sources stands.
const BILL: &str = "\n[tool.maturin.sbom]\nrust = false\ninclude = [\"sbom.cdx.json\"]\n";

/// Addresses, licences and links that stand in the package of the sources that were copied; for a
/// wheel its bill of materials, too.
fn prepare(shop: &Shop, target: Target, wheel: bool) -> Result<(), Fault> {
    let folder = shop.sources().join(FOLDER);
    let file = folder.join("pyproject.toml");
    let text = workspace::read("bindings/python/pyproject.toml")?;
    let urls = format!(
        "[project.urls]\nHomepage = \"{}\"\nSource = \"{}\"\n\n[project.optional-dependencies]\n",
        shop.identity.homepage, shop.identity.repository
    );
    let text = text.replacen("[project.optional-dependencies]\n", &urls, 1);
    let terms = "license-files = [\"LICENSE-MIT\", \"LICENSE-APACHE\"";
    if !text.contains(terms) || !text.contains(&urls) {
        return Err("pyproject.toml has no place for addresses and licences".into());
    }
    let more = format!("{terms}, \"LICENSES-THIRD-PARTY.txt\"");
    let text = text.replacen(terms, &more, 1);
    tree::write(&file, if wheel { text + BILL } else { text })?;
    page::rewrite(shop, FOLDER, "README.md")?;
    notices::put(shop, &folder, MANIFEST, PACKAGE, target)?;
    if !wheel {
        fs::remove_file(folder.join("sbom.cdx.json")).map_err(fault(&folder))?;
    }
    Ok(())
}

/// Builds one wheel into a folder.
fn wheel(shop: &Shop, target: Target, version: &str, stable: bool, to: &Path) -> Result<(), Fault> {
    let programs = tools::python()?;
    let mut maturin = Command::new(programs.join("maturin"));
    maturin.current_dir(workspace::root());
    maturin.args(["build", "--release", "--locked", "--zig", "--compatibility"]);
    maturin.arg(platform(target)).args(["--target", target.triple, "--manifest-path"]);
    maturin.arg(shop.sources().join(MANIFEST)).arg("--out").arg(to);
    if stable {
        maturin.args(["--interpreter", "python3"]);
    } else {
        maturin.arg("--no-default-features").arg("--interpreter");
        // For another machine maturin knows what it needs by the version alone.
        let here = target.machine == std::env::consts::ARCH;
        let found = if here { interpreter(version) } else { None };
        maturin.arg(found.unwrap_or_else(|| PathBuf::from(format!("python{version}"))));
    }
    shop.settle(&mut maturin, target.shared())?;
    maturin.env("CARGO_TARGET_DIR", shop.target_dir());
    maturin.env("CARGO_PROFILE_RELEASE_DEBUG", "false");
    maturin.env("PATH", tools::path_with(&programs)?);
    quiet(&mut maturin).map(drop).map_err(Fault::from)
}

/// The one file of a folder with this end.
fn only(folder: &Path, end: &str) -> Result<PathBuf, String> {
    let all = tree::files(folder)?;
    let mut found = all.iter().filter(|it| it.extension() == Some(OsStr::new(end)));
    match (found.next(), found.next()) {
        (Some(file), None) => Ok(folder.join(file)),
        _ => Err(format!("{}: not one file .{end}: {all:?}", folder.display())),
    }
}

pub(super) fn make(shop: &Shop) -> Result<Vec<PathBuf>, Fault> {
    let mut made = Vec::new();
    for target in TARGETS {
        if !workspace::has_target(target.triple) {
            skip(
                &format!("wheels for {}", target.triple),
                &format!("rustup target add {}", target.triple),
            );
            continue;
        }
        prepare(shop, target, true)?;
        for (version, stable) in VERSIONS.into_iter().filter(|it| it.1 || !target.is_musl()) {
            let here = target.machine == std::env::consts::ARCH;
            if !stable && here && interpreter(version).is_none() {
                skip(&format!("a wheel for Python {version}"), "such an interpreter");
                continue;
            }
            let folder = shop.tree("wheel")?;
            wheel(shop, target, version, stable, &folder)?;
            let file = only(&folder, "whl")?;
            let to = shop.out.join(file.file_name().unwrap_or_default());
            tree::copy(&file, &to)?;
            made.push(to);
        }
    }
    prepare(shop, X86_GNU, false)?;
    let folder = shop.tree("sdist")?;
    let mut maturin = Command::new(tools::python()?.join("maturin"));
    maturin.current_dir(workspace::root()).args(["sdist", "--manifest-path"]);
    maturin.arg(shop.sources().join(MANIFEST)).arg("--out").arg(&folder);
    shop.settle(&mut maturin, &[])?;
    quiet(&mut maturin)?;
    let file = only(&folder, "gz")?;
    let to = shop.out.join(file.file_name().unwrap_or_default());
    tree::copy(&file, &to)?;
    made.push(to);
    Ok(made)
}

/// The sources, compiled where nothing of ours lies, and what came out in an environment of its own.
fn from_sources(shop: &Shop, clean: &Path) -> Result<String, Fault> {
    let programs = tools::python()?;
    let python = programs.join("python");
    let built = clean.join("built");
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "--quiet", "wheel", "--no-index"]);
    pip.args(["--no-deps", "--no-build-isolation", "--no-cache-dir", "--wheel-dir"]).arg(&built);
    pip.arg(shop.out.join(format!("cipherlane-{}.tar.gz", shop.identity.version)));
    for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET", "PYTHONPATH"] {
        pip.env_remove(variable);
    }
    pip.current_dir(clean).env("PATH", tools::path_with(&programs)?);
    quiet(pip.env("CARGO_TARGET_DIR", clean.join("target")))?;
    let wheel = built.join(only(&built, "whl")?);
    let environment = clean.join("from-sources");
    quiet(Command::new(&python).args(["-m", "venv"]).arg(&environment))?;
    let python = environment.join("bin/python");
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-index"]);
    quiet(pip.arg(&wheel))?;
    let mut user = Command::new(&python);
    let said = quiet(user.arg("user.py").current_dir(clean).env_remove("PYTHONPATH"))?;
    let last = said.lines().last().unwrap_or_default();
    Ok(format!("the sources, compiled by pip alone: the README's lines, {last}"))
}

/// Asks whether the wheel's tag is one that pip takes in a Python, by the code that pip asks.
const TAGS: &str = "import sys; sys.path.append(sys.argv[1])\n\
    from packaging.tags import sys_tags\n\
    assert sys.argv[2] in map(str, sys_tags()), sys.argv[2]\n";

/// The wheel for musl in a Python of that system; this system's pip, told of that one, unpacks it.
fn under_musl(shop: &Shop, target: Target, clean: &Path) -> Result<String, Fault> {
    let musl = Musl::of(target)?;
    let program = musl.python()?;
    let folder = clean.join(target.triple);
    let name = format!("{}_{}", platform(target), target.machine);
    let tools = tools::python()?.join("python");
    let mut pip = Command::new(&tools);
    pip.args(["-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-index"]);
    pip.args(["--only-binary=:all:", "--implementation=cp", "--abi=abi3", "--python-version"]);
    pip.arg(musl::VERSION).arg("--platform").arg(&name).arg("--find-links").arg(&shop.out);
    quiet(pip.arg("--target").arg(&folder).arg("cipherlane"))?;
    // It starts the loader to learn the version of musl, which an emulated program can't.
    if target.machine == std::env::consts::ARCH {
        let mut ask = Command::new(&tools);
        let vendor = quiet(ask.args(["-c", "import pip._vendor as it; print(it.__path__[0])"]))?;
        let mut tags = musl.starts(&program);
        tags.args(["-I", "-c", TAGS]).arg(vendor.trim()).arg(format!("cp311-abi3-{name}"));
        quiet(&mut tags)?;
    }
    let mut user = musl.starts(&program);
    user.arg("user.py").current_dir(clean).env("PYTHONPATH", &folder).env("ONLY", &folder);
    let said = quiet(&mut user)?;
    let last = said.lines().last().unwrap_or_default();
    let version = musl::VERSION;
    Ok(format!("Python {version}, {}: pip install, the README's lines, {last}", musl.how()))
}

/// The README's lines in every Python that is here, from the wheels alone, and from the sources.
pub(super) fn attempt(shop: &Shop) -> Result<Vec<String>, Fault> {
    let clean = shop.clean("wheels")?;
    let page = workspace::read("bindings/python/README.md")?;
    let blocks = readme::blocks(&page, "python");
    let code = blocks.first().ok_or("no example in the README for Python")?;
    let check = "\nimport cipherlane, importlib.metadata as m, os, sys\n\
        assert cipherlane.__file__.startswith(os.environ.get('ONLY', sys.prefix))\n\
        files = {f.name for f in m.files('cipherlane')}\n\
        assert {'LICENSE-MIT', 'LICENSE-APACHE', 'LICENSES-THIRD-PARTY.txt'} <= files, files\n\
        assert any(f.parent.name == 'sboms' for f in m.files('cipherlane')), files\n\
        print('level', cipherlane.level())\n";
    tree::write(&clean.join("user.py"), format!("{code}{check}"))?;
    let mut ran = Vec::new();
    for version in TRIED {
        let Some(interpreter) = interpreter(version) else {
            skip(&format!("the wheel in Python {version}"), "such an interpreter");
            continue;
        };
        let environment = clean.join(version);
        quiet(Command::new(interpreter).args(["-m", "venv"]).arg(&environment))?;
        let python = environment.join("bin/python");
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-index"]);
        quiet(pip.arg("--only-binary=:all:").arg("--find-links").arg(&shop.out).arg("cipherlane"))?;
        let mut user = Command::new(&python);
        let said = quiet(user.arg("user.py").current_dir(&clean).env_remove("PYTHONPATH"))?;
        let last = said.lines().last().unwrap_or_default();
        ran.push(format!("Python {version}: pip install, the README's lines, {last}"));
    }
    let made = tree::files(&shop.out)?;
    let made = |end: &str| made.iter().any(|it| it.to_string_lossy().ends_with(end));
    if made(".manylinux_2_17_aarch64.whl") {
        skip("the wheels for GNU's C library on AArch64, installed", "a Python for it");
    }
    for target in TARGETS.into_iter().filter(|it| it.is_musl()) {
        if !made(&format!("{}_{}.whl", platform(target), target.machine)) {
            continue;
        }
        match under_musl(shop, target, &clean) {
            Err(Fault::Missing { what, remedy }) => skip(&format!("a wheel: {what}"), &remedy),
            said => ran.push(said?),
        }
    }
    ran.push(from_sources(shop, &clean)?);
    Ok(ran)
}
