//! Every operation of the ZUC family on many messages at every level, against the model.

use cipherlane::batch::Packet;
use cipherlane::registry::{KEYSTREAM, Kind, Operation, algorithm, operations};
use cipherlane::{Level, Sizes};
use model::random::SplitMix64;
use model::zuc256::{self, Version};
use model::{eia3, zuc_aead, zuc128};

const ALGORITHMS: [&str; 4] = ["zuc-128", "zuc-256", "zuc-256-2021", "zuc-256-2023"];

/// A message and what the model makes of it.
struct Message {
    key: Vec<u8>,
    iv: Vec<u8>,
    aad: Vec<u8>,
    data: Vec<u8>,
    tag: Vec<u8>,
    expected: Vec<u8>,
    expected_tag: Vec<u8>,
}

/// An IV; those of 25 bytes end in values of six bits.
fn iv(random: &mut SplitMix64, sizes: Sizes) -> Vec<u8> {
    let len = random.length(sizes.min, sizes.max, sizes.step);
    let mut iv = random.bytes(len);
    if len == 25 {
        iv[17..].iter_mut().for_each(|value| *value %= 64);
    }
    iv
}

/// A random message of an operation, its text of less than `most` bytes.
fn message(random: &mut SplitMix64, name: &str, batch: &Operation, most: usize) -> Message {
    let len = random.below(most);
    let key_len = random.length(batch.key.min, batch.key.max, batch.key.step);
    let key = random.bytes(key_len);
    let iv = iv(random, batch.iv);
    let tag = batch.tag_len();
    let (aad, data) = match batch.kind {
        Kind::Cipher => (vec![], random.bytes(len)),
        Kind::Mac => (random.bytes(len), vec![]),
        Kind::Seal | Kind::Open => {
            let aad = random.below(40);
            (random.bytes(aad), random.bytes(len))
        }
    };
    of_model(name, batch, key, iv, [aad, data], tag)
}

/// What the model makes of it.
fn of_model(
    name: &str,
    batch: &Operation,
    key: Vec<u8>,
    iv: Vec<u8>,
    [aad, data]: [Vec<u8>; 2],
    tag: usize,
) -> Message {
    let version = match name {
        "zuc-256" => Version::Y2018,
        "zuc-256-2021" => Version::Y2021,
        _ => Version::Y2023,
    };
    let operation = batch.mode();
    let block = |from: usize| key[from..].first_chunk::<16>().unwrap();
    let first = || iv.first_chunk::<16>().unwrap();
    let whole = || key.first_chunk::<32>().unwrap();
    let xored = |keystream: &[u8]| data.iter().zip(keystream).map(|(a, b)| a ^ b).collect();
    let subkeys = |given: bool, keys: usize| match given {
        true => core::array::from_fn(|i| if i < keys { *block(16 * i) } else { [0; 16] }),
        false => zuc_aead::subkeys(block(0)),
    };
    let (made, made_tag): (Vec<u8>, Vec<u8>) = match (operation, name) {
        (KEYSTREAM | "eea3", "zuc-128") => {
            (xored(&zuc128::keystream(block(0), first(), data.len())), vec![])
        }
        (KEYSTREAM | "nea6", _) => {
            (xored(&zuc256::keystream(version, whole(), &iv, data.len())), vec![])
        }
        ("eia3", _) => (vec![], eia3::mac(block(0), first(), &aad, 8 * aad.len()).to_vec()),
        ("mac32" | "mac64" | "mac128", _) => {
            (vec![], zuc256::mac(version, whole(), &iv, (&aad, 8 * aad.len()), 8 * tag))
        }
        ("nia6", _) => (vec![], zuc_aead::nca6(whole(), first(), &aad, &[], tag).1),
        ("nca6", _) => zuc_aead::nca6(whole(), first(), &aad, &data, tag),
        ("gxm", _) => {
            let [h, k1, _] = subkeys(key.len() == 32, 2);
            zuc_aead::gxm([&h, &k1], first(), &aad, &data, tag)
        }
        ("mur", _) => {
            let [h, k1, k2] = subkeys(key.len() == 48, 3);
            zuc_aead::mur([&h, &k1, &k2], first(), &aad, &data, tag)
        }
        ("eea3+eia3", _) => {
            let out: Vec<u8> = xored(&zuc128::keystream(block(0), first(), data.len()));
            let text = [&aad[..], &out].concat();
            let second = iv[16..].first_chunk().unwrap();
            let tag = eia3::mac(block(16), second, &text, 8 * text.len());
            (out, tag.to_vec())
        }
        (other, _) => panic!("{other} has no model here"),
    };
    let tag = vec![0; tag];
    if batch.kind == Kind::Open {
        let (tag, expected_tag) = (made_tag.clone(), made_tag);
        return Message { key, iv, aad, data: made, tag, expected: data, expected_tag };
    }
    Message { key, iv, aad, data, tag, expected: made, expected_tag: made_tag }
}

