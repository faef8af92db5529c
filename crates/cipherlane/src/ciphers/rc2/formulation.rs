//! What RC2 knows of levels.
//!
//! Lanes where the table of 64 words is looked up in registers: by one instruction, or by
//! byte shuffles of its quarters.

use lanes::Isa;

use super::BLOCK;
use super::key::Keys;
use crate::block::formulation::Formulation;

/// Whether there are lanes, and the table of 64 words can be looked up in registers.
const fn in_lanes<I: Isa>() -> bool {
    I::LOOKUP16_NATIVE || (I::NUMBERS16_NATIVE && I::BYTE_MAPS)
}

impl<I: Isa> Formulation<I> for Keys {
    const LANES: bool = in_lanes::<I>();
    const GROUPS: usize = 4;
    const SCALAR_BYTES: usize = if I::LOOKUP16_NATIVE { BLOCK } else { 3 * BLOCK };
    // A step waits for the one before it: lanes of which most are idle take as long as full ones.
    const FEW_CHAINS: usize = 3;
    const SINGLE_BLOCKS: usize = 10;
}

/// What runs at a level, in words.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn describe<I: Isa>(_: I) -> &'static str {
    if const { in_lanes::<I>() } {
        "in 16-bit lanes, mashing by a table in registers; a few blocks scalar"
    } else {
        "scalar, mashing by a table in memory"
    }
}
