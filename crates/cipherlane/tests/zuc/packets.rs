//! 128-EEA3 and 128-EIA3 against the model, alone and in one pass.

use cipherlane::air::{Bearer, Count, Direction, PduCipher};
use cipherlane::zuc::{Eea3, Eea3Eia3, Eia3, Frame, Nca6, Nea6, Nia6, Order, Zuc256Of2023};
use cipherlane::{Aead, Error, InOut, Level, Mac, StreamCipher};
use model::random::SplitMix64;
use model::{eia3, zuc128};

fn frame(random: &mut SplitMix64) -> (Frame, u32, u8, u8) {
    let (count, bearer) = (random.next_u64() as u32, random.below(32) as u8);
    let direction = random.below(2) as u8;
    (Frame::from_numbers(count, bearer, direction).unwrap(), count, bearer, direction)
}

#[test]
fn ivs_are_those_of_the_specification() {
    for seed in 0..200 {
        let (frame, count, bearer, direction) = frame(&mut SplitMix64::new(seed));
        assert_eq!(frame.eea3_iv(), eia3::eea3_iv(count, bearer, direction));
        assert_eq!(frame.eia3_iv(), eia3::eia3_iv(count, bearer, direction));
        assert_eq!(frame.nonce()[..16], frame.eea3_iv());
        assert_eq!(frame.nonce()[16..], frame.eia3_iv());
    }
}

#[test]
fn lengths_in_bits_equal_the_model() {
    for seed in 0..400 {
        let mut random = SplitMix64::new(seed);
        let bits = 1 + if seed < 300 { seed as usize } else { random.below(9000) };
        let key = random.bytes(16);
        let k = key.as_slice().try_into().unwrap();
        let (frame, count, bearer, direction) = frame(&mut random);
        let message = random.bytes(bits.div_ceil(8));
        let iv = eia3::eea3_iv(count, bearer, direction);
        let mut expected = zuc128::keystream(k, &iv, message.len());
        expected.iter_mut().zip(&message).for_each(|(byte, data)| *byte ^= data);
        *expected.last_mut().unwrap() &= 0xff << (bits.wrapping_neg() % 8);
        let iv = eia3::eia3_iv(count, bearer, direction);
        let tag = eia3::mac(k, &iv, &message, bits);
        for level in Level::available() {
            let place = format!("{level}, seed {seed}, {bits} bits");
            let eea3 = || Eea3::with_level(&key, frame, level).unwrap();
            let mut data = message.clone();
            eea3().apply(data.as_mut_slice().into(), bits as u64).unwrap();
            assert_eq!(data, expected, "{place}");
            let mut output = vec![0xa5; message.len()];
            let io = InOut::disjoint(&message, &mut output).unwrap();
            eea3().apply(io, bits as u64).unwrap();
            assert_eq!(output, expected, "{place}");
            let eia3 = || Eia3::with_level(&key, frame, level).unwrap();
            assert_eq!(eia3().mac(&message, bits as u64).unwrap(), tag, "{place}");
            eia3().verify(&message, bits as u64, &tag).unwrap();
            let mut wrong = tag;
            wrong[seed as usize % 4] ^= 0x10;
            let refused = eia3().verify(&message, bits as u64, &wrong);
            assert_eq!(refused, Err(Error::Authentication), "{place}");
        }
    }
}

/// The tag, plain, and the ciphertext with keystream for four more bytes behind it.
fn model(keys: &[u8], nonce: &[u8], aad: &[u8], data: &[u8], order: Order) -> (Vec<u8>, Vec<u8>) {
    let part = |of: &[u8], i: usize| of[16 * i..16 * i + 16].try_into().unwrap();
    let mut ciphertext = zuc128::keystream(&part(keys, 0), &part(nonce, 0), data.len() + 4);
    ciphertext.iter_mut().zip(data).for_each(|(byte, data)| *byte ^= data);
    let end = ciphertext.split_off(data.len());
    let message = [aad, if order == Order::EncryptThenMac { &ciphertext } else { data }].concat();
    let tag = eia3::mac(&part(keys, 1), &part(nonce, 1), &message, 8 * message.len());
    let mut tag = tag.to_vec();
    if order == Order::MacThenEncrypt {
        tag.iter_mut().zip(end).for_each(|(byte, mask)| *byte ^= mask);
    }
    (ciphertext, tag)
}

