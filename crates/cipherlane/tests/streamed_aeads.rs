//! Every AEAD of the registry that takes a message in pieces: any split gives what one
//! call gives, at every level, in place and buffer to buffer; and misuse of it.

use cipherlane::aead::AeadStream;
use cipherlane::modes::Direction;
use cipherlane::registry::{ALGORITHMS, AeadStreaming, Kind, NewAeadStream, Operation, operations};
use cipherlane::{Aead, Error, InOut, Level};
use model::random::SplitMix64;

/// One AEAD at one level: its one-shot form, and what makes its streams.
struct Case {
    name: String,
    entry: Operation,
    whole: Box<dyn Aead>,
    key: Vec<u8>,
    level: Level,
    stream: NewAeadStream,
}

impl Case {
    fn start(&self, direction: Direction, nonce: &[u8]) -> Box<dyn AeadStream> {
        (self.stream)(self.entry.algorithm, &self.key, self.level, direction, nonce).unwrap()
    }

    fn announced(&self) -> bool {
        matches!(self.entry.streaming(), Some(AeadStreaming::Announced(_)))
    }
}

/// Calls `check` with every AEAD of every cipher at every level.
fn for_each(check: impl Fn(&mut Case)) {
    for algorithm in ALGORITHMS {
        for entry in operations(algorithm).filter(|it| it.kind == Kind::Seal) {
            let streaming = entry.streaming();
            let Some(stream) = streaming.and_then(|it| it.constructor()) else { continue };
            for level in Level::available() {
                let key = SplitMix64::new(5).bytes(algorithm.key.max);
                let whole = entry.aead(&key, level).unwrap();
                let name = format!("{}/{}, {level}", algorithm.name, entry.name);
                let entry = entry.clone();
                check(&mut Case { name, entry, whole, key, level, stream });
            }
        }
    }
}

/// Cuts a length into random pieces, some of them empty, most of them short or long.
fn cuts(random: &mut SplitMix64, len: usize) -> Vec<usize> {
    let longest = [5, 40, 300, 2200][random.below(4)];
    let (mut ends, mut at) = (vec![], 0);
    while at < len {
        at = len.min(at + random.below(longest + 1));
        ends.push(at);
    }
    if ends.is_empty() {
        ends.push(0);
    }
    ends
}

/// Every length up to past some blocks, those around every tile and piece, and more.
fn lengths() -> impl Iterator<Item = usize> {
    let edges = [128, 256, 512, 1024, 2048, 4096, 8192];
    let around = edges.into_iter().flat_map(|edge| [edge - 1, edge, edge + 1, edge + 17]);
    (0..=70).chain(around).chain((100..3100).step_by(333))
}

/// Runs a message through a stream in random pieces, in place or buffer to buffer.
fn run(
    stream: &mut dyn AeadStream,
    random: &mut SplitMix64,
    aad: &[u8],
    data: &[u8],
) -> (Vec<u8>, String) {
    let ends = cuts(random, aad.len());
    let mut at = 0;
    for end in ends {
        stream.aad(&aad[at..end]).unwrap();
        at = end;
    }
    let mut out = vec![0xa5; data.len()];
    let ends = cuts(random, data.len());
    let mut at = 0;
    for &end in &ends {
        let (input, output) = (&data[at..end], &mut out[at..end]);
        if random.below(2) == 0 {
            output.copy_from_slice(input);
            stream.update(output.into()).unwrap();
        } else {
            stream.update(InOut::disjoint(input, output).unwrap()).unwrap();
        }
        at = end;
    }
    (out, format!("cut at {ends:?}"))
}

#[test]
fn any_split_equals_one_call() {
    for_each(|case| {
        let mut random = SplitMix64::new(1);
        let (mut sealer, mut opener) = {
            let nonce = random.bytes(case.entry.usual_iv);
            (case.start(Direction::Encrypt, &nonce), case.start(Direction::Decrypt, &nonce))
        };
        for (round, len) in lengths().enumerate() {
            let nonce_len = match round % 3 {
                0 => case.entry.iv.min,
                1 => case.entry.iv.max.min(20),
                _ => case.entry.usual_iv,
            };
            let nonce = random.bytes(nonce_len);
            let aad_len = [0, 7, 16, 30, 300, 65_300][if round % 40 == 3 { 5 } else { round % 5 }];
            let (aad, data) = (random.bytes(aad_len), random.bytes(len));
            let tag_len = case.whole.tag_sizes().max - 4 * (round % 2);
            let (mut expected, mut tag) = (data.clone(), vec![0; tag_len]);
            case.whole.set_tag_len(tag_len).unwrap();
            case.whole.seal(&nonce, &aad, expected.as_mut_slice().into(), &mut tag).unwrap();
            let place = format!("{}, {len} bytes", case.name);

            sealer.reset(&nonce).unwrap();
            sealer.set_tag_len(tag_len).unwrap();
            sealer.announce(aad.len() as u64, len as u64, tag_len).unwrap();
            let (sealed, how) = run(&mut *sealer, &mut random, &aad, &data);
            let mut got = vec![0; tag_len];
            sealer.finish(&mut got).unwrap();
            assert!(sealed == expected, "{place}, {how}");
            assert_eq!(got, tag, "{place}, {how}");

            opener.reset(&nonce).unwrap();
            opener.set_tag_len(tag_len).unwrap();
            opener.announce(aad.len() as u64, len as u64, tag_len).unwrap();
            let (opened, how) = run(&mut *opener, &mut random, &aad, &sealed);
            opener.verify(&tag).unwrap();
            assert!(opened == data, "{place}, {how}");
        }
    });
}

