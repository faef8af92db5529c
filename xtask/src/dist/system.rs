//! What packages of distributions hold: the program, the library for C, what programs are compiled
//! with, and the provider for OpenSSL, each as a tree of the system's folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::pack::quiet;
use super::shop::{ARM_GNU, ARM_MUSL, Target, X86_GNU, X86_MUSL};
use super::tree::{self, fault};
use super::{Fault, Shop, library, notices, program, provider};

/// One package.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) summary: &'static str,
    /// What it asks for, by name: packages of ours of the very version, or of the system.
    pub(super) ours: Option<String>,
    pub(super) system: Option<&'static str>,
    /// Whether the system's list of shared libraries changes by it.
    pub(super) shares: bool,
    /// Its files, as below `/`.
    pub(super) root: PathBuf,
}

/// How a distribution names things.
pub(super) struct Names {
    pub(super) tree: &'static str,
    /// The folder of libraries, from `/usr/lib/`… on.
    pub(super) libraries: String,
    pub(super) library: &'static str,
    pub(super) development: &'static str,
    pub(super) provider: &'static str,
    /// What brings the C library, and the folder of OpenSSL's modules.
    pub(super) c_library: &'static str,
    pub(super) openssl: &'static str,
}

/// The targets of a machine: for the program, which is static, and for libraries.
pub(super) const MACHINES: [(Target, Target); 2] = [(X86_MUSL, X86_GNU), (ARM_MUSL, ARM_GNU)];

/// A page of the manual or a list of changes, compressed as distributions have it.
fn compressed(file: &Path) -> Result<(), String> {
    let mut gzip = Command::new("gzip");
    quiet(gzip.args(["-9", "-n", "-f"]).arg(file)).map(drop)
}

/// The program with its texts.
fn program_tree(shop: &Shop, target: Target, root: &Path) -> Result<(), Fault> {
    let built = program::built(shop, target)?;
    let printing = program::built(shop, X86_MUSL)?;
    tree::copy(&built, &root.join("usr/bin/cipherlane"))?;
    let texts = shop.tree("texts")?;
    program::texts(&printing, &texts)?;
    let places = [
        ("completions/cipherlane.bash", "usr/share/bash-completion/completions/cipherlane"),
        ("completions/_cipherlane", "usr/share/zsh/vendor-completions/_cipherlane"),
        ("completions/cipherlane.fish", "usr/share/fish/vendor_completions.d/cipherlane.fish"),
    ];
    for (from, to) in places {
        tree::copy(&texts.join(from), &root.join(to))?;
    }
    let man = root.join("usr/share/man/man1");
    for page in tree::files(&texts.join("man"))? {
        let to = man.join(&page);
        tree::copy(&texts.join("man").join(&page), &to)?;
        compressed(&to)?;
    }
    let documents = root.join("usr/share/doc/cipherlane");
    notices::put(shop, &documents, "Cargo.toml", "cipherlane-cli", target)?;
    Ok(())
}

/// Moves files below a root to another one.
fn move_to(from: &Path, to: &Path, names: &[PathBuf]) -> Result<(), String> {
    for name in names {
        let to = to.join(name);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(fault(folder))?;
        }
        fs::rename(from.join(name), &to).map_err(fault(&to))?;
    }
    Ok(())
}

/// The library for C in two: what programs run with, and what they are compiled with.
fn library_trees(
    shop: &Shop,
    target: Target,
    names: &Names,
    runs: &Path,
    compiles: &Path,
) -> Result<(), Fault> {
    let places = [
        "PREFIX=/usr".to_owned(),
        format!("LIBDIR=/usr/{}", names.libraries),
        "INCLUDEDIR=/usr/include".to_owned(),
    ];
    let documents = runs.join("usr/share/doc").join(names.library);
    library::install(shop, target, compiles, &places, &documents)?;
    let shared: Vec<PathBuf> = tree::files(compiles)?
        .into_iter()
        .filter(|file| file.to_string_lossy().contains("libcipherlane.so."))
        .collect();
    move_to(compiles, runs, &shared)?;
    let documents = compiles.join("usr/share/doc").join(names.development);
    fs::create_dir_all(&documents).map_err(fault(&documents))?;
    shop.licences(&documents)?;
    Ok(())
}

fn provider_tree(shop: &Shop, target: Target, names: &Names, root: &Path) -> Result<(), Fault> {
    let module = provider::module(shop, target)?;
    let place = format!("usr/{}/ossl-modules/cipherlane.so", names.libraries);
    tree::copy(&module, &root.join(&place))?;
    let documents = root.join("usr/share/doc").join(names.provider);
    let settings = provider::settings()?;
    let settings =
        settings.replace("/usr/local/lib/ossl-modules/cipherlane.so", &format!("/{place}"));
    tree::write(&documents.join("openssl.cnf"), settings)?;
    notices::put(shop, &documents, "bindings/openssl/Cargo.toml", "cipherlane-openssl", target)?;
    Ok(())
}

/// All packages of a machine.
pub(super) fn packages(
    shop: &Shop,
    (program, library): (Target, Target),
    names: &Names,
) -> Result<Vec<Package>, Fault> {
    let root = |name: &str| shop.tree(&format!("{}-{}/{name}", names.tree, program.machine));
    let package = |name: &str, summary, ours: Option<&str>, system, shares| {
        Ok::<_, String>(Package {
            name: name.to_owned(),
            summary,
            ours: ours.map(str::to_owned),
            system,
            shares,
            root: root(name)?,
        })
    };
    let c_library = Some(names.c_library);
    let all = vec![
        package(
            "cipherlane",
            "encrypts files and measures fast symmetric ciphers",
            None,
            None,
            false,
        )?,
        package(names.library, "fast symmetric ciphers: the library", None, c_library, true)?,
        package(
            names.development,
            "fast symmetric ciphers: header and static library",
            Some(names.library),
            None,
            false,
        )?,
        package(
            names.provider,
            "fast symmetric ciphers in OpenSSL",
            None,
            Some(names.openssl),
            false,
        )?,
    ];
    program_tree(shop, program, &all[0].root)?;
    library_trees(shop, library, names, &all[1].root, &all[2].root)?;
    provider_tree(shop, library, names, &all[3].root)?;
    Ok(all)
}

/// Whoever looks after the packages, at the host of the homepage.
pub(super) fn maintainer(shop: &Shop) -> String {
    let host = shop.identity.homepage.split('/').nth(2).unwrap_or("localhost");
    format!("The authors of Cipherlane <packages@{host}>")
}