#[test]
fn both_in_one_pass_equal_the_model() {
    for seed in 0..420 {
        let mut random = SplitMix64::new(seed);
        let len = if seed < 300 { seed as usize } else { random.below(3000) };
        let (keys, data) = (random.bytes(32), random.bytes(len));
        let aad = if seed % 5 == 0 { random.below(40) } else { 0 };
        let aad = random.bytes(aad);
        let nonce = random.bytes(32);
        for order in [Order::EncryptThenMac, Order::MacThenEncrypt] {
            let (ciphertext, tag) = model(&keys, &nonce, &aad, &data, order);
            for level in Level::available() {
                let place = format!("{order:?}, {level}, {len} bytes, seed {seed}");
                let both = Eea3Eia3::with_level(&keys, order, level).unwrap();
                let (mut sealed, mut computed) = (vec![0; len], [0; 4]);
                let io = InOut::disjoint(&data, &mut sealed).unwrap();
                both.seal_pdu(&nonce, &aad, io, &mut computed).unwrap();
                assert_eq!((&sealed, &computed[..]), (&ciphertext, &*tag), "{place}");
                let mut in_place = data.clone();
                let mut computed = [0; 4];
                let io = in_place.as_mut_slice().into();
                both.seal_pdu(&nonce, &aad, io, &mut computed).unwrap();
                assert_eq!((&in_place, &computed[..]), (&ciphertext, &*tag), "{place}, in place");
                both.open_pdu(&nonce, &aad, in_place.as_mut_slice().into(), &tag).unwrap();
                assert_eq!(in_place, data, "{place}, opened in place");
                let mut opened = vec![0xa5; len];
                let io = InOut::disjoint(&sealed, &mut opened).unwrap();
                both.open_pdu(&nonce, &aad, io, &tag).unwrap();
                assert_eq!(opened, data, "{place}, opened");
                let (place_of, bit) = (random.below(len + 4), 1 << random.below(8));
                match sealed.get_mut(place_of) {
                    Some(byte) => *byte ^= bit,
                    None => computed[place_of - len] ^= bit,
                }
                let io = InOut::disjoint(&sealed, &mut opened).unwrap();
                let refused = both.open_pdu(&nonce, &aad, io, &computed);
                assert_eq!(refused, Err(Error::Authentication), "{place}");
                assert_eq!(opened, vec![0; len], "{place}");
            }
        }
    }
}

/// The input on which intel-ipsec-mb 1.3 is wrong for one buffer: within a packet a cell
/// of the register becomes 0 modulo 2³¹ − 1.
#[test]
fn a_cell_that_becomes_zero_is_the_modulus() {
    let key: [u8; 16] = core::array::from_fn(|i| i as u8);
    let (count, len) = (3_478_155_851, 8188);
    let expected = zuc128::keystream(&key, &eia3::eea3_iv(count, 0, 0), len);
    let frame = Frame::from_numbers(count, 0, 0).unwrap();
    let tag = eia3::mac(&key, &eia3::eia3_iv(count, 0, 0), &expected, 8 * len);
    for level in Level::available() {
        let mut data = vec![0; len];
        let eea3 = Eea3::with_level(&key, frame, level).unwrap();
        eea3.apply(data.as_mut_slice().into(), 8 * len as u64).unwrap();
        assert_eq!(data, expected, "{level}");
        let eia3 = Eia3::with_level(&key, frame, level).unwrap();
        assert_eq!(eia3.mac(&data, 8 * len as u64).unwrap(), tag, "{level}");
        let keys = [key, key].concat();
        let both = Eea3Eia3::with_level(&keys, Order::EncryptThenMac, level).unwrap();
        let (mut data, mut computed) = (vec![0; len], [0; 4]);
        both.seal(frame, &[], data.as_mut_slice().into(), &mut computed).unwrap();
        assert_eq!((data, computed), (expected.clone(), tag), "{level}");
    }
}

