//! Every batch of up to five messages out of four lengths, in every order: what the scheduler
//! does with short, long and empty messages, and with lanes that run dry, has no case that is
//! not here in small.

use cipherlane::batch::Packet;
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
