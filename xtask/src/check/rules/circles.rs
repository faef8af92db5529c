//! Files that import each other in a circle can't be read one after the other, nor moved apart: what two
//! of them need lies in one below both. The library's are counted by `floors`.

use std::collections::BTreeSet;

use super::super::imports::Imports;
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "circles",
    about: "no files of a crate import each other in a circle, but a module and its own children",
    check,
};

/// The folder of the sources of the crate that a file belongs to.
fn house(source: &Source) -> Option<&str> {
    const SOURCES: &str = "/src/";
    source.path.find(SOURCES).map(|at| &source.path[..at + SOURCES.len()])
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let houses: BTreeSet<&str> =
        sources.iter().filter(|it| !it.is_library()).filter_map(house).collect();
    let circles = houses.iter().flat_map(|house| {
        let imports = Imports::read_of(house, sources);
        let told = |circle: Vec<&str>| Finding {
            place: format!("{}:1", circle[0]),
            rule: RULE.name,
            what: format!("a circle of imports: {}", circle.join(", ")),
        };
        imports.circles().into_iter().map(told).collect::<Vec<_>>()
    });
    circles.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> =
            files.iter().map(|(path, text)| Source::parse(path, text).unwrap()).collect();
        (RULE.check)(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_circle_is_named_with_its_files_and_crates_are_apart() {
        let files = [
            ("lab/src/a.rs", "use crate::b::B;"),
            ("lab/src/b.rs", "use crate::c::C;"),
            ("lab/src/c.rs", "use super::a::A;"),
            // Another crate's files of these names.
            ("cli/src/a.rs", "use crate::b::B;"),
            ("cli/src/b.rs", "use crate::c::C;"),
            ("cli/src/c.rs", ""),
        ];
        let circle = "lab/src/a.rs:1: a circle of imports: lab/src/a.rs, lab/src/b.rs, lab/src/c.rs [circles]";
        assert_eq!(found(&files), [circle]);
    }

    #[test]
    fn a_module_and_its_children_are_one_and_tests_are_none() {
        let files = [
            ("xtask/src/main.rs", "mod a; use crate::a::run;"),
            ("xtask/src/a/mod.rs", "use self::b::B; use crate::main_thing;"),
            ("xtask/src/a/b.rs", "use super::A; #[cfg(test)] mod tests { use crate::c::C; }"),
            ("xtask/src/c.rs", "use crate::a::b::B;"),
        ];
        assert_eq!(found(&files), [""; 0]);
    }
}
