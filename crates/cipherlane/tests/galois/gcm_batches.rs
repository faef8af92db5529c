//! Batches of GCM under keys that are ready: short messages have a kernel of their own.

use cipherlane::batch::Job;
use cipherlane::registry::{self, Operation};
use cipherlane::{Error, InOut, Level};
use model::random::SplitMix64;

/// A message, as one object alone seals it.
struct Message {
    iv: Vec<u8>,
    aad: Vec<u8>,
    text: Vec<u8>,
    sealed: Vec<u8>,
    tag: Vec<u8>,
}

fn operation(name: &str, operation: &str) -> Option<Operation> {
    registry::operation(registry::algorithm(name)?, operation)
}

/// Messages of every length up to some registers, with associated data of lengths around a register, and
/// nonces of two lengths among them.
fn messages(name: &str, keys: &[Vec<u8>], aad: usize) -> Vec<Message> {
    let seal = operation(name, "gcm-seal").unwrap();
    let mut random = SplitMix64::new(aad as u64);
    let make = |(i, len): (usize, usize)| {
        let iv = random.bytes(if i % 13 == 5 { 16 } else { 12 });
        let aad = random.bytes(if i % 5 == 4 { 0 } else { aad });
        let text = random.bytes(len);
        let (mut sealed, mut tag) = (text.clone(), vec![0; 16]);
        let alone = seal.aead(&keys[i % keys.len()], Level::best()).unwrap();
        alone.seal(&iv, &aad, sealed.as_mut_slice().into(), &mut tag).unwrap();
        Message { iv, aad, text, sealed, tag }
    };
    (0..=300).chain([511, 513, 1024, 64, 5, 64, 64]).enumerate().map(make).collect()
}

#[test]
fn short_and_long_messages_in_turn_are_those_of_single_objects() {
    for name in ["aes-128", "aes-192", "aes-256", "sm4"] {
        let Some(seal) = operation(name, "gcm-seal") else { continue };
        let open = operation(name, "gcm-open").unwrap();
        let keys: Vec<Vec<u8>> = (0..7).map(|i| SplitMix64::new(i).bytes(seal.key.max)).collect();
        let refs: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
        for aad in [0, 13, 16, 33, 64, 70] {
            let messages = messages(name, &keys, aad);
            for level in Level::available() {
                let mut sealing = seal.ready(&refs, level).unwrap();
                let mut opening = open.ready(&refs, level).unwrap();
                // Twice: longer messages bring powers that shorter ones take then.
                for round in 0..2 {
                    let mut tags: Vec<Vec<u8>> =
                        messages.iter().map(|m| vec![0; m.tag.len()]).collect();
                    let mut data: Vec<Vec<u8>> = messages.iter().map(|m| m.text.clone()).collect();
                    let parts = messages.iter().zip(&mut data).zip(&mut tags).enumerate();
                    let mut jobs: Vec<Job<'_>> = parts
                        .map(|(i, ((m, data), tag))| {
                            Job::aead(
                                i % keys.len(),
                                &m.iv,
                                &m.aad,
                                data.as_mut_slice().into(),
                                tag,
                            )
                        })
                        .collect();
                    sealing.apply(&mut jobs).unwrap();
                    assert!(jobs.iter().all(|job| !job.failed));
                    drop(jobs);
                    for (m, (data, tag)) in messages.iter().zip(data.iter().zip(&tags)) {
                        let place = format!("{name}, {level}, {} of {aad}", m.text.len());
                        assert_eq!((data, tag), (&m.sealed, &m.tag), "{place}");
                    }
                    // One bit of some tags or ciphertexts is wrong.
                    let forged = |i: usize| i % 9 == 4 + round;
                    let mut sealed: Vec<Vec<u8>> = data;
                    for i in (0..messages.len()).filter(|&i| forged(i)) {
                        let bytes = if i % 2 == 0 || sealed[i].is_empty() {
                            &mut tags[i]
                        } else {
                            &mut sealed[i]
                        };
                        let bit = i * 37 % (8 * bytes.len());
                        bytes[bit / 8] ^= 1 << (bit % 8);
                    }
                    let mut out: Vec<Vec<u8>> =
                        messages.iter().map(|m| vec![0xa5; m.text.len()]).collect();
                    let parts = messages.iter().zip(&sealed).zip(&mut out).zip(&mut tags);
                    let mut jobs: Vec<Job<'_>> = parts
                        .enumerate()
                        .map(|(i, (((m, sealed), out), tag))| {
                            let io = InOut::disjoint(sealed, out).unwrap();
                            Job::aead(i % keys.len(), &m.iv, &m.aad, io, tag)
                        })
                        .collect();
                    assert_eq!(opening.apply(&mut jobs), Err(Error::Authentication));
                    for (i, job) in jobs.iter().enumerate() {
                        assert_eq!(job.failed, forged(i), "{name}, {level}, {i}");
                    }
                    drop(jobs);
                    for (i, (m, out)) in messages.iter().zip(&out).enumerate() {
                        let zeros = vec![0; m.text.len()];
                        let wanted = if forged(i) { &zeros } else { &m.text };
                        assert_eq!(out, wanted, "{name}, {level}, {i}");
                    }
                }
            }
        }
    }
}
