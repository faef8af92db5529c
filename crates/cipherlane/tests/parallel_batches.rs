//! Batches on any number of threads, against the batch of one thread: the same bytes, the
//! same messages refused.

use cipherlane::batch::{BatchCipher, Job, Packet, ReadyBatch};
use cipherlane::parallel::Threads;
use cipherlane::registry::{ALGORITHMS, Algorithm, Kind, Operation, operations};
use cipherlane::{Error, Level, registry};
use model::random::SplitMix64;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Calls `check` with pools of one, two, three and eight threads, each of which gets a share
/// of even the shortest batch, and with the global one as it comes.
fn for_each_pool(check: impl Fn(Threads<'_>)) {
    for threads in [1, 2, 3, 8] {
        let pool: ThreadPool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        check(Threads::of(&pool).pieces_from(1));
    }
    check(Threads::global());
}

#[derive(Clone)]
struct Message {
    key: Vec<u8>,
    iv: Vec<u8>,
    aad: Vec<u8>,
    data: Vec<u8>,
    tag: Vec<u8>,
}

/// Messages of mixed lengths that the operation takes.
fn messages(random: &mut SplitMix64, batch: &Operation, count: usize) -> Vec<Message> {
    let unit = batch.data.step.max(1);
    let tag = batch.tag_len();
    let mut message = |_| {
        let length = batch.data.min + random.below(700) / unit * unit;
        let (aad, data) = match batch.kind {
            Kind::Cipher => (0, length),
            Kind::Mac => (length, 0),
            Kind::Seal | Kind::Open => (random.below(40), length),
        };
        Message {
            key: random.bytes(batch.key.max),
            iv: random.bytes(batch.usual_iv),
            aad: random.bytes(aad),
            data: random.bytes(data),
            tag: vec![0; tag],
        }
    };
    (0..count).map(&mut message).collect()
}

fn packets(messages: &mut [Message]) -> Vec<Packet<'_>> {
    messages
        .iter_mut()
        .map(|m| Packet::aead(&m.key, &m.iv, &m.aad, m.data.as_mut_slice().into(), &mut m.tag))
        .collect()
}

fn jobs(messages: &mut [Message]) -> Vec<Job<'_>> {
    let message = |(i, m): (usize, _)| {
        let m: &mut Message = m;
        Job::aead(i * 7 % 3, &m.iv, &m.aad, m.data.as_mut_slice().into(), &mut m.tag)
    };
    messages.iter_mut().enumerate().map(message).collect()
}

/// What every message became: output, tag, whether it was refused.
type Became = Vec<(Vec<u8>, Vec<u8>, bool)>;

fn became(messages: Vec<Message>, failed: Vec<bool>) -> Became {
    messages.into_iter().zip(failed).map(|(m, failed)| (m.data, m.tag, failed)).collect()
}

fn fresh(batch: &mut dyn BatchCipher, messages: &[Message]) -> (Result<(), Error>, Became) {
    let mut messages = messages.to_vec();
    let mut packets = packets(&mut messages);
    let result = batch.apply(&mut packets);
    let failed = packets.iter().map(|packet| packet.failed).collect();
    (result, became(messages, failed))
}

fn ready(batch: &mut dyn ReadyBatch, messages: &[Message]) -> (Result<(), Error>, Became) {
    let mut messages = messages.to_vec();
    let mut jobs = jobs(&mut messages);
    let result = batch.apply(&mut jobs);
    let failed = jobs.iter().map(|job| job.failed).collect();
    (result, became(messages, failed))
}

fn every_batch(run: impl Fn(&'static Algorithm, &Operation)) {
    for algorithm in ALGORITHMS {
        for batch in operations(algorithm) {
            run(algorithm, &batch);
        }
    }
}

/// What opens is given ciphertext of which every fifth message is forged.
fn sealed(
    algorithm: &'static Algorithm,
    batch: &Operation,
    mut messages: Vec<Message>,
) -> Vec<Message> {
    if batch.kind == Kind::Open {
        let seal = registry::operation(algorithm, batch.inverse.unwrap()).unwrap();
        seal.fresh(Level::best()).unwrap().apply(&mut packets(&mut messages)).unwrap();
        for message in messages.iter_mut().step_by(5) {
            message.tag[0] ^= 1;
        }
    }
    messages
}

#[test]
fn any_number_of_threads_gives_the_bytes_of_one() {
    let level = Level::best();
    for_each_pool(|threads| {
        every_batch(|algorithm, batch| {
            let place = format!("{} {}, {threads:?}", algorithm.name, batch.name);
            let mut random = SplitMix64::new(1);
            let mut one = batch.fresh(level).unwrap();
            let mut many = threads.batches(|| batch.fresh(level)).unwrap();
            for count in [0, 1, 2, 7, 33, 70] {
                let messages = messages(&mut random, batch, count);
                let messages = sealed(algorithm, batch, messages);
                let wanted = fresh(&mut *one, &messages);
                assert_eq!(fresh(&mut many, &messages), wanted, "{place}, {count} messages");
            }
            let keys = messages(&mut random, batch, 3);
            let keys: Vec<&[u8]> = keys.iter().map(|it| it.key.as_slice()).collect();
            let mut one = batch.ready(&keys, level).unwrap();
            let mut many = threads.batches(|| batch.ready(&keys, level)).unwrap();
            assert_eq!(many.keys(), 3);
            for count in [1, 5, 40] {
                let messages = messages(&mut random, batch, count);
                let wanted = ready(&mut *one, &messages);
                assert_eq!(ready(&mut many, &messages), wanted, "{place}, {count} jobs");
            }
        });
    });
}

#[test]
fn what_one_message_is_refused_for_keeps_all_from_being_written() {
    let zuc = registry::algorithm("zuc-256").unwrap();
    let keystream = operations(zuc).find(|it| it.name == registry::KEYSTREAM).unwrap();
    let level = Level::best();
    for_each_pool(|threads| {
        let mut random = SplitMix64::new(2);
        let mut messages = messages(&mut random, &keystream, 40);
        // Past the specification's limit, in the share of the last thread.
        messages[38].data = random.bytes(2501);
        let mut many = threads.batches(|| keystream.fresh(level)).unwrap();
        let (result, got) = fresh(&mut many, &messages);
        assert!(matches!(result, Err(Error::Limit { limit: 2500, .. })), "{result:?}");
        let keys: Vec<&[u8]> = messages[..3].iter().map(|it| it.key.as_slice()).collect();
        let mut many = threads.batches(|| keystream.ready(&keys, level)).unwrap();
        let (result, got_ready) = ready(&mut many, &messages);
        assert!(matches!(result, Err(Error::Limit { limit: 2500, .. })), "{result:?}");
        for got in [got, got_ready] {
            for (i, (data, _, failed)) in got.into_iter().enumerate() {
                assert_eq!((data, failed), (messages[i].data.clone(), i == 38), "{threads:?}");
            }
        }
    });
}

#[test]
fn a_constructor_that_fails_is_heard() {
    let mut left = 1;
    let made = Threads::of(&ThreadPoolBuilder::new().num_threads(3).build().unwrap())
        .batches(|| {
            left -= 1;
            if left < 0 { Err(Error::Authentication) } else { Ok(()) }
        })
        .map(|_| ());
    assert_eq!(made, Err(Error::Authentication));
}
