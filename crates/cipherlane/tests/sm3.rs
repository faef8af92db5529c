//! SM3, HMAC-SM3 and HKDF-SM3 at every level: published vectors, another library's values, and the
//! slow model.

use cipherlane::sm3::{self, HkdfSm3, HmacSm3, Sm3};
use cipherlane::{Error, Level, Mac as _, Sizes};
use model::random::SplitMix64 as Random;

fn hex(text: &str) -> Vec<u8> {
    let digits = if text == "-" { "" } else { text };
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.as_bytes().chunks(2).map(byte).collect()
}

/// The lines of a kind, each with its values.
fn lines(kind: &str) -> Vec<Vec<Vec<u8>>> {
    let lines = include_str!("sm3.txt").lines().filter(|line| !line.starts_with('#'));
    let words = lines.map(|line| line.split(' ').collect::<Vec<_>>());
    let of_kind = words.filter(|words| words[0] == kind);
    of_kind.map(|words| words[1..].iter().map(|word| hex(word)).collect()).collect()
}

#[test]
fn published_digests_and_another_librarys() {
    let lines = lines("hash");
    assert_eq!(lines.len(), 14);
    for level in Level::available() {
        let messages: Vec<&[u8]> = lines.iter().map(|line| &*line[0]).collect();
        let mut digests = vec![[0; 32]; messages.len()];
        sm3::digests_with_level(&messages, &mut digests, level).unwrap();
        for (line, many) in lines.iter().zip(digests) {
            let mut sm3 = Sm3::with_level(level).unwrap();
            sm3.update(&line[0]);
            assert_eq!(sm3.finish().as_slice(), line[1], "{level}");
            assert_eq!(many.as_slice(), line[1], "{level}, in lanes");
            assert_eq!(model::sm3::digest(&line[0]).as_slice(), line[1]);
        }
    }
}

#[test]
fn macs_and_derived_keys_of_another_library() {
    let (macs, keys) = (lines("hmac"), lines("hkdf"));
    assert_eq!((macs.len(), keys.len()), (9, 4));
    for level in Level::available() {
        for line in &macs {
            let [key, message, tag] = &line[..] else { panic!("three values") };
            let mut mac = HmacSm3::with_level(key, level).unwrap();
            mac.update(message).unwrap();
            mac.verify(tag).unwrap();
            mac.update(message).unwrap();
            assert_eq!(mac.verify(&[0; 32]), Err(Error::Authentication));
            assert_eq!(model::sm3::hmac(key, message).as_slice(), tag);
        }
        for line in &keys {
            let [salt, secret, info, output] = &line[..] else { panic!("four values") };
            let hkdf = HkdfSm3::extract_with_level(salt, secret, level).unwrap();
            let mut out = vec![0; output.len()];
            let (head, tail) = info.split_at(info.len() / 2);
            hkdf.expand(&[head, tail], &mut out).unwrap();
            assert_eq!(&out, output, "{level}");
        }
    }
}

#[test]
fn every_length_in_every_split() {
    let data = Random::new(23).bytes(301);
    for level in Level::available() {
        let mut sm3 = Sm3::with_level(level).unwrap();
        for length in 0..=300 {
            let message = &data[..length];
            let expected = model::sm3::digest(message);
            sm3.update(message);
            assert_eq!(sm3.finish(), expected, "{length} bytes at {level}");
            // In two pieces at a place that goes through all, and in pieces of one length.
            let (head, tail) = message.split_at(length * 7 % (length + 1));
            sm3.update(head);
            sm3.update(tail);
            assert_eq!(sm3.finish(), expected, "{length} bytes in two pieces at {level}");
            for piece in message.chunks(1 + length % 67) {
                sm3.update(piece);
            }
            assert_eq!(sm3.finish(), expected, "{length} bytes in pieces at {level}");
        }
    }
}

#[test]
fn messages_of_all_lengths_side_by_side() {
    let mut random = Random::new(5);
    for level in Level::available() {
        for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 70] {
            let lengths: Vec<usize> = (0..count).map(|_| random.below(301)).collect();
            let messages: Vec<Vec<u8>> =
                lengths.iter().map(|length| random.bytes(*length)).collect();
            let views: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let mut digests = vec![[0; 32]; count];
            sm3::digests_with_level(&views, &mut digests, level).unwrap();
            for (message, digest) in messages.iter().zip(&digests) {
                assert_eq!(*digest, model::sm3::digest(message), "{} at {level}", message.len());
            }
            // Under keys of all lengths, some of them shared.
            let keys: Vec<Vec<u8>> = (0..count)
                .map(|_| {
                    let length = random.below(131);
                    random.bytes(length)
                })
                .collect();
            let macs = keys.iter().map(|key| HmacSm3::with_level(key, level).unwrap());
            let macs: Vec<HmacSm3> = macs.collect();
            let chosen: Vec<usize> = (0..count).map(|_| random.below(count)).collect();
            let under: Vec<&HmacSm3> = chosen.iter().map(|index| &macs[*index]).collect();
            HmacSm3::tags(&under, &views, &mut digests).unwrap();
            for ((message, tag), key) in messages.iter().zip(&digests).zip(&chosen) {
                assert_eq!(*tag, model::sm3::hmac(&keys[*key], message), "{level}");
            }
        }
    }
}

