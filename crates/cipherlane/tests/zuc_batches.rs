//! Many messages at once at every level, against one at a time and against the model.

use cipherlane::batch::{BatchCipher, Packet};
use cipherlane::zuc::mac::{Authenticates, ZucMac};
use cipherlane::zuc::{
    Eea3, Eia3, Frame, FrameBatch, FramePacket, Key128, Key256Of2018, Key256Of2021, Key256Of2023,
    Member, Order, Zuc, ZucBatch, ZucBothBatch, ZucMacBatch,
};
use cipherlane::{Error, InOut, Level, Mac, StreamCipher};
use model::random::SplitMix64;
use model::zuc128;

/// A message with all that belongs to it.
struct Message {
    key: Vec<u8>,
    iv: Vec<u8>,
    data: Vec<u8>,
    tag: usize,
}

/// Messages whose lengths, keys and IVs all differ, a few of them much longer than most.
fn messages<M: Member>(random: &mut SplitMix64, count: usize, tags: &[usize]) -> Vec<Message> {
    let lengths = [17, 70, 260, 1600];
    let message = |i: usize| {
        let len = random.below(lengths[if i % 7 == 3 { 3 } else { i % 3 }]);
        let key = random.bytes(M::KEY.max);
        let mut iv = random.bytes(random.clone().length(M::IV.min, M::IV.max, M::IV.step));
        if iv.len() == 25 {
            iv[17..].iter_mut().for_each(|value| *value %= 64);
        }
        Message { key, iv, data: random.bytes(len), tag: tags[random.below(tags.len())] }
    };
    (0..count).map(message).collect()
}

fn encryption_is_that_of_single_streams<M: Member>() {
    let mut random = SplitMix64::new(7);
    for level in Level::available() {
        let mut batch = ZucBatch::<M>::with_level(level);
        for count in (0..=33).chain([64, 100]) {
            let messages = messages::<M>(&mut random, count, &[0]);
            let mut out: Vec<_> = messages.iter().map(|it| it.data.clone()).collect();
            let mut copies: Vec<_> = messages.iter().map(|it| vec![0xaa; it.data.len()]).collect();
            // In place and buffer to buffer by turns.
            let packet = |((i, it), (out, copy)): ((usize, _), (_, _))| -> Packet<'_> {
                let (it, out, copy): (&Message, &mut Vec<u8>, &mut Vec<u8>) = (it, out, copy);
                let io = match i % 2 {
                    0 => out.as_mut_slice().into(),
                    _ => InOut::disjoint(&it.data, copy).unwrap(),
                };
                Packet::new(&it.key, &it.iv, io)
            };
            let buffers = out.iter_mut().zip(&mut copies);
            let mut packets: Vec<_> =
                messages.iter().enumerate().zip(buffers).map(packet).collect();
            batch.apply(&mut packets).unwrap();
            for (i, it) in messages.iter().enumerate() {
                let mut wanted = it.data.clone();
                let mut single = Zuc::<M>::with_level(&it.key, &it.iv, level).unwrap();
                single.apply(&mut wanted).unwrap();
                let got = if i % 2 == 0 { &out[i] } else { &copies[i] };
                assert_eq!(*got, wanted, "{level}, message {i} of {count}");
            }
        }
    }
}

#[test]
fn many_streams_are_the_single_ones() {
    encryption_is_that_of_single_streams::<Key128>();
    encryption_is_that_of_single_streams::<Key256Of2018>();
    encryption_is_that_of_single_streams::<Key256Of2021>();
    encryption_is_that_of_single_streams::<Key256Of2023>();
}

fn tag<M: Authenticates>(it: &Message, text: &[u8], level: Level) -> Vec<u8> {
    let mut tag = vec![0; it.tag];
    let mut mac = ZucMac::<M>::with_level(&it.key, &it.iv, it.tag, level).unwrap();
    mac.update(text).unwrap();
    mac.finish(&mut tag).unwrap();
    tag
}

fn tags_are_those_of_single_macs<M: Authenticates>(tags: &[usize]) {
    let mut random = SplitMix64::new(8);
    for level in Level::available() {
        let mut batch = ZucMacBatch::<M>::with_level(level);
        for count in (0..=33).chain([64, 100]) {
            let messages = messages::<M>(&mut random, count, tags);
            let mut got: Vec<_> = messages.iter().map(|it| vec![0; it.tag]).collect();
            let packet = |(it, tag): (_, _)| {
                let (it, tag): (&Message, &mut Vec<u8>) = (it, tag);
                Packet::mac(&it.key, &it.iv, &it.data, tag)
            };
            let mut packets: Vec<_> = messages.iter().zip(&mut got).map(packet).collect();
            batch.apply(&mut packets).unwrap();
            for (i, (it, got)) in messages.iter().zip(&got).enumerate() {
                let wanted = tag::<M>(it, &it.data, level);
                let len = it.data.len();
                assert_eq!(*got, wanted, "{level}, message {i} of {count}, {len} bytes");
            }
        }
    }
}

