use cipherlane::aead::gcm_siv::GcmSiv;
use cipherlane::{Aead, BlockCipher, Error, InOut, Level};
use model::random::SplitMix64;

use crate::{bytes, cipher, for_each_vector, lengths, refuses_length, sm4_model, spoilt};

/// GCM-SIV over a cipher of the registry.
fn siv(name: &str, key: &[u8], level: Level) -> Result<impl Aead, Error> {
    let name = String::from(name);
    GcmSiv::new(key, move |key: &[u8]| -> Result<Box<dyn BlockCipher>, Error> {
        Ok(cipher(&name, key, level).expect("a registered cipher"))
    })
}

#[test]
fn published_vectors() {
    let count = for_each_vector("gcm-siv", |vector, level| {
        let test = vector.test;
        let (nonce, aad) = (bytes(&test.iv), bytes(&test.aad));
        let (ciphertext, tag) = (bytes(&test.ciphertext), bytes(&test.tag));
        let siv = siv(vector.name, vector.key, level).unwrap();
        let mut out = vec![0xee; ciphertext.len()];
        let io = InOut::disjoint(ciphertext, &mut out).unwrap();
        let opened = siv.open(nonce, aad, io, tag);
        if vector.valid() {
            assert_eq!((opened, &*out), (Ok(()), bytes(&test.plaintext)), "{}, {level}", test.id);
            let mut got = [0; 16];
            siv.seal(nonce, aad, out.as_mut_slice().into(), &mut got).unwrap();
            assert_eq!((&*out, &got[..]), (ciphertext, tag), "{}, {level}", test.id);
        } else {
            assert_eq!(opened, Err(Error::Authentication), "{}, {level}", test.id);
            assert!(out.iter().all(|&byte| byte == 0), "{}, {level}: plaintext left", test.id);
        }
    });
    assert!(count >= 21, "{count} tests under SM4");
}

#[test]
fn every_length_equals_the_model_at_every_level() {
    for (seed, len) in lengths().enumerate() {
        let mut random = SplitMix64::new(seed as u64);
        let (key, nonce, data) = (random.bytes(16), random.bytes(12), random.bytes(len));
        let aad_len = random.below(70);
        let aad = random.bytes(aad_len);
        let (expected, tag) = model::gcm_siv::seal(&sm4_model, &key, &nonce, &aad, &data);
        for level in Level::available() {
            let siv = siv("sm4", &key, level).unwrap();
            let mut buffer = data.clone();
            let mut got = [0; 16];
            siv.seal(&nonce, &aad, buffer.as_mut_slice().into(), &mut got).unwrap();
            assert_eq!((&buffer, &got[..]), (&expected, &tag[..]), "{len} bytes, {level}");
            for bit in [0, 63, 127] {
                let mut buffer = buffer.clone();
                let io = buffer.as_mut_slice().into();
                let opened = siv.open(&nonce, &aad, io, &spoilt(&tag, bit));
                assert_eq!(opened, Err(Error::Authentication));
                assert_eq!(buffer, vec![0; len], "{len} bytes, {level}: plaintext left");
            }
            siv.open(&nonce, &aad, buffer.as_mut_slice().into(), &tag).unwrap();
            assert_eq!(buffer, data, "{len} bytes, {level}");
        }
    }
}

/// The counter is the tag's first four bytes, little-endian. A message whose tag
/// is any given one is found by solving for its last block.
#[test]
fn counters_wrap_at_32_bits() {
    let (key, nonce) = ([7; 16], [1; 12]);
    let (h, encryption) = model::gcm_siv::derive_keys(&sm4_model, &key, &nonce);
    let encryption: [u8; 16] = encryption.try_into().unwrap();
    let mut random = SplitMix64::new(2);
    for before in [1u32, 2, 16, 127, 128, 200] {
        let (tag, hash) = loop {
            let mut tag: [u8; 16] = random.bytes(16).try_into().unwrap();
            tag[..4].copy_from_slice(&0u32.wrapping_sub(before).to_le_bytes());
            let hash = model::sm4::decrypt(&encryption, &tag);
            // The mask clears this bit, so it must be clear.
            if hash[15] < 0x80 {
                break (tag, u128::from_le_bytes(hash) ^ 0x0101_0101_0101_0101_0101_0101);
            }
        };
        let mut data = random.bytes(4096);
        let before_last = u128::from_le_bytes(model::ghash::polyval(&h, &data));
        let divided =
            |x: u128| u128::from_le_bytes(model::ghash::dot(&x.to_le_bytes(), &inverse(&h)));
        let lengths = u128::from(8 * (data.len() as u64 + 16)) << 64;
        data.extend((divided(divided(hash) ^ lengths) ^ before_last).to_le_bytes());

        let (expected, expected_tag) = model::gcm_siv::seal(&sm4_model, &key, &nonce, b"", &data);
        assert_eq!(expected_tag, tag, "the equation is solved");
        for level in Level::available() {
            let mut got = [0; 16];
            let mut buffer = data.clone();
            let siv = siv("sm4", &key, level).unwrap();
            siv.seal(&nonce, b"", buffer.as_mut_slice().into(), &mut got).unwrap();
            assert_eq!((&buffer, got), (&expected, tag), "{before} blocks before, {level}");
            siv.open(&nonce, b"", buffer.as_mut_slice().into(), &tag).unwrap();
            assert_eq!(buffer, data, "{before} blocks before, {level}");
        }
    }
}

/// The 2^128 - 2nd power in POLYVAL's field, whose product is `dot`.
fn inverse(h: &[u8; 16]) -> [u8; 16] {
    let square = |x: [u8; 16]| model::ghash::dot(&x, &x);
    let (mut power, mut result) = (square(*h), square(*h));
    for _ in 2..128 {
        power = square(power);
        result = model::ghash::dot(&result, &power);
    }
    result
}

#[test]
fn wrong_lengths_are_refused_and_write_nothing() {
    for len in (0..=40).filter(|len| ![16, 32].contains(len)) {
        assert!(refuses_length(siv("sm4", &vec![0; len], Level::best()), "key", len));
    }
    let siv = siv("sm4", &[0; 16], Level::best()).unwrap();
    let mut data = [9; 40];
    let mut tag = [5; 16];
    for len in (0..=20).filter(|len| *len != 12) {
        let sealed = siv.seal(&vec![0; len], b"", (&mut data[..]).into(), &mut tag);
        assert!(refuses_length(sealed, "nonce", len));
        let opened = siv.open(&vec![0; len], b"", (&mut data[..]).into(), &tag);
        assert!(refuses_length(opened, "nonce", len));
    }
    for len in (0..=20).filter(|len| *len != 16) {
        let sealed = siv.seal(&[0; 12], b"", (&mut data[..]).into(), &mut vec![0; len]);
        assert!(refuses_length(sealed, "tag", len));
        let opened = siv.open(&[0; 12], b"", (&mut data[..]).into(), &vec![0; len]);
        assert!(refuses_length(opened, "tag", len));
    }
    assert_eq!((data, tag), ([9; 40], [5; 16]));
}
