//! Many streams, bit-sliced: a row for each stage of a register, a bit of it for each stream.

use lanes::Isa;

use super::one::State;
use super::parameters::{Parameters, Stages, bit};
use crate::aligned::Aligned;
use crate::keystream::transpose;

/// The most stages of a register.
const MOST: usize = 160;

/// The rows of R, then those of S.
pub(super) type Many = [[[u8; 64]; MOST]; 2];

/// Rows of input or output bits. That of clock `t` is at `t ^ 7`, so that after the
/// transposition the first bit of every byte is its most significant one.
pub(super) type Clocks = [[u8; 64]; 64];

/// Keystream bytes of a stream at a time: those of 512 streams and the registers are to stay in the
/// nearest cache.
pub(super) const BLOCK: usize = 32;

/// Streams side by side: as many as a register has bits.
#[inline(always)]
pub(super) fn lanes<I: Isa>(_: I) -> usize {
    8 * I::BYTES
}

/// Section 4.1: IVs, keys, preclocking. Streams whose IV is shorter begin later: until then
/// their registers are kept at 0.
pub(super) fn start<'m, P: Parameters>(
    many: &mut Many,
    count: usize,
    message: &dyn Fn(usize) -> (&'m [u8], &'m [u8]),
    mut transpose: impl FnMut(&mut Clocks),
    mut run: impl FnMut(&mut Many, &mut Clocks, [usize; 2]),
) {
    *many = [[[0; 64]; MOST]; 2];
    let longest = (0..count).map(|lane| message(lane).1.len()).max().unwrap_or(0);
    let bytes = longest + P::KEY;
    let end = 8 * bytes + P::STAGES;
    for first in (0..end).step_by(64) {
        let mut clocks = Aligned([[0; 64]; 64]);
        let clocks = &mut clocks.0;
        // The first bytes of a word are the first clocks', as they are in the keystream.
        if first < 8 * bytes {
            for lane in 0..count {
                let (key, iv) = message(lane);
                let mut word = [0; 8];
                let begins = longest - iv.len();
                for (i, byte) in word.iter_mut().enumerate() {
                    *byte = match (first / 8 + i).checked_sub(begins) {
                        Some(at) if at < iv.len() => iv[at],
                        Some(at) if at < iv.len() + P::KEY => key[at - iv.len()],
                        _ => 0,
                    };
                }
                clocks[lane % 64][lane / 64 * 8..lane / 64 * 8 + 8].copy_from_slice(&word);
            }
            transpose(clocks);
        }
        let last = (end - first).min(64);
        let mut from = 0;
        // Pieces that end where the first clocks of some streams are.
        for byte in 0..last / 8 {
            let now = first / 8 + byte;
            if now > 0 && (0..count).any(|lane| longest - message(lane).1.len() == now) {
                run(many, clocks, [from, 8 * byte]);
                from = 8 * byte;
                clear(many, count, &|lane| longest - message(lane).1.len() == now);
            }
        }
        run(many, clocks, [from, last]);
    }
}

/// Puts the registers of those streams back to 0.
fn clear(many: &mut Many, count: usize, those: &dyn Fn(usize) -> bool) {
    let mut keep = [0xff; 64];
    for lane in (0..count).filter(|&lane| those(lane)) {
        keep[lane / 8] &= !(1 << (lane % 8));
    }
    for row in many.iter_mut().flatten() {
        for (byte, keep) in row.iter_mut().zip(&keep) {
            *byte &= keep;
        }
    }
}

/// One stream's registers.
pub(super) fn take<P: Parameters>(many: &Many, lane: usize) -> State {
    let mut state = [[0; 3]; 2];
    for (register, rows) in state.iter_mut().zip(many) {
        for (i, row) in rows.iter().enumerate().take(P::STAGES) {
            register[i / 64] |= u64::from(row[lane / 8] >> (lane % 8) & 1) << (i % 64);
        }
    }
    state
}

/// Puts the transposed block to the streams.
#[inline(always)]
pub(super) fn transpose<I: Isa>(isa: I, clocks: &mut Clocks) {
    transpose::bits(isa, clocks);
}

