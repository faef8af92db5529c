//! Sixty-four clocks at once (Trivium Specifications §2.1): no bit is used sooner than 66
//! clocks after it was made.
//!
//! A register is kept as the 128 bits that entered it last, the earliest in the lowest bit:
//! a recent word and the one before. Stage `n` of 64 clocks is then those words shifted: the
//! stage that holds a bit is the number of clocks since it entered.

use lanes::{InOut, Isa, apart};

use crate::keystream::generator::xor_words;
use crate::keystream::transpose;

/// Recent and earlier word of the registers that start at `s_1`, `s_94` and `s_178`.
pub(super) type State = [u64; 6];

/// A row of lanes for each word of the state.
pub(super) type Many = [[u8; 64]; 6];

/// Keystream bytes of a stream at a time.
pub(super) const BLOCK: usize = 256;

/// Words of the initialisation: 4 · 288 clocks.
const WORDS: usize = 18;

/// §2.2: key and IV, and ones in the last three stages.
pub(super) fn load(key: &[u8], iv: &[u8], iv_bits: usize) -> State {
    let register = |bytes: &[u8], bits: usize| {
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        // Shifted by all 128 bits, an empty IV is 0.
        let register = u128::from_le_bytes(wide).checked_shl(128 - bits as u32).unwrap_or(0);
        [(register >> 64) as u64, register as u64]
    };
    let ([a, earlier_a], [b, earlier_b]) = (register(key, 80), register(iv, iv_bits));
    [a, earlier_a, b, earlier_b, 0, 0b111 << 17]
}

/// 64 clocks, over any words: `$sum!` and `$product!` are those of two stages of a register,
/// `$plus!` adds one to a word.
macro_rules! clocks {
    ($s:ident, $sum:ident, $product:ident, $plus:ident, $xor:ident) => {{
        let (a, b, c) = (($s[0], $s[1]), ($s[2], $s[3]), ($s[4], $s[5]));
        let t1 = $sum!(a, 66, 93);
        let t2 = $sum!(b, 69, 84);
        let t3 = $sum!(c, 66, 111);
        let z = $xor!($xor!(t1, t2), t3);
        let t1 = $plus!($xor!(t1, $product!(a, 91, 92)), b, 78);
        let t2 = $plus!($xor!(t2, $product!(b, 82, 83)), c, 87);
        let t3 = $plus!($xor!(t3, $product!(c, 109, 110)), a, 69);
        *$s = [t3, a.0, t1, b.0, t2, c.0];
        z
    }};
}

/// 64 keystream bits of one stream.
///
/// Funnel shifts have one port or are slow, shifts have several: what two words give to a
/// stage is put together with other stages or kept [`apart`], so that none of them becomes a funnel shift.
#[inline(always)]
fn word(s: &mut State) -> u64 {
    macro_rules! sum {
        ($register:expr, $m:literal, $n:literal) => {
            ($register.0 << ($m - 64) ^ $register.0 << ($n - 64))
                ^ ($register.1 >> (128 - $m) ^ $register.1 >> (128 - $n))
        };
    }
    macro_rules! product {
        ($register:expr, $m:literal, $n:literal) => {{
            let x = $register.0 << ($m - 64) | apart($register.1 >> (128 - $m));
            x & ($register.0 << ($n - 64) | apart($register.1 >> (128 - $n)))
        }};
    }
    macro_rules! plus {
        ($x:expr, $register:expr, $n:literal) => {
            ($x ^ $register.0 << ($n - 64)) ^ apart($register.1 >> (128 - $n))
        };
    }
    macro_rules! xor {
        ($x:expr, $y:expr) => {
            ($x) ^ ($y)
        };
    }
    clocks!(s, sum, product, plus, xor)
}

/// 64 keystream bits of every stream.
#[inline(always)]
fn words<I: Isa>(isa: I, s: &mut [I::V; 6]) -> I::V {
    macro_rules! shifted {
        ($register:expr, $n:literal) => {
            isa.or(isa.shl64::<{ $n - 64 }>($register.0), isa.shr64::<{ 128 - $n }>($register.1))
        };
    }
    macro_rules! sum {
        ($register:expr, $m:literal, $n:literal) => {
            isa.xor(shifted!($register, $m), shifted!($register, $n))
        };
    }
    macro_rules! product {
        ($register:expr, $m:literal, $n:literal) => {
            isa.and(shifted!($register, $m), shifted!($register, $n))
        };
    }
    macro_rules! plus {
        ($x:expr, $register:expr, $n:literal) => {
            isa.xor($x, shifted!($register, $n))
        };
    }
    macro_rules! xor {
        ($x:expr, $y:expr) => {
            isa.xor($x, $y)
        };
    }
    clocks!(s, sum, product, plus, xor)
}

/// One stream is a chain of words: the instructions of no level make it faster, and those of the
/// highest are taken to pairs of its words, which is slower.
pub(super) fn initialise(state: &mut State) {
    let mut s = *state;
    for _ in 0..WORDS {
        word(&mut s);
    }
    *state = s;
}

pub(super) fn apply(state: &mut State, io: &mut InOut<'_>, rest: &mut [u8; 16]) -> usize {
    let mut s = *state;
    let left = xor_words(
        io,
        rest,
        #[inline(always)]
        || word(&mut s).to_le_bytes(),
    );
    *state = s;
    left
}

/// Streams side by side; where registers are made of integers, lanes are no gain.
#[inline(always)]
pub(super) fn lanes<I: Isa>(_: I) -> usize {
    if const { I::LANES_NATIVE } { I::BYTES / 8 } else { 1 }
}

pub(super) fn put(many: &mut Many, lane: usize, state: &State) {
    for (row, word) in many.iter_mut().zip(state) {
        row[8 * lane..8 * lane + 8].copy_from_slice(&word.to_le_bytes());
    }
}

pub(super) fn take(many: &Many, lane: usize) -> State {
    let mut state = [0; 6];
    for (word, row) in state.iter_mut().zip(many) {
        *word = u64::from_le_bytes(row.as_chunks().0[lane]);
    }
    state
}

#[inline(always)]
fn resume<I: Isa>(isa: I, many: &Many) -> [I::V; 6] {
    let mut s = [isa.zero(); 6];
    for i in 0..6 {
        s[i] = isa.load(&many[i]);
    }
    s
}

#[inline(always)]
fn keep<I: Isa>(isa: I, s: &[I::V; 6], many: &mut Many) {
    for i in 0..6 {
        isa.store(s[i], &mut many[i]);
    }
}

#[inline(always)]
pub(super) fn initialise_many<I: Isa>(isa: I, many: &mut Many) {
    let mut s = resume(isa, many);
    for _ in 0..WORDS {
        words(isa, &mut s);
    }
    keep(isa, &s, many);
}

#[inline(always)]
pub(super) fn generate<I: Isa>(isa: I, many: &mut Many, out: &mut [u8], len: usize) {
    let mut s = resume(isa, many);
    for offset in (0..len.min(BLOCK)).step_by(64) {
        let mut made = [isa.zero(); 8];
        for i in 0..8 {
            made[i] = words(isa, &mut s);
        }
        transpose::words64(isa, &made, &mut out[offset..], BLOCK);
    }
    keep(isa, &s, many);
}
