//! Packages for Debian and what is made of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::pack::{self, quiet};
use super::system::{self, MACHINES, Names, Package, maintainer};
use super::tree::{self, fault};
use super::{Fault, Shop, tools};
use crate::bindings::readme;
use crate::stage::skip;
use crate::workspace;

fn names(machine: &str) -> Names {
    Names {
        tree: "deb",
        libraries: format!("lib/{machine}-linux-gnu"),
        library: "libcipherlane0",
        development: "libcipherlane-dev",
        provider: "cipherlane-openssl",
        c_library: "libc6 (>= 2.17)",
        openssl: "libc6 (>= 2.17), openssl (>= 3.0)",
    }
}

fn file(shop: &Shop, package: &str, architecture: &str) -> PathBuf {
    shop.out.join(format!("{package}_{}-1_{architecture}.deb", shop.identity.version))
}

/// What Debian's policy wants of a package besides its files.
fn documents(shop: &Shop, package: &Package) -> Result<(), Fault> {
    let folder = package.root.join("usr/share/doc").join(&package.name);
    let copyright = format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: cipherlane\nSource: {}\n\nFiles: *\nCopyright: the authors of Cipherlane\n\
         License: Expat or Apache-2.0\n Under either of the texts LICENSE-MIT and LICENSE-APACHE\n \
         in this folder. Crates of others in the binary files are listed with their terms in\n \
         LICENSES-THIRD-PARTY.txt, where there are any.\n",
        shop.identity.repository
    );
    tree::write(&folder.join("copyright"), copyright)?;
    let mut date = Command::new("date");
    date.args(["--utc", "--rfc-email"]).arg(format!("--date=@{}", shop.epoch));
    let changes = format!(
        "cipherlane ({}-1) unstable; urgency=medium\n\n  * See CHANGELOG.md of the sources.\n\n -- {}  {}",
        shop.identity.version,
        maintainer(shop),
        quiet(date.env("LC_ALL", "C"))?
    );
    let plain = folder.join("changelog.Debian");
    tree::write(&plain, changes)?;
    pack::gzip(&plain, &folder.join("changelog.Debian.gz"))?;
    fs::remove_file(&plain).map_err(fault(&plain))?;
    Ok(())
}

fn control(shop: &Shop, package: &Package, architecture: &str) -> Result<String, String> {
    let mut bytes = 0;
    for file in tree::files(&package.root)? {
        let path = package.root.join(file);
        bytes += fs::symlink_metadata(&path).map_err(fault(&path))?.len();
    }
    let version = format!("{}-1", shop.identity.version);
    let ours = package.ours.as_ref().map(|name| format!("{name} (= {version})"));
    let depends: Vec<String> = ours.into_iter().chain(package.system.map(str::to_owned)).collect();
    let depends = if depends.is_empty() {
        String::new()
    } else {
        format!("Depends: {}\n", depends.join(", "))
    };
    let section = match &*package.name {
        "cipherlane" => "utils",
        name if name.ends_with("-dev") => "libdevel",
        _ => "libs",
    };
    Ok(format!(
        "Package: {}\nSource: cipherlane\nVersion: {version}\nArchitecture: {architecture}\n\
         Maintainer: {}\nInstalled-Size: {}\n{depends}Section: {section}\nPriority: optional\n{}\
         Homepage: {}\nDescription: {}\n SM4, AES, ZUC and other ciphers in all their modes, AEADs and\n \
         MACs, at the speed of the CPU's vector instructions.\n",
        package.name,
        maintainer(shop),
        bytes.div_ceil(1024),
        if package.shares { "Multi-Arch: same\n" } else { "" },
        shop.identity.homepage,
        package.summary,
    ))
}

/// Packs one package.
fn packed(shop: &Shop, package: &Package, architecture: &str) -> Result<PathBuf, Fault> {
    documents(shop, package)?;
    let control = control(shop, package, architecture)?;
    let folder = package.root.join("DEBIAN");
    tree::write(&folder.join("control"), control)?;
    if package.shares {
        let name = &package.name;
        let line = format!("libcipherlane 0 {name} (>= {})\n", shop.identity.version);
        tree::write(&folder.join("shlibs"), line)?;
        tree::write(&folder.join("triggers"), "activate-noawait ldconfig\n")?;
    }
    let to = file(shop, &package.name, architecture);
    let mut settle = Command::new("chmod");
    quiet(settle.args(["-R", "u=rwX,go=rX"]).arg(&package.root))?;
    let mut build = Command::new("dpkg-deb");
    build.args(["--build", "--root-owner-group", "-Zxz"]).arg(&package.root).arg(&to);
    // With several threads it packs in pieces, whose size depends on them.
    build.env("DPKG_DEB_THREADS_MAX", "1");
    quiet(build.env("SOURCE_DATE_EPOCH", &shop.epoch))?;
    Ok(to)
}

