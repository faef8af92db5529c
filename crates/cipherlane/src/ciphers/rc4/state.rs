//! The permutation: key schedule and keystream, of one stream and of several in turn.

use core::hint::select_unpredictable;

use lanes::InOut;

use crate::secret::Wipe;

/// The permutation and the two indices.
#[derive(Clone)]
pub(super) struct State {
    s: [u8; 256],
    i: u8,
    j: u8,
}

impl Wipe for State {
    fn wipe(&mut self) {
        lanes::wipe::wipe(&mut self.s);
        lanes::wipe::wipe(&mut self.j);
        self.i = 0;
    }
}

/// The permutation that the key schedule starts from.
const IDENTITY: [u8; 256] = {
    let mut s = [0; 256];
    let mut i = 0;
    while i < 256 {
        s[i] = i as u8;
        i += 1;
    }
    s
};

impl State {
    pub(super) const EMPTY: Self = Self { s: [0; 256], i: 0, j: 0 };

    /// The key schedule of one stream.
    ///
    /// Eight bytes of the permutation are read before the eight steps that start with them, and
    /// what a step writes into the eight is put in by comparison. So no step waits for a load
    /// that may hit the store of the step before, and the chain is a comparison, a choice and an
    /// addition.
    pub(super) fn set_up(&mut self, key: &Repeated) {
        const AHEAD: usize = 8;
        self.s = IDENTITY;
        (self.i, self.j) = (0, 0);
        let s = &mut self.s;
        // Bytes stand in the highest place of a word, where addition is modulo 256 by itself.
        let mut j = 0_u32;
        for first in (0..256).step_by(AHEAD) {
            let mut x = [0_u32; AHEAD];
            for k in 0..AHEAD {
                x[k] = u32::from(s[first + k]) << 24;
            }
            for k in 0..AHEAD {
                j = j.wrapping_add(u32::from(key[first + k]) << 24).wrapping_add(x[k]);
                let at = (j >> 24) as usize;
                s[first + k] = s[at];
                s[at] = (x[k] >> 24) as u8;
                for m in k + 1..AHEAD {
                    let written = j == ((first + m) as u32) << 24;
                    x[m] = select_unpredictable(written, x[k], x[m]);
                }
            }
        }
    }

    /// Xors keystream into data.
    pub(super) fn apply(&mut self, io: InOut<'_>) {
        apply([self], [io]);
    }

    /// Goes on without giving out keystream.
    pub(super) fn skip(&mut self, bytes: usize) {
        let (mut i, mut j) = (self.i, self.j);
        for _ in 0..bytes {
            next(&mut self.s, &mut i, &mut j);
        }
        (self.i, self.j) = (i, j);
    }
}

/// The next byte of keystream. The indices are the caller's own: beside the permutation they
/// would go through memory at each step.
#[inline(always)]
fn next(s: &mut [u8; 256], i: &mut u8, j: &mut u8) -> u8 {
    *i = i.wrapping_add(1);
    let x = s[usize::from(*i)];
    *j = j.wrapping_add(x);
    let y = s[usize::from(*j)];
    s[usize::from(*i)] = y;
    s[usize::from(*j)] = x;
    s[usize::from(x.wrapping_add(y))]
}

/// A key repeated to as many bytes as the key schedule has steps, which takes the division out
/// of its loop.
pub(super) type Repeated = [u8; 256];

/// Repeats a key of 1 to 256 bytes.
#[inline]
pub(super) fn repeat(key: &[u8], repeated: &mut Repeated) {
    let mut done = key.len();
    repeated[..done].copy_from_slice(key);
    while done < 256 {
        let more = done.min(256 - done);
        repeated.copy_within(..more, done);
        done += more;
    }
}

/// The key schedules of several streams, a step of each in turn.
#[inline]
pub(super) fn set_up<const N: usize>(states: [&mut State; N], keys: &[Repeated; N]) {
    for k in 0..N {
        states[k].s = IDENTITY;
        (states[k].i, states[k].j) = (0, 0);
    }
    // Not the states' own, which would go through memory at each step.
    let mut j = [0_u8; N];
    for i in 0..256 {
        for k in 0..N {
            let s = &mut states[k].s;
            let x = s[i];
            // `x` comes last: it may have to wait for the step before.
            j[k] = j[k].wrapping_add(keys[k][i]).wrapping_add(x);
            s[i] = s[usize::from(j[k])];
            s[usize::from(j[k])] = x;
        }
    }
}

/// Xors keystream into as many pieces of data, of equal lengths, as there are streams, a
/// byte of each in turn: the chain of one stream fills the gaps of the others'.
#[inline]
pub(super) fn apply<const N: usize>(states: [&mut State; N], mut pieces: [InOut<'_>; N]) {
    let len = pieces[0].len();
    let whole = len / 8 * 8;
    let (mut i, mut j) = ([0; N], [0; N]);
    for k in 0..N {
        (i[k], j[k]) = (states[k].i, states[k].j);
    }
    for offset in (0..whole).step_by(8) {
        // In a word: eight bytes stored one by one and loaded as one would wait for each other.
        let mut masks = [0_u64; N];
        for shift in (0..64).step_by(8) {
            for k in 0..N {
                let mask = next(&mut states[k].s, &mut i[k], &mut j[k]);
                masks[k] |= u64::from(mask) << shift;
            }
        }
        for k in 0..N {
            let mut part = pieces[k].part(offset, 8);
            let mut word = [0; 8];
            word.copy_from_slice(part.input());
            let word = u64::from_le_bytes(word) ^ masks[k];
            part.output().copy_from_slice(&word.to_le_bytes());
        }
    }
    for offset in whole..len {
        for k in 0..N {
            let mask = next(&mut states[k].s, &mut i[k], &mut j[k]);
            pieces[k].part(offset, 1).xor(&[mask]);
        }
    }
    for k in 0..N {
        (states[k].i, states[k].j) = (i[k], j[k]);
    }
}
