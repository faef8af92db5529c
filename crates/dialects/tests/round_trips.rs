//! What is written is read again: every dialect, mode, coding and length.

mod common;

use common::{Numbers, settings};
use dialects::{Coding, Dialect, Form, Mode, Outcome, Settings, all};

/// A plaintext that the dialect can store and give back: texts without zero bytes.
fn plaintext(mode: &Mode, len: usize, numbers: &mut Numbers) -> Vec<u8> {
    let len = if mode.padding() == "none" && ["ecb", "cbc"].contains(&mode.operation()) {
        len / 16 * 16
    } else {
        len
    };
    numbers.bytes(len).into_iter().map(|byte| byte.max(1)).collect()
}

fn round_trip(dialect: &'static Dialect, mode: &'static Mode, numbers: &mut Numbers) {
    let given = settings(dialect, mode, numbers);
    for &coding in dialect.codings() {
        let settings = Settings { coding: Some(coding), ..given.settings(mode) };
        let codec = dialect.prepare(&settings).unwrap();
        // A derivation for each value takes its time.
        let derives = dialect.key().starts_with("PBKDF2");
        for len in (0..=300).step_by(if derives { 7 } else { 1 }) {
            let what = || format!("{} {} {coding:?} {len}", dialect.name(), mode.name());
            let plain = plaintext(mode, len, numbers);
            let mut stored = b"before".to_vec();
            let outcome = codec.encrypt(&plain, &mut stored).unwrap();
            if outcome == Outcome::Null {
                assert!(plain.is_empty(), "{}", what());
                assert_eq!(stored, b"before", "{}", what());
                continue;
            }
            let stored = stored.strip_prefix(b"before").unwrap();
            let mut read = b"before".to_vec();
            if plain.is_empty() && stored.is_empty() {
                assert_eq!(codec.decrypt(stored, &mut read), Ok(Outcome::Value), "{}", what());
                continue;
            }
            assert!(plain.len() < 16 || !stored.windows(16).any(|it| it == &plain[..16]));
            assert_eq!(codec.decrypt(stored, &mut read), Ok(Outcome::Value), "{}", what());
            assert_eq!(read.strip_prefix(b"before").unwrap(), plain, "{}", what());
        }
    }
}

#[test]
fn every_dialect_mode_coding_and_length() {
    let mut numbers = Numbers(22);
    let mut modes = 0;
    for dialect in all() {
        for mode in dialect.modes() {
            round_trip(dialect, mode, &mut numbers);
            modes += 1;
        }
    }
    assert_eq!(modes, 83);
}

#[test]
fn what_is_drawn_is_drawn_anew_for_each_value() {
    let mut numbers = Numbers(7);
    let mut drawing = 0;
    for dialect in all() {
        for mode in dialect.modes().iter().filter(|mode| mode.draws()) {
            let given = settings(dialect, mode, &mut numbers);
            let codec = dialect.prepare(&given.settings(mode)).unwrap();
            let written = || {
                let mut stored = Vec::new();
                codec.encrypt(b"the same", &mut stored).unwrap();
                stored
            };
            assert_ne!(written(), written(), "{} {}", dialect.name(), mode.name());
            drawing += 1;
        }
    }
    assert_eq!(drawing, 6);
}

#[test]
fn a_codec_serves_many_threads() {
    let codec = dialects::find("opengauss-sm4").unwrap();
    let codec = codec.prepare(&Settings::new(b"Asdf1234")).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4u8 {
            let codec = &codec;
            scope.spawn(move || {
                for len in 1..100 {
                    let plain = vec![thread + 1; len];
                    let (mut stored, mut read) = (Vec::new(), Vec::new());
                    codec.encrypt(&plain, &mut stored).unwrap();
                    codec.decrypt(&stored, &mut read).unwrap();
                    assert_eq!(read, plain);
                }
            });
        }
    });
}

#[test]
fn zeros_at_the_end_are_lost_where_the_row_says_so_and_nowhere_else() {
    let mut numbers = Numbers(3);
    let plain = b"text\0\0";
    let mut losing = Vec::new();
    for dialect in all() {
        for mode in dialect.modes() {
            let given = settings(dialect, mode, &mut numbers);
            let codec = dialect.prepare(&given.settings(mode)).unwrap();
            let mut stored = Vec::new();
            if codec.encrypt(plain, &mut stored).is_err() {
                continue;
            }
            let mut read = Vec::new();
            codec.decrypt(&stored, &mut read).unwrap();
            if read != plain {
                losing.push((dialect.name(), mode.name()));
            }
        }
    }
    assert_eq!(losing, [("kingbase-sm4", "padmode=0")]);
}

#[test]
fn line_breaks_within_base64_are_passed_over() {
    let mysql = dialects::find("mysql-aes").unwrap();
    let settings = Settings { coding: Some(Coding::Base64), ..Settings::new(b"key") };
    let codec = mysql.prepare(&settings).unwrap();
    let mut stored = Vec::new();
    codec.encrypt(&[b'a'; 200], &mut stored).unwrap();
    for end in [&b"\n"[..], b"\r\n"] {
        let lines: Vec<&[u8]> = stored.chunks(76).collect();
        let mut read = Vec::new();
        codec.decrypt(&lines.join(end), &mut read).unwrap();
        assert_eq!(read, [b'a'; 200]);
    }
}

#[test]
fn a_key_in_another_form_is_the_same_key() {
    let mut stored = Vec::new();
    let hutool = dialects::find("hutool-sm4").unwrap();
    let settings = |key, form| Settings { key_form: form, ..Settings::new(key) };
    let text = hutool.prepare(&settings(b"0123456789abcdef", None)).unwrap();
    text.encrypt(b"value", &mut stored).unwrap();
    let digits: &[u8] = b"30313233343536373839616263646566";
    for settings in [
        settings(digits, None),
        settings(digits, Some(Form::Hex)),
        settings(b"0123456789abcdef", Some(Form::Bytes)),
    ] {
        let mut read = Vec::new();
        hutool.prepare(&settings).unwrap().decrypt(&stored, &mut read).unwrap();
        assert_eq!(read, b"value");
    }
}
