//! Many streams, each in a 32-bit lane: a row for each word of the tables.
//!
//! The streams of a group stand at the same step. What a step looks up lies in another row
//! for every lane.

use lanes::Isa;

use crate::keystream::transpose::words32;

/// A word of every stream.
type Row = [u8; 64];

/// P and Q of every stream, and the step at which all are.
pub(super) type Many = [Row; 1025];

/// Keystream bytes of a stream at a time.
pub(super) const BLOCK: usize = 256;

/// A table of every stream.
type Table = [Row; 512];

/// Streams side by side; without an instruction for the look-ups, lanes are no gain.
#[inline(always)]
pub(super) fn lanes<I: Isa>(_: I) -> usize {
    if const { I::PICK_NATIVE } { I::BYTES / 4 } else { 1 }
}

/// Words `W0` to `W15` of a stream (§2.2, step 1), where [`initialise`] looks for them.
pub(super) fn load(many: &mut Many, lane: usize, key: &[u8], iv: &[u8]) {
    let halves = [key, key, iv, iv];
    let bytes = halves.iter().flat_map(|half| half.as_chunks::<4>().0);
    for (row, word) in many[place(0)..].iter_mut().zip(bytes) {
        row.as_chunks_mut().0[lane] = *word;
    }
}

/// Where word `W` of the expansion lies: W256 and those behind it fill P and Q; those before
/// it are in a part of Q that is written late.
const fn place(word: usize) -> usize {
    if word < 256 { 768 + word } else { word - 256 }
}

/// §2.2 of all streams.
#[inline(always)]
pub(super) fn initialise<I: Isa>(isa: I, many: &mut Many) {
    for i in 16..1280 {
        let word = |back: usize| {
            let at = place(i - back);
            isa.load(&many[at])
        };
        let early = isa.add32(isa.add32(word(16), word(7)), isa.splat32(i as u32));
        let early = isa.add32(early, f1(isa, word(15)));
        let sum = isa.add32(early, f2(isa, word(2)));
        let at = place(i);
        isa.store(sum, &mut many[at]);
    }
    many[1024] = [0; 64];
    for _ in 0..64 {
        sixteen::<I, true>(isa, many);
    }
}

/// The next `len` bytes of every stream, at most [`BLOCK`].
#[inline(always)]
pub(super) fn generate<I: Isa>(isa: I, many: &mut Many, out: &mut [u8], len: usize) {
    for offset in (0..len.min(BLOCK)).step_by(64) {
        let words = sixteen::<I, false>(isa, many);
        words32(isa, &words, &mut out[offset..], BLOCK);
    }
}

/// Sixteen steps (§2.3), of which the number is a multiple of sixteen.
#[inline(always)]
fn sixteen<I: Isa, const SET_UP: bool>(isa: I, many: &mut Many) -> [I::V; 16] {
    let [tables @ .., at] = many;
    let at = &mut at.as_chunks_mut::<8>().0[0];
    let step = u64::from_le_bytes(*at) as usize;
    *at = ((step + 16) as u64 % 1024).to_le_bytes();
    let (p, q) = tables.split_at_mut(512);
    let (p, q): (&mut Table, &mut Table) =
        (p.try_into().expect("512 rows"), q.try_into().expect("512 rows"));
    if step < 512 {
        steps::<I, SET_UP, false>(isa, p, q, step)
    } else {
        steps::<I, SET_UP, true>(isa, q, p, step)
    }
}

/// Sixteen steps on `table`, P or (`SECOND`) Q; `other` is the other one.
#[inline(always)]
fn steps<I: Isa, const SET_UP: bool, const SECOND: bool>(
    isa: I,
    table: &mut Table,
    other: &Table,
    step: usize,
) -> [I::V; 16] {
    let mut out = [isa.zero(); 16];
    for t in 0..16 {
        let at = step + t;
        // The words at distances −3, −10, −12 and −511, which is +1.
        let word = |distance: usize| isa.load(&table[(at + distance) % 512]);
        let (third, tenth, twelfth, next) = (word(509), word(502), word(500), word(1));
        let g = if SECOND {
            let outer = isa.xor(isa.rol32::<10>(third), isa.rol32::<23>(next));
            isa.add32(outer, isa.rol32::<8>(tenth))
        } else {
            let outer = isa.xor(isa.rol32::<22>(third), isa.rol32::<9>(next));
            isa.add32(outer, isa.rol32::<24>(tenth))
        };
        let [low, high] = halves(other);
        let h = isa.add32(isa.pick32(low, twelfth), isa.pick32(high, isa.shr32::<16>(twelfth)));
        let new = isa.add32(word(0), g);
        out[t] = isa.xor(new, h);
        isa.store(if SET_UP { out[t] } else { new }, &mut table[at % 512]);
    }
    out
}

/// The two halves of a table, of 256 rows each.
#[inline(always)]
fn halves(table: &Table) -> [&[Row; 256]; 2] {
    let halves = table.as_chunks::<256>().0;
    [&halves[0], &halves[1]]
}

/// P, Q and the step of one of the streams.
pub(super) fn take(many: &Many, lane: usize) -> [u32; 1025] {
    let [tables @ .., at] = many;
    let mut words = [u32::from_le_bytes(at.as_chunks().0[0]); 1025];
    for (word, row) in words.iter_mut().zip(tables) {
        *word = u32::from_le_bytes(row.as_chunks().0[lane]);
    }
    words
}

/// §2.1.
#[inline(always)]
fn f1<I: Isa>(isa: I, x: I::V) -> I::V {
    isa.xor3(isa.rol32::<25>(x), isa.rol32::<14>(x), isa.shr32::<3>(x))
}

/// §2.1.
#[inline(always)]
fn f2<I: Isa>(isa: I, x: I::V) -> I::V {
    isa.xor3(isa.rol32::<15>(x), isa.rol32::<13>(x), isa.shr32::<10>(x))
}
