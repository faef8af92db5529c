//! Batches against single-message objects: every operation of every algorithm at every
//! level, with keys, IVs and lengths that all differ, and what a batch refuses.

use cipherlane::batch::{Job, Packet};
use cipherlane::modes::Direction;
use cipherlane::registry::{self, ALGORITHMS, Algorithm, Constructor, KEYSTREAM, Kind, Operation};
use cipherlane::{Aead, Error, InOut, Level, Sizes};
use model::random::SplitMix64;

mod every_order;
mod interpreted;
mod lockstep;
mod small_blocks;

/// One message with what a single-message object makes of it.
struct Message {
    key: Vec<u8>,
    iv: Vec<u8>,
    aad: Vec<u8>,
    input: Vec<u8>,
    /// The tag given, of an AEAD that opens.
    tag: Vec<u8>,
    expected: Vec<u8>,
    expected_tag: Vec<u8>,
    /// Whether the tag given is wrong.
    forged: bool,
}

/// A length that is allowed, up to about `longest`.
fn length(random: &mut SplitMix64, allowed: Sizes, longest: usize) -> usize {
    let step = allowed.step.max(1);
    let most = allowed.max.min(allowed.min + longest);
    allowed.min + random.below((most - allowed.min) / step + 1) * step
}

/// Processes one message through the objects for one message.
fn single(operation: &Operation, level: Level, m: &mut Message) {
    let (key, iv, algorithm) = (m.key.as_slice(), m.iv.as_slice(), operation.algorithm);
    m.expected = m.input.clone();
    let data: InOut<'_> = m.expected.as_mut_slice().into();
    let open = operation.kind == Kind::Open;
    match operation.new {
        Constructor::Stream { new, .. } => new(key, iv, level).unwrap().apply_inout(data).unwrap(),
        Constructor::Mode(mode) => {
            (mode.message)(&*algorithm.cipher(key, level).unwrap(), iv, data).unwrap();
        }
        Constructor::Message(new) => {
            let mode = new(algorithm, key, level).unwrap();
            match operation.direction() {
                Direction::Encrypt => mode.encrypt(iv, data).unwrap(),
                Direction::Decrypt => mode.decrypt(iv, data).unwrap(),
            }
        }
        Constructor::Aead { new, .. } => aead(&mut *new(algorithm, key, level).unwrap(), open, m),
        Constructor::Pdu(new) => {
            let both = new(key, level).unwrap();
            sealed(m, open, |m, data, tag| both.seal_pdu(&m.iv, &m.aad, data, tag));
        }
        Constructor::Mac { new, .. } => {
            let mut mac = new(algorithm, key, iv, level).unwrap();
            mac.set_tag_len(m.expected_tag.len()).unwrap();
            mac.announce(m.aad.len() as u64).unwrap();
            mac.update(&m.aad).unwrap();
            mac.finish(&mut m.expected_tag).unwrap();
        }
    }
}

/// The same for an AEAD.
fn aead(aead: &mut dyn Aead, open: bool, m: &mut Message) {
    aead.set_tag_len(m.expected_tag.len()).unwrap();
    sealed(m, open, |m, data, tag| aead.seal(&m.iv, &m.aad, data, tag));
}

