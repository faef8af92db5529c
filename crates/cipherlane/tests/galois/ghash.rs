use cipherlane::Level;
use cipherlane::mac::ghash::{Ghash, Polyval};
use model::random::SplitMix64;

use crate::{bytes, lengths, pieces, refuses_length};

#[test]
fn published_vectors() {
    let files = vectors::all().unwrap();
    let file = files.iter().find(|file| file.algorithm == "ghash").unwrap();
    let mut count = 0;
    for test in file.groups.iter().flat_map(|group| &group.tests) {
        for level in Level::available() {
            let mut ghash = Ghash::with_level(bytes(&test.key), level).unwrap();
            ghash.update(bytes(&test.message));
            let tag = bytes(&test.tag);
            assert_eq!(ghash.finish()[..tag.len()], *tag, "{}, {level}", test.id);
        }
        count += 1;
    }
    assert!(count >= 4, "{count} tests");
}

#[test]
fn every_length_equals_the_model_at_every_level() {
    for level in Level::available() {
        for (seed, len) in lengths().enumerate() {
            let mut random = SplitMix64::new(seed as u64);
            let key: [u8; 16] = random.bytes(16).try_into().unwrap();
            let data = random.bytes(len);
            let mut ghash = Ghash::with_level(&key, level).unwrap();
            let mut polyval = Polyval::with_level(&key, level).unwrap();
            // Twice, the second time in pieces: an object starts anew after each hash.
            for cuts in [vec![len], pieces(&mut random, len)] {
                let mut data = &data[..];
                let (expected, reversed) =
                    (model::ghash::ghash(&key, data), model::ghash::polyval(&key, data));
                for n in &cuts {
                    let (head, rest) = data.split_at(*n);
                    ghash.update(head);
                    polyval.update(head);
                    data = rest;
                }
                assert_eq!(ghash.finish(), expected, "{len} bytes in {cuts:?}, {level}");
                assert_eq!(polyval.finish(), reversed, "{len} bytes in {cuts:?}, {level}");
            }
        }
    }
}

/// Keys of few and of many bits, where carries and reductions are extreme.
#[test]
fn extreme_keys_and_blocks_equal_the_model() {
    let words = [0, 1, u128::MAX, 1 << 127, 1 << 64, 1 << 63, u128::MAX << 64, 0xe1 << 120];
    for level in Level::available() {
        for key in words {
            let data: Vec<u8> = words.iter().chain(&words).flat_map(|x| x.to_be_bytes()).collect();
            let key = key.to_be_bytes();
            let mut ghash = Ghash::with_level(&key, level).unwrap();
            ghash.update(&data);
            assert_eq!(ghash.finish(), model::ghash::ghash(&key, &data), "{key:x?}, {level}");
            let mut polyval = Polyval::with_level(&key, level).unwrap();
            polyval.update(&data);
            assert_eq!(polyval.finish(), model::ghash::polyval(&key, &data), "{key:x?}, {level}");
        }
    }
}

#[test]
fn wrong_keys_are_refused_and_secrets_not_printed() {
    for len in (0..40).filter(|len| *len != 16) {
        assert!(refuses_length(Ghash::new(&vec![0; len]), "key", len));
        assert!(refuses_length(Polyval::new(&vec![0; len]), "key", len));
    }
    let level = Level::portable();
    let text = format!("{:?}", Ghash::with_level(&[0xa7; 16], level).unwrap());
    assert_eq!(text, "Ghash { level: \"portable\", .. }");
    let text = format!("{:?}", Polyval::with_level(&[0xa7; 16], level).unwrap());
    assert_eq!(text, "Polyval { level: \"portable\", .. }");
}
