//! What reading takes besides what writing makes, and what it keeps from one value to the next.

mod common;

use std::time::{Duration, Instant};

use common::{Numbers, settings};
use dialects::{Codec, Coding, Drawn, Error, Outcome, Settings, all, find};

#[test]
fn digits_of_postgresql_may_have_their_mark_and_those_of_others_may_not() {
    let mut numbers = Numbers(31);
    let (mut taken, mut refused) = (Vec::new(), 0);
    for dialect in all() {
        let mode = &dialect.modes()[0];
        let given = settings(dialect, mode, &mut numbers);
        for &coding in dialect.codings() {
            let settings = Settings { coding: Some(coding), ..given.settings(mode) };
            let codec = dialect.prepare(&settings).unwrap();
            let mut marked = br"\x".to_vec();
            codec.encrypt(b"some text of no length in particular", &mut marked).unwrap();
            let mut out = b"before".to_vec();
            let read = codec.decrypt(&marked, &mut out);
            let what = || format!("{} {coding:?}", dialect.name());
            if read.is_ok() {
                assert_eq!(out, b"beforesome text of no length in particular", "{}", what());
                taken.push((dialect.name(), coding));
                continue;
            }
            assert_eq!(out, b"before", "{}", what());
            refused += 1;
            if !matches!(codec.coding(), Coding::Raw) {
                let error = read.unwrap_err();
                assert!(matches!(error, Error::Coding { .. }), "{}: {error}", what());
            }
        }
    }
    let digits = [Coding::Hex, Coding::HexUpper];
    let expected = ["kingbase-sm4", "pgcrypto-aes"];
    let expected: Vec<_> =
        expected.iter().flat_map(|name| digits.map(|coding| (*name, coding))).collect();
    assert_eq!(taken, expected);
    assert!(refused > 20, "{refused}");
}

#[test]
fn the_mark_is_that_of_postgresql_alone_and_stands_once() {
    let settings = Settings { coding: Some(Coding::Hex), ..Settings::new(b"key") };
    let codec = find("pgcrypto-aes").unwrap().prepare(&settings).unwrap();
    let mut stored = Vec::new();
    codec.encrypt(b"text", &mut stored).unwrap();
    let text = String::from_utf8(stored).unwrap();
    let read = |text: String| codec.decrypt(text.as_bytes(), &mut Vec::new());
    assert_eq!(read(text.clone()), Ok(Outcome::Value));
    assert_eq!(read(format!(r"\x{text}")), Ok(Outcome::Value));
    for mark in [r"\X", "0x", r"\\x", r"\x\x", r" \x", "x"] {
        let error = read(format!("{mark}{text}")).unwrap_err();
        assert!(matches!(error, Error::Coding { field: "stored value", .. }), "{mark}: {error}");
    }
    assert!(matches!(read(r"\x".to_owned()), Err(Error::Stored { got: 0, .. })));
}

/// Values whose salts are those numbers.
fn values(codec: &Codec, salts: &[u8]) -> Vec<Vec<u8>> {
    let write = |salt: &u8| {
        let mut stored = Vec::new();
        let mut draw = |drawn: Drawn, bytes: &mut [u8]| {
            bytes.fill(if drawn == Drawn::Salt { *salt } else { 7 });
            Ok(())
        };
        codec.encrypt_with(&[b'a' + salt % 26; 20], &mut stored, &mut draw).unwrap();
        stored
    };
    salts.iter().map(write).collect()
}

fn check(codec: &Codec, salts: &[u8], values: &[Vec<u8>]) -> Duration {
    let start = Instant::now();
    for (salt, value) in salts.iter().zip(values) {
        let mut out = Vec::new();
        assert_eq!(codec.decrypt(value, &mut out), Ok(Outcome::Value));
        assert_eq!(out, [b'a' + salt % 26; 20]);
    }
    start.elapsed()
}

fn codec() -> Codec {
    let codec = find("opengauss-aes128").unwrap().prepare(&Settings::new(b"Asdf1234")).unwrap();
    assert!(codec.derives_each());
    codec
}

#[test]
fn a_key_is_derived_once_for_values_of_one_salt() {
    let salts: Vec<u8> = (0..24).collect();
    let others = values(&codec(), &salts);
    let same = vec![5; 24];
    let one = values(&codec(), &same);
    // The machine may do something else meanwhile: one quiet try of five is enough.
    let faster =
        (0..5).any(|_| check(&codec(), &same, &one) * 4 < check(&codec(), &salts, &others));
    assert!(faster);
}

#[test]
fn more_salts_than_are_kept_and_keys_of_wrong_values_change_no_result() {
    let codec = codec();
    let salts: Vec<u8> = (0..70).chain(0..3).chain(66..70).collect();
    let all = values(&codec, &salts);
    let mut changed = all[0].clone();
    // The first character of the ciphertext, behind 16 bytes of salt.
    changed[24] ^= 1;
    let error = codec.decrypt(&changed, &mut Vec::new()).unwrap_err();
    assert!(matches!(error, Error::Authentication { .. }), "{error}");
    check(&codec, &salts, &all);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| check(&codec, &salts[..8], &all[..8]));
        }
    });
    let doris = find("doris-sm4").unwrap().prepare(&Settings::new(b"key")).unwrap();
    assert!(!doris.derives_each());
}
