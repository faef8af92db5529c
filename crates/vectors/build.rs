//! Lists the vector files in `data/`, so that a new one is in the program because it is there.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=data");
    let folder = env::current_dir()?.join("data");
    let mut paths = Vec::new();
    for entry in fs::read_dir(&folder)? {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|it| it == "json"));
    paths.sort();
    let mut list = String::from("/// Name and content of each file in `data/`.\n");
    list += "pub(crate) const FILES: &[(&str, &str)] = &[\n";
    for path in paths {
        let name = path.file_name().unwrap_or_default();
        list += &format!("    ({:?}, include_str!({:?})),\n", Path::new(name), path);
    }
    list += "];\n";
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&out).join("files.rs"), list)
}
