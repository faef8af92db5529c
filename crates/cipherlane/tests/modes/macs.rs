//! CMAC and the MACs of GB/T 15852.1: vectors, the models, any split, misuse.

use cipherlane::mac::cbc_mac::{CbcMac, Padding};
use cipherlane::mac::cmac::Cmac;
use cipherlane::{BlockCipher, Error, Mac, Sizes};
use model::mac::{cbc_mac as models, cmac as model_cmac};
use model::random::SplitMix64;
use vectors::Verdict;

use crate::reference::{Candidate, candidates, for_vectors};

type Boxed = Box<dyn BlockCipher>;

/// The tag of a message whose length need not be announced, whole and in pieces.
fn tag(mac: &mut dyn Mac, message: &[u8], len: usize) -> Vec<u8> {
    mac.set_tag_len(len).unwrap();
    let mut expected = vec![0; len];
    mac.update(message).unwrap();
    mac.finish(&mut expected).unwrap();
    // Not started anew on purpose: `finish` has to.
    let mut random = SplitMix64::new(message.len() as u64);
    let mut out = vec![0; len];
    for longest in [2, 20, 70] {
        let mut rest = message;
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(random.below(longest).min(rest.len()));
            mac.update(piece).unwrap();
            rest = behind;
        }
        mac.finish(&mut out).unwrap();
        assert_eq!(out, expected, "{} bytes in pieces below {longest}", message.len());
    }
    mac.update(message).unwrap();
    mac.reset(&[]).unwrap();
    mac.update(message).unwrap();
    mac.verify(&out).unwrap();
    expected
}

/// The MAC that a mode of a vector file names, if it is one of those here.
fn by_mode(mode: &str, candidate: &Candidate, key: &[u8], key2: &[u8]) -> Option<CbcMac<Boxed>> {
    let (algorithm, padding) = match mode.rsplit_once("-pad") {
        Some((algorithm, "1")) => (algorithm, Padding::Method1),
        Some((algorithm, "2")) => (algorithm, Padding::Method2),
        Some((algorithm, "3")) => (algorithm, Padding::Method3),
        _ => (mode, Padding::Method1),
    };
    let cipher = |key: &[u8]| (candidate.new)(key).unwrap();
    Some(
        match algorithm {
            "cbc-mac" => CbcMac::new(cipher(key), padding),
            "emac" => CbcMac::emac(cipher(key), cipher(key2), padding),
            "ansi-retail" => CbcMac::ansi_retail(cipher(key), cipher(key2), padding),
            "macdes" => CbcMac::mac_des(key, key2, &candidate.new, padding),
            "lmac" => CbcMac::lmac(key, &candidate.new, padding),
            "trcbc" => CbcMac::tr_cbc(cipher(key)),
            "cbcr" => CbcMac::cbcr(cipher(key)),
            _ => return None,
        }
        .unwrap(),
    )
}

#[test]
fn every_vector_of_gbt_15852_passes_at_every_level() {
    let files = vectors::all().unwrap();
    let file = files.iter().find(|file| file.algorithm == "sm4_mac").unwrap();
    let mut modes = Vec::new();
    for group in &file.groups {
        for test in &group.tests {
            let [key, message, expected] =
                [&test.key, &test.message, &test.tag].map(|field| field.as_ref().unwrap());
            let key2 = test.key2.as_deref().unwrap_or(&[]);
            for candidate in for_vectors("sm4", 16) {
                let Some(mut mac) = by_mode(&group.mode, &candidate, key, key2) else { continue };
                let place = format!("{}, {}", test.id, candidate.name);
                let mut out = vec![0; expected.len()];
                mac.compute(message, &mut out).unwrap();
                assert_eq!(out, *expected, "{place}");
                if !group.mode.ends_with("-pad3") {
                    assert_eq!(tag(&mut mac, message, out.len()), *expected, "{place}");
                }
                modes.push(group.mode.clone());
            }
        }
    }
    modes.sort();
    modes.dedup();
    assert_eq!(modes.len(), 13, "{modes:?}");
}

