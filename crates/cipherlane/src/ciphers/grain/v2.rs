//! The generator of Grain-128AEADv2, 32 clocks at once: registers and taps are almost those of
//! Grain-128, the initialisation is another one ("Grain-128AEADv2", NIST LWC, 2021, §2.1 and §2.2).

use lanes::{InOut, Isa};

pub(super) use super::grain_128::PASSES;
use super::grain_128::{clocks, narrow, widen};
use super::words::{Many32, One32};
use crate::keystream::generator::xor_words;
use crate::keystream::transpose;

/// Four words of the LFSR, four of the NFSR, and the key, which the end of the initialisation takes
/// once more.
pub(super) type State = [u32; 12];

/// A row of lanes for each word of the state.
pub(super) type Many = [[u8; 64]; 12];

/// Output bytes of a stream at a time.
pub(super) const BLOCK: usize = super::grain_128::BLOCK;

/// Words of the initialisation: 320 clocks, and 64 with the key.
const WORDS: usize = 10;
const WITH_KEY: usize = 2;

/// Key and nonce; in the LFSR ones behind the nonce, and a zero at the end.
pub(super) fn load(key: &[u8], nonce: &[u8]) -> State {
    let mut state = [0; 12];
    for (word, bytes) in state.iter_mut().zip(nonce.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    state[3] = u32::MAX >> 1;
    for (i, bytes) in key.as_chunks().0.iter().enumerate() {
        let word = u32::from_le_bytes(*bytes);
        (state[4 + i], state[8 + i]) = (word, word);
    }
    state
}

#[inline(always)]
fn registers(state: &State) -> [u64; 8] {
    let mut words = [0; 8];
    words.copy_from_slice(&state[..8]);
    widen(&words)
}

pub(super) fn initialise(state: &mut State) {
    let mut s = registers(state);
    for _ in 0..WORDS {
        clocks::<_, true, true>(One32, &mut s);
    }
    for i in 0..WITH_KEY {
        clocks::<_, true, true>(One32, &mut s);
        s[3] ^= u64::from(state[10 + i]);
        s[7] ^= u64::from(state[8 + i]);
    }
    state[..8].copy_from_slice(&narrow(&s));
}

pub(super) fn apply(state: &mut State, io: &mut InOut<'_>, rest: &mut [u8; 16]) -> usize {
    let mut s = registers(state);
    let left = xor_words(
        io,
        rest,
        #[inline(always)]
        || (clocks::<_, false, true>(One32, &mut s) as u32).to_le_bytes(),
    );
    state[..8].copy_from_slice(&narrow(&s));
    left
}

#[inline(always)]
fn resume<I: Isa>(isa: I, many: &Many) -> [I::V; 8] {
    let mut s = [isa.zero(); 8];
    for i in 0..8 {
        s[i] = isa.load(&many[i]);
    }
    s
}

#[inline(always)]
fn keep<I: Isa>(isa: I, s: &[I::V; 8], many: &mut Many) {
    for i in 0..8 {
        isa.store(s[i], &mut many[i]);
    }
}

#[inline(always)]
pub(super) fn initialise_many<I: Isa>(isa: I, many: &mut Many) {
    let mut s = resume(isa, many);
    for _ in 0..WORDS {
        clocks::<_, true, true>(Many32(isa), &mut s);
    }
    for i in 0..WITH_KEY {
        clocks::<_, true, true>(Many32(isa), &mut s);
        s[3] = isa.xor(s[3], isa.load(&many[10 + i]));
        s[7] = isa.xor(s[7], isa.load(&many[8 + i]));
    }
    keep(isa, &s, many);
}

#[inline(always)]
pub(super) fn generate<I: Isa>(isa: I, many: &mut Many, out: &mut [u8], len: usize) {
    let mut s = resume(isa, many);
    for offset in (0..len.min(BLOCK)).step_by(64) {
        let mut made = [isa.zero(); 16];
        for i in 0..16 {
            made[i] = clocks::<_, false, true>(Many32(isa), &mut s);
        }
        transpose::words32(isa, &made, &mut out[offset..], BLOCK);
    }
    keep(isa, &s, many);
}
