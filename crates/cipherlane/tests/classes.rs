//! What is chosen by the class of CPU gives the same bytes in every class: on a CPU that works on its
//! longest registers in halves few messages run in shorter ones, on others they don't.
//!
//! One test in a process of its own: the class is the process's.

use cipherlane::Level;
use cipherlane::batch::Packet;
use cipherlane::mac::ghash::UniversalHash;
use cipherlane::registry::{self, ALGORITHMS, Kind, Operation};
use model::effort::stride;
use model::random::SplitMix64;

/// A message, and its tag where it gets one.
#[derive(Clone, PartialEq, Debug)]
struct Message {
    key: Vec<u8>,
    iv: Vec<u8>,
    data: Vec<u8>,
    tag: Vec<u8>,
}

/// `count` messages of `units` units each.
fn messages(batch: &Operation, count: usize, units: usize) -> Vec<Message> {
    let mut random = SplitMix64::new((1000 * count + units) as u64);
    // A block for every bit.
    let units = if batch.name.starts_with("cfb1-") { units.min(4) } else { units };
    let step = batch.data.step.max(1);
    let len = (16 * units).next_multiple_of(step).max(batch.data.min).min(batch.data.max);
    let len = if batch.kind == Kind::Mac { 0 } else { len };
    (0..count)
        .map(|_| Message {
            key: random.bytes(if batch.key.max > 64 { 16 } else { batch.key.max }),
            // Of ZUC-256 the last places have 6 bits.
            iv: random.bytes(batch.usual_iv).iter().map(|byte| byte & 63).collect(),
            data: random.bytes(len),
            tag: vec![0; batch.tag_len()],
        })
        .collect()
}

/// Processed as a batch at a level; associated data goes into tags.
fn run(batch: &Operation, level: Level, messages: &[Message]) -> Vec<Message> {
    let mut done = messages.to_vec();
    let aad = vec![7; 16 * messages.len() % 300];
    let parts = messages.iter().zip(&mut done);
    let mut packets: Vec<_> = parts
        .map(|(m, Message { data, tag, .. })| {
            let aad = if batch.tag_len() > 0 { aad.as_slice() } else { &[] };
            Packet::aead(&m.key, &m.iv, aad, data.as_mut_slice().into(), tag)
        })
        .collect();
    batch.fresh(level).unwrap().apply(&mut packets).unwrap();
    drop(packets);
    done
}

#[test]
fn every_class_gives_the_same() {
    let levels: Vec<Level> = Level::available().filter(|level| level.halved().is_some()).collect();
    if levels.is_empty() {
        println!("no level here has one of half its registers' length: nothing to compare");
        return;
    }
    let (mut split, mut compared) = (0, 0);
    for algorithm in ALGORITHMS {
        for batch in registry::operations(algorithm).filter(|it| it.kind != Kind::Open) {
            // Around groups of lanes of each level, and past the bit-sliced lanes of long registers.
            let many = algorithm.name.starts_with("mickey") && batch.name == "keystream";
            let counts: &[usize] = if many { &[2, 300, 530] } else { &[2, 3, 4, 8, 9] };
            let cases = counts.iter().flat_map(|&count| [1, 4, 32].map(|units| (count, units)));
            // Of one message by itself lengths matter.
            let mut lengths: Vec<_> = (1..40).step_by(stride()).collect();
            if batch.tag_len() > 0 && batch.data.max > 16 * 128 {
                // Of a message alone under its key so many blocks decide how many powers of H it gets, and where.
                lengths.extend([78, 79, 80, 126, 127, 128]);
            }
            let single = lengths.into_iter().map(|units| (1, units));
            for (count, units) in cases.chain(single) {
                let messages = messages(&batch, count, units);
                let expected = run(&batch, Level::portable(), &messages);
                for &level in &levels {
                    for in_halves in [false, true] {
                        Level::take_cpu_for(in_halves);
                        assert_eq!(level.split(), level.halved().filter(|_| in_halves));
                        split += usize::from(level.split().is_some());
                        let place = format!("{}/{}", algorithm.name, batch.name);
                        let got = run(&batch, level, &messages);
                        assert!(got == expected, "{place}, {level}, {in_halves}, {count}, {units}");
                        compared += 1;
                    }
                }
            }
        }
    }
    println!("compared {compared}, in halves {split}");
    assert_eq!(2 * split, compared, "each case in both classes");
    keys_that_stay::<true>(&levels);
    keys_that_stay::<false>(&levels);
}

/// One key of a hash through messages that bring more powers, and its clones; the class may change on the way.
fn keys_that_stay<const REVERSED: bool>(levels: &[Level]) {
    let mut random = SplitMix64::new(80);
    for round in 0..60 {
        let key = random.bytes(16);
        let pieces: Vec<_> = (0..8)
            .map(|_| {
                let most = [16, 128, 400, 1100, 3000][random.below(5)];
                let len = random.below(most + 1);
                random.bytes(len)
            })
            .collect();
        let new = |level| UniversalHash::<REVERSED>::with_level(&key, level).unwrap();
        let mut portable = new(Level::portable());
        for &level in levels {
            Level::take_cpu_for(round % 3 == 1);
            let mut hash = new(level);
            for (number, piece) in pieces.iter().enumerate() {
                if round % 3 == 2 {
                    Level::take_cpu_for(random.below(2) == 1);
                }
                let place = format!("{REVERSED}, {level}, {round}, {number}");
                let mut clone = hash.clone();
                let expected = {
                    portable.update(piece);
                    portable.finish()
                };
                hash.update(piece);
                assert_eq!(hash.finish(), expected, "{place}");
                clone.update(piece);
                clone.update(piece);
                portable.update(piece);
                portable.update(piece);
                assert_eq!(clone.finish(), portable.finish(), "{place}, a clone");
            }
        }
    }
}
