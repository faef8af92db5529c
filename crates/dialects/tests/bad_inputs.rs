//! Wrong names, keys, settings and values: each has its typed error, and nothing comes out.

mod common;

use common::{Given, Numbers, settings};
use dialects::{Codec, Coding, Dialect, Error, Form, Hash, Mode, Settings, all, find};

fn each(mut run: impl FnMut(&'static Dialect, &'static Mode, &Given, &Codec)) {
    let mut numbers = Numbers(99);
    for dialect in all() {
        for mode in dialect.modes() {
            let given = settings(dialect, mode, &mut numbers);
            let codec = dialect.prepare(&given.settings(mode)).unwrap();
            run(dialect, mode, &given, &codec);
        }
    }
}

/// A text of three blocks.
const PLAIN: &[u8] = b"forty-eight characters of plain text for a value";

fn stored(codec: &Codec) -> Vec<u8> {
    let mut stored = Vec::new();
    codec.encrypt(PLAIN, &mut stored).unwrap();
    stored
}

#[test]
fn a_name_that_nothing_has_is_answered_with_the_nearest() {
    for (name, near) in [
        ("doris", "doris-sm4"),
        ("Yashan", "yashandb-sm4"),
        ("mysql", "mysql-aes"),
        ("MariaDB", "mariadb-aes"),
        ("opengaus-sm4", "opengauss-sm4"),
        ("spark", "spark-aes"),
    ] {
        let error = find(name).unwrap_err();
        assert_eq!(error.to_string(), format!("no dialect is called `{name}`"));
        assert_eq!(error.remedy(), format!("did you mean {near}?"));
    }
    assert_eq!(find("MYSQL-AES").unwrap().name(), "mysql-aes");
}

#[test]
fn a_mode_that_is_not_there_is_answered_with_those_that_are() {
    for dialect in all() {
        let settings = Settings { mode: Some("xts"), ..Settings::new(b"0123456789abcdef") };
        let error = dialect.prepare(&settings).unwrap_err();
        assert!(matches!(error, Error::Mode { .. }), "{error}");
        assert!(error.to_string().contains(dialect.modes()[0].name()), "{error}");
        assert_eq!(error.gives_null(), dialect.name().starts_with("doris"), "{error}");
    }
}

#[test]
fn keys_of_wrong_lengths_are_refused_with_those_allowed() {
    for (name, wrong, allowed) in [
        ("opengauss-sm4", &[0, 7, 17][..], "8 to 16"),
        ("opengauss-aes128", &[0, 7, 17], "8 to 16"),
        ("kingbase-sm4", &[0, 15, 17, 32], "16"),
        ("spark-aes", &[0, 15, 17, 33], "16, 24, 32"),
        ("pgcrypto-aes", &[33, 64], "0 to 32"),
        ("hutool-sm4", &[0, 15, 17], "16"),
    ] {
        for &len in wrong {
            let key = vec![b'k'; len];
            let error = find(name).unwrap().prepare(&Settings::new(&key)).unwrap_err();
            let told = format!("key of {name} has {len} bytes; allowed: {allowed} bytes");
            assert_eq!(error.to_string(), told);
        }
    }
    for len in [0, 1, 31, 33, 64] {
        let key = vec![b'a'; len];
        let error = find("yashandb-sm4").unwrap().prepare(&Settings::new(&key)).unwrap_err();
        assert!(matches!(error, Error::Length { .. } | Error::Coding { .. }), "{error}");
    }
}

