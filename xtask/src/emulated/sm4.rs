//! `cargo xtask sm4`: the tests at level `avx2-sm4` on a CPU without the SM4 instructions, which
//! `crates/lanes/src/x86/sm4_emulated.rs` stands in for; all else is this CPU's.

use std::time::Duration;

use super::{CRATES, STRIDE};
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// What this CPU must have and the level has besides the instructions.
fn is_here() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("gfni") && std::is_x86_feature_detected!("vaes")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

pub(crate) fn run(_: &[String]) -> Outcome {
    if !is_here() {
        skip("tests at level avx2-sm4", "run it on a CPU with GFNI and VAES");
        return Ok(());
    }
    stage("tests", Duration::from_secs(600), || {
        let mut test = workspace::cargo(&["test", "--quiet", "--release", "--lib", "--tests"]);
        test.args(CRATES).arg("--target-dir").arg(workspace::scratch("sm4"));
        test.env("RUSTFLAGS", "--cfg=cipherlane_emulated_sm4");
        test.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CIPHERLANE_LEVEL");
        workspace::run(test.env("CIPHERLANE_TEST_STRIDE", STRIDE))
    })
}
