//! Known answers, splits, limits and misuse of the keystreams, at every level.

use std::format;
use std::vec;
use std::vec::Vec;

use super::*;
use crate::sizes::Sizes;

fn hex(digits: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).expect("a hexadecimal digit") as u8;
    digits.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// Checks keystream bytes from `offset` on, at every level.
fn check<M: Member>(key: &str, iv: &str, offset: usize, wanted: &str) {
    let wanted = hex(wanted);
    for level in Level::available() {
        let mut keystream = vec![0; offset + wanted.len()];
        let mut cipher = Zuc::<M>::start(&hex(key), &hex(iv), level, None).unwrap();
        cipher.keystream(&mut keystream).unwrap();
        assert_eq!(keystream[offset..], wanted, "key {key}, iv {iv}, {level}");
    }
}

/// 3GPP document 3 (TS 35.223), test sets 1 to 4.
#[test]
fn zuc_128_gives_the_published_keystreams() {
    let check = check::<Key128>;
    check(&"00".repeat(16), &"00".repeat(16), 0, "27bede74018082da");
    check(&"ff".repeat(16), &"ff".repeat(16), 0, "0657cfa07096398b");
    let (key, iv) = ("3d4c4be96a82fdaeb58f641db17b455b", "84319aa8de6915ca1f6bda6bfbd8c766");
    check(key, iv, 0, "14f1c2723279c419");
    let (key, iv) = ("4d320bfad4c285bfd6b8bd00f39d8b41", "52959daba0bf176ece2dc315049eb574");
    check(key, iv, 0, "ed4400e70633e5c5");
    check(key, iv, 7996, "7a574cdb");
}

/// The paper of 2018, and a set of intel-ipsec-mb whose IV bits all differ.
#[test]
fn zuc_256_gives_the_published_keystreams() {
    let check = check::<Key256Of2018>;
    let zeros = "58d03ad62e032ce2dafc683a39bdcb0352a2bc67f1b7de74163ce3a101ef5558\
        9639d75b95fa681b7f090df756391ccc903b7612744d544c17bc3fad8b163b08\
        21787c0b97775bb84943c6bbe8ad8afd";
    check(&"00".repeat(32), &"00".repeat(23), 0, zeros);
    check(&"00".repeat(32), &"00".repeat(25), 0, zeros);
    let ones = "3356cbaed1a1c18b6baa4ffe343f777c9e15128f251ab65b949f7b26ef7157f2\
        96dd2fa9df95e3ee7a5be02ec32ba585505af316c2f9ded27cdbd935e441ce11\
        15fd0a80bb7aef6768989416b8fac8c2";
    check(&"ff".repeat(32), &"ff".repeat(23), 0, ones);
    check(&"ff".repeat(32), &["ff".repeat(17), "3f".repeat(8)].concat(), 0, ones);
    let key = "92f927e8ab4846db2fa361367e89e117c9995763e0e44cce20038a9c9a44ca64";
    let keystream = "e414f92645c62e12b0e133f6a79622fb0fe0075c6ebe101b37e4f71c94cff173";
    check(key, "7d51fb42f87e62fa6025b92b4ed61c2ecc6c65181e9d04", 0, keystream);
    // The same IV, its last six bytes as eight values.
    let unpacked = "7d51fb42f87e62fa6025b92b4ed61c2ecc1b06141807293404";
    check(key, unpacked, 0, keystream);
}

/// A cell whose feedback is 0 modulo 2³¹ − 1 must become 2³¹ − 1. Some published
/// implementations let it become 0.
#[test]
fn a_feedback_of_zero_is_written_as_the_modulus() {
    const P: u64 = (1 << 31) - 1;
    let mut state: clock::State = core::array::from_fn(|i| 0x0123_4567 * (i as u32 + 1));
    let others = (u64::from(state[15]) << 15)
        + (u64::from(state[13]) << 17)
        + (u64::from(state[10]) << 21)
        + (u64::from(state[4]) << 20);
    // 257⁻¹ = 257^(P − 2), and P − 2 is all ones in binary but for bit 1.
    let inverse = (0..31).rev().fold(1, |power, bit| {
        let square = power * power % P;
        if bit == 1 { square } else { square * 257 % P }
    });
    state[0] = ((P - others % P) * inverse % P) as u32;
    assert_eq!((others + 257 * u64::from(state[0])) % P, 0);
    for level in Level::available() {
        let (mut after, mut data) = (state, [0; 64]);
        apply(level, &mut after, data.as_mut_slice().into(), &mut [0; 16]);
        assert_eq!(u64::from(after[0]), P, "{level}");
    }
}