pub(super) fn make(shop: &Shop) -> Result<Vec<PathBuf>, Fault> {
    if !tools::has("dpkg-deb") {
        return Err(Fault::missing("packages for Debian: no dpkg-deb", "apt-get install dpkg"));
    }
    let mut made = Vec::new();
    for machine in MACHINES {
        match system::packages(shop, machine, &names(machine.0.machine)) {
            Err(Fault::Missing { what, remedy }) => skip(&what, &remedy),
            packages => {
                for package in packages? {
                    made.push(packed(shop, &package, machine.0.debian)?);
                }
            }
        }
    }
    if made.is_empty() {
        Err(Fault::missing("packages for Debian", "a target above"))
    } else {
        Ok(made)
    }
}

/// What is looked at in a root into which the packages were installed: the program runs, and a
/// program in C is compiled with what is there.
pub(super) fn used(root: &Path, libraries: &str, user: &Path) -> Result<(), Fault> {
    let mut program = Command::new(root.join("usr/bin/cipherlane"));
    quiet(program.arg("self-test"))?;
    let page = workspace::read("bindings/c/README.md")?;
    let blocks = readme::blocks(&page, "c");
    tree::write(&user.join("user.c"), blocks.first().ok_or("no example in the README for C")?)?;
    let libraries = root.join("usr").join(libraries);
    let mut ask = Command::new("pkg-config");
    // Folders of the system are named, too: in this root they are others.
    ask.env("PKG_CONFIG_ALLOW_SYSTEM_CFLAGS", "1").env("PKG_CONFIG_ALLOW_SYSTEM_LIBS", "1");
    ask.env("PKG_CONFIG_SYSROOT_DIR", root).env("PKG_CONFIG_LIBDIR", libraries.join("pkgconfig"));
    let flags = quiet(ask.args(["--cflags", "--libs", "cipherlane"]))?;
    let mut compile = Command::new("cc");
    compile.current_dir(user).args(["user.c", "-o", "user"]);
    quiet(compile.args(flags.split_whitespace()))?;
    let said = quiet(Command::new(user.join("user")).env("LD_LIBRARY_PATH", &libraries))?;
    if said.trim() != "done" {
        return Err(Fault::Failed(format!("the program in C said `{said}`")));
    }
    let mut openssl = Command::new("openssl");
    openssl.args(["list", "-providers", "-provider-path"]).arg(libraries.join("ossl-modules"));
    let said = quiet(openssl.args(["-provider", "cipherlane"]).env_remove("OPENSSL_CONF"))?;
    if said.contains("cipherlane") {
        Ok(())
    } else {
        Err(Fault::Failed(format!("openssl said `{said}`")))
    }
}

/// Installed by dpkg into an empty root with a list of packages of its own.
pub(super) fn attempt(shop: &Shop) -> Result<Vec<String>, Fault> {
    let (program, _) = MACHINES[0];
    if program.machine != std::env::consts::ARCH || !tools::has("dpkg") {
        return Err(Fault::missing("packages for Debian, installed", "dpkg on this machine"));
    }
    let clean = shop.clean("deb")?;
    let root = clean.join("root");
    for name in ["var/lib/dpkg/status", "var/lib/dpkg/available", "var/log/dpkg.log"] {
        tree::write(&root.join(name), "")?;
    }
    for folder in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"] {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).map_err(fault(&folder))?;
    }
    let names = names(program.machine);
    let mut dpkg = Command::new("dpkg");
    // What comes from elsewhere (the C library) is this machine's.
    dpkg.arg(format!("--root={}", root.display())).args(["--force-not-root", "--force-depends"]);
    dpkg.args(["--no-triggers", "--install"]);
    for package in ["cipherlane", names.library, names.development, names.provider] {
        dpkg.arg(file(shop, package, program.debian));
    }
    quiet(&mut dpkg)?;
    let mut ask = Command::new("dpkg-query");
    ask.arg(format!("--admindir={}", root.join("var/lib/dpkg").display()));
    let listed = quiet(ask.args(["--show", "--showformat=${Package} ${Version}\\n"]))?;
    used(&root, &names.libraries, &clean)?;
    let listed: Vec<&str> = listed.lines().collect();
    Ok(vec![format!(
        "dpkg into an empty root: {}; the program, a program in C, openssl",
        listed.join(", ")
    )])
}
