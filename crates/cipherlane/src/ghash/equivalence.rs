//! Products in the field on the whole basis, and sums of as many blocks as share a reduction.

use std::time::Instant;
use std::vec::Vec;

use lanes::Level;
use model::effort::stride;

use super::{BLOCK, Key, powers};
use crate::equivalence::shown;

type Block = [u8; BLOCK];

fn unit(bit: usize) -> Block {
    (1u128 << bit).to_le_bytes()
}

fn hash<const REVERSED: bool>(key: &Key<REVERSED>, data: &[u8]) -> Block {
    let mut state = Key::<REVERSED>::start();
    key.absorb(&mut state, &[data]);
    Key::<REVERSED>::hash(&state)
}

fn product<const REVERSED: bool>(a: &Block, b: &Block) -> Block {
    if REVERSED { model::ghash::multiply(a, b) } else { model::ghash::dot(a, b) }
}

/// Every product of two units; both arguments are told from each other by the place they stand in.
fn units<const REVERSED: bool>(part: &str) {
    let wanted: Vec<Block> =
        (0..128 * 128).map(|i| product::<REVERSED>(&unit(i % 128), &unit(i / 128))).collect();
    for level in Level::available() {
        let begin = Instant::now();
        let mut cases = 0;
        for (h, wanted) in wanted.chunks(128).enumerate().step_by(stride()) {
            let key = Key::<REVERSED>::new(&unit(h), level);
            for (x, wanted) in wanted.iter().enumerate() {
                assert_eq!(&hash(&key, &unit(x)), wanted, "{part}: {x} times {h} at {level}");
                cases += 1;
            }
        }
        shown(part, level, cases, begin);
    }
}

/// A unit in each of up to as many blocks as there are powers, and two more, under a key with powers
/// that have all bits; then all blocks at once, whose hash is the sum.
fn sums<const REVERSED: bool>(part: &str) {
    let h = 0x6b86_b273_ff34_fce1_9d6b_804e_ff5a_3f57_u128.to_le_bytes();
    // Of every unit the products with H, H², …
    let mut products: Vec<Vec<Block>> = std::vec![(0..128).map(unit).collect()];
    for _ in 0..powers::MOST + 2 {
        let next = products[products.len() - 1].iter().map(|x| product::<REVERSED>(x, &h));
        products.push(next.collect());
    }
    for level in Level::available() {
        let begin = Instant::now();
        let mut cases = 0;
        let mut key = Key::<REVERSED>::new(&h, level);
        key.make_ready(powers::MOST);
        for blocks in (1..=powers::MOST + 2).step_by(stride()) {
            let mut all = std::vec![0; blocks * BLOCK];
            let mut sum = 0;
            for place in 0..blocks {
                for bit in 0..128 {
                    let mut data = std::vec![0; blocks * BLOCK];
                    data[place * BLOCK..][..BLOCK].copy_from_slice(&unit(bit));
                    let wanted = products[blocks - place][bit];
                    assert_eq!(hash(&key, &data), wanted, "{part}: {place} of {blocks} at {level}");
                    cases += 1;
                    if (bit * 7 + place) % 3 == 0 {
                        all[place * BLOCK + bit / 8] |= 1 << (bit % 8);
                        sum ^= u128::from_ne_bytes(wanted);
                    }
                }
            }
            assert_eq!(hash(&key, &all), sum.to_ne_bytes(), "{part}: {blocks} at {level}");
        }
        shown(part, level, cases, begin);
    }
}

#[test]
fn equivalence_of_products() {
    units::<true>("GHASH, products of units");
    units::<false>("POLYVAL, products of units");
}

#[test]
fn equivalence_of_shared_reductions() {
    sums::<true>("GHASH, sums under one reduction");
    sums::<false>("POLYVAL, sums under one reduction");
}
