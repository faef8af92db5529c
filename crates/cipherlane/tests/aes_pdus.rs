//! 128-NEA2 and 128-NIA2 on one packet and on many, against the two of them one after the other; and
//! 128-NIA2 alone, against the model.

#![cfg(feature = "aes")]

use cipherlane::Error;
use cipherlane::aead::nea2_nia2::Nea2Nia2;
use cipherlane::aes::Aes128;
use cipherlane::air::{Frame, Order, PduCipher};
use cipherlane::batch::{BatchCipher, Job, Packet};
use cipherlane::mac::nia2::{Nia2, Nia2Mac};
use cipherlane::modes::ctr::Ctr;
use cipherlane::registry;
use cipherlane::{Level, Mac, Sizes, StreamCipher};
use model::random::SplitMix64;

/// What goes over the air by the algorithms one after the other, in the level of an object each.
fn apart(
    (keys, ivs): (&[u8], &[u8]),
    header: &[u8],
    data: &[u8],
    order: Order,
    level: Level,
) -> (Vec<u8>, [u8; 4]) {
    let mut cipher = Ctr::new(Aes128::with_level(&keys[..16], level).unwrap(), &ivs[..16]).unwrap();
    let mut mac = Nia2Mac::with_level(&keys[16..], &ivs[16..], level).unwrap();
    let (mut sent, mut tag) = (data.to_vec(), [0; 4]);
    cipher.apply(&mut sent).unwrap();
    mac.update(header).unwrap();
    mac.update(if order == Order::EncryptThenMac { &sent } else { data }).unwrap();
    mac.finish(&mut tag).unwrap();
    if order == Order::MacThenEncrypt {
        cipher.apply(&mut tag).unwrap();
    }
    (sent, tag)
}

#[test]
fn one_packet_is_the_two_algorithms_in_either_order() {
    let random = &mut SplitMix64::new(11);
    for length in (0..=300).chain([1500, 4096]) {
        let (keys, ivs) = (random.bytes(32), random.bytes(24));
        let (header, data) = (random.bytes(length % 23), random.bytes(length));
        for level in Level::available() {
            for order in [Order::EncryptThenMac, Order::MacThenEncrypt] {
                let (sent, wanted) = apart((&keys, &ivs), &header, &data, order, level);
                let pair = Nea2Nia2::with_level(&keys, order, level).unwrap();
                let (mut io, mut tag) = (data.clone(), [0; 4]);
                pair.seal_pdu(&ivs, &header, io.as_mut_slice().into(), &mut tag).unwrap();
                assert_eq!((&io, tag), (&sent, wanted), "{level}, {order:?}, {length} bytes");
                pair.open_pdu(&ivs, &header, io.as_mut_slice().into(), &tag).unwrap();
                assert_eq!(io, data, "{level}, {order:?}, {length} bytes");
                tag[length % 4] ^= 1 << (length % 8);
                let answer = pair.open_pdu(&ivs, &header, io.as_mut_slice().into(), &tag);
                assert_eq!(answer, Err(Error::Authentication));
                assert_eq!(io, vec![0; length], "{level}: unverified bytes");
            }
        }
    }
}

#[test]
fn ivs_are_those_of_the_frame_and_wrong_lengths_are_refused() {
    let frame = Frame::from_numbers(0x398a_59b4, 0x15, 1).unwrap();
    let keys = [7; 32];
    let pair = Nea2Nia2::new(&keys, Order::MacThenEncrypt).unwrap();
    let (mut io, mut tag) = (*b"a packet", [0; 4]);
    pair.seal(frame, b"header", io.as_mut_slice().into(), &mut tag).unwrap();
    let ivs = [&frame.nea2_counter()[..], &frame.nia2_iv()].concat();
    let level = Level::detect().unwrap();
    let wanted = apart((&keys, &ivs), b"header", b"a packet", Order::MacThenEncrypt, level);
    assert_eq!((io.to_vec(), tag), wanted);
    pair.open(frame, b"header", io.as_mut_slice().into(), &tag).unwrap();
    assert_eq!(&io, b"a packet");
    for (keys, ivs, tag) in [(31, 24, 4), (33, 24, 4), (32, 23, 4), (32, 25, 4), (32, 24, 8)] {
        let answer = Nea2Nia2::new(&vec![1; keys], Order::EncryptThenMac).and_then(|pair| {
            pair.seal_pdu(&vec![0; ivs], &[], io.as_mut_slice().into(), &mut vec![0; tag])
        });
        assert!(matches!(answer, Err(Error::Length { .. })), "{keys}, {ivs}, {tag}: {answer:?}");
        assert_eq!(&io, b"a packet");
    }
}

