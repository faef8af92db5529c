//! The core: sixteen words, one block at a time or as many as a register has lanes
//! ("Salsa20 specification" §3 to §8).

use lanes::{InOut, Isa};

use crate::keystream::lane_rows::{Row, STREAMS, from_rows, place, store_rows, to_rows};

/// The bytes of a block.
pub(super) const BLOCK: usize = 64;

/// Xors as many blocks as are faster in lanes than [one by one](one_by_one) into the data, from number
/// `counter` on; returns how many. Of data that ends within the last of them that one is left in
/// `last`.
#[inline(always)]
pub(super) fn in_lanes<I: Isa>(
    isa: I,
    input: &[u32; 16],
    counter: u64,
    rounds: usize,
    io: &mut InOut<'_>,
    last: &mut [u8; BLOCK],
) -> usize {
    let (mut done, len) = (0, io.len());
    let blocks = len.div_ceil(BLOCK);
    // Without registers of several words there is nothing to gain.
    if const { I::LANES_NATIVE } {
        // The fewest blocks that are faster in lanes than one after another.
        let fewest = if const { I::FUNNEL_NATIVE } { 2 } else { 3 };
        let lanes = I::BYTES / 4;
        while blocks - done >= fewest && (lanes == 4 || blocks - done > 4) {
            let (offset, count) = (done * BLOCK, lanes.min(blocks - done));
            let io = &mut io.part(offset, (count * BLOCK).min(len - offset));
            to_the_end(isa, input, counter.wrapping_add(done as u64), rounds, io, last);
            done += count;
        }
        if const { I::BYTES > 16 } && blocks - done >= fewest {
            let (offset, at) = (done * BLOCK, counter.wrapping_add(done as u64));
            let io = &mut io.part(offset, len - offset);
            to_the_end(isa.narrow(), input, at, rounds, io, last);
            done = blocks;
        }
    }
    done
}

/// Xors the blocks that are left after `done` of them.
///
/// Outside a door: a block is a chain, and the longest registers are slow to fill with its words.
pub(super) fn one_by_one(
    input: &[u32; 16],
    counter: u64,
    rounds: usize,
    io: &mut InOut<'_>,
    last: &mut [u8; BLOCK],
    done: usize,
) {
    let len = io.len();
    for number in done..len.div_ceil(BLOCK) {
        let block = one(input, counter.wrapping_add(number as u64), rounds);
        let offset = number * BLOCK;
        if len - offset >= BLOCK {
            io.part(offset, BLOCK).xor(&block);
        } else {
            *last = block;
            io.part(offset, len - offset).xor(&last[..len - offset]);
        }
    }
}

/// [`side_by_side`] for data that may end within a block, which is left in `last` then.
#[inline(always)]
fn to_the_end<I: Isa>(
    isa: I,
    input: &[u32; 16],
    counter: u64,
    rounds: usize,
    io: &mut InOut<'_>,
    last: &mut [u8; BLOCK],
) {
    let mut keystream = [0; STREAMS * BLOCK];
    let (len, whole) = (io.len(), io.len() - io.len() % BLOCK);
    let ends = whole < len;
    let mut data = match ends {
        true => (&mut keystream[..whole + BLOCK]).into(),
        false => io.reborrow(),
    };
    side_by_side(isa, input, counter, rounds, &mut data);
    if ends {
        io.xor(&keystream[..len]);
        last.copy_from_slice(&keystream[whole..whole + BLOCK]);
    }
}

/// As many blocks as there are lanes, or fewer.
#[inline(always)]
fn side_by_side<I: Isa>(
    isa: I,
    input: &[u32; 16],
    counter: u64,
    rounds: usize,
    io: &mut InOut<'_>,
) {
    let (mut low, mut high) = ([0; 64], [0; 64]);
    for lane in 0..I::BYTES / 4 {
        let number = counter.wrapping_add(lane as u64);
        low[4 * lane..4 * lane + 4].copy_from_slice(&(number as u32).to_le_bytes());
        high[4 * lane..4 * lane + 4].copy_from_slice(&((number >> 32) as u32).to_le_bytes());
    }
    let mut x = [isa.zero(); 16];
    for i in 0..16 {
        x[i] = isa.splat32(input[i]);
    }
    x[8] = isa.load(&low);
    x[9] = isa.load(&high);
    let [eighth, ninth] = [x[8], x[9]];
    for _ in 0..rounds / 2 {
        x = double_round(isa, x);
    }
    for i in 0..16 {
        // Not kept in registers during the rounds, which need all there are.
        x[i] = match i {
            8 => isa.add32(x[i], eighth),
            9 => isa.add32(x[i], ninth),
            _ => isa.add32(x[i], isa.splat32(input[i])),
        };
    }
    let rows = to_rows(isa, &x);
    let len = io.len();
    for m in 0..16 {
        let at = place::<I>(m);
        if at + I::BYTES <= len {
            let sum = isa.xor(io.load(isa, at), rows[m]);
            io.store(isa, at, sum);
        }
    }
}

