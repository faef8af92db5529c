//! Wrong use of what works on whole messages, over every mode, AEAD and MAC of the
//! registry: typed errors that name the field, and nothing written or left behind.

use cipherlane::registry::{ALGORITHMS, Constructor, Kind, Operation, operations};
use cipherlane::{Aead, Error, InOut, Level, Sizes};
use model::random::SplitMix64;

/// Every operation of the block ciphers.
fn of_block_ciphers() -> impl Iterator<Item = Operation> {
    ALGORITHMS.iter().filter(|it| it.block().is_some()).flat_map(operations)
}

/// Lengths near the allowed ones, short of what is too much to try.
fn wrong(sizes: Sizes) -> impl Iterator<Item = usize> {
    (0..=sizes.max.min(100) + 33).filter(move |&len| !sizes.allow(len))
}

fn key(bytes: usize) -> Vec<u8> {
    SplitMix64::new(3).bytes(bytes)
}

/// Whether a result is the error of a wrong length of that field, which it does not allow.
fn refuses<T>(result: Result<T, Error>, wanted: &str, len: usize) -> bool {
    matches!(result, Err(Error::Length { field, got, allowed })
        if field == wanted && got == len && !allowed.allow(len))
}

/// Whether a key is refused by its length; halves and parts may be named instead.
fn refuses_key<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::Length { field, got, allowed })
        if field.contains("key") && !allowed.allow(got))
}

#[test]
fn keys_of_wrong_lengths() {
    let level = Level::best();
    for it in of_block_ciphers() {
        for len in (0..=it.key.max + 33).filter(|&len| !it.key.allow(len)) {
            let key = key(len);
            let refused = match it.new {
                Constructor::Stream { .. } | Constructor::Mode(_) | Constructor::Pdu(_) => continue,
                Constructor::Message(new) => refuses_key(new(it.algorithm, &key, level)),
                Constructor::Aead { .. } => refuses_key(it.aead(&key, level)),
                Constructor::Mac { .. } => refuses_key(it.mac(&key, &vec![1; it.usual_iv], level)),
            };
            assert!(refused, "{it:?}, {len} bytes");
        }
    }
}

#[test]
fn ivs_and_data_of_wrong_lengths_write_nothing() {
    for level in Level::available() {
        for entry in of_block_ciphers() {
            let Constructor::Message(new) = entry.new else { continue };
            let place = format!("{entry:?}, {level}");
            let block = entry.algorithm.block().unwrap();
            let mode = new(entry.algorithm, &key(entry.key.max), level).unwrap();
            let (iv_sizes, data_sizes) = (entry.iv, entry.data);
            let right = vec![1; iv_sizes.max];
            let refused = |iv: &[u8], len: usize| {
                let mut errors = [false, true].map(|decrypt| {
                    let mut data = vec![7; len];
                    let io = data.as_mut_slice().into();
                    let result = if decrypt { mode.decrypt(iv, io) } else { mode.encrypt(iv, io) };
                    let error = result.expect_err(&place);
                    assert_eq!(data, vec![7; len], "{place}: written in spite of {error}");
                    Some(error)
                });
                assert_eq!(errors[0], errors[1], "{place}");
                errors[0].take().unwrap()
            };
            for len in wrong(iv_sizes) {
                let error = refused(&vec![1; len], 4 * block);
                let fits = matches!(error, Error::Length { got, allowed, .. }
                    if got == len && allowed == iv_sizes);
                assert!(fits, "{place}: {error}");
            }
            for len in wrong(data_sizes) {
                let fits = match refused(&right, len) {
                    Error::Length { field: "data" | "message", got, .. }
                    | Error::PartialBlock { got, .. } => got == len,
                    _ => false,
                };
                assert!(fits, "{place}, {len} bytes of data");
            }
        }
    }
}

/// Calls `check` with every AEAD of every cipher at every level.
fn for_each_aead(check: impl Fn(&str, &Operation, &dyn Aead, &dyn Aead)) {
    for level in Level::available() {
        for entry in
            of_block_ciphers().filter(|it| it.kind == Kind::Seal && it.streaming().is_some())
        {
            let mut bytes = key(entry.key.max);
            let aead = entry.aead(&bytes, level).unwrap();
            bytes[0] ^= 1;
            let other = entry.aead(&bytes, level).unwrap();
            check(&format!("{entry:?}, {level}"), &entry, &*aead, &*other);
        }
    }
}

#[test]
fn nonces_and_tags_of_wrong_lengths_write_nothing() {
    for_each_aead(|place, entry, aead, _| {
        assert_eq!(aead.nonce_sizes().min, entry.iv.min, "{place}");
        let refused = |nonce: usize, tag: usize, field: &str, len: usize| {
            let (nonce, mut tag) = (vec![1; nonce], vec![9; tag]);
            let (mut data, before) = (vec![7; 50], tag.clone());
            let sealed = aead.seal(&nonce, b"aad", data.as_mut_slice().into(), &mut tag);
            let refused = sealed.is_err();
            if refused {
                assert!(refuses(sealed, field, len), "{place}, {field} of {len} bytes");
                assert_eq!((&data, &tag), (&vec![7; 50], &before), "{place}: written");
                let opened = aead.open(&nonce, b"aad", data.as_mut_slice().into(), &tag);
                assert!(refuses(opened, field, len), "{place}, {field} of {len} bytes");
                assert_eq!(data, vec![7; 50], "{place}: written");
            }
            refused
        };
        for len in wrong(aead.nonce_sizes()) {
            assert!(refused(len, aead.tag_sizes().max, "nonce", len), "{place}");
        }
        for len in 0..=33 {
            let out = !aead.tag_sizes().allow(len);
            let is_refused = refused(entry.usual_iv, len, "tag", len);
            assert!(is_refused || !out, "{place}: a tag of {len} bytes was taken");
        }
    });
}

