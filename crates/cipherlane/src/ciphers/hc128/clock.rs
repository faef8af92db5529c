//! Set-up and steps ("The Stream Cipher HC-128", Wu, §2.1 to §2.3).
//!
//! Steps are taken sixteen at a time, so that every place in a table but those that the
//! cipher looks up is a literal distance from the start of the sixteen: the words next to
//! each other stay in registers. No level's features are switched on: they bring nothing, and
//! with wide registers the compiler makes worse code. See `docs/notes/hc128.md`.

use lanes::InOut;

use crate::secret::Secret;

/// The bytes of keystream of sixteen steps.
pub(super) const BLOCK: usize = 64;

/// A table of 512 words, in rows of those that one call of the steps replaces.
type Table = [[u32; 16]; 32];

/// P, Q and the step of 1024, a multiple of sixteen: worked on where a caller keeps them, because copies
/// of 4 KiB take some CPUs long (docs/notes/hc128.md).
pub(super) type State = [u32; 1025];

/// The state before anything is in it.
pub(super) const EMPTY: State = [0; 1025];

/// P, Q and the step.
#[inline(always)]
fn parts(state: &mut State) -> (&mut Table, &mut Table, &mut u32) {
    let (rows, step) = state.as_chunks_mut::<16>();
    let (p, q) = rows.split_at_mut(32);
    let (Some(p), Some(q), [step]) = (p.first_chunk_mut(), q.first_chunk_mut(), step) else {
        unreachable!("64 rows of sixteen words, and one word");
    };
    (p, q, step)
}

/// §2.2, in place.
pub(super) fn set_up(state: &mut State, key: &[u8; 16], iv: &[u8; 16]) {
    // Step 1: key and IV twice each, then what follows from them, of which W256 to W767 are P and
    // W768 to W1279 are Q (step 2). W0 to W271 are made apart.
    let mut w = Secret([0_u32; 272]);
    for i in 0..16 {
        let bytes = if i < 8 { key } else { iv };
        w.0[i] = u32::from_le_bytes(bytes.as_chunks().0[i % 4]);
    }
    expand(&mut w.0, 0);
    state[..16].copy_from_slice(&w.0[256..]);
    expand(&mut state[..1024], 256);
    // Step 3: the outputs of 1024 steps replace the table's words.
    state[1024] = 0;
    for _ in 0..64 {
        sixteen::<true>(state);
    }
}

/// The expansion behind the first sixteen of `words`, which are those from W`first` on.
#[inline(always)]
fn expand(words: &mut [u32], first: u32) {
    for start in (16..words.len()).step_by(8) {
        let (known, new) = words.split_at_mut(start);
        let (Some(last), Some(new)) = (known.last_chunk(), new.first_chunk_mut()) else { break };
        eight(last, first + start as u32, new);
    }
}

/// The next eight words, from `number` on, behind the last sixteen.
#[inline(always)]
fn eight(last: &[u32; 16], number: u32, new: &mut [u32; 8]) {
    // What needs only words before these eight, apart: nothing in it waits.
    let mut early = [0; 8];
    for t in 0..8 {
        let sum = f1(last[t + 1]).wrapping_add(last[t]);
        early[t] = sum.wrapping_add(number + t as u32);
    }
    for t in 0..7 {
        early[t] = early[t].wrapping_add(last[t + 9]);
    }
    let mut pair = [last[14], last[15]];
    for t in 0..8 {
        let early = if t == 7 { early[7].wrapping_add(new[0]) } else { early[t] };
        new[t] = f2(pair[t % 2]).wrapping_add(early);
        pair[t % 2] = new[t];
    }
}

/// §2.3: sixteen steps.
#[inline(always)]
fn sixteen<const SET_UP: bool>(state: &mut State) -> [u32; 16] {
    let (p, q, step) = parts(state);
    let row = *step as usize / 16 % 64;
    let out = if row < 32 {
        steps::<SET_UP, false>(p, q.as_flattened(), row)
    } else {
        steps::<SET_UP, true>(q, p.as_flattened(), row)
    };
    *step = (*step + 16) % 1024;
    out
}

/// Xors keystream into data of whole blocks.
pub(super) fn apply(state: &mut State, io: &mut InOut<'_>) {
    for offset in (0..io.len()).step_by(BLOCK) {
        let words = sixteen::<false>(state);
        let mut mask = [0; BLOCK];
        for i in 0..16 {
            mask[4 * i..4 * i + 4].copy_from_slice(&words[i].to_le_bytes());
        }
        io.part(offset, BLOCK).xor(&mask);
    }
}

/// Sixteen steps on row `row` of `table`, P or (`SECOND`) Q; `other` is the other one.
#[inline(always)]
fn steps<const SET_UP: bool, const SECOND: bool>(
    table: &mut Table,
    other: &[u32],
    row: usize,
) -> [u32; 16] {
    let row = row % 32;
    let mut now = Window {
        before: table[(row + 31) % 32],
        words: table[row],
        after: table[(row + 1) % 32][0],
    };
    let mut out = [0; 16];
    // A loop would not be unrolled, and each step would ask where its words are.
    macro_rules! steps {
        ($($t:literal)*) => { $(
            let (word, h) = now.step::<SECOND, $t>(other);
            now.words[$t] = if SET_UP { word ^ h } else { word };
            out[$t] = word ^ h;
        )* };
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    table[row] = now.words;
    out
}

/// The sixteen words that are replaced, those before, and the one behind.
struct Window {
    before: [u32; 16],
    words: [u32; 16],
    after: u32,
}

impl Window {
    /// The word `DISTANCE` before word `T`.
    #[inline(always)]
    fn back<const T: usize, const DISTANCE: usize>(&self) -> u32 {
        if T >= DISTANCE {
            self.words[(16 + T - DISTANCE) % 16]
        } else {
            self.before[(16 + T - DISTANCE) % 16]
        }
    }

    /// Step `T`: the new word, and the value of h that encrypts it.
    #[inline(always)]
    fn step<const SECOND: bool, const T: usize>(&self, other: &[u32]) -> (u32, u32) {
        // §2.3: the words at distances −3, −10, −12 and −511, which is +1.
        let (third, tenth) = (self.back::<T, 3>(), self.back::<T, 10>());
        let twelfth = self.back::<T, 12>();
        let next = if T == 15 { self.after } else { self.words[(T + 1) % 16] };
        // §2.1: g1 or g2.
        let g = if SECOND {
            (third.rotate_left(10) ^ next.rotate_left(23)).wrapping_add(tenth.rotate_left(8))
        } else {
            (third.rotate_right(10) ^ next.rotate_right(23)).wrapping_add(tenth.rotate_right(8))
        };
        // h1 or h2.
        let (low, high) = (twelfth as u8, (twelfth >> 16) as u8);
        let h = other[usize::from(low)].wrapping_add(other[256 + usize::from(high)]);
        (self.words[T].wrapping_add(g), h)
    }
}

/// §2.1.
#[inline(always)]
fn f1(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3
}

/// §2.1.
#[inline(always)]
fn f2(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ x >> 10
}
