//! Packages of a suite of Debian's, by apt-get with sources, lists and a state that are not this
//! machine's: nothing is installed, and signatures are checked.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::workspace;

/// A suite, of which packages for one architecture are asked for.
pub(crate) struct Suite<'a> {
    pub(crate) name: &'a str,
    /// As Debian calls it.
    pub(crate) architecture: &'a str,
}

/// Downloads packages for this machine to a folder, which must be there; `apt` is one for apt-get's own
/// files.
///
/// # Errors
/// What apt-get says, or what can't be written.
pub(crate) fn download(
    suite: &str,
    apt: &Path,
    to: &Path,
    packages: &[String],
) -> Result<(), String> {
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    Suite { name: suite, architecture }.download(apt, to, packages)
}

impl Suite<'_> {
    /// Downloads packages to a folder, which must be there.
    ///
    /// # Errors
    /// What apt-get says, or what can't be written.
    pub(crate) fn download(
        &self,
        apt: &Path,
        to: &Path,
        packages: &[String],
    ) -> Result<(), String> {
        self.settle("deb", apt)?;
        get(apt, to, &["update"])?;
        let names = packages.iter().map(String::as_str);
        get(apt, to, &std::iter::once("download").chain(names).collect::<Vec<_>>())
    }

    /// Downloads the sources of a package to a folder, which must be there, as they are packed.
    ///
    /// # Errors
    /// What apt-get says, or what can't be written.
    pub(crate) fn sources(&self, apt: &Path, to: &Path, package: &str) -> Result<(), String> {
        self.settle("deb-src", apt)?;
        get(apt, to, &["update"])?;
        get(apt, to, &["source", "--download-only", package])
    }

    /// Writes what apt-get is told, for packages of that kind.
    fn settle(&self, kind: &str, apt: &Path) -> Result<(), String> {
        for part in ["lists/partial", "parts"] {
            let part = apt.join(part);
            fs::create_dir_all(&part)
                .map_err(|error| format!("cannot make {}: {error}", part.display()))?;
        }
        let place = |name: &str| apt.join(name).display().to_string();
        let settings = format!(
            "Dir::Etc::sourcelist \"{}\";\nDir::Etc::sourceparts \"{}\";\nDir::State \"{}\";\n\
             Dir::State::status \"{}\";\nDir::Cache \"{}\";\nAPT::Sandbox::User \"\";\n\
             APT::Architecture \"{}\";\nAPT::Architectures {{ \"{}\"; }};\n",
            place("sources.list"),
            place("parts"),
            place(""),
            place("status"),
            place("cache"),
            self.architecture,
            self.architecture,
        );
        let sources = format!(
            "{kind} [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \
             http://deb.debian.org/debian {} main\n",
            self.name
        );
        for (name, text) in [("apt.conf", &*settings), ("sources.list", &sources), ("status", "")] {
            let path = apt.join(name);
            fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }
}

/// Runs apt-get with those settings in a folder.
fn get(apt: &Path, folder: &Path, words: &[&str]) -> Result<(), String> {
    let mut command = Command::new("apt-get");
    command.arg("-c").arg(apt.join("apt.conf")).arg("-q").args(words).current_dir(folder);
    workspace::output(&mut command).map(drop)
}
