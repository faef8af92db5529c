//! The permutation: key schedule and keystream, of one stream and of several in turn.

use lanes::InOut;

use crate::secret::{Secret, Wipe};

/// A permutation of the bytes, each in a word of its own: as bytes beside each other a store was seen
/// to hold up loads of its neighbours (docs/notes/rc4.md).
type Permutation = [u32; 256];

/// The permutation and the two indices.
#[derive(Clone)]
pub(super) struct State {
    s: Permutation,
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
const IDENTITY: Permutation = {
    let mut s = [0; 256];
    let mut i = 0;
    while i < 256 {
        s[i] = i as u32;
        i += 1;
    }
    s
};

/// What begins the next step of one stream, read before this step's stores: behind them it would wait
/// for the store to `s[j]`, which hits it once in 256 steps, wherever a CPU has learnt that it may.
/// So additions alone are left in the chain, and a jump that is nearly always foreseen.
#[inline(always)]
fn exchange(s: &mut Permutation, i: u8, j: u8, x: u32) -> (u32, u32) {
    let after = i.wrapping_add(1);
    let early = s[usize::from(after)];
    let y = s[usize::from(j)];
    s[usize::from(i)] = y;
    s[usize::from(j)] = x;
    (y, if j == after { hit(s, after) } else { early })
}

/// Out of line, so that it stays a jump and becomes no choice that every step would wait for.
#[cold]
#[inline(never)]
fn hit(s: &Permutation, place: u8) -> u32 {
    s[usize::from(place)]
}

/// One stream on its way: the indices, and the byte that the next step begins with. Beside the
/// permutation they would go through memory at each step.
struct Running<'s> {
    s: &'s mut Permutation,
    i: u8,
    j: u8,
    x: u32,
}

impl<'s> Running<'s> {
    #[inline(always)]
    fn new(s: &'s mut Permutation, i: u8, j: u8) -> Self {
        let x = s[usize::from(i.wrapping_add(1))];
        Self { s, i, j, x }
    }

    /// The next byte of keystream.
    #[inline(always)]
    fn next(&mut self) -> u8 {
        let x = self.x;
        self.i = self.i.wrapping_add(1);
        self.j = self.j.wrapping_add(x as u8);
        let y;
        (y, self.x) = exchange(self.s, self.i, self.j, x);
        self.s[usize::from(x.wrapping_add(y) as u8)] as u8
    }

    /// The next bytes of keystream.
    #[inline(always)]
    fn fill(&mut self, row: &mut [u8]) {
        let (words, end) = row.as_chunks_mut::<8>();
        for word in words {
            // In halves: of eight bytes the compiler keeps some on the stack.
            for half in word.as_chunks_mut::<4>().0 {
                let mut mask = 0;
                for _ in 0..4 {
                    mask = (mask ^ u32::from(self.next())).rotate_right(8);
                }
                *half = mask.to_le_bytes();
            }
        }
        for byte in end {
            *byte = self.next();
        }
    }
}

/// The bytes of keystream that are made before they are used: a loop that also goes through data lacks
/// registers, and keeps `j` on the stack (docs/notes/rc4.md).
const ROW: usize = 256;

impl State {
    pub(super) const EMPTY: Self = Self { s: [0; 256], i: 0, j: 0 };

    /// The key schedule of one stream.
    pub(super) fn set_up(&mut self, key: &Repeated) {
        self.s = IDENTITY;
        (self.i, self.j) = (0, 0);
        let (mut j, mut x) = (0_u8, 0);
        for i in 0..=u8::MAX {
            j = j.wrapping_add(key[usize::from(i)]).wrapping_add(x as u8);
            (_, x) = exchange(&mut self.s, i, j, x);
        }
    }

    /// Xors keystream into data.
    pub(super) fn apply(&mut self, mut io: InOut<'_>) {
        let mut running = Running::new(&mut self.s, self.i, self.j);
        // A batch clears no stack behind itself.
        let mut row = Secret([0; ROW]);
        for offset in (0..io.len()).step_by(ROW) {
            let len = ROW.min(io.len() - offset);
            running.fill(&mut row.0[..len]);
            io.part(offset, len).xor(&row.0[..len]);
        }
        (self.i, self.j) = (running.i, running.j);
    }

    /// Goes on without giving out keystream.
    pub(super) fn skip(&mut self, bytes: usize) {
        let mut running = Running::new(&mut self.s, self.i, self.j);
        for _ in 0..bytes {
            running.next();
        }
        (self.i, self.j) = (running.i, running.j);
    }
}

/// Xors eight bytes of keystream into as many of data. In a word: stored one by one and loaded as
/// one they would wait for each other.
#[inline(always)]
fn xor(mut part: InOut<'_>, mask: u64) {
    let mut word = [0; 8];
    word.copy_from_slice(part.input());
    let word = u64::from_le_bytes(word) ^ mask;
    part.output().copy_from_slice(&word.to_le_bytes());
}

/// The next byte of keystream of one of several streams, which fill each other's gaps.
#[inline(always)]
fn next(s: &mut Permutation, i: &mut u8, j: &mut u8) -> u8 {
    *i = i.wrapping_add(1);
    let x = s[usize::from(*i)];
    *j = j.wrapping_add(x as u8);
    let y = s[usize::from(*j)];
    s[usize::from(*i)] = y;
    s[usize::from(*j)] = x;
    s[usize::from(x.wrapping_add(y) as u8)] as u8
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
            j[k] = j[k].wrapping_add(keys[k][i]).wrapping_add(x as u8);
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
        let mut masks = [0_u64; N];
        for shift in (0..64).step_by(8) {
            for k in 0..N {
                let mask = next(&mut states[k].s, &mut i[k], &mut j[k]);
                masks[k] |= u64::from(mask) << shift;
            }
        }
        for k in 0..N {
            xor(pieces[k].part(offset, 8), masks[k]);
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
