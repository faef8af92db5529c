//! What tells one state of this repository's sources from another: engines that are built from
//! them are kept under it, so that one of older sources is never taken for one of these.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Files and folders from the repository's root, of which a product is made.
pub(crate) type Places = &'static [&'static str];

/// The library.
const LIBRARY: [&str; 4] = ["Cargo.lock", "Cargo.toml", "crates/cipherlane", "crates/lanes"];

/// The 32-bit engine: the library, the loop that serves it, and the engines beside it.
pub(crate) const ENGINE: Places = &[
    LIBRARY[0],
    LIBRARY[1],
    LIBRARY[2],
    LIBRARY[3],
    "lab/Cargo.toml",
    "lab/src",
    "lab/engines/peers/Cargo.toml",
    "lab/engines/peers/build.rs",
    "lab/engines/peers/src",
];

/// The bindings.
pub(crate) const BINDINGS: Places = &[
    LIBRARY[0],
    LIBRARY[1],
    LIBRARY[2],
    LIBRARY[3],
    "crates/objects",
    "bindings",
    "lab/engines/java",
    "lab/engines/cipherlane-java",
    "lab/engines/python",
];

/// What sources end in.
const KINDS: [&str; 9] = ["c", "h", "inc", "java", "lock", "py", "rs", "toml", "xml"];

/// Folders that nothing is built from.
const ELSEWHERE: [&str; 5] = ["benches", "examples", "target", "tests", "__pycache__"];

/// The hash of Fowler, Noll and Vo over names and contents, 64 bits in hexadecimal.
///
/// # Errors
/// If a place is not there or can't be read.
pub(crate) fn hash(root: &Path, places: Places) -> io::Result<String> {
    let mut files = Vec::new();
    for place in places {
        collect(&root.join(place), &mut files)?;
    }
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        for byte in name.bytes().chain(fs::read(&file)?) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(format!("{hash:016x}"))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let kind = path.extension().map(|kind| kind.to_string_lossy()).unwrap_or_default();
        let counts = if path.is_dir() {
            !name.starts_with('.') && !ELSEWHERE.contains(&&*name)
        } else {
            KINDS.contains(&&*kind)
        };
        if counts {
            collect(&path, files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_change_of_a_source_is_another_hash_and_nothing_else_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("written");
        };
        write("a/x.rs", "1");
        write("a/deep/y.rs", "2");
        let of = || hash(root, &["a"]).expect("a hash");
        let first = of();
        assert_eq!(first.len(), 16);
        for (name, text) in [("a/target/z.rs", "3"), ("a/notes.md", "4"), ("a/.git/x.rs", "5")] {
            write(name, text);
            assert_eq!(of(), first, "{name}");
        }
        write("a/deep/y.rs", "two");
        let second = of();
        assert_ne!(second, first);
        write("a/new.rs", "");
        assert_ne!(of(), second);
        fs::remove_file(root.join("a/new.rs")).expect("removed");
        assert_eq!(of(), second);
        assert!(hash(root, &["b"]).is_err());
    }

    #[test]
    fn the_places_are_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        for places in [ENGINE, BINDINGS] {
            hash(&root, places).expect("this repository");
        }
    }
}
