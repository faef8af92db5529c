//! Wrong use is answered with a typed error that says what is allowed, and
//! leaves the object and the data as they were.

use cipherlane::registry::{ALGORITHMS, Algorithm, New, Started, operations};
use cipherlane::{BlockCipher, Error, InOut, Key, Level, Sizes, StreamCipher};
use model::random::SplitMix64;
use model::table;

/// Lengths that are not among the allowed ones.
fn wrong(sizes: Sizes) -> impl Iterator<Item = usize> {
    (0..=sizes.max + 33).filter(move |&len| !sizes.allow(len))
}

/// What a constructor says to a length, for every wrong one.
fn refuses(field: &'static str, sizes: Sizes, make: impl Fn(&[u8]) -> Option<Error>) {
    for len in wrong(sizes) {
        let expected = Error::Length { field, got: len, allowed: sizes };
        assert_eq!(make(&vec![0; len]), Some(expected), "{field} of {len} bytes");
    }
}

/// A key of the longest allowed length, the same at each call.
fn key(algorithm: &Algorithm) -> Vec<u8> {
    SplitMix64::new(5).bytes(algorithm.key.max)
}

/// Calls `check` with every block cipher of the registry, at every level.
fn block_ciphers(check: impl Fn(&'static Algorithm, usize, &dyn BlockCipher)) {
    for algorithm in ALGORITHMS {
        let New::Block { block, new, .. } = algorithm.new else { continue };
        for level in Level::available() {
            check(algorithm, block, &*new(&key(algorithm), level).unwrap());
        }
    }
}

/// Calls `check` with two equal objects of every stream cipher, at every level.
fn stream_ciphers(check: impl Fn(&'static Algorithm, Sizes, [Box<dyn StreamCipher>; 2])) {
    for algorithm in ALGORITHMS {
        let New::Stream { iv: sizes, new, .. } = algorithm.new else { continue };
        let iv = table::random_iv(algorithm.name, &mut SplitMix64::new(6), sizes.max);
        for level in Level::available() {
            check(algorithm, sizes, [(); 2].map(|()| new(&key(algorithm), &iv, level).unwrap()));
        }
    }
}

#[test]
fn keys_of_wrong_lengths() {
    for algorithm in ALGORITHMS {
        let level = Level::best();
        refuses("key", algorithm.key, |key| match algorithm.new {
            New::Block { new, .. } => new(key, level).err(),
            New::Stream { iv, new, unlimited, .. } => {
                let iv = vec![0; iv.max];
                let error = new(key, &iv, level).err();
                assert_eq!(unlimited(key, &iv, level).err(), error);
                error
            }
        });
    }
}

#[test]
fn keys_as_values_of_wrong_lengths() {
    refuses("key", Sizes::exactly(16), |key| Key::<16>::try_from(key).err());
    assert_eq!(Key::<16>::try_from(&[7; 16][..]).unwrap().bytes(), &[7; 16]);
}

#[test]
fn ivs_of_wrong_lengths() {
    for algorithm in ALGORITHMS {
        let New::Stream { iv, new, unlimited, .. } = algorithm.new else { continue };
        refuses("iv", iv, |iv| new(&key(algorithm), iv, Level::best()).err());
        refuses("iv", iv, |iv| unlimited(&key(algorithm), iv, Level::best()).err());
    }
    block_ciphers(|algorithm, block, cipher| {
        for operation in operations(algorithm) {
            let Some(mode) = operation.block_mode() else { continue };
            let sizes = operation.iv;
            refuses("iv", sizes, |iv| {
                let mut data = vec![7; 2 * block];
                let error = (mode.message)(cipher, iv, data.as_mut_slice().into()).err();
                assert_eq!(data, vec![7; 2 * block], "{}: data written", operation.name);
                error
            });
            refuses("iv", sizes, |iv| (mode.start)(cipher, iv).err());
        }
    });
}

#[test]
fn an_iv_of_zuc_256_has_six_bits_in_its_last_elements() {
    let Some(zuc) = cipherlane::registry::algorithm("zuc-256") else { return };
    let New::Stream { new, .. } = zuc.new else { panic!("a stream cipher") };
    for place in 0..25 {
        let mut iv = [0; 25];
        iv[place] = 64;
        let result = new(&[0; 32], &iv, Level::best());
        match result.err() {
            None => assert!(place < 17, "element {place} of 64 was taken"),
            Some(Error::Value { got: 64, min: 0, max: 63, .. }) => assert!(place >= 17),
            Some(other) => panic!("element {place}: {other}"),
        }
    }
}

#[test]
fn a_refused_reset_leaves_a_stream_as_it_was() {
    stream_ciphers(|algorithm, sizes, [mut spoilt, mut whole]| {
        let (mut got, mut expected) = ([0; 100], [0; 100]);
        for len in wrong(sizes) {
            assert!(spoilt.reset(&vec![1; len]).is_err(), "{}: IV of {len}", algorithm.name);
            // Odd lengths, so that keystream is left over between the calls.
            spoilt.keystream(&mut got[..13]).unwrap();
            whole.keystream(&mut expected[..13]).unwrap();
            assert_eq!(got, expected, "{}, IV of {len} bytes", algorithm.name);
        }
    });
}

#[test]
fn a_refused_reset_or_piece_leaves_a_mode_as_it_was() {
    block_ciphers(|algorithm, block, cipher| {
        for operation in operations(algorithm) {
            let Some(mode) = operation.block_mode() else { continue };
            let sizes = operation.iv;
            let iv = SplitMix64::new(1).bytes(sizes.max);
            let data = SplitMix64::new(2).bytes(4 * block);
            let mut expected = data.clone();
            (mode.message)(cipher, &iv, expected.as_mut_slice().into()).unwrap();

            let mut out = data.clone();
            let (head, tail) = out.split_at_mut(block);
            let place = format!("{}/{}", algorithm.name, operation.name);
            match (mode.start)(cipher, &iv).unwrap() {
                Started::Stream(mut stream) => {
                    stream.apply(head).unwrap();
                    wrong(sizes).for_each(|len| assert!(stream.reset(&vec![1; len]).is_err()));
                    stream.apply(tail).unwrap();
                }
                Started::Blocks(mut mode) => {
                    mode.blocks(head.into()).unwrap();
                    wrong(sizes).for_each(|len| assert!(mode.reset(&vec![1; len]).is_err()));
                    for got in (1..3 * block).filter(|len| len % block != 0) {
                        let error = Error::PartialBlock { got, block };
                        assert_eq!(mode.blocks((&mut tail[..got]).into()), Err(error), "{place}");
                    }
                    mode.blocks(tail.into()).unwrap();
                }
            }
            assert_eq!(out, expected, "{place}");
        }
    });
}

#[test]
fn messages_that_are_not_whole_blocks() {
    block_ciphers(|algorithm, block, cipher| {
        for operation in operations(algorithm) {
            let Some(mode) = operation.block_mode() else { continue };
            let iv = vec![0; operation.iv.max];
            for got in (1..5 * block).filter(|len| len % block != 0) {
                let mut data = vec![7; got];
                let result = (mode.message)(cipher, &iv, data.as_mut_slice().into());
                if operation.whole_blocks() {
                    let error = Error::PartialBlock { got, block };
                    assert_eq!(result, Err(error), "{}", operation.name);
                    assert_eq!(data, vec![7; got], "{}: data written", operation.name);
                } else {
                    assert_eq!(result, Ok(()), "{}", operation.name);
                }
            }
        }
    });
}

#[test]
fn outputs_of_wrong_lengths() {
    assert!(InOut::disjoint(&[0; 3], &mut [0; 4]).is_none());
    stream_ciphers(|algorithm, _, [mut spoilt, mut whole]| {
        for got in (0..100).filter(|&len| len != 50) {
            let mut output = vec![7; got];
            let error = Error::OutputLength { got, needed: 50 };
            assert_eq!(spoilt.apply_to(&[0; 50], &mut output), Err(error));
            assert_eq!(output, vec![7; got], "{}: output written", algorithm.name);
        }
        let (mut got, mut expected) = ([0; 50], [0; 50]);
        spoilt.keystream(&mut got).unwrap();
        whole.keystream(&mut expected).unwrap();
        assert_eq!(got, expected, "{}: keystream lost", algorithm.name);
    });
}

#[test]
fn keystream_ends_where_the_standard_says() {
    for algorithm in ALGORITHMS {
        let New::Stream { iv: sizes, new, unlimited, limit: Some(limit), .. } = algorithm.new
        else {
            continue;
        };
        // Others are out of a test's reach, and tested where the cipher is.
        let Some(bytes) = usize::try_from(limit).ok().filter(|&bytes| bytes < 1 << 20) else {
            continue;
        };
        let iv = table::random_iv(algorithm.name, &mut SplitMix64::new(4), sizes.max);
        let key = key(algorithm);
        let expected = table::keystream(algorithm.name, &key, &iv, bytes + 40).expect("a model");
        let (expected, beyond) = expected.split_at(bytes);
        for level in Level::available() {
            let mut stream = new(&key, &iv, level).unwrap();
            let refused =
                |result| matches!(result, Err(Error::Limit { limit: l, .. }) if l == limit);

            let mut out = vec![0; bytes];
            stream.keystream(&mut out[..bytes - 10]).unwrap();
            let mut more = [7; 11];
            assert!(refused(stream.apply(&mut more)), "{}", algorithm.name);
            assert_eq!(more, [7; 11], "{}: written past the limit", algorithm.name);
            stream.keystream(&mut out[bytes - 10..]).unwrap();
            assert_eq!(out, expected, "{}, {level}", algorithm.name);
            assert!(refused(stream.apply(&mut [0])), "{}", algorithm.name);
            assert_eq!(stream.apply(&mut []), Ok(()), "{}", algorithm.name);
            stream.reset(&iv).unwrap();
            stream.keystream(&mut out).unwrap();
            assert_eq!(out, expected, "{}, {level}, after a reset", algorithm.name);
            assert!(refused(stream.keystream(&mut [0])), "{}", algorithm.name);

            let mut out = vec![0; bytes + 40];
            unlimited(&key, &iv, level).unwrap().keystream(&mut out).unwrap();
            assert_eq!(out[bytes..], *beyond, "{}, {level}, unlimited", algorithm.name);
        }
    }
}

#[test]
fn errors_say_what_is_allowed() {
    for algorithm in ALGORITHMS {
        let key = vec![0; algorithm.key.max + 1];
        let error = match algorithm.new {
            New::Block { new, .. } => new(&key, Level::best()).err(),
            New::Stream { new, iv, .. } => new(&key, &vec![0; iv.max], Level::best()).err(),
        };
        let expected = format!("key of {} bytes; allowed: {} bytes", key.len(), algorithm.key);
        assert_eq!(error.unwrap().to_string(), expected);
    }
}