#[test]
fn a_wrong_tag_key_nonce_or_message_is_refused() {
    for_each(|case| {
        let (nonce, aad, data) = (vec![1; case.entry.usual_iv], [2; 20], [3; 50]);
        let (mut sealed, mut tag) = (data, [0; 16]);
        case.whole.seal(&nonce, &aad, (&mut sealed[..]).into(), &mut tag).unwrap();
        let open = |key: &[u8], nonce: &[u8], aad: &[u8], sealed: &[u8], tag: &[u8]| {
            let new = case.stream;
            let mut stream =
                new(case.entry.algorithm, key, case.level, Direction::Decrypt, nonce).unwrap();
            stream.announce(aad.len() as u64, sealed.len() as u64, tag.len()).unwrap();
            stream.aad(aad).unwrap();
            stream.update((&mut sealed.to_vec()[..]).into()).unwrap();
            stream.verify(tag)
        };
        let spoilt = |bytes: &[u8], bit: usize| {
            let mut bytes = bytes.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes
        };
        assert_eq!(open(&case.key, &nonce, &aad, &sealed, &tag), Ok(()), "{}", case.name);
        let wrong = Err(Error::Authentication);
        for bit in 0..128 {
            let tag = spoilt(&tag, bit);
            assert_eq!(open(&case.key, &nonce, &aad, &sealed, &tag), wrong, "tag bit {bit}");
        }
        assert_eq!(open(&spoilt(&case.key, 9), &nonce, &aad, &sealed, &tag), wrong, "key");
        assert_eq!(open(&case.key, &spoilt(&nonce, 9), &aad, &sealed, &tag), wrong, "nonce");
        assert_eq!(open(&case.key, &nonce, &spoilt(&aad, 9), &sealed, &tag), wrong, "aad");
        assert_eq!(open(&case.key, &nonce, &aad, &spoilt(&sealed, 99), &tag), wrong, "message");
        assert_eq!(open(&case.key, &nonce, &aad, &sealed[..49], &tag), wrong, "message cut");
        assert_eq!(open(&case.key, &nonce, &aad[..19], &sealed, &tag), wrong, "aad cut");
    });
}

#[test]
fn calls_out_of_order_are_refused_and_change_nothing() {
    for_each(|case| {
        let state = |result| matches!(result, Err(Error::State(_)));
        let length = |result, len| matches!(result, Err(Error::Length { got, .. }) if got == len);
        let nonce = vec![1; case.entry.usual_iv];
        let mut stream = case.start(Direction::Encrypt, &nonce);
        let (mut data, mut tag) = ([3; 50], [0; 16]);
        if case.announced() {
            assert!(state(stream.aad(b"early")) && state(stream.update((&mut data[..]).into())));
            assert!(state(stream.finish(&mut tag)));
            assert!(length(stream.announce(4, 50, 3), 3), "a tag of three bytes");
        }
        stream.announce(4, 50, 16).unwrap();
        stream.aad(b"aa").unwrap();
        if case.announced() {
            assert!(state(stream.announce(4, 50, 16)));
            let early = stream.update((&mut data[..]).into());
            assert!(matches!(early, Err(Error::Value { got: 2, min: 4, max: 4, .. })));
            let long = stream.aad(b"bbb");
            assert!(matches!(long, Err(Error::Value { got: 5, min: 4, max: 4, .. })));
        }
        stream.aad(b"bb").unwrap();
        stream.update((&mut data[..20]).into()).unwrap();
        assert!(state(stream.aad(b"late")));
        assert!(state(stream.verify(&[0; 16])));
        assert!(length(stream.finish(&mut [0; 5]), 5));
        assert!(length(stream.reset(&[]), 0));
        if case.announced() {
            let early = stream.finish(&mut tag);
            assert!(matches!(early, Err(Error::Value { got: 20, min: 50, max: 50, .. })));
            let long = stream.update((&mut [0; 31][..]).into());
            assert!(matches!(long, Err(Error::Value { got: 51, min: 50, max: 50, .. })));
        }
        stream.update((&mut data[20..]).into()).unwrap();
        stream.finish(&mut tag).unwrap();
        let (mut expected, mut expected_tag) = ([3; 50], [0; 16]);
        let io = (&mut expected[..]).into();
        case.whole.seal(&nonce, b"aabb", io, &mut expected_tag).unwrap();
        assert_eq!((data, tag), (expected, expected_tag), "{}", case.name);

        assert!(state(stream.update((&mut data[..]).into())));
        assert!(state(stream.aad(b"")));
        assert!(state(stream.finish(&mut tag)));
        assert_eq!((data, tag), (expected, expected_tag), "{}", case.name);
    });
}

#[test]
fn what_has_no_stream_says_why() {
    for entry in ALGORITHMS.iter().flat_map(operations) {
        match entry.streaming() {
            Some(AeadStreaming::No(reason)) => assert!(reason.len() > 20, "{entry:?}"),
            Some(AeadStreaming::Yes(_)) => assert_ne!(entry.mode(), "ccm"),
            Some(AeadStreaming::Announced(_)) => assert_eq!(entry.mode(), "ccm"),
            None => {}
        }
    }
}
