//! What IDEA knows of levels.
//!
//! Lanes from two blocks on: a tile takes no longer than two blocks one after another.

use lanes::Isa;

use super::BLOCK;
use super::key::Keys;
use super::passes::GROUPS;
use crate::block::formulation::Formulation;

impl<I: Isa> Formulation<I> for Keys {
    const LANES: bool = I::NUMBERS16_NATIVE;
    const GROUPS: usize = GROUPS;
    const SCALAR_BYTES: usize = BLOCK;
    const NARROW: usize = 64;
    const SINGLE_BLOCKS: usize = 5 * I::BYTES / 16;
}

/// What runs at a level, in words.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn describe<I: Isa>(_: I) -> &'static str {
    if const { I::NUMBERS16_NATIVE } { "in 16-bit lanes; a few blocks scalar" } else { "scalar" }
}
