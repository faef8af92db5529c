use cipherlane::aead::gcm::Gcm;
use cipherlane::{Aead, Error, InOut, Level, Sizes};
use model::random::SplitMix64;

use crate::{bytes, cipher, for_each_vector, lengths, refuses_length, sm4_model, spoilt};

#[test]
fn published_vectors() {
    let count = for_each_vector("gcm", |vector, level| {
        let test = vector.test;
        let (iv, aad) = (bytes(&test.iv), bytes(&test.aad));
        let (ciphertext, tag) = (bytes(&test.ciphertext), bytes(&test.tag));
        let place = format!("{}, {level}", test.id);
        let gcm = Gcm::new(vector.cipher(level)).unwrap().with_tag_len(tag.len()).unwrap();
        let mut out = vec![0xee; ciphertext.len()];
        let io = InOut::disjoint(ciphertext, &mut out).unwrap();
        if vector.valid() {
            gcm.open(iv, aad, io, tag).unwrap();
            assert_eq!(out, bytes(&test.plaintext), "{place}");
            let mut got = vec![0; tag.len()];
            gcm.seal(iv, aad, out.as_mut_slice().into(), &mut got).unwrap();
            assert_eq!((&*out, &*got), (ciphertext, tag), "{place}");
        } else if iv.is_empty() {
            assert!(refuses_length(gcm.open(iv, aad, io, tag), "nonce", 0), "{place}");
        } else {
            assert_eq!(gcm.open(iv, aad, io, tag), Err(Error::Authentication), "{place}");
            assert!(out.iter().all(|&byte| byte == 0), "{place}: plaintext left");
        }
    });
    assert!(count >= 114, "{count} tests under SM4");
}

/// In place, buffer to buffer and attached, against the model.
#[test]
fn every_length_equals_the_model_at_every_level() {
    for (seed, len) in lengths().enumerate() {
        let mut random = SplitMix64::new(seed as u64);
        let key = random.bytes(16);
        let aad_len = [0, 13, 16, 20, 100, 700][seed % 6];
        let nonce_len = [12, 12, 1, 16, 60][seed % 5];
        let (aad, nonce) = (random.bytes(aad_len), random.bytes(nonce_len));
        let data = random.bytes(len);
        let (expected, tag) = model::gcm::seal(&|b| sm4_model(&key, b), &nonce, &aad, &data);
        for level in Level::available() {
            let place = format!("{len} bytes, {aad_len} associated, nonce {nonce_len}, {level}");
            let gcm = Gcm::new(cipher("sm4", &key, level).unwrap()).unwrap();
            let mut buffer = data.clone();
            let mut got = [0; 16];
            gcm.seal(&nonce, &aad, buffer.as_mut_slice().into(), &mut got).unwrap();
            assert_eq!((&buffer, &got[..]), (&expected, &tag[..]), "{place}");
            gcm.open(&nonce, &aad, buffer.as_mut_slice().into(), &got).unwrap();
            assert_eq!(buffer, data, "{place}");

            let mut sealed = vec![0; len + 16];
            gcm.seal_attached(&nonce, &aad, &data, &mut sealed).unwrap();
            assert_eq!(sealed, [&expected[..], &tag].concat(), "{place}");
            buffer.fill(0);
            gcm.open_attached(&nonce, &aad, &sealed, &mut buffer).unwrap();
            assert_eq!(buffer, data, "{place}");
        }
    }
}

