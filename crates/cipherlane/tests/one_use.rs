//! One use of an IV, one length of tags: what every object of the registry refuses, whatever
//! the order of calls.

use cipherlane::aead::AeadStream;
use cipherlane::batch::{Job, Packet};
use cipherlane::mac::DynMac;
use cipherlane::modes::Direction;
use cipherlane::registry::{self, ALGORITHMS, Kind};
use cipherlane::{Aead, Error, Level, Sizes};

/// Two keys of some length, whose halves differ.
fn key(bytes: usize) -> Vec<u8> {
    (1..=bytes as u8).collect()
}

/// Every MAC, the lengths of its IV in bytes, and whether a message must be announced.
fn macs(level: Level) -> Vec<(String, Sizes, Box<dyn DynMac>)> {
    let mut all: Vec<(String, Sizes, Box<dyn DynMac>)> = Vec::new();
    for it in ALGORITHMS.iter().flat_map(registry::operations) {
        if it.kind == Kind::Mac {
            let key = key(if it.key.allow(16) { 16 } else { it.key.min });
            let mac = it.mac(&key, &vec![7; it.usual_iv], level).unwrap();
            all.push((format!("{it:?} at {level}"), it.iv, mac));
        }
    }
    all
}

#[test]
fn a_mac_with_an_iv_is_at_its_end_after_its_tag() {
    for level in Level::available() {
        for (name, iv, mut mac) in macs(level) {
            if iv.max == 0 {
                continue;
            }
            let iv = vec![7; if iv.allow(12) { 12 } else { iv.min }];
            let mut tag = vec![0; mac.tag_len()];
            let mut other = tag.clone();
            for verified in [false, true] {
                mac.reset(&iv).unwrap();
                mac.update(b"a message").unwrap();
                if verified {
                    // A wrong tag ends the message just as a right one does.
                    let mut wrong = tag.clone();
                    wrong[0] ^= 1;
                    assert_eq!(mac.verify(&wrong), Err(Error::Authentication), "{name}");
                } else {
                    mac.finish(&mut tag).unwrap();
                }
                let state = |done: Result<(), Error>| matches!(done, Err(Error::State(_)));
                assert!(state(mac.update(b"more")), "{name}");
                assert!(state(mac.update(b"")), "{name}");
                assert!(state(mac.update_bits(&[0], 8)), "{name}");
                assert!(state(mac.finish(&mut other)), "{name}");
                assert!(state(mac.verify(&tag)), "{name}");
                assert!(other.iter().all(|byte| *byte == 0), "{name}: a tag was written");
            }
            assert!(matches!(mac.fork(), Err(Error::State(_))), "{name}: a copy");
            mac.reset(&iv).unwrap();
            mac.update(b"a message").unwrap();
            mac.verify(&tag).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn a_mac_without_an_iv_goes_on_and_has_copies() {
    for (name, iv, mut mac) in macs(Level::portable()) {
        if iv.max > 0 {
            continue;
        }
        let mut tags = [vec![0; mac.tag_len()], vec![0; mac.tag_len()]];
        for tag in &mut tags {
            mac.announce(9).unwrap();
            mac.update(b"a message").unwrap();
            mac.fork().unwrap().finish(&mut vec![0; tag.len()]).unwrap();
            mac.finish(tag).unwrap();
        }
        assert_eq!(tags[0], tags[1], "{name}");
    }
}

#[test]
fn a_mac_keeps_to_the_length_of_its_tags() {
    for (name, iv, mut mac) in macs(Level::portable()) {
        let iv = vec![7; if iv.allow(12) { 12 } else { iv.min }];
        let fresh = |mac: &mut Box<dyn DynMac>| {
            mac.reset(&iv).unwrap();
            mac.announce(9).unwrap();
            mac.update(b"a message").unwrap();
        };
        for len in mac.tag_sizes().lengths() {
            mac.set_tag_len(len).unwrap();
            fresh(&mut mac);
            let mut tag = vec![0; len];
            mac.finish(&mut tag).unwrap();
            for other in (0..=17).filter(|&other| other != len) {
                // As it would come from a sender who shortens it: its first bytes.
                let mut presented = tag.clone();
                presented.resize(other, 0);
                fresh(&mut mac);
                let allowed = Sizes::exactly(len);
                let refused = Err(Error::Length { field: "tag", got: other, allowed });
                assert_eq!(mac.verify(&presented), refused, "{name}, {other} bytes for {len}");
                assert_eq!(mac.finish(&mut presented), refused, "{name}, {other} bytes for {len}");
                // The message goes on after that.
                mac.verify(&tag).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
        let allowed = mac.tag_sizes();
        for wrong in [0, 1, 3, 17].into_iter().filter(|&len| !allowed.allow(len)) {
            let refused = Err(Error::Length { field: "tag", got: wrong, allowed });
            assert_eq!(mac.set_tag_len(wrong), refused, "{name}");
        }
    }
}

/// Every AEAD with the length of its nonces.
fn aeads() -> Vec<(String, usize, Box<dyn Aead>)> {
    let level = Level::portable();
    let mut all: Vec<(String, usize, Box<dyn Aead>)> = Vec::new();
    for it in ALGORITHMS.iter().flat_map(registry::operations) {
        // PDUs are no AEAD.
        if it.kind == Kind::Seal && it.streaming().is_some() {
            let aead = it.aead(&key(it.key.min), level).unwrap();
            assert_eq!(aead.tag_sizes(), it.tag, "{it:?}");
            all.push((format!("{it:?}"), it.usual_iv, aead));
        }
    }
    all
}

#[test]
fn an_aead_keeps_to_the_length_of_its_tags() {
    for (name, nonce, mut aead) in aeads() {
        let nonce = vec![9; nonce];
        for len in aead.tag_sizes().lengths() {
            aead.set_tag_len(len).unwrap();
            assert_eq!(aead.tag_len(), len);
            let (message, mut tag) = (*b"some message", vec![0; len]);
            let mut data = message;
            aead.seal(&nonce, b"aad", (&mut data[..]).into(), &mut tag).unwrap();
            for other in (0..=17).filter(|&other| other != len) {
                let place = format!("{name}, {other} bytes for {len}");
                let mut presented = tag.clone();
                presented.resize(other, 0);
                let allowed = Sizes::exactly(len);
                let refused = Err(Error::Length { field: "tag", got: other, allowed });
                let mut out = data;
                let opened = aead.open(&nonce, b"aad", (&mut out[..]).into(), &presented);
                assert_eq!((opened, out), (refused, data), "{place}");
                assert_eq!(aead.try_open(&nonce, b"aad", &mut out, &presented), refused, "{place}");
                let sealed = aead.seal(&nonce, b"aad", (&mut out[..]).into(), &mut presented);
                assert_eq!((sealed, out), (refused, data), "{place}");

                // Attached: neither a shorter datagram nor a shorter buffer chooses the length.
                let mut datagram = [data.to_vec(), presented].concat();
                let mut opened = vec![0; message.len()];
                let attached = aead.open_attached(&nonce, b"aad", &datagram, &mut opened);
                assert!(attached.is_err(), "{place}: attached");
                let attached = aead.seal_attached(&nonce, b"aad", &message, &mut datagram);
                assert!(matches!(attached, Err(Error::OutputLength { .. })), "{place}: attached");
            }
            aead.open(&nonce, b"aad", (&mut data[..]).into(), &tag).unwrap();
            assert_eq!(data, message, "{name}");
        }
        let short = aead.open_attached(&nonce, &[], &[0; 3], &mut []).unwrap_err().to_string();
        assert!(short.starts_with("ciphertext and tag of 3 bytes; allowed: "), "{short}");
    }
}

#[test]
fn a_message_in_pieces_keeps_to_the_length_of_its_tags() {
    for it in ALGORITHMS.iter().flat_map(registry::operations) {
        if let (Kind::Seal, Some(streaming)) = (it.kind, it.streaming()) {
            let Some(start) = streaming.constructor() else { continue };
            let key = key(it.key.max);
            let made = |direction| -> Box<dyn AeadStream> {
                start(it.algorithm, &key, Level::portable(), direction, &[9; 12]).unwrap()
            };
            for len in it.tag.lengths() {
                let mut sealing = made(Direction::Encrypt);
                sealing.set_tag_len(len).unwrap();
                sealing.announce(0, 0, len).unwrap();
                let mut tag = vec![0; len];
                sealing.finish(&mut tag).unwrap();
                for other in (0..=17).filter(|&other| other != len) {
                    let mut opening = made(Direction::Decrypt);
                    opening.set_tag_len(len).unwrap();
                    opening.announce(0, 0, len).unwrap();
                    let mut presented = tag.clone();
                    presented.resize(other, 0);
                    let allowed = Sizes::exactly(len);
                    let refused = Err(Error::Length { field: "tag", got: other, allowed });
                    assert_eq!(opening.verify(&presented), refused, "{} {other}", it.name);
                    assert_eq!(opening.verify(&tag), Ok(()), "{} {other}", it.name);
                }
            }
        }
    }
}

#[test]
fn a_batch_keeps_to_the_length_of_its_tags() {
    for batch in ALGORITHMS.iter().flat_map(registry::operations) {
        if batch.kind == Kind::Cipher {
            assert_eq!(batch.tag_len(), 0);
            continue;
        }
        assert_eq!(batch.tag_len(), batch.tag.max, "{batch:?}");
        let lengths = Sizes { max: batch.data.max.min(32), ..batch.data };
        let data = lengths.lengths().last().unwrap();
        let data = if batch.kind == Kind::Mac { 0 } else { data };
        let key = key(batch.key.min);
        let iv = vec![0; batch.usual_iv];
        for len in batch.tag.lengths() {
            let batch = batch.clone().with_tag_len(len).unwrap();
            let mut fresh = batch.fresh(Level::portable()).unwrap();
            let mut ready = batch.ready(&[&key], Level::portable()).unwrap();
            for other in (0..=17).filter(|&other| other != len) {
                let (mut data, mut tag) = (vec![5; data], vec![6; other]);
                let allowed = Sizes::exactly(len);
                let refused = Err(Error::Length { field: "tag", got: other, allowed });
                let io = data.as_mut_slice().into();
                let mut packets = [Packet::aead(&key, &iv, &[], io, &mut tag)];
                assert_eq!(fresh.check(&mut packets[0]), refused, "{batch:?}");
                assert_eq!(fresh.apply(&mut packets), refused, "{batch:?}");
                assert!(packets[0].failed);
                let io = data.as_mut_slice().into();
                let mut jobs = [Job::aead(0, &iv, &[], io, &mut tag)];
                assert_eq!(ready.check(&mut jobs[0]), refused, "{batch:?}");
                assert_eq!(ready.apply(&mut jobs), refused, "{batch:?}");
                assert!(jobs[0].failed);
                assert!(data.iter().all(|byte| *byte == 5) && tag.iter().all(|byte| *byte == 6));
            }
        }
    }
}

/// Every message about lengths tells all that are allowed.
#[test]
fn sets_of_lengths_are_told_whole() {
    let text = |sizes: Sizes| sizes.to_string();
    assert_eq!(text(Sizes::of([4, 8, 12, 13, 14, 15, 16])), "4, 8, 12 to 16");
    assert_eq!(text(Sizes::of([4, 8, 16])), "4, 8, 16");
    assert_eq!(text(Sizes::of([4, 5, 9])), "4, 5, 9");
    assert_eq!(text(Sizes::of([7])), "7");
    assert_eq!(text(Sizes::steps(4, 16, 2)), "4 to 16 in steps of 2");
    let lengths: Vec<usize> = Sizes::of([4, 8, 16]).lengths().collect();
    assert_eq!(lengths, [4, 8, 16]);
    assert_eq!(Sizes::of([4, 8, 16]).step, 4);
    assert!(!Sizes::of([4, 8, 16]).allow(12) && !Sizes::of([4, 8, 16]).allow(68));
    assert_eq!(text(Sizes::of([4, 8, 16]).through(|bytes| 2 * bytes)), "8, 16, 32");
    let gcm =
        registry::algorithm("sm4").and_then(|sm4| Some(registry::operation(sm4, "gcm-seal")?.tag));
    assert_eq!(gcm.map(text).as_deref(), Some("4, 8, 12 to 16"));
}
