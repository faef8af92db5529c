//! `cargo xtask wasm`: the tests on WebAssembly with and without vector instructions,
//! in Node.js.

use std::time::Duration;

use super::{CRATES, Target};
use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

const ENGINE: &str = "node";

/// A build with or without vector instructions; a module can't ask for them when it runs.
fn target(features: &str, levels: &'static str) -> Target {
    let runner = workspace::root().join("xtask").join("wasi.mjs");
    Target {
        triple: "wasm32-wasip1",
        levels,
        settings: vec![
            format!("rustflags=[\"-Ctarget-feature={features}\"]"),
            // V8's collector of garbage, if it marks beside a module that runs long, breaks what the
            // module's calls into JavaScript use: seen with Node.js 20 and 22, as SIGSEGV at the end.
            format!(
                "runner=[\"{ENGINE}\", \"--no-warnings\", \"--single-threaded-gc\", {:?}]",
                runner.display().to_string()
            ),
        ],
    }
}

pub(crate) fn run(_: &[String]) -> Outcome {
    let plain = target("-simd128", "portable");
    let vector = target("+simd128", "portable simd128");
    let installed = plain.is_installed();
    if !plain.has_program(ENGINE, "apt-get install nodejs") || !installed {
        return Ok(());
    }
    // What is not for vectors is no code of this target.
    stage("clippy", Duration::from_secs(60), || vector.clippy())?;
    let lanes = ["-p", "cipherlane-lanes"];
    stage("tests without vectors", Duration::from_secs(60), || plain.test(&lanes))?;
    stage("tests with vectors", Duration::from_secs(240), || vector.test(&CRATES))
}
