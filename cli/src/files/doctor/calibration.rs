//! What `sure` and `likely` are worth: how often they are said of files that the key does not
//! open, and how often of those that it does. `CIPHERLANE_DOCTOR_FILES=10000` is the long form;
//! docs/DOCTOR.md has its figures.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use cipherlane::modes::{Direction, Padding};
use cipherlane::registry::KEYSTREAM;

use crate::cmd::doctor::names_of;
use crate::files::doctor::evidence::plaintext;
use crate::files::doctor::rank::{Certainty, Hit, LIKELY};
use crate::files::doctor::samples::{Draw, ENGLISH, KINDS, file};
use crate::files::doctor::search::Search;
use crate::files::doctor::variant::{Iv, KeyForm};
use crate::files::raw::transform::{Form, Name, Transform};

/// The ciphers that are tried.
fn names() -> Vec<(String, Name)> {
    names_of(&[]).unwrap_or_else(|_| panic!("no names"))
}

/// Those that encrypt under a key of the length they say: HMAC-SM3 goes with keys of 16 bytes only.
fn usable(names: &[(String, Name)]) -> Vec<&(String, Name)> {
    let made = |name: &Name| {
        let (key, iv, forward) = (vec![1; name.key], vec![2; name.iv], Direction::Encrypt);
        Transform::new(name, forward, &key, &iv, &[], Padding::Pkcs7, Some(16)).is_ok()
    };
    names.iter().filter(|(_, name)| made(name)).collect()
}

/// How a file was encrypted: the IV that is in front or not.
fn encrypt(name: &Name, key: &[u8], iv: &[u8], front: bool, plain: &[u8]) -> Vec<u8> {
    let forward = Direction::Encrypt;
    let len = Some(plain.len() as u64);
    let mut transform = Transform::new(name, forward, key, iv, &[], Padding::Pkcs7, len).unwrap();
    let mut out = if front { iv.to_vec() } else { Vec::new() };
    out.extend_from_slice(&transform.piece(plain).unwrap());
    out.extend_from_slice(&transform.finish().unwrap());
    out
}

/// A length that a mode takes; some ciphers give no more than 2500 bytes under one IV.
fn fitting(name: &Name, plain: &mut Vec<u8>) {
    if matches!(&name.form, Form::Plain(mode) if mode == KEYSTREAM) {
        plain.truncate(2500);
    }
    match name.form {
        Form::Message("xts-encrypt" | "xts-gb-encrypt" | "hctr-encrypt") if plain.len() < 16 => {
            plain.resize(16, 0)
        }
        Form::Message(_) => plain.truncate(plain.len().max(16) / 16 * 16),
        _ => {}
    }
    if matches!(name.form, Form::Message(_)) && plain.len() < 16 {
        plain.resize(16, 0);
    }
}

/// What `doctor` says of a file.
fn say(
    names: &[(String, Name)],
    data: &[u8],
    key: &[u8],
    base64: bool,
) -> (usize, Vec<(Hit, Certainty)>) {
    let mut search = Search::new(names.to_vec(), None, &[]);
    search.explain(plaintext(data).map_or(0.0, |sign| sign.bits));
    let mut quiet = |_: f64, _: &dyn Fn() -> String| {};
    search.raw_key(data, base64, key, &KeyForm::Digits, &mut quiet);
    search.raw_key(data, base64, hex::encode(key).as_bytes(), &KeyForm::Text, &mut quiet);
    (search.tried(), search.judged())
}

/// How many files a test takes.
fn files(usually: usize) -> usize {
    let asked = std::env::var("CIPHERLANE_DOCTOR_FILES").ok().and_then(|it| it.parse().ok());
    asked.unwrap_or(usually)
}

/// Does so many pieces of work on all cores.
fn each(count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    work(number);
                }
            });
        }
    });
}

const LENGTHS: &[usize] = &[16, 33, 64, 200, 500, 1000, 2000, 4000];

