//! The expansion of key and IV (§2.2, steps 1 and 2): W0 to W1279, of which W256 and those behind it are
//! P and Q.
//!
//! A word waits for the one two before it, and for nothing else that is as new. So the chain is f2 and
//! one addition every two words, and what else there is, four words at a time, fills its gaps. See
//! `docs/notes/hc128.md`.

use lanes::Isa;

use crate::secret::Secret;

/// P, Q and the step of 1024, a multiple of sixteen: worked on where a caller keeps them, because copies
/// of 4 KiB take some CPUs long (docs/notes/hc128.md).
pub(super) type State = [u32; 1025];

/// The state before anything is in it.
pub(super) const EMPTY: State = [0; 1025];

/// Where a word lies in the state. Those that are no part of P and Q are where Q ends, which is written
/// last.
const fn place(word: usize) -> usize {
    (word + 768) % 1024
}

/// W0 to W15, key and IV twice each, where [`expand`] looks for them.
pub(super) fn load(state: &mut State, key: &[u8; 16], iv: &[u8; 16]) {
    for i in 0..16 {
        let bytes = if i < 8 { key } else { iv };
        state[place(i)] = u32::from_le_bytes(bytes.as_chunks().0[i % 4]);
    }
}

/// The words behind the first sixteen.
#[inline(always)]
pub(super) fn expand<I: Isa>(isa: I, state: &mut State) {
    if const { I::SHORT_CHAINS } {
        in_registers(isa, state);
    } else {
        by_words(state);
    }
}

/// Four words at a time in a register.
#[inline(always)]
fn in_registers<I: Isa>(isa: I, state: &mut State) {
    let mut last = [isa.zero(); 4];
    for (k, register) in last.iter_mut().enumerate() {
        *register = isa.load(lanes::plain::little_endian_bytes(&state[place(4 * k)..]));
    }
    let mut number = isa.load(lanes::plain::little_endian_bytes(&[16_u32, 17, 18, 19]));
    // What the words at −15 and −7 give, aligned to four words.
    let mut sums = isa.add32(f1(isa, last[0]), last[2]);
    let mut pair = isa.unpack_high32(last[3], last[3]);
    for i in (16..1280).step_by(4) {
        let next = isa.add32(f1(isa, last[1]), last[3]);
        let early = isa.add32(isa.add32(last[0], number), isa.align8::<4>(next, sums));
        (sums, number) = (next, isa.add32(number, isa.splat32(4)));
        let first = isa.add32(f2(isa, pair), isa.unpack_low32(early, early));
        pair = isa.add32(f2(isa, first), isa.unpack_high32(early, early));
        // Apart: the compiler knows an instruction for both that takes three times as long.
        let new = isa.unpack_low64(isa.pin(even(isa, first)), even(isa, pair));
        let mut bytes = [0; 16];
        isa.store(new, &mut bytes);
        for (word, bytes) in state[place(i)..].iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        last = [last[1], last[2], last[3], new];
    }
}

/// The even 32-bit lanes, next to each other.
#[inline(always)]
fn even<I: Isa>(isa: I, a: I::V) -> I::V {
    isa.shuffle8(a, isa.splat128(&[0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11]))
}

/// §2.1, f1 of every 32-bit lane.
#[inline(always)]
fn f1<I: Isa>(isa: I, x: I::V) -> I::V {
    isa.xor3(isa.rol32::<25>(x), isa.rol32::<14>(x), isa.shr32::<3>(x))
}

/// §2.1, f2 of the even 32-bit lanes; the odd ones are left open.
#[inline(always)]
fn f2<I: Isa>(isa: I, x: I::V) -> I::V {
    if const { I::FUNNEL_NATIVE } { f2_by_rotations(isa, x) } else { f2_by_shifts(isa, x) }
}

#[inline(always)]
fn f2_by_rotations<I: Isa>(isa: I, x: I::V) -> I::V {
    isa.xor3(isa.rol32::<15>(x), isa.rol32::<13>(x), isa.shr32::<10>(x))
}

/// The low half of a word that stands there twice, shifted, is the word rotated.
#[inline(always)]
fn f2_by_shifts<I: Isa>(isa: I, x: I::V) -> I::V {
    let twice = isa.splat128(&[0, 1, 2, 3, 0, 1, 2, 3, 8, 9, 10, 11, 8, 9, 10, 11]);
    let twice = isa.shuffle8(x, twice);
    isa.xor3(isa.shr64::<17>(twice), isa.shr64::<19>(twice), isa.shr32::<10>(twice))
}

/// Eight words at a time, as integers.
fn by_words(state: &mut State) {
    follow(&mut state[place(0)..1024], 0);
    // W256 to W271 begin P, and what they follow from is where Q ends.
    let mut across = Secret([0; 32]);
    across.0[..16].copy_from_slice(&state[place(240)..1024]);
    follow(&mut across.0, 240);
    state[..16].copy_from_slice(&across.0[16..]);
    follow(&mut state[..1024], 256);
}

/// The words behind the first sixteen of `words`, which are those from W`first` on.
fn follow(words: &mut [u32], first: u32) {
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
        let x = last[t + 1];
        let f1 = x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3;
        early[t] = f1.wrapping_add(last[t]).wrapping_add(number + t as u32);
    }
    for t in 0..7 {
        early[t] = early[t].wrapping_add(last[t + 9]);
    }
    let mut pair = [last[14], last[15]];
    for t in 0..8 {
        let x = pair[t % 2];
        let f2 = x.rotate_right(17) ^ x.rotate_right(19) ^ x >> 10;
        let early = if t == 7 { early[7].wrapping_add(new[0]) } else { early[t] };
        new[t] = f2.wrapping_add(early);
        pair[t % 2] = new[t];
    }
}

#[cfg(test)]
mod tests {
    use lanes::{Level, Portable, Registers, dispatch_plain};

    use super::*;

    #[test]
    fn registers_and_words_make_the_same_expansion() {
        let mut start = EMPTY;
        load(&mut start, b"sixteen bytes of", b" key, and an IV.");
        let mut expected = start;
        by_words(&mut expected);
        for level in Level::available() {
            let mut state = start;
            dispatch_plain!(level, isa => in_registers(isa.narrow(), &mut state));
            assert_eq!(state, expected, "{level}");
        }
    }

    #[test]
    fn shifts_and_rotations_make_the_same_f2() {
        let isa = Portable;
        let x = isa.load(b"no two the same.");
        let even = |v| isa.low64(even(isa, v));
        assert_eq!(even(f2_by_rotations(isa, x)), even(f2_by_shifts(isa, x)));
    }
}
