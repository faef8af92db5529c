//! Every operation of the registry through its object.

use cipherlane::modes::{Direction, Padding};
use cipherlane::registry::{Kind as Does, Operation, Parameters};
use cipherlane::{Error, InOut};
use objects::{AeadOneShot, AeadStream, Context, Failure, Kind, Mac, Spec, batch, listing};

fn bytes(length: usize, seed: u8) -> Vec<u8> {
    (0..length).map(|i| (i as u8).wrapping_mul(29).wrapping_add(seed)).collect()
}

/// The key and IV of an operation, whatever its lengths are.
fn given(listed: &Operation) -> (Vec<u8>, Vec<u8>) {
    // An even length, which keys of two halves have.
    (bytes(listed.key.min.max(2), 3), bytes(listed.usual_iv, 5))
}

fn context(listed: &Operation, operation: &str, padding: Padding) -> Context {
    let (key, iv) = given(listed);
    let spec = Spec::new(listed.algorithm.name, operation, &key);
    Context::new(&Spec { iv: &iv, padding, ..spec }).expect("a context")
}

fn ciphers() -> impl Iterator<Item = (Operation, &'static str)> {
    let all = listing().into_iter().filter(|it| it.kind == Does::Cipher);
    all.filter(|it| it.direction() == Direction::Encrypt).filter_map(|listed| {
        let inverse = listed.inverse?;
        Some((listed, inverse))
    })
}

#[test]
fn what_is_encrypted_is_decrypted() {
    let mut count = 0;
    for (listed, inverse) in ciphers() {
        let name = listed.name;
        let plain = bytes(48, 7);
        let mut data = plain.clone();
        let n = context(&listed, name, Padding::None).update_in_place(&mut data).expect("data");
        assert_eq!(n, 48);
        assert_ne!(data, plain, "{}/{name}", listed.algorithm.name);
        let mut output = vec![0; 48];
        let mut back = context(&listed, inverse, Padding::None);
        assert_eq!(back.update(&data, &mut output), Ok(48));
        assert_eq!(back.finish(&mut [0; 16]), Ok(0));
        assert_eq!(output, plain, "{}/{name}", listed.algorithm.name);
        assert_eq!(back.update(&data, &mut output).map_err(|it| it.kind()), Err(Kind::State));
        back.reset(&given(&listed).1).expect("the same IV");
        assert_eq!(back.update(&data, &mut output), Ok(48));
        count += 1;
    }
    assert!(count > 50, "{count}");
}

#[test]
fn in_place_is_the_same_as_buffer_to_buffer_for_every_split() {
    for padding in [Padding::None, Padding::Pkcs7, Padding::Iso7816] {
        for (listed, inverse) in ciphers().filter(|(it, _)| it.data.step > 1) {
            if !listed.in_pieces() {
                continue;
            }
            for name in [listed.name, inverse] {
                let data = bytes(64, 9);
                for (first, second) in (0..64).flat_map(|a| [(a, a), (a, (a + 20).min(64))]) {
                    let mut one = context(&listed, name, padding);
                    let mut two = context(&listed, name, padding);
                    for part in [0..first, first..second, second..64] {
                        let mut output = vec![0; part.len() + 16];
                        let n = one.update(&data[part.clone()], &mut output).expect("room");
                        let mut place = data[part].to_vec();
                        let written = two.update_in_place(&mut place);
                        if n > place.len() {
                            // What was held comes out as well, for which there is no room.
                            assert_eq!(written.map_err(|it| it.kind()), Err(Kind::Output));
                            break;
                        }
                        assert_eq!(written, Ok(n));
                        assert_eq!(place[..n], output[..n], "{name} {first} {second}");
                    }
                }
            }
        }
    }
}

