//! Entries of kernels that no trace goes through, and why: one that is not among these is a breach, so that
//! a new kernel is stepped through or named here.

use std::collections::{BTreeMap, BTreeSet};

const TABLES: &str = "it reads tables by secrets, and the registry says so";
const WORDS: &str = "words that no algorithm of the registry has";
const BATCHES: &str =
    "only batches of more, or of shorter, messages than those stepped through come to it";

/// A part of a name, and why no trace goes through what has it. The first that fits counts.
const WHY: [(&str, &str); 13] = [
    (
        "<lanes::portable::",
        "at the portable level one message of the first operation of each kind is stepped through",
    ),
    ("<lanes::x86::avx2_sm4::", "no CPU with SM4's instructions was there"),
    ("ciphers::hc128::", TABLES),
    ("ciphers::rc2::", TABLES),
    ("ciphers::sosemanuk::", TABLES),
    ("ciphers::sm3::", "a hash and its MAC, which are no algorithms of the registry"),
    ("rc5::Rc5W16", WORDS),
    ("rc5::Rc5W64", WORDS),
    ("ghash::leap::", "threads that share a message come to it"),
    ("ciphers::mickey::", BATCHES),
    ("InLanes>::each::", BATCHES),
    ("aes::decrypt_each::", BATCHES),
    ("sm4::serial_in_lockstep::", BATCHES),
];

/// How many there are of each reason, and those that have none.
pub(super) fn sorted(unseen: &BTreeSet<String>) -> (BTreeMap<&'static str, usize>, Vec<&String>) {
    let (mut reasons, mut without) = (BTreeMap::new(), Vec::new());
    for name in unseen {
        match WHY.iter().find(|(part, _)| name.contains(part)) {
            Some((_, why)) => *reasons.entry(*why).or_default() += 1,
            None => without.push(name),
        }
    }
    (reasons, without)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_a_reason_or_is_named() {
        let door = |level: &str, what: &str| {
            format!("<lanes::{level}>::enter::door::<(), cipherlane::{what}::{{closure#1}}>")
        };
        let all = [
            door("portable::Portable", "ciphers::sm4::run"),
            door("x86::avx2::Avx2", "ciphers::rc2::run"),
            door("x86::avx2::Avx2", "ciphers::hc128::run"),
            door("x86::avx2::Avx2", "ciphers::sm4::run"),
        ];
        let unseen = BTreeSet::from(all.clone());
        let (reasons, without) = sorted(&unseen);
        assert_eq!((reasons[TABLES], reasons.len()), (2, 2));
        assert_eq!(without, [&all[3]]);
    }
}
