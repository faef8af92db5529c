//! Random inputs against the transcriptions of the standards in `crates/model`.
//! Every assertion tells its seed.

use cipherlane::registry::{ALGORITHMS, Algorithm, New, operations};
use cipherlane::{InOut, Level, Sizes};
use model::effort::{inputs, stride};
use model::random::SplitMix64;
use model::table;

fn length(random: &mut SplitMix64, Sizes { min, max, step, .. }: Sizes) -> usize {
    random.length(min, max, step)
}

fn key(random: &mut SplitMix64, algorithm: &Algorithm) -> Vec<u8> {
    let len = length(random, algorithm.key);
    random.bytes(len)
}

#[test]
fn every_mode_of_every_block_cipher_equals_the_model() {
    for algorithm in ALGORITHMS {
        let New::Block { block, new, .. } = algorithm.new else { continue };
        for operation in operations(algorithm) {
            let Some(mode) = operation.block_mode() else { continue };
            for seed in (0..inputs(40)).step_by(stride()) {
                let mut random = SplitMix64::new(seed);
                let key = key(&mut random, algorithm);
                let iv = length(&mut random, operation.iv);
                let iv = random.bytes(iv);
                let unit = if operation.whole_blocks() { block } else { 1 };
                // A bit of CFB-1 costs a block.
                let most = if operation.name.starts_with("cfb1") { 200 } else { 9000 };
                let len = random.below(most / unit) * unit;
                let data = random.bytes(len);

                let cipher = table::block_cipher(algorithm.name, &key)
                    .unwrap_or_else(|| panic!("crates/model has no {}", algorithm.name));
                let expected = table::operation(operation.name, &cipher, &iv, &data)
                    .unwrap_or_else(|| panic!("crates/model has no {}", operation.name));
                for level in Level::available() {
                    let place =
                        format!("{}/{}, {level}, seed {seed}", algorithm.name, operation.name);
                    let cipher = new(&key, level).unwrap();
                    assert_eq!(cipher.level(), level, "{place}");
                    let mut in_place = data.clone();
                    (mode.message)(&*cipher, &iv, in_place.as_mut_slice().into()).unwrap();
                    assert_eq!(in_place, expected, "{place}, {len} bytes in place");
                    let mut output = vec![0; len];
                    let io = InOut::disjoint(&data, &mut output).unwrap();
                    (mode.message)(&*cipher, &iv, io).unwrap();
                    assert_eq!(output, expected, "{place}, {len} bytes buffer to buffer");
                }
            }
        }
    }
}

#[test]
fn every_stream_cipher_equals_the_model() {
    for algorithm in ALGORITHMS {
        let New::Stream { iv: iv_sizes, new, limit, .. } = algorithm.new else { continue };
        for seed in (0..inputs(40)).step_by(stride()) {
            let mut random = SplitMix64::new(seed);
            let key = key(&mut random, algorithm);
            let iv = length(&mut random, iv_sizes);
            let iv = table::random_iv(algorithm.name, &mut random, iv);
            let len = random.below(limit.unwrap_or(4000).min(4000) as usize + 1);
            let data = random.bytes(len);

            let mut expected = table::keystream(algorithm.name, &key, &iv, len)
                .unwrap_or_else(|| panic!("crates/model has no {}", algorithm.name));
            expected.iter_mut().zip(&data).for_each(|(byte, data)| *byte ^= data);
            for level in Level::available() {
                let place = format!("{}, {level}, seed {seed}, {len} bytes", algorithm.name);
                let mut in_place = data.clone();
                let mut stream = new(&key, &iv, level).unwrap();
                assert_eq!(stream.level(), level, "{place}");
                stream.apply(&mut in_place).unwrap();
                assert_eq!(in_place, expected, "{place} in place");
                let mut output = vec![0; len];
                stream.reset(&iv).unwrap();
                stream.apply_to(&data, &mut output).unwrap();
                assert_eq!(output, expected, "{place} buffer to buffer after a reset");
            }
        }
    }
}

fn xored(mut data: Vec<u8>, mask: Option<&[u8]>) -> Vec<u8> {
    if let Some(mask) = mask {
        data.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
    }
    data
}

#[test]
fn blocks_with_and_without_masks_equal_the_model() {
    for algorithm in ALGORITHMS {
        let New::Block { block, new, .. } = algorithm.new else { continue };
        // All counts up to past two of the widest tiles, so that every shape of
        // what is left behind whole tiles comes up.
        for count in (0..=270).step_by(stride()) {
            let mut random = SplitMix64::new(count as u64);
            let key = key(&mut random, algorithm);
            let mut bytes = || random.bytes(count * block);
            let (data, pre, post) = (bytes(), bytes(), bytes());
            let cipher = table::block_cipher(algorithm.name, &key).expect("a model");
            for masks in 0..4 {
                let pre = (masks & 1 != 0).then_some(&*pre);
                let post = (masks & 2 != 0).then_some(&*post);
                for decrypt in [false, true] {
                    let function = if decrypt { &cipher.decrypt } else { &cipher.encrypt };
                    let input = xored(data.clone(), pre);
                    let expected = input.chunks(block).flat_map(function).collect();
                    let expected: Vec<u8> = xored(expected, post);
                    for level in Level::available() {
                        let cipher = new(&key, level).unwrap();
                        let run = |io: InOut<'_>| match decrypt {
                            false => cipher.encrypt_blocks(io, pre, post),
                            true => cipher.decrypt_blocks(io, pre, post),
                        };
                        let place = format!(
                            "{}, {level}, {count} blocks, masks {masks:02b}, decrypt: {decrypt}",
                            algorithm.name
                        );
                        let mut in_place = data.clone();
                        run(in_place.as_mut_slice().into());
                        assert_eq!(in_place, expected, "{place}, in place");
                        let mut output = vec![0; data.len()];
                        run(InOut::disjoint(&data, &mut output).unwrap());
                        assert_eq!(output, expected, "{place}, buffer to buffer");
                    }
                }
            }
        }
    }
}

#[test]
fn single_blocks_equal_the_model() {
    for algorithm in ALGORITHMS {
        let New::Block { block, new, .. } = algorithm.new else { continue };
        for seed in (0..inputs(300)).step_by(stride()) {
            let mut random = SplitMix64::new(seed);
            let key = key(&mut random, algorithm);
            let data = random.bytes(block);
            let expected = table::block_cipher(algorithm.name, &key).expect("a model");
            for level in Level::available() {
                let cipher = new(&key, level).unwrap();
                let mut out = data.clone();
                cipher.encrypt_block(&mut out);
                let place = format!("{}, {level}, seed {seed}", algorithm.name);
                assert_eq!(out, (expected.encrypt)(&data), "{place}, encryption");
                out.copy_from_slice(&data);
                cipher.decrypt_block(&mut out);
                assert_eq!(out, (expected.decrypt)(&data), "{place}, decryption");
            }
        }
    }
}
