//! Batches over blocks of 8 bytes against the model: keys, IVs and lengths that all differ,
//! one message, two, and as many as there are lanes, one fewer and one more, at each level.

use cipherlane::batch::{Job, Packet};
use cipherlane::registry::{ALGORITHMS, Algorithm, Kind, New, Operation};
use cipherlane::{InOut, Level};
use model::random::SplitMix64;
use model::table;

use crate::every_batch;

/// A message with what the model makes of it.
struct Message {
    key: Vec<u8>,
    iv: Vec<u8>,
    input: Vec<u8>,
    output: Vec<u8>,
    tag: Vec<u8>,
}

/// Message `i`: lengths from nothing to more than a message has that goes alone, none twice.
fn message(algorithm: &Algorithm, batch: &Operation, i: usize) -> Message {
    let mut random = SplitMix64::new(i as u64);
    let len = if i % 16 == 5 { 1200 + 8 * i } else { i * 41 % 67 * batch.data.step.max(3) };
    let key = random.length(algorithm.key.min, algorithm.key.max.min(40), algorithm.key.step);
    let (key, input) = (random.bytes(key), random.bytes(len));
    let mut iv = random.bytes(batch.usual_iv);
    if i.is_multiple_of(3) {
        // A counter that soon wraps.
        iv.iter_mut().skip(1).for_each(|byte| *byte = 0xff);
    }
    let cipher = table::block_cipher(algorithm.name, &key).expect("a model");
    let (output, tag) = match batch.kind {
        Kind::Mac => (Vec::new(), model::mac::cmac::mac(&cipher.encrypt, 8, &input)),
        _ => {
            let output = table::operation(batch.name, &cipher, &iv, &input);
            (output.expect("a model of the operation"), Vec::new())
        }
    };
    Message { key, iv, input, output, tag: tag[..tag.len().min(batch.tag_len())].to_vec() }
}

/// Data in place and buffer to buffer by turns; of a MAC it is associated data.
fn parts<'m>(mac: bool, i: usize, m: &'m Message, out: &'m mut [u8]) -> (&'m [u8], InOut<'m>) {
    match (mac, i % 2) {
        (true, _) => (&m.input, out.into()),
        (false, 0) => (&[], out.into()),
        (false, _) => (&[], InOut::disjoint(&m.input, out).unwrap()),
    }
}

/// Through ready keys or fresh ones.
fn run(place: &str, batch: &Operation, level: Level, fresh: bool, messages: &[Message]) {
    let mac = batch.kind == Kind::Mac;
    let mut outputs: Vec<Vec<u8>> =
        messages.iter().map(|m| if mac { Vec::new() } else { m.input.clone() }).collect();
    let mut tags: Vec<Vec<u8>> = messages.iter().map(|m| vec![0; m.tag.len()]).collect();
    let all = messages.iter().zip(&mut outputs).zip(&mut tags).enumerate();
    if fresh {
        let mut packets: Vec<_> = all
            .map(|(i, ((m, output), tag))| {
                let (aad, io) = parts(mac, i, m, output);
                Packet::aead(&m.key, &m.iv, aad, io, tag)
            })
            .collect();
        batch.fresh(level).unwrap().apply(&mut packets).unwrap();
    } else {
        // Keys in another order than their messages.
        let keys: Vec<&[u8]> = messages.iter().rev().map(|m| m.key.as_slice()).collect();
        let mut jobs: Vec<_> = all
            .map(|(i, ((m, output), tag))| {
                let (aad, io) = parts(mac, i, m, output);
                Job::aead(messages.len() - 1 - i, &m.iv, aad, io, tag)
            })
            .collect();
        batch.ready(&keys, level).unwrap().apply(&mut jobs).unwrap();
    }
    for (i, m) in messages.iter().enumerate() {
        assert_eq!(outputs[i], m.output, "{place}, message {i} of {} bytes", m.input.len());
        assert_eq!(tags[i], m.tag, "{place}, the tag of message {i} of {} bytes", m.input.len());
    }
}

#[test]
fn messages_under_their_own_keys_equal_the_model() {
    every_batch(|algorithm, batch| {
        let New::Block { block: 8, .. } = algorithm.new else { return };
        // The others have no lanes, and tests of their own.
        if !batch.in_lanes() {
            return;
        }
        let all: Vec<Message> = (0..67).map(|i| message(algorithm, batch, i)).collect();
        let mut levels = 0;
        for level in Level::available() {
            let lanes = batch.fresh(level).unwrap().lanes().max(8);
            assert!(lanes < all.len(), "lanes and one more");
            for count in [1, 2, lanes - 1, lanes, lanes + 1] {
                for fresh in [false, true] {
                    let name = (algorithm.name, batch.name);
                    let place = format!("{name:?}, {level}, {count} messages, fresh: {fresh}");
                    run(&place, batch, level, fresh, &all[..count]);
                }
            }
            levels += 1;
        }
        assert!(levels > 0, "a level at least");
    });
}

#[test]
fn every_mode_of_small_blocks_has_lanes() {
    let mut found = 0;
    every_batch(|algorithm, batch| {
        let New::Block { block: 8, .. } = algorithm.new else { return };
        let operation = batch.name;
        // Bytes and the older modes go one after another.
        let serial = ["cfb1", "cfb8"].iter().any(|it| operation.starts_with(it))
            || operation.starts_with("bc-");
        if serial || operation.starts_with("cbc-mac") || operation == "ctr32" {
            return;
        }
        assert!(batch.in_lanes(), "{} {operation}", algorithm.name);
        found += 1;
    });
    let small = ALGORITHMS.iter().filter(|it| matches!(it.new, New::Block { block: 8, .. }));
    assert_eq!(found, 9 * small.count());
}

/// Blocks in an order in which keys change at each, now and then, or never.
#[test]
fn blocks_under_their_own_keys_are_those_of_single_objects() {
    for algorithm in ALGORITHMS {
        let New::Block { block: 8, keys: new, .. } = algorithm.new else { continue };
        for level in Level::available() {
            let keys: [[u8; 16]; 5] = core::array::from_fn(|i| [17 * i as u8; 16]);
            let set = new(&keys.each_ref().map(<[u8; 16]>::as_slice), level).unwrap();
            for (count, run) in [(1, 1), (7, 1), (33, 1), (70, 3), (200, 40), (64, 64)] {
                let place = format!("{} {level}, {count} blocks", algorithm.name);
                let numbers: Vec<usize> = (0..count).map(|i| i / run % 5).collect();
                let start: Vec<u8> = (0..8 * count).map(|i| (i * 7 % 251) as u8).collect();
                let mut wanted = start.clone();
                for (block, &number) in wanted.chunks_mut(8).zip(&numbers) {
                    set.one(number).encrypt_block(block);
                }
                let mut data = start.clone();
                set.encrypt_each(&numbers, &mut data);
                assert_eq!(data, wanted, "{place}");
                set.decrypt_each(&numbers, &mut data);
                assert_eq!(data, start, "{place}");
            }
        }
    }
}