#[test]
fn many_tags_are_the_single_ones() {
    tags_are_those_of_single_macs::<Key128>(&[4]);
    tags_are_those_of_single_macs::<Key256Of2018>(&[4, 8, 16]);
    tags_are_those_of_single_macs::<Key256Of2023>(&[4, 8, 16]);
}

fn both_are_the_two<M: Authenticates>(tags: &[usize]) {
    let mut random = SplitMix64::new(9);
    let orders = [Order::EncryptThenMac, Order::MacThenEncrypt];
    for (level, order) in Level::available().flat_map(|level| orders.map(|order| (level, order))) {
        let mut batch = ZucBothBatch::<M>::with_level(order, false, level);
        let mut opening = ZucBothBatch::<M>::with_level(order, true, level);
        for count in [1, 5, 16, 33, 70] {
            let ours = messages::<M>(&mut random, count, tags);
            let aads: Vec<_> = (0..count).map(|i| random.bytes(i * 7 % 31)).collect();
            // The key and the IV of the MAC, the latter of the same length.
            let theirs: Vec<_> = ours
                .iter()
                .map(|it| Message {
                    key: random.bytes(M::KEY.max),
                    iv: it.iv.iter().map(|byte| byte / 2).collect(),
                    data: vec![],
                    tag: it.tag,
                })
                .collect();
            let joined: Vec<_> = (ours.iter().zip(&theirs))
                .map(|(a, b)| ([&a.key[..], &b.key].concat(), [&a.iv[..], &b.iv].concat()))
                .collect();
            let mut out: Vec<_> = ours.iter().map(|it| it.data.clone()).collect();
            let mut tags: Vec<_> = ours.iter().map(|it| vec![0; it.tag]).collect();
            let mut packets: Vec<_> = (joined.iter().zip(&aads).zip(out.iter_mut().zip(&mut tags)))
                .map(|(((key, iv), aad), (out, tag))| {
                    Packet::aead(key, iv, aad, out.as_mut_slice().into(), tag)
                })
                .collect();
            batch.apply(&mut packets).unwrap();
            for (i, it) in ours.iter().enumerate() {
                let mut wanted = it.data.clone();
                let mut cipher = Zuc::<M>::with_level(&it.key, &it.iv, level).unwrap();
                cipher.apply(&mut wanted).unwrap();
                assert_eq!(out[i], wanted, "{level}, {order:?}, message {i} of {count}");
                let text = if order == Order::EncryptThenMac { &wanted } else { &it.data };
                let mut wanted = tag::<M>(&theirs[i], &[&aads[i][..], text].concat(), level);
                if order == Order::MacThenEncrypt {
                    cipher.apply(&mut wanted).unwrap();
                }
                assert_eq!(tags[i], wanted, "{level}, {order:?}, tag {i} of {count}");
            }
            // One tag is wrong.
            let wrong = count / 2;
            tags[wrong][3] ^= 1;
            let mut packets: Vec<_> = (joined.iter().zip(&aads).zip(out.iter_mut().zip(&mut tags)))
                .map(|(((key, iv), aad), (out, tag))| {
                    Packet::aead(key, iv, aad, out.as_mut_slice().into(), tag)
                })
                .collect();
            assert_eq!(opening.apply(&mut packets), Err(Error::Authentication));
            for (i, packet) in packets.iter().enumerate() {
                assert_eq!(packet.failed, i == wrong, "{level}, {order:?}, message {i} of {count}");
            }
            for (i, it) in ours.iter().enumerate() {
                if i == wrong {
                    assert!(out[i].iter().all(|&byte| byte == 0), "{level}: wiped");
                } else {
                    assert_eq!(out[i], it.data, "{level}, {order:?}, message {i} of {count}");
                }
            }
        }
    }
}

#[test]
fn both_at_once_are_encryption_and_mac_in_their_order() {
    both_are_the_two::<Key128>(&[4]);
    both_are_the_two::<Key256Of2018>(&[4, 8, 16]);
    both_are_the_two::<Key256Of2023>(&[4, 8, 16]);
}

