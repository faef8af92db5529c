//! The polynomial of UIA2 (TS 35.215 §4.5) in the field of 2⁶⁴ elements modulo
//! `x⁶⁴ + x⁴ + x³ + x + 1`, words with their highest bit first.
//!
//! Four blocks share a reduction: with the powers of P at hand,
//! `(e + m₁) P⁴ + m₂ P³ + m₃ P² + m₄ P` is what four steps one after another make.
//!
//! Of a long message, each 128-bit group of four registers does so for its own blocks: with `L` blocks
//! a register, the value of a group is multiplied by `P⁴ᴸ` from one four to the next, and its blocks by
//! the powers they have in the last group. At the end a group that is `k` before the last one lacks
//! `P²ᵏ`.

use lanes::{Isa, Registers};

use crate::secret::Secret;

/// `x⁶⁴` modulo the polynomial.
const REDUCTION: u64 = 0x1b;

/// From so many bytes on, P³ and P⁴ cost less than they save.
const LONG: usize = 64;

/// From so many bytes on, the powers of fours of registers do.
const MANY: usize = 512;

/// Registers of a step of a long message.
const STEP: usize = 4;

/// The most bytes of a register.
const WIDEST: usize = 64;

/// The product of 128 bits, reduced; the result is in the low half.
#[inline(always)]
fn reduce<I: Isa>(isa: I, product: I::V) -> I::V {
    if const { I::CLMUL_NATIVE } {
        let r = isa.splat64(REDUCTION);
        // At most 68 bits, and then at most 8.
        let once = isa.clmul_high(product, r);
        return isa.xor3(product, once, isa.clmul_high(once, r));
    }
    let times = |x: u64| x ^ x << 1 ^ x << 3 ^ x << 4;
    let high = isa.low64(isa.swap64(product));
    let beyond = high >> 63 ^ high >> 61 ^ high >> 60;
    isa.splat64(isa.low64(product) ^ times(high) ^ times(beyond))
}

/// The product of the low halves, in the low half.
#[inline(always)]
fn multiply<I: Isa>(isa: I, a: I::V, b: I::V) -> I::V {
    reduce(isa, isa.clmul_low(a, b))
}

/// The sum of the products of both halves.
#[inline(always)]
fn products<I: Isa>(isa: I, a: I::V, b: I::V) -> I::V {
    isa.xor(isa.clmul_low(a, b), isa.clmul_high(a, b))
}

/// Sixteen bytes as words: the first one in the high half.
#[inline(always)]
fn words<I: Isa>(isa: I, bytes: &[u8; 16]) -> I::V {
    isa.reverse8(isa.load128(bytes))
}

/// `e`, after it was added to each of the blocks of 8 bytes in turn and multiplied by `p`.
#[inline(always)]
pub(super) fn absorb<I: Isa>(isa: I, p: u64, e: u64, blocks: &[u8]) -> u64 {
    let narrow = isa.narrow();
    if const { !I::CLMUL_NATIVE } || blocks.len() < MANY {
        return few(narrow, p, e, blocks);
    }
    if const { I::CLMUL_WIDE } { many(isa, p, e, blocks) } else { many(narrow, p, e, blocks) }
}

/// The low halves of two registers in every group, `low` in the low half.
#[inline(always)]
fn everywhere<I: Isa>(
    isa: I,
    high: <I::Narrow as Registers>::V,
    low: <I::Narrow as Registers>::V,
) -> I::V {
    let narrow = isa.narrow();
    let mut bytes = Secret([0; 16]);
    narrow.store(narrow.unpack_low64(low, high), &mut bytes.0);
    isa.splat128(&bytes.0)
}

/// [`absorb`] of a long message, in whole registers.
#[inline(always)]
fn many<I: Isa>(isa: I, p: u64, e: u64, blocks: &[u8]) -> u64 {
    let (narrow, groups) = (isa.narrow(), I::BYTES / 16);
    // P², and from the power of a register on, 2, 4 or 8, twice, three times and four times it.
    let first = narrow.splat64(p);
    let square = multiply(narrow, first, first);
    let mut one = square;
    for _ in 1..groups {
        one = multiply(narrow, one, square);
    }
    let two = multiply(narrow, one, one);
    let three = multiply(narrow, two, one);
    let four = isa.splat64(narrow.low64(multiply(narrow, two, two)));
    let weights = [
        everywhere(isa, multiply(narrow, square, three), multiply(narrow, first, three)),
        everywhere(isa, multiply(narrow, square, two), multiply(narrow, first, two)),
        everywhere(isa, multiply(narrow, square, one), multiply(narrow, first, one)),
        everywhere(isa, square, first),
    ];

    // What was there belongs to the last group.
    let mut values = Secret([0; WIDEST]);
    values.0[16 * (groups - 1)..][..8].copy_from_slice(&e.to_le_bytes());
    let mut sums = isa.load(&values.0);
    let steps = blocks.chunks_exact(STEP * I::BYTES);
    let rest = steps.remainder();
    for step in steps {
        let mut sum = isa.clmul_low(sums, four);
        for i in 0..STEP {
            let blocks = isa.reverse8(isa.load(&step[i * I::BYTES..]));
            sum = isa.xor(sum, products(isa, blocks, weights[i]));
        }
        sums = reduce(isa, sum);
    }
    isa.store(sums, &mut values.0);
    let (groups, _) = values.0[..I::BYTES].as_chunks();
    let [first, others @ ..] = groups else { unreachable!("a register has a group") };
    let mut e = narrow.load128(first);
    for next in others {
        e = narrow.xor(multiply(narrow, e, square), narrow.load128(next));
    }
    let e = narrow.low64(e);
    few(narrow, p, e, rest)
}

/// [`absorb`] of a few blocks, in single groups.
#[inline(always)]
fn few<I: Isa>(isa: I, p: u64, e: u64, blocks: &[u8]) -> u64 {
    let zero = isa.zero();
    let (p, mut e) = (isa.splat64(p), isa.splat64(e));
    let mut rest = blocks;
    if rest.len() >= 16 {
        let square = multiply(isa, p, p);
        let second = isa.unpack_low64(p, square);
        if rest.len() >= LONG {
            let (cube, fourth) = (multiply(isa, square, p), multiply(isa, square, square));
            let first = isa.unpack_low64(cube, fourth);
            let (fours, behind) = rest.as_chunks::<32>();
            for four in fours {
                let [a, b] = [&four.as_chunks().0[0], &four.as_chunks().0[1]];
                let (a, b) = (words(isa, a), words(isa, b));
                let a = isa.xor(a, isa.unpack_low64(zero, e));
                e = reduce(isa, isa.xor(products(isa, a, first), products(isa, b, second)));
            }
            rest = behind;
        }
        let (twos, behind) = rest.as_chunks::<16>();
        for two in twos {
            let a = isa.xor(words(isa, two), isa.unpack_low64(zero, e));
            e = reduce(isa, products(isa, a, second));
        }
        rest = behind;
    }
    if let Some(last) = rest.first_chunk() {
        e = multiply(isa, isa.xor(e, isa.splat64(u64::from_be_bytes(*last))), p);
    }
    isa.low64(e)
}
