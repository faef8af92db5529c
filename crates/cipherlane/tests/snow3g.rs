//! SNOW 3G, 128-NEA1 and 128-NIA1 against the model: every length, every level, many at once.
#![cfg(feature = "snow3g")]

use cipherlane::air::{Bearer, Count, Direction, Frame};
use cipherlane::batch::{BatchCipher, Packet};
use cipherlane::snow3g::{Nea1, Nea1Nia1Batch, Nia1, Snow3g, Uia2Batch, Uia2Mac};
use cipherlane::{Error, Level, Mac, StreamCipher};
use model::random::SplitMix64;
use model::snow3g as reference;

fn block(random: &mut SplitMix64) -> [u8; 16] {
    random.bytes(16).try_into().expect("16 bytes")
}

#[test]
fn keystreams_of_every_length_are_those_of_the_model() {
    let random = &mut SplitMix64::new(3);
    let (key, iv) = (block(random), block(random));
    let wanted = reference::keystream(&key, &iv, 600);
    for level in Level::available() {
        for len in 0..=300 {
            let (mut all, mut cipher) =
                (vec![0; 600], Snow3g::with_level(&key, &iv, level).unwrap());
            let (first, rest) = all.split_at_mut(len);
            cipher.apply(first).unwrap();
            cipher.apply(rest).unwrap();
            assert_eq!(all, wanted, "{level}, cut at {len}");
        }
    }
}

#[test]
fn packets_of_every_length_in_bits_are_those_of_the_model() {
    let random = &mut SplitMix64::new(4);
    for bits in 1..=300u64 {
        let (key, bytes) = (block(random), random.bytes(bits.div_ceil(8) as usize));
        let (count, bearer, direction) = (bits as u32 * 77, (bits % 32) as u8, (bits % 2) as u8);
        let (nea1_iv, fresh) =
            (reference::uea2_iv(count, bearer, direction), u32::from(bearer) << 27);
        let nia1_iv = reference::uia2_iv(count, fresh, direction);
        let wanted = reference::uea2(&key, &nea1_iv, &bytes, bits as usize);
        let tag = reference::uia2(&key, &nia1_iv, &bytes, bits as usize);
        let frame = Frame::from_numbers(count, bearer, direction).unwrap();
        assert_eq!((frame.nea1_iv(), frame.nia1_iv()), (nea1_iv, nia1_iv));
        for level in Level::available() {
            let mut data = bytes.clone();
            let nea1 = Nea1::with_level(&key, frame, level).unwrap();
            nea1.apply(data.as_mut_slice().into(), bits).unwrap();
            assert_eq!(data, wanted, "{level}, {bits} bits");
            let nia1 = || Nia1::with_level(&key, frame, level).unwrap();
            assert_eq!(nia1().mac(&bytes, bits).unwrap(), tag, "{level}, {bits} bits");
            let mut wrong = tag;
            wrong[(bits % 4) as usize] ^= 1;
            assert_eq!(nia1().verify(&bytes, bits, &wrong), Err(Error::Authentication));
        }
    }
}

#[test]
fn long_messages_have_the_tags_of_the_model() {
    let random = &mut SplitMix64::new(5);
    let (key, iv) = (block(random), block(random));
    for len in (0..=300).chain([511, 512, 513, 1500, 4099]) {
        let message = random.bytes(len);
        let wanted = reference::uia2(&key, &iv, &message, 8 * len);
        for level in Level::available() {
            let (mut mac, mut tag) = (Uia2Mac::with_level(&key, &iv, level).unwrap(), [0; 4]);
            mac.update(&message).unwrap();
            mac.finish(&mut tag).unwrap();
            assert_eq!(tag, wanted, "{level}, {len} bytes");
        }
    }
}

#[test]
fn fresh_takes_the_place_of_bearer() {
    let key = [0x53; 16];
    let nia1 = Nia1::with_fresh(&key, Count(9), 0xdead_beef, Direction::Downlink).unwrap();
    let iv = reference::uia2_iv(9, 0xdead_beef, 1);
    assert_eq!(nia1.mac(b"message", 56).unwrap(), reference::uia2(&key, &iv, b"message", 56));
    let bearer = Bearer::new(1).unwrap();
    assert!(Nea1::new(&key[..15], Count(0), bearer, Direction::Uplink).is_err());
}

/// Of many messages with keys, IVs and lengths of their own the tags, and PDUs of which one is forged.
#[test]
fn many_at_once_are_those_of_the_model() {
    let random = &mut SplitMix64::new(6);
    for count in [1, 2, 5, 17, 64, 65, 150] {
        let keys: Vec<Vec<u8>> = (0..count).map(|_| random.bytes(32)).collect();
        let ivs: Vec<Vec<u8>> = (0..count).map(|_| random.bytes(32)).collect();
        let texts: Vec<Vec<u8>> = (0..count).map(|i| random.bytes(i * 131 % 700)).collect();
        let half = |of: &[u8], at: usize| -> [u8; 16] { of[at..at + 16].try_into().unwrap() };
        for level in Level::available() {
            let mut tags = vec![[0; 4]; count];
            let mut jobs: Vec<_> = (0..count)
                .zip(&mut tags)
                .map(|(i, tag)| Packet::mac(&keys[i][..16], &ivs[i][..16], &texts[i], tag))
                .collect();
            Uia2Batch::with_level(level).apply(&mut jobs).unwrap();
            for i in 0..count {
                let (key, iv) = (half(&keys[i], 0), half(&ivs[i], 0));
                let wanted = reference::uia2(&key, &iv, &texts[i], 8 * texts[i].len());
                assert_eq!(tags[i], wanted, "{level}, message {i} of {count}");
            }

            let mut data = texts.clone();
            let header = b"header";
            let pdus = |data: &mut [Vec<u8>], tags: &mut [[u8; 4]], open: bool| {
                let mut jobs: Vec<_> = (0..count)
                    .zip(data.iter_mut().zip(tags))
                    .map(|(i, (data, tag))| {
                        Packet::aead(&keys[i], &ivs[i], header, data.as_mut_slice().into(), tag)
                    })
                    .collect();
                let answer = Nea1Nia1Batch::with_level(open, level).apply(&mut jobs);
                (answer, jobs.iter().map(|job| job.failed).collect::<Vec<_>>())
            };
            assert_eq!(pdus(&mut data, &mut tags, false).0, Ok(()));
            for i in 0..count {
                let wanted = reference::uea2(
                    &half(&keys[i], 0),
                    &half(&ivs[i], 0),
                    &texts[i],
                    8 * texts[i].len(),
                );
                assert_eq!(data[i], wanted, "{level}, PDU {i} of {count}");
                let whole = [&header[..], &wanted].concat();
                let tag = reference::uia2(
                    &half(&keys[i], 16),
                    &half(&ivs[i], 16),
                    &whole,
                    8 * whole.len(),
                );
                assert_eq!(tags[i], tag, "{level}, PDU {i} of {count}");
            }
            let forged = count / 2;
            tags[forged][2] ^= 0x40;
            let (answer, failed) = pdus(&mut data, &mut tags, true);
            assert_eq!(answer, Err(Error::Authentication));
            for i in 0..count {
                assert_eq!(failed[i], i == forged);
                let wanted = if i == forged { vec![0; texts[i].len()] } else { texts[i].clone() };
                assert_eq!(data[i], wanted, "{level}, PDU {i} of {count}");
            }
        }
    }
}
