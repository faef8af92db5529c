//! Many messages a call and several threads change the time, never the bytes.

#[path = "../../skip.rs"]
mod skip;

use std::path::Path;
use std::time::Duration;

use lab::engine::{Answer, Process};
use lab::reply::{Description, Offer};
use lab::request::{Task, Timing};
use lab::{Cell, KeySetup, LabError, Mix, Model, Placement, Shape};
use skip::skip;

fn start(name: &str) -> Option<(Process, Description)> {
    let program = Path::new(env!("CARGO_BIN_EXE_peers-engine"));
    let mut process =
        Process::start(program, name, None, Duration::from_secs(60)).expect("it starts");
    match process.describe() {
        Ok(description) => Some((process, description)),
        Err(LabError::EngineMissing { how_to_get, .. }) => {
            skip(&format!("{name}: {how_to_get}"));
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn cell(offer: &Offer, level: &str, model: Model, size: u64) -> Cell {
    let only = offer.shape().only();
    Cell {
        placement: only.unwrap_or_default(),
        nonce_bytes: offer.nonce_bytes[0],
        aad_bytes: if offer.shape().takes_aad() { 13 } else { 0 },
        level: level.to_owned(),
        ..Cell::new(&offer.algorithm, &offer.operation, model, size)
    }
}

fn digest(process: &mut Process, cell: &Cell) -> String {
    let task = Task { cell: cell.clone(), seed: 11, buffer: None };
    match process.check(&task).expect("an answer") {
        Answer::Done(digest) => digest,
        Answer::Refused(reason) => panic!("{cell}: {reason}"),
    }
}

fn refusal(process: &mut Process, cell: &Cell) -> String {
    let task = Task { cell: cell.clone(), seed: 11, buffer: None };
    match process.check(&task).expect("an answer") {
        Answer::Done(_) => panic!("{cell} is done"),
        Answer::Refused(reason) => reason,
    }
}

#[test]
fn a_batch_computes_what_its_messages_do_one_by_one() {
    let mut compared = 0;
    for name in peers::catalogue::usual() {
        let Some((mut process, description)) = start(name) else { continue };
        for offer in &description.offers {
            assert!(offer.models.contains(&Model::Batch), "{name}: {offer}");
            for level in &offer.levels {
                for (keys, single) in
                    [(KeySetup::Fresh, Model::Packet), (KeySetup::Ready, Model::Message)]
                {
                    if !offer.models.contains(&single) {
                        continue;
                    }
                    let mut single = cell(offer, level, single, 80);
                    // GmSSL decrypts CBC from buffer to buffer only.
                    if (name, &*offer.operation) == ("gmssl", "cbc-decrypt") {
                        single.placement = Placement::Disjoint;
                    }
                    let batch = Cell { model: Model::Batch, messages: 16, keys, ..single.clone() };
                    let expected = digest(&mut process, &single);
                    assert_eq!(digest(&mut process, &batch), expected, "{name}: {batch}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn a_ring_grows_with_the_batch() {
    // 100 messages have 100 keys; in a ring of 64 the last would repeat the first.
    let (mut process, description) = start("cipherlane").expect("built in");
    let (mut peer, _) = start("rustcrypto").expect("built in");
    for operation in ["cbc-encrypt", "ctr", "ecb-decrypt"] {
        let offer = description.offer("sm4", operation).expect("an offer");
        let mut digests = Vec::new();
        for keys in KeySetup::ALL {
            for level in &offer.levels {
                let base = cell(offer, level, Model::Batch, 48);
                digests.push(digest(&mut process, &Cell { messages: 100, keys, ..base }));
            }
            let base = cell(offer, Cell::OWN_LEVEL, Model::Batch, 48);
            digests.push(digest(&mut peer, &Cell { messages: 100, keys, ..base }));
        }
        assert!(digests.iter().all(|it| *it == digests[0]), "{operation}: {digests:?}");
        let one = cell(offer, "portable", Model::Message, 48);
        assert_ne!(digest(&mut process, &one), digests[0]);
    }
}

#[test]
fn the_internet_mix_is_the_same_in_every_engine() {
    let (mut process, description) = start("cipherlane").expect("built in");
    let (mut peer, _) = start("rustcrypto").expect("built in");
    for (algorithm, operation, size) in [
        ("sm4", "ctr", 340),
        ("sm4", "cbc-encrypt", 345),
        ("zuc-128", "keystream", 340),
        ("sm4", "gcm-seal", 340),
    ] {
        let offer = description.offer(algorithm, operation).expect("an offer");
        for level in &offer.levels {
            let base = cell(offer, level, Model::Batch, size);
            let mixed = Cell { messages: 16, mix: Mix::Imix, ..base };
            let fresh = Cell { keys: KeySetup::Fresh, ..mixed.clone() };
            let ours = digest(&mut process, &mixed);
            assert_eq!(digest(&mut process, &fresh), ours, "{fresh}");
            if offer.shape() == Shape::Cipher {
                let theirs = Cell { level: Cell::OWN_LEVEL.to_owned(), ..mixed.clone() };
                assert_eq!(digest(&mut peer, &theirs), ours, "{theirs}");
            }
            let timing = Timing { samples: 3, budget_us: Some(1000), beside: None };
            let task = Task { cell: mixed, seed: 11, buffer: None };
            let answer = process.measure(&task, timing).expect("an answer");
            let Answer::Done(measured) = answer else { panic!("{answer:?}") };
            // Six batches of 16 have the exact mean.
            assert!(measured.repeats.is_multiple_of(6), "{}", measured.repeats);
        }
    }
    let offer = description.offer("sm4", "cbc-encrypt").expect("an offer");
    let base = cell(offer, "portable", Model::Batch, 340);
    let uneven = Cell { messages: 16, mix: Mix::Imix, ..base };
    let reason = refusal(&mut process, &uneven);
    assert!(reason.contains("bytes are not whole blocks of 16"), "{reason}");
}

#[test]
fn threads_change_no_byte() {
    let (mut process, description) = start("cipherlane").expect("built in");
    let mut shared = 0;
    for offer in description.offers.iter().filter(|offer| offer.algorithm == "sm4") {
        for (level, threads) in offer.levels.iter().zip([2, 3].into_iter().cycle()) {
            if level == "portable" {
                continue;
            }
            // Long enough to be cut.
            let one = cell(offer, level, Model::Message, 0x9_0000);
            let many = Cell { threads, ..one.clone() };
            let cut = ["ecb-encrypt", "ecb-decrypt", "cbc-decrypt", "ctr", "xts-encrypt"];
            let cut = cut.contains(&offer.operation.as_str())
                || ["gcm-seal", "gcm-open", "xts-gb-decrypt"].contains(&offer.operation.as_str());
            if cut {
                let expected = digest(&mut process, &one);
                assert_eq!(digest(&mut process, &many), expected, "{many}");
                shared += 1;
            }
            let batch = cell(offer, level, Model::Batch, 64);
            let batch = Cell { messages: 21, ..batch };
            let expected = digest(&mut process, &batch);
            let many = Cell { threads, ..batch };
            assert_eq!(digest(&mut process, &many), expected, "{many}");
        }
    }
    let levels = description.offers[0].levels.len();
    assert_eq!(shared, 8 * (levels - 1));
    let offer = description.offer("sm4", "cbc-encrypt").expect("an offer");
    let chain = Cell { threads: 2, ..cell(offer, "portable", Model::Message, 1 << 20) };
    let reason = refusal(&mut process, &chain);
    assert!(reason.contains("works on one thread, not 2"), "{reason}");
    let offer = description.offer("sm4", "xts-encrypt").expect("an offer");
    let long = Cell { threads: 2, ..cell(offer, "portable", Model::Message, 64 << 20) };
    let reason = refusal(&mut process, &long);
    assert!(reason.contains("xts-encrypt takes messages of 16 to"), "{reason}");
    let (mut peer, description) = start("rustcrypto").expect("built in");
    let offer = description.offer("sm4", "ctr").expect("an offer");
    let two = Cell { threads: 2, ..cell(offer, "-", Model::Batch, 64) };
    let reason = refusal(&mut peer, &two);
    assert!(reason.contains("works on one thread, not 2"), "{reason}");
}
