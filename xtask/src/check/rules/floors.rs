//! The library is a house of floors: a file imports from floors below its own, and on its own
//! floor from its own room and the rooms that stand before it in the row.
//!
//! A module and its own children are one room; a re-export for users is written in the room that
//! users see, and nobody inside the library goes that way.

use super::super::imports::{Imports, Module};
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "floors",
    about: "an import of the library leads down, never up or in a circle",
    check,
};

/// The floors from the ground, each with its rooms: folders or files of the library.
pub(in crate::check) const FLOORS: &[(&str, &[&str])] = &[
    (
        "ground",
        &[
            "sizes",
            "error",
            "secret",
            "ct",
            "aligned",
            "equivalence",
            "aes_circuit",
            "air",
            "first_use",
            "tweaks",
            "ghash",
            "traits",
            "entry",
        ],
    ),
    ("what ciphers share", &["block", "keystream", "pdu", "air256"]),
    ("ciphers", &["ciphers"]),
    ("modes", &["modes", "mac"]),
    ("sealing", &["aead"]),
    ("many and large", &["batch", "parallel", "rustcrypto"]),
    ("tables", &["registry"]),
    ("tests before use", &["self_test"]),
    ("roof", &["lib"]),
];

/// The floor of a module and its place in the row.
pub(in crate::check) fn place(module: &Module) -> Option<(usize, usize)> {
    let room = module.first().map_or("lib", String::as_str);
    FLOORS
        .iter()
        .enumerate()
        .find_map(|(floor, (_, rooms))| Some((floor, rooms.iter().position(|it| *it == room)?)))
}

/// Each cipher is a room of its own, and none comes before another.
fn another_cipher(from: &Module, to: &Module) -> bool {
    let cipher = |it: &Module| it.first().is_some_and(|room| room == "ciphers");
    cipher(from) && cipher(to) && to.len() > 1 && from.get(1) != to.get(1)
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let imports = Imports::read(sources);
    let mut findings = Vec::new();
    let mut add = |place: String, what: String| {
        findings.push(Finding { place, rule: RULE.name, what });
    };
    for (module, file) in &imports.files {
        if place(module).is_none() {
            add(format!("{file}:1"), "a room that no floor has".into());
        }
    }
    for ((from, to), lines) in &imports.arrows {
        let own = from.starts_with(to) && !to.is_empty();
        if place(to) > place(from) && !own || another_cipher(from, to) {
            for (line, path) in lines {
                let (file, other) = (&imports.files[from], &imports.files[to]);
                add(format!("{file}:{line}"), format!("`{path}` climbs to {other}"));
            }
        }
    }
    for circle in imports.circles() {
        add(format!("{}:1", circle[0]), format!("a circle of imports: {}", circle.join(", ")));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUSE: &str = "crates/cipherlane/src/";

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let parse =
            |(path, text): &(&str, &str)| Source::parse(&format!("{HOUSE}{path}"), text).unwrap();
        let sources: Vec<Source> = files.iter().map(parse).collect();
        (RULE.check)(&sources).iter().map(|it| it.to_string().replace(HOUSE, "")).collect()
    }

    #[test]
    fn down_and_along_the_row_is_allowed() {
        let files = [
            ("lib.rs", "pub use ciphers::sm4; pub use crate::error::Error;"),
            ("error.rs", ""),
            ("traits/mod.rs", "use crate::error::Error;"),
            ("ciphers/mod.rs", "pub mod sm4;"),
            ("ciphers/sm4/mod.rs", "use self::rounds::go; use crate::traits::BlockCipher;"),
            ("ciphers/sm4/rounds.rs", "use super::BLOCK;"),
            ("modes/ctr.rs", "use crate::ciphers::sm4::Sm4;"),
            ("mac/cmac.rs", "use crate::modes::ctr;"),
        ];
        assert_eq!(found(&files), [""; 0]);
    }

    #[test]
    fn an_import_that_climbs_is_named_with_both_files() {
        let files = [
            ("lib.rs", ""),
            ("error.rs", ""),
            ("ciphers/sm4/mod.rs", "use lanes::Level;\nuse crate::modes::ctr::xor;"),
            ("modes/ctr.rs", "use crate::Error;"),
        ];
        assert_eq!(
            found(&files),
            [
                "ciphers/sm4/mod.rs:2: `crate::modes::ctr::xor` climbs to modes/ctr.rs [floors]",
                "modes/ctr.rs:1: `crate::Error` climbs to lib.rs [floors]",
            ]
        );
    }

    #[test]
    fn so_is_one_to_a_later_room_of_the_row_and_to_another_cipher() {
        let files = [
            ("modes/ctr.rs", "use crate::mac::cmac::add;"),
            ("mac/cmac.rs", ""),
            ("ciphers/aes/mod.rs", ""),
            ("ciphers/zuc/sbox.rs", "use crate::ciphers::aes::SBOX;"),
        ];
        assert_eq!(found(&files).len(), 2);
    }

    #[test]
    fn a_room_without_a_floor_and_a_circle_in_a_room_are_found() {
        let circle = [
            ("modes/a.rs", "use super::b::B;"),
            ("modes/b.rs", "use super::a::A;"),
            ("attic.rs", ""),
        ];
        assert_eq!(
            found(&circle),
            [
                "attic.rs:1: a room that no floor has [floors]",
                "modes/a.rs:1: a circle of imports: modes/a.rs, modes/b.rs [floors]",
            ]
        );
    }
}