/// All equal lengths, where lanes end together, and one much longer than the others.
#[test]
fn equal_lengths_and_one_that_stays_alone() {
    let data = Random::new(9).bytes(5000);
    for level in Level::available() {
        for length in 0..=300 {
            let messages: Vec<&[u8]> = (0..16).map(|i| &data[i * 97..i * 97 + length]).collect();
            let mut digests = [[0; 32]; 16];
            sm3::digests_with_level(&messages, &mut digests, level).unwrap();
            for (message, digest) in messages.iter().zip(digests) {
                assert_eq!(digest, model::sm3::digest(message), "{length} at {level}");
            }
        }
        let messages: [&[u8]; 4] = [&data[..3], &data, &data[7..70], &data[..64]];
        let mut digests = [[0; 32]; 4];
        sm3::digests_with_level(&messages, &mut digests, level).unwrap();
        assert_eq!(digests, messages.map(model::sm3::digest), "{level}");
    }
}

#[test]
fn derived_keys_of_all_lengths() {
    let data = Random::new(11).bytes(400);
    for level in Level::available() {
        for length in 0..=300 {
            let (salt, secret, info) =
                (&data[..length % 90], &data[..length], &data[length..][..33]);
            let hkdf = HkdfSm3::extract_with_level(salt, secret, level).unwrap();
            let mut out = vec![0; length];
            hkdf.expand(&[info], &mut out).unwrap();
            assert_eq!(out, model::sm3::hkdf(salt, secret, info, length), "{length} at {level}");
        }
    }
}

#[test]
fn an_object_takes_the_next_message_and_key() {
    for level in Level::available() {
        let mut mac = HmacSm3::with_level(b"old", level).unwrap().with_tag_len(16).unwrap();
        mac.update(b"forgotten").unwrap();
        mac.reset(&[]).unwrap();
        mac.update(b"kept").unwrap();
        let mut tag = [0; 16];
        mac.finish(&mut tag).unwrap();
        assert_eq!(tag, model::sm3::hmac(b"old", b"kept")[..16]);
        mac.update(b"forgotten").unwrap();
        assert!(mac.take_key(&[3; 100]));
        mac.update(b"new").unwrap();
        mac.finish(&mut tag).unwrap();
        assert_eq!(tag, model::sm3::hmac(&[3; 100], b"new")[..16]);
        sm3::self_test(level).unwrap();
    }
}

#[test]
fn what_is_not_allowed_is_named() {
    let length = |field, got, allowed| Err(Error::Length { field, got, allowed });
    let mut mac = HmacSm3::new(b"key").unwrap();
    assert_eq!(mac.set_tag_len(15), length("tag", 15, Sizes::between(16, 32)));
    assert_eq!(mac.set_tag_len(33), length("tag", 33, Sizes::between(16, 32)));
    assert_eq!(mac.finish(&mut [0; 16]), length("tag", 16, Sizes::exactly(32)));
    assert_eq!(mac.verify(&[0; 31]), length("tag", 31, Sizes::exactly(32)));
    assert_eq!(mac.reset(&[1]), length("iv", 1, Sizes::exactly(0)));
    let hkdf = HkdfSm3::extract(b"", b"secret").unwrap();
    let most = Sizes::between(0, 8160);
    assert_eq!(hkdf.expand(&[], &mut [0; 8161]), length("output", 8161, most));
    assert!(HkdfSm3::from_key(&[0; 31]).is_err());
    let few = sm3::digests(&[b"a", b"b"], &mut [[0; 32]; 1]);
    assert_eq!(few, length("digests", 1, Sizes::exactly(2)));
    assert!(HmacSm3::tags(&[&mac], &[], &mut [[0; 32]]).is_err());
    assert!(HmacSm3::tags(&[&mac], &[b"a"], &mut []).is_err());
}

/// MB/s of one message and of sixteen side by side, for `docs/notes/sm3.md`.
#[test]
#[ignore = "a measurement, for release builds on a quiet machine"]
fn speed() {
    for level in Level::available() {
        for length in [16, 64, 256, 1024, 8192, 1 << 16] {
            let data = Random::new(1).bytes(16 * length);
            let messages: Vec<&[u8]> = data.chunks(length).collect();
            let mut digests = [[0; 32]; 16];
            let mut sm3 = Sm3::with_level(level).unwrap();
            let one = rate(16 * length, || {
                for message in &messages {
                    sm3.update(message);
                    std::hint::black_box(sm3.finish());
                }
            });
            let many = rate(16 * length, || {
                sm3::digests_with_level(&messages, &mut digests, level).unwrap();
            });
            println!("{level} {length} bytes: one {one:.0}, sixteen {many:.0} MB/s");
        }
    }
}

/// The best of five, each of a tenth of a second of this thread's time on a processor, so that others
/// who use the machine count less.
fn rate(bytes: usize, mut work: impl FnMut()) -> f64 {
    let now = || -> u64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        text.split(' ').next().unwrap().parse().unwrap()
    };
    let mut best = 0.0_f64;
    for _ in 0..5 {
        let (begin, mut calls, mut took) = (now(), 0, 0);
        while took < 100_000_000 {
            for _ in 0..1 + (1 << 18) / bytes {
                work();
                calls += 1;
            }
            took = now() - begin;
        }
        best = best.max((bytes * calls) as f64 * 1e3 / took as f64);
    }
    best
}
