//! One stream: set-up and steps ("Sosemanuk" §3 and §4).

use core::hint::black_box;

use lanes::InOut;

use super::field::{TABLES, Tables};
use super::serpent::{self, SUBKEYS};
use super::word::Single;
use crate::secret::Wipe;

/// The ten cells s(t) to s(t+9), then R1 and R2.
pub(super) type State = [u32; 12];

/// The sub-keys of Serpent24.
pub(super) type Subkeys = [u32; SUBKEYS];

/// §3.3: the multiplier of Trans.
pub(super) const MULTIPLIER: u32 = 0x5465_5307;

/// §4.1.
pub(super) fn key_setup(key: &[u32; 8], subkeys: &mut Subkeys) {
    serpent::schedule(Single, key, subkeys);
}

/// §4.2.
pub(super) fn iv_setup(subkeys: &Subkeys, iv: &[u32; 4]) -> State {
    serpent::start(Single, subkeys, iv)
}

/// Step `T` after the cells were at their places: f(t); the new cell replaces the oldest.
#[inline(always)]
fn step<const T: usize>(tables: &Tables, s: &mut [u32; 10], r: &mut [u32; 2]) -> u32 {
    let [r1, r2] = *r;
    // §3.3, mux: s(t+1), with s(t+8) if R1 is odd.
    let far = s[(T + 8) % 10] & (r1 & 1).wrapping_neg();
    let next = r2.wrapping_add(s[(T + 1) % 10] ^ far);
    *r = [next, r1.wrapping_mul(MULTIPLIER).rotate_left(7)];
    let f = s[(T + 9) % 10].wrapping_add(r[0]) ^ r[1];
    // §3.2.
    let (oldest, third) = (s[T % 10], s[(T + 3) % 10]);
    let turned = oldest.rotate_left(8);
    let by_alpha = turned ^ tables.alpha[usize::from(turned as u8)];
    let by_inverse = third >> 8 ^ tables.inverse[usize::from(third as u8)];
    s[T % 10] = s[(T + 9) % 10] ^ by_inverse ^ by_alpha;
    f
}

/// How many steps are taken before their outputs are encrypted together: four times twenty,
/// after which the cells are at their places again.
const STEPS: usize = 80;

/// The bytes of keystream of as many steps.
pub(super) const LONG: usize = 4 * STEPS;

/// What [`LONG`] bytes of keystream are made of, in order and little-endian.
pub(super) struct Taken {
    /// The f of all steps.
    pub(super) f: [u8; LONG],
    /// The cells that have left.
    pub(super) cells: [u8; LONG],
}

impl Taken {
    pub(super) const EMPTY: Self = Self { f: [0; LONG], cells: [0; LONG] };
}

impl Wipe for Taken {
    fn wipe(&mut self) {
        self.f.wipe();
        self.cells.wipe();
    }
}

/// Takes [`STEPS`] steps.
pub(super) fn take(state: &mut State, taken: &mut Taken) {
    // Hidden, so that one address serves all look-ups and is not made anew at each.
    let tables = black_box(&TABLES);
    let [s @ .., r1, r2] = *state;
    let (mut s, mut r) = (s, [r1, r2]);
    for turn in 0..STEPS / 20 {
        macro_rules! steps { ($($t:literal)*) => { $(
            let at = 80 * turn + 4 * $t;
            taken.cells[at..at + 4].copy_from_slice(&s[$t % 10].to_le_bytes());
            let f = step::<$t>(tables, &mut s, &mut r);
            taken.f[at..at + 4].copy_from_slice(&f.to_le_bytes());
        )* } }
        steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    }
    state[..10].copy_from_slice(&s);
    (state[10], state[11]) = (r[0], r[1]);
}

/// Steps `T` to `T + 3`: four words of keystream.
#[inline(always)]
fn four<const T: usize, const T1: usize, const T2: usize, const T3: usize>(
    s: &mut [u32; 10],
    r: &mut [u32; 2],
) -> [u8; 16] {
    let old = [s[T % 10], s[T1 % 10], s[T2 % 10], s[T3 % 10]];
    let tables = &TABLES;
    let f = [
        step::<T>(tables, s, r),
        step::<T1>(tables, s, r),
        step::<T2>(tables, s, r),
        step::<T3>(tables, s, r),
    ];
    let z = serpent::serpent1(Single, f);
    let mut out = [0; 16];
    for i in 0..4 {
        out[4 * i..4 * i + 4].copy_from_slice(&(z[i] ^ old[i]).to_le_bytes());
    }
    out
}

/// Xors keystream into data of whole blocks of 16 bytes.
pub(super) fn apply(state: &mut State, io: &mut InOut<'_>) {
    let [s @ .., r1, r2] = *state;
    let (mut s, mut r) = (s, [r1, r2]);
    let (len, mut offset) = (io.len(), 0);
    // After twenty steps all cells are at their places again.
    while len - offset >= 80 {
        let mut mask = [0; 80];
        mask[..16].copy_from_slice(&four::<0, 1, 2, 3>(&mut s, &mut r));
        mask[16..32].copy_from_slice(&four::<4, 5, 6, 7>(&mut s, &mut r));
        mask[32..48].copy_from_slice(&four::<8, 9, 10, 11>(&mut s, &mut r));
        mask[48..64].copy_from_slice(&four::<12, 13, 14, 15>(&mut s, &mut r));
        mask[64..].copy_from_slice(&four::<16, 17, 18, 19>(&mut s, &mut r));
        io.part(offset, 80).xor(&mask);
        offset += 80;
    }
    while offset < len {
        let mask = four::<0, 1, 2, 3>(&mut s, &mut r);
        io.part(offset, 16).xor(&mask);
        let turned = s;
        for i in 0..10 {
            s[i] = turned[(i + 4) % 10];
        }
        offset += 16;
    }
    state[..10].copy_from_slice(&s);
    (state[10], state[11]) = (r[0], r[1]);
}
