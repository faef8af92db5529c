//! Packages for distributions with RPM.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::pack::quiet;
use super::system::{self, MACHINES, Names, Package, maintainer};
use super::tree::{self, fault};
use super::{Fault, Shop, debian, tools};
use crate::stage::skip;

fn names() -> Names {
    Names {
        tree: "rpm",
        libraries: "lib64".to_owned(),
        library: "libcipherlane",
        development: "cipherlane-devel",
        provider: "cipherlane-openssl",
        c_library: "glibc >= 2.17",
        openssl: "openssl-libs >= 3.0",
    }
}

fn file(shop: &Shop, package: &str, machine: &str) -> PathBuf {
    shop.out.join(format!("{package}-{}-1.{machine}.rpm", shop.identity.version))
}

/// The spec of one package, whose files lie ready.
fn spec(shop: &Shop, package: &Package) -> Result<String, String> {
    let version = &shop.identity.version;
    let ours = package.ours.as_ref().map(|name| format!("{name} = {version}-1"));
    let requires: String = ours
        .into_iter()
        .chain(package.system.map(str::to_owned))
        .map(|it| format!("Requires: {it}\n"))
        .collect();
    let ldconfig =
        if package.shares { "\n%post -p /sbin/ldconfig\n%postun -p /sbin/ldconfig\n" } else { "" };
    let mut files = String::new();
    for name in tree::files(&package.root)? {
        files += &format!("\"/{}\"\n", name.display());
    }
    Ok(format!(
        "Name: {}\nVersion: {version}\nRelease: 1\nSummary: {}\nLicense: MIT OR Apache-2.0\nURL: {}\n\
         Vendor: {}\nAutoReqProv: no\nProvides: {} = {version}-1\n{requires}\n%description\nSM4, AES, ZUC and other \
         ciphers in all their modes, AEADs and MACs, at the speed\nof the CPU's vector \
         instructions.\n{ldconfig}\n%files\n%defattr(-,root,root,-)\n{files}",
        package.name,
        package.summary,
        shop.identity.homepage,
        maintainer(shop),
        package.name,
    ))
}

/// Packs one package; nothing of this machine gets in.
fn packed(shop: &Shop, package: &Package, machine: &str) -> Result<PathBuf, Fault> {
    let spec = spec(shop, package)?;
    let work = shop.work.join("rpm");
    tree::fresh(&work)?;
    let place = work.join("package.spec");
    tree::write(&place, spec)?;
    let mut settle = Command::new("chmod");
    quiet(settle.args(["-R", "u=rwX,go=rX"]).arg(&package.root))?;
    // rpmbuild empties the folder that it packs.
    let root = work.join("root");
    quiet(Command::new("cp").arg("-a").arg(&package.root).arg(&root))?;
    let mut build = Command::new("rpmbuild");
    build.args(["-bb", "--quiet", "--target"]).arg(format!("{machine}-linux"));
    build.arg(format!("--buildroot={}", root.display()));
    for (name, value) in [
        ("_topdir", work.display().to_string().as_str()),
        ("_rpmdir", &work.join("made").display().to_string()),
        ("_build_id_links", "none"),
        ("_buildhost", "localhost"),
        ("use_source_date_epoch_as_buildtime", "1"),
        ("clamp_mtime_to_source_date_epoch", "1"),
        ("_binary_payload", "w19.zstdio"),
        ("__os_install_post", "%{nil}"),
        ("debug_package", "%{nil}"),
        ("__brp_compress", "%{nil}"),
    ] {
        build.arg("--define").arg(format!("{name} {value}"));
    }
    quiet(build.arg(&place).env("SOURCE_DATE_EPOCH", &shop.epoch))?;
    let to = file(shop, &package.name, machine);
    let name = to.file_name().unwrap_or_default().to_owned();
    tree::copy(&work.join("made").join(machine).join(name), &to)?;
    Ok(to)
}

pub(super) fn make(shop: &Shop) -> Result<Vec<PathBuf>, Fault> {
    if !tools::has("rpmbuild") {
        return Err(Fault::missing("packages for RPM: no rpmbuild", "apt-get install rpm"));
    }
    let mut made = Vec::new();
    for machine in MACHINES {
        match system::packages(shop, machine, &names()) {
            Err(Fault::Missing { what, remedy }) => skip(&what, &remedy),
            packages => {
                for package in packages? {
                    made.push(packed(shop, &package, machine.0.machine)?);
                }
            }
        }
    }
    if made.is_empty() {
        Err(Fault::missing("packages for RPM", "a target above"))
    } else {
        Ok(made)
    }
}

/// Installed by rpm into an empty root with a database of its own.
pub(super) fn attempt(shop: &Shop) -> Result<Vec<String>, Fault> {
    let (program, _) = MACHINES[0];
    if program.machine != std::env::consts::ARCH || !tools::has("rpm") {
        return Err(Fault::missing("packages for RPM, installed", "rpm on this machine"));
    }
    let clean = shop.clean("rpm")?;
    let root = clean.join("root");
    fs::create_dir_all(&root).map_err(fault(&root))?;
    let names = names();
    let install = |more: &[&str]| {
        let mut rpm = Command::new("rpm");
        rpm.arg("--root").arg(&root).args(["--dbpath", "/var/lib/rpm"]).args(more);
        // What comes from elsewhere (the C library, ldconfig) is this machine's.
        rpm.args(["--nodeps", "--noscripts", "--nosignature", "--install"]);
        for package in ["cipherlane", names.library, names.development, names.provider] {
            rpm.arg(file(shop, package, program.machine));
        }
        quiet(&mut rpm)
    };
    match install(&[]) {
        // Debian's rpm wants to be told that this is meant.
        Err(said) if said.to_ascii_lowercase().contains("alien") => install(&["--force-debian"])?,
        done => done?,
    };
    let mut ask = Command::new("rpm");
    ask.arg("--root").arg(&root).args(["--dbpath", "/var/lib/rpm", "--query", "--all"]);
    let listed = quiet(ask.args(["--queryformat", "%{NAME} %{VERSION}\\n"]))?;
    debian::used(&root, &names.libraries, &clean)?;
    let mut listed: Vec<&str> = listed.lines().collect();
    listed.sort_unstable();
    Ok(vec![format!(
        "rpm into an empty root: {}; the program, a program in C, openssl",
        listed.join(", ")
    )])
}
