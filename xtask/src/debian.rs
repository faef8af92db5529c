//! Packages of a suite of Debian's, by apt-get with sources, lists and a state that are not this
//! machine's: nothing is installed, and signatures are checked.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::workspace;

/// Downloads packages to a folder, which must be there; `apt` is one for apt-get's own files.
///
/// # Errors
/// What apt-get says, or what can't be written.
pub(crate) fn download(
    suite: &str,
    apt: &Path,
    to: &Path,
    packages: &[String],
) -> Result<(), String> {
    for part in ["lists/partial", "parts"] {
        let part = apt.join(part);
        fs::create_dir_all(&part)
            .map_err(|error| format!("cannot make {}: {error}", part.display()))?;
    }
    let place = |name: &str| apt.join(name).display().to_string();
    let settings = format!(
        "Dir::Etc::sourcelist \"{}\";\nDir::Etc::sourceparts \"{}\";\nDir::State \"{}\";\n\
         Dir::State::status \"{}\";\nDir::Cache \"{}\";\nAPT::Sandbox::User \"\";\n",
        place("sources.list"),
        place("parts"),
        place(""),
        place("status"),
        place("cache"),
    );
    let sources = format!(
        "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \
         http://deb.debian.org/debian {suite} main\n"
    );
    for (name, text) in [("apt.conf", &*settings), ("sources.list", &sources), ("status", "")] {
        let path = apt.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let get = |arguments: &[String]| {
        let mut command = Command::new("apt-get");
        command.arg("-c").arg(apt.join("apt.conf")).arg("-q").args(arguments).current_dir(to);
        workspace::output(&mut command).map(drop)
    };
    get(&["update".into()])?;
    let download: Vec<String> =
        std::iter::once("download".to_owned()).chain(packages.iter().cloned()).collect();
    get(&download)
}
