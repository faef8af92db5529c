//! Set-up and steps ("The Stream Cipher HC-128", Wu, §2.1 to §2.3).
//!
//! Steps are taken sixteen at a time, so that every place in a table but those that the
//! cipher looks up is a literal distance from the start of the sixteen: the words next to
//! each other stay in registers. See `docs/notes/hc128.md`.

use lanes::InOut;

use crate::secret::Wipe;

/// The bytes of keystream of sixteen steps.
pub(super) const BLOCK: usize = 64;

/// A table of 512 words, in rows of those that one call of the steps replaces.
type Table = [[u32; 16]; 32];

/// P, Q and where in 1024 steps the next sixteen are, counted in sixteens.
#[derive(Clone)]
pub(super) struct State {
    p: Table,
    q: Table,
    row: usize,
}

impl Wipe for State {
    fn wipe(&mut self) {
        lanes::wipe::wipe(&mut self.p);
        lanes::wipe::wipe(&mut self.q);
    }
}

impl State {
    pub(super) const EMPTY: Self = Self { p: [[0; 16]; 32], q: [[0; 16]; 32], row: 0 };

    /// §2.2, in place.
    #[inline(always)]
    pub(super) fn set_up(&mut self, key: &[u8; 16], iv: &[u8; 16]) {
        // Step 1: the words W0 to W15 hold key and IV twice each, and of those that follow
        // only 16 are needed at a time. W256 to W767 become P, W768 to W1279 become Q.
        let mut w = [0; 16];
        for i in 0..16 {
            let bytes = if i < 8 { key } else { iv };
            w[i] = u32::from_le_bytes(bytes.as_chunks().0[i % 4]);
        }
        let mut number = 16;
        for row in 1..16 + 64 {
            // What needs only words of the sixteen before, apart: nothing in it waits.
            let mut early = [0; 16];
            for t in 0..15 {
                let sum = f1(w[t + 1]).wrapping_add(w[t]);
                early[t] = sum.wrapping_add(number + t as u32);
            }
            let last = w[15].wrapping_add(number + 15);
            for t in 0..16 {
                if t == 15 {
                    early[15] = last.wrapping_add(f1(w[0]));
                }
                let early = early[t].wrapping_add(w[(t + 9) % 16]);
                w[t] = f2(w[(t + 14) % 16]).wrapping_add(early);
            }
            number += 16;
            match row {
                16..48 => self.p[row - 16] = w,
                48.. => self.q[row - 48] = w,
                _ => {}
            }
        }
        // Step 3: the outputs of 1024 steps replace the table's words.
        self.row = 0;
        for _ in 0..64 {
            self.sixteen::<true>();
        }
    }

    /// §2.3: sixteen steps.
    #[inline(always)]
    fn sixteen<const SET_UP: bool>(&mut self) -> [u32; 16] {
        let row = self.row % 32;
        let out = if self.row < 32 {
            steps::<SET_UP, false>(&mut self.p, self.q.as_flattened(), row)
        } else {
            steps::<SET_UP, true>(&mut self.q, self.p.as_flattened(), row)
        };
        self.row = (self.row + 1) % 64;
        out
    }

    /// Xors keystream into data of whole blocks.
    #[inline(always)]
    pub(super) fn apply(&mut self, io: &mut InOut<'_>) {
        for offset in (0..io.len()).step_by(BLOCK) {
            let words = self.sixteen::<false>();
            let mut mask = [0; BLOCK];
            for i in 0..16 {
                mask[4 * i..4 * i + 4].copy_from_slice(&words[i].to_le_bytes());
            }
            io.part(offset, BLOCK).xor(&mask);
        }
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
    let before = table[(row + 31) % 32];
    let after = table[(row + 1) % 32][0];
    let mut now = table[row];
    let mut out = [0; 16];
    for t in 0..16 {
        // The words at distances −3, −10, −12 and −511, which is +1.
        let back = |distance: usize, now: &[u32; 16]| {
            if t >= distance { now[t - distance] } else { before[16 + t - distance] }
        };
        let (third, tenth, twelfth) = (back(3, &now), back(10, &now), back(12, &now));
        let next = if t == 15 { after } else { now[t + 1] };
        // §2.1: g1 or g2.
        let g = if SECOND {
            (third.rotate_left(10) ^ next.rotate_left(23)).wrapping_add(tenth.rotate_left(8))
        } else {
            (third.rotate_right(10) ^ next.rotate_right(23)).wrapping_add(tenth.rotate_right(8))
        };
        // h1 or h2.
        let (low, high) = (twelfth as u8, (twelfth >> 16) as u8);
        let h = other[usize::from(low)].wrapping_add(other[256 + usize::from(high)]);
        let word = now[t].wrapping_add(g);
        now[t] = if SET_UP { word ^ h } else { word };
        out[t] = word ^ h;
    }
    table[row] = now;
    out
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
