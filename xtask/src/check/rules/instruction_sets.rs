//! The library never names an instruction set: it asks for capabilities.

use super::super::words::{Name, names, sequences, words};
use super::{Finding, Rule, Source};

pub(super) const RULE: Rule = Rule {
    name: "no-instruction-set",
    about: "crates/cipherlane names no instruction set, architecture or intrinsic",
    check,
};

/// Whether a word names an instruction set, an extension, a vector type or an architecture.
fn names_one(word: &str) -> bool {
    const WHOLE: &[&str] = &[
        "ssse3",
        "gfni",
        "vaes",
        "aesni",
        "bmi1",
        "bmi2",
        "neon",
        "asimd",
        "sve",
        "sve2",
        "simd128",
        "pmull",
        "pclmul",
        "pclmulqdq",
        "vpclmul",
        "vpclmulqdq",
        "vbmi",
        "vbmi2",
        "x86",
        "aarch64",
        "wasm32",
        "riscv64",
        "xmm",
        "ymm",
        "zmm",
    ];
    let family = |name: &str| {
        word.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphabetic()))
    };
    WHOLE.contains(&word) || family("sse") || family("avx")
}

/// Whether it is an intrinsic or a vector type of x86.
fn is_intrinsic(ident: &str) -> bool {
    ident.starts_with("_mm") || ident.starts_with("__m")
}

fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.is_library()) {
        for (name, span) in names(&source.tokens) {
            let (Name::Ident(text) | Name::Literal(text)) = name else { continue };
            let arch = text == "target_arch" || text == "target_feature";
            if arch || is_intrinsic(&text) || words(&text).iter().any(|word| names_one(word)) {
                let what =
                    format!("`{text}` names an instruction set; ask for a capability of `Isa`");
                findings.push(source.finding(RULE.name, span, what));
            }
        }
        for root in ["core", "std"] {
            for span in sequences(&source.tokens, &[root, ":", ":", "arch"]) {
                findings.push(source.finding(
                    RULE.name,
                    span,
                    format!("`{root}::arch` is for `lanes` alone"),
                ));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::RULE;

    const PATH: &str = "crates/cipherlane/src/ciphers/sm4/rounds.rs";

    #[test]
    fn capabilities_comments_and_documentation_pass() {
        let text = "//! On AVX-512 this takes two instructions.\n\
                    // gfni\n\
                    /// avx2\n\
                    fn f<I: Isa>(isa: I) { if const { I::BYTE_MAPS } { g(\"classes\", mm) } }";
        assert_eq!(findings(&RULE, PATH, text), [""; 0]);
    }

    #[test]
    fn names_in_code_and_strings_are_found() {
        for text in [
            "use lanes::Avx512;",
            "fn f() { match level.name() { \"avx2-gfni\" => 1, _ => 2 }; }",
            "#[cfg(target_arch = \"x86_64\")] fn f() {}",
            "use core::arch::asm;",
            "fn f(x: __m512i) {}",
            "fn f() { _mm_xor_si128(a, b); }",
            "fn sse_rounds() {}",
            "const NEON: bool = true;",
        ] {
            assert!(!findings(&RULE, PATH, text).is_empty(), "{text}");
        }
    }

    #[test]
    fn lanes_may_name_them() {
        let text = "use core::arch::x86_64::_mm_xor_si128;";
        assert_eq!(findings(&RULE, "crates/lanes/src/x86/aesni.rs", text), [""; 0]);
    }
}
