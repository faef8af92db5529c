//! Many messages at once.

use lanes::{InOut, Level, dispatch_plain};

use super::clock;
use super::{SIXTEEN, many};
use crate::error::Error;
use crate::first_use::admit;
use crate::keystream::batch::KeystreamBatch;
use crate::keystream::generator::{Generator, Kernel};
use crate::keystream::passes::Passes;
use crate::secret::Wipe;
use crate::sizes::Sizes;

/// HC-128 as the parameter of [`KeystreamBatch`].
#[derive(Clone, Copy, Debug)]
pub enum OfHc128 {}

/// Many messages under HC-128, in lanes where an instruction reads the tables of all; see
/// [`KeystreamBatch`].
pub type Hc128Batch = KeystreamBatch<OfHc128>;

impl Generator for OfHc128 {
    const NAME: &'static str = "HC-128";
    const KEY: Sizes = SIXTEEN;
    const IV: Sizes = SIXTEEN;
}

impl Kernel for OfHc128 {
    type State = clock::State;
    type Many = many::Many;
    const BLOCK: usize = many::BLOCK;
    const DEEP: usize = 96 << 10;
    const IN_PLACE: bool = true;
    // A group takes as long with one stream as with all.
    const FEW: usize = 7;
    const PASSES: Passes = Passes { full: 20, in_halves: 20, half: 19, alone: 3 };

    fn admit(level: Level) -> Result<(), Error> {
        admit(level, &super::ANSWER)
    }

    fn start(level: Level, key: &[u8], iv: &[u8], iv_bits: usize) -> Self::State {
        let mut state = clock::EMPTY;
        Self::start_in(&mut state, level, key, iv, iv_bits);
        state
    }

    fn start_in(state: &mut Self::State, level: Level, key: &[u8], iv: &[u8], _: usize) {
        let sixteen = |bytes: &[u8]| *bytes.first_chunk().expect("16 bytes");
        clock::set_up(level, state, &sixteen(key), &sixteen(iv));
    }

    /// To the end of a message: nothing is kept for more of it.
    fn apply(_: Level, state: &mut Self::State, io: InOut<'_>, _: &mut [u8; 16]) -> usize {
        let whole = io.len() / clock::BLOCK * clock::BLOCK;
        let (mut whole, mut end) = io.split_at(whole);
        clock::apply(state, &mut whole);
        if !end.is_empty() {
            let mut mask = [0; clock::BLOCK];
            clock::apply(state, &mut mask.as_mut_slice().into());
            end.xor(&mask[..end.len()]);
            mask.wipe();
        }
        0
    }

    fn lanes(level: Level) -> usize {
        dispatch_plain!(level, isa => many::lanes(isa))
    }

    fn start_many<'m>(
        level: Level,
        many: &mut Self::Many,
        count: usize,
        message: &dyn Fn(usize) -> (&'m [u8], &'m [u8]),
    ) {
        for lane in 0..count {
            let (key, iv) = message(lane);
            many::load(many, lane, key, iv);
        }
        dispatch_plain!(level, isa => many::initialise(isa, many));
    }

    fn generate(level: Level, many: &mut Self::Many, out: &mut [u8], len: usize) {
        dispatch_plain!(level, isa => many::generate(isa, many, out, len));
    }

    fn take(many: &Self::Many, lane: usize) -> Self::State {
        many::take(many, lane)
    }
}

/// Which kernels run, in words.
pub(super) fn words(level: Level) -> &'static str {
    match OfHc128::lanes(level) {
        16 => {
            "one stream: scalar, tables indexed by the state; many: 16 in lanes of 32 bits, \
             tables gathered"
        }
        _ => "one stream: scalar, tables indexed by the state; many: scalar, one after another",
    }
}
