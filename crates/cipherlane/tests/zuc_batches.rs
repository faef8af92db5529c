//! Many messages at once at every level, against one at a time and against the model.

use cipherlane::batch::{BatchCipher, Packet};
use cipherlane::zuc::mac::{Authenticates, ZucMac};
use cipherlane::zuc::{
    Key128, Key256Of2018, Key256Of2021, Key256Of2023, Member, Order, Zuc, ZucBatch, ZucBothBatch,
    ZucMacBatch,
};
use cipherlane::{Error, InOut, Level, Mac, StreamCipher};
use model::random::SplitMix64;
use model::{zuc128, zuc256};

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
    for (level, order) in Level::available()
        .flat_map(|level| [(level, Order::EncryptThenMac), (level, Order::MacThenEncrypt)])
    {
        let mut batch = ZucBothBatch::<M>::with_level(order, level);
        for count in [1, 5, 16, 33, 70] {
            let ours = messages::<M>(&mut random, count, tags);
            // The IVs of the two have the same length.
            let theirs = ours.iter().map(|it| Message {
                key: random.bytes(M::KEY.max),
                iv: it.iv.iter().map(|byte| byte / 2).collect(),
                ..Message { data: vec![], key: vec![], iv: vec![], tag: it.tag }
            });
            let theirs: Vec<_> = theirs.collect();
            let joined: Vec<_> = ours
                .iter()
                .zip(&theirs)
                .map(|(a, b)| ([&a.key[..], &b.key].concat(), [&a.iv[..], &b.iv].concat()))
                .collect();
            let mut out: Vec<_> = ours.iter().map(|it| it.data.clone()).collect();
            let mut tags: Vec<_> = ours.iter().map(|it| vec![0; it.tag]).collect();
            let mut packets: Vec<_> = joined
                .iter()
                .zip(out.iter_mut().zip(&mut tags))
                .map(|((key, iv), (out, tag))| {
                    Packet::aead(key, iv, &[], out.as_mut_slice().into(), tag)
                })
                .collect();
            batch.apply(&mut packets).unwrap();
            for (i, it) in ours.iter().enumerate() {
                let mut wanted = it.data.clone();
                Zuc::<M>::with_level(&it.key, &it.iv, level).unwrap().apply(&mut wanted).unwrap();
                assert_eq!(out[i], wanted, "{level}, {order:?}, message {i} of {count}");
                let text = if order == Order::EncryptThenMac { &wanted } else { &it.data };
                let wanted = tag::<M>(&theirs[i], text, level);
                assert_eq!(tags[i], wanted, "{level}, {order:?}, tag {i} of {count}");
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

/// In an optimised build; else the model would take minutes.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn a_hundred_thousand_packets_agree_with_the_model() {
    let mut random = SplitMix64::new(10);
    let level = Level::best();
    let mut encryption = ZucBatch::<Key128>::with_level(level);
    let mut mac = ZucMacBatch::<Key256Of2023>::with_level(level);
    let mut left = 50_000;
    while left > 0 {
        let count = (1 + random.below(400)).min(left);
        left -= count;
        let keys: Vec<_> = (0..count).map(|_| random.bytes(32)).collect();
        let ivs: Vec<_> = (0..count).map(|_| random.bytes(16)).collect();
        let texts: Vec<_> = (0..count)
            .map(|_| {
                let most = if random.below(20) == 0 { 700 } else { 70 };
                let len = random.below(most);
                random.bytes(len)
            })
            .collect();
        let mut data = texts.clone();
        let mut packets: Vec<_> = (keys.iter().zip(&ivs).zip(&mut data))
            .map(|((key, iv), data)| Packet::new(&key[..16], iv, data.as_mut_slice().into()))
            .collect();
        encryption.apply(&mut packets).unwrap();
        let mut tags: Vec<_> = (0..count).map(|i| vec![0; [4, 8, 16][i % 3]]).collect();
        let mut packets: Vec<_> = (keys.iter().zip(&ivs).zip(texts.iter().zip(&mut tags)))
            .map(|((key, iv), (text, tag))| Packet::mac(key, iv, text, tag))
            .collect();
        mac.apply(&mut packets).unwrap();
        for i in 0..count {
            let (key, iv): (&[u8; 32], _) = (keys[i][..].try_into().unwrap(), &ivs[i][..]);
            let first = key.first_chunk().unwrap();
            let mut wanted = zuc128::keystream(first, iv.try_into().unwrap(), texts[i].len());
            wanted.iter_mut().zip(&texts[i]).for_each(|(byte, text)| *byte ^= text);
            assert_eq!(data[i], wanted);
            let (text, bits) = (&texts[i], 8 * texts[i].len());
            let version = zuc256::Version::Y2023;
            let wanted = zuc256::mac(version, key, iv, (text, bits), 8 * tags[i].len());
            assert_eq!(tags[i], wanted);
        }
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
