//! What each call of an object does besides: lengths, tags, announcements, another key, failures.

use cipherlane::modes::{Direction, Padding};
use cipherlane::registry::{Kind as Does, Parameters};
use cipherlane::{Error, InOut, Level};
use objects::{AeadOneShot, AeadStream, Context, Failure, Kind, Mac, Query, Spec};
use objects::{algorithm, batch, listing};

fn bytes(length: usize, seed: u8) -> Vec<u8> {
    (0..length).map(|i| (i as u8).wrapping_mul(29).wrapping_add(seed)).collect()
}

fn sm4<'a>(operation: &'a str, iv: &'a [u8], padding: Padding) -> Spec<'a> {
    Spec { iv, padding, ..Spec::new("sm4", operation, &[7; 16]) }
}

fn kind<T>(result: Result<T, Failure>) -> Option<Kind> {
    result.map_err(|failure| failure.kind()).err()
}

/// The field of a length that is refused.
fn field<T>(result: Result<T, Failure>) -> Option<&'static str> {
    match result {
        Err(Failure::Library(Error::Length { field, .. })) => Some(field),
        _ => None,
    }
}

#[test]
fn aeads_in_pieces_make_the_tags_of_whole_messages() {
    let (aad, plain) = (bytes(21, 3), bytes(53, 4));
    let mut count = 0;
    for listed in listing().into_iter().filter(|it| it.kind == Does::Seal && it.in_pieces()) {
        let (name, mode) = (listed.algorithm.name, listed.mode());
        let (key, nonce) = (bytes(listed.key.min, 1), bytes(listed.usual_iv, 2));
        let make = |direction| {
            AeadStream::new(name, mode, &key, direction, &nonce, None).expect("a stream")
        };
        let (mut whole, mut tag) = (plain.clone(), vec![0; 16]);
        let one = AeadOneShot::new(name, mode, &key, true, None).expect("a key");
        tag.truncate(one.tag_len());
        one.seal(&nonce, &aad, whole.as_mut_slice().into(), &mut tag).expect("sealed");
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let mut stream = make(direction);
            assert_eq!(stream.tag_len(), tag.len(), "{name}/{mode}");
            let lengths = (aad.len() as u64, plain.len() as u64);
            if mode == "ccm" {
                for early in [
                    stream.aad(&aad),
                    stream.update((&mut [0; 3][..]).into()),
                    stream.finish(&mut [0; 16]),
                    stream.verify(&[0; 16]),
                ] {
                    assert_eq!(kind(early), Some(Kind::State), "{name}/{mode}");
                }
                assert_eq!(field(stream.announce(lengths.0, lengths.1, 3)), Some("tag"));
                assert_eq!(kind(stream.aad(&aad)), Some(Kind::State), "nothing was announced");
            }
            stream.announce(lengths.0, lengths.1, tag.len()).expect("lengths");
            let sealing = direction == Direction::Encrypt;
            let mut data = if sealing { plain.clone() } else { whole.clone() };
            stream.aad(&aad[..5]).expect("data");
            stream.aad(&aad[5..]).expect("data");
            stream.update((&mut data[..19]).into()).expect("data");
            stream.update((&mut data[19..]).into()).expect("data");
            assert_eq!(data, if sealing { &whole[..] } else { &plain[..] }, "{name}/{mode}");
            if sealing {
                let mut made = vec![0; tag.len()];
                stream.finish(&mut made).expect("room");
                assert_eq!(made, tag, "{name}/{mode}");
            } else {
                stream.verify(&tag).expect("authentic");
                stream.reset(&nonce).expect("nothing was encrypted");
                stream.announce(0, 0, tag.len()).expect("lengths");
                assert_eq!(kind(stream.verify(&tag)), Some(Kind::Tag), "{name}/{mode}");
            }
        }
        count += 1;
    }
    assert!(count > 5, "{count}");
}