#[test]
fn a_failed_opening_leaves_zeros() {
    for_each_aead(|place, entry, aead, other| {
        for len in [0, 1, 16, 100, 600, 5000] {
            let mut random = SplitMix64::new(len as u64);
            let (nonce, aad) = (random.bytes(entry.usual_iv), random.bytes(20));
            let data = random.bytes(len);
            let (mut sealed, mut tag) = (data.clone(), [0; 16]);
            aead.seal(&nonce, &aad, sealed.as_mut_slice().into(), &mut tag).unwrap();
            let fails = |aead: &dyn Aead, nonce: &[u8], aad: &[u8], sealed: &[u8], tag: &[u8]| {
                let mut in_place = sealed.to_vec();
                let result = aead.open(nonce, aad, in_place.as_mut_slice().into(), tag);
                assert_eq!(result, Err(Error::Authentication), "{place}, {len} bytes");
                assert!(in_place.iter().all(|&byte| byte == 0), "{place}, {len} bytes");
                let mut output = vec![0xa5; sealed.len()];
                let io = InOut::disjoint(sealed, &mut output).unwrap();
                let result = aead.open(nonce, aad, io, tag);
                assert_eq!(result, Err(Error::Authentication), "{place}, {len} bytes");
                assert!(output.iter().all(|&byte| byte == 0), "{place}, {len} bytes");
            };
            let flip = |bytes: &[u8]| {
                let mut bytes = bytes.to_vec();
                let at = bytes.len() / 2;
                bytes[at] ^= 0x10;
                bytes
            };
            fails(other, &nonce, &aad, &sealed, &tag);
            fails(aead, &flip(&nonce), &aad, &sealed, &tag);
            fails(aead, &nonce, &flip(&aad), &sealed, &tag);
            fails(aead, &nonce, &aad[1..], &sealed, &tag);
            fails(aead, &nonce, &aad, &sealed, &flip(&tag));
            if len > 0 {
                fails(aead, &nonce, &aad, &flip(&sealed), &tag);
                fails(aead, &nonce, &aad, &sealed[..len - 1], &tag);
            }
            aead.open(&nonce, &aad, sealed.as_mut_slice().into(), &tag).unwrap();
            assert_eq!(sealed, data, "{place}, {len} bytes");
        }
    });
}

#[test]
fn macs_refuse_ivs_and_tags_of_wrong_lengths() {
    for level in Level::available() {
        for entry in of_block_ciphers().filter(|it| it.kind == Kind::Mac) {
            let place = format!("{entry:?}, {level}");
            let key = key(entry.key.max);
            let iv = vec![1; entry.usual_iv];
            let mut mac = entry.mac(&key, &iv, level).unwrap();
            let sizes = mac.tag_sizes();
            let mut expected = vec![0; sizes.max];
            mac.announce(7).unwrap();
            mac.update(b"message").unwrap();
            mac.finish(&mut expected).unwrap();

            mac.reset(&iv).unwrap();
            mac.announce(7).unwrap();
            mac.update(b"mess").unwrap();
            for len in wrong(entry.iv) {
                let new = entry.mac(&key, &vec![1; len], level);
                assert!(refuses(new, "iv", len), "{place}");
                assert!(refuses(mac.reset(&vec![1; len]), "iv", len), "{place}");
            }
            mac.update(b"age").unwrap();
            for len in wrong(sizes) {
                assert!(refuses(mac.finish(&mut vec![0; len]), "tag", len), "{place}");
                assert!(refuses(mac.verify(&vec![0; len]), "tag", len), "{place}");
            }
            // The message has gone on through all that.
            mac.verify(&expected).unwrap_or_else(|error| panic!("{place}: {error}"));

            for bit in 0..8 * sizes.max {
                let mut wrong = expected.clone();
                wrong[bit / 8] ^= 1 << (bit % 8);
                mac.reset(&iv).unwrap();
                mac.announce(7).unwrap();
                mac.update(b"message").unwrap();
                assert_eq!(mac.verify(&wrong), Err(Error::Authentication), "{place}, {bit}");
            }
        }
    }
}

#[test]
fn xts_refuses_equal_keys_and_long_units() {
    for level in Level::available() {
        for entry in of_block_ciphers().filter(|it| it.mode().starts_with("xts")) {
            let Constructor::Message(new) = entry.new else { panic!("a whole message") };
            let place = format!("{entry:?}, {level}");
            let half = key(entry.algorithm.key.max);
            let equal = [&half[..], &half[..]].concat();
            let refused = new(entry.algorithm, &equal, level).err();
            assert_eq!(refused, Some(Error::EqualKeys), "{place}");
            let mut other = equal;
            other[half.len()] ^= 1;
            let xts = new(entry.algorithm, &other, level).unwrap();
            let mut data = vec![7; (16 << 20) + 1];
            let result = xts.encrypt(&[0; 16], data.as_mut_slice().into());
            assert!(matches!(result, Err(Error::Limit { limit: 0x10_0000, .. })), "{place}");
            assert!(data.iter().all(|&byte| byte == 7), "{place}: written");
        }
    }
}