#[test]
fn what_is_out_of_range_is_named() {
    let text = |error: Error| error.to_string();
    let bearer = Bearer::new(32).unwrap_err();
    assert_eq!(text(bearer), "BEARER is 32; allowed: 0 to 31");
    let direction = Direction::new(2).unwrap_err();
    assert_eq!(text(direction), "DIRECTION is 2; allowed: 0 to 1");
    let (count, bearer) = (Count(u32::MAX), Bearer::new(31).unwrap());
    let eea3 = |key: &[u8]| Eea3::new(key, count, bearer, Direction::Downlink);
    let eia3 = |key: &[u8]| Eia3::new(key, count, bearer, Direction::Downlink);
    for (len, bits, allowed) in [
        (0, 0, "1 to 4294967295"),
        (2, 0, "9 to 16"),
        (2, 8, "9 to 16"),
        (2, 17, "9 to 16"),
        (1, 0, "1 to 8"),
        (1, u64::MAX, "1 to 8"),
    ] {
        let mut data = vec![0x77; len];
        let expected = format!("LENGTH in bits is {bits}; allowed: {allowed}");
        let error = eea3(&[0; 16]).unwrap().apply(data.as_mut_slice().into(), bits).unwrap_err();
        assert_eq!((text(error), &data), (expected.clone(), &vec![0x77; len]));
        assert_eq!(text(eia3(&[0; 16]).unwrap().mac(&data, bits).unwrap_err()), expected);
    }
    assert_eq!(text(eea3(&[0; 15]).unwrap_err()), "key of 15 bytes; allowed: 16 bytes");
    assert_eq!(text(eia3(&[0; 32]).unwrap_err()), "key of 32 bytes; allowed: 16 bytes");
    let both = Eea3Eia3::new(&[0; 32], Order::EncryptThenMac).unwrap();
    let seal = |nonce: &[u8], tag: &mut [u8]| {
        text(both.seal_pdu(nonce, &[], (&mut [0; 3][..]).into(), tag).unwrap_err())
    };
    assert_eq!(seal(&[0; 16], &mut [0; 4]), "ivs of 16 bytes; allowed: 32 bytes");
    assert_eq!(seal(&[0; 32], &mut [0; 8]), "tag of 8 bytes; allowed: 4 bytes");
}

/// What is known of the IVs of the 256-bit algorithms, and what is only assumed.
#[test]
fn assumed_ivs_have_the_bytes_that_published_tests_show() {
    let (count, bearer) = (Count(0x0102_0304), Bearer::new(31).unwrap());
    let frame = Frame::new(count, bearer, Direction::Downlink);
    let tail = [0x3f, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let starts = |iv: [u8; 16], first: u8| assert_eq!((iv[0], &iv[1..]), (first, &tail[..]));
    starts(frame.assumed_nea6_iv(), 0);
    for tag in 4..=16 {
        starts(frame.assumed_nia6_iv(tag).unwrap(), 8 * tag as u8);
        starts(frame.assumed_nca6_nonce(tag).unwrap(), 8 * tag as u8 + 4);
    }
    for tag in [0, 3, 17, usize::MAX] {
        assert!(matches!(frame.assumed_nia6_iv(tag), Err(Error::Length { field: "tag", .. })));
        assert!(matches!(frame.assumed_nca6_nonce(tag), Err(Error::Length { field: "tag", .. })));
    }
    // The constructors take just these.
    let (key, mut data, mut other) = ([7; 32], *b"a packet", *b"a packet");
    let nea6 = Nea6::assuming(&key, count, bearer, Direction::Downlink).unwrap();
    nea6.apply((&mut data[..]).into()).unwrap();
    Zuc256Of2023::new(&key, &frame.assumed_nea6_iv()).unwrap().apply(&mut other).unwrap();
    assert_eq!(data, other);
    let mut nia6 = Nia6::assuming(&key, count, bearer, Direction::Downlink, 4).unwrap();
    let iv = frame.assumed_nia6_iv(4).unwrap();
    let mut by_hand = Nia6::new(&key, &iv).unwrap().with_tag_len(4).unwrap();
    let mut tag = [0; 4];
    nia6.finish(&mut tag).unwrap();
    by_hand.verify(&tag).unwrap();
    let nca6 = Nca6::new(&key).unwrap();
    let nonce = frame.assumed_nca6_nonce(16).unwrap();
    let mut sealed = [0; 8 + 16];
    nca6.seal_attached(&nonce, &[], &data, &mut sealed).unwrap();
}
