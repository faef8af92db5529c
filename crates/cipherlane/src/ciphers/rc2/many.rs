//! RC2 under many keys.

use lanes::{Level, dispatch_plain};

use super::{BLOCK, Rc2, formulation};
use crate::block::together::InLanes;
use crate::error::Error;
use crate::first_use::admit;
use crate::secret::{Depth, Trace};
use crate::sizes::Sizes;
use crate::traits::block::KeyedChain;

impl InLanes for Rc2 {
    const KEY: Sizes = super::KEY;

    const STACK: Depth = super::STACK;

    fn admit(level: Level) -> Result<(), Error> {
        admit(level, &super::ANSWER)
    }

    fn trace(&mut self) -> &mut Trace {
        &mut self.trace
    }

    fn empty(level: Level) -> Self {
        Self::empty(level)
    }

    fn set(&mut self, key: &[u8]) {
        self.expand(key);
    }

    fn lanes(level: Level) -> usize {
        dispatch_plain!(level, isa => formulation::lanes(isa))
    }

    fn alone(level: Level) -> usize {
        dispatch_plain!(level, isa => formulation::alone(isa))
    }

    fn chains(level: Level, keys: &[Self], chains: &mut [KeyedChain<'_>]) {
        super::run_chains(level, keys, chains);
    }

    fn each(
        level: Level,
        back: bool,
        keys: &[Self],
        numbers: &[usize],
        blocks: &mut [[u8; BLOCK]],
    ) {
        if back {
            dispatch_plain!(level, isa => formulation::each::<_, true>(isa, keys, numbers, blocks));
        } else {
            dispatch_plain!(level, isa => formulation::each::<_, false>(isa, keys, numbers, blocks));
        }
    }
}
