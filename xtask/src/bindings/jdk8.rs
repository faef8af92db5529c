//! A Java 8 from Debian's newest suite. It asks for a newer C library than most systems have, so that
//! comes with it, and a script in the place of `java` starts it by the loader of that library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::packages::starts;
use crate::{debian, workspace};

const PACKAGES: [&str; 5] =
    ["openjdk-8-jre-headless", "libc6", "libgcc-s1", "libstdc++6", "zlib1g"];
const HOME: &str = "usr/lib/jvm/java-8-openjdk-amd64/jre";
const LIBRARIES: &str = "usr/lib/x86_64-linux-gnu";
const LOADER: &str = "ld-linux-x86-64.so.2";
/// Its settings lie outside of its folder.
const SETTINGS: &str = "/etc/java-8-openjdk/";

/// The folder that peers are kept in too.
fn cache() -> Result<PathBuf, String> {
    let named = std::env::var_os("XDG_CACHE_HOME").filter(|name| !name.is_empty());
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = named.map(PathBuf::from).or_else(home).ok_or("no HOME, so no folder for it")?;
    Ok(cache.join("cipherlane"))
}

/// The program, fetched now unless it is there.
///
/// # Errors
/// Why there is none.
pub(super) fn java() -> Result<PathBuf, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("only for Linux on x86-64".to_owned());
    }
    let folder = cache()?.join("openjdk-8");
    let java = folder.join("root").join(HOME).join("bin/java");
    if starts(&java.to_string_lossy(), &["-version"]) {
        return Ok(java);
    }
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let fresh = folder.with_extension("new");
    if fresh.exists() {
        fs::remove_dir_all(&fresh).map_err(fault)?;
    }
    make(&fresh)?;
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(fault)?;
    }
    fs::rename(&fresh, &folder).map_err(fault)?;
    let ready = starts(&java.to_string_lossy(), &["-version"]);
    if ready { Ok(java) } else { Err(format!("{} does not start", java.display())) }
}

fn make(folder: &Path) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let (kept, root) = (folder.join("packages"), folder.join("root"));
    fs::create_dir_all(&kept).map_err(fault)?;
    debian::download("sid", &folder.join("apt"), &kept, &PACKAGES.map(str::to_owned))?;
    for entry in fs::read_dir(&kept).map_err(fault)? {
        let mut unpack = Command::new("dpkg-deb");
        let file = entry.map_err(fault)?.path();
        workspace::output(unpack.arg("-x").arg(file).arg(&root))?;
    }
    // Lists of all of Debian, and what is unpacked.
    for done in ["apt", "packages"] {
        fs::remove_dir_all(folder.join(done)).map_err(fault)?;
    }
    let home = root.join(HOME);
    settle(&home, &root).map_err(fault)?;
    // The program looks for itself by the file that runs, which is the loader: that must lie here.
    let programs = home.join("bin");
    fs::copy(root.join(LIBRARIES).join(LOADER), programs.join("loader")).map_err(fault)?;
    fs::rename(programs.join("java"), programs.join("java.program")).map_err(fault)?;
    let up = "../".repeat(HOME.split('/').count() + 1);
    let script = format!(
        "#!/bin/sh\nhere=$(dirname \"$(readlink -f \"$0\")\")\n\
         libraries=$here/{up}{LIBRARIES}:$here/../lib/amd64/jli\n\
         exec \"$here/loader\" --library-path \"$libraries\" \"$here/java.program\" \"$@\"\n"
    );
    let java = programs.join("java");
    fs::write(&java, script).map_err(fault)?;
    executable(&java).map_err(fault)
}

#[cfg(unix)]
fn executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Puts settings in the places of links to where they would be installed.
fn settle(folder: &Path, root: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_symlink() {
            let to = fs::read_link(&path)?;
            if to.starts_with(SETTINGS) {
                let from = root.join(to.strip_prefix("/").unwrap_or(&to));
                fs::remove_file(&path)?;
                fs::copy(from, &path)?;
            }
        } else if path.is_dir() {
            settle(&path, root)?;
        }
    }
    Ok(())
}
