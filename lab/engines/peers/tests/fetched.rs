//! The engines whose libraries are fetched compute what the library of this workspace
//! computes: every operation and model they offer, in both placements. A library that is
//! not here is skipped, with a line that says so.

use std::path::Path;
use std::time::Duration;

use lab::engine::{Answer, Process};
use lab::reply::{Description, Offer};
use lab::request::{Task, Timing};
use lab::{Cell, KeySetup, LabError, Model, Placement};
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

/// The engine of that name, unless its library is not here.
fn present(name: &str) -> Option<(Process, Description)> {
    match start(name) {
        Ok(engine) => Some(engine),
        Err(LabError::EngineMissing { how_to_get, .. }) => {
            skip(&format!("{name} is not here: {how_to_get}"));
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn task(offer: &Offer, level: &str, model: Model, size: u64, placement: Placement) -> Task {
    let size = if model.is_setup() { 0 } else { size };
    let cell = Cell {
        placement,
        nonce_bytes: offer.nonce_bytes[0],
        level: level.to_owned(),
        ..Cell::new(&offer.algorithm, &offer.operation, model, size)
    };
    Task { cell, seed: 11, buffer: None }
}

/// Holds an engine against ours; says how many digests were compared.
fn agrees(name: &str) -> Option<usize> {
    let (mut peer, description) = present(name)?;
    let (mut ours, own) = start("cipherlane").expect("built in");
    let mut compared = 0;
    for offer in &description.offers {
        let what = format!("{name}: {}/{}", offer.algorithm, offer.operation);
        let Some(mine) = own.offer(&offer.algorithm, &offer.operation) else {
            // Peers may have ciphers that our library is built without.
            let ours = own.offers.iter().any(|it| it.algorithm == offer.algorithm);
            assert!(!ours, "{what}");
            continue;
        };
        assert_eq!((mine.key_bytes, mine.tag_bytes), (offer.key_bytes, offer.tag_bytes), "{what}");
        let level = mine.levels.last().expect("a level");
        for (&model, placement) in
            offer.models.iter().flat_map(|model| Placement::ALL.map(|place| (model, place)))
        {
            // Batches have a test of their own.
            if model == Model::Batch || offer.shape().only().is_some_and(|only| only != placement) {
                continue;
            }
            for size in [16, 17, 31, 40, 64, 100, 256, 1500, 4096, 20_000] {
                let granule = u64::from(offer.granule.max(mine.granule));
                // A block a bit, or a byte, one after another.
                let most = match offer.operation.split('-').next() {
                    Some("cfb1") => 100,
                    Some("cfb8") => 1500,
                    _ => u64::MAX,
                };
                let out_of_place = model == Model::Latency && size != 16;
                if size % granule != 0 || size > most || out_of_place {
                    continue;
                }
                for aad_bytes in if offer.shape().takes_aad() { &[0, 13, 300][..] } else { &[0] } {
                    let mut theirs = task(offer, &offer.levels[0], model, size, placement);
                    theirs.cell.aad_bytes = *aad_bytes;
                    let mut twin = theirs.clone();
                    twin.cell.level.clone_from(level);
                    let cell = theirs.cell.clone();
                    let theirs = match peer.check(&theirs).expect("an answer") {
                        Answer::Done(digest) => digest,
                        Answer::Refused(why) => {
                            assert!(common::is_limit(name, &why), "{cell}: {why}");
                            continue;
                        }
                    };
                    let Answer::Done(digest) = ours.check(&twin).expect("an answer") else {
                        assert!(!mine.models.contains(&model), "{cell}");
                        continue;
                    };
                    assert_eq!(theirs, digest, "{what} {model} {size} {placement} {aad_bytes}");
                    compared += 1;
                }
            }
        }
    }
    Some(compared)
}

/// Holds an engine's batches of a cipher against ours; says how many digests were compared.
fn batches_agree(name: &str, algorithm: &str) -> Option<usize> {
    let (mut peer, description) = present(name)?;
    let (mut ours, own) = start("cipherlane").expect("built in");
    let mut compared = 0;
    for offer in description.offers.iter().filter(|offer| offer.algorithm == algorithm) {
        let mine = own.offer(&offer.algorithm, &offer.operation).expect("registered");
        let level = mine.levels.last().expect("a level");
        let placement = offer.shape().only().unwrap_or_default();
        let aads = if offer.shape().takes_aad() { &[0, 20][..] } else { &[0] };
        let granule = u64::from(offer.granule.max(mine.granule));
        let sizes = [16, 20, 64, 1500, 1504].into_iter().filter(|size| size % granule == 0);
        for (size, messages) in sizes.flat_map(|size| [1, 5, 16, 40].map(|it| (size, it))) {
            for (keys, &aad_bytes) in
                KeySetup::ALL.into_iter().flat_map(|keys| aads.iter().map(move |aad| (keys, aad)))
            {
                let mut theirs = task(offer, &offer.levels[0], Model::Batch, size, placement);
                let cell = &mut theirs.cell;
                (cell.messages, cell.keys, cell.aad_bytes) = (messages, keys, aad_bytes);
                let mut twin = theirs.clone();
                twin.cell.level.clone_from(level);
                // A cipher that takes no fresh keys one by one takes none in a batch.
                if !mine.models.contains(&twin.cell.one_by_one().model) {
                    continue;
                }
                let [theirs, twin] = [peer.check(&theirs), ours.check(&twin)];
                assert_eq!(theirs.expect("an answer"), twin.expect("an answer"), "{}", {
                    format!("{name}: {algorithm}/{} {size} x {messages} {keys}", offer.operation)
                });
                compared += 1;
            }
        }
    }
    Some(compared)
}

/// Operations of SM4 and AES that the engine must have.
fn offers(name: &str, at_least: usize, operations: &[&str]) {
    let Some((_, description)) = present(name) else { return };
    assert!(description.offers.len() >= at_least, "{} operations", description.offers.len());
    for operation in operations {
        let (algorithm, operation) = operation.split_once('/').expect("ALGORITHM/OPERATION");
        assert!(description.offer(algorithm, operation).is_some(), "{algorithm}/{operation}");
    }
}

/// One short series of every model of an operation.
fn is_measured(name: &str) {
    let Some((mut process, description)) = present(name) else { return };
    for operation in ["ecb-encrypt", "ctr", "ccm-open"] {
        let offer = description.offer("sm4", operation).expect(operation);
        for &model in &offer.models {
            let placement = offer.shape().only().unwrap_or_default();
            let size = if model == Model::Latency { 16 } else { 256 };
            let task = task(offer, &offer.levels[0], model, size, placement);
            let timing = Timing { samples: 5, budget_us: Some(20_000), beside: None };
            let Answer::Done(measured) = process.measure(&task, timing).expect("an answer") else {
                panic!("{name} refuses {}", task.cell);
            };
            assert!(measured.samples.len() >= 3, "{}", task.cell);
        }
    }
}

#[test]
fn ipp_agrees_with_ours() {
    if let Some(compared) = agrees("ipp") {
        println!("ipp: {compared} digests");
        assert!(compared > 1000, "{compared} digests");
    }
}

#[test]
fn ipp_agrees_in_batches() {
    if let Some(compared) = batches_agree("ipp", "sm4") {
        println!("ipp: {compared} batches");
        assert!(compared > 200, "{compared} batches");
    }
}

#[test]
fn ipp_has_what_its_library_has() {
    offers("ipp", 60, &["sm4/ctr", "sm4/ccm-open", "sm4/cfb8-decrypt", "aes-256/xts-decrypt"]);
    let Some((mut process, description)) = present("ipp") else { return };
    let lack = |operation: &str| {
        description.known_wrong.iter().find(|it| it.operation == operation).expect(operation)
    };
    assert!(lack("gmac").reason.contains("ippsSMS4_GCMGetSize"), "{}", lack("gmac").reason);
    assert!(lack("gcm-siv-seal").reason.contains("has no function for gcm-siv-seal"));
    // The multi-buffer library has more modes of SM4, in batches, on a CPU with AVX-512.
    let why = description.build.split_once("no batches: ");
    assert!(why.is_none_or(|(_, why)| why.contains("for this CPU")), "{}", description.build);
    #[cfg(target_arch = "x86_64")]
    assert!(why.is_none() || !is_x86_feature_detected!("avx512ifma"), "{}", description.build);
    for operation in ["gcm-seal", "gcm-open", "xts-encrypt", "xts-decrypt"] {
        let offer = description.offer("sm4", operation);
        let models = offer.map(|it| it.models.as_slice());
        let expected = why.is_none().then_some(&[Model::Batch][..]);
        assert_eq!(models, expected, "{operation}: {}", description.build);
    }
    let offer = description.offer("sm4", "ctr").expect("offered");
    let odd = task(offer, &offer.levels[0], Model::Stream, 40, Placement::InPlace);
    let Answer::Refused(why) = process.check(&odd).expect("an answer") else { panic!("done") };
    assert!(why.contains("ippsSMS4EncryptCTR"), "{why}");
}

#[test]
fn ipp_is_measured_in_every_model() {
    is_measured("ipp");
}

#[test]
fn cryptopp_agrees_with_ours() {
    if let Some(compared) = agrees("cryptopp") {
        println!("cryptopp: {compared} digests");
        assert!(compared > 1000, "{compared} digests");
    }
}

#[test]
fn cryptopp_has_what_its_library_has() {
    offers(
        "cryptopp",
        70,
        &["sm4/xts-decrypt", "sm4/gcm-open", "aes-192/gmac", "sm4/cfb8-encrypt"],
    );
    let Some((_, description)) = present("cryptopp") else { return };
    let lacks = |operation: &str| {
        let lack = description.known_wrong.iter().find(|it| it.operation == operation);
        lack.expect(operation).reason.clone()
    };
    assert!(lacks("gcm-siv-seal").contains("has no GCM-SIV"), "{}", lacks("gcm-siv-seal"));
    assert!(lacks("xts-gb-encrypt").contains("XTS with the tweaks"), "{}", lacks("xts-gb-encrypt"));
}

#[test]
fn cryptopp_is_measured_in_every_model() {
    is_measured("cryptopp");
}

#[test]
fn ipsec_mb_agrees_with_ours() {
    if let Some(compared) = agrees("ipsec-mb") {
        println!("ipsec-mb: {compared} digests");
        assert!(compared > 200, "{compared} digests");
    }
}

#[test]
fn ipsec_mb_agrees_in_batches() {
    for algorithm in ["zuc-128", "zuc-256", "snow3g", "sm4", "aes-128", "aes-192", "aes-256"] {
        if let Some(compared) = batches_agree("ipsec-mb", algorithm) {
            println!("ipsec-mb: {compared} batches of {algorithm}");
            assert!(compared > 100, "{compared} batches");
        }
    }
}

#[test]
fn ipsec_mb_has_what_its_library_has() {
    offers(
        "ipsec-mb",
        50,
        &["sm4/gcm-open", "sm4/ctr", "aes-128/cmac", "aes-256/ccm-seal", "snow3g/nea1+nia1"],
    );
    let Some((mut process, description)) = present("ipsec-mb") else { return };
    for lacking in ["sm4/cmac", "sm4/cfb-encrypt", "aes-192/ccm-seal", "aes-128/ofb"] {
        let (algorithm, operation) = lacking.split_once('/').expect("ALGORITHM/OPERATION");
        assert!(description.offer(algorithm, operation).is_none(), "{lacking}");
    }
    // A job of these counts in 16 bits.
    let offer = description.offer("aes-128", "cbc-encrypt").expect("offered");
    let long = task(offer, &offer.levels[0], Model::Message, 65_536, Placement::InPlace);
    let Answer::Refused(why) = process.check(&long).expect("an answer") else { panic!("done") };
    assert!(why.contains("0 to 65534 bytes"), "{why}");
}

#[test]
fn botan_agrees_with_ours() {
    if let Some(compared) = agrees("botan") {
        println!("botan: {compared} digests");
        assert!(compared > 1000, "{compared} digests");
    }
}

#[test]
fn libgcrypt_agrees_with_ours() {
    if let Some(compared) = agrees("libgcrypt") {
        println!("libgcrypt: {compared} digests");
        assert!(compared > 1000, "{compared} digests");
    }
}

#[test]
fn nettle_agrees_with_ours() {
    if let Some(compared) = agrees("nettle") {
        println!("nettle: {compared} digests");
        assert!(compared > 1000, "{compared} digests");
    }
}

#[test]
fn gmssl_agrees_with_ours() {
    if let Some(compared) = agrees("gmssl") {
        println!("gmssl: {compared} digests");
        assert!(compared > 100, "{compared} digests");
    }
}

#[test]
fn wolfssl_agrees_with_ours() {
    if let Some(compared) = agrees("wolfssl") {
        println!("wolfssl: {compared} digests");
        assert!(compared > 1000, "{compared} digests");
    }
}

#[test]
fn tongsuo_agrees_with_ours() {
    if let Some(compared) = agrees("tongsuo") {
        println!("tongsuo: {compared} digests");
        assert!(compared > 1000, "{compared} digests");
    }
}

#[test]
fn gmsm_agrees_with_ours() {
    if let Some(compared) = agrees("gmsm") {
        println!("gmsm: {compared} digests");
        assert!(compared > 500, "{compared} digests");
    }
}

#[test]
fn gmsm_has_what_its_library_has() {
    offers("gmsm", 30, &["sm4/xts-gb-encrypt", "sm4/gcm-siv-open", "zuc-128/mur-seal"]);
}

#[test]
fn bouncycastle_agrees_with_ours() {
    if let Some(compared) = agrees("bouncycastle") {
        println!("bouncycastle: {compared} digests");
        assert!(compared > 500, "{compared} digests");
    }
}

#[test]
fn the_older_ciphers_are_where_they_are_looked_for() {
    offers("libtomcrypt", 15, &["rc2/cbc-decrypt", "rc5/ctr", "rc4/keystream", "rc2/cmac"]);
    offers("cryptopp", 100, &["idea/cfb-encrypt", "hc-128/keystream", "sosemanuk/keystream"]);
    offers("libgcrypt", 80, &["idea/ofb", "rc2/cbc-encrypt", "salsa20-12/keystream"]);
    offers("openssl4", 80, &["rc5/cbc-encrypt", "idea/cmac", "rc4/keystream"]);
    offers("nettle", 60, &["sm4/gcm-open", "aes-256/gcm-siv-seal", "rc2/cbc-decrypt"]);
    offers("wolfssl", 50, &["aes-192/ofb", "aes-256/xts-decrypt", "rc4/keystream"]);
    offers("gmssl", 7, &["sm4/gcm-open", "sm4/cbc-decrypt", "sm4/ctr"]);
    offers("tongsuo", 80, &["sm4/gcm-seal", "sm4/xts-encrypt", "aes-256/gcm-siv-open"]);
    offers("rustcrypto", 100, &["rabbit/keystream", "enocoro-128/keystream", "rc5/ofb"]);
    offers("bouncycastle", 60, &["idea/ctr", "grain-128aead/aead-seal", "hc-128/keystream"]);
}
