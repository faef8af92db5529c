//! Serpent24, from which a state starts ("Sosemanuk", Berbain et al., 2005, §2.2 and §4).

use super::sboxes::substitute;
use super::word::Word;

/// The sub-keys of 24 rounds and the one after them, a word after another.
pub(super) const SUBKEYS: usize = 100;

/// The fractional part of the golden ratio ("Serpent" §4).
const PHI: u32 = 0x9e37_79b9;

/// The key schedule ("Serpent" §4), from the eight words of a padded key.
#[inline(always)]
pub(super) fn schedule<W: Word>(w: W, key: &[W::V; 8], subkeys: &mut [W::V; SUBKEYS]) {
    let mut last = *key;
    // Eight sub-keys use all S-boxes once: S3, S2, S1, S0, S7, …
    for turn in 0..3 {
        let at = 32 * turn;
        four::<W, 3>(w, &mut last, subkeys, at);
        four::<W, 2>(w, &mut last, subkeys, at + 4);
        four::<W, 1>(w, &mut last, subkeys, at + 8);
        four::<W, 0>(w, &mut last, subkeys, at + 12);
        four::<W, 7>(w, &mut last, subkeys, at + 16);
        four::<W, 6>(w, &mut last, subkeys, at + 20);
        four::<W, 5>(w, &mut last, subkeys, at + 24);
        four::<W, 4>(w, &mut last, subkeys, at + 28);
    }
    four::<W, 3>(w, &mut last, subkeys, 96);
}

/// The sub-key at word `at`; `last` are the eight prekeys before it.
#[inline(always)]
fn four<W: Word, const SBOX: usize>(
    w: W,
    last: &mut [W::V; 8],
    subkeys: &mut [W::V; SUBKEYS],
    at: usize,
) {
    let mut prekeys = [last[4], last[5], last[6], last[7]];
    for i in 0..4 {
        let at_5 = last[i + 3];
        let at_3 = if i < 3 { last[i + 5] } else { prekeys[0] };
        let at_1 = if i == 0 { last[7] } else { prekeys[i - 1] };
        let number = w.splat(PHI ^ (at + i) as u32);
        let sum = w.xor(w.xor(last[i], at_5), w.xor(w.xor(at_3, at_1), number));
        prekeys[i] = w.rol::<11>(sum);
    }
    let key = substitute::<W, SBOX>(w, prekeys);
    for i in 0..4 {
        subkeys[at + i] = key[i];
        last[i] = last[i + 4];
        last[i + 4] = prekeys[i];
    }
}

/// §4: the ten cells, R1 and R2, from sub-keys and the four words of an IV.
#[inline(always)]
pub(super) fn start<W: Word>(w: W, subkeys: &[W::V; SUBKEYS], iv: &[W::V; 4]) -> [W::V; 12] {
    let mut y = *iv;
    let mut state = [w.splat(0); 12];
    for turn in 0..3 {
        let at = 32 * turn;
        y = round::<W, 0>(w, subkeys, at, y);
        y = round::<W, 1>(w, subkeys, at + 4, y);
        if turn == 2 {
            // Y¹⁸: s5, s6, R1, R2.
            [state[10], state[4], state[11], state[5]] = y;
        }
        y = round::<W, 2>(w, subkeys, at + 8, y);
        y = round::<W, 3>(w, subkeys, at + 12, y);
        if turn == 1 {
            // Y¹²: s7 to s10.
            [state[9], state[8], state[7], state[6]] = y;
        }
        y = round::<W, 4>(w, subkeys, at + 16, y);
        y = round::<W, 5>(w, subkeys, at + 20, y);
        y = round::<W, 6>(w, subkeys, at + 24, y);
        y = round::<W, 7>(w, subkeys, at + 28, y);
    }
    // Y²⁴: s1 to s4.
    for i in 0..4 {
        state[3 - i] = w.xor(y[i], subkeys[96 + i]);
    }
    state
}

/// A round with its linear transformation ("Serpent" §3).
#[inline(always)]
fn round<W: Word, const SBOX: usize>(
    w: W,
    subkeys: &[W::V; SUBKEYS],
    at: usize,
    mut x: [W::V; 4],
) -> [W::V; 4] {
    for i in 0..4 {
        x[i] = w.xor(x[i], subkeys[at + i]);
    }
    let [a, b, c, d] = substitute::<W, SBOX>(w, x);
    let (a, c) = (w.rol::<13>(a), w.rol::<3>(c));
    let (b, d) = (w.xor(b, w.xor(a, c)), w.xor(d, w.xor(c, w.shl::<3>(a))));
    let (b, d) = (w.rol::<1>(b), w.rol::<7>(d));
    let (a, c) = (w.xor(a, w.xor(b, d)), w.xor(c, w.xor(d, w.shl::<7>(b))));
    [w.rol::<5>(a), b, w.rol::<22>(c), d]
}

/// One application of S2, as it encrypts the output of four steps (§2.2: Serpent1).
#[inline(always)]
pub(super) fn serpent1<W: Word>(w: W, x: [W::V; 4]) -> [W::V; 4] {
    substitute::<W, 2>(w, x)
}