/// The same for what has a tag and encrypts.
fn sealed(
    m: &mut Message,
    open: bool,
    seal: impl Fn(&Message, InOut<'_>, &mut [u8]) -> Result<(), Error>,
) {
    let (mut data, mut tag) = (m.input.clone(), m.expected_tag.clone());
    seal(m, data.as_mut_slice().into(), &mut tag).unwrap();
    (m.expected, m.expected_tag) = (data, tag);
    if open {
        std::mem::swap(&mut m.input, &mut m.expected);
        m.tag.clone_from(&m.expected_tag);
        if m.forged {
            m.tag[0] ^= 1;
            m.expected.fill(0);
        }
        m.expected_tag.clone_from(&m.tag);
    }
}

fn messages(
    random: &mut SplitMix64,
    (algorithm, batch): (&Algorithm, &Operation),
    count: usize,
    longest: usize,
) -> Vec<Message> {
    // A block for every bit.
    let longest = if batch.name.starts_with("cfb1-") { longest.min(64) } else { longest };
    let mut one = |_| {
        let key = length(random, batch.key, 400);
        let key = random.bytes(key);
        let len = match random.below(4) {
            // The usual nonce, to which short cuts may belong.
            0 | 1 => batch.usual_iv,
            _ => length(random, batch.iv, 20),
        };
        let mut iv = random.bytes(len);
        if algorithm.name == "zuc-256" && len == 25 {
            iv[17..].iter_mut().for_each(|value| *value &= 63);
        }
        let data_length = length(random, batch.data, longest);
        let (aad, data) = match batch.kind {
            Kind::Cipher => (0, data_length),
            Kind::Mac => (data_length, 0),
            Kind::Seal | Kind::Open => (length(random, Sizes::between(0, 99), 50), data_length),
        };
        let tag = batch.tag_len();
        let mut message = Message {
            key,
            iv,
            aad: random.bytes(aad),
            input: random.bytes(data),
            tag: vec![0; tag],
            expected: Vec::new(),
            expected_tag: vec![0; tag],
            forged: batch.kind == Kind::Open && random.below(3) == 0,
        };
        single(batch, Level::best(), &mut message);
        message
    };
    (0..count).map(&mut one).collect()
}

/// Outputs and tags as they are before a call; every second output holds the input.
fn buffers(messages: &[Message]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let output = |(i, m): (usize, &Message)| match i % 2 {
        0 => m.input.clone(),
        _ => vec![0xaa; m.input.len()],
    };
    let outputs = messages.iter().enumerate().map(output).collect();
    (outputs, messages.iter().map(|m| m.tag.clone()).collect())
}

/// The data of message `i`, in place where its output holds the input.
fn io<'m>(i: usize, message: &'m Message, output: &'m mut [u8]) -> InOut<'m> {
    match i % 2 {
        0 => output.into(),
        _ => InOut::disjoint(&message.input, output).unwrap(),
    }
}

fn check(place: &str, messages: &[Message], outputs: &[Vec<u8>], tags: &[Vec<u8>]) {
    for (i, m) in messages.iter().enumerate() {
        assert_eq!(outputs[i], m.expected, "{place}, message {i} of {} bytes", m.input.len());
        assert_eq!(tags[i], m.expected_tag, "{place}, the tag of message {i}");
    }
}

/// How many messages: none, one, around the lanes and past twice as many.
fn counts(lanes: usize) -> Vec<usize> {
    let mut counts = vec![0, 1, 2, 7, 16, lanes - 1, lanes, lanes + 1, 2 * lanes + 3];
    counts.sort_unstable();
    counts.dedup();
    counts
}

fn every_batch(mut run: impl FnMut(&'static Algorithm, &Operation)) {
    let mut number = 0;
    for algorithm in ALGORITHMS {
        for batch in registry::operations(algorithm) {
            // One length of tag after another, as a batch has one.
            let tags: Vec<usize> = batch.tag.lengths().collect();
            number += 1;
            run(algorithm, &batch.with_tag_len(tags[number % tags.len()]).unwrap());
        }
    }
}

#[test]
fn fresh_keys_give_what_single_messages_give() {
    every_batch(|algorithm, batch| {
        let mut random = SplitMix64::new(1);
        let lanes = batch.fresh(Level::best()).unwrap().lanes();
        for count in counts(lanes) {
            for longest in [16, 300, 1700] {
                let messages = messages(&mut random, (algorithm, batch), count, longest);
                for level in Level::available() {
                    fresh((algorithm, batch), level, &messages);
                }
            }
        }
    });
}

/// Processes messages with keys of their own at a level.
fn fresh((algorithm, batch): (&Algorithm, &Operation), level: Level, messages: &[Message]) {
    let forged = messages.iter().any(|m| m.forged);
    let place = format!("{} {} {level}", algorithm.name, batch.name);
    let mut object = batch.fresh(level).unwrap();
    let (mut outputs, mut tags) = buffers(messages);
    let parts = messages.iter().zip(&mut outputs).zip(&mut tags).enumerate();
    let mut packets: Vec<_> = parts
        .map(|(i, ((m, output), tag))| Packet::aead(&m.key, &m.iv, &m.aad, io(i, m, output), tag))
        .collect();
    let result = object.apply(&mut packets);
    assert_eq!(result.err(), forged.then_some(Error::Authentication), "{place}");
    for (packet, m) in packets.iter().zip(messages) {
        assert_eq!(packet.failed, m.forged, "{place}");
    }
    drop(packets);
    check(&place, messages, &outputs, &tags);
}

#[test]
fn ready_keys_own_or_common_give_what_single_messages_give() {
    every_batch(|algorithm, batch| {
        let mut random = SplitMix64::new(2);
        let lanes = batch.ready(&[], Level::best()).unwrap().lanes();
        for count in counts(lanes) {
            for (longest, keys) in [(40, usize::MAX), (400, 3), (1300, 1)] {
                let mut messages = messages(&mut random, (algorithm, batch), count, longest);
                let number = |i: usize| i * 5 % keys.min(count);
                let kept: Vec<_> =
                    messages.iter().take(keys).map(|message| message.key.clone()).collect();
                for i in 0..count {
                    // Made again where the key is another one's.
                    let key = kept[number(i)].clone();
                    let m = &mut messages[i];
                    m.key = key;
                    single(batch, Level::best(), m);
                }
                let forged = messages.iter().any(|m| m.forged);
                let keys: Vec<&[u8]> = kept.iter().map(Vec::as_slice).collect();
                for level in Level::available() {
                    let place = format!("{} {} {level}, ready", algorithm.name, batch.name);
                    let mut object = batch.ready(&keys, level).unwrap();
                    assert_eq!(object.keys(), keys.len());
                    let (mut outputs, mut tags) = buffers(&messages);
                    let parts = messages.iter().zip(&mut outputs).zip(&mut tags).enumerate();
                    let mut jobs: Vec<_> = parts
                        .map(|(i, ((m, output), tag))| {
                            Job::aead(number(i), &m.iv, &m.aad, io(i, m, output), tag)
                        })
                        .collect();
                    let result = object.apply(&mut jobs);
                    assert_eq!(result.err(), forged.then_some(Error::Authentication), "{place}");
                    for (job, m) in jobs.iter().zip(&messages) {
                        assert_eq!(job.failed, m.forged, "{place}");
                    }
                    drop(jobs);
                    check(&place, &messages, &outputs, &tags);
                }
            }
        }
    });
}

#[test]
fn a_job_that_is_refused_keeps_all_from_being_written() {
    every_batch(|algorithm, batch| {
        let mut random = SplitMix64::new(3);
        let level = Level::best();
        let messages = messages(&mut random, (algorithm, batch), 5, 200);
        let keys: Vec<&[u8]> = messages.iter().map(|m| m.key.as_slice()).collect();
        let mut object = batch.ready(&keys, level).unwrap();
        let mut fresh = batch.fresh(level).unwrap();
        // A length that this batch's tags have not, though others of the operation may.
        let mut other_tag = if batch.tag_len() == 4 { vec![0; 8] } else { vec![0; 4] };
        for fault in ["key", "iv", "data", "tag", "tag of another operation"] {
            let (mut outputs, mut tags) = buffers(&messages);
            let (before, tags_before) = (outputs.clone(), tags.clone());
            let mut long_data = vec![0; 17];
            let long_iv = vec![0; 99];
            let mut long_tag = vec![0; 99];
            let parts = messages.iter().zip(&mut outputs).zip(&mut tags).enumerate();
            let mut jobs: Vec<_> = parts
                .map(|(i, ((m, output), tag))| Job::aead(i, &m.iv, &m.aad, io(i, m, output), tag))
                .collect();
            match fault {
                "key" => jobs[3].key = 5,
                "iv" if batch.iv.max < 99 => jobs[3].iv = &long_iv,
                "iv" => continue,
                "data" if batch.data.allow(17) => continue,
                "data" => jobs[3].io = long_data.as_mut_slice().into(),
                "tag" => jobs[3].tag = &mut long_tag,
                _ => jobs[3].tag = &mut other_tag,
            }
            let place = format!("{} {}, wrong {fault}", algorithm.name, batch.name);
            let refused = object.apply(&mut jobs).expect_err(&place);
            assert!(!refused.to_string().is_empty() && !refused.to_string().contains('\n'));
            assert_eq!(jobs.iter().position(|job| job.failed), Some(3), "{place}");
            if fault == "key" {
                let field = "number of the key";
                assert_eq!(refused, Error::Value { field, got: 5, min: 0, max: 4 });
            }
            // The same through packets, except that a wrong number is a wrong length.
            let long_key = vec![1; batch.key.max + 1];
            let mut packets: Vec<_> = jobs
                .iter_mut()
                .zip(&messages)
                .map(|(job, m)| {
                    let key = if job.key == 5 { &long_key } else { &m.key };
                    Packet::aead(key, job.iv, job.aad, job.io.reborrow(), job.tag)
                })
                .collect();
            let refused = fresh.apply(&mut packets).expect_err(&place);
            assert!(!refused.to_string().is_empty());
            assert_eq!(packets.iter().position(|packet| packet.failed), Some(3), "{place}");
            drop(packets);
            drop(jobs);
            assert_eq!((outputs, tags), (before, tags_before), "{place}");
        }
    });
}

/// What callers fill batches by.
#[test]
fn kernels_say_how_many_lanes_they_have() {
    let with_lanes = |level: Level, algorithm: &Algorithm, operation: &str| match algorithm.name {
        _ if level == Level::portable() => false,
        "sm4" | "aes-128" | "aes-192" | "aes-256" => {
            let of_chains = ["cbc-encrypt", "cbc-decrypt", "cmac", "ccm-seal", "ccm-open"];
            operation == "ctr" || of_chains.contains(&operation)
        }
        // Where there is no byte map, one stream of ZUC or Trivium is as fast.
        _ if level.name() == "simd128" => false,
        "trivium" => operation == KEYSTREAM,
        name => name.starts_with("zuc") && [KEYSTREAM, "eea3", "eia3"].contains(&operation),
    };
    every_batch(|algorithm, batch| {
        for level in Level::available() {
            let lanes = [
                batch.fresh(level).unwrap().lanes(),
                batch.ready(&[], level).map_or(1, |ready| ready.lanes()),
            ];
            let place = format!("{} {} at {level}: {lanes:?}", algorithm.name, batch.name);
            assert!(lanes.iter().all(|&lanes| lanes > 0), "{place}");
            if with_lanes(level, algorithm, batch.name) {
                assert!(lanes[0] > 1, "{place}");
            }
        }
    });
}

/// Descriptions of kernels name the lanes that there are.
#[test]
fn kernels_are_described_as_they_are() {
    let sm4 = ALGORITHMS.iter().find(|algorithm| algorithm.name == "sm4");
    assert!(sm4.is_none_or(|sm4| (sm4.kernel)(Level::portable()) == "bit-sliced"));
    every_batch(|algorithm, batch| {
        if batch.name != KEYSTREAM {
            return;
        }
        for level in Level::available() {
            let lanes = batch.fresh(level).unwrap().lanes();
            let words = (algorithm.kernel)(level);
            let named = match lanes {
                1 => words.contains("one after another"),
                // One after another in turn, or two registers of them.
                n => [format!("many: {n} "), format!("scalar, {n} "), format!("2 x {} ", n / 2)]
                    .iter()
                    .any(|words_of| words.contains(words_of)),
            };
            assert!(named, "{} at {level}: {lanes} lanes, `{words}`", algorithm.name);
        }
    });
}