/// A block of each of sixteen inputs, or as many as there are lanes.
#[inline(always)]
pub(super) fn of_many<I: Isa>(
    isa: I,
    inputs: &[Row; STREAMS],
    rounds: usize,
    out: &mut [u8; BLOCK * STREAMS],
) {
    let mut x = from_rows(isa, inputs);
    for _ in 0..rounds / 2 {
        x = double_round(isa, x);
    }
    let start = from_rows(isa, inputs);
    for i in 0..16 {
        x[i] = isa.add32(x[i], start[i]);
    }
    store_rows(isa, &x, None, out);
}

/// §6, in lanes.
#[inline(always)]
fn double_round<I: Isa>(isa: I, mut x: [I::V; 16]) -> [I::V; 16] {
    columns(isa, &mut x);
    // §5: a rowround is a columnround of the transposed square.
    x = transposed(isa, x);
    columns(isa, &mut x);
    transposed(isa, x)
}

/// §5: the four quarter-rounds of a columnround, step by step; the first quarter-round
/// starts at word 0, each next one five words on.
#[inline(always)]
fn columns<I: Isa>(isa: I, x: &mut [I::V; 16]) {
    for q in 0..4 {
        let (a, b, c, d) = (5 * q, (5 * q + 4) % 16, (5 * q + 8) % 16, (5 * q + 12) % 16);
        x[b] = isa.xor(x[b], isa.rol32::<7>(isa.add32(x[a], x[d])));
        x[c] = isa.xor(x[c], isa.rol32::<9>(isa.add32(x[b], x[a])));
        x[d] = isa.xor(x[d], isa.rol32::<13>(isa.add32(x[c], x[b])));
        x[a] = isa.xor(x[a], isa.rol32::<18>(isa.add32(x[d], x[c])));
    }
}

/// The square of words with rows and columns exchanged: names only, no work.
#[inline(always)]
fn transposed<I: Isa>(isa: I, x: [I::V; 16]) -> [I::V; 16] {
    let mut y = [isa.zero(); 16];
    for i in 0..16 {
        y[i] = x[4 * (i % 4) + i / 4];
    }
    y
}

/// One block.
#[inline(always)]
pub(super) fn one(input: &[u32; 16], counter: u64, rounds: usize) -> [u8; BLOCK] {
    let mut start = *input;
    (start[8], start[9]) = (counter as u32, (counter >> 32) as u32);
    let mut x = start;
    for _ in 0..rounds / 2 {
        // §5, a columnround, then §4, a rowround.
        quarter::<0, 4, 8, 12>(&mut x);
        quarter::<5, 9, 13, 1>(&mut x);
        quarter::<10, 14, 2, 6>(&mut x);
        quarter::<15, 3, 7, 11>(&mut x);
        quarter::<0, 1, 2, 3>(&mut x);
        quarter::<5, 6, 7, 4>(&mut x);
        quarter::<10, 11, 8, 9>(&mut x);
        quarter::<15, 12, 13, 14>(&mut x);
    }
    let mut out = [0; BLOCK];
    for i in 0..16 {
        out[4 * i..4 * i + 4].copy_from_slice(&x[i].wrapping_add(start[i]).to_le_bytes());
    }
    out
}

/// §3: a quarter-round on four of the words.
#[inline(always)]
fn quarter<const A: usize, const B: usize, const C: usize, const D: usize>(x: &mut [u32; 16]) {
    x[B] ^= x[A].wrapping_add(x[D]).rotate_left(7);
    x[C] ^= x[B].wrapping_add(x[A]).rotate_left(9);
    x[D] ^= x[C].wrapping_add(x[B]).rotate_left(13);
    x[A] ^= x[D].wrapping_add(x[C]).rotate_left(18);
}