/// A key that long messages have brought more powers takes messages of up to 32 blocks, associated data
/// and lengths included, in another way than a new one: both, and `portable`, give the same.
#[test]
fn more_powers_change_nothing() {
    for (name, key_len) in [("aes-128", 16), ("aes-256", 32), ("sm4", 16)] {
        let mut random = SplitMix64::new(29);
        let (key, nonce) = (random.bytes(key_len), random.bytes(12));
        let make = |level| Some(Gcm::new(cipher(name, &key, level)?).unwrap());
        let Some(portable) = make(Level::portable()) else { continue };
        for level in Level::available() {
            let grown = make(level).unwrap();
            for _ in 0..3 {
                grown.seal(&nonce, &[], (&mut [0; 4096][..]).into(), &mut [0; 16]).unwrap();
            }
            for len in (0..=272).filter(|len| len % 16 < 2 || len % 16 == 15) {
                for aad_len in
                    [0, 1, 13, 16, 17, 31, 64, 239, 240, 241, 256, 257, 480, 496, 512, 513]
                {
                    let (aad, data) = (random.bytes(aad_len), random.bytes(len));
                    let place = format!("{name}, {level}, {len} bytes, {aad_len} associated");
                    let mut wanted = (data.clone(), [0; 16]);
                    portable.seal(&nonce, &aad, (&mut wanted.0[..]).into(), &mut wanted.1).unwrap();
                    let mut got = (data.clone(), [0; 16]);
                    grown.seal(&nonce, &aad, (&mut got.0[..]).into(), &mut got.1).unwrap();
                    assert_eq!(got, wanted, "{place}");
                    grown.open(&nonce, &aad, (&mut got.0[..]).into(), &wanted.1).unwrap();
                    assert_eq!(got.0, data, "{place}, back");
                    let forged = spoilt(&wanted.1, (len + aad_len) % 128);
                    let refused = grown.open(&nonce, &aad, (&mut wanted.0[..]).into(), &forged);
                    assert_eq!(refused, Err(Error::Authentication), "{place}");
                    assert!(wanted.0.iter().all(|&byte| byte == 0), "{place}: plaintext left");
                }
            }
        }
    }
}

#[test]
fn nothing_survives_a_change_of_any_part() {
    for len in [0, 1, 33, 240, 241, 5000] {
        let mut random = SplitMix64::new(len as u64);
        let (data, aad) = (random.bytes(len), random.bytes(21));
        for level in Level::available() {
            let gcm = Gcm::new(cipher("sm4", &[7; 16], level).unwrap()).unwrap();
            let mut sealed = data.clone();
            let mut tag = [0; 16];
            gcm.seal(&[1; 12], &aad, sealed.as_mut_slice().into(), &mut tag).unwrap();
            let check = |nonce: &[u8], aad: &[u8], sealed: &[u8], tag: &[u8]| {
                let mut buffer = sealed.to_vec();
                let result = gcm.open(nonce, aad, buffer.as_mut_slice().into(), tag);
                assert_eq!(result, Err(Error::Authentication), "{len} bytes, {level}");
                assert_eq!(buffer, vec![0; len], "{len} bytes, {level}: plaintext left");
            };
            for bit in 0..128 {
                check(&[1; 12], &aad, &sealed, &spoilt(&tag, bit));
            }
            for n in [4, 8, 12, 13, 14, 15] {
                let short = Gcm::new(gcm.cipher()).unwrap().with_tag_len(n).unwrap();
                let open = |tag: &[u8]| {
                    short.open(&[1; 12], &aad, sealed.clone().as_mut_slice().into(), tag)
                };
                open(&tag[..n]).unwrap();
                assert_eq!(open(&spoilt(&tag[..n], 8 * n - 1)), Err(Error::Authentication));
            }
            check(&[2; 12], &aad, &sealed, &tag);
            check(&[1; 12], &spoilt(&aad, 8 * 20), &sealed, &tag);
            check(&[1; 12], &aad[..20], &sealed, &tag);
            if len > 0 {
                check(&[1; 12], &aad, &spoilt(&sealed, 8 * len - 8), &tag);
                check(&[1; 12], &aad, &spoilt(&sealed, 0), &tag);
            }
        }
    }
}

