//! Grain v1, 16 clocks at once: the furthest tap is bit 64 of 80, so a bit is used no sooner
//! than 16 clocks after it was made.

use lanes::{InOut, Isa};

use super::words::{Many16, One16, Words};
use crate::keystream::generator::xor_words;
use crate::keystream::passes::Passes;
use crate::keystream::transpose;

/// Five words of the LFSR, then five of the NFSR, of 16 bits each.
pub(super) type State = [u32; 10];

/// A row of lanes for each word of the state.
pub(super) type Many = [[u8; 64]; 10];

/// Keystream bytes of a stream at a time.
pub(super) const BLOCK: usize = 256;

/// A tap is one shift at every level, so that shorter registers lack little.
pub(super) const PASSES: Passes = Passes { full: 20, in_halves: 20, half: 15, alone: 11 };

/// Words of the initialisation: 160 clocks.
const WORDS: usize = 10;

/// Key and IV, and ones in the LFSR behind the IV.
pub(super) fn load(key: &[u8], iv: &[u8]) -> State {
    let mut state = [0xffff; 10];
    for (word, bytes) in state.iter_mut().zip(iv.as_chunks().0) {
        *word = u16::from_le_bytes(*bytes).into();
    }
    for (word, bytes) in state[5..].iter_mut().zip(key.as_chunks().0) {
        *word = u16::from_le_bytes(*bytes).into();
    }
    state
}

/// The next 16 keystream bits; in the initialisation they are fed back.
#[inline(always)]
fn clocks<M: Words, const FEED_BACK: bool>(m: M, state: &mut [M::Word; 10]) -> M::Word {
    let (mut windows_s, mut windows_b) =
        ([m.window(state[4], state[4]); 5], [m.window(state[9], state[9]); 5]);
    for i in 0..4 {
        windows_s[i] = m.window(state[i], state[i + 1]);
        windows_b[i] = m.window(state[i + 5], state[i + 6]);
    }
    macro_rules! s {
        ($n:literal) => {
            m.tap::<{ $n % 16 }, { (16 - $n % 16) % 16 }>(windows_s[$n / 16])
        };
    }
    macro_rules! b {
        ($n:literal) => {
            m.tap::<{ $n % 16 }, { (16 - $n % 16) % 16 }>(windows_b[$n / 16])
        };
    }
    macro_rules! xor {
        ($first:expr $(, $more:expr)*) => {{
            let sum = $first;
            $(let sum = m.xor(sum, $more);)*
            sum
        }};
    }
    macro_rules! and {
        ($first:expr $(, $more:expr)*) => {{
            let product = $first;
            $(let product = m.and(product, $more);)*
            product
        }};
    }
    let (x0, x1, x2, x3, x4) = (s!(3), s!(25), s!(46), s!(64), b!(63));
    // h of section 2, with x3 taken out of five of its terms and x2 out of three more.
    let in_x3 = xor!(x0, x2, x4, and!(x2, xor!(x0, x4)));
    let in_x2 = xor!(and!(x0, xor!(x1, x4)), and!(x1, x4));
    let h = xor!(x1, x4, and!(x3, in_x3), and!(x2, in_x2));
    let z = xor!(h, b!(1), b!(2), b!(4), b!(10), b!(31), b!(43), b!(56));

    let f = xor!(s!(62), s!(51), s!(38), s!(23), s!(13), s!(0));
    let (b9, b15, b21, b28, b33) = (b!(9), b!(15), b!(21), b!(28), b!(33));
    let (b37, b45, b52, b60, b63) = (b!(37), b!(45), b!(52), b!(60), b!(63));
    let linear = xor!(s!(0), b!(62), b60, b52, b45, b37, b33, b28, b21, b!(14), b9, b!(0));
    let (b63b60, b52b45, b37b33) = (and!(b63, b60), and!(b52, b45), and!(b37, b33));
    let (b33b28, b28b21, b15b9) = (and!(b33, b28), and!(b28, b21), and!(b15, b9));
    let g = xor!(
        linear,
        b63b60,
        b37b33,
        b15b9,
        and!(b60, b52b45),
        and!(b33b28, b21),
        and!(b63, b45, b28, b9),
        and!(b60, b52, b37b33),
        and!(b63b60, b21, b15),
        and!(b63b60, b52b45, b37),
        and!(b33, b28b21, b15b9),
        and!(b52b45, b37b33, b28b21)
    );
    let (s80, b80) = if FEED_BACK { (xor!(f, z), xor!(g, z)) } else { (f, g) };
    for i in 0..4 {
        state[i] = state[i + 1];
        state[i + 5] = state[i + 6];
    }
    state[4] = m.clean(s80);
    state[9] = m.clean(b80);
    m.clean(z)
}

pub(super) fn initialise(state: &mut State) {
    for _ in 0..WORDS {
        clocks::<_, true>(One16, state);
    }
}

pub(super) fn apply(state: &mut State, io: &mut InOut<'_>, rest: &mut [u8; 16]) -> usize {
    let mut s = *state;
    let left = xor_words(
        io,
        rest,
        #[inline(always)]
        || (clocks::<_, false>(One16, &mut s) as u16).to_le_bytes(),
    );
    *state = s;
    left
}

#[inline(always)]
fn resume<I: Isa>(isa: I, many: &Many) -> [I::V; 10] {
    let mut s = [isa.zero(); 10];
    for i in 0..10 {
        s[i] = isa.load(&many[i]);
    }
    s
}

#[inline(always)]
fn keep<I: Isa>(isa: I, s: &[I::V; 10], many: &mut Many) {
    for i in 0..10 {
        isa.store(s[i], &mut many[i]);
    }
}

#[inline(always)]
pub(super) fn initialise_many<I: Isa>(isa: I, many: &mut Many) {
    let mut s = resume(isa, many);
    for _ in 0..WORDS {
        clocks::<_, true>(Many16(isa), &mut s);
    }
    keep(isa, &s, many);
}

#[inline(always)]
pub(super) fn generate<I: Isa>(isa: I, many: &mut Many, out: &mut [u8], len: usize) {
    let mut s = resume(isa, many);
    for offset in (0..len.min(BLOCK)).step_by(64) {
        let mut made = [isa.zero(); 16];
        for i in 0..16 {
            let low = clocks::<_, false>(Many16(isa), &mut s);
            let high = clocks::<_, false>(Many16(isa), &mut s);
            made[i] = isa.or(low, isa.shl32::<16>(high));
        }
        transpose::words32(isa, &made, &mut out[offset..], BLOCK);
    }
    keep(isa, &s, many);
}
