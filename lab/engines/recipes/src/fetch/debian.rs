//! Debian's packages, by `apt-get download` and `dpkg-deb -x`: nothing is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{file_name, files, pinned, sha256};
use crate::{Pin, RecipeError, Workshop};

impl Workshop<'_> {
    /// Fetches a package and unpacks it; the folder that stands for the root of the system.
    ///
    /// If the archives no longer hold that revision, a later one of the same upstream version
    /// is taken. Where the system has no package lists, lists are fetched for this build alone.
    ///
    /// # Errors
    /// [`RecipeError::Command`], [`RecipeError::Version`], [`RecipeError::Checksum`].
    pub fn debian(
        &mut self,
        package: &str,
        version: &str,
        pins: &[Pin],
    ) -> Result<PathBuf, RecipeError> {
        let folder = self.work().join(package);
        let root = folder.join("root");
        fs::create_dir_all(&root).map_err(RecipeError::io("make the folder", &root))?;
        let file = self.download(&folder, package, version)?;
        let name = file_name(&file);
        self.fetched(&name, sha256(&file)?, pinned(pins, &name))?;
        let mut unpack = Command::new("dpkg-deb");
        self.run(&format!("unpacking {name}"), unpack.arg("-x").arg(&file).arg(&root))?;
        Ok(root)
    }

    /// Fetches an archive of sources from one of the places that keep it, by apt's own way, which
    /// compares it with its pin, and unpacks it; the path of a folder in it.
    ///
    /// # Errors
    /// [`RecipeError::Command`] if none of them has it, [`RecipeError::Checksum`].
    pub fn unpacked(
        &mut self,
        places: &[&str],
        pin: Pin,
        folder: &str,
    ) -> Result<PathBuf, RecipeError> {
        let file = self.archive(places, pin)?;
        let mut unpack = Command::new("python3");
        unpack.args(["-m", "tarfile", "-e"]).arg(&file).arg(self.work());
        self.run(&format!("unpacking {}", pin.file), &mut unpack)?;
        Ok(self.work().join(folder))
    }

    /// Fetches a file from one of the places that keep it.
    fn archive(&mut self, places: &[&str], pin: Pin) -> Result<PathBuf, RecipeError> {
        let file = self.work().join(pin.file);
        let mut outcome = Ok(());
        for place in places {
            let mut command = Command::new("/usr/lib/apt/apt-helper");
            command.arg("download-file").arg(format!("{place}/{}", pin.file)).arg(&file);
            command.arg(format!("SHA256:{}", pin.sha256));
            outcome = self.run(&format!("fetching {}", pin.file), &mut command);
            if outcome.is_ok() {
                break;
            }
        }
        outcome?;
        self.fetched(pin.file, sha256(&file)?, Some(pin.sha256))?;
        Ok(file)
    }

    /// Fetches a package's file from one of the places where Debian keeps it, for packages of
    /// a later release than the system's, and unpacks it; the folder that stands for the root.
    ///
    /// # Errors
    /// As [`unpacked`](Self::unpacked).
    pub fn debian_file(&mut self, pools: &[&str], pin: Pin) -> Result<PathBuf, RecipeError> {
        let file = self.archive(pools, pin)?;
        let root = self.work().join(pin.file.trim_end_matches(".deb"));
        fs::create_dir_all(&root).map_err(RecipeError::io("make the folder", &root))?;
        let mut unpack = Command::new("dpkg-deb");
        self.run(&format!("unpacking {}", pin.file), unpack.arg("-x").arg(&file).arg(&root))?;
        Ok(root)
    }

    fn download(
        &mut self,
        folder: &Path,
        package: &str,
        version: &str,
    ) -> Result<PathBuf, RecipeError> {
        let exact = format!("{package}={version}");
        let lists = self.work().join("apt");
        let mut get = |step: &str, what: &str, own: bool| {
            let mut command = apt(own.then_some(&*lists));
            self.run(step, command.arg("download").arg(what).current_dir(folder))
        };
        if get(&format!("fetching Debian package {exact}"), &exact, false).is_err() {
            self.own_lists(&lists)?;
            let mut get = |step: &str, what: &str| {
                let mut command = apt(Some(&lists));
                self.run(step, command.arg("download").arg(what).current_dir(folder))
            };
            if get(&format!("fetching {exact} again"), &exact).is_err() {
                get(&format!("fetching {package} in another revision"), package)?;
            }
        }
        let file = files(folder, ".deb")?.pop();
        let file = file.ok_or_else(|| RecipeError::NotMade {
            engine: self.engine(),
            what: format!("a file of {package}"),
            after: "apt-get download".to_owned(),
            remedy: "free space in the cache folder and build again".to_owned(),
        })?;
        let found = file_version(&file);
        if upstream(&found) == upstream(version) {
            return Ok(file);
        }
        Err(RecipeError::Version {
            engine: self.engine(),
            what: package.to_owned(),
            found,
            wanted: version.to_owned(),
            remedy: "name a library of your own with --lib ENGINE=PATH",
        })
    }

    /// Fetches package lists that only this build uses.
    fn own_lists(&mut self, lists: &Path) -> Result<(), RecipeError> {
        for name in ["lists/partial", "cache/archives/partial"] {
            let folder = lists.join(name);
            fs::create_dir_all(&folder).map_err(RecipeError::io("make the folder", folder))?;
        }
        self.run("fetching package lists", apt(Some(lists)).arg("update"))
    }
}

/// `apt-get`, if so with lists of its own.
fn apt(lists: Option<&Path>) -> Command {
    let mut command = Command::new("apt-get");
    command.arg("-q");
    if let Some(lists) = lists {
        for (name, folder) in [("Dir::State::Lists", "lists"), ("Dir::Cache", "cache")] {
            command.arg("-o").arg(format!("{name}={}", lists.join(folder).display()));
        }
    }
    command
}

/// The version in the name of a package's file: `NAME_VERSION_ARCHITECTURE.deb`.
fn file_version(file: &Path) -> String {
    let name = file_name(file);
    name.split('_').nth(1).unwrap_or_default().replace("%3a", ":")
}

/// A version without Debian's revision.
fn upstream(version: &str) -> &str {
    version.rsplit_once('-').map_or(version, |(upstream, _)| upstream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_is_not_another_version() {
        let version = file_version(Path::new("/a/libx20_1%3a1.10.1-3+deb12u1_amd64.deb"));
        assert_eq!(version, "1:1.10.1-3+deb12u1");
        assert_eq!(upstream(&version), "1:1.10.1");
        assert_eq!(upstream("1.10.1-3+deb12u2"), upstream("1.10.1-3"));
        assert_ne!(upstream("1.10.1-3"), upstream("1.11.0-3"));
        assert_eq!(upstream("2.0"), "2.0");
    }
}