/// Processes messages at a level, as a batch, and compares.
fn agree(place: &str, batch: &Operation, level: Level, messages: &mut [Message]) {
    let mut object = batch.fresh(level).unwrap();
    let mut packets: Vec<_> = messages
        .iter_mut()
        .map(|m| Packet::aead(&m.key, &m.iv, &m.aad, m.data.as_mut_slice().into(), &mut m.tag))
        .collect();
    object.apply(&mut packets).unwrap_or_else(|error| panic!("{place}, {level}: {error}"));
    let count = messages.len();
    for (i, m) in messages.iter().enumerate() {
        let place = || format!("{place}, {level}, message {i} of {count}");
        assert_eq!(m.data, m.expected, "{}", place());
        assert_eq!(m.tag, m.expected_tag, "{}", place());
    }
}

fn every_batch(mut run: impl FnMut(&'static str, &Operation)) {
    for name in ALGORITHMS {
        for batch in operations(algorithm(name).unwrap()) {
            // Every length that tags have, as a batch has one.
            for tag in batch.tag.lengths() {
                run(name, &batch.clone().with_tag_len(tag).unwrap());
            }
        }
    }
}

/// A wider one now and then, so that lanes are given up and taken over.
fn mixed(random: &mut SplitMix64) -> usize {
    [20, 70, 70, 300, 70, 20, 1500][random.below(7)]
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn batches_of_one_to_thirty_three_agree_at_every_level() {
    let mut random = SplitMix64::new(1);
    every_batch(|name, batch| {
        for count in 1..=33 {
            for level in Level::available() {
                let mut messages: Vec<_> = (0..count)
                    .map(|_| {
                        let most = mixed(&mut random);
                        message(&mut random, name, batch, most)
                    })
                    .collect();
                let place = format!("{name} {}", batch.name);
                agree(&place, batch, level, &mut messages);
            }
        }
    });
}

/// In an optimised build; else the model would take minutes.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn a_hundred_thousand_packets_agree() {
    let mut random = SplitMix64::new(2);
    let mut all = vec![];
    every_batch(|name, _| all.push(name));
    let levels: Vec<_> = Level::available().collect();
    let (mut left, mut turn) = (100_000, 0);
    while left > 0 {
        every_batch(|name, batch| {
            let count = (1 + random.below(400)).min(left);
            left -= count;
            let mut messages: Vec<_> = (0..count)
                .map(|_| {
                    let most = if random.below(20) == 0 { 700 } else { 70 };
                    message(&mut random, name, batch, most)
                })
                .collect();
            let place = format!("{name} {}", batch.name);
            agree(&place, batch, levels[turn % levels.len()], &mut messages);
            turn += 1;
        });
        // Every operation comes to every level, whatever their numbers.
        turn += usize::from(all.len().is_multiple_of(levels.len()));
    }
}

/// With this key and COUNT the feedback of an LFSR cell is 0, which is to be written as
/// 2³¹ − 1; a published implementation writes 0 on one of its paths.
#[test]
fn a_cell_of_zero_becomes_the_modulus_in_every_operation() {
    let key: [u8; 16] = core::array::from_fn(|i| i as u8);
    let iv = eia3::eea3_iv(3_478_155_851, 0, 0);
    let mut random = SplitMix64::new(3);
    for batch in operations(algorithm("zuc-128").unwrap()) {
        if ["gxm", "mur"].contains(&batch.mode()) {
            continue; // its keystreams have other keys or IVs
        }
        let key = key.repeat(batch.key.min / 16);
        let iv = iv.repeat(batch.iv.min / 16);
        for (count, level) in (1..=33).flat_map(|count| Level::available().map(move |l| (count, l)))
        {
            let mut messages: Vec<_> = (0..count)
                .map(|_| {
                    let len = random.below(400);
                    let (data, tag) = (random.bytes(len), batch.tag.min);
                    let text = match batch.kind {
                        Kind::Mac => [data, vec![]],
                        _ => [vec![], data],
                    };
                    of_model("zuc-128", &batch, key.clone(), iv.clone(), text, tag)
                })
                .collect();
            agree(batch.name, &batch, level, &mut messages);
        }
    }
}
