//! Counters that carry over every byte boundary, 2^8 up to the block's own
//! width, at every position inside a tile, against the model.

use cipherlane::registry::{ALGORITHMS, New, Started, operation};
use cipherlane::{InOut, Level};
use model::all_cores::share_out;
use model::effort::stride;
use model::modes::ctr;
use model::random::SplitMix64;
use model::table;

/// Blocks in the widest tile.
const TILE: usize = 128;

/// A counter that carries into byte `edge` (counted from the right) after
/// `before + 1` blocks; the bytes left of the edge are random.
fn counter(random: &mut SplitMix64, block: usize, edge: usize, before: usize) -> Vec<u8> {
    let mut counter = random.bytes(block);
    counter[block - edge..].fill(0xff);
    let low = u64::MAX - before as u64;
    let low = &low.to_be_bytes()[8 - edge.min(8)..];
    counter[block - low.len()..].copy_from_slice(low);
    counter
}

#[test]
fn carries_at_every_position_of_a_tile_equal_the_model() {
    share_out(
        ALGORITHMS,
        || (),
        |(), algorithm| {
            let New::Block { block, new, .. } = algorithm.new else { return };
            let mut random = SplitMix64::new(3);
            let key = random.bytes(algorithm.key.max);
            let model = table::block_cipher(algorithm.name, &key).expect("a model");
            let ciphers: Vec<_> =
                Level::available().map(|level| new(&key, level).unwrap()).collect();
            for edge in 1..=block {
                // Every position in the first tile and the first ones in the second, each in
                // messages of several lengths, because the length chooses the formulation.
                for (before, more) in (0..TILE + 2)
                    .flat_map(|before| {
                        [1, 5, 23, 66, TILE + 3].map(|more| (before, more + before % 3))
                    })
                    .step_by(stride())
                {
                    let start = counter(&mut random, block, edge, before);
                    let data = random.bytes((before + more) * block + before % block);
                    let (expected, next) = ctr::crypt_and_count(&model.encrypt, &start, &data);
                    for cipher in &ciphers {
                        let place = || {
                            let (name, level) = (algorithm.name, cipher.level());
                            format!("{name}, {level}, 2^{} after {before}, {more} more", 8 * edge)
                        };
                        let mut count = start.clone();
                        let mut output = vec![0; data.len()];
                        cipher.ctr(InOut::disjoint(&data, &mut output).unwrap(), &mut count);
                        assert!(output == expected, "{}", place());
                        assert_eq!(count, next, "{}, the counter afterwards", place());
                    }
                }
            }
        },
    );
}

#[test]
fn streams_carry_between_pieces() {
    for algorithm in ALGORITHMS {
        let New::Block { block, new, .. } = algorithm.new else { continue };
        let Some(ctr) = operation(algorithm, "ctr").and_then(|it| it.block_mode()) else {
            continue;
        };
        for seed in 0..64 {
            let mut random = SplitMix64::new(seed);
            let key = random.bytes(algorithm.key.max);
            let model = table::block_cipher(algorithm.name, &key).expect("a model");
            for edge in [1, 2, 4, 8, 16].into_iter().filter(|&edge| edge <= block) {
                let before = random.below(12);
                let start = counter(&mut random, block, edge, before);
                let data = random.bytes(24 * block + 3);
                let expected = table::operation("ctr", &model, &start, &data).expect("a model");
                // One cut in the block before, the other in the one after the carry or later.
                let first = before * block + random.below(block + 1);
                let second = first + random.below(8 * block);
                for level in Level::available() {
                    let cipher = new(&key, level).unwrap();
                    let Started::Stream(mut stream) = (ctr.start)(&*cipher, &start).unwrap() else {
                        panic!("ctr takes any split of the data");
                    };
                    let mut out = data.clone();
                    let (head, rest) = out.split_at_mut(first);
                    let (middle, tail) = rest.split_at_mut(second - first);
                    for piece in [head, middle, tail] {
                        stream.apply(piece).unwrap();
                    }
                    let name = algorithm.name;
                    assert!(out == expected, "{name}, {level}, 2^{}, seed {seed}", 8 * edge);
                }
            }
        }
    }
}

#[test]
fn ctr_is_registered() {
    let of_blocks = ALGORITHMS.iter().filter(|it| it.block().is_some());
    assert!(of_blocks.clone().count() > 0);
    for algorithm in of_blocks {
        assert_eq!(operation(algorithm, "ctr").and_then(|ctr| ctr.inverse), Some("ctr"));
    }
}
