use cipherlane::modes::hctr::Hctr;
use cipherlane::{InOut, Level};
use model::random::SplitMix64;

use crate::{bytes, cipher, for_each_vector, lengths, refuses_length, sm4_model};

#[test]
fn published_vectors() {
    let count = for_each_vector("hctr", |vector, level| {
        let test = vector.test;
        let (tweak, place) = (bytes(&test.tweak), format!("{}, {level}", test.id));
        let (plaintext, ciphertext) = (bytes(&test.plaintext), bytes(&test.ciphertext));
        let hctr = Hctr::new(vector.cipher(level), bytes(&test.hash_key)).unwrap();
        let mut out = vec![0; plaintext.len()];
        hctr.encrypt(tweak, InOut::disjoint(plaintext, &mut out).unwrap()).unwrap();
        assert_eq!(out, ciphertext, "{place}");
        hctr.decrypt(tweak, out.as_mut_slice().into()).unwrap();
        assert_eq!(out, plaintext, "{place}");
    });
    assert!(count >= 28, "{count} tests under SM4");
}

#[test]
fn every_length_equals_the_model_at_every_level() {
    for (seed, len) in lengths().filter(|&len| len >= 16).enumerate() {
        let mut random = SplitMix64::new(seed as u64);
        let (key, tweak, data) = (random.bytes(16), random.bytes(16), random.bytes(len));
        let hash_key: [u8; 16] = random.bytes(16).try_into().unwrap();
        let model = |block: &[u8]| sm4_model(&key, block);
        let expected = model::modes::hctr::encrypt(&model, &hash_key, &tweak, &data);
        for level in Level::available() {
            let hctr = Hctr::new(cipher("sm4", &key, level).unwrap(), &hash_key).unwrap();
            let mut buffer = data.clone();
            hctr.encrypt(&tweak, buffer.as_mut_slice().into()).unwrap();
            assert_eq!(buffer, expected, "{len} bytes, {level}");
            let mut out = vec![0; len];
            hctr.decrypt(&tweak, InOut::disjoint(&buffer, &mut out).unwrap()).unwrap();
            assert_eq!(out, data, "{len} bytes, {level}");
        }
    }
}

#[test]
fn wrong_lengths_are_refused_and_write_nothing() {
    let sm4 = cipher("sm4", &[7; 16], Level::best()).unwrap();
    for len in (0..=33).filter(|len| *len != 16) {
        assert!(refuses_length(Hctr::new(&sm4, &vec![0; len]), "hash key", len));
        let hctr = Hctr::new(&sm4, &[8; 16]).unwrap();
        let mut data = [9; 40];
        let tweak = vec![0; len];
        assert!(refuses_length(hctr.encrypt(&tweak, (&mut data[..]).into()), "tweak", len));
        assert!(refuses_length(hctr.decrypt(&tweak, (&mut data[..]).into()), "tweak", len));
        assert_eq!(data, [9; 40]);
    }
    let hctr = Hctr::new(&sm4, &[8; 16]).unwrap();
    for len in 0..16 {
        let mut data = vec![9; len];
        let result = hctr.encrypt(&[0; 16], data.as_mut_slice().into());
        assert!(refuses_length(result, "message", len));
        let result = hctr.decrypt(&[0; 16], data.as_mut_slice().into());
        assert!(refuses_length(result, "message", len));
        assert_eq!(data, vec![9; len]);
    }
    assert_eq!(format!("{hctr:?}"), "Hctr { .. }");
}