#[test]
fn tags_have_the_length_that_was_chosen() {
    let new = || AeadOneShot::new("sm4", "gcm", &[7; 16], true, None).expect("a key");
    assert_eq!(new().tag_len(), 16);
    let short = new().with_tag_len(12).expect("a length");
    assert_eq!((short.tag_len(), short.tag_sizes()), (12, new().tag_sizes()));
    assert!(short.tag_sizes().allow(16) && !short.tag_sizes().allow(17));
    short.seal(&[1; 12], b"", (&mut [0; 5][..]).into(), &mut [0; 12]).expect("a message");
    assert_eq!(field(new().with_tag_len(3)), Some("tag"));
    assert_eq!(short.check(12, 12), Ok(()));
    assert_eq!(field(short.check(12, 16)), Some("tag"));
    assert_eq!(field(short.check(0, 12)), Some("nonce"));

    let stream = || {
        AeadStream::new("sm4", "gcm", &[7; 16], Direction::Encrypt, &[1; 12], None).expect("a key")
    };
    assert_eq!(stream().with_tag_len(12).expect("a length").tag_len(), 12);
    assert_eq!(field(stream().with_tag_len(3)), Some("tag"));
    let mut longer = stream();
    longer.set_tag_len(13).expect("a length");
    assert_eq!(longer.tag_len(), 13);
    longer.finish(&mut [0; 13]).expect("room");

    let mac = |tag| Mac::new("sm4", "cmac", &[7; 16], &[], tag, None);
    assert_eq!(mac(Some(8)).expect("a length").tag_len(), 8);
    assert_eq!(field(mac(Some(17))), Some("tag"));
    let mut mac = mac(None).expect("a key");
    assert!(mac.tag_sizes().allow(16) && !mac.tag_sizes().allow(17));
    mac.set_tag_len(9).expect("a length");
    assert_eq!(mac.tag_len(), 9);
    assert_eq!(field(mac.set_tag_len(17)), Some("tag"));
    assert_eq!(mac.finish(&mut [0; 16]), Ok(9));
}

#[test]
fn another_key_is_taken_and_the_last_nonce_forgotten() {
    let new = |key: u8| AeadOneShot::new("sm4", "gcm", &[key; 16], true, None).expect("a key");
    let sealed = |of: &AeadOneShot| {
        let (mut data, mut tag) = ([9; 20], [0; 16]);
        of.seal(&[1; 12], b"head", (&mut data[..]).into(), &mut tag).map(|()| (data, tag))
    };
    let mut one = new(7);
    let first = sealed(&one);
    assert_eq!(sealed(&one), Err(Failure::NonceReused));
    assert!(!one.take_key(&[8; 15]));
    assert_eq!(sealed(&one), Err(Failure::NonceReused), "the key is the old one");
    assert!(one.take_key(&[8; 16]));
    let second = sealed(&one);
    assert_eq!(second, sealed(&new(8)));
    assert_ne!(second, first);
    assert_eq!(sealed(&one), Err(Failure::NonceReused));
}

#[test]
fn contexts_tell_lengths_beforehand() {
    let iv = [3; 16];
    let mut padded = Context::new(&sm4("cbc-encrypt", &iv, Padding::Pkcs7)).expect("a context");
    assert_eq!((padded.update_len(15), padded.update_len(40), padded.finish_len()), (0, 32, 16));
    let (data, mut output) = (bytes(40, 1), vec![0; 64]);
    assert_eq!(padded.update(&data, &mut output), Ok(32));
    assert_eq!(padded.update_len(7), 0);
    assert_eq!(padded.update_len(8), 16);
    assert_eq!(padded.finish(&mut output[32..48]), Ok(16));
    assert_eq!(kind(padded.finish(&mut [0; 16])), Some(Kind::State));
    assert_eq!(kind(padded.update_in_place(&mut [0; 16])), Some(Kind::State));
    let mut back = Context::new(&sm4("cbc-decrypt", &iv, Padding::Pkcs7)).expect("a context");
    let mut plain = vec![0; 64];
    let n = back.update(&output[..48], &mut plain).expect("room");
    let rest = back.finish(&mut plain[n..n + 16]).expect("right padding");
    assert_eq!(plain[..n + rest], data);
    back.reset(&iv).expect("an IV");
    back.update(&output[..32], &mut plain).expect("room");
    assert_eq!(kind(back.finish(&mut [0; 16])), Some(Kind::Padding));
    let mut bare = Context::new(&sm4("cbc-encrypt", &iv, Padding::None)).expect("a context");
    bare.update(&data, &mut output).expect("room");
    assert_eq!(kind(bare.finish(&mut [0; 16])), Some(Kind::Block));

    let mut stream = Context::new(&sm4("ctr", &iv, Padding::None)).expect("a context");
    assert_eq!((stream.update_len(15), stream.finish_len()), (15, 0));
    let short = stream.update(&data, &mut [0; 39]);
    assert_eq!(short, Err(Failure::Library(Error::OutputLength { got: 39, needed: 40 })));
    assert_eq!(stream.update(&data, &mut output), Ok(40), "nothing was used up");
    let mut again = data.clone();
    stream.message(&iv, again.as_mut_slice().into()).expect("an IV");
    assert_eq!(again, output[..40]);
    assert_eq!(field(stream.message(&[1; 3], (&mut [0; 16][..]).into())), Some("iv"));
    assert_eq!(field(stream.reset(&[1; 3])), Some("iv"));
    assert_eq!(kind(stream.update(&data, &mut output)), Some(Kind::State));
}