/// Keys that people take for a trial, and from which some ciphers make weak ones.
const POOR: &[[u8; 16]] = &[
    [0; 16],
    [0xff; 16],
    [1; 16],
    *b"0123456789abcdef",
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
];

#[test]
fn a_wrong_key_is_never_sure_or_likely() {
    let (names, count) = (names(), files(1000));
    let usable = usable(&names);
    let said = Mutex::new(BTreeMap::<&str, usize>::new());
    let (most, trials) = (Mutex::new(f64::MIN), AtomicUsize::new(0));
    each(count, |number| {
        let mut draw = Draw(number as u64 + 1);
        let (kind, _) = KINDS[number % KINDS.len()];
        let mut data = file(kind, *draw.of(LENGTHS), &mut draw);
        // One in four is not encrypted at all; of the others every second in ECB, CFB8, CBC.
        let mut how = "not encrypted".to_owned();
        if !(number / KINDS.len()).is_multiple_of(4) {
            let leaky: Vec<_> = usable
                .iter()
                .filter(|(name, _)| ["-ecb", "-cfb8", "-cbc"].iter().any(|it| name.ends_with(it)))
                .collect();
            let (cipher, name) =
                if draw.below(2) == 0 { **draw.of(&leaky) } else { *draw.of(&usable) };
            fitting(name, &mut data);
            let (key, iv) = (draw.bytes(name.key), draw.bytes(name.iv));
            data = encrypt(name, &key, &iv, draw.below(2) == 0, &data);
            cipher.clone_into(&mut how);
        }
        let len = *draw.of(&[16, 16, 16, 32, 32, 48]);
        let mut key = draw.bytes(len);
        if number % 16 == 0 {
            key = draw.of(POOR).to_vec();
        }
        let (tried, judged) = say(&names, &data, &key, false);
        trials.fetch_add(tried, Ordering::Relaxed);
        let best = judged.iter().map(|(_, it)| *it).max().unwrap_or(Certainty::Chance);
        *said.lock().unwrap().entry(best.word()).or_default() += 1;
        if let Some((hit, _)) = judged.first() {
            let mut most = most.lock().unwrap();
            *most = most.max(hit.bits - (tried as f64).log2());
        }
        assert!(
            best < Certainty::Likely,
            "{number}: {kind}, {how}: {} as {:?}",
            judged[0].0.variant.cipher,
            judged[0].0.says,
        );
    });
    let said = said.into_inner().unwrap();
    let possible = said.get("possible").copied().unwrap_or(0);
    let (trials, most) = (trials.into_inner(), most.into_inner().unwrap());
    println!("wrong keys: {count} files, {trials} trials: {said:?}; at most {most:.1} bits");
    // Once in 2⁷ at most, and chance.
    assert!(possible <= count / 128 + 3 * count.isqrt() / 11 + 3, "{said:?}");
}

#[test]
fn files_that_are_not_encrypted_are_told() {
    for (number, (kind, tells)) in KINDS.iter().enumerate().filter(|(_, (.., tells))| *tells) {
        let mut draw = Draw(number as u64);
        for len in [200, 4000, 20_000] {
            let data = file(kind, len, &mut draw);
            let bits = plaintext(&data).map_or(0.0, |sign| sign.bits);
            // Of one byte again and again eight are left, whose value may be any.
            assert_eq!(bits >= LIKELY, *tells, "{kind} of {len} bytes: {bits}");
        }
    }
    for seed in 0..1000 {
        let bits = plaintext(&Draw(seed).bytes(1 + seed as usize)).map_or(0.0, |sign| sign.bits);
        assert!(bits < LIKELY, "{seed}: {bits}");
    }
}

