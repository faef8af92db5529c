//! The polynomial of UIA2 (TS 35.215 §4.5) in the field of 2⁶⁴ elements modulo
//! `x⁶⁴ + x⁴ + x³ + x + 1`, words with their highest bit first.
//!
//! Four blocks share a reduction: with the powers of P at hand,
//! `(e + m₁) P⁴ + m₂ P³ + m₃ P² + m₄ P` is what four steps one after another make.

use lanes::Isa;

/// `x⁶⁴` modulo the polynomial.
const REDUCTION: u64 = 0x1b;

/// From so many bytes on, P³ and P⁴ cost less than they save.
const LONG: usize = 64;

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
