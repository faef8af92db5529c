//! The core: sixteen words, one block at a time or as many as a register has lanes
//! ("Salsa20 specification" §3 to §8).

use lanes::{InOut, Isa};

use crate::lane_rows::{Row, STREAMS, from_rows, place, store_rows, to_rows};

/// The bytes of a block.
pub(super) const BLOCK: usize = 64;

/// The fewest blocks that are faster in lanes than one after another.
const FEWEST: usize = 3;

/// Xors the blocks from number `counter` on into the data, which is whole blocks.
#[inline(always)]
pub(super) fn apply<I: Isa>(
    isa: I,
    input: &[u32; 16],
    counter: u64,
    rounds: usize,
    io: &mut InOut<'_>,
) {
    let (mut done, blocks) = (0, io.len() / BLOCK);
    // Without registers of several words there is nothing to gain.
    if const { I::BYTE_MAPS } {
        let lanes = I::BYTES / 4;
        while blocks - done >= FEWEST && (lanes == 4 || blocks - done > 4) {
            let count = lanes.min(blocks - done);
            let io = &mut io.part(done * BLOCK, count * BLOCK);
            side_by_side(isa, input, counter.wrapping_add(done as u64), rounds, io);
            done += count;
        }
        if const { I::BYTES > 16 } && blocks - done >= FEWEST {
            let io = &mut io.part(done * BLOCK, (blocks - done) * BLOCK);
            side_by_side(isa.narrow(), input, counter.wrapping_add(done as u64), rounds, io);
            done = blocks;
        }
    }
    for number in done..blocks {
        let at = counter.wrapping_add(number as u64);
        // Without an instruction that rotates, the chain is shorter in ordinary registers.
        let block = if const { I::FUNNEL_NATIVE } {
            diagonally(isa.narrow(), input, at, rounds)
        } else {
            one(input, at, rounds)
        };
        io.part(number * BLOCK, BLOCK).xor(&block);
    }
}

/// One block, the four quarter-rounds of a round in the lanes of four registers. Their words
/// are turned while the last step is still on its way, so that a round takes no longer than
/// the chain of a single quarter-round.
#[inline(always)]
fn diagonally<I: Isa>(isa: I, input: &[u32; 16], counter: u64, rounds: usize) -> [u8; BLOCK] {
    let mut start = *input;
    (start[8], start[9]) = (counter as u32, (counter >> 32) as u32);
    // Word i of the quarter-round that starts at word 5 l stands in lane l of register i.
    let mut bytes = [[0; 16]; 4];
    for i in 0..4 {
        for lane in 0..4 {
            let word = start[(5 * lane + 4 * i) % 16];
            bytes[i][4 * lane..4 * lane + 4].copy_from_slice(&word.to_le_bytes());
        }
    }
    let before =
        [isa.load(&bytes[0]), isa.load(&bytes[1]), isa.load(&bytes[2]), isa.load(&bytes[3])];
    let [mut a, mut b, mut c, mut d] = before;
    let (one, two, three) = (
        isa.splat128(&[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3]),
        isa.splat128(&[8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]),
        isa.splat128(&[12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
    );
    for _ in 0..rounds {
        b = isa.xor(b, isa.rol32::<7>(isa.add32(a, d)));
        c = isa.xor(c, isa.rol32::<9>(isa.add32(b, a)));
        d = isa.xor(d, isa.rol32::<13>(isa.add32(c, b)));
        a = isa.xor(a, isa.rol32::<18>(isa.add32(d, c)));
        // The second words of a columnround are the last of a rowround, and the reverse.
        (b, c, d) = (isa.shuffle8(d, one), isa.shuffle8(c, two), isa.shuffle8(b, three));
    }
    let after = [a, b, c, d];
    for i in 0..4 {
        isa.store(isa.add32(after[i], before[i]), &mut bytes[i]);
    }
    let mut out = [0; BLOCK];
    for i in 0..4 {
        for lane in 0..4 {
            let at = 4 * ((5 * lane + 4 * i) % 16);
            out[at..at + 4].copy_from_slice(&bytes[i][4 * lane..4 * lane + 4]);
        }
    }
    out
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
    store_rows(isa, &x, out);
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