/// The 32-bit counter starts anywhere where the nonce has not 12 bytes: nonces
/// found so that it wraps inside the message.
#[test]
fn counters_wrap_at_32_bits() {
    let key = [7; 16];
    let model = |block: &[u8]| sm4_model(&key, block);
    let h = model(&[0; 16]).try_into().unwrap();
    // With one block as nonce, J0 = (N·H ⊕ 128)·H, so N = (J0·H⁻¹ ⊕ 128)·H⁻¹.
    let inverse = inverse(&h);
    for before in [1, 2, 3, 14, 15, 16, 64, 126, 127, 128, 129] {
        let counter = 0u32.wrapping_sub(before);
        for fixed in [0x0123_4567_89ab_cdef_0011_2233, (1u128 << 96) - 1] {
            let j0 = (fixed << 32 | u128::from(counter)).to_be_bytes();
            let y = u128::from_be_bytes(model::ghash::multiply(&j0, &inverse)) ^ 128;
            let nonce = model::ghash::multiply(&y.to_be_bytes(), &inverse);
            let mut data = SplitMix64::new(3).bytes(4200);
            let (expected, tag) = model::gcm::seal(&model, &nonce, b"", &data);
            for level in Level::available() {
                let gcm = Gcm::new(cipher("sm4", &key, level).unwrap()).unwrap();
                for len in [100, 240, 4200] {
                    let mut tag = [0; 16];
                    let mut buffer = data[..len].to_vec();
                    gcm.seal(&nonce, b"", buffer.as_mut_slice().into(), &mut tag).unwrap();
                    assert_eq!(buffer, expected[..len], "{before} blocks before the wrap, {level}");
                    gcm.open(&nonce, b"", buffer.as_mut_slice().into(), &tag).unwrap();
                    assert_eq!(buffer, data[..len]);
                }
                let mut got = [0; 16];
                gcm.seal(&nonce, b"", data.clone().as_mut_slice().into(), &mut got).unwrap();
                assert_eq!(got[..], tag, "{before} blocks before the wrap, {level}");
            }
            data.clear();
        }
    }
}

/// H^(2^128 - 2).
fn inverse(h: &[u8; 16]) -> [u8; 16] {
    let square = |x: [u8; 16]| model::ghash::multiply(&x, &x);
    let (mut power, mut result) = (square(*h), square(*h));
    for _ in 2..128 {
        power = square(power);
        result = model::ghash::multiply(&result, &power);
    }
    result
}

#[test]
fn wrong_lengths_are_refused_and_write_nothing() {
    let gcm = Gcm::new(cipher("sm4", &[7; 16], Level::best()).unwrap()).unwrap();
    let mut data = [9; 40];
    for len in (0..=40).filter(|&len| len != 16) {
        let mut tag = vec![5; len];
        let sealed = gcm.seal(&[0; 12], b"", (&mut data[..]).into(), &mut tag);
        assert!(refuses_length(sealed, "tag", len));
        assert!(refuses_length(gcm.open(&[0; 12], b"", (&mut data[..]).into(), &tag), "tag", len));
        assert_eq!((data, tag), ([9; 40], vec![5; len]));
    }
    let mut tag = [5; 16];
    let sealed = gcm.seal(&[], b"", (&mut data[..]).into(), &mut tag);
    assert!(refuses_length(sealed, "nonce", 0));
    assert_eq!((data, tag), ([9; 40], [5; 16]));
    // 2^64 - 1 bits (SP 800-38D §5.2.1.1), or what there is memory for.
    let most = usize::try_from((1_u64 << 61) - 1).unwrap_or(usize::MAX);
    assert_eq!(gcm.nonce_sizes(), Sizes::between(1, most));
    let short = gcm.seal_attached(&[0; 12], b"", &data, &mut [0; 39]);
    assert_eq!(short, Err(Error::OutputLength { got: 39, needed: 56 }));
    let error = gcm.open(&[0; 12], b"", (&mut data[..]).into(), &[0; 12]).unwrap_err();
    assert_eq!(error.to_string(), "tag of 12 bytes; allowed: 16 bytes");
    let error = Gcm::new(gcm.cipher()).unwrap().with_tag_len(9).unwrap_err();
    assert_eq!(error.to_string(), "tag of 9 bytes; allowed: 4, 8, 12 to 16 bytes");
    assert_eq!(format!("{gcm:?}"), "Gcm { .. }");
}