/// Packets of any number of bits, against one at a time.
#[test]
fn frames_are_those_of_eea3_and_eia3() {
    let mut random = SplitMix64::new(11);
    for level in Level::available() {
        let mut batch = FrameBatch::with_level(level);
        for count in [1, 15, 33, 64] {
            let mut data: Vec<_> = (0..count).map(|i| random.bytes(1 + i * i % 190)).collect();
            let texts = data.clone();
            let keys: Vec<_> = (0..count).map(|_| random.bytes(16)).collect();
            let frames: Vec<_> = (0..count)
                .map(|i| {
                    let (bearer, direction) = (random.below(32) as u8, random.below(2) as u8);
                    let frame =
                        Frame::from_numbers(random.next_u64() as u32, bearer, direction).unwrap();
                    (frame, 8 * texts[i].len() as u64 - random.below(8) as u64)
                })
                .collect();
            let packets = |data: &mut Vec<Vec<u8>>, run: &mut dyn FnMut(&mut [FramePacket<'_>])| {
                let mut packets: Vec<_> = (data.iter_mut().zip(&keys).zip(&frames))
                    .map(|((data, key), &(frame, bits))| {
                        FramePacket::new(key, frame, data.as_mut_slice().into(), bits)
                    })
                    .collect();
                run(&mut packets);
                packets.iter().map(|packet| packet.tag).collect::<Vec<_>>()
            };
            let tags = packets(&mut data, &mut |packets| batch.eia3(packets).unwrap());
            packets(&mut data, &mut |packets| batch.eea3(packets).unwrap());
            for (i, &(frame, bits)) in frames.iter().enumerate() {
                let mut wanted = texts[i].clone();
                let eea3 = Eea3::with_level(&keys[i], frame, level).unwrap();
                eea3.apply(wanted.as_mut_slice().into(), bits).unwrap();
                assert_eq!(data[i], wanted, "{level}, message {i} of {count}, {bits} bits");
                let eia3 = Eia3::with_level(&keys[i], frame, level).unwrap();
                let wanted = eia3.mac(&texts[i], bits).unwrap();
                assert_eq!(tags[i], wanted, "{level}, tag {i} of {count}, {bits} bits");
            }
        }
        let mut packet = [0; 3];
        let frame = Frame::from_numbers(1, 2, 0).unwrap();
        let mut packets = [FramePacket::new(&[0; 16], frame, (&mut packet[..]).into(), 16)];
        let refused = batch.eea3(&mut packets).unwrap_err().to_string();
        assert_eq!(refused, "LENGTH in bits is 16; allowed: 17 to 24");
    }
}

/// With this key and COUNT the feedback of an LFSR cell is 0, which is to be written as
/// 2³¹ − 1; a published implementation writes 0 on one of its paths.
#[test]
fn a_cell_of_zero_becomes_the_modulus() {
    let key: [u8; 16] = core::array::from_fn(|i| i as u8);
    let count = 3_478_155_851_u32.to_be_bytes();
    let mut iv = [0; 16];
    iv[..4].copy_from_slice(&count);
    iv[8..12].copy_from_slice(&count);
    let wanted = zuc128::keystream(&key, &iv, 4096);
    for level in Level::available() {
        let mut data = vec![vec![0; 4096]; 33];
        let mut packets: Vec<_> = data
            .iter_mut()
            .map(|data| Packet::new(&key, &iv, data.as_mut_slice().into()))
            .collect();
        ZucBatch::<Key128>::with_level(level).apply(&mut packets).unwrap();
        assert!(data.iter().all(|data| *data == wanted), "{level}");
    }
}

#[test]
fn what_is_refused_is_marked_and_writes_nothing() {
    let mut batch = ZucBatch::<Key128>::with_level(Level::best());
    let (mut a, mut b) = ([5; 20], [6; 20]);
    let mut packets = [
        Packet::new(&[1; 16], &[2; 16], a.as_mut_slice().into()),
        Packet::new(&[1; 16], &[2; 15], b.as_mut_slice().into()),
    ];
    let refused = batch.apply(&mut packets).unwrap_err();
    assert_eq!(refused.to_string(), "iv of 15 bytes; allowed: 16 bytes");
    assert!(!packets[0].failed && packets[1].failed);
    assert_eq!((a, b), ([5; 20], [6; 20]));

    let mut batch = ZucBatch::<Key256Of2018>::with_level(Level::best());
    let mut iv = [0; 25];
    iv[20] = 64;
    let mut packets = [Packet::new(&[1; 32], &iv, a.as_mut_slice().into())];
    let refused = batch.apply(&mut packets).unwrap_err();
    assert_eq!(refused.to_string(), "iv[20] is 64; allowed: 0 to 63");
    let mut long = vec![0; 2501];
    let mut packets = [Packet::new(&[1; 32], &[2; 23], long.as_mut_slice().into())];
    let refused = batch.apply(&mut packets);
    let what = "keystream bytes under one key and IV";
    assert_eq!(refused, Err(Error::Limit { what, limit: 2500 }));
    ZucBatch::<Key256Of2018>::unlimited(Level::best()).apply(&mut packets).unwrap();

    let mut batch = ZucMacBatch::<Key256Of2023>::with_level(Level::best());
    for tag in [0, 3, 5, 12, 17] {
        let mut tag = vec![9; tag];
        let mut packets = [Packet::mac(&[1; 32], &[2; 16], b"text", &mut tag)];
        assert!(batch.apply(&mut packets).is_err() && packets[0].failed);
        assert!(tag.iter().all(|&byte| byte == 9));
    }
}
