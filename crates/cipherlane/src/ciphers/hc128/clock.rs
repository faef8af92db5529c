//! Set-up and steps ("The Stream Cipher HC-128", Wu, §2.1 to §2.3).
//!
//! Steps are taken sixteen at a time, so that every place in a table but those that the
//! cipher looks up is a literal distance from the start of the sixteen. For the steps no level's
//! features are switched on: they bring little, and with wide registers the compiler makes worse
//! code. See `docs/notes/hc128.md`.

use lanes::{InOut, Level, Registers, dispatch_plain};

use super::expand;
pub(super) use super::expand::{EMPTY, State};

/// The bytes of keystream of sixteen steps.
pub(super) const BLOCK: usize = 64;

/// A table of 512 words, in rows of those that one call of the steps replaces.
type Table = [[u32; 16]; 32];

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
pub(super) fn set_up(level: Level, state: &mut State, key: &[u8; 16], iv: &[u8; 16]) {
    expand::load(state, key, iv);
    dispatch_plain!(level, isa => expand::expand(isa.narrow(), state));
    // Step 3: the outputs of 1024 steps replace the table's words.
    let (p, q, step) = parts(state);
    for row in 0..32 {
        sixteen::<true, false>(p, q.as_flattened(), row);
    }
    for row in 0..32 {
        sixteen::<true, true>(q, p.as_flattened(), row);
    }
    *step = 0;
}

/// Xors keystream into data of whole blocks.
pub(super) fn apply(state: &mut State, io: &mut InOut<'_>) {
    let (p, q, step) = parts(state);
    for offset in (0..io.len()).step_by(BLOCK) {
        let row = *step as usize / 16 % 64;
        let words = if row < 32 {
            sixteen::<false, false>(p, q.as_flattened(), row)
        } else {
            sixteen::<false, true>(q, p.as_flattened(), row)
        };
        *step = (*step + 16) % 1024;
        let mut mask = [0; BLOCK];
        for i in 0..16 {
            mask[4 * i..4 * i + 4].copy_from_slice(&words[i].to_le_bytes());
        }
        io.part(offset, BLOCK).xor(&mask);
    }
}

/// §2.3: sixteen steps on row `row` of `table`, P or (`SECOND`) Q; `other` is the other one.
#[inline(always)]
fn sixteen<const SET_UP: bool, const SECOND: bool>(
    table: &mut Table,
    other: &[u32],
    row: usize,
) -> [u32; 16] {
    let row = row % 32;
    let mut out = [0; 16];
    // A loop would not be unrolled, and each step would ask where its words are.
    macro_rules! steps {
        ($($t:literal)*) => { $(
            let (word, h) = step::<SECOND, $t>(table, other, row);
            out[$t] = word ^ h;
            // At once: of words that wait in variables for the end of the row, more are spilled.
            table[row][$t] = if SET_UP { word ^ h } else { word };
        )* };
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    out
}

/// Step `T` of a row: the new word, and the value of h that encrypts it.
#[inline(always)]
fn step<const SECOND: bool, const T: usize>(
    table: &Table,
    other: &[u32],
    row: usize,
) -> (u32, u32) {
    let back = |distance| {
        let row = if T >= distance { row } else { (row + 31) % 32 };
        table[row][(16 + T - distance) % 16]
    };
    // §2.3: the words at distances −3, −10, −12 and −511, which is +1.
    let (third, tenth, twelfth) = (back(3), back(10), back(12));
    let next = if T == 15 { table[(row + 1) % 32][0] } else { table[row][(T + 1) % 16] };
    // §2.1: g1 or g2.
    let g = if SECOND {
        (third.rotate_left(10) ^ next.rotate_left(23)).wrapping_add(tenth.rotate_left(8))
    } else {
        (third.rotate_right(10) ^ next.rotate_right(23)).wrapping_add(tenth.rotate_right(8))
    };
    // h1 or h2.
    let (low, high) = (twelfth as u8, (twelfth >> 16) as u8);
    let h = other[usize::from(low)].wrapping_add(other[256 + usize::from(high)]);
    (table[row][T].wrapping_add(g), h)
}