#[test]
fn modes_on_whole_messages_take_one_call() {
    let key = bytes(32, 5);
    let spec = |operation, iv| Spec { iv, ..Spec::new("sm4", operation, &key) };
    assert_eq!(field(Context::new(&spec("xts-encrypt", &[1; 15]))), Some("iv"));
    let mut context = Context::new(&spec("xts-encrypt", &[1; 16])).expect("a context");
    assert_eq!((context.update_len(40), context.finish_len()), (40, 0));
    let (plain, mut data, mut other) = (bytes(40, 6), bytes(40, 6), bytes(40, 6));
    assert_eq!(context.update_in_place(&mut data), Ok(40));
    assert_eq!(kind(context.update_in_place(&mut other)), Some(Kind::State));
    assert_eq!(context.finish(&mut []), Ok(0));
    context.reset(&[2; 16]).expect("an IV");
    assert_eq!(context.update_in_place(&mut other), Ok(40));
    assert_ne!(other, data);
    let mut back = Context::new(&spec("xts-decrypt", &[1; 16])).expect("a context");
    let mut whole = data.clone();
    assert_eq!(back.update_in_place(&mut data), Ok(40));
    assert_eq!(kind(back.update_in_place(&mut other)), Some(Kind::State));
    back.message(&[1; 16], whole.as_mut_slice().into()).expect("a message");
    assert_eq!((&data, &whole), (&plain, &plain));
    // IEEE 1619-2018, clause 5.3.2: a block between two additions of the encrypted tweak.
    let ecb = |key: &[u8], mut block: Vec<u8>| {
        let mut context = Context::new(&Spec::new("sm4", "ecb-encrypt", key)).expect("a context");
        assert_eq!(context.update_in_place(&mut block), Ok(16));
        block
    };
    let tweak = ecb(&key[16..], vec![1; 16]);
    let add = |block: &[u8]| block.iter().zip(&tweak).map(|(a, b)| a ^ b).collect::<Vec<_>>();
    let expected = add(&ecb(&key[..16], add(&plain[..16])));
    let mut context = Context::new(&spec("xts-encrypt", &[1; 16])).expect("a context");
    let (mut first, mut second) = (plain[..16].to_vec(), plain[..16].to_vec());
    context.message(&[1; 16], first.as_mut_slice().into()).expect("a message");
    context.reset(&[1; 16]).expect("an IV");
    assert_eq!(context.update_in_place(&mut second), Ok(16));
    assert_eq!((first, second), (expected.clone(), expected));
    let equal = Spec { iv: &[1; 16], ..Spec::new("sm4", "xts-encrypt", &[5; 32]) };
    assert_eq!(kind(Context::new(&equal)), Some(Kind::Key));
}

#[test]
fn paddings_and_parameters_that_do_not_fit_are_named() {
    for (padding, name) in [(Padding::Pkcs7, "pkcs7"), (Padding::Iso7816, "iso7816")] {
        let failure = Context::new(&sm4("ctr", &[1; 16], padding)).expect_err("no blocks");
        let what = Query::Padding("sm4/ctr".into());
        assert_eq!(failure, Failure::Unknown { what, name: name.into() });
        assert_eq!(failure.to_string(), format!("no padding of sm4/ctr is called `{name}`"));
    }
    let parameters = Parameters { rounds: Some(9), ..Parameters::default() };
    let failure = Context::new(&Spec { parameters, ..sm4("ctr", &[1; 16], Padding::None) });
    let failure = failure.expect_err("no family");
    assert_eq!(failure.kind(), Kind::Value);
    assert_eq!(failure.to_string(), "parameters; allowed: none, as it is no family");
}

