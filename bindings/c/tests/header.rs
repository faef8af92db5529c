//! The header that is checked in is the one the sources make.

use std::{env, fs};

#[test]
fn the_header_is_that_of_the_sources() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let config = cbindgen::Config::from_file(format!("{folder}/cbindgen.toml")).expect("settings");
    let bindings = cbindgen::Builder::new().with_crate(folder).with_config(config).generate();
    let mut made = Vec::new();
    bindings.expect("bindings").write(&mut made);
    let made = c89(&String::from_utf8(made).expect("UTF-8"));
    let path = format!("{folder}/include/cipherlane.h");
    if env::var_os("CIPHERLANE_WRITE_HEADER").is_some() {
        fs::write(&path, &made).expect("written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let different = made.lines().zip(kept.lines()).position(|(made, kept)| made != kept);
    assert!(
        made == kept,
        "include/cipherlane.h is out of date (first in line {}): \
         run CIPHERLANE_WRITE_HEADER=1 cargo test --test header",
        different.map_or_else(|| made.lines().count().min(kept.lines().count()), |line| line + 1)
    );
}

/// The same without what C of 1989 does not have, and cbindgen has no setting for: a comma
/// behind the last name of an enumeration, and `//`.
fn c89(header: &str) -> String {
    let line = |line: &str| match line.split_once(" // ") {
        Some((code, comment)) => format!("{} /* {comment} */\n", code.trim_end()),
        None => format!("{line}\n"),
    };
    let lines: String = header.lines().map(line).collect();
    lines.replace(",\n};", "\n};")
}

#[test]
fn every_exported_symbol_is_in_the_header() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let header = fs::read_to_string(format!("{folder}/include/cipherlane.h")).expect("header");
    let mut found = 0;
    for entry in fs::read_dir(format!("{folder}/src")).expect("sources") {
        let source = fs::read_to_string(entry.expect("entry").path()).expect("source");
        for line in source.lines() {
            let line = line.trim_start_matches("pub ").trim_start_matches("unsafe ");
            let Some(name) = line.strip_prefix("extern \"C\" fn ") else { continue };
            let name = name.split('(').next().unwrap_or_default();
            assert!(name.starts_with("cipherlane_"), "{name} has no prefix");
            assert!(header.contains(&format!("{name}(")), "{name} is not in the header");
            found += 1;
        }
    }
    assert!(found > 30, "{found} functions");
}
