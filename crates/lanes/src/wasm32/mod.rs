//! The level of WebAssembly.
//!
//! # Why the intrinsics are sound
//! A module with vector instructions is refused as a whole by an engine that lacks
//! them, so the features are no condition, and all intrinsics but loads and stores are
//! safe functions. Those go through arrays whose length is checked first, and need no
//! alignment. For the same reason nothing is detected when the program runs: this
//! folder is only there in builds with `-C target-feature=+simd128`.
#![expect(unsafe_code, reason = "loads and stores; argued above")]

use crate::level::modules;
use crate::levels;

levels!([modules] Wasm32:);

/// Whether the program is built with all of these features.
pub(crate) fn detected(features: &[&str]) -> bool {
    features.iter().all(|wanted| *wanted == "simd128" && cfg!(target_feature = "simd128"))
}
