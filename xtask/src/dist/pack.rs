//! Archives that are the same whoever makes them: files in order, of nobody, all of one time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Shop;
use super::tree::fault;
use crate::workspace;

/// Runs a command; what it said, if it fails.
pub(super) fn quiet(command: &mut Command) -> Result<String, String> {
    let line = workspace::describe(command);
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("`{line}` does not start: {error}"))?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        return Ok(said(&output.stdout));
    }
    let (out, err) = (said(&output.stdout), said(&output.stderr));
    Err(format!("`{line}` ended with {}: {out}{err}", output.status))
}

/// Packs `trees/NAME` of a shop as `NAME.tar.gz`, with that folder in front of all names.
pub(super) fn tar(shop: &Shop, name: &str) -> Result<PathBuf, String> {
    let plain = shop.work.join(format!("{name}.tar"));
    let mut tar = Command::new("tar");
    tar.args(["--create", "--sort=name", "--format=gnu", "--owner=0", "--group=0"]);
    tar.args(["--numeric-owner", "--mode=u=rwX,go=rX"]).arg(format!("--mtime=@{}", shop.epoch));
    tar.arg("--file").arg(&plain).arg("--directory").arg(shop.work.join("trees")).arg(name);
    quiet(&mut tar)?;
    let packed = shop.out.join(format!("{name}.tar.gz"));
    gzip(&plain, &packed)?;
    fs::remove_file(&plain).map_err(fault(&plain))?;
    Ok(packed)
}

/// Compresses a file, without its name and time.
pub(super) fn gzip(from: &Path, to: &Path) -> Result<(), String> {
    let (input, output) =
        (File::open(from).map_err(fault(from))?, File::create(to).map_err(fault(to))?);
    let mut gzip = Command::new("gzip");
    let status = gzip.args(["-9", "-n"]).stdin(input).stdout(output).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        other => Err(format!("gzip of {}: {other:?}", from.display())),
    }
}

/// Unpacks an archive into a folder.
pub(super) fn untar(archive: &Path, to: &Path) -> Result<(), String> {
    let mut tar = Command::new("tar");
    quiet(tar.arg("--extract").arg("--file").arg(archive).arg("--directory").arg(to)).map(drop)
}
