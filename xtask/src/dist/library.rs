//! The library for C: shared and static, with header, pkg-config and CMake, in a folder that may be
//! unpacked anywhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::pack::{self, quiet};
use super::shop::{ARM_GNU, GLIBC, Target, X86_GNU};
use super::tree::{self, fault};
use super::{Fault, Shop, notices, tools};
use crate::bindings::readme;
use crate::workspace;

const FOLDER: &str = "bindings/c";
const MANIFEST: &str = "bindings/c/Cargo.toml";
const PACKAGE: &str = "cipherlane-c";

const TARGETS: [Target; 2] = [X86_GNU, ARM_GNU];

fn name(shop: &Shop, target: Target) -> String {
    format!("cipherlane-c-{}-{}-linux-gnu", shop.identity.version, target.machine)
}

/// A compiler for C and a program that strips, of a target, and how its programs are started.
pub(super) struct Cross {
    compiler: &'static str,
    strip: &'static str,
    pub(super) objcopy: &'static str,
    starts: &'static [&'static str],
}

pub(super) fn cross(target: Target) -> Cross {
    if target.machine == std::env::consts::ARCH {
        return Cross { compiler: "cc", strip: "strip", objcopy: "objcopy", starts: &[] };
    }
    Cross {
        compiler: "aarch64-linux-gnu-gcc",
        strip: "aarch64-linux-gnu-strip",
        objcopy: "aarch64-linux-gnu-objcopy",
        starts: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
    }
}

/// Where the Makefile finds the static library, and puts the shared one.
fn stripped(shop: &Shop, target: Target) -> PathBuf {
    shop.target_dir().join("c").join(target.triple)
}

/// Compiles the static library and links the shared one, for an old C library.
fn build(shop: &Shop, target: Target) -> Result<(), Fault> {
    if !workspace::has_target(target.triple) {
        let remedy = format!("rustup target add {}", target.triple);
        return Err(Fault::missing(format!("the C library for {}", target.triple), remedy));
    }
    for program in ["make", cross(target).strip] {
        if !tools::has(program) {
            let what = format!("the C library for {}: no {program}", target.triple);
            return Err(Fault::missing(what, "apt-get install make binutils-aarch64-linux-gnu"));
        }
    }
    let mut build = shop.library_build(target, MANIFEST, "rustc")?;
    workspace::run(build.args(["--crate-type", "staticlib"]))?;
    // Into a file of its own: cargo takes what it made for fresh, and stripping what is stripped
    // already writes the objects' tables of names in another order.
    let archive = stripped(shop, target).join("libcipherlane.a");
    tree::write(&archive, "")?;
    let mut strip = Command::new(cross(target).strip);
    strip.args(["--strip-debug", "--enable-deterministic-archives", "-o"]).arg(&archive);
    quiet(strip.arg(shop.built(target).join("libcipherlane.a")))?;
    let zig = tools::python()?.join("python");
    let mut make = make_in(shop, target, "shared");
    make.arg(format!(
        "CC={} -m ziglang cc -target {}-linux-gnu.{GLIBC} -s",
        zig.display(),
        target.machine
    ));
    quiet(make.arg("UNWIND=-lunwind")).map(drop)?;
    Ok(())
}

/// The Makefile that users have, with what was built here.
fn make_in(shop: &Shop, target: Target, what: &str) -> Command {
    let mut make = Command::new("make");
    make.arg("-C").arg(shop.sources().join(FOLDER)).arg(what);
    make.arg(format!("BUILT={}", stripped(shop, target).display()));
    make.arg("STRIP=true").env("SOURCE_DATE_EPOCH", &shop.epoch);
    make
}

/// Installs what was built below a folder, as the Makefile does, with licences in `documents`.
pub(super) fn install(
    shop: &Shop,
    target: Target,
    root: &Path,
    places: &[String],
    documents: &Path,
) -> Result<(), Fault> {
    build(shop, target)?;
    let mut make = make_in(shop, target, "install");
    quiet(make.arg(format!("DESTDIR={}", root.display())).args(places))?;
    notices::put(shop, documents, MANIFEST, PACKAGE, target)?;
    tree::copy(&shop.sources().join(FOLDER).join("README.md"), &documents.join("README.md"))?;
    Ok(())
}

