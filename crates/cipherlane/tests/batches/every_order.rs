//! Every batch of up to five messages out of four lengths, in every order: what the scheduler
//! does with short, long and empty messages, and with lanes that run dry, has no case that is
//! not here in small.

use cipherlane::batch::Packet;
use cipherlane::registry::KEYSTREAM;
use cipherlane::{InOut, Level};
use model::effort::stride;
use model::random::SplitMix64;

use super::{Message, every_batch, messages, single};

const LENGTHS: [usize; 4] = [0, 1, 17, 40];
const MOST: usize = 5;

#[test]
fn every_order_of_lengths_gives_what_single_messages_give() {
    let mut number = 0;
    every_batch(|algorithm, batch| {
        if !batch.in_lanes() {
            return;
        }
        let mut random = SplitMix64::new(7);
        // Each place in each length, with keys of their own.
        let at_place = |place: usize| -> Vec<Message> {
            let mut four = messages(&mut random, (algorithm, batch), LENGTHS.len(), 0);
            for (message, wanted) in four.iter_mut().zip(LENGTHS) {
                let len = batch.data.nearest(wanted);
                let text = SplitMix64::new(place as u64).bytes(len);
                message.forged &= batch.tag.max > 0;
                if batch.kind == cipherlane::registry::Kind::Mac {
                    message.aad = text;
                } else {
                    message.input = text;
                }
                single(batch, Level::portable(), message);
            }
            four
        };
        let places: Vec<Vec<Message>> = (0..MOST).map(at_place).collect();
        for level in Level::available() {
            let mut object = batch.fresh(level).unwrap();
            for count in 1..=MOST {
                for order in 0..LENGTHS.len().pow(count as u32) {
                    number += 1;
                    if number % stride() != 0 {
                        continue;
                    }
                    let chosen = (0..count).map(|place| {
                        let digit = order / LENGTHS.len().pow(place as u32) % LENGTHS.len();
                        &places[place][digit]
                    });
                    let chosen: Vec<&Message> = chosen.collect();
                    let mut outputs: Vec<Vec<u8>> =
                        chosen.iter().map(|message| vec![0xaa; message.input.len()]).collect();
                    let mut tags: Vec<Vec<u8>> =
                        chosen.iter().map(|message| message.tag.clone()).collect();
                    let parts = chosen.iter().zip(&mut outputs).zip(&mut tags);
                    let packets = parts.map(|((m, output), tag)| {
                        let io = InOut::disjoint(&m.input, output).unwrap();
                        Packet::aead(&m.key, &m.iv, &m.aad, io, tag)
                    });
                    let result = object.apply(&mut packets.collect::<Vec<_>>());
                    let forged = chosen.iter().any(|message| message.forged);
                    assert_eq!(result.is_err(), forged, "{result:?}");
                    for (i, m) in chosen.iter().enumerate() {
                        let place = || {
                            let lengths: Vec<usize> =
                                chosen.iter().map(|m| m.input.len()).collect();
                            format!(
                                "{} {} {level}, message {i} of {lengths:?}",
                                algorithm.name, batch.name
                            )
                        };
                        assert_eq!(outputs[i], m.expected, "{}", place());
                        assert_eq!(tags[i], m.expected_tag, "{}", place());
                    }
                }
            }
        }
    });
}

/// Around the steps in which keystreams are made: 64 bytes, and blocks of 256.
const EDGES: [usize; 12] = [0, 1, 63, 64, 65, 191, 193, 255, 256, 257, 513, 700];
const CALLS: usize = 12;

#[test]
fn one_object_takes_any_messages_after_any_others() {
    every_batch(|algorithm, batch| {
        if batch.name != KEYSTREAM || !batch.in_lanes() {
            return;
        }
        for level in Level::available() {
            let mut random = SplitMix64::new(8);
            let mut object = batch.fresh(level).unwrap();
            for call in 0..CALLS {
                let count = 1 + random.below(9.min(object.lanes() + 1));
                let mut all = messages(&mut random, (algorithm, batch), count, 0);
                for message in &mut all {
                    let len = EDGES[random.below(EDGES.len())];
                    message.input = random.bytes(batch.data.nearest(len));
                    single(batch, Level::portable(), message);
                }
                // Every third call is refused first, for its last key, and must leave no trace.
                for refused in [true, false] {
                    if refused && call % 3 != 0 {
                        continue;
                    }
                    let mut outputs: Vec<Vec<u8>> =
                        all.iter().map(|message| message.input.clone()).collect();
                    let parts = all.iter().zip(&mut outputs).enumerate();
                    let packets = parts.map(|(i, (m, output))| {
                        let key = if refused && i + 1 == count { &[][..] } else { &m.key };
                        Packet::new(key, &m.iv, output.as_mut_slice().into())
                    });
                    let result = object.apply(&mut packets.collect::<Vec<_>>());
                    assert_eq!(result.is_err(), refused, "{} {level}", algorithm.name);
                    for (output, m) in outputs.iter().zip(&all) {
                        let (place, len) = (algorithm.name, m.input.len());
                        let expected = if refused { &m.input } else { &m.expected };
                        assert_eq!(output, expected, "{place} {level}, call {call}, {len} bytes");
                    }
                }
            }
        }
    });
}
