//! What RC5 knows of levels.
//!
//! Lanes where an instruction rotates each by another. A few blocks are done sooner one
//! after another, of which the CPU overlaps several.

use lanes::Isa;

use super::key::Keys;
use super::word::Word;
use crate::block::formulation::Formulation;

impl<I: Isa, W: Word> Formulation<I> for Keys<W> {
    const LANES: bool = I::ROTATE_BY_NATIVE;
    const GROUPS: usize = 3;
    const SCALAR_BYTES: usize = if I::REGISTERS >= 32 { 2 } else { 8 } * size_of::<W::Block>();
    const FEW_CHAINS: usize = 5;
    const SINGLE_BLOCKS: usize = if I::REGISTERS >= 32 { 8 } else { 4 };
}

/// What runs at a level, in words.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn describe<I: Isa>(_: I) -> &'static str {
    if const { I::ROTATE_BY_NATIVE } {
        "in lanes, rotated each by another; a few blocks scalar"
    } else {
        "scalar"
    }
}
