//! The rules of the sources, one a file.
//!
//! A rule reads all sources and returns its findings. Each file's tests show
//! that the rule lets good code pass and that it can fail.

mod circles;
mod dispatch_generic;
mod dispatch_place;
pub(super) mod floors;
mod forbid_unsafe;
mod inline_always;
mod instruction_sets;
mod isa_private;
mod lane_index;
mod lanes_no_cipher;
mod level_match;
mod registry_only;
#[cfg(test)]
mod whole_tree;

use super::{Finding, source::Source};

/// One rule.
pub(super) struct Rule {
    /// Printed with every finding.
    pub(super) name: &'static str,
    /// The rule in one sentence.
    pub(super) about: &'static str,
    /// The breaches in these files.
    pub(super) check: fn(&[Source]) -> Vec<Finding>,
}

/// All of them.
pub(super) const RULES: &[Rule] = &[
    instruction_sets::RULE,
    lanes_no_cipher::RULE,
    level_match::RULE,
    dispatch_place::RULE,
    dispatch_generic::RULE,
    isa_private::RULE,
    inline_always::RULE,
    lane_index::RULE,
    registry_only::RULE,
    forbid_unsafe::RULE,
    floors::RULE,
    circles::RULE,
];

/// The findings of a rule in one file, for its tests.
#[cfg(test)]
fn findings(rule: &Rule, path: &str, text: &str) -> Vec<String> {
    let source = Source::parse(path, text).unwrap();
    (rule.check)(&[source]).iter().map(ToString::to_string).collect()
}