/// Of many packets with keys, IVs, headers and lengths of their own, of which one is forged; under keys
/// that come with them and keys that are ready.
#[test]
fn many_packets_are_as_one_each() {
    let random = &mut SplitMix64::new(12);
    let operation = |name: &str| {
        let aes = registry::algorithm("aes-128").expect("registered");
        registry::operations(aes).find(|it| it.name == name).expect("registered")
    };
    let (seal, open) = (operation("nea2+nia2"), operation("nea2+nia2-open"));
    for count in [1, 2, 5, 17, 64, 65, 150] {
        let bytes = |random: &mut SplitMix64, length: fn(usize) -> usize| -> Vec<Vec<u8>> {
            (0..count).map(|i| random.bytes(length(i))).collect()
        };
        let (keys, ivs) = (bytes(random, |_| 32), bytes(random, |_| 24));
        let headers = bytes(random, |i| [0, 3, 8, 17][i % 4]);
        let texts = bytes(random, |i| i * 131 % 700);
        for level in Level::available() {
            let mut fresh = [seal.fresh(level).unwrap(), open.fresh(level).unwrap()];
            let of_all: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
            let mut ready =
                [seal.ready(&of_all, level).unwrap(), open.ready(&of_all, level).unwrap()];
            for are_ready in [false, true] {
                let mut run = |data: &mut [Vec<u8>], tags: &mut [[u8; 4]], open: bool| {
                    let rest = data.iter_mut().zip(tags).enumerate();
                    if are_ready {
                        let mut jobs: Vec<_> = rest
                            .map(|(i, (data, tag))| {
                                Job::aead(i, &ivs[i], &headers[i], data.as_mut_slice().into(), tag)
                            })
                            .collect();
                        let answer = ready[usize::from(open)].apply(&mut jobs);
                        return (answer, jobs.iter().map(|job| job.failed).collect::<Vec<_>>());
                    }
                    let mut jobs: Vec<_> = rest
                        .map(|(i, (data, tag))| {
                            let io = data.as_mut_slice().into();
                            Packet::aead(&keys[i], &ivs[i], &headers[i], io, tag)
                        })
                        .collect();
                    let answer = fresh[usize::from(open)].apply(&mut jobs);
                    (answer, jobs.iter().map(|job| job.failed).collect())
                };
                let (mut data, mut tags) = (texts.clone(), vec![[0; 4]; count]);
                assert_eq!(run(&mut data, &mut tags, false).0, Ok(()));
                for i in 0..count {
                    let of = (&keys[i][..], &ivs[i][..]);
                    let wanted = apart(of, &headers[i], &texts[i], Order::EncryptThenMac, level);
                    let got = (data[i].clone(), tags[i]);
                    assert_eq!(got, wanted, "{level}, packet {i} of {count}");
                }
                let forged = count / 2;
                tags[forged][2] ^= 0x40;
                let (answer, failed) = run(&mut data, &mut tags, true);
                assert_eq!(answer, Err(Error::Authentication));
                for i in 0..count {
                    assert_eq!(failed[i], i == forged);
                    let zeros = vec![0; texts[i].len()];
                    let wanted = if i == forged { &zeros } else { &texts[i] };
                    assert_eq!(&data[i], wanted, "{level}, packet {i} of {count}");
                }
            }
        }
    }
}

/// The tag of whole bytes by the model: the CMAC of the IV and the message.
fn model_of_nia2(key: &[u8], iv: &[u8], message: &[u8]) -> [u8; 4] {
    let schedule = model::aes::key_expansion(key);
    let cipher = |block: &[u8]| model::aes::cipher(&schedule, block.try_into().unwrap()).to_vec();
    let tag = model::mac::cmac::mac(&cipher, 16, &[iv, message].concat());
    *tag.first_chunk().unwrap()
}

