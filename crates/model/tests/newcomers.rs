//! The models of the SNOW family, of the air interface's tags and of Grain-128AEADv2 against the values of documents and
//! of other implementations. The files of those that the library has lie with the other vectors.

use model::snow_v::{self, SNOW_5G, SNOW_V, SNOW_VI, Variant};
use model::{grain_aead, nca, snow3g, table};
use vectors::{Test, VectorFile};

fn files() -> [VectorFile; 5] {
    [
        ("snow3g", include_str!("../../vectors/data/snow3g.json")),
        ("snowv", include_str!("../../vectors/data/snowv.json")),
        ("snowvi", include_str!("../../vectors/data/snowvi.json")),
        ("snow5g", include_str!("../../vectors/data/snow5g.json")),
        ("nea5", include_str!("../../vectors/data/nea5.json")),
    ]
    .map(|(name, text)| vectors::parse(name, text).expect(name))
}

fn fixed<const N: usize>(bytes: &Option<Vec<u8>>) -> [u8; N] {
    bytes.as_deref().expect("a field").try_into().expect("its length")
}

fn data(bytes: &Option<Vec<u8>>) -> &[u8] {
    bytes.as_deref().unwrap_or(&[])
}

fn word(bytes: &Option<Vec<u8>>) -> u32 {
    u32::from_be_bytes(fixed(bytes))
}

/// Encryption is one way.
fn check_stream(name: &str, test: &Test) {
    let (key, iv) = (data(&test.key), data(&test.iv));
    let stream = |bytes| table::keystream(name, key, iv, bytes).expect("a model");
    for segment in test.keystream.iter().flatten() {
        let out = stream(segment.end() as usize);
        assert_eq!(out[segment.offset as usize..], segment.bytes, "{}", test.id);
    }
    let (plaintext, ciphertext) = (data(&test.plaintext), data(&test.ciphertext));
    let out: Vec<u8> = plaintext.iter().zip(stream(plaintext.len())).map(|(a, b)| a ^ b).collect();
    assert_eq!(out, ciphertext, "{}", test.id);
}

fn check_snow3g(mode: &str, test: &Test) {
    let key = fixed(&test.key);
    let direction = || test.direction.expect("a direction") as u8;
    let bearer = || test.bearer.expect("a bearer") as u8;
    match mode {
        "keystream" | "uea2" | "uea2-linear" => check_stream("snow3g", test),
        "128-nea1" => {
            let iv = snow3g::uea2_iv(word(&test.count), bearer(), direction());
            let bits = test.bits.expect("bits") as usize;
            let out = snow3g::uea2(&key, &iv, data(&test.plaintext), bits);
            assert_eq!(out, data(&test.ciphertext), "{}", test.id);
        }
        _ => {
            let fresh = || {
                test.fresh.as_ref().map_or_else(|| u32::from(bearer()) << 27, |_| word(&test.fresh))
            };
            let iv = match mode {
                "uia2" => fixed(&test.iv),
                "uia2-count" | "128-nia1" => {
                    snow3g::uia2_iv(word(&test.count), fresh(), direction())
                }
                other => panic!("{other} is not known"),
            };
            let message = data(&test.message);
            let bits = test.bits.map_or(8 * message.len(), |bits| bits as usize);
            assert_eq!(snow3g::uia2(&key, &iv, message, bits), *data(&test.tag), "{}", test.id);
        }
    }
}

fn check_snow_v(name: &str, variant: &Variant, mode: &str, test: &Test) {
    let (key, iv) = (fixed(&test.key), fixed(&test.iv));
    match mode {
        "keystream" | "encrypt" => check_stream(name, test),
        "init-trace" => {
            let blocks = snow_v::initialisation(variant, &key, &iv);
            assert_eq!(blocks, data(&test.init_keystream), "{}", test.id);
        }
        "snow-v-gcm" | "snow-vi-gcm" => {
            let (plaintext, aad) = (data(&test.plaintext), data(&test.aad));
            let (ciphertext, tag) = snow_v::seal(variant, &key, &iv, aad, plaintext);
            assert_eq!(ciphertext, data(&test.ciphertext), "{}", test.id);
            assert_eq!(tag, *data(&test.tag), "{}", test.id);
        }
        other => panic!("{other} is not known"),
    }
}

