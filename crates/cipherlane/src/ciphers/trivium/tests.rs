//! IVs of any number of bits, against the model; `Debug`.

use model::random::SplitMix64;
use std::vec;

use super::*;
use crate::error::Error;
use crate::secret::assert_silent;
#[cfg(feature = "alloc")]
use crate::traits::batch::{BatchCipher, Packet};
use crate::traits::stream::StreamCipher;

#[test]
fn an_iv_has_any_number_of_bits_up_to_80() {
    let mut random = SplitMix64::new(1);
    for bits in 0..=80 {
        let (key, mut iv) = (random.bytes(10), random.bytes(bits_to_bytes(bits)));
        if let Some(last) = iv.last_mut() {
            *last &= 0xff >> (bits.wrapping_neg() % 8);
        }
        let expected = model::trivium::keystream(&key, &iv, bits, 50);
        for level in Level::available() {
            let mut out = vec![0; 50];
            let mut cipher = Trivium::with_iv_bits(&key, &iv, bits, level).unwrap();
            cipher.keystream(&mut out).unwrap();
            assert_eq!(out, expected, "{bits} bits, {level}");
            cipher.reset_iv_bits(&iv, bits).unwrap();
            cipher.keystream(&mut out).unwrap();
            assert_eq!(out, expected, "{bits} bits, {level}, after a reset");
        }
    }
}

fn bits_to_bytes(bits: usize) -> usize {
    bits.div_ceil(8)
}

#[test]
fn what_is_no_iv_of_so_many_bits_is_refused() {
    let start = |iv: &[u8], bits| Trivium::with_iv_bits(&[1; 10], iv, bits, Level::best());
    let field = "iv's length in bits";
    let error = start(&[0; 11], 81).unwrap_err();
    assert_eq!(error, Error::Value { field, got: 81, min: 0, max: 80 });
    let error = start(&[0; 2], 17).unwrap_err();
    assert_eq!(error, Error::Length { field: "iv", got: 2, allowed: Sizes::exactly(3) });
    assert!(start(&[0xff, 0x01], 9).is_ok());
    let field = "unused bits of the iv's last byte";
    let error = start(&[0xff, 0x06], 9).unwrap_err();
    assert_eq!(error, Error::Value { field, got: 3, min: 0, max: 0 });
    let mut cipher = start(&[7; 10], 80).unwrap();
    assert!(cipher.reset_iv_bits(&[0xff], 7).is_err());
    let (mut got, mut expected) = ([0; 20], [0; 20]);
    cipher.keystream(&mut got).unwrap();
    start(&[7; 10], 80).unwrap().keystream(&mut expected).unwrap();
    assert_eq!(got, expected);
}

#[test]
fn debug_shows_no_secret() {
    assert_silent("Trivium", |key| {
        let mut cipher = Trivium::new(&key[..10], &[0; 10]).unwrap();
        cipher.apply(&mut [0; 5]).unwrap();
        cipher
    });
    #[cfg(feature = "alloc")]
    assert_silent("Trivium", |key| {
        let (mut data, mut batch) = ([0; 70], TriviumBatch::new().unwrap());
        let packet = Packet::new(&key[..10], &[1; 10], data.as_mut_slice().into());
        batch.apply(&mut [packet]).unwrap();
        batch
    });
}