#[test]
fn a_wrong_key_opens_nothing_where_there_is_a_tag_and_never_the_text() {
    each(|dialect, mode, given, codec| {
        let value = stored(codec);
        let mut key = given.key.clone();
        key[0] ^= 1;
        let given = Given { key, iv: given.iv.clone() };
        let codec = dialect.prepare(&given.settings(mode)).unwrap();
        let mut out = b"before".to_vec();
        match codec.decrypt(&value, &mut out) {
            Ok(_) => {
                assert!(!codec.authenticates(), "{} {}", dialect.name(), mode.name());
                assert_ne!(&out[6..], PLAIN);
            }
            Err(error) => {
                let of = matches!(error, Error::Authentication { .. } | Error::Padding { .. });
                assert!(of && error.of_value(), "{error}");
                assert_eq!(out, b"before");
            }
        }
    });
}

#[test]
fn a_changed_end_of_a_sealed_value_is_told_as_that_and_nothing_comes_out() {
    each(|dialect, mode, _, codec| {
        if !codec.authenticates() {
            return;
        }
        let mut value = stored(codec);
        let raw = codec.coding() == Coding::Raw;
        // Of a text a character of the last whole group, so that it stays a text.
        let place = value.len() - if raw { 1 } else { 6 };
        value[place] = match value[place] {
            _ if raw => !value[place],
            b'a' => b'b',
            _ => b'a',
        };
        let mut out = b"before".to_vec();
        let error = codec.decrypt(&value, &mut out).unwrap_err();
        let name = dialect.name();
        assert!(matches!(error, Error::Authentication { .. }), "{name} {}", mode.name());
        assert_eq!(out, b"before");
    });
}

#[test]
fn a_value_that_is_cut_off_anywhere_does_not_panic_and_is_refused_where_that_can_be_told() {
    each(|dialect, mode, _, codec| {
        let value = stored(codec);
        // Each derivation takes its time.
        let step = if dialect.key().starts_with("PBKDF2") { 5 } else { 1 };
        for len in (0..value.len()).step_by(step) {
            let mut out = b"before".to_vec();
            let cut = codec.decrypt(&value[..len], &mut out);
            let what = || format!("{} {} {len}", dialect.name(), mode.name());
            if let Err(error) = cut {
                assert!(error.of_value(), "{}: {error}", what());
                assert_eq!(out, b"before", "{}", what());
            } else {
                assert!(!codec.authenticates() || len == 0, "{}", what());
                assert_ne!(&out[6..], PLAIN, "{}", what());
            }
        }
    });
}

#[test]
fn every_changed_byte_of_a_sealed_value_is_found() {
    each(|dialect, mode, _, codec| {
        if !codec.authenticates() {
            return;
        }
        let settings_raw = codec.coding() == Coding::Raw;
        let value = stored(codec);
        let step = if dialect.key().starts_with("PBKDF2") { 9 } else { 1 };
        for place in (0..value.len()).step_by(step) {
            let mut changed = value.clone();
            changed[place] ^= if settings_raw { 0x40 } else { 1 };
            // The last characters of Base64 may hold bits that are no data.
            let accepted = codec.decrypt(&changed, &mut Vec::new());
            let told = accepted.is_err() || !settings_raw && changed.eq_ignore_ascii_case(&value);
            assert!(told, "{} {} byte {place}", dialect.name(), mode.name());
        }
    });
}

