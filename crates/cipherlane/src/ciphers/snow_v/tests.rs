//! Known answers, splits and misuse, at every level.

use std::format;
use std::vec;
use std::vec::Vec;

use super::*;
use crate::secret::assert_silent;

fn hex(digits: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).expect("a hexadecimal digit") as u8;
    digits.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// The first blocks under zeros, of 2018/1143, 2021/236 and intel-ipsec-mb.
#[test]
fn the_three_give_their_first_blocks() {
    fn check<M: Member>(wanted: &str) {
        for level in Level::available() {
            let mut keystream = [0; 16];
            let mut snow = Snow::<M>::with_level(&[0; 32], &[0; 16], level).unwrap();
            snow.keystream(&mut keystream).unwrap();
            assert_eq!(keystream[..], hex(wanted), "{} at {level}", M::NAME);
        }
    }
    check::<OfSnowV>("69ca6daf9ae3b72db134a85a837e419d");
    check::<OfSnowVi>("501719e175e49fb741babf6ba5de60fe");
    check::<OfSnow5g>("95ce1961b4941273fbd92dcc7457d4eb");
}

#[test]
fn any_split_gives_the_same_bytes() {
    let data: Vec<u8> = (0..70u8).collect();
    for level in Level::available() {
        let start = || SnowV::with_level(&[0x5c; 32], &[0x36; 16], level).unwrap();
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
fn reset_starts_the_other_keystream_and_a_failed_one_changes_nothing() {
    for level in Level::available() {
        let mut cipher = Snow5g::with_level(&[9; 32], &[1; 16], level).unwrap();
        let (mut whole, mut again) = ([0; 90], [0; 90]);
        cipher.keystream(&mut whole).unwrap();
        cipher.reset(&[1; 16]).unwrap();
        cipher.keystream(&mut again[..33]).unwrap();
        assert!(cipher.reset(&[1; 15]).is_err());
        cipher.keystream(&mut again[33..]).unwrap();
        assert_eq!(whole, again, "{level}");
    }
}

/// Messages of all lengths together, under keys and IVs of their own, against one after another.
#[test]
fn batches_equal_single_messages_in_every_lane() {
    use crate::traits::batch::{BatchCipher, Packet};
    for level in Level::available() {
        for count in (1..20).chain([255, 256, 257, 300]) {
            let keys: Vec<[u8; 32]> = (0..count).map(|i| [i as u8; 32]).collect();
            let ivs: Vec<[u8; 16]> = (0..count).map(|i| [(i * 7) as u8 ^ 0x3c; 16]).collect();
            let mut data: Vec<Vec<u8>> = (0..count).map(|i| vec![7; i * 37 % 131]).collect();
            let mut packets: Vec<_> = data
                .iter_mut()
                .zip(keys.iter().zip(&ivs))
                .map(|(data, (key, iv))| Packet::new(key, iv, data.as_mut_slice().into()))
                .collect();
            SnowBatch::<OfSnowVi>::with_level(level).apply(&mut packets).unwrap();
            for (i, data) in data.iter().enumerate() {
                let mut alone = vec![7; data.len()];
                let mut snow = SnowVi::with_level(&keys[i], &ivs[i], level).unwrap();
                snow.apply(&mut alone).unwrap();
                assert_eq!(*data, alone, "{level}, message {i} of {count}");
            }
        }
    }
}

#[test]
fn wrong_sizes_are_named() {
    let error = |result: Result<SnowV, Error>| format!("{}", result.unwrap_err());
    assert_eq!(error(SnowV::new(&[0; 31], &[0; 16])), "key of 31 bytes; allowed: 32 bytes");
    assert_eq!(error(SnowV::new(&[0; 32], &[0; 12])), "iv of 12 bytes; allowed: 16 bytes");
}

#[test]
fn debug_shows_no_secret() {
    assert_silent("SnowV", |key| SnowV::new(&key[..32], &[0; 16]).unwrap());
    assert_silent("SnowGcm", |key| SnowVGcm::new(&key[..32]).unwrap());
    assert_silent("Nea4", |key| Nea4::new(&key[..32], &[0; 16]).unwrap());
    assert_silent("Nia4", |key| Nia4::new(&key[..32], &[0; 16]).unwrap());
    assert_silent("Nca4", |key| Nca4::new(&key[..32]).unwrap());
    assert_silent("SnowBatch", |_| SnowBatch::<OfSnowV>::new().unwrap());
    assert_silent("Nia4Batch", |_| Nia4Batch::new().unwrap());
    assert_silent("Nca4Batch", |_| Nca4Batch::seal().unwrap());
}
