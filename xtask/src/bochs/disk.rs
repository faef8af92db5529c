//! The disk that the emulated machine boots: a kernel, and the test programs in its first file
//! system.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::packages::{self, Packages};
use crate::workspace;

/// An archive of cpio's form "new ASCII", which the kernel unpacks.
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    entries: u32,
}

impl Archive {
    const FOLDER: u32 = 0o040_755;
    const PROGRAM: u32 = 0o100_755;
    const DEVICE: u32 = 0o020_600;

    fn add(&mut self, name: &str, mode: u32, data: &[u8], device: (u32, u32)) -> &mut Self {
        self.entries += 1;
        let long = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let fields = [
            self.entries,
            mode,
            0,
            0,
            1,
            0,
            long(data.len()),
            0,
            0,
            device.0,
            device.1,
            long(name.len() + 1),
            0,
        ];
        self.bytes.extend_from_slice(b"070701");
        for field in fields {
            self.bytes.extend_from_slice(format!("{field:08x}").as_bytes());
        }
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(0);
        self.align();
        self.bytes.extend_from_slice(data);
        self.align();
        self
    }

    fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

/// What is in the first file system.
pub(crate) type File = (String, Vec<u8>);

/// The first file system: the program that starts first, the files, each in its folders, and the versions of the
/// packages, so that what has passed can be told from what has changed since.
pub(super) fn first_files(init: &Path, files: &[File]) -> Result<Vec<u8>, String> {
    let mut archive = Archive::default();
    let folders =
        files.iter().flat_map(|(name, _)| name.match_indices('/').map(|(end, _)| &name[..end]));
    let folders: BTreeSet<&str> = ["dev", "proc"].into_iter().chain(folders).collect();
    for folder in folders {
        archive.add(folder, Archive::FOLDER, &[], (0, 0));
    }
    archive.add("dev/console", Archive::DEVICE, &[], (5, 1));
    archive.add("packages", Archive::PROGRAM, packages::SUMS.as_bytes(), (0, 0));
    let first = fs::read(init).map_err(|error| format!("{}: {error}", init.display()))?;
    archive.add("init", Archive::PROGRAM, &first, (0, 0));
    for (name, data) in files {
        archive.add(name, Archive::PROGRAM, data, (0, 0));
    }
    archive.add("TRAILER!!!", 0, &[], (0, 0));
    Ok(archive.bytes)
}

/// Makes the disk; returns where it is.
pub(super) fn make(folder: &Path, packages: &Packages, first: &[u8]) -> Result<PathBuf, String> {
    let tree = folder.join("disk");
    let write = |name: &str, data: &[u8]| {
        let path = tree.join(name);
        fs::write(&path, data).map_err(|error| format!("cannot write {}: {error}", path.display()))
    };
    fs::create_dir_all(&tree).map_err(|error| format!("{}: {error}", tree.display()))?;
    write("initrd", first)?;
    write("isolinux.cfg", include_bytes!("../../bochs/isolinux.cfg"))?;
    for (name, from) in [
        ("vmlinuz", packages.kernel()?),
        ("isolinux.bin", packages.file("usr/lib/ISOLINUX/isolinux.bin")),
        ("ldlinux.c32", packages.file("usr/lib/syslinux/modules/bios/ldlinux.c32")),
    ] {
        let data = fs::read(&from).map_err(|error| format!("{}: {error}", from.display()))?;
        write(name, &data)?;
    }
    let disk = folder.join("test.iso");
    let mut image = packages.program("usr/bin/genisoimage");
    image.args(["-quiet", "-b", "isolinux.bin", "-c", "boot.cat", "-no-emul-boot"]);
    image.args(["-boot-load-size", "4", "-boot-info-table", "-o"]).arg(&disk).arg(&tree);
    workspace::output(&mut image)?;
    Ok(disk)
}

#[cfg(test)]
mod tests {
    use super::Archive;

    #[test]
    fn an_entry_is_a_header_of_110_bytes_its_name_and_its_data() {
        let mut archive = Archive::default();
        archive.add("levels", Archive::PROGRAM, b"portable", (0, 0));
        let bytes = &archive.bytes;
        assert_eq!(bytes.len(), 120 + 8);
        assert_eq!(&bytes[..22], b"07070100000001000081ed");
        assert_eq!(&bytes[54..62], b"00000008");
        assert_eq!(&bytes[110..], b"levels\0\0\0\0portable");
    }
}
