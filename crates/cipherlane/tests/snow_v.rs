//! 256-NEA4, 256-NIA4, 256-NCA4 and SNOW-V-GCM against the models, alone and in batches.
#![cfg(feature = "snow-v")]

use cipherlane::air::{Bearer, Count, Direction};
use cipherlane::batch::{BatchCipher, Packet};
use cipherlane::snow_v::{
    Nca4, Nca4Batch, Nea4, Nia4, Nia4Batch, OfSnow5g, Snow5g, SnowBatch, SnowVGcm, SnowViGcm,
};
use cipherlane::{Aead, Error, InOut, Level, Mac, StreamCipher};
use model::nca::nca4;
use model::random::SplitMix64;
use model::snow_v::{SNOW_5G, SNOW_V, SNOW_VI, Variant, keystream, seal};

fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().unwrap()
}

/// Key, IV, associated data and data.
type Inputs = [Vec<u8>; 4];

/// Every length up to 300 and some beyond.
fn inputs(seed: u64) -> Inputs {
    let mut random = SplitMix64::new(seed);
    let len = if seed < 301 { seed as usize } else { random.below(2000) };
    let aad = if seed.is_multiple_of(3) { random.below(70) } else { 0 };
    [random.bytes(32), random.bytes(16), random.bytes(aad), random.bytes(len)]
}

/// Sealed and opened in all ways, and refused when one bit is another.
fn check(aead: &dyn Aead, [_, iv, aad, data]: &Inputs, expected: &(Vec<u8>, Vec<u8>), place: &str) {
    let (mut sealed, mut tag) = (vec![0; data.len()], vec![0; expected.1.len()]);
    aead.seal(iv, aad, InOut::disjoint(data, &mut sealed).unwrap(), &mut tag).unwrap();
    assert_eq!((&sealed, &tag), (&expected.0, &expected.1), "{place}");
    let mut in_place = data.clone();
    aead.seal(iv, aad, in_place.as_mut_slice().into(), &mut tag).unwrap();
    assert_eq!((&in_place, &tag), (&expected.0, &expected.1), "{place}, in place");
    aead.open(iv, aad, in_place.as_mut_slice().into(), &tag).unwrap();
    assert_eq!(&in_place, data, "{place}, opened");
    let bit = data.len() % (8 * tag.len());
    tag[bit / 8] ^= 1 << (bit % 8);
    let mut opened = vec![0xa5; data.len()];
    let io = InOut::disjoint(&sealed, &mut opened).unwrap();
    assert_eq!(aead.open(iv, aad, io, &tag), Err(Error::Authentication), "{place}");
    assert_eq!(opened, vec![0; data.len()], "{place}");
    let mut kept = sealed.clone();
    assert_eq!(aead.try_open(iv, aad, &mut kept, &tag), Err(Error::Authentication), "{place}");
    assert_eq!(kept, sealed, "{place}");
}

#[test]
fn nca4_and_nia4_equal_the_model() {
    for seed in 0..340 {
        let inputs = inputs(seed);
        let [key, iv, aad, data] = &inputs;
        let tag = 4 + seed as usize % 13;
        let sealed = nca4(&fixed(key), &fixed(iv), aad, data, tag);
        let of_data = nca4(&fixed(key), &fixed(iv), data, &[], tag).1;
        for level in Level::available() {
            let place = format!("{level}, seed {seed}, {} bytes", data.len());
            let nca4 = Nca4::with_level(key, level).unwrap().with_tag_len(tag).unwrap();
            check(&nca4, &inputs, &sealed, &place);
            let nia4 = Nia4::with_level(key, iv, level).unwrap();
            let mut nia4 = nia4.with_tag_len(tag).unwrap();
            let (one, two) = data.split_at(data.len() / 3);
            nia4.update(one).unwrap();
            nia4.update(two).unwrap();
            nia4.verify(&of_data).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert!(matches!(nia4.update(&[]), Err(Error::State(_))), "{place}");
            nia4.reset(iv).unwrap();
            nia4.update(data).unwrap();
            nia4.verify(&of_data).unwrap();
        }
    }
}

