//! 128-NEA2 and 128-NIA2 on one packet and on many, against the two of them one after the other.

#![cfg(feature = "aes")]

use cipherlane::Error;
use cipherlane::aead::nea2_nia2::Nea2Nia2;
use cipherlane::aes::Aes128;
use cipherlane::air::{Frame, Order, PduCipher};
use cipherlane::batch::{BatchCipher, Job, Packet};
use cipherlane::mac::nia2::Nia2Mac;
use cipherlane::modes::ctr::Ctr;
use cipherlane::registry;
use cipherlane::{Level, Mac, StreamCipher};
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