#[test]
fn any_split_gives_the_same_bytes() {
    let data: Vec<u8> = (0..100u8).collect();
    for level in Level::available() {
        let start = || Zuc128::with_level(&[0x5c; 16], &[0x36; 16], level).unwrap();
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
fn in_place_equals_buffer_to_buffer_and_twice_is_nothing() {
    for level in Level::available() {
        let start = || Zuc256::with_level(&[0x5c; 32], &[0x06; 25], level).unwrap();
        for len in 0..=4 * 64 + 1 {
            let data: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let (mut inside, mut outside) = (data.clone(), vec![0xaa; len]);
            start().apply(&mut inside).unwrap();
            start().apply_to(&data, &mut outside).unwrap();
            assert_eq!(inside, outside, "{level}, {len} bytes");
            start().apply(&mut inside).unwrap();
            assert_eq!(inside, data, "{level}, {len} bytes");
        }
        let error = start().apply_to(&[0; 5], &mut [0; 4]);
        assert_eq!(error, Err(Error::OutputLength { got: 4, needed: 5 }));
    }
}

#[test]
fn reset_starts_the_other_keystream() {
    for level in Level::available() {
        let mut cipher = Zuc256::with_level(&[9; 32], &[1; 25], level).unwrap();
        cipher.apply(&mut [0; 33]).unwrap();
        assert!(cipher.reset(&[2; 24]).is_err());
        cipher.reset(&[2; 23]).unwrap();
        let (mut again, mut fresh) = ([0; 2500], [0; 2500]);
        cipher.keystream(&mut again).unwrap();
        Zuc256::with_level(&[9; 32], &[2; 23], level).unwrap().keystream(&mut fresh).unwrap();
        assert_eq!(again, fresh, "{level}");
    }
}

#[test]
fn a_failed_reset_changes_nothing() {
    let start = || Zuc128::new(&[1; 16], &[2; 16]).unwrap();
    let (mut whole, mut cipher, mut pieces) = ([0; 40], start(), [0; 40]);
    start().apply(&mut whole).unwrap();
    cipher.apply(&mut pieces[..13]).unwrap();
    let allowed = Sizes::exactly(16);
    assert_eq!(cipher.reset(&[2; 15]), Err(Error::Length { field: "iv", got: 15, allowed }));
    cipher.apply(&mut pieces[13..]).unwrap();
    assert_eq!(pieces, whole);
}

#[test]
fn the_limit_of_20_000_bits_holds_and_nothing_is_written_past_it() {
    let what = "keystream bytes under one key and IV";
    let past = Err(Error::Limit { what, limit: 2500 });
    let mut cipher = Zuc256::new(&[3; 32], &[4; 23]).unwrap();
    cipher.apply(&mut [0; 2400]).unwrap();
    let mut data = [0x77; 101];
    assert_eq!(cipher.apply(&mut data), past);
    assert_eq!(data, [0x77; 101]);
    cipher.apply(&mut data[..100]).unwrap();
    assert_eq!(cipher.apply(&mut data[..1]), past);
    cipher.apply(&mut []).unwrap();
    cipher.reset(&[4; 23]).unwrap();
    cipher.apply(&mut [0; 2500]).unwrap();
    assert_eq!(cipher.apply(&mut [0; 1]), past);

    let mut unlimited = Zuc256::unlimited(&[3; 32], &[4; 23], Level::best()).unwrap();
    let mut long = vec![0; 9000];
    unlimited.apply(&mut long).unwrap();
    assert_eq!(long[2400..2500], data.map(|byte| byte ^ 0x77)[..100]);
    unlimited.reset(&[4; 23]).unwrap();
    unlimited.apply(&mut long).unwrap();
    assert_eq!(long, vec![0; 9000]);
}

#[test]
fn wrong_sizes_and_values_are_named() {
    let error = |result: Result<Zuc256, Error>| format!("{}", result.unwrap_err());
    assert_eq!(error(Zuc256::new(&[0; 31], &[0; 23])), "key of 31 bytes; allowed: 32 bytes");
    let sizes = "allowed: 23 to 25 in steps of 2 bytes";
    assert_eq!(error(Zuc256::new(&[0; 32], &[0; 24])), format!("iv of 24 bytes; {sizes}"));
    assert_eq!(error(Zuc256::new(&[0; 32], &[])), format!("iv of 0 bytes; {sizes}"));
    assert!(Zuc128::new(&[0; 17], &[0; 16]).is_err());
    assert!(Zuc128::new(&[0; 16], &[0; 25]).is_err());
    for place in 0..25 {
        let mut iv = [63; 25];
        iv[place] = 64;
        let result = Zuc256::new(&[0; 32], &iv);
        if place < 17 {
            assert!(result.is_ok());
        } else {
            assert_eq!(error(result), format!("iv[{place}] is 64; allowed: 0 to 63"));
        }
    }
}

#[test]
fn debug_shows_no_secret() {
    let cipher = Zuc128::with_level(&[0xa5; 16], &[0x5a; 16], Level::portable()).unwrap();
    assert_eq!(format!("{cipher:?}"), "Zuc { level: Portable(Portable), .. }");
}
