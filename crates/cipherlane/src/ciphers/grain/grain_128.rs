//! Grain-128, 32 clocks at once: the furthest tap is bit 96 of 128, so a bit is used no
//! sooner than 32 clocks after it was made.

use lanes::{InOut, Isa};

use super::words::{Many32, One32, Words};
use crate::keystream::generator::xor_words;
use crate::keystream::passes::Passes;
use crate::keystream::transpose;

/// Four words of the LFSR, then four of the NFSR, of 32 bits each.
pub(super) type State = [u32; 8];

/// A row of lanes for each word of the state.
pub(super) type Many = [[u8; 64]; 8];

/// Keystream bytes of a stream at a time.
pub(super) const BLOCK: usize = 256;

/// A tap is a funnel shift, which shorter registers lack.
pub(super) const PASSES: Passes = Passes { full: 20, in_halves: 20, half: 21, alone: 15 };

/// Words of the initialisation: 256 clocks.
const WORDS: usize = 8;

/// Key and IV, and ones in the LFSR behind the IV.
pub(super) fn load(key: &[u8], iv: &[u8]) -> State {
    let mut state = [u32::MAX; 8];
    for (word, bytes) in state.iter_mut().zip(iv.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    for (word, bytes) in state[4..].iter_mut().zip(key.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    state
}

/// The next 32 bits of output; in the initialisation they are fed back. Of Grain-128, or of
/// Grain-128AEADv2 (§2.1): that has s94 where this has s95, and three more products.
#[inline(always)]
pub(super) fn clocks<M: Words, const FEED_BACK: bool, const V2: bool>(
    m: M,
    state: &mut [M::Word; 8],
) -> M::Word {
    let (mut windows_s, mut windows_b) =
        ([m.window(state[3], state[3]); 4], [m.window(state[7], state[7]); 4]);
    for i in 0..3 {
        windows_s[i] = m.window(state[i], state[i + 1]);
        windows_b[i] = m.window(state[i + 4], state[i + 5]);
    }
    macro_rules! s {
        ($n:literal) => {
            m.tap::<{ $n % 32 }, { (32 - $n % 32) % 32 }>(windows_s[$n / 32])
        };
    }
    macro_rules! b {
        ($n:literal) => {
            m.tap::<{ $n % 32 }, { (32 - $n % 32) % 32 }>(windows_b[$n / 32])
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
        ($a:expr, $b:expr) => {
            m.and($a, $b)
        };
    }
    let (b12, b95) = (b!(12), b!(95));
    // h, with x4 = b95 taken out of two of its terms.
    let h = xor!(
        and!(b12, s!(8)),
        and!(s!(13), s!(20)),
        and!(s!(60), s!(79)),
        and!(b95, xor!(s!(42), and!(b12, if V2 { s!(94) } else { s!(95) })))
    );
    let linear = xor!(b!(2), b!(15), b!(36), b!(45), b!(64), b!(73), b!(89), s!(93));
    let z = xor!(h, linear);

    let f = xor!(s!(0), s!(7), s!(38), s!(70), s!(81), s!(96));
    let linear = xor!(s!(0), b!(0), b!(26), b!(56), b!(91), b!(96));
    let g = xor!(
        xor!(linear, and!(b!(3), b!(67)), and!(b!(11), b!(13)), and!(b!(17), b!(18))),
        xor!(and!(b!(27), b!(59)), and!(b!(40), b!(48))),
        xor!(and!(b!(61), b!(65)), and!(b!(68), b!(84)))
    );
    let g = if V2 {
        xor!(
            xor!(g, and!(and!(b!(22), b!(24)), b!(25)), and!(and!(b!(70), b!(78)), b!(82))),
            and!(and!(b!(88), b!(92)), and!(b!(93), b95))
        )
    } else {
        g
    };
    let (s128, b128) = if FEED_BACK { (xor!(f, z), xor!(g, z)) } else { (f, g) };
    for i in 0..3 {
        state[i] = state[i + 1];
        state[i + 4] = state[i + 5];
    }
    state[3] = m.clean(s128);
    state[7] = m.clean(b128);
    z
}

#[inline(always)]
pub(super) fn widen(state: &State) -> [u64; 8] {
    let mut wide = [0; 8];
    for i in 0..8 {
        wide[i] = state[i].into();
    }
    wide
}

#[inline(always)]
pub(super) fn narrow(wide: &[u64; 8]) -> State {
    let mut state = [0; 8];
    for i in 0..8 {
        state[i] = wide[i] as u32;
    }
    state
}

pub(super) fn initialise(state: &mut State) {
    let mut s = widen(state);
    for _ in 0..WORDS {
        clocks::<_, true, false>(One32, &mut s);
    }
    *state = narrow(&s);
}

pub(super) fn apply(state: &mut State, io: &mut InOut<'_>, rest: &mut [u8; 16]) -> usize {
    let mut s = widen(state);
    let left = xor_words(
        io,
        rest,
        #[inline(always)]
        || (clocks::<_, false, false>(One32, &mut s) as u32).to_le_bytes(),
    );
    *state = narrow(&s);
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
        clocks::<_, true, false>(Many32(isa), &mut s);
    }
    keep(isa, &s, many);
}

#[inline(always)]
pub(super) fn generate<I: Isa>(isa: I, many: &mut Many, out: &mut [u8], len: usize) {
    let mut s = resume(isa, many);
    for offset in (0..len.min(BLOCK)).step_by(64) {
        let mut made = [isa.zero(); 16];
        for i in 0..16 {
            made[i] = clocks::<_, false, false>(Many32(isa), &mut s);
        }
        transpose::words32(isa, &made, &mut out[offset..], BLOCK);
    }
    keep(isa, &s, many);
}