#[test]
fn every_vector_of_cmac_passes() {
    let mut count = 0;
    for file in vectors::all().unwrap() {
        for group in file.groups.iter().filter(|group| group.mode == "cmac") {
            for test in &group.tests {
                let [key, message, expected] =
                    [&test.key, &test.message, &test.tag].map(|field| field.as_ref().unwrap());
                // A key of a wrong length fits no candidate; that it is refused is
                // the cipher's business.
                for candidate in for_vectors(&file.algorithm, key.len()) {
                    let place = format!("{} {}, {}", file.name, test.id, candidate.name);
                    let mut mac = Cmac::new((candidate.new)(key).unwrap()).unwrap();
                    mac.update(message).unwrap();
                    let verdict = mac.verify(expected);
                    if test.verdict() == Verdict::Invalid {
                        assert_eq!(verdict, Err(Error::Authentication), "{place}");
                    } else {
                        assert_eq!(verdict, Ok(()), "{place}");
                        assert_eq!(tag(&mut mac, message, expected.len()), *expected, "{place}");
                    }
                    count += 1;
                }
            }
        }
    }
    let least = if cfg!(feature = "aes") { 200 } else { 20 };
    assert!(count > least, "only {count} tests ran");
}

#[test]
fn every_length_equals_the_model() {
    for candidate in candidates() {
        let mut random = SplitMix64::new(31);
        let (key, cipher) = candidate.random(&mut random);
        let key2 = random.bytes(candidate.key);
        let other = (candidate.new)(&key2).unwrap();
        let n = candidate.block;
        let under = |key: &[u8], block: &[u8]| {
            let mut block = block.to_vec();
            (candidate.new)(key).unwrap().encrypt_block(&mut block);
            block
        };
        let encrypt = |cipher: &Boxed, block: &[u8]| {
            let mut block = block.to_vec();
            cipher.encrypt_block(&mut block);
            block
        };
        let e1 = |block: &[u8]| encrypt(&cipher, block);
        let e2 = |block: &[u8]| encrypt(&other, block);
        let d2 = |block: &[u8]| {
            let mut block = block.to_vec();
            other.decrypt_block(&mut block);
            block
        };
        let make = |key: &[u8]| (candidate.new)(key).unwrap();
        let mut cmac = Cmac::new(make(&key)).unwrap();
        let mut tr_cbc = CbcMac::tr_cbc(make(&key)).unwrap();
        let mut cbcr = CbcMac::cbcr(make(&key)).unwrap();
        for len in (0..4 * n + 2).chain([1000, 1024]) {
            let message = random.bytes(len);
            let place = format!("{}, {len} bytes", candidate.name);
            let expected = model_cmac::mac(&e1, n, &message);
            assert_eq!(tag(&mut cmac, &message, n), expected, "CMAC, {place}");
            assert_eq!(tag(&mut cmac, &message, 5), expected[..5], "CMAC, {place}");
            let expected = models::tr_cbc(&e1, n, n / 2, &message);
            assert_eq!(tag(&mut tr_cbc, &message, n / 2), expected, "TrCBC, {place}");
            let expected = models::tr_cbc(&e1, n, 4, &message);
            assert_eq!(tag(&mut tr_cbc, &message, 4), expected, "TrCBC, {place}");
            let expected = models::cbcr(&e1, n, &message);
            assert_eq!(tag(&mut cbcr, &message, n), expected, "CBCR, {place}");

            type Method = fn(usize, &[u8]) -> Vec<u8>;
            let methods: [(Padding, Method); 3] = [
                (Padding::Method1, models::method_1),
                (Padding::Method2, models::method_2),
                (Padding::Method3, models::method_3),
            ];
            for (padding, method) in methods {
                let padded = method(n, &message);
                let mut check = |mut mac: CbcMac<Boxed>, expected: Vec<u8>| {
                    let mut out = vec![0; n];
                    mac.compute(&message, &mut out).unwrap();
                    assert_eq!(out, expected, "{mac:?}, {place}");
                    if padding == Padding::Method3 {
                        let cut = random.below(len + 1);
                        mac.announce(len as u64).unwrap();
                        mac.update(&message[..cut]).unwrap();
                        mac.update(&message[cut..]).unwrap();
                        mac.finish(&mut out).unwrap();
                        assert_eq!(out, expected, "{mac:?}, {place}, cut at {cut}");
                    } else {
                        assert_eq!(tag(&mut mac, &message, n), expected, "{mac:?}, {place}");
                    }
                };
                let new = CbcMac::new(make(&key), padding).unwrap();
                check(new, models::cbc_mac(&e1, n, &padded));
                let emac = CbcMac::emac(make(&key), make(&key2), padding).unwrap();
                check(emac, models::emac(&e1, &e2, n, &padded));
                let retail = CbcMac::ansi_retail(make(&key), make(&key2), padding).unwrap();
                check(retail, models::ansi_retail(&e1, &d2, n, &padded));
                let mac_des = CbcMac::mac_des(&key, &key2, &candidate.new, padding).unwrap();
                check(mac_des, models::mac_des(&under, &key, &key2, n, &padded));
                if candidate.key == n {
                    let lmac = CbcMac::lmac(&key, &candidate.new, padding).unwrap();
                    check(lmac, models::lmac(&under, &key, n, &padded));
                } else {
                    let refused = CbcMac::lmac(&key, &candidate.new, padding).err();
                    assert!(matches!(refused, Some(Error::Length { field: "key", .. })));
                }
            }
        }
    }
}

