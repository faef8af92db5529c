//! `detect` on samples of known truth: what it calls sure must be the truth, thousands of times; and
//! how often the truth is found is counted, so that saying nothing is no way out.

mod common;

use std::collections::BTreeMap;

use common::{Given, Numbers, settings};
use dialects::detect::{Class, Clue, Clues, Reading, Report, Verdict, detect};
use dialects::{Codec, Coding, Dialect, Form, Mode, Settings, all, find};

/// What values hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Names,
    Phones,
    Chinese,
    Json,
    Bytes,
}

const KINDS: [Kind; 5] = [Kind::Names, Kind::Phones, Kind::Chinese, Kind::Json, Kind::Bytes];

const NAMES: [&str; 8] =
    ["Anna", "Bohumil", "Chiara Rossi", "D. Okafor", "Emília", "Farid", "Grete Hansen", "Hugo"];
const CHINESE: [&str; 6] =
    ["王小明", "李雷", "北京市海淀区", "上海", "欧阳娜娜", "广东省深圳市南山区科技园"];

/// A plaintext that the mode takes.
fn plaintext(kind: Kind, mode: &Mode, numbers: &mut Numbers) -> Vec<u8> {
    let mut pick = |from: &[&str]| from[numbers.next() as usize % from.len()].to_owned();
    let text = match kind {
        Kind::Names => pick(&NAMES) + " " + &pick(&NAMES),
        Kind::Chinese => pick(&CHINESE) + &pick(&CHINESE),
        Kind::Phones => format!("13{:09}", numbers.next() % 1_000_000_000),
        Kind::Json => {
            let name = pick(&NAMES);
            format!("{{\"id\":{},\"name\":\"{name}\"}}", numbers.next() % 100_000)
        }
        Kind::Bytes => {
            let len = 1 + numbers.next() as usize % 60;
            let bytes = numbers.bytes(len).into_iter().map(|byte| byte.max(1)).collect();
            return whole(bytes, mode);
        }
    };
    whole(text.into_bytes(), mode)
}

/// Filled up with blanks where the mode takes whole blocks alone.
fn whole(mut bytes: Vec<u8>, mode: &Mode) -> Vec<u8> {
    if mode.padding() == "none" && ["ecb", "cbc"].contains(&mode.operation()) {
        bytes.resize(bytes.len().next_multiple_of(16), b' ');
    }
    bytes
}

/// A column: values of a dialect.
fn column(codec: &Codec, kind: Kind, size: usize, numbers: &mut Numbers) -> Vec<Vec<u8>> {
    let mut cell = || {
        let plain = plaintext(kind, codec.mode(), numbers);
        let mut stored = Vec::new();
        codec.encrypt(&plain, &mut stored).unwrap();
        stored
    };
    (0..size).map(|_| cell()).collect()
}

fn run(given: &Given, cells: &[Vec<u8>], with_iv: bool) -> Report {
    let keys = [Clue::bytes(&given.key)];
    let iv = given.iv.as_deref().map(Clue::bytes);
    let ivs: Vec<Clue<'_>> = iv.into_iter().filter(|_| with_iv).collect();
    let cells: Vec<&[u8]> = cells.iter().map(Vec::as_slice).collect();
    detect(&Clues { keys: &keys, ivs: &ivs, aad: &[] }, &cells)
}

/// Whether a class claims that a reading is right.
fn claims(reading: &Reading) -> bool {
    matches!(reading.class, Class::Authenticated | Class::Sure | Class::Plausible)
}

fn is(reading: &Reading, dialect: &Dialect, mode: &Mode) -> bool {
    reading.variants.iter().any(|it| it.dialect == dialect.name() && it.mode == mode.name())
}

fn each(mut run: impl FnMut(&'static Dialect, &'static Mode)) {
    for dialect in all() {
        dialect.modes().iter().for_each(|mode| run(dialect, mode));
    }
}

/// How many samples there are of each, beside those of the short form.
fn rounds() -> usize {
    std::env::var("CIPHERLANE_DETECT_ROUNDS").ok().and_then(|it| it.parse().ok()).unwrap_or(1)
}