#[test]
fn gcm_equals_the_model() {
    type New = fn(&[u8], Level) -> Box<dyn Aead>;
    let of_v: New = |key, level| Box::new(SnowVGcm::with_level(key, level).unwrap());
    let of_vi: New = |key, level| Box::new(SnowViGcm::with_level(key, level).unwrap());
    let both: [(&Variant, New); 2] = [(&SNOW_V, of_v), (&SNOW_VI, of_vi)];
    for seed in 0..320 {
        let inputs = inputs(seed);
        let [key, iv, aad, data] = &inputs;
        for (variant, new) in both {
            let (ciphertext, tag) = seal(variant, &fixed(key), &fixed(iv), aad, data);
            let sealed = (ciphertext, tag.to_vec());
            for level in Level::available() {
                let place = format!("{level}, seed {seed}, {} bytes", data.len());
                check(&*new(key, level), &inputs, &sealed, &place);
            }
        }
    }
}

/// As many messages as fill windows and leave lanes idle, of many lengths.
fn messages(count: usize) -> Vec<Inputs> {
    let mut random = SplitMix64::new(count as u64);
    let mut inputs: Vec<Inputs> = (0..count).map(|i| inputs(1000 + i as u64)).collect();
    for [.., data] in &mut inputs {
        let len = [0, 1, 15, 16, 17, 40, 128, random.below(600)][random.below(8)];
        data.truncate(len);
    }
    inputs
}

#[test]
fn batches_equal_the_model() {
    for count in [1, 2, 3, 4, 5, 7, 8, 9, 33, 256, 257, 300] {
        let inputs = messages(count);
        let expected: Vec<_> = inputs
            .iter()
            .map(|[key, iv, aad, data]| nca4(&fixed(key), &fixed(iv), aad, data, 16))
            .collect();
        for level in Level::available() {
            let mut data: Vec<Vec<u8>> = inputs.iter().map(|[.., data]| data.clone()).collect();
            let mut tags = vec![[0; 16]; count];
            run(&mut Nca4Batch::with_level(false, level), &inputs, &mut data, &mut tags).unwrap();
            for (i, expected) in expected.iter().enumerate() {
                let made = (&data[i], &tags[i][..]);
                assert_eq!(made, (&expected.0, &expected.1[..]), "{level}, {i} of {count}");
            }
            // Every fifth tag is wrong, and its message alone is refused.
            for tag in tags.iter_mut().step_by(5) {
                tag[3] ^= 0x10;
            }
            let mut open = Nca4Batch::with_level(true, level);
            let opened = run(&mut open, &inputs, &mut data, &mut tags);
            assert_eq!(opened, Err(Error::Authentication), "{level}, {count}");
            for (i, [.., plain]) in inputs.iter().enumerate() {
                let zeros = vec![0; plain.len()];
                let wanted = if i % 5 == 0 { &zeros } else { plain };
                assert_eq!(&data[i], wanted, "{level}, {i} of {count}");
            }
            check_plain(level, &inputs);
        }
    }
}

fn run(
    batch: &mut dyn BatchCipher,
    inputs: &[Inputs],
    data: &mut [Vec<u8>],
    tags: &mut [[u8; 16]],
) -> Result<(), Error> {
    let parts = inputs.iter().zip(data.iter_mut().zip(tags.iter_mut()));
    let mut packets: Vec<Packet<'_>> = parts
        .map(|([key, iv, aad, _], (data, tag))| {
            Packet::aead(key, iv, aad, data.as_mut_slice().into(), tag)
        })
        .collect();
    batch.apply(&mut packets)
}

