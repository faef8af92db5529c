//! IVs of any number of bits, against the model; the order of the sequences.

use model::random::SplitMix64;
use std::vec;

use super::parameters::{Parameters, Stages, bit};
use super::*;
use crate::error::Error;
use crate::traits::stream::StreamCipher;

fn any_iv<G: Generator>(p: &model::mickey::Parameters) {
    let mut random = SplitMix64::new(1);
    for bits in 0..=8 * G::IV.max {
        let (key, mut iv) = (random.bytes(G::KEY.max), random.bytes(bits.div_ceil(8)));
        if let Some(last) = iv.last_mut() {
            *last &= 0xff << (bits.wrapping_neg() % 8);
        }
        let expected = model::mickey::keystream(p, &key, &iv, bits, 20);
        for level in Level::available() {
            let mut out = vec![0; 20];
            let mut cipher = Keystream::<G>::with_iv_bits(&key, &iv, bits, level).unwrap();
            cipher.keystream(&mut out).unwrap();
            assert_eq!(out, expected, "{}, {bits} bits, {level}", G::NAME);
        }
    }
    let last = G::IV.max;
    let start = |iv: &[u8], bits| Keystream::<G>::with_iv_bits(&key(last), iv, bits, Level::best());
    assert!(matches!(start(&[0; 20], 8 * last + 1), Err(Error::Value { .. })));
    assert!(matches!(start(&[0; 2], 17), Err(Error::Length { got: 2, .. })));
    assert!(start(&[1, 0x80], 9).is_ok());
    let field = "unused bits of the iv's last byte";
    let refused = start(&[1, 0xc0], 9).unwrap_err();
    assert_eq!(refused, Error::Value { field, got: 0x40, min: 0, max: 0 });
}

fn key(len: usize) -> vec::Vec<u8> {
    vec![5; len]
}

#[test]
fn an_iv_has_any_number_of_bits() {
    any_iv::<Of80>(&model::mickey::MICKEY_2);
    any_iv::<Of128>(&model::mickey::MICKEY_128_2);
}

fn the_same<P: Parameters>(p: &model::mickey::Parameters) {
    let tables: [(&Stages, &str); 5] = [
        (&P::R_TAPS, p.r_taps),
        (&P::COMP0, p.comp0),
        (&P::COMP1, p.comp1),
        (&P::FB0, p.fb0),
        (&P::FB1, p.fb1),
    ];
    for (ours, printed) in tables {
        for i in 0..192 {
            let wanted = printed.as_bytes().get(i).is_some_and(|&digit| digit == b'1');
            assert_eq!(bit(ours, i), wanted, "stage {i}");
        }
    }
}

#[test]
fn the_sequences_are_those_of_the_model() {
    the_same::<P100>(&model::mickey::MICKEY_2);
    the_same::<P160>(&model::mickey::MICKEY_128_2);
}

/// The last test of the designers: key and IV from the keystream, a thousand times.
#[test]
fn a_thousand_keys_from_the_keystream_of_the_one_before() {
    for level in Level::available() {
        let mut next = [0; 14];
        let first = [0x82, 0xac, 0xb3, 0x8c, 0x5d, 0x7a, 0x3c, 0x78, 0xd9, 0x8f];
        let mut cipher = Mickey2::with_level(&first, &[], level).unwrap();
        for _ in 0..1000 {
            cipher.keystream(&mut next).unwrap();
            cipher = Mickey2::with_level(&next[..10], &next[10..], level).unwrap();
        }
        let mut out = [0; 16];
        cipher.keystream(&mut out).unwrap();
        let files = vectors::embedded().unwrap();
        let tests = files.iter().filter(|file| file.algorithm == "mickey2");
        let mut tests = tests.flat_map(|file| &file.groups).flat_map(|group| &group.tests);
        let test = tests.find(|test| test.procedure.is_some()).unwrap();
        let published = &test.keystream.as_ref().unwrap()[0];
        assert_eq!((published.offset, &*published.bytes), (0, &out[..]), "{level}");
    }
}