#[test]
fn what_is_claimed_is_the_truth_and_the_truth_is_found() {
    let mut numbers = Numbers(0xde7ec7);
    let mut tally: BTreeMap<(Kind, usize, &str), usize> = BTreeMap::new();
    let (mut cases, mut wrong, mut listed) = (0, Vec::new(), 0);
    for round in 0..rounds() {
        for size in [1, 2, 5, 20, 100] {
            each(|dialect, mode| {
                // A derivation for each value takes its time, and a hundred say no more than twenty.
                if dialect.key().starts_with("PBKDF2") && size > 20 {
                    return;
                }
                let kind = KINDS[(cases + round) % KINDS.len()];
                let given = settings(dialect, mode, &mut numbers);
                let codings = dialect.codings();
                let coding = Some(codings[cases % codings.len()]);
                let codec = dialect.prepare(&Settings { coding, ..given.settings(mode) }).unwrap();
                let cells = column(&codec, kind, size, &mut numbers);
                let report = run(&given, &cells, true);
                cases += 1;
                listed += usize::from(report.readings.iter().any(|it| is(it, dialect, mode)));
                *tally.entry((kind, size, report.verdict.name())).or_default() += 1;
                for claimed in report.readings.iter().filter(|it| claims(it)) {
                    if !is(claimed, dialect, mode) {
                        let truth = (dialect.name(), mode.name(), kind, size);
                        wrong.push(format!("{truth:?}: {claimed:?}"));
                    }
                }
            });
        }
    }
    for ((kind, size, verdict), times) in &tally {
        println!("{kind:?} {size:>3} {verdict:<14} {times}");
    }
    println!("{cases} samples, {} wrong claims, the truth listed in {listed}", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases >= 350 * rounds());
    assert!(listed * 100 >= cases * 70, "{listed} of {cases}");
}

#[test]
fn of_a_wrong_key_and_of_rubbish_nothing_is_claimed() {
    let mut numbers = Numbers(0xbad);
    let (mut cases, mut shown, mut claimed) = (0, 0, Vec::new());
    let mut look = |what: String, report: &Report| {
        cases += 1;
        shown += usize::from(report.verdict != Verdict::Nothing);
        claimed.extend(
            report.readings.iter().filter(|it| claims(it)).map(|it| (what.clone(), it.clone())),
        );
    };
    for round in 0..3 * rounds() {
        each(|dialect, mode| {
            if dialect.key().starts_with("PBKDF2") && round > 0 {
                return;
            }
            let size = [1, 7, 40][round % 3];
            let kind = KINDS[numbers.next() as usize % KINDS.len()];
            let given = settings(dialect, mode, &mut numbers);
            let codec = dialect.prepare(&given.settings(mode)).unwrap();
            let cells = column(&codec, kind, size, &mut numbers);
            let key = numbers.bytes(given.key.len());
            let wrong = Given { key, iv: given.iv.clone() };
            look(
                format!("wrong key, {} {} {size}", dialect.name(), mode.name()),
                &run(&wrong, &cells, true),
            );
        });
    }
    // Bytes without a pattern, of any length and of whole blocks, raw and as text.
    for case in 0..400 * rounds() {
        let size = 1 + numbers.next() as usize % 12;
        let cells: Vec<Vec<u8>> = (0..size)
            .map(|_| {
                let len = 1 + numbers.next() as usize % 80;
                let len = if case % 2 == 0 { len.next_multiple_of(16) } else { len };
                let bytes = numbers.bytes(len);
                if case % 3 == 0 { hex::encode(bytes).into_bytes() } else { bytes }
            })
            .collect();
        let key_len = [16, 16, 24, 32][case % 4];
        let given = Given { key: numbers.bytes(key_len), iv: Some(numbers.bytes(16)) };
        look(format!("rubbish {case}"), &run(&given, &cells, true));
    }
    // Texts that are not encrypted at all.
    for case in 0..100 * rounds() {
        let ecb = &find("mysql-aes").unwrap().modes()[0];
        let cells: Vec<Vec<u8>> =
            (0..20).map(|_| plaintext(KINDS[case % 4], ecb, &mut numbers)).collect();
        let given = Given { key: numbers.bytes(16), iv: Some(numbers.bytes(16)) };
        look(format!("text {case}"), &run(&given, &cells, true));
    }
    println!("{cases} samples: {shown} with something shown, {} claims", claimed.len());
    assert!(claimed.is_empty(), "{claimed:?}");
    // Each reading that is shown has 7 bits above chance: once in 128 samples at most.
    assert!(shown <= 3 + cases / 64, "{shown} of {cases}");
}