#[test]
fn nia2_gives_the_published_tags_and_takes_no_other() {
    // TS 33.401 annex C.2, 128-EIA2 test sets 1 and 2.
    let sets = [
        (
            0x2bd6_459f_82c5_b300_952c_4910_4881_ff48_u128,
            (0x38a6_f056, 0x18, 0),
            (0x3332_3462_6339_3840_u64, 58),
            0x118c_6eb8_u32,
        ),
        (
            0xd3c5_d592_327f_b11c_4035_c668_0af8_c6d1,
            (0x398a_59b4, 0x1a, 1),
            (0x4845_83d5_afe0_82ae, 64),
            0xb937_87e6,
        ),
    ];
    for (key, (count, bearer, direction), (message, bits), tag) in sets {
        let frame = Frame::from_numbers(count, bearer, direction).unwrap();
        let (key, message) = (key.to_be_bytes(), message.to_be_bytes());
        for level in Level::available() {
            let nia2 = || Nia2::with_level(&key, frame, level).unwrap();
            assert_eq!(nia2().mac(&message, bits), Ok(tag.to_be_bytes()), "{level}");
            assert_eq!(nia2().verify(&message, bits, &tag.to_be_bytes()), Ok(()), "{level}");
            for bit in 0..32 {
                let wrong = (tag ^ 1 << bit).to_be_bytes();
                let verdict = nia2().verify(&message, bits, &wrong);
                assert_eq!(verdict, Err(Error::Authentication), "{level}, bit {bit}");
            }
        }
    }
}

/// Bytes behind a byte that is not whole are shifted in a buffer of 256 bytes, so some messages here
/// are longer than it.
#[test]
fn nia2_takes_bytes_behind_any_number_of_bits() {
    let random = &mut SplitMix64::new(13);
    for length in (1..=40).chain([255, 256, 257, 258, 511, 512, 513, 514, 770]) {
        let (key, iv, message) = (random.bytes(16), random.bytes(8), random.bytes(length));
        let wanted = model_of_nia2(&key, &iv, &message);
        for begun in 1..8 {
            // What follows the first bits, moved to whole bytes; of the last one the rest is nobody's.
            let behind: Vec<u8> = (0..length)
                .map(|i| message[i] << begun | message.get(i + 1).unwrap_or(&0xff) >> (8 - begun))
                .collect();
            let (whole, last) = behind.split_at(length - 1);
            let cut = random.below(whole.len() + 1);
            for level in Level::available() {
                let place = format!("{level}, {begun} bits and {length} bytes, cut at {cut}");
                let mut mac = Nia2Mac::with_level(&key, &iv, level).unwrap();
                mac.update_bits(&message[..1], begun).unwrap();
                mac.update(&whole[..cut]).unwrap();
                mac.update(&whole[cut..]).unwrap();
                mac.update_bits(last, 8 - begun).unwrap();
                let mut tag = [0; 4];
                mac.finish(&mut tag).unwrap();
                assert_eq!(tag, wanted, "{place}");
            }
        }
    }
}

#[test]
fn tags_of_nia2_have_four_bytes_and_refused_calls_change_nothing() {
    let (key, iv) = ([5; 16], [6; 8]);
    let wanted = model_of_nia2(&key, &iv, b"a message");
    let mut mac = Nia2Mac::new(&key, &[0; 8]).unwrap();
    let allowed = Sizes::exactly(4);
    assert_eq!((mac.tag_sizes(), mac.tag_len()), (allowed, 4));
    // A message that was begun, amid a byte, is forgotten.
    mac.update_bits(b"some other", 75).unwrap();
    mac.reset(&iv).unwrap();
    mac.update(b"a ").unwrap();
    for got in (0..=20).filter(|&got| got != 4) {
        let error = Err(Error::Length { field: "tag", got, allowed });
        assert_eq!(mac.set_tag_len(got), error);
        assert_eq!(mac.finish(&mut vec![0; got]), error);
        assert_eq!(mac.verify(&vec![0; got]), error);
    }
    for got in (0..=20).filter(|&got| got != 8) {
        let error = Error::Length { field: "iv", got, allowed: Sizes::exactly(8) };
        assert_eq!(mac.reset(&vec![0; got]), Err(error));
    }
    mac.update(b"message").unwrap();
    assert_eq!(mac.verify(&wanted), Ok(()));
    // Its IV is used up, until there is another.
    assert!(matches!(mac.update(b"a message"), Err(Error::State(_))));
    mac.reset(&iv).unwrap();
    mac.update(b"a message").unwrap();
    let mut tag = [0; 4];
    mac.finish(&mut tag).unwrap();
    assert_eq!(tag, wanted);
}
