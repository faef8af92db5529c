//! `lanes` never names a cipher: it is a vocabulary of registers.

use std::collections::BTreeSet;

use super::super::words::{Name, names, words};
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "lanes-no-cipher",
    about: "crates/lanes names no cipher, not even in its documentation",
    check,
};

/// Ciphers that may come; those that are there are read from the library's folders.
const PLANNED: &[&str] = &[
    "sm4",
    "idea",
    "rc2",
    "rc4",
    "rc5",
    "zuc",
    "hc128",
    "rabbit",
    "salsa20",
    "sosemanuk",
    "mickey",
    "trivium",
    "grain",
    "enocoro",
    "chacha20",
];

fn check(sources: &[Source]) -> Vec<Finding> {
    let mut ciphers: BTreeSet<&str> = PLANNED.iter().copied().collect();
    let folders = sources.iter().filter_map(Source::kernel_folder);
    ciphers.extend(folders.filter_map(|folder| folder.rsplit('/').next()));
    // Instructions of the CPUs bear these names.
    for name in ["aes", "sm4"] {
        ciphers.remove(name);
    }
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.is_in("crates/lanes")) {
        for (name, span) in names(&source.tokens) {
            let (Name::Ident(text) | Name::Literal(text) | Name::Doc(text)) = name;
            if let Some(word) = words(&text).iter().find(|word| ciphers.contains(word.as_str())) {
                let what = format!("names the cipher `{word}`; name what the lanes do");
                findings.push(source.finding(RULE.name, span, what));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::{RULE, Source};

    const PATH: &str = "crates/lanes/src/isa.rs";

    #[test]
    fn operations_pass() {
        let text = "/// The AES S-box; ciphers use it. An ideal place.\n\
                    fn aes_sub_bytes() {}\nfn sm4_rounds() {}";
        assert_eq!(findings(&RULE, PATH, text), [""; 0]);
    }

    #[test]
    fn ciphers_are_found() {
        for text in
            ["fn rc5_rounds() {}", "/// For ZUC.\nfn add32() {}", "const X: &str = \"rc4\";"]
        {
            assert_eq!(findings(&RULE, PATH, text).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_new_ciphers_folder_is_enough() {
        let library = Source::parse("crates/cipherlane/src/ciphers/kasumi/mod.rs", "").unwrap();
        let lanes = Source::parse(PATH, "fn kasumi() {}").unwrap();
        assert_eq!((RULE.check)(&[library, lanes]).len(), 1);
    }
}