/// What stands in columns and looks like ciphertexts: digests, identifiers, files, texts in a coding.
fn lookalike(kind: usize, row: usize, numbers: &mut Numbers) -> Vec<u8> {
    use base64::Engine as _;
    let base64 =
        |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes).into_bytes();
    let hex = |bytes: &[u8]| hex::encode(bytes).into_bytes();
    let json = format!("{{\"id\":{row},\"name\":\"{}\"}}", NAMES[row % NAMES.len()]);
    let front =
        |front: &[u8], len: usize, numbers: &mut Numbers| [front, &numbers.bytes(len)].concat();
    match kind {
        // SHA-256 and MD5, as digits and as bytes.
        0 => hex(&numbers.bytes(32)),
        1 => numbers.bytes(16),
        // Identifiers: at random, and by time, whose first bytes are the same.
        2 => {
            let hex = hex::encode(numbers.bytes(16));
            [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-").into_bytes()
        }
        3 => front(&[0x01, 0x8f, 0x3c, 0x11, (row >> 8) as u8, row as u8, 0x70], 9, numbers),
        4 => hex(&front(&[0x01, 0x8f, 0x3c, 0x11, (row >> 8) as u8, row as u8, 0x70], 9, numbers)),
        // Numbers that count, in blocks of 16 bytes.
        5 => (row as u128).to_be_bytes().to_vec(),
        6 => format!("{:032}", 1_700_000_000_000_u64 + row as u64).into_bytes(),
        7 => format!("{row:016x}").into_bytes(),
        // Files of which the first bytes are known.
        8 => base64(&front(b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0H\0H\0\0", 60, numbers)),
        9 => base64(&front(b"\x1f\x8b\x08\0\0\0\0\0\0\x03", 86, numbers)),
        // Texts in a coding, and objects of the same form.
        10 => hex(json.as_bytes()),
        11 => base64(json.as_bytes()),
        12 => base64(&[json.as_bytes(), &vec![b' '; 15 - (json.len() + 15) % 16]].concat()),
        13 => base64(&front(&[8, row as u8, 18, 16], 16, numbers)),
        // Bytes of zeros and of padding at the end.
        14 => base64(&[numbers.bytes(20), vec![0; 12]].concat()),
        _ => base64(&[numbers.bytes(40), vec![8; 8]].concat()),
    }
}

#[test]
fn of_what_only_looks_like_a_ciphertext_nothing_is_claimed() {
    let mut numbers = Numbers(0x100c);
    let (mut cases, mut shown, mut claimed) = (0, Vec::new(), Vec::new());
    for round in 0..3 * rounds() {
        for kind in 0..16 {
            for size in [1, 4, 30, 100] {
                let cells: Vec<Vec<u8>> =
                    (0..size).map(|row| lookalike(kind, row, &mut numbers)).collect();
                let key_len = [16, 16, 24, 32][(round + kind) % 4];
                let given = Given { key: numbers.bytes(key_len), iv: Some(numbers.bytes(16)) };
                let report = run(&given, &cells, true);
                cases += 1;
                if report.verdict != Verdict::Nothing {
                    shown.push((kind, size, report.readings[0].bits));
                }
                claimed
                    .extend(report.readings.into_iter().filter(claims).map(|it| (kind, size, it)));
            }
        }
    }
    println!("{cases} samples: {} with something shown, {} claims", shown.len(), claimed.len());
    assert!(claimed.is_empty(), "{claimed:?}");
    assert!(shown.len() <= 3 + cases / 64, "{shown:?}");
}

#[test]
fn an_iv_that_was_given_and_is_not_at_hand_makes_nothing_wrong_sure() {
    let mut numbers = Numbers(0x17);
    let (mut cases, mut wrong) = (0, Vec::new());
    for round in 0..4 * rounds() {
        each(|dialect, mode| {
            let mut given = settings(dialect, mode, &mut numbers);
            let takes = mode.iv().starts_with("argument") || mode.iv().starts_with("configured");
            if !takes || mode.operation() == "ecb" {
                return;
            }
            // IVs that are texts themselves are the hard ones: added to a text they give a text.
            let text: &[u8] =
                [&b"0123456789ABCDEF"[..], b"my-secret-iv-123", b"DORISDORISDORIS1"][round % 3];
            given.iv = Some(text.to_vec());
            let kind = KINDS[(cases + round) % KINDS.len()];
            let codec = dialect.prepare(&given.settings(mode)).unwrap();
            // One byte of an IV shows in many values alone.
            let size = if round % 3 == 2 { 100 } else { [1, 5, 30, 100][round % 4] };
            let cells = column(&codec, kind, size, &mut numbers);
            let report = run(&given, &cells, false);
            cases += 1;
            // Where the IV is in the value nothing is missing.
            let right = |it: &Reading| mode.layout().contains("IV") && is(it, dialect, mode);
            for claimed in report.readings.iter().filter(|it| claims(it) && !right(it)) {
                wrong.push(format!("{} {} {kind:?}: {claimed:?}", dialect.name(), mode.name()));
            }
        });
    }
    println!("{cases} samples, {} wrong claims", wrong.len());
    assert!(cases >= 100, "{cases}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_mixed_column_has_each_of_its_parts() {
    let mut numbers = Numbers(0x3157);
    let key = b"0123456789abcdef";
    let make = |name: &str, mode: &str, coding, kind, size, numbers: &mut Numbers| {
        let dialect = find(name).unwrap();
        let settings = Settings { mode: Some(mode), coding: Some(coding), ..Settings::new(key) };
        column(&dialect.prepare(&settings).unwrap(), kind, size, numbers)
    };
    let mut both = 0;
    for case in 0..20 {
        let kind = KINDS[case % 4];
        let size = 10 + case;
        let hex = Coding::Hex;
        let mut cells = make("doris-sm4", "SM4_128_CBC", hex, Kind::Json, size, &mut numbers);
        cells.extend(make("spark-aes", "GCM", hex, kind, size, &mut numbers));
        cells.extend((0..size).map(|_| b"not encrypted".to_vec()));
        let cells: Vec<&[u8]> = cells.iter().map(Vec::as_slice).collect();
        let keys = [Clue::text(b"another key"), Clue::text(key)];
        let report = detect(&Clues { keys: &keys, ..Clues::default() }, &cells);
        let has = |name: &str, mode: &str, class: Class| {
            let named = |it: &Reading| {
                it.variants.iter().any(|it| (it.dialect, it.mode, it.key) == (name, mode, 1))
            };
            report.readings.iter().any(|it| it.class == class && named(it) && it.opened >= size)
        };
        let claimed = report.readings.iter().filter(|it| claims(it)).count();
        assert_eq!(report.verdict, Verdict::Authenticated);
        assert!(has("spark-aes", "GCM", Class::Authenticated), "{report:?}");
        both += usize::from(has("doris-sm4", "SM4_128_CBC", Class::Sure) && claimed == 2);
    }
    assert!(both >= 18, "{both} of 20");
}

#[test]
fn two_names_of_the_same_bytes_are_one_reading() {
    let mut numbers = Numbers(5);
    let key = b"0123456789abcdef";
    let mysql = find("mysql-aes").unwrap().prepare(&Settings::new(key)).unwrap();
    let cells = column(&mysql, Kind::Json, 10, &mut numbers);
    let cells: Vec<&[u8]> = cells.iter().map(Vec::as_slice).collect();
    let report = detect(&Clues { keys: &[Clue::text(key)], ..Clues::default() }, &cells);
    assert_eq!((report.verdict, report.readings.len()), (Verdict::Sure, 1), "{report:?}");
    let names: Vec<&str> = report.readings[0].variants.iter().map(|it| it.dialect).collect();
    assert_eq!(names, ["doris-aes", "mysql-aes", "mariadb-aes", "spark-aes", "pgcrypto-aes"]);
    assert!(report.readings[0].error() < 1e-6);
}

#[test]
fn what_a_sample_can_not_tell_apart_is_told_as_alike() {
    // One block in CBC under an IV of zeros is one block in ECB.
    let key = b"0123456789abcdef";
    let settings = Settings { mode: Some("aes-cbc"), ..Settings::new(key) };
    let codec = find("pgcrypto-aes").unwrap().prepare(&settings).unwrap();
    let cells = column(&codec, Kind::Phones, 10, &mut Numbers(6));
    let cells: Vec<&[u8]> = cells.iter().map(Vec::as_slice).collect();
    let report = detect(&Clues { keys: &[Clue::text(key)], ..Clues::default() }, &cells);
    assert_eq!(report.verdict, Verdict::CannotTell);
    let best: Vec<(Class, bool)> =
        report.readings.iter().take(2).map(|it| (it.class, it.alike)).collect();
    assert_eq!(best, [(Class::Rivalled, true); 2], "{report:?}");
}

#[test]
fn published_values_are_found_by_the_text_of_their_key() {
    for (name, mode, key, value) in [
        (
            "doris-sm4",
            "SM4_128_CBC",
            "F3229A0B371ED2D9441B830D21A390C3",
            "FSYstvOmH2cXy7B/072Mug==",
        ),
        (
            "opengauss-aes128",
            "aes128",
            "Asdf1234",
            "kbJdlK5LSlAzqNjVvuHUPCphlkuSeD5n2Hel0HiGaSbDQdCmsz1Ky5ZneOurUr56/jtE/U+BmCw9BgTR2wjQD9440m8=",
        ),
        (
            "mysql-aes",
            "aes-128-ecb",
            "F3229A0B371ED2D9441B830D21A390C3",
            "wr2JEDVXzL9+2XtRhgIloA==",
        ),
    ] {
        let keys = [Clue::text(key.as_bytes())];
        let report = detect(&Clues { keys: &keys, ..Clues::default() }, &[value.as_bytes()]);
        let found = report.readings.iter().any(|it| {
            it.variants
                .iter()
                .any(|it| (it.dialect, it.mode) == (name, mode) && it.key_form == Form::Text)
        });
        assert!(found, "{name}: {report:?}");
        // Of one short value in CBC or ECB nobody can tell whether there was an IV at all.
        let wanted = if mode == "aes128" { Verdict::Authenticated } else { Verdict::CannotTell };
        assert_eq!(report.verdict, wanted, "{name}: {report:?}");
    }
}
