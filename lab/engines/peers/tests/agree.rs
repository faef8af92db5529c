//! Every engine computes the same, in every model, at every level, in both placements.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lab::engine::{Answer, Process};
use lab::reply::{Description, Offer};
use lab::request::{Task, Timing};
use lab::{Cell, LabError, Model, Placement};
use model::all_cores::share_out;
use skip::skip;

mod common;
#[path = "../../skip.rs"]
mod skip;

fn start(name: &str) -> Result<(Process, Description), LabError> {
    let program = Path::new(env!("CARGO_BIN_EXE_peers-engine"));
    let mut process = Process::start(program, name, None, Duration::from_secs(60))?;
    let description = process.describe()?;
    Ok((process, description))
}

/// The built-in engines, and those whose library this machine has; a note of the others.
fn engines() -> Vec<(Process, Description)> {
    let mut engines = Vec::new();
    for name in peers::catalogue::usual() {
        match start(name) {
            Ok(engine) => engines.push(engine),
            Err(LabError::EngineMissing { how_to_get, .. }) => {
                assert!(!["cipherlane", "rustcrypto"].contains(&name), "{name}: {how_to_get}");
                assert!(how_to_get.contains('`'), "no command brings {name}: {how_to_get}");
                skip(&format!("{name}: {how_to_get}"));
            }
            Err(error) => panic!("{error}"),
        }
    }
    engines
}

fn task(offer: &Offer, level: &str, model: Model, size: u64, placement: Placement) -> Task {
    let size = if model.is_setup() { 0 } else { size };
    let cell = Cell {
        placement,
        nonce_bytes: offer.nonce_bytes[0],
        level: level.to_owned(),
        ..Cell::new(&offer.algorithm, &offer.operation, model, size)
    };
    Task { cell, seed: 7, buffer: None }
}

/// The digests of one model, size and placement of an operation, by engine and level.
fn digests(
    engines: &mut [(Process, Description)],
    (algorithm, operation): (&str, &str),
    model: Model,
    size: u64,
    placement: Placement,
) -> Vec<(String, String)> {
    let mut digests = Vec::new();
    for (process, description) in engines {
        let Some(offer) = description.offer(algorithm, operation) else { continue };
        let only = offer.shape().only().is_none_or(|only| only == placement);
        let even = size.is_multiple_of(offer.granule.into());
        if !offer.models.contains(&model) || !even || !only {
            continue;
        }
        for level in &offer.levels {
            let task = task(offer, level, model, size, placement);
            match process.check(&task).expect("an answer") {
                Answer::Done(digest) => {
                    digests.push((format!("{} {level}", process.name()), digest))
                }
                // Only a library from elsewhere may lack a function that takes such work.
                Answer::Refused(reason) => {
                    assert!(common::is_limit(process.name(), &reason), "{}: {reason}", task.cell);
                    println!("{}: {} is refused: {reason}", process.name(), task.cell);
                }
            }
        }
    }
    digests
}

#[test]
fn all_engines_agree_on_every_operation_they_share() {
    let mut operations: Vec<(String, String)> = Vec::new();
    for offer in engines().iter().flat_map(|(_, description)| &description.offers) {
        let name = (offer.algorithm.clone(), offer.operation.clone());
        if !operations.contains(&name) {
            operations.push(name);
        }
    }
    assert!(operations.len() >= 5, "{operations:?}");
    let compared = AtomicUsize::new(0);
    share_out(&operations, engines, |engines, (algorithm, operation)| {
        let has = |engine: &&(Process, Description)| engine.1.offer(algorithm, operation).is_some();
        // The library's own tests hold its levels against each other at every length.
        let sizes: &[u64] = match engines.iter().filter(has).count() {
            // A block a bit, or a byte, one after another.
            _ if operation.starts_with("cfb1-") => &[16, 40],
            1 => &[16, 4096],
            _ if operation.starts_with("cfb8") => &[16, 40, 256],
            _ => &[16, 40, 100, 256, 1500, 9_000],
        };
        for model in Model::ALL {
            for placement in Placement::ALL {
                for &size in sizes {
                    let name = (algorithm.as_str(), operation.as_str());
                    let digests = digests(engines, name, model, size, placement);
                    compared.fetch_add(digests.len(), Ordering::Relaxed);
                    let Some((_, first)) = digests.first() else { continue };
                    assert!(
                        digests.iter().all(|(_, digest)| digest == first),
                        "{algorithm}/{operation} {model} {size} {placement}: {digests:?}"
                    );
                }
            }
        }
    });
    let compared = compared.into_inner();
    assert!(compared > 500, "{compared} digests");
}

