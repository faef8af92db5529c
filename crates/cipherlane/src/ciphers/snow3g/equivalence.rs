//! S1 and S2 of the state machine, MULα and DIVα of the shift register.

use lanes::{Isa, Level, dispatch};

use super::linear::{next, next_four, next_in_lanes};
use super::nonlinear::{s1, s2};
use crate::equivalence::{Word, compare, each};

fn big(f: impl Fn(u32) -> u32) -> impl Fn(Word) -> Word {
    move |word| f(u32::from_le_bytes(word)).to_le_bytes()
}

/// §3.4.4: what `s0` gives to the next word, and what `s11` does.
fn of_s0(s0: u32) -> u32 {
    s0 << 8 ^ model::snow3g::mul_alpha((s0 >> 24) as u8)
}

fn of_s11(s11: u32) -> u32 {
    s11 >> 8 ^ model::snow3g::div_alpha(s11 as u8)
}

#[inline(always)]
fn in_lanes<I: Isa>(isa: I, words: &mut [Word], of_s11: bool) {
    let zero = isa.zero();
    each(
        isa,
        words,
        #[inline(always)]
        |isa, x| {
            if of_s11 {
                next_in_lanes(isa, zero, zero, x)
            } else {
                next_in_lanes(isa, x, zero, zero)
            }
        },
    );
}

/// Four steps at once, of which each is looked at in its turn.
#[inline(always)]
fn four<I: Isa>(isa: I, words: &mut [Word], of_s11: bool) {
    for bytes in words.as_flattened_mut().chunks_exact_mut(const { 4 * I::BYTES }) {
        let mut x = [isa.zero(); 4];
        for (x, bytes) in x.iter_mut().zip(bytes.chunks_exact(I::BYTES)) {
            *x = isa.load(bytes);
        }
        let zero = [isa.zero(); 4];
        let out =
            if of_s11 { next_four(isa, zero, zero, x) } else { next_four(isa, x, zero, zero) };
        for (out, bytes) in out.into_iter().zip(bytes.chunks_exact_mut(I::BYTES)) {
            isa.store(out, bytes);
        }
    }
}

fn integers(words: &mut [Word], of_s11: bool) {
    for word in words {
        let x = u32::from_le_bytes(*word);
        *word = if of_s11 { next(0, 0, x) } else { next(x, 0, 0) }.to_le_bytes();
    }
}

#[test]
fn equivalence_of_s1() {
    #[inline(always)]
    fn run<I: Isa>(isa: I, words: &mut [Word]) {
        each(
            isa,
            words,
            #[inline(always)]
            |isa, x| s1(isa, x),
        );
    }
    let run = |level, words: &mut [Word]| dispatch!(level, isa => run(isa, words));
    compare("SNOW 3G S1", |_| true, big(model::snow3g::s1), run);
}

#[test]
fn equivalence_of_s2() {
    #[inline(always)]
    fn run<I: Isa>(isa: I, words: &mut [Word]) {
        each(
            isa,
            words,
            #[inline(always)]
            |isa, x| s2(isa, x),
        );
    }
    let run = |level, words: &mut [Word]| dispatch!(level, isa => run(isa, words));
    compare("SNOW 3G S2", |_| true, big(model::snow3g::s2), run);
}

#[test]
fn equivalence_of_the_shift_register() {
    let run = |level, words: &mut [Word]| dispatch!(level, isa => in_lanes(isa, words, false));
    compare("SNOW 3G MULα, steps in lanes", |_| true, big(of_s0), run);
    let run = |level, words: &mut [Word]| dispatch!(level, isa => in_lanes(isa, words, true));
    compare("SNOW 3G DIVα, steps in lanes", |_| true, big(of_s11), run);
    let run = |level, words: &mut [Word]| dispatch!(level, isa => four(isa, words, false));
    compare("SNOW 3G MULα, four steps", |_| true, big(of_s0), run);
    let run = |level, words: &mut [Word]| dispatch!(level, isa => four(isa, words, true));
    compare("SNOW 3G DIVα, four steps", |_| true, big(of_s11), run);
    let portable = |level| level == Level::portable();
    compare("SNOW 3G MULα, integers", portable, big(of_s0), |_, words| integers(words, false));
    compare("SNOW 3G DIVα, integers", portable, big(of_s11), |_, words| integers(words, true));
}