/// The next block of every stream.
#[inline(always)]
pub(super) fn generate<I: Isa, P: Parameters>(isa: I, many: &mut Many, out: &mut [u8]) {
    for offset in (0..BLOCK).step_by(8) {
        let mut clocks = Aligned([[0; 64]; 64]);
        let clocks = &mut clocks.0;
        run::<I, P, false>(isa, many, clocks, [0, 64]);
        transpose::bits(isa, clocks);
        for (i, row) in clocks.iter().enumerate() {
            for (q, word) in row[..I::BYTES].as_chunks::<8>().0.iter().enumerate() {
                let at = (64 * q + i) * BLOCK + offset;
                out[at..at + 8].copy_from_slice(word);
            }
        }
    }
}

/// A 1 where `sequence` has one in this stage.
const fn in_stage(sequence: &Stages, i: usize) -> bool {
    i < MOST && bit(sequence, i)
}

/// CLOCK_KG (section 3.3) for some clocks of a block; the input bits are replaced by the
/// keystream bits.
#[inline(always)]
#[expect(unused_assignments, reason = "what the first stage keeps for one below it")]
pub(super) fn run<I: Isa, P: Parameters, const MIXING: bool>(
    isa: I,
    many: &mut Many,
    clocks: &mut Clocks,
    [from, to]: [usize; 2],
) {
    let [r, s] = many;
    let (ones, zero) = (isa.splat64(u64::MAX), isa.zero());
    for clock in from..to {
        let row = &mut clocks[clock ^ 7];
        let input = isa.load(row);
        isa.store(isa.xor(isa.load(&r[0]), isa.load(&s[0])), row);

        let (late_r, late_s) = (isa.load(&r[P::LATE]), isa.load(&s[P::LATE]));
        let control_r = isa.xor(isa.load(&s[P::S_OF_R]), late_r);
        let control_s = isa.xor(isa.load(&r[P::R_OF_S]), late_s);
        let mut feedback_r = isa.xor(isa.load(&r[P::STAGES - 1]), input);
        if MIXING {
            feedback_r = isa.xor(feedback_r, isa.load(&s[P::MIXED]));
        }
        let feedback_s = isa.xor(isa.load(&s[P::STAGES - 1]), input);
        let feedback_1 = isa.and(feedback_s, control_s);
        let feedback_0 = isa.xor(feedback_s, feedback_1);

        // From the last stage to the first, so that what a stage takes is still there.
        let (mut here_r, mut here_s) = (isa.load(&r[P::STAGES - 1]), isa.load(&s[P::STAGES - 1]));
        let mut above_s = zero;
        macro_rules! stages {
            ($($i:literal)*) => { $(
                if const { $i < P::STAGES } {
                    let below_r = if $i > 0 { isa.load(&r[($i + MOST - 1) % MOST]) } else { zero };
                    let mut new = isa.xor(below_r, isa.and(control_r, here_r));
                    if const { in_stage(&P::R_TAPS, $i) } {
                        new = isa.xor(new, feedback_r);
                    }
                    isa.store(new, &mut r[$i]);
                    here_r = below_r;

                    let below_s = if $i > 0 { isa.load(&s[($i + MOST - 1) % MOST]) } else { zero };
                    let mut new = below_s;
                    if const { $i > 0 && $i < P::STAGES - 1 } {
                        let a = if const { in_stage(&P::COMP0, $i) } {
                            isa.xor(here_s, ones)
                        } else {
                            here_s
                        };
                        let b = if const { in_stage(&P::COMP1, $i) } {
                            isa.xor(above_s, ones)
                        } else {
                            above_s
                        };
                        new = isa.xor(new, isa.and(a, b));
                    }
                    new = match const { (in_stage(&P::FB0, $i), in_stage(&P::FB1, $i)) } {
                        (false, false) => new,
                        (true, false) => isa.xor(new, feedback_0),
                        (false, true) => isa.xor(new, feedback_1),
                        (true, true) => isa.xor(new, feedback_s),
                    };
                    isa.store(new, &mut s[$i]);
                    above_s = here_s;
                    here_s = below_s;
                }
            )* };
        }
        stages! {
            159 158 157 156 155 154 153 152 151 150 149 148 147 146 145 144 143 142 141 140
            139 138 137 136 135 134 133 132 131 130 129 128 127 126 125 124 123 122 121 120
            119 118 117 116 115 114 113 112 111 110 109 108 107 106 105 104 103 102 101 100
            99 98 97 96 95 94 93 92 91 90 89 88 87 86 85 84 83 82 81 80
            79 78 77 76 75 74 73 72 71 70 69 68 67 66 65 64 63 62 61 60
            59 58 57 56 55 54 53 52 51 50 49 48 47 46 45 44 43 42 41 40
            39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20
            19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
        }
    }
}