#[test]
fn macs_take_announcements_bits_and_exact_room() {
    let new = |name| Mac::new("sm4", name, &[7; 16], &[], None, None).expect("a key");
    let mut last = new("cbc-mac-1-pad3");
    assert!(last.update(b"early").is_err(), "its length must be known");
    last.announce(5).expect("a length");
    last.update(b"right").expect("as announced");
    assert_eq!(last.finish(&mut [0; 16]), Ok(16));

    let mut mac = new("cmac");
    mac.update(b"message").expect("short");
    let short = mac.finish(&mut [0; 15]);
    assert_eq!(short, Err(Failure::Library(Error::OutputLength { got: 15, needed: 16 })));
    let (tag, length) = mac.digest().expect("a tag");
    assert_eq!(length, 16);
    assert_eq!(mac.verify(&tag), Ok(()));
    assert_eq!(field(mac.verify(&tag[..15])), Some("tag"));
    assert_eq!(kind(mac.verify(&[0; 16])), Some(Kind::Tag));
    assert_eq!(field(mac.fill(&mut [0; 15])), Some("tag"));
    assert_eq!(mac.compare(&tag), Ok(()), "the message was still there");
    mac.update(b"message").expect("the next one");
    mac.reset(&[]).expect("no IV");
    mac.update(b"message").expect("the same");
    assert_eq!(mac.digest(), Ok((tag, 16)));
    assert_eq!(mac.finish(&mut [0; 20]), Ok(16));

    let bits = |count| {
        let mut mac = Mac::new("zuc-128", "eia3", &[7; 16], &[1; 16], None, None).expect("a key");
        mac.update_bits(&[0xf7; 2], count).map(|()| mac.digest().expect("a tag"))
    };
    assert_ne!(bits(12), bits(11));
    assert_eq!(field(Mac::new("zuc-128", "eia3", &[7; 16], &[1; 15], None, None)), Some("iv"));
    assert_eq!(field(Mac::new("sm4", "cmac", &[7; 15], &[], None, None)), Some("key"));
    assert_eq!(kind(Mac::new("sm4", "cmac", &[7; 15], &[], None, None)), Some(Kind::Key));
}

#[test]
fn failures_are_of_the_sort_that_languages_tell() {
    for (error, kind, text) in [
        (Error::Authentication, Kind::Tag, Error::Authentication.to_string()),
        (Error::State("now"), Kind::State, Error::State("now").to_string()),
        (Error::Limit { what: "all", limit: 3 }, Kind::Value, "3".into()),
    ] {
        let failure = Failure::from(error);
        assert_eq!(failure.kind(), kind);
        assert!(failure.to_string().contains(&text), "{failure}");
    }
    assert_eq!(Failure::NoAead("x").kind(), Kind::Unknown);
    assert!(Failure::NonceReused.to_string().starts_with("the nonce is the last message's"));
    let level = Level::by_name("avx9000").expect_err("no level");
    assert!(Failure::from(level).to_string().contains(&level.to_string()));
}

#[test]
fn debug_texts_have_names_and_no_keys() {
    let spec = sm4("ctr", &[1; 16], Padding::None);
    let stream = AeadStream::new("sm4", "ccm", &[7; 16], Direction::Encrypt, &[1; 12], None);
    let texts = [
        format!("{spec:?}"),
        format!("{:?}", Context::new(&spec).expect("a context")),
        format!("{:?}", AeadOneShot::new("sm4", "gcm", &[7; 16], true, None).expect("a key")),
        format!("{:?}", stream.expect("a key")),
        format!("{:?}", Mac::new("sm4", "cmac", &[7; 16], &[], None, None).expect("a key")),
    ];
    assert_eq!(texts[0], "Spec(sm4/ctr, None)");
    assert_eq!(texts[1], "Context { finished: false, .. }");
    assert!(texts[2].starts_with("AeadOneShot { nonces: "), "{}", texts[2]);
    assert_eq!(texts[3], "AeadStream { unannounced: true, .. }");
    assert_eq!(texts[4], "Mac { tag: 16, .. }");
}

#[test]
fn names_lead_to_what_is_listed() {
    for listed in listing() {
        let name = listed.algorithm.name;
        assert_eq!(algorithm(name).expect("a name").name, name);
        assert_eq!(batch(name, listed.name).expect("a name").name, listed.name);
    }
    let mut one = AeadOneShot::new("sm4", "gcm-open", &[7; 16], false, Some(Level::portable()));
    let one = one.as_mut().expect("the mode of both directions");
    let mut tag = [0; 16];
    for _ in 0..2 {
        one.seal(&[1; 12], b"", InOut::from(&mut [0; 5][..]), &mut tag).expect("not remembered");
    }
}
