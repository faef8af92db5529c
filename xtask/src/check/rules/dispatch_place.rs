//! Machine code is made in the cipher's folder, and only there.

use super::super::words::{dispatches, sequences};
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "dispatch-place",
    about: "`dispatch!` and doors stand only in a cipher's or hash's folder",
    check,
};

/// Places outside the library that may name it, and why.
const ALSO: &[&str] = &[
    // The macro and the size of a register.
    "crates/lanes",
    // The rules themselves quote it.
    "xtask",
    // Macros that a cipher's folder uses: the machine code is made there.
    "crates/cipherlane/src/block/tile_object.rs",
];

fn allowed(source: &Source) -> bool {
    source.kernel_folder().is_some()
        || ALSO.iter().any(|place| source.path == *place || source.is_in(place))
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| !allowed(source)) {
        let of = |path: &[&str]| sequences(&source.tokens, path);
        for (spans, what) in [
            (dispatches(&source.tokens), "`dispatch!`"),
            (of(&["lanes", ":", ":", "dispatch"]), "`lanes::dispatch`"),
            (of(&["lanes", ":", ":", "dispatch_aes"]), "`lanes::dispatch_aes`"),
            (of(&["lanes", ":", ":", "dispatch_sm4"]), "`lanes::dispatch_sm4`"),
            (of(&["lanes", ":", ":", "dispatch_plain"]), "`lanes::dispatch_plain`"),
            (of(&[".", "enter", "("]), "a door"),
        ] {
            for span in spans {
                let what = format!("{what} outside a cipher's or hash's folder");
                findings.push(source.finding(RULE.name, span, what));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::RULE;

    const CALL: &str = "fn f(l: Level) { dispatch!(l, isa => k(isa)) }";

    #[test]
    fn ciphers_hashes_and_the_macros_of_ciphers_may() {
        for path in [
            "crates/cipherlane/src/ciphers/sm4/mod.rs",
            "crates/cipherlane/src/ghash/mod.rs",
            "crates/cipherlane/src/block/tile_object.rs",
        ] {
            assert_eq!(findings(&RULE, path, CALL), [""; 0]);
        }
    }

    #[test]
    fn modes_and_the_program_may_not() {
        for path in [
            "crates/cipherlane/src/modes/ctr.rs",
            "crates/cipherlane/src/mac/cmac.rs",
            "crates/cipherlane/src/block/tiles.rs",
            "crates/cipherlane/src/ciphers/mod.rs",
            "crates/cipherlane/src/lib.rs",
            "cli/src/main.rs",
        ] {
            assert_eq!(findings(&RULE, path, CALL).len(), 1);
            assert_eq!(findings(&RULE, path, "fn f(t: T) { t.enter(|| 1) }").len(), 1);
            assert_eq!(findings(&RULE, path, "use lanes::dispatch;").len(), 1);
            assert_eq!(findings(&RULE, path, "use lanes::dispatch_sm4;").len(), 1);
            assert_eq!(findings(&RULE, path, &CALL.replace("dispatch", "dispatch_sm4")).len(), 1);
            assert_eq!(findings(&RULE, path, "use lanes::dispatch_plain;").len(), 1);
            assert_eq!(findings(&RULE, path, &CALL.replace("dispatch", "dispatch_plain")).len(), 1);
        }
    }
}