#[test]
fn aeads_open_what_they_seal_and_remember_nonces_if_told() {
    let all = listing().into_iter().filter(|it| it.kind == Does::Seal);
    // What is no AEAD has a test of its own.
    for listed in all.filter(|it| !it.name.contains('+')) {
        let (key, nonce) = given(&listed);
        let mode = listed.mode();
        let sealer =
            AeadOneShot::new(listed.algorithm.name, mode, &key, true, None).expect("a key");
        let (plain, mut data) = (bytes(33, 1), bytes(33, 1));
        let mut tag = vec![0; sealer.tag_sizes().max];
        sealer.check(nonce.len(), tag.len()).expect("usual lengths");
        sealer.seal(&nonce, b"", data.as_mut_slice().into(), &mut tag).expect("sealed");
        let again = sealer.seal(&nonce, b"", data.clone().as_mut_slice().into(), &mut tag.clone());
        let resistant = ["gcm-siv", "mur"].contains(&mode);
        assert_eq!(again, if resistant { Ok(()) } else { Err(Failure::NonceReused) }, "{mode}");
        let mut output = vec![0; 33];
        let io = InOut::disjoint(&data, &mut output).expect("equal lengths");
        sealer.open(&nonce, b"", io, &tag).expect("authentic");
        assert_eq!(output, plain);
        tag[0] ^= 1;
        let io = InOut::disjoint(&data, &mut output).expect("equal lengths");
        let wrong = sealer.open(&nonce, b"", io, &tag);
        assert_eq!(wrong, Err(Failure::Library(Error::Authentication)));
        assert_eq!(output, [0; 33]);
    }
}

#[test]
fn the_last_nonce_is_told_from_all_others() {
    let sealer = AeadOneShot::new("sm4", "gcm-seal", &[0; 16], true, None).expect("a key");
    let seal = |nonce: &[u8]| sealer.seal(nonce, b"", (&mut [0; 3][..]).into(), &mut [0; 16]);
    // Lengths, places and values; zeros are a nonce like any other.
    let mut nonces = vec![vec![0; 12], vec![0; 13], vec![0; 8], vec![0; 1], vec![0; 64]];
    for place in 0..24 {
        let mut nonce = vec![0; 24];
        nonce[place] = 1;
        nonces.push(nonce);
    }
    for nonce in &nonces {
        // What was refused has used nothing up.
        assert!(sealer.seal(nonce, b"", (&mut [0; 3][..]).into(), &mut [0; 3]).is_err());
        assert_eq!(seal(nonce), Ok(()), "{nonce:?}");
        assert_eq!(seal(nonce), Err(Failure::NonceReused), "{nonce:?}");
    }
    for (direction, again) in
        [(Direction::Encrypt, Err(Failure::NonceReused)), (Direction::Decrypt, Ok(()))]
    {
        let mut sealing =
            AeadStream::new("sm4", "gcm", &[0; 16], direction, &[1; 12], None).expect("a key");
        assert_eq!(sealing.reset(&[1; 12]), again);
        assert_eq!(sealing.reset(&[2; 12]), Ok(()));
        assert_eq!(sealing.reset(&[2; 12]), again);
        sealing.allow_nonce_reuse();
        assert_eq!(sealing.reset(&[2; 12]), Ok(()));
    }
}

#[test]
fn a_whole_message_is_that_of_the_pieces() {
    for (listed, _) in ciphers() {
        let name = listed.name;
        let (mut one, mut two) =
            (context(&listed, name, Padding::None), context(&listed, name, Padding::None));
        let (mut pieces, mut whole) = (bytes(48, 2), bytes(48, 2));
        assert_eq!(one.update_in_place(&mut pieces), Ok(48), "{name}");
        two.message(&given(&listed).1, whole.as_mut_slice().into()).expect("a message");
        assert_eq!(whole, pieces, "{}/{name}", listed.algorithm.name);
        let ended = two.update_in_place(&mut whole).map_err(|it| it.kind());
        assert_eq!(ended, Err(Kind::State), "{name}");
    }
}

#[test]
fn parameters_are_for_families_alone() {
    let parameters = Parameters { rounds: Some(9), ..Parameters::default() };
    for (algorithm, operation) in [("sm4", "ctr"), ("sm4", "xts-encrypt"), ("zuc-128", "keystream")]
    {
        let (key, iv) = (bytes(if operation == "ctr" { 16 } else { 32 }, 1), [0; 16]);
        let key = if algorithm == "sm4" { &key[..] } else { &key[..16] };
        let spec = Spec { iv: &iv, parameters, ..Spec::new(algorithm, operation, key) };
        assert_eq!(Context::new(&spec).map(drop), Err(Failure::NoParameters), "{spec:?}");
    }
    let spec = Spec { parameters, ..Spec::new("rc5", "ecb-encrypt", &[0; 16]) };
    assert!(Context::new(&spec).is_ok());
}

