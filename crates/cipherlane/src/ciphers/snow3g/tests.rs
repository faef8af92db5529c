//! Known answers, splits and misuse, at every level.

use std::vec;
use std::vec::Vec;

use super::*;
use crate::air::{Bearer, Count, Direction, Order, uia2_iv};
use crate::secret::assert_silent;
use crate::traits::mac::Mac;

const KEY: [u8; 16] = 0x4881_ff48_952c_4910_82c5_b300_2bd6_459f_u128.to_be_bytes();
const IV: [u8; 16] = 0x1c0b_f45f_df1f_9b25_ad5c_4d84_ea02_4714_u128.to_be_bytes();

/// TS 35.217, SNOW 3G test set 1.
#[test]
fn the_published_keystream_comes_out_at_every_level() {
    for level in Level::available() {
        let mut out = [0; 8];
        Snow3g::with_level(&KEY, &IV, level).unwrap().keystream(&mut out).unwrap();
        assert_eq!(out, [0xab, 0xee, 0x97, 0x04, 0x7a, 0xc3, 0x13, 0x73], "{level}");
    }
}

#[test]
fn any_split_gives_the_same_bytes() {
    let data: Vec<u8> = (0..100u8).collect();
    for level in Level::available() {
        let start = || Snow3g::with_level(&KEY, &IV, level).unwrap();
        let mut whole = data.clone();
        start().apply(&mut whole).unwrap();
        for a in 0..=data.len() {
            for b in a..=data.len() {
                let (mut cipher, mut pieces) = (start(), data.clone());
                for range in [0..a, a..b, b..data.len()] {
                    cipher.apply(&mut pieces[range]).unwrap();
                }
                assert_eq!(pieces, whole, "{level}, cut at {a} and {b}");
            }
        }
    }
}

#[test]
fn a_tag_is_the_same_however_its_bits_are_cut() {
    let message: Vec<u8> = (0..200u32).map(|i| (i * 37 + 11) as u8).collect();
    let part = |start: usize, bits: usize| -> Vec<u8> {
        let bit = |i: usize| message[i / 8] >> (7 - i % 8) & 1;
        let byte = |at: usize| {
            (at..(at + 8).min(start + bits)).fold(0, |b, i| b | bit(i) << (7 - (i - at)))
        };
        (start..start + bits).step_by(8).map(byte).collect()
    };
    for level in Level::available() {
        for bits in [1, 7, 8, 63, 64, 65, 127, 129, 511, 512, 1599] {
            let mut mac = Uia2Mac::with_level(&KEY, &IV, level).unwrap();
            mac.update_bits(&message, bits as u64).unwrap();
            let (mut whole, mut tag) = ([0; 4], [0; 4]);
            mac.finish(&mut whole).unwrap();
            for step in [1, 3, 8, 13, 64, 77, 600] {
                mac.reset(&IV).unwrap();
                for start in (0..bits).step_by(step) {
                    let count = step.min(bits - start);
                    mac.update_bits(&part(start, count), count as u64).unwrap();
                }
                mac.finish(&mut tag).unwrap();
                assert_eq!(tag, whole, "{bits} bits by {step} at {level}");
            }
        }
    }
}

#[test]
fn both_orders_open_what_they_seal_and_nothing_else() {
    let frame = crate::air::Frame::new(Count(9), Bearer::new(3).unwrap(), Direction::Downlink);
    let keys: Vec<u8> = (0..32).collect();
    for level in Level::available() {
        for order in [Order::EncryptThenMac, Order::MacThenEncrypt] {
            let both = Nea1Nia1::with_level(&keys, order, level).unwrap();
            for len in [0, 1, 15, 40, 200] {
                let plain = vec![0x5a; len];
                let (mut data, mut tag) = (plain.clone(), [0; 4]);
                both.seal(frame, b"head", (&mut data[..]).into(), &mut tag).unwrap();
                let mut wrong = tag;
                wrong[3] ^= 1;
                let mut refused = data.clone();
                let answer = both.open(frame, b"head", (&mut refused[..]).into(), &wrong);
                assert_eq!(answer, Err(Error::Authentication));
                assert_eq!(refused, vec![0; len]);
                both.open(frame, b"head", (&mut data[..]).into(), &tag).unwrap();
                assert_eq!(data, plain, "{level}, {len} bytes");
            }
        }
    }
}

#[test]
fn wrong_lengths_are_named() {
    let of = |field, got| Some(Error::Length { field, got, allowed: SIXTEEN });
    assert_eq!(Snow3g::new(&[0; 15], &IV).err(), of("key", 15));
    assert_eq!(Snow3g::new(&KEY, &[0; 17]).err(), of("iv", 17));
    assert_eq!(Uia2Mac::new(&KEY, &[]).err(), of("iv", 0));
    let bearer = Bearer::new(0).unwrap();
    let nia1 = || Nia1::new(&KEY, Count(0), bearer, Direction::Uplink).unwrap();
    assert!(matches!(nia1().mac(&[0; 2], 8), Err(Error::Value { .. })));
    assert!(matches!(nia1().mac(&[], 0), Err(Error::Value { .. })));
    let nea1 = Nea1::new(&KEY, Count(0), bearer, Direction::Uplink).unwrap();
    assert!(matches!(nea1.apply((&mut [0; 2][..]).into(), 17), Err(Error::Value { .. })));
}

#[test]
fn fresh_is_what_bearer_stands_for() {
    let (count, bearer) = (Count(7), Bearer::new(19).unwrap());
    let frame = crate::air::Frame::new(count, bearer, Direction::Downlink);
    assert_eq!(frame.nia1_iv(), uia2_iv(count, 19 << 27, Direction::Downlink));
}

#[test]
fn debug_shows_no_secret() {
    let level = Level::portable();
    assert_silent("Snow3g", |key| Snow3g::with_level(&key[..16], &IV, level).unwrap());
    assert_silent("Uia2Mac", |key| Uia2Mac::with_level(&key[..16], &IV, level).unwrap());
    let frame = crate::air::Frame::from_numbers(1, 2, 0).unwrap();
    assert_silent("Nea1", |key| Nea1::with_level(&key[..16], frame, level).unwrap());
    assert_silent("Nia1", |key| Nia1::with_level(&key[..16], frame, level).unwrap());
    let order = Order::EncryptThenMac;
    assert_silent("Nea1Nia1", |key| Nea1Nia1::with_level(&key[..32], order, level).unwrap());
    assert_silent("Snow3gBatch", |_| Snow3gBatch::with_level(level));
    assert_silent("Uia2Batch", |_| Uia2Batch::with_level(level));
    assert_silent("Nea1Nia1Batch", |_| Nea1Nia1Batch::with_level(false, level));
}