#[test]
fn the_right_key_is_sure_or_likely_wherever_content_or_tag_tell() {
    let (names, count) = (names(), files(1000));
    let usable = usable(&names);
    // By how much there was to go by: how often each word was said.
    let said = Mutex::new(BTreeMap::<String, BTreeMap<&str, usize>>::new());
    each(count, |number| {
        let mut draw = Draw(number as u64 + (1 << 40));
        let (cipher, name) = *draw.of(&usable);
        let (kind, tells) = KINDS[number % KINDS.len()];
        let mut plain = file(kind, *draw.of(LENGTHS), &mut draw);
        fitting(name, &mut plain);
        let (key, iv) = (draw.bytes(name.key), draw.bytes(name.iv));
        let data = encrypt(name, &key, &iv, true, &plain);
        let (tried, judged) = say(&names, &data, &key, false);
        let (hit, certainty) = match judged.first() {
            Some((hit, certainty)) => (Some(hit), *certainty),
            None => (None, Certainty::Chance),
        };
        let what = match (&name.form, tells) {
            (Form::Aead(_), _) => "a tag",
            (_, false) => "noise",
            // The first block is the same in CTR, CFB and OFB.
            _ if ["ZIP", "gzip", "PNG", "PDF"].contains(&kind) => "a signature before noise",
            _ if plain.len() < 64 => "content of 16 to 63 bytes",
            _ if plain.len() < 500 => "content of 64 to 499 bytes",
            _ => "content of 500 bytes and more",
        };
        *said
            .lock()
            .unwrap()
            .entry(what.into())
            .or_default()
            .entry(certainty.word())
            .or_default() += 1;
        // What it is sure of must be so, but for a beginning that it says it doubts.
        if let Some(hit) = hit.filter(|_| certainty >= Certainty::Likely) {
            let found = hit.plain();
            let doubt = if hit.iv_unsure { 64.min(plain.len()) } else { 0 };
            let (found, right) = (&found[found.len().min(doubt)..], &plain[doubt..]);
            assert!(
                found == right || hit.iv_unsure && right.ends_with(found),
                "{number}: {kind} of {} bytes in {cipher} taken for {}, {}: {:?}, {certainty:?}",
                plain.len(),
                hit.variant.cipher,
                hit.variant.sentence(),
                hit.says,
            );
        } else if what.ends_with("more") {
            println!("{number}: {kind} of {} bytes in {cipher}: {certainty:?}", plain.len());
            for (hit, certainty) in judged.iter().take(3) {
                let bits = hit.bits - (tried as f64).log2();
                println!("  {certainty:?} {bits:.0} {} {:?}", hit.variant.cipher, hit.says);
            }
        }
    });
    let said = said.into_inner().unwrap();
    println!("right keys: {count} files");
    for (what, words) in &said {
        println!("  {what}: {words:?}");
    }
    let share = |what: &str| {
        let words = &said[what];
        let good = ["verified", "sure", "likely"].iter().filter_map(|it| words.get(it));
        good.sum::<usize>() as f64 / words.values().sum::<usize>() as f64
    };
    assert!((share("a tag") - 1.0).abs() < 1e-9);
    assert!(share("a signature before noise") >= 0.4);
    assert!(!said["a signature before noise"].contains_key("chance"));
    assert!(share("content of 500 bytes and more") >= 0.98);
    assert!(share("content of 64 to 499 bytes") >= 0.95);
    assert!(share("content of 16 to 63 bytes") >= 0.6);
}

