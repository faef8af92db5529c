//! One stream, without a branch: the control and feedback bits become masks of whole words.

use lanes::{InOut, Isa, hide};

use super::parameters::{Parameters, Stages, inner};
use crate::keystream::generator::xor_words;

/// R, then S.
pub(super) type State = [Stages; 2];

/// The registers in as many words as `P` needs.
struct Mickey<const WORDS: usize> {
    r: [u64; WORDS],
    s: [u64; WORDS],
}

#[inline(always)]
fn stage<const WORDS: usize>(register: &[u64; WORDS], i: usize) -> u64 {
    register[i / 64] >> (i % 64) & 1
}

/// Every stage gets what the one before had; the first gets 0.
#[inline(always)]
fn up<const WORDS: usize>(register: &[u64; WORDS]) -> [u64; WORDS] {
    let mut out = [register[0] << 1; WORDS];
    for i in 1..WORDS {
        out[i] = register[i] << 1 | register[i - 1] >> 63;
    }
    out
}

/// Every stage gets what the next one had; the last gets 0.
#[inline(always)]
fn down<const WORDS: usize>(register: &[u64; WORDS]) -> [u64; WORDS] {
    let mut out = [register[WORDS - 1] >> 1; WORDS];
    for i in 0..WORDS - 1 {
        out[i] = register[i] >> 1 | register[i + 1] << 63;
    }
    out
}

impl<const WORDS: usize> Mickey<WORDS> {
    #[inline(always)]
    fn new(state: &State) -> Self {
        let mut mickey = Self { r: [0; WORDS], s: [0; WORDS] };
        for i in 0..WORDS {
            mickey.r[i] = state[0][i];
            mickey.s[i] = state[1][i];
        }
        mickey
    }

    #[inline(always)]
    fn state(&self) -> State {
        let mut state = [[0; 3]; 2];
        for i in 0..WORDS {
            state[0][i] = self.r[i];
            state[1][i] = self.s[i];
        }
        state
    }

    /// CLOCK_KG (section 3.3), before which this keystream bit stands.
    #[inline(always)]
    fn clock<P: Parameters>(&mut self, mixing: u64, input: u64) -> u64 {
        let (r, s) = (self.r, self.s);
        let z = (r[0] ^ s[0]) & 1;
        let last = P::STAGES - 1;
        // All ones where the bit is 1; hidden, so that no compiler makes a branch of it.
        let control_r = hide(stage(&s, P::S_OF_R) ^ stage(&r, P::LATE)).wrapping_neg();
        let control_s = hide(stage(&s, P::LATE) ^ stage(&r, P::R_OF_S)).wrapping_neg();
        let mixed = stage(&s, P::MIXED) & mixing;
        let feedback_r = hide(stage(&r, last) ^ input ^ mixed).wrapping_neg();
        let feedback_s = hide(stage(&s, last) ^ input).wrapping_neg();
        let (shifted_r, shifted_s, next_s) = (up(&r), up(&s), down(&s));
        let inner = const { inner::<P>() };
        for i in 0..WORDS {
            self.r[i] = shifted_r[i] ^ (control_r & r[i]) ^ (feedback_r & P::R_TAPS[i]);
            let product = (s[i] ^ P::COMP0[i]) & (next_s[i] ^ P::COMP1[i]) & inner[i];
            let sequence = P::FB0[i] ^ (control_s & (P::FB0[i] ^ P::FB1[i]));
            self.s[i] = shifted_s[i] ^ product ^ (feedback_s & sequence);
        }
        // What has left the last stage.
        let used = const { u64::MAX >> (64 - (P::STAGES - 1) % 64 - 1) };
        self.r[WORDS - 1] &= used;
        self.s[WORDS - 1] &= used;
        z
    }
}

/// Section 4.1: IV, key, preclocking.
#[inline(always)]
pub(super) fn start<I: Isa, P: Parameters, const WORDS: usize>(
    _: I,
    key: &[u8],
    iv: &[u8],
    iv_bits: usize,
) -> State {
    let mut mickey = Mickey::<WORDS>::new(&[[0; 3]; 2]);
    for i in 0..iv_bits {
        mickey.clock::<P>(1, u64::from(iv[i / 8] >> (7 - i % 8) & 1));
    }
    for i in 0..8 * P::KEY {
        mickey.clock::<P>(1, u64::from(key[i / 8] >> (7 - i % 8) & 1));
    }
    for _ in 0..P::STAGES {
        mickey.clock::<P>(1, 0);
    }
    mickey.state()
}

#[inline(always)]
pub(super) fn apply<I: Isa, P: Parameters, const WORDS: usize>(
    _: I,
    state: &mut State,
    io: &mut InOut<'_>,
    rest: &mut [u8; 16],
) -> usize {
    let mut mickey = Mickey::<WORDS>::new(state);
    let left = xor_words(
        io,
        rest,
        #[inline(always)]
        || {
            let mut byte = 0;
            for _ in 0..8 {
                byte = byte << 1 | mickey.clock::<P>(0, 0) as u8;
            }
            [byte]
        },
    );
    *state = mickey.state();
    left
}
