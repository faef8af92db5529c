//! What the compiler implies by the features of a level is detected, too: a function compiled
//! for AVX-512 F may have instructions of FMA, which a hypervisor may have masked.
#![cfg(all(target_arch = "x86_64", not(cipherlane_few_levels)))]

use std::process::Command;

use lanes::{Aesni, Avx2, Avx2Gfni, Avx2Sm4, Avx2Vaes, Avx512};

/// The features that code has which is compiled for these.
fn implied(features: &[&str]) -> Vec<String> {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--print", "cfg", "--target", "x86_64-unknown-linux-gnu"]);
    if !features.is_empty() {
        rustc.arg(format!("-Ctarget-feature=+{}", features.join(",+")));
    }
    let done = rustc.output().expect("rustc starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8(done.stdout).expect("UTF-8");
    let quoted =
        |line: &str| Some(line.strip_prefix("target_feature=\"")?.trim_end_matches('"').to_owned());
    text.lines().filter_map(quoted).collect()
}

#[test]
fn a_level_lists_all_that_its_features_imply() {
    // What every program for x86-64 may use; no CPU lacks it.
    let baseline = implied(&[]);
    assert!(baseline.iter().any(|it| it == "sse2"), "{baseline:?}");
    for level in [
        Aesni::FEATURES,
        Avx2::FEATURES,
        Avx2Vaes::FEATURES,
        Avx2Gfni::FEATURES,
        Avx2Sm4::FEATURES,
        Avx512::FEATURES,
    ] {
        for feature in implied(level) {
            let known = level.contains(&feature.as_str()) || baseline.contains(&feature);
            assert!(known, "`{feature}` is implied by {level:?} and not detected");
        }
    }
}
