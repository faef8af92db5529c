//! `unsafe` stands only in the rooms that `SAFETY.md` argues for.

use super::super::words::{Name, names};
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "unsafe-rooms",
    about: "`unsafe` only in lanes, the clock, engines behind a C ABI and provers; `forbid` elsewhere",
    check,
};

/// The rooms, as `SAFETY.md` lists them.
const ROOMS: &[&str] = &[
    "crates/lanes/src",
    "crates/reserve/src",
    "lab/src/clock",
    "lab/engines/peers/src",
    "prove/src/arena",
    "prove/src/host",
    "prove/src/mapped",
    "prove/src/pages",
    "prove/src/stack",
    "prove/src/step",
    "prove/src/valgrind",
    "prove/src/bounded/whole",
    "prove/watcher/src/plugin",
];

/// Files with the rest of a room whose folder has the same name.
fn in_a_room(path: &str) -> bool {
    ROOMS.iter().any(|room| {
        path.strip_prefix(room).is_some_and(|rest| rest.starts_with('/') || rest == ".rs")
    })
}

/// Whether this is the root file of a crate.
fn is_crate_root(path: &str) -> bool {
    path.ends_with("/src/lib.rs") || path.ends_with("/src/main.rs")
}

/// Whether some room lies in the crate of this root file.
fn has_a_room(root: &str) -> bool {
    let crate_folder = root.rsplit_once("/src/").map_or(root, |(folder, _)| folder);
    ROOMS.iter().any(|room| room.strip_prefix(crate_folder).is_some_and(|r| r.starts_with('/')))
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources {
        let names = names(&source.tokens);
        let words = names.iter().filter_map(|(name, span)| match name {
            Name::Ident(word) => Some((word.as_str(), *span)),
            _ => None,
        });
        if !in_a_room(&source.path) {
            for (_, span) in words.clone().filter(|(word, _)| *word == "unsafe") {
                let what = "`unsafe` outside the rooms of SAFETY.md";
                findings.push(source.finding(RULE.name, span, what));
            }
        }
        if is_crate_root(&source.path) && !has_a_room(&source.path) {
            let row: Vec<&str> = words.map(|(word, _)| word).collect();
            if !row.windows(2).any(|pair| pair == ["forbid", "unsafe_code"]) {
                let what = "the crate lacks `#![forbid(unsafe_code)]`";
                findings.push(source.finding(RULE.name, proc_macro2::Span::call_site(), what));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::RULE;

    const UNSAFE: &str = "fn f() { unsafe { g() } }";

    #[test]
    fn the_rooms_may() {
        for path in
            ["crates/lanes/src/door.rs", "lab/src/clock/tsc.rs", "lab/engines/peers/src/ffi.rs"]
        {
            assert_eq!(findings(&RULE, path, UNSAFE), [""; 0]);
        }
        assert_eq!(findings(&RULE, "lab/src/clock.rs", UNSAFE), [""; 0]);
        assert_eq!(findings(&RULE, "prove/src/step.rs", UNSAFE), [""; 0]);
    }

    #[test]
    fn everyone_else_forbids_it() {
        assert_eq!(findings(&RULE, "lab/src/record.rs", UNSAFE).len(), 1);
        assert_eq!(findings(&RULE, "crates/lanes/tests/implied.rs", UNSAFE).len(), 1);
        assert_eq!(findings(&RULE, "prove/src/work.rs", UNSAFE).len(), 1);
        assert_eq!(findings(&RULE, "cli/src/main.rs", "fn main() {}").len(), 1);
        let forbids = "#![forbid(unsafe_code)]\nfn main() {}";
        assert_eq!(findings(&RULE, "cli/src/main.rs", forbids), [""; 0]);
    }
}