#[test]
fn no_message_leaves_anything_to_the_next_one_of_its_key() {
    // Model `packet` uses one object for all messages, `message` one for each: a library
    // that keeps associated data or a counter would give other tags.
    for (mut process, description) in engines() {
        for offer in &description.offers {
            // What is done in batches alone has no single message.
            let single = offer.models.contains(&Model::Packet);
            if !single || !offer.shape().takes_aad() || offer.levels.len() > 1 {
                continue;
            }
            let digest = |process: &mut Process, model| {
                let mut task = task(offer, &offer.levels[0], model, 100, Placement::Disjoint);
                task.cell.aad_bytes = 13;
                match process.check(&task).expect("an answer") {
                    Answer::Done(digest) => digest,
                    Answer::Refused(reason) => panic!("{}: {reason}", task.cell),
                }
            };
            let packet = digest(&mut process, Model::Packet);
            let message = digest(&mut process, Model::Message);
            assert_eq!(packet, message, "{} {offer}", process.name());
        }
    }
}

#[test]
fn each_standard_of_xts_is_its_own() {
    // OpenSSL's SM4-XTS is that of GB/T 17964 unless it is told otherwise.
    let mut both = 0;
    for (mut process, description) in engines() {
        let offers = ["xts-encrypt", "xts-gb-encrypt"].map(|name| description.offer("sm4", name));
        let [Some(ieee), Some(gb)] = offers else { continue };
        let mut digest = |offer: &Offer, size| {
            let level = offer.levels.last().expect("a level");
            let task = task(offer, level, Model::Message, size, Placement::InPlace);
            match process.check(&task).expect("an answer") {
                Answer::Done(digest) => digest,
                Answer::Refused(reason) => panic!("{}: {reason}", task.cell),
            }
        };
        assert_eq!(digest(ieee, 16), digest(gb, 16), "the first tweak is the same");
        assert_ne!(digest(ieee, 32), digest(gb, 32), "the second is not");
        both += 1;
    }
    assert!(both >= 1, "cipherlane has both");
}

#[test]
fn different_work_has_different_digests() {
    let mut engines = engines();
    engines.truncate(2);
    let mut all = Vec::new();
    let operations = ["ecb-encrypt", "ecb-decrypt", "cbc-encrypt", "cbc-decrypt", "ctr"];
    for operation in operations {
        for model in [Model::Packet, Model::Stream] {
            let name = ("sm4", operation);
            all.push(digests(&mut engines, name, model, 4096, Placement::InPlace)[0].1.clone());
        }
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 10);
}

#[test]
fn packets_messages_and_set_up_are_checked_on_the_same_outputs() {
    // Each of their messages has its own key and IV, whoever sets them up and when.
    let mut engines = engines();
    for operation in ["ecb-encrypt", "cbc-decrypt", "ctr"] {
        let mut all = Vec::new();
        for model in [Model::Packet, Model::Message, Model::Init, Model::Key] {
            all.extend(digests(&mut engines, ("sm4", operation), model, 64, Placement::InPlace));
        }
        assert!(all.iter().all(|(_, digest)| *digest == all[0].1), "{operation}: {all:?}");
    }
}

#[test]
fn what_is_opened_is_the_data_and_a_mac_is_a_tag() {
    use lab::input::{Kind, RING, bytes};
    use sha2::{Digest, Sha256};
    let (mut process, description) = start("cipherlane").expect("built in");
    let all: Vec<u8> =
        (0..RING as u64).flat_map(|index| bytes(7, Kind::Data, index, 100)).collect();
    let data: String = Sha256::digest(&all).iter().map(|byte| format!("{byte:02x}")).collect();
    for operation in ["gcm-open", "gcm-siv-open", "ccm-open"] {
        for (model, aad_bytes) in [(Model::Message, 13), (Model::Packet, 0)] {
            let offer = description.offer("sm4", operation).expect("an offer");
            assert_eq!((offer.nonce_bytes.as_slice(), offer.tag_bytes), (&[12][..], 16));
            let level = offer.levels.last().expect("a level");
            let mut task = task(offer, level, model, 100, Placement::Disjoint);
            task.cell.aad_bytes = aad_bytes;
            let timing = Timing { samples: 3, budget_us: None, beside: None };
            let answer = process.measure(&task, timing).expect("an answer");
            let Answer::Done(measured) = answer else { panic!("{answer:?}") };
            assert_eq!(measured.digest, data, "{operation} {model}");
        }
    }
    let offer = description.offer("sm4", "cmac").expect("an offer");
    let task = task(offer, "portable", Model::Message, 100, Placement::Disjoint);
    let Answer::Refused(reason) = process.check(&task).expect("an answer") else { panic!() };
    assert!(reason.contains("is measured in-place, not disjoint"), "{reason}");
    let task = Task { cell: Cell { placement: Placement::InPlace, ..task.cell }, ..task };
    let Answer::Done(mac) = process.check(&task).expect("an answer") else { panic!() };
    let tags: Vec<u8> = (0..RING as u64).flat_map(cmac).collect();
    let tags: String = Sha256::digest(&tags).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(mac, tags);
}

