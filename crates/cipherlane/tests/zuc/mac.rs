//! MACs against the model: lengths in bits, splits in bytes and bits, misuse.

use cipherlane::zuc::mac::{Authenticates, Zuc128Mac, Zuc256Mac, Zuc256MacOf2023, ZucMac};
use cipherlane::{Error, Level, Mac, Sizes};
use model::random::SplitMix64;
use model::zuc256::Version;
use model::{eia3, zuc256};

/// Feeds bits in pieces whose lengths `next` gives, and ends the message.
fn in_pieces<M: Authenticates>(
    mac: &mut ZucMac<M>,
    message: &[u8],
    bits: usize,
    mut next: impl FnMut() -> usize,
) -> Vec<u8> {
    let mut at = 0;
    while at < bits {
        let n = next().min(bits - at);
        // The piece, moved to a whole byte.
        let piece: Vec<u8> = (0..n.div_ceil(8))
            .map(|i| {
                let bit = |j: usize| message.get(j / 8).map_or(0, |byte| byte >> (7 - j % 8) & 1);
                (0..8).fold(0, |byte, j| byte << 1 | bit(at + 8 * i + j))
            })
            .collect();
        mac.update_bits(&piece, n as u64).unwrap();
        at += n;
    }
    let mut tag = vec![0; mac.tag_sizes().max];
    mac.finish(&mut tag).unwrap();
    tag
}

fn agree<M: Authenticates>(
    place: &str,
    random: &mut SplitMix64,
    mac: &mut ZucMac<M>,
    (iv, message): (&[u8], &[u8]),
    bits: usize,
    expected: &[u8],
) {
    let most = [8, 130, 1024, 9000][random.below(4)];
    assert_eq!(in_pieces(mac, message, bits, || bits), expected, "{place}, {bits} bits at once");
    mac.reset(iv).unwrap();
    let split = in_pieces(mac, message, bits, || random.below(most));
    assert_eq!(split, expected, "{place}, {bits} bits in pieces below {most}");
    mac.reset(iv).unwrap();
    let bytes = in_pieces(mac, message, bits, || 8 * random.below(most / 8 + 2));
    assert_eq!(bytes, expected, "{place}, {bits} bits in pieces of whole bytes");
    mac.reset(iv).unwrap();
    mac.update_bits(message, bits as u64).unwrap();
    mac.verify(expected).unwrap();
    if bits.is_multiple_of(8) {
        mac.reset(iv).unwrap();
        mac.update(&message[..bits / 8]).unwrap();
        let mut wrong = expected.to_vec();
        wrong[random.below(expected.len())] ^= 1 << random.below(8);
        assert_eq!(mac.verify(&wrong), Err(Error::Authentication), "{place}");
    }
}

/// A length in bits: all the short ones, then some.
fn length(random: &mut SplitMix64, round: usize) -> usize {
    if round < 400 { round } else { random.below(12_000) }
}

#[test]
fn eia3_equals_the_model() {
    for round in 0..460 {
        let mut random = SplitMix64::new(round as u64);
        let bits = length(&mut random, round);
        let (key, iv) = (random.bytes(16), random.bytes(16));
        let message = random.bytes(bits.div_ceil(8));
        let [k, i] = [&key, &iv].map(|it| it.as_slice().try_into().unwrap());
        let expected = eia3::mac(k, i, &message, bits);
        for level in Level::available() {
            let mut mac = Zuc128Mac::with_level(&key, &iv, 4, level).unwrap();
            let place = format!("128-EIA3, {level}, seed {round}");
            agree(&place, &mut random, &mut mac, (&iv, &message), bits, &expected);
        }
    }
}

