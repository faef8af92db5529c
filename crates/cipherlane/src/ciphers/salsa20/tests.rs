//! Seeking and the end of the keystream.

use std::vec;
use std::vec::Vec;

use super::*;

fn key() -> Vec<u8> {
    (0..32).map(|i: u8| i.wrapping_mul(37).wrapping_add(5)).collect()
}

#[test]
fn any_place_is_what_a_run_from_the_start_gives_there() {
    for level in Level::available() {
        let mut whole = vec![0; 3000];
        Salsa20_12::with_level(&key(), &[9; 8], level).unwrap().keystream(&mut whole).unwrap();
        let mut cipher = Salsa20_12::with_level(&key(), &[9; 8], level).unwrap();
        for i in 0..400 {
            let (start, len) = (i * 983 % 1900, i * 61 % 1100);
            cipher.seek(start as u128).unwrap();
            assert_eq!(cipher.position(), start as u128, "{level}");
            let mut out = vec![0; len];
            cipher.keystream(&mut out).unwrap();
            assert!(out == whole[start..start + len], "{level}, {len} bytes from {start} on");
            assert_eq!(cipher.position(), (start + len) as u128, "{level}");
        }
    }
}

/// The counter's high word is used, in every lane past the carry, and by all formulations.
#[test]
fn counters_carry_into_the_high_word() {
    for level in Level::available() {
        for before in 0..20_u128 {
            let mut cipher = Salsa20_20::with_level(&key()[..16], &[3; 8], level).unwrap();
            let start = ((1 << 32) - before) * 64;
            cipher.seek(start).unwrap();
            let mut together = [0; 64 * 40];
            cipher.keystream(&mut together).unwrap();
            for (i, expected) in together.as_chunks::<64>().0.iter().enumerate() {
                let counter = (1 << 32) - before as u64 + i as u64;
                let mut input = [0; 16];
                key::expand(&key()[..16], &[3; 8], &mut input);
                assert_eq!(block::one(&input, counter, 20), *expected, "{level}, block {counter}");
            }
        }
    }
}

#[test]
fn the_keystream_ends_after_2_to_the_64_blocks() {
    let end = 1_u128 << 70;
    for level in Level::available() {
        let mut cipher = Salsa20_8::with_level(&key(), &[0; 8], level).unwrap();
        cipher.seek(end - 100).unwrap();
        let mut data = [7; 101];
        let refused =
            Error::Limit { what: "number of the last block under one key and IV", limit: u64::MAX };
        assert_eq!(cipher.apply(&mut data), Err(refused));
        assert_eq!((data, cipher.position()), ([7; 101], end - 100));
        cipher.apply(&mut data[..99]).unwrap();
        cipher.apply(&mut data[99..100]).unwrap();
        assert_eq!(cipher.position(), end);
        assert_eq!(cipher.apply(&mut data[..1]), Err(refused));
        assert_eq!(cipher.seek(end + 1), Err(refused));
        cipher.seek(end).unwrap();
        cipher.apply(&mut []).unwrap();
        assert_eq!(cipher.apply(&mut data[..1]), Err(refused));
        cipher.seek(0).unwrap();
        cipher.apply(&mut data[..1]).unwrap();
        cipher.seek(end).unwrap();
        cipher.reset(&[1; 8]).unwrap();
        assert_eq!(cipher.position(), 0);
    }
}