#[test]
fn wrong_tags_are_refused() {
    for candidate in candidates() {
        let mut random = SplitMix64::new(32);
        let (key, cipher) = candidate.random(&mut random);
        let n = candidate.block;
        let mut macs: [(Box<dyn Mac>, usize); 3] = [
            (Box::new(Cmac::new(cipher).unwrap()), n),
            (Box::new(CbcMac::tr_cbc((candidate.new)(&key).unwrap()).unwrap()), n / 2),
            (Box::new(CbcMac::cbcr((candidate.new)(&key).unwrap()).unwrap()), n),
        ];
        for (mac, most) in &mut macs {
            let allowed = Sizes::between(4, *most);
            assert_eq!(mac.tag_sizes(), allowed);
            let right = tag(&mut **mac, b"a message", *most);
            for bit in 0..8 * *most {
                let mut wrong = right.clone();
                wrong[bit / 8] ^= 1 << (bit % 8);
                mac.update(b"a message").unwrap();
                assert_eq!(mac.verify(&wrong), Err(Error::Authentication), "bit {bit}");
            }
            mac.update(b"a ").unwrap();
            for got in (0..40).filter(|&got| !allowed.allow(got)) {
                let refused = mac.set_tag_len(got);
                assert_eq!(refused, Err(Error::Length { field: "tag", got, allowed }));
                let error = Error::Length { field: "tag", got, allowed: Sizes::exactly(*most) };
                let error = Err(error);
                assert_eq!(mac.finish(&mut vec![0; got]), error);
                assert_eq!(mac.verify(&vec![0; got]), error);
            }
            let error = Error::Length { field: "iv", got: 1, allowed: Sizes::exactly(0) };
            assert_eq!(mac.reset(&[0]), Err(error));
            mac.update(b"message").unwrap();
            assert_eq!(mac.verify(&right), Ok(()), "the refused calls changed the message");
        }
    }
}

#[test]
fn lengths_are_announced_where_padding_method_3_needs_them() {
    let candidates = candidates();
    let [sm4, idea] =
        ["sm4", "idea"].map(|name| candidates.iter().find(|c| c.algorithm == name).unwrap());
    let make = |candidate: &Candidate, padding| {
        let mac = CbcMac::new((candidate.new)(&[1; 16]).unwrap(), padding).unwrap();
        mac.with_tag_len(8).unwrap()
    };
    let mut tag = [0; 8];
    for padding in [Padding::Method1, Padding::Method2] {
        assert!(matches!(make(sm4, padding).announce(5), Err(Error::State(_))));
    }
    for candidate in [sm4, idea] {
        let mut mac = make(candidate, Padding::Method3);
        assert!(matches!(mac.update(b"abc"), Err(Error::State(_))), "not announced");
        mac.announce(5).unwrap();
        assert!(matches!(mac.announce(5), Err(Error::State(_))), "announced twice");
        mac.update(b"abc").unwrap();
        let wrong = |got| Err(Error::Value { field: "message length", got, min: 5, max: 5 });
        assert_eq!(mac.finish(&mut tag), wrong(3));
        assert_eq!(mac.update(b"def"), wrong(6));
        mac.update(b"de").unwrap();
        mac.finish(&mut tag).unwrap();
        let mut whole = [0; 8];
        mac.compute(b"abcde", &mut whole).unwrap();
        assert_eq!(tag, whole, "the refused calls changed the message");
        // Nothing announced and nothing given is the empty message.
        mac.finish(&mut tag).unwrap();
        mac.compute(b"", &mut whole).unwrap();
        assert_eq!(tag, whole);
    }
    let bits = Err(Error::Limit { what: "bits of a message", limit: u64::MAX });
    assert_eq!(make(idea, Padding::Method3).announce(1 << 61), bits);
    assert_eq!(make(sm4, Padding::Method3).announce(1 << 61), Ok(()));
}
