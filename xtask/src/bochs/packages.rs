//! Debian's packages in a folder of their own: fetched, compared with their pins, unpacked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{debian, workspace};

/// The SHA-256 of each package and the name of its file.
pub(super) const SUMS: &str = include_str!("../../bochs/packages.sums");

/// Where they are unpacked.
pub(super) struct Packages(PathBuf);

/// What apt-get calls the package in that file: its name and version.
fn request(file: &str) -> Option<String> {
    let mut parts = file.split('_');
    let (name, version) = (parts.next()?, parts.next()?);
    Some(format!("{name}={}", version.replace("%3a", ":")))
}

/// The names of the files in [`SUMS`].
fn files() -> impl Iterator<Item = &'static str> {
    SUMS.lines().filter_map(|line| line.split_whitespace().nth(1))
}

impl Packages {
    /// All packages, fetched now unless they are there.
    pub(super) fn here(folder: &Path) -> Result<Self, String> {
        let (kept, root) = (folder.join("packages"), folder.join("root"));
        let say = |error| format!("cannot write in {}: {error}", folder.display());
        fs::create_dir_all(&kept).map_err(say)?;
        if files().any(|file| !kept.join(file).exists()) {
            fetch(folder, &kept)?;
        }
        fs::write(kept.join("SHA256SUMS"), SUMS).map_err(say)?;
        let mut compare = Command::new("sha256sum");
        compare.current_dir(&kept).args(["--check", "--quiet", "SHA256SUMS"]);
        workspace::output(&mut compare)?;
        if !root.join("done").exists() {
            for file in files() {
                let mut unpack = Command::new("dpkg-deb");
                workspace::output(unpack.arg("-x").arg(kept.join(file)).arg(&root))?;
            }
            fs::write(root.join("done"), "").map_err(say)?;
        }
        Ok(Self(root))
    }

    /// A file or folder of a package.
    pub(super) fn file(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// The kernel, whose name has its version.
    pub(super) fn kernel(&self) -> Result<PathBuf, String> {
        let boot = self.file("boot");
        let entries =
            fs::read_dir(&boot).map_err(|error| format!("{}: {error}", boot.display()))?;
        let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let is_kernel = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("vmlinuz-"))
        };
        paths.find(is_kernel).ok_or_else(|| format!("no kernel in {}", boot.display()))
    }

    /// A program, with the C library and all others that the packages have.
    pub(super) fn program(&self, path: &str) -> Command {
        let libraries = self.file("usr/lib/x86_64-linux-gnu");
        let mut command = Command::new(libraries.join("ld-linux-x86-64.so.2"));
        command.arg("--library-path").arg(&libraries).arg(self.file(path));
        command.env("LTDL_LIBRARY_PATH", libraries.join("bochs/plugins"));
        command.env("BXSHARE", self.file("usr/share/bochs"));
        command
    }
}

/// Fetches them by apt-get.
fn fetch(folder: &Path, kept: &Path) -> Result<(), String> {
    let requests: Vec<String> = files().filter_map(request).collect();
    let old = "; where Debian has other versions by now, xtask/bochs/packages.sums must name those";
    debian::download("trixie", &folder.join("apt"), kept, &requests)
        .map_err(|error| format!("{error}{old}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pin_names_a_package_and_its_version() {
        assert!(files().count() > 50);
        assert!(files().filter_map(request).count() == files().count());
        for line in SUMS.lines() {
            let sum = line.split_whitespace().next().unwrap_or_default();
            assert!(sum.len() == 64 && sum.bytes().all(|it| it.is_ascii_hexdigit()), "{line}");
        }
        assert_eq!(
            request("libx11-6_2%3a1.8.12-1_amd64.deb").as_deref(),
            Some("libx11-6=2:1.8.12-1")
        );
    }
}