#[test]
fn macs_fork_with_what_they_have_read() {
    let all = listing().into_iter().filter(|it| it.kind == Does::Mac);
    for listed in all.filter(|it| !it.name.ends_with("pad3")) {
        let (key, iv) = given(&listed);
        let name = listed.name;
        let mut mac = Mac::new(listed.algorithm.name, name, &key, &iv, None, None).expect("a key");
        mac.update(&bytes(21, 2)).expect("short");
        if !iv.is_empty() {
            assert_eq!(mac.fork().map(drop).map_err(|it| it.kind()), Err(Kind::State), "{name}");
            continue;
        }
        let mut fork = mac.fork().expect("no IV");
        for mac in [&mut mac, &mut fork] {
            mac.update(&bytes(40, 4)).expect("short");
        }
        let (tag, length) = mac.digest().expect("a tag");
        assert_eq!(fork.digest(), Ok((tag, length)), "{name}");
        fork.verify(&tag[..length]).expect("the same message");
        fork.update(b"more").expect("short");
        assert_ne!(fork.digest(), Ok((tag, length)), "{name}");
    }
}

#[test]
fn an_iv_serves_one_message() {
    let all = listing().into_iter().filter(|it| it.kind == Does::Mac);
    for listed in all {
        let (key, iv) = given(&listed);
        if iv.is_empty() {
            continue;
        }
        let name = listed.name;
        let mut mac = Mac::new(listed.algorithm.name, name, &key, &iv, None, None).expect("a key");
        mac.update(b"one").expect("short");
        let (tag, length) = mac.digest().expect("a tag");
        for failure in [
            mac.digest().map(drop),
            mac.update(b"two"),
            mac.verify(&tag[..length]),
            mac.finish(&mut [0; 16]).map(drop),
        ] {
            assert_eq!(failure.map_err(|it| it.kind()), Err(Kind::State), "{name}");
        }
        // Its tag is known, so it may not come again; another one may.
        assert_eq!(mac.reset(&iv), Err(Failure::NonceReused), "{name}");
        let mut other = iv.clone();
        other[0] ^= 1;
        mac.reset(&other).expect("another IV");
        mac.update(b"one").expect("short");
        // A tag that was only compared tells nothing: a receiver may try again.
        mac.verify(&vec![0; length]).expect_err("a wrong tag");
        mac.reset(&other).expect("the same IV");
        mac.allow_iv_reuse();
        mac.digest().expect("a tag");
        mac.reset(&other).expect("the same IV, as it is allowed");
        mac.digest().expect("a tag");
        // Allowed is another message under the IV, not two tags of one.
        assert_eq!(mac.digest().map_err(|it| it.kind()), Err(Kind::State), "{name}");
    }
}

#[test]
fn what_is_no_aead_is_refused_as_one() {
    let made = AeadOneShot::new("zuc-128", "eea3+eia3", &[0; 32], true, None).map(drop);
    assert_eq!(made, Err(Failure::NoAead("eea3+eia3")));
    assert!(Failure::NoAead("eea3+eia3").to_string().contains("no AEAD"));
    batch("zuc-128", "eea3+eia3").expect("a batch");
}

#[test]
fn names_that_nothing_has_are_told() {
    let key = [0; 16];
    for (algorithm, operation) in [("sm5", "ctr"), ("sm4", "ctr64"), ("zuc-128", "cbc-encrypt")] {
        let failure = Context::new(&Spec::new(algorithm, operation, &key)).expect_err("unknown");
        assert_eq!(failure.kind(), Kind::Unknown, "{failure}");
    }
    assert!(AeadOneShot::new("sm4", "ocb", &key, false, None).is_err());
    assert!(Mac::new("sm4", "pmac", &key, &[], None, None).is_err());
    assert!(batch("sm4", "nothing").is_err());
    assert_eq!(Failure::NonceReused.kind(), Kind::Value);
}