/// Keystreams, buffer to buffer, and tags alone.
fn check_plain(level: Level, inputs: &[Inputs]) {
    let mut output: Vec<Vec<u8>> = inputs.iter().map(|[.., data]| vec![0xa5; data.len()]).collect();
    let mut packets: Vec<Packet<'_>> = inputs
        .iter()
        .zip(&mut output)
        .map(|([key, iv, _, data], out)| Packet::new(key, iv, InOut::disjoint(data, out).unwrap()))
        .collect();
    SnowBatch::<OfSnow5g>::with_level(level).apply(&mut packets).unwrap();
    let mut tags = vec![[0; 5]; inputs.len()];
    let mut packets: Vec<Packet<'_>> = inputs
        .iter()
        .zip(&mut tags)
        .map(|([key, iv, aad, _], tag)| Packet::mac(key, iv, aad, tag))
        .collect();
    Nia4Batch::with_level(level).apply(&mut packets).unwrap();
    for (i, [key, iv, aad, data]) in inputs.iter().enumerate() {
        let mut expected = keystream(&SNOW_5G, &fixed(key), &fixed(iv), data.len());
        expected.iter_mut().zip(data).for_each(|(byte, data)| *byte ^= data);
        assert_eq!(output[i], expected, "{level}, message {i}");
        let tag = nca4(&fixed(key), &fixed(iv), aad, &[], 5).1;
        assert_eq!(tags[i][..], tag, "{level}, message {i}");
    }
}

#[test]
fn assumed_ivs_are_those_of_the_other_families() {
    let (key, mut data, mut other) = ([7; 32], *b"a packet", *b"a packet");
    let (count, bearer) = (Count(0x0102_0304), Bearer::new(31).unwrap());
    let mut iv = [0; 16];
    iv[1..6].copy_from_slice(&[0x3f, 1, 2, 3, 4]);
    let nea4 = Nea4::assuming(&key, count, bearer, Direction::Downlink).unwrap();
    nea4.apply((&mut data[..]).into()).unwrap();
    Snow5g::new(&key, &iv).unwrap().apply(&mut other).unwrap();
    assert_eq!(data, other);
    let mut nia4 = Nia4::assuming(&key, count, bearer, Direction::Downlink, 4).unwrap();
    let mut tag = [0; 4];
    nia4.finish(&mut tag).unwrap();
    let nca4 = Nca4::new(&key).unwrap().with_tag_len(5).unwrap();
    iv[0] = 44;
    assert_eq!(nca4.assumed_nonce(count, bearer, Direction::Downlink), iv);
    iv[0] = 32;
    Nia4::new(&key, &iv).unwrap().with_tag_len(4).unwrap().verify(&tag).unwrap();
}

#[test]
fn wrong_lengths_are_named_and_nothing_is_written() {
    let text = |error: Error| error.to_string();
    let nca4 = Nca4::new(&[1; 32]).unwrap();
    let mut data = [0x77; 5];
    let mut seal = |nonce: &[u8], tag: &mut [u8]| {
        let error = nca4.seal(nonce, &[], (&mut data[..]).into(), tag).unwrap_err();
        assert_eq!(data, [0x77; 5]);
        text(error)
    };
    assert_eq!(seal(&[0; 12], &mut [0; 16]), "nonce of 12 bytes; allowed: 16 bytes");
    assert_eq!(seal(&[0; 16], &mut [0; 8]), "tag of 8 bytes; allowed: 16 bytes");
    let tag = Nca4::new(&[1; 32]).unwrap().with_tag_len(3).err().map(text);
    assert_eq!(tag.as_deref(), Some("tag of 3 bytes; allowed: 4 to 16 bytes"));
    assert_eq!(
        text(Nia4::new(&[0; 16], &[0; 16]).unwrap_err()),
        "key of 16 bytes; allowed: 32 bytes"
    );
    assert!(SnowVGcm::new(&[1; 32]).unwrap().with_tag_len(12).is_err());
}

/// Traces of the initialisation and plain keystreams included.
#[test]
fn no_group_of_the_published_vectors_is_left_out() {
    let files = vectors::all().unwrap();
    let plan = vectors::verify::Plan::new(&[], &files);
    let summary = plan.run(&[], &mut |_| ());
    let left: Vec<_> =
        summary.not_implemented.iter().filter(|it| it.file.starts_with("snow")).collect();
    assert!(left.is_empty(), "{left:?}");
}
