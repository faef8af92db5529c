//! The loops over blocks: sums of block times power, reduced once for many blocks.

use lanes::Isa;

use super::BLOCK;
use super::field::{Sum, element};
use super::powers::{MOST, Powers, REGISTERS, depth};
use super::shuffled;
use crate::secret::Secret;

/// `a·b·x^-128` of two elements.
#[cfg(feature = "zuc")]
#[inline(always)]
pub(super) fn dot<I: Isa>(isa: I, a: &[u8; BLOCK], b: &[u8; BLOCK]) -> [u8; BLOCK] {
    let isa = isa.narrow();
    let mut product = [0; BLOCK];
    let factor = super::field::Factor::new(isa, isa.load128(b));
    isa.store128(super::field::multiply(isa, isa.load128(a), factor), &mut product);
    product
}

/// Absorbs segments, each filled up with zeros to whole blocks, into `state`; there are powers
/// for `ready` blocks that share a reduction.
///
/// `REVERSED` is GHASH, whose blocks are byte-reversed field elements.
#[inline(always)]
pub(super) fn absorb<I: Isa, const REVERSED: bool>(
    isa: I,
    powers: &Powers,
    ready: usize,
    state: &mut [u8; BLOCK],
    segments: &[&[u8]],
) {
    // A wider register than there are blocks for would be loaded through the stack
    // where the level has no masked loads.
    let few = segments.iter().all(|segment| segment.len() < 2 * I::BYTES);
    let depth = const { depth::<I>() }.min(ready).max(1);
    if const { I::SHUFFLE8_NATIVE && !I::CLMUL_NATIVE }
        && ready >= MOST
        && segments.iter().any(|segment| segment.len() >= shuffled::LEAST)
    {
        let isa = isa.narrow();
        for segment in segments {
            let (long, rest) = match segment.len() {
                0..shuffled::LEAST => (&[][..], *segment),
                n => segment.split_at(n / shuffled::ROUND * shuffled::ROUND),
            };
            if long.is_empty() {
                run::<I::Narrow, REVERSED>(isa, depth, powers, state, &[rest]);
            } else {
                let mut left = Secret([0; shuffled::ROUND]);
                shuffled::shrink::<I::Narrow, REVERSED>(isa, powers, state, long, &mut left.0);
                *state = [0; BLOCK];
                run::<I::Narrow, REVERSED>(isa, depth, powers, state, &[&left.0, rest]);
            }
        }
        return;
    }
    if const { !I::CLMUL_WIDE } || const { I::BYTES == 32 } && few {
        run::<I::Narrow, REVERSED>(isa.narrow(), depth, powers, state, segments);
    } else {
        run::<I, REVERSED>(isa, depth, powers, state, segments);
    }
}

#[inline(always)]
fn run<I: Isa, const REVERSED: bool>(
    isa: I,
    depth: usize,
    powers: &Powers,
    state: &mut [u8; BLOCK],
    segments: &[&[u8]],
) {
    let mut blocks = 0;
    for segment in segments {
        blocks += segment.len().div_ceil(BLOCK);
    }
    let mut y = isa.load128(state);
    let mut sum = Sum::zero(isa);
    // The power that the next block is multiplied by; 0 between two reductions.
    let mut next = 0;
    for segment in segments {
        let mut data = *segment;
        while !data.is_empty() {
            if next == 0 {
                while depth >= const { REGISTERS * I::BYTES / BLOCK }
                    && data.len() >= const { REGISTERS * I::BYTES }
                {
                    let (chunk, rest) = data.split_at(REGISTERS * I::BYTES);
                    y = whole::<I, REVERSED>(isa, powers, y, chunk);
                    data = rest;
                    blocks -= REGISTERS * I::BYTES / BLOCK;
                }
                if data.is_empty() {
                    break;
                }
                next = blocks.min(depth);
            }
            let (mut head, rest) = data.split_at(data.len().min(next * BLOCK));
            blocks -= head.len().div_ceil(BLOCK);
            while !head.is_empty() {
                let x = element::<I, REVERSED>(isa, isa.load_part(head));
                sum.add(isa, isa.xor(x, y), powers.factor(isa, next));
                y = isa.zero();
                let n = head.len().min(I::BYTES);
                next -= n.div_ceil(BLOCK);
                head = &head[n..];
            }
            data = rest;
            if next == 0 {
                y = isa.xor_groups(sum.reduce(isa));
                sum = Sum::zero(isa);
            }
        }
    }
    isa.store128(y, state);
}

/// As many whole blocks as there are powers.
#[inline(always)]
fn whole<I: Isa, const REVERSED: bool>(isa: I, powers: &Powers, y: I::V, chunk: &[u8]) -> I::V {
    let mut sum = Sum::zero(isa);
    for i in 0..REGISTERS {
        let mut x = element::<I, REVERSED>(isa, isa.load(&chunk[i * I::BYTES..]));
        if i == 0 {
            x = isa.xor(x, y);
        }
        sum.add(isa, x, powers.factor(isa, (REGISTERS - i) * I::BYTES / BLOCK));
    }
    isa.xor_groups(sum.reduce(isa))
}

const _: () =
    assert!(MOST * BLOCK >= REGISTERS * 64, "a power for every block of the longest register");