fn check_air(mode: &str, test: &Test) {
    type Seal = fn(&[u8; 32], &[u8; 16], &[u8], &[u8], usize) -> (Vec<u8>, Vec<u8>);
    let (key, iv) = (fixed(&test.key), fixed(&test.iv));
    let seal: Seal = if mode.contains('4') { nca::nca4 } else { nca::nca5 };
    match mode {
        "256-nea4" | "256-nea4-keystream" => check_stream("snow-5g", test),
        "256-nea5" => {
            let plaintext = data(&test.plaintext);
            let stream = nca::nea5_keystream(&key, &iv, plaintext.len());
            let out: Vec<u8> = plaintext.iter().zip(stream).map(|(a, b)| a ^ b).collect();
            assert_eq!(out, data(&test.ciphertext), "{}", test.id);
        }
        "256-nia4" | "256-nia5" => {
            let tag = data(&test.tag);
            let made = seal(&key, &iv, data(&test.message), &[], tag.len()).1;
            assert_eq!(made, tag, "{}", test.id);
        }
        "256-nca4" | "256-nca5" => {
            let tag = data(&test.tag);
            let (aad, plaintext) = (data(&test.aad), data(&test.plaintext));
            let (ciphertext, made) = seal(&key, &iv, aad, plaintext, tag.len());
            assert_eq!(made, tag, "{}", test.id);
            assert_eq!(ciphertext, data(&test.ciphertext), "{}", test.id);
        }
        other => panic!("{other} is not known"),
    }
}

/// A test whose tag is wrong on purpose says nothing of a model that makes tags.
fn stands(test: &&Test) -> bool {
    test.verdict() != vectors::Verdict::Invalid
}

#[test]
fn every_group_of_every_file_gives_the_published_bytes() {
    let mut checked = [0; 5];
    for (file, checked) in files().iter().zip(&mut checked) {
        for group in &file.groups {
            for test in group.tests.iter().filter(stands) {
                match file.name.trim_end_matches(".json") {
                    "snow3g" => check_snow3g(&group.mode, test),
                    "snowv" => check_snow_v("snow-v", &SNOW_V, &group.mode, test),
                    "snowvi" => check_snow_v("snow-vi", &SNOW_VI, &group.mode, test),
                    _ => check_air(&group.mode, test),
                }
                *checked += 1;
            }
        }
    }
    println!("{checked:?} tests of SNOW 3G, SNOW-V, SNOW-Vi, SNOW 5G and 256-NEA5");
    assert_eq!(checked, [114, 81, 34, 99, 94]);
}

#[test]
fn grain_128_aead_gives_the_answers_of_its_submission() {
    let text = include_str!("../../vectors/data/grain128aead.json");
    let file = vectors::parse("grain128aead", text).expect("a file");
    let mut checked = 0;
    for test in file.groups.iter().flat_map(|group| &group.tests) {
        let (key, nonce) = (fixed(&test.key), fixed(&test.iv));
        let sealed = grain_aead::seal(&key, &nonce, data(&test.aad), data(&test.plaintext));
        assert_eq!(
            (&*sealed.0, &*sealed.1),
            (data(&test.ciphertext), data(&test.tag)),
            "{}",
            test.id
        );
        checked += 1;
    }
    assert_eq!(checked, 43);
}

#[test]
fn the_three_of_a_family_part_in_the_first_block() {
    let first = |variant| snow_v::keystream(variant, &[0; 32], &[0; 16], 16);
    assert_eq!(first(&SNOW_V)[..4], [0x69, 0xca, 0x6d, 0xaf]);
    assert_eq!(first(&SNOW_VI)[..4], [0x50, 0x17, 0x19, 0xe1]);
    assert_eq!(first(&SNOW_5G)[..4], [0x95, 0xce, 0x19, 0x61]);
}
