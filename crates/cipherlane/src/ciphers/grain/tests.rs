//! The paper's bit order.

use super::*;
use crate::secret::assert_silent;
use crate::traits::stream::StreamCipher;

#[test]
fn the_paper_prints_its_tests_in_the_other_bit_order() {
    let files = vectors::embedded().unwrap();
    let file = files.iter().find(|file| file.algorithm == "grain128").unwrap();
    let groups = file.groups.iter().filter(|group| group.mode == "keystream-msb");
    let mut tests = 0;
    for test in groups.flat_map(|group| &group.tests) {
        let (mut key, mut iv) = (test.key.clone().unwrap(), test.iv.clone().unwrap());
        convert_bit_order(&mut key);
        convert_bit_order(&mut iv);
        let published = &test.keystream.as_ref().unwrap()[0];
        for level in Level::available() {
            let mut out = published.bytes.clone();
            let mut cipher = Grain128::with_level(&key, &iv, level).unwrap();
            cipher.keystream(&mut out).unwrap();
            convert_bit_order(&mut out);
            assert_eq!(out, published.bytes, "{}, {level}", test.id);
        }
        tests += 1;
    }
    assert!(tests > 0, "no test in that order");
}

#[test]
fn debug_shows_no_secret() {
    let level = Level::portable();
    assert_silent("Grain128Aead", |key| Grain128Aead::with_level(&key[..16], level).unwrap());
}
