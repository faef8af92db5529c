//! Dropping, and the ends of the key's lengths.

use std::vec;

use super::*;

#[test]
fn dropped_bytes_are_the_first() {
    for drop in [0, 1, 256, 768, 3072] {
        let mut whole = vec![0; drop + 100];
        Rc4::new(b"Key").unwrap().keystream(&mut whole).unwrap();
        let mut cipher = Rc4::with_drop(b"Key", drop).unwrap();
        for _ in 0..2 {
            let mut out = [0; 100];
            cipher.keystream(&mut out).unwrap();
            assert_eq!(out, whole[drop..]);
            cipher.reset(&[]).unwrap();
        }
    }
}

#[test]
fn keys_have_1_to_256_bytes_and_there_is_no_iv() {
    for len in [0, 257] {
        let refused = Error::Length { field: "key", got: len, allowed: KEY };
        assert_eq!(Rc4::new(&vec![1; len]).err(), Some(refused));
    }
    // A key that repeats is the shorter key.
    let mut outs = [[0; 40]; 2];
    Rc4::new(&[5; 1]).unwrap().keystream(&mut outs[0]).unwrap();
    let mut long = Rc4::new(&[5; 256]).unwrap();
    long.keystream(&mut outs[1]).unwrap();
    assert_eq!(outs[0], outs[1]);
    let refused = Error::Length { field: "iv", got: 1, allowed: Sizes::exactly(0) };
    assert_eq!(long.reset(&[0]), Err(refused));
}