#[test]
fn what_is_in_another_coding_is_told_as_that() {
    let codec = find("opengauss-sm4").unwrap().prepare(&Settings::new(b"Asdf1234")).unwrap();
    for text in ["ZBzOmaGA4Bb+coyucJ0B8AkIShq", "ZBzO maGA", "ZBzO*aGA", "-_-_"] {
        let error = codec.decrypt(text.as_bytes(), &mut Vec::new()).unwrap_err();
        assert!(matches!(error, Error::Coding { field: "stored value", .. }), "{text}: {error}");
    }
    let given = Given { key: vec![1; 16], iv: Some(vec![2; 16]) };
    let yashan = find("yashandb-sm4").unwrap();
    let codec = yashan.prepare(&given.settings(&yashan.modes()[0])).unwrap();
    for (text, what) in [("94131D3", "7 digits"), ("94131DXX", "a character at place 6")] {
        let error = codec.decrypt(text.as_bytes(), &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn settings_that_a_dialect_has_no_place_for_are_refused_not_passed_over() {
    let key = Settings::new(b"0123456789abcdef");
    let prepare = |name: &str, settings: Settings<'_>| {
        find(name).unwrap().prepare(&settings).expect_err(name).to_string()
    };
    let iv: Option<&[u8]> = Some(&[1; 16]);
    assert_eq!(
        prepare("spark-aes", Settings { iv, mode: Some("ECB"), ..key }),
        "IV of spark-aes is given; allowed: none in mode ECB"
    );
    assert_eq!(
        prepare("opengauss-sm4", Settings { iv, ..key }),
        "IV of opengauss-sm4 is given; allowed: none in mode sm4"
    );
    assert_eq!(
        prepare("hutool-sm4", Settings { mode: Some("CBC"), ..key }),
        "IV of hutool-sm4 is missing; allowed: 16 bytes"
    );
    assert_eq!(
        prepare("mysql-aes", Settings { iv: Some(&[1; 15]), mode: Some("aes-128-cbc"), ..key }),
        "IV of mysql-aes has 15 bytes; allowed: 16 bytes or more"
    );
    assert_eq!(
        prepare("spark-aes", Settings { aad: b"a", mode: Some("CBC"), ..key }),
        "associated data of spark-aes is given; allowed: none in mode CBC"
    );
    assert_eq!(
        prepare("doris-sm4", Settings { hash: Some(Hash::Md5), ..key }),
        "digest of doris-sm4 is MD5; allowed: none"
    );
    assert_eq!(
        prepare("opengauss-sm4", Settings { coding: Some(Coding::Raw), ..key }),
        "coding of opengauss-sm4 is raw; allowed: base64"
    );
    assert_eq!(
        prepare("kingbase-sm4", Settings { key_form: Some(Form::Hex), ..key }),
        "key form of kingbase-sm4 is hex; allowed: text"
    );
}

#[test]
fn texts_that_an_engine_would_cut_and_blocks_that_it_would_not_take_are_refused() {
    let codec = find("opengauss-sm4").unwrap().prepare(&Settings::new(b"Asdf1234")).unwrap();
    let mut out = Vec::new();
    let error = codec.encrypt(b"a\0b", &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "plaintext of opengauss-sm4 has byte 0 at place 1; allowed: 1 to 255"
    );
    let settings = Settings { mode: Some("aes-cbc/pad:none"), ..Settings::new(b"key") };
    let codec = find("pgcrypto-aes").unwrap().prepare(&settings).unwrap();
    let error = codec.encrypt(b"seventeen letters", &mut out).unwrap_err();
    assert!(matches!(error, Error::Plaintext { got: 17, block: 16, .. }), "{error}");
    assert!(out.is_empty());
}

#[test]
fn neither_debug_nor_errors_show_a_secret() {
    let secret = b"Asdf1234Asdf1234";
    each(|_, _, given, codec| {
        let text = format!("{codec:?}");
        assert!(!text.contains(&format!("{:?}", given.key)), "{text}");
    });
    assert!(!format!("{:?}", Settings::new(secret)).contains("65, 115"));
    for form in [Form::Hex, Form::Base64] {
        for dialect in all() {
            let settings = Settings { key_form: Some(form), ..Settings::new(b"Asdf1234!") };
            if let Err(error) = dialect.prepare(&settings) {
                assert!(!format!("{error:?} {error}").contains("Asdf"), "{error}");
            }
        }
    }
}

#[test]
fn what_null_gives_is_told_where_somebody_has_looked() {
    let known = all().iter().filter(|it| it.null().is_ok()).count();
    assert_eq!(known, 12);
    let error = find("yashandb-sm4").unwrap().null().unwrap_err();
    assert_eq!(error.to_string(), "what the engine of yashandb-sm4 makes of NULL is not known");
}
