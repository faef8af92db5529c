//! Messages of one length under neighbouring keys that are ready: the way that has kernels
//! of its own.

use cipherlane::batch::Job;
use cipherlane::registry::{Algorithm, Kind, Operation};
use cipherlane::{Error, Level};
use model::effort::stride;
use model::random::SplitMix64;

use super::{buffers, check, every_batch, io, messages, single};

/// Around blocks and around registers of every level, and past one counter byte.
const LENGTHS: [usize; 21] =
    [1, 15, 16, 17, 32, 40, 48, 63, 64, 65, 80, 96, 111, 112, 128, 130, 256, 300, 576, 1500, 4112];

/// Messages and numbers of keys: groups that are full, in part, and not the first ones.
const COUNTS: [(usize, usize); 5] = [(9, 0), (16, 0), (27, 0), (33, 16), (20, 4)];

fn run(
    algorithm: &'static Algorithm,
    batch: &Operation,
    len: usize,
    (count, first): (usize, usize),
) {
    let mut random = SplitMix64::new((len * 64 + count) as u64);
    let mut messages = messages(&mut random, (algorithm, batch), first + count, 16);
    for (i, m) in messages.iter_mut().enumerate() {
        // Some counters are about to overflow, a byte or all of them.
        m.iv = random.bytes(batch.usual_iv);
        match i % 5 {
            0 => m.iv.fill(0xff),
            1 => m.iv.iter_mut().rev().take(4).for_each(|byte| *byte = 0xff),
            2 => m.iv.iter_mut().rev().take(1).for_each(|byte| *byte = 0xfa),
            _ => {}
        }
        // The last message of all has another length.
        let len = if i == 26 { len.max(32) - 16 } else { len };
        let aad = if batch.kind == Kind::Mac { len } else { m.aad.len().min(1) * 20 };
        m.aad = random.bytes(aad);
        if batch.kind != Kind::Mac {
            m.input = random.bytes(len);
        }
        single(batch, Level::best(), m);
    }
    let forged = messages[first..].iter().any(|m| m.forged);
    let keys: Vec<_> = messages.iter().map(|m| m.key.clone()).collect();
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    for level in Level::available() {
        let (name, operation) = (algorithm.name, batch.name);
        let place = format!("{name} {operation} {level}, {count} of {len} from {first}");
        let mut object = batch.ready(&keys, level).unwrap();
        let (mut outputs, mut tags) = buffers(&messages);
        let parts = messages.iter().zip(&mut outputs).zip(&mut tags).enumerate();
        let mut jobs: Vec<_> = parts
            .map(|(i, ((m, output), tag))| Job::aead(i, &m.iv, &m.aad, io(i, m, output), tag))
            .skip(first)
            .collect();
        let result = object.apply(&mut jobs);
        assert_eq!(result.err(), forged.then_some(Error::Authentication), "{place}");
        for (job, m) in jobs.iter().zip(&messages[first..]) {
            assert_eq!(job.failed, m.forged, "{place}");
        }
        drop(jobs);
        check(&place, &messages[first..], &outputs[first..], &tags[first..]);
    }
}

#[test]
fn equal_lengths_and_neighbouring_keys_give_what_single_messages_give() {
    every_batch(|algorithm, batch| {
        if !["sm4", "aes-128"].contains(&algorithm.name) {
            return;
        }
        let cases = LENGTHS.iter().flat_map(|&len| COUNTS.map(|count| (len, count)));
        // Under an emulator others of them for each batch.
        let first = batch.name.len() % stride();
        for (len, count) in cases.skip(first).step_by(stride()) {
            if batch.data.allow(len)
                && (len < 4000 || !batch.name.contains("cfb8"))
                && (len < 300 || !batch.name.contains("cfb1"))
            {
                run(algorithm, batch, len, count);
            }
        }
    });
}