#[test]
fn zuc_256_macs_equal_the_model() {
    for round in 0..460 {
        let mut random = SplitMix64::new(round as u64);
        let bits = length(&mut random, round);
        let (key, iv) = (random.bytes(32), random.bytes(23));
        let message = random.bytes(bits.div_ceil(8));
        let k = key.as_slice().try_into().unwrap();
        for tag in [4, 8, 16] {
            let of = |version, iv| zuc256::mac(version, k, iv, (&message, bits), 8 * tag);
            let (of_2018, of_2023) = (of(Version::Y2018, &iv), of(Version::Y2023, &iv[..16]));
            for level in Level::available() {
                let place = format!("{} bits of tag, {level}, seed {round}", 8 * tag);
                let mut mac = Zuc256Mac::with_level(&key, &iv, tag, level).unwrap();
                agree(&place, &mut random, &mut mac, (&iv, &message), bits, &of_2018);
                let mut mac = Zuc256MacOf2023::with_level(&key, &iv[..16], tag, level).unwrap();
                agree(&place, &mut random, &mut mac, (&iv[..16], &message), bits, &of_2023);
            }
        }
    }
}

#[test]
fn reset_takes_another_iv_and_a_failed_one_changes_nothing() {
    for level in Level::available() {
        let fresh = |iv: u8| {
            let mut mac = Zuc256MacOf2023::with_level(&[7; 32], &[iv; 16], 16, level).unwrap();
            let mut tag = [0; 16];
            mac.update(&[3; 99]).unwrap();
            mac.finish(&mut tag).unwrap();
            tag
        };
        let mut mac = Zuc256MacOf2023::with_level(&[7; 32], &[1; 16], 16, level).unwrap();
        mac.update(&[3; 90]).unwrap();
        let allowed = Sizes::exactly(16);
        assert_eq!(mac.reset(&[1; 15]), Err(Error::Length { field: "iv", got: 15, allowed }));
        mac.update(&[3; 9]).unwrap();
        mac.verify(&fresh(1)).unwrap();
        mac.reset(&[2; 16]).unwrap();
        mac.update(&[3; 99]).unwrap();
        mac.verify(&fresh(2)).unwrap();
    }
}

#[test]
fn the_mac_of_2018_stops_where_its_keystream_must() {
    for (tag, limit) in [(4, 19_936), (8, 19_872), (16, 19_744)] {
        let past = Err(Error::Limit { what: "bits of one message", limit });
        let data = vec![0x5a; 3000];
        let mut mac = Zuc256Mac::new(&[7; 32], &[1; 23], tag).unwrap();
        assert_eq!(mac.update(&data), past);
        mac.update_bits(&data, limit - 3).unwrap();
        assert_eq!(mac.update_bits(&data, 4), past);
        mac.update_bits(&data, 3).unwrap();
        let mut whole = vec![0; tag];
        mac.finish(&mut whole).unwrap();
        let mut unlimited = Zuc256Mac::unlimited(&[7; 32], &[1; 23], tag, Level::best()).unwrap();
        unlimited.update_bits(&data, limit - 3).unwrap();
        unlimited.update_bits(&data, 3).unwrap();
        unlimited.verify(&whole).unwrap();
        unlimited.reset(&[2; 23]).unwrap();
        unlimited.update(&data).unwrap();
    }
}

#[test]
fn wrong_sizes_are_named() {
    let text = |result: Result<Zuc256Mac, Error>| result.unwrap_err().to_string();
    let make = |key: usize, iv: usize, tag| Zuc256Mac::new(&vec![0; key], &vec![0; iv], tag);
    assert_eq!(text(make(31, 23, 4)), "key of 31 bytes; allowed: 32 bytes");
    assert_eq!(text(make(32, 24, 4)), "iv of 24 bytes; allowed: 23 to 25 in steps of 2 bytes");
    assert_eq!(text(make(32, 23, 12)), "tag of 12 bytes; allowed: 4, 8, 16 bytes");
    assert_eq!(text(make(32, 23, 5)), "tag of 5 bytes; allowed: 4, 8, 16 bytes");
    assert!(Zuc128Mac::new(&[0; 16], &[0; 16], 8).is_err());
    let mut mac = make(32, 23, 4).unwrap();
    let max = 16;
    let short = Err(Error::Value { field: "length in bits", got: 17, min: 0, max });
    assert_eq!(mac.update_bits(&[0; 2], 17), short);
    let allowed = Sizes::exactly(4);
    assert_eq!(mac.finish(&mut [0; 8]), Err(Error::Length { field: "tag", got: 8, allowed }));
}
