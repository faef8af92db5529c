//! Vectors of what the rounds of an initialisation give.

use cipherlane::Level;
use cipherlane::registry::NewStream;

use super::check::{OnPath, Outcome, equal, need};
use crate::Test;

/// Runs one test at a level, counting it if it passes.
pub(super) fn run(new: NewStream, test: &Test, level: Level, paths: &mut usize) -> Outcome {
    let path = "initialisation";
    let (key, iv) = (need(&test.key, "key")?, need(&test.iv, "iv")?);
    let expected = need(&test.init_keystream, "init_keystream")?;
    let shown = new(key, iv, level).on(&path)?.initialisation(iv);
    let blocks = shown.ok_or_else(|| (path.into(), "the cipher does not show it".into()))?;
    equal(&path, &blocks, expected, None, paths)
}
