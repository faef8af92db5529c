use cipherlane::aead::AeadStream;
use cipherlane::aead::gcm::{Gcm, GcmStream};
use cipherlane::modes::Direction;
use cipherlane::{Aead, BlockCipher, Error, InOut, Level};
use model::random::SplitMix64;

use crate::{cipher, lengths, pieces, refuses_length, spoilt};

fn gcm(level: Level) -> Gcm<Box<dyn BlockCipher>> {
    gcm_of("sm4", 16, level)
}

fn gcm_of(name: &str, key: usize, level: Level) -> Gcm<Box<dyn BlockCipher>> {
    Gcm::new(cipher(name, &[7; 32][..key], level).unwrap()).unwrap()
}

/// One object, reset for each message, with nonces of 12 and of 16 bytes.
#[test]
fn any_split_equals_one_shot() {
    let ciphers = [("sm4", 16), ("aes-128", 16), ("aes-192", 24), ("aes-256", 32)];
    for (level, (name, key)) in Level::available().flat_map(|it| ciphers.map(|of| (it, of))) {
        // The library may be built without AES.
        if cipher(name, &[7; 32][..key], level).is_none() {
            continue;
        }
        let gcm = gcm_of(name, key, level);
        let mut sealer = GcmStream::new(&gcm, Direction::Encrypt, &[0; 12]).unwrap();
        let other = gcm_of(name, key, level);
        let mut opener = GcmStream::new(other, Direction::Decrypt, &[0; 12]).unwrap();
        // The last is a record of TLS 1.3 with its type.
        for (seed, len) in lengths().chain([9000, 16_385]).enumerate() {
            let mut random = SplitMix64::new(seed as u64);
            let nonce = random.bytes(if seed % 3 == 0 { 16 } else { 12 });
            let aad_len = random.below(80);
            let (aad, data) = (random.bytes(aad_len), random.bytes(len));
            let (mut expected, mut tag) = (data.clone(), [0; 16]);
            gcm.seal(&nonce, &aad, expected.as_mut_slice().into(), &mut tag).unwrap();

            sealer.reset(&nonce).unwrap();
            opener.reset(&nonce).unwrap();
            let mut rest = &aad[..];
            for n in pieces(&mut random, aad.len()) {
                let (head, tail) = rest.split_at(n);
                sealer.aad(head).unwrap();
                opener.aad(head).unwrap();
                rest = tail;
            }
            let cuts = pieces(&mut random, len);
            let place = format!("{name}, {len} bytes in {cuts:?}, {level}");
            let (mut sealed, mut opened) = (data.clone(), vec![0; len]);
            let mut offset = 0;
            for n in &cuts {
                let range = offset..offset + n;
                sealer.update((&mut sealed[range.clone()]).into()).unwrap();
                let (input, output) = (&expected[range.clone()], &mut opened[range]);
                opener.update(InOut::disjoint(input, output).unwrap()).unwrap();
                offset += n;
            }
            let mut got = [0; 16];
            sealer.finish(&mut got).unwrap();
            assert_eq!((&sealed, got), (&expected, tag), "{place}");
            opener.verify(&tag).unwrap();
            assert_eq!(opened, data, "{place}");
        }
    }
}

#[test]
fn a_wrong_tag_is_refused() {
    let gcm = gcm(Level::best());
    let mut data = *b"thirty-three bytes of a plaintext";
    let mut tag = [0; 16];
    gcm.seal(&[1; 12], b"aad", (&mut data[..]).into(), &mut tag).unwrap();
    let mut stream = GcmStream::new(&gcm, Direction::Decrypt, &[1; 12]).unwrap();
    for bit in 0..128 {
        stream.reset(&[1; 12]).unwrap();
        stream.aad(b"aad").unwrap();
        stream.update((&mut { data }[..]).into()).unwrap();
        assert_eq!(stream.verify(&spoilt(&tag, bit)), Err(Error::Authentication), "bit {bit}");
    }
    stream.set_tag_len(12).unwrap();
    stream.reset(&[1; 12]).unwrap();
    stream.aad(b"aae").unwrap();
    stream.update((&mut { data }[..]).into()).unwrap();
    assert_eq!(stream.verify(&tag[..12]), Err(Error::Authentication));
    stream.reset(&[1; 12]).unwrap();
    stream.aad(b"aad").unwrap();
    stream.update((&mut data[..]).into()).unwrap();
    stream.verify(&tag[..12]).unwrap();
}

#[test]
fn calls_out_of_order_are_refused_and_change_nothing() {
    let gcm = gcm(Level::best());
    let state = |result| matches!(result, Err(Error::State(_)));
    let mut stream = GcmStream::new(&gcm, Direction::Encrypt, &[1; 12]).unwrap();
    let (mut data, mut tag) = ([3; 50], [0; 16]);
    stream.update((&mut data[..20]).into()).unwrap();
    assert!(state(stream.aad(b"late")));
    assert!(state(stream.verify(&[0; 16])));
    assert!(refuses_length(stream.finish(&mut [0; 5]), "tag", 5));
    assert!(refuses_length(stream.reset(&[]), "nonce", 0));
    stream.update((&mut data[20..]).into()).unwrap();
    stream.finish(&mut tag).unwrap();

    let (mut expected, mut expected_tag) = ([3; 50], [0; 16]);
    gcm.seal(&[1; 12], b"", (&mut expected[..]).into(), &mut expected_tag).unwrap();
    assert_eq!((data, tag), (expected, expected_tag));

    assert!(state(stream.update((&mut data[..]).into())));
    assert!(state(stream.aad(b"")));
    assert!(state(stream.finish(&mut tag)));
    assert_eq!((data, tag), (expected, expected_tag));
    let mut opener = GcmStream::new(&gcm, Direction::Decrypt, &[1; 12]).unwrap();
    assert!(state(opener.finish(&mut tag)));
    let text = format!("{opener:?}");
    assert_eq!(text, "GcmStream { lengths: (0, 0), .. }");
}