/// The CMAC of a message of 100 bytes.
fn cmac(index: u64) -> [u8; 16] {
    use cipherlane::registry::{algorithm, operation};
    use lab::input::{Kind, bytes};
    let sm4 = algorithm("sm4").expect("registered");
    let entry = operation(sm4, "cmac").expect("registered");
    let level = cipherlane::Level::available().next().expect("a level");
    let key = bytes(7, Kind::Key, index, 16);
    let mut mac = entry.mac(&key, &[], level).expect("a key");
    mac.update(&bytes(7, Kind::Data, index, 100)).expect("short");
    let mut tag = [0; 16];
    mac.finish(&mut tag).expect("16 bytes");
    tag
}

#[test]
fn a_message_mode_refuses_what_is_too_short() {
    let (mut process, description) = start("cipherlane").expect("built in");
    let offer = description.offer("aes-256", "xts-encrypt").expect("an offer");
    assert_eq!((offer.key_bytes, offer.models.contains(&Model::Init)), (64, false));
    let task = task(offer, "portable", Model::Message, 15, Placement::InPlace);
    let Answer::Refused(reason) = process.check(&task).expect("an answer") else { panic!() };
    assert!(reason.contains("xts-encrypt takes messages of 16 to"), "{reason}");
}

#[test]
fn a_series_of_every_engine_has_its_samples_and_canaries() {
    for (mut process, description) in engines() {
        // Those without SM4 show what they have first.
        let offer = description.offer("sm4", "ecb-encrypt").unwrap_or(&description.offers[0]);
        for &model in offer.models.iter().filter(|model| **model != Model::Batch) {
            let level = offer.levels.last().expect("a level");
            let task = task(offer, level, model, 16, Placement::InPlace);
            let timing = Timing { samples: 5, budget_us: None, beside: None };
            let Answer::Done(measured) = process.measure(&task, timing).expect("an answer") else {
                panic!("{} refuses {}", description.engine, task.cell);
            };
            // Python has no loop whose additions wait for one another.
            let chain = if process.name().ends_with("-python") { 0 } else { 2 };
            let series = (measured.samples.len(), measured.chain.len(), measured.load.len());
            assert_eq!(series, (5, chain, 2), "{}: {}", process.name(), task.cell);
            assert!(measured.repeats > 1, "{}: {}: {measured:?}", process.name(), task.cell);
        }
    }
}

#[test]
fn what_is_not_offered_is_refused_by_name() {
    let (mut process, description) = start("cipherlane").expect("built in");
    let offer = description.offer("sm4", "cbc-encrypt").expect("an offer");
    let good = task(offer, "portable", Model::Message, 64, Placement::InPlace);
    let mut refused = |change: &dyn Fn(&mut Cell), expected: &str| {
        let mut task = good.clone();
        change(&mut task.cell);
        match process.check(&task).expect("an answer") {
            Answer::Refused(reason) => assert!(reason.contains(expected), "{reason}"),
            Answer::Done(_) => panic!("{} is done", task.cell),
        }
    };
    refused(&|cell| cell.algorithm = "sm5".into(), "cipherlane has no sm5/cbc-encrypt");
    refused(&|cell| cell.operation = "xyz".into(), "cipherlane has no sm4/xyz");
    refused(&|cell| cell.level = "-".into(), "has no level `-`; it has portable");
    refused(&|cell| cell.size = 65, "65 bytes are not whole blocks of 16");
    refused(&|cell| cell.nonce_bytes = 12, "takes no IV of 12 bytes");
    refused(&|cell| cell.threads = 2, "works on one thread, not 2");
    refused(&|cell| cell.messages = 16, "model message has one message a call, not 16");
    refused(&|cell| cell.aad_bytes = 13, "has no associated data");
    refused(
        &|cell| (cell.model, cell.size) = (Model::Latency, 16),
        "can't be measured in model latency",
    );
    refused(&|cell| cell.size = 1 << 60, "not enough memory");
}

#[test]
fn an_engine_that_is_missing_says_what_brings_it() {
    let error = start("nonesuch").expect_err("no such engine").to_string();
    assert_eq!(
        error,
        format!(
            "engine `nonesuch` is missing: `cipherlane engines` lists all, e.g. {}",
            peers::catalogue::usual().collect::<Vec<_>>().join(", ")
        )
    );
    let program = Path::new(env!("CARGO_BIN_EXE_peers-engine"));
    let lib = Path::new("/no/such/libcrypto.so");
    let mut process =
        Process::start(program, "openssl", Some(lib), Duration::from_secs(60)).expect("starts");
    let error = process.describe().expect_err("no such library").to_string();
    assert!(error.contains("/no/such/libcrypto.so can't be opened"), "{error}");
}