/// The three files of which the wrong thing was said with confidence: a log, 20 000 zeros and
/// numbered lines, encrypted under another key and not at all.
#[test]
fn repetitions_are_counted_once() {
    let names = names();
    let key = hex::decode("00112233445566778899aabbccddeeff").unwrap();
    let other = hex::decode("ffeeddccbbaa99887766554433221100").unwrap();
    let (log, zeros) = ("INFO 2020 ok\n".repeat(2000).into_bytes(), vec![0; 20_000]);
    let lines: String = (0..2000).map(|n| format!("line {n} of the document\n")).collect();
    for plain in [log, zeros, lines.into_bytes()] {
        let sealed = |cipher: &str| {
            let name = Name::parse(cipher).unwrap();
            encrypt(&name, &other, &vec![0; name.iv], false, &plain)
        };
        for data in [plain.clone(), sealed("sm4-ecb"), sealed("sm4-cfb8"), sealed("idea-ecb")] {
            let (_, judged) = say(&names, &data, &key, false);
            let best = judged.iter().map(|(_, it)| *it).max().unwrap_or(Certainty::Chance);
            assert!(best < Certainty::Likely, "{:?}", judged[0].0.variant);
        }
        let (_, judged) = say(&names, &sealed("sm4-ecb"), &other, false);
        assert_eq!(
            (judged[0].0.variant.cipher.as_str(), judged[0].1),
            ("sm4-ecb", Certainty::Sure)
        );
    }
}

/// The cipher itself makes patterns under such a key, of anything.
#[test]
fn a_weak_key_proves_nothing() {
    let names = names();
    for (kind, _) in KINDS {
        for len in [200, 1000, 4000] {
            let data = file(kind, len, &mut Draw(1));
            for key in POOR {
                let (_, judged) = say(&names, &data, key, false);
                let best = judged.iter().map(|(_, it)| *it).max().unwrap_or(Certainty::Chance);
                assert!(best < Certainty::Likely, "{kind}: {:?}", judged[0].0.variant);
            }
        }
    }
}

/// What PyCryptodome's documentation writes, and others: nonce, tag, ciphertext in any order.
#[test]
fn files_of_other_orders_are_found() {
    let names = names();
    let mut draw = Draw(7);
    let mut found = 0;
    for cipher in ["aes-128-gcm", "aes-256-gcm", "sm4-gcm", "aes-128-ccm", "sm4-ccm"] {
        let name = Name::parse(cipher).unwrap();
        let nonces: &[usize] = if cipher.contains("gcm") { &[12, 16] } else { &[11, 12, 13] };
        for nonce in nonces {
            for len in [0, 5, 1000] {
                let (key, iv, plain) = (draw.bytes(name.key), draw.bytes(*nonce), draw.bytes(len));
                let sealed = encrypt(&name, &key, &iv, false, &plain);
                let (data, tag) = sealed.split_at(len);
                for parts in [[&iv[..], tag, data], [&iv, data, tag], [tag, &iv, data]] {
                    let (_, judged) = say(&names, &parts.concat(), &key, false);
                    let (hit, certainty) = &judged[0];
                    let said = hit.variant.sentence();
                    assert_eq!(*certainty, Certainty::Verified, "{cipher} {nonce} {len}: {said}");
                    assert!(hit.variant.cipher == cipher && hit.plain() == plain, "{said}");
                    found += 1;
                }
            }
        }
    }
    assert_eq!(found, 3 * 3 * (2 * 3 + 3 * 2));
    // CTR, with nonces of 8 and 12 bytes, and the HMAC of another key in front.
    for (front, nonce, begin) in [(0, 8, 0), (0, 12, 0), (0, 12, 1), (32, 8, 0)] {
        for cipher in ["aes-128-ctr", "sm4-ctr"] {
            let name = Name::parse(cipher).unwrap();
            let key = draw.bytes(16);
            let mut iv = draw.bytes(nonce);
            iv.resize(15, 0);
            iv.push(begin);
            let data = encrypt(&name, &key, &iv, false, ENGLISH.as_bytes());
            let data = [&draw.bytes(front)[..], &iv[..nonce], &data].concat();
            let (_, judged) = say(&names, &data, &key, false);
            let (hit, certainty) = &judged[0];
            assert_eq!((hit.variant.cipher.as_str(), *certainty), (cipher, Certainty::Sure));
            assert!(matches!(hit.variant.iv, Iv::Within(_)), "{}", hit.variant.sentence());
            assert_eq!(hit.plain(), ENGLISH.as_bytes());
        }
    }
}