pub(super) fn make(shop: &Shop) -> Result<Vec<PathBuf>, Fault> {
    let mut made = Vec::new();
    for target in TARGETS {
        let name = name(shop, target);
        let tree = shop.tree(&name)?;
        // Paths count from where the file of pkg-config lies.
        let places = ["PREFIX=/", "LIBDIR=/lib", "INCLUDEDIR=/include"].map(str::to_owned);
        match install(shop, target, &tree, &places, &tree.join("share/doc/cipherlane")) {
            Err(Fault::Missing { what, remedy }) => {
                crate::stage::skip(&what, &remedy);
                continue;
            }
            done => done?,
        }
        let file = tree.join("lib/pkgconfig/cipherlane.pc");
        let text = fs::read_to_string(&file).map_err(fault(&file))?;
        let text = text.replace("prefix=/\n", "prefix=${pcfiledir}/../..\n");
        let text = text.replace("libdir=/lib\n", "libdir=${prefix}/lib\n");
        tree::write(
            &file,
            text.replace("includedir=/include\n", "includedir=${prefix}/include\n"),
        )?;
        made.push(pack::tar(shop, &name)?);
    }
    if made.is_empty() { Err(Fault::missing("the C library", "a target above")) } else { Ok(made) }
}

/// A project of CMake that links a program with the shared library, and another with the static one.
const PROJECT: &str = "cmake_minimum_required(VERSION 3.13)\nproject(user C)\n\
    find_package(cipherlane 0.1 REQUIRED CONFIG)\nadd_executable(shared user.c)\n\
    target_link_libraries(shared PRIVATE cipherlane::cipherlane)\nadd_executable(static user.c)\n\
    target_link_libraries(static PRIVATE cipherlane::static)\n";

/// What a program says.
fn said(program: &Path, starts: &[&str], libraries: &Path) -> Result<String, String> {
    let mut command = match starts.split_first() {
        Some((first, rest)) => {
            let mut command = Command::new(first);
            command.args(rest).arg(program);
            command
        }
        None => Command::new(program),
    };
    quiet(command.env("LD_LIBRARY_PATH", libraries)).map(|said| said.trim().to_owned())
}

/// The README's ten lines, by pkg-config shared and static, and by CMake.
pub(super) fn attempt(shop: &Shop) -> Result<Vec<String>, Fault> {
    let clean = shop.clean("library")?;
    let page = workspace::read("bindings/c/README.md")?;
    let blocks = readme::blocks(&page, "c");
    let code = blocks.first().ok_or("no example in the README for C")?;
    let mut ran = Vec::new();
    for target in TARGETS {
        let (name, cross) = (name(shop, target), cross(target));
        let archive = shop.out.join(format!("{name}.tar.gz"));
        if !archive.exists() {
            continue;
        }
        let lacks = cross.starts.iter().take(1).chain([&cross.compiler, &"pkg-config"]);
        if let Some(program) = lacks.into_iter().find(|it| !tools::has(it)) {
            crate::stage::skip(&format!("using {name}: no {program}"), "apt-get install qemu-user");
            continue;
        }
        pack::untar(&archive, &clean)?;
        let (root, user) = (clean.join(&name), clean.join(format!("user-{}", target.machine)));
        tree::write(&user.join("user.c"), code)?;
        for (way, more) in [("shared", &[][..]), ("static", &["--static"][..])] {
            let mut ask = Command::new("pkg-config");
            ask.env("PKG_CONFIG_PATH", root.join("lib/pkgconfig")).env_remove("PKG_CONFIG_LIBDIR");
            let flags = quiet(ask.args(["--cflags", "--libs"]).args(more).arg("cipherlane"))?;
            let mut flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
            if way == "static" {
                // By name, or a linker takes the shared one where both are.
                flags.retain(|flag| flag != "-lcipherlane");
                flags.insert(0, root.join("lib/libcipherlane.a").display().to_string());
            }
            let program = user.join(way);
            let mut compile = Command::new(cross.compiler);
            compile.current_dir(&user).arg("user.c").arg("-o").arg(&program);
            quiet(compile.args(&flags))?;
            let said = said(&program, cross.starts, &root.join("lib"))?;
            if said != "done" {
                return Err(Fault::Failed(format!("{name}, {way}: `{said}`")));
            }
        }
        ran.push(format!("{name}: the README's lines by pkg-config, shared and static"));
        if cross.starts.is_empty() && tools::has("cmake") {
            tree::write(&user.join("CMakeLists.txt"), PROJECT)?;
            let mut configure = Command::new("cmake");
            configure.current_dir(&user).args(["-S", ".", "-B", "made"]);
            quiet(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", root.display())))?;
            quiet(Command::new("cmake").current_dir(&user).args(["--build", "made"]))?;
            for program in ["shared", "static"] {
                let said = said(&user.join("made").join(program), &[], &root.join("lib"))?;
                if said != "done" {
                    return Err(Fault::Failed(format!("{name}, CMake, {program}: `{said}`")));
                }
            }
            ran.push(format!("{name}: the same by CMake, shared and static"));
        }
    }
    if ran.is_empty() { Err(Fault::missing("the C library", "a compiler above")) } else { Ok(ran) }
}
