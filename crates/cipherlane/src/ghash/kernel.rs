//! The loops over blocks: sums of block times power, reduced once for many blocks.

use lanes::Isa;

use super::BLOCK;
use super::field::{Sum, element};
use super::powers::{EARLY, MOST, Powers, REGISTERS, View, early_depth};
use super::shuffled;
use crate::secret::Secret;

/// `a·b·x^-128` of two elements.
#[cfg(feature = "_air256")]
#[inline(always)]
pub(super) fn dot<I: Isa>(isa: I, a: &[u8; BLOCK], b: &[u8; BLOCK]) -> [u8; BLOCK] {
    use lanes::Registers as _;

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
    // A wider register than there are blocks for is put together of parts, and a masked load waits
    // for what was stored just before.
    let few = match const { I::BYTES } {
        64 => segments.iter().map(|segment| segment.len().div_ceil(BLOCK)).sum::<usize>() <= 2,
        bytes => segments.iter().all(|segment| segment.len() < 2 * bytes),
    };
    let depth = ready.min(const { early_depth::<I>() }).max(1);
    if const { I::SHUFFLE8_NATIVE && !I::CLMUL_NATIVE }
        && ready == usize::MAX
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
                shuffled::shrink::<I::Narrow, REVERSED>(
                    isa,
                    powers.early(),
                    state,
                    long,
                    &mut left.0,
                );
                *state = [0; BLOCK];
                run::<I::Narrow, REVERSED>(isa, depth, powers, state, &[&left.0, rest]);
            }
        }
        return;
    }
    if const { !I::CLMUL_WIDE } || const { I::BYTES >= 32 } && few {
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
    let early = (powers.early(), depth);
    // With more powers what is left behind whole registers takes one reduction, too.
    let (powers, depth) = if const { REGISTERS * I::BYTES / BLOCK > EARLY } {
        powers.more().unwrap_or(early)
    } else {
        early
    };
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
                let before = data.len();
                if depth >= const { REGISTERS * I::BYTES / BLOCK } {
                    (y, data) = wholes::<I, REGISTERS, REVERSED>(isa, powers, y, data);
                } else if const { HALF * I::BYTES / BLOCK >= EARLY }
                    && depth >= const { HALF * I::BYTES / BLOCK }
                {
                    (y, data) = wholes::<I, HALF, REVERSED>(isa, powers, y, data);
                } else if const { HALF * I::BYTES / BLOCK > EARLY } && depth >= EARLY {
                    (y, data) = wholes::<I, { HALF / 2 }, REVERSED>(isa, powers, y, data);
                }
                blocks -= (before - data.len()) / BLOCK;
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

/// Half as many registers: those that the early powers of registers of 32 bytes are for.
const HALF: usize = REGISTERS / 2;

/// Whole registers, of which `U` share a reduction; returns what is left of the data.
#[inline(always)]
pub(crate) fn wholes<'d, I: Isa, const U: usize, const REVERSED: bool>(
    isa: I,
    powers: View<'_>,
    mut y: I::V,
    mut data: &'d [u8],
) -> (I::V, &'d [u8]) {
    let powers = powers.from(const { U * I::BYTES / BLOCK });
    while data.len() >= const { U * I::BYTES } {
        let (chunk, rest) = data.split_at(U * I::BYTES);
        let mut sum = Sum::zero(isa);
        // The first register waits for the hash before, so it comes last.
        for i in 1..=U {
            let i = i % U;
            let mut x = element::<I, REVERSED>(isa, isa.load(&chunk[i * I::BYTES..]));
            if i == 0 {
                x = isa.xor(x, y);
            }
            sum.add(isa, x, powers.factor_at(isa, i * I::BYTES));
        }
        y = isa.xor_groups(sum.reduce(isa));
        data = rest;
    }
    (y, data)
}

const _: () =
    assert!(MOST * BLOCK >= REGISTERS * 64, "a power for every block of the longest register");
const _: () = assert!(EARLY == REGISTERS, "whole tiles of the shortest register");
const _: () = assert!(EARLY * BLOCK == HALF / 2 * 64, "whole tiles of the longest register");
