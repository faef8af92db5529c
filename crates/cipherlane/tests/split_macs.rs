//! Every MAC of the registry, at every level: any split of any message gives the tag of one
//! call, and an object serves many messages.

use cipherlane::registry::{ALGORITHMS, Kind, operations};
use cipherlane::{Level, Mac};
use model::random::SplitMix64;

/// The tag of a message in pieces that end at `ends`.
fn tag(mac: &mut dyn Mac, iv: &[u8], data: &[u8], ends: &[usize]) -> Vec<u8> {
    mac.reset(iv).unwrap();
    mac.announce(data.len() as u64).unwrap();
    let mut start = 0;
    for &end in ends.iter().chain([&data.len()]) {
        mac.update(&data[start..end]).unwrap();
        start = end;
    }
    let mut tag = vec![0; mac.tag_sizes().max];
    mac.finish(&mut tag).unwrap();
    tag
}

fn for_each(check: impl Fn(&str, &[u8], &mut dyn Mac)) {
    for algorithm in ALGORITHMS.iter().filter(|it| it.block().is_some()) {
        for entry in operations(algorithm).filter(|it| it.kind == Kind::Mac) {
            let mut random = SplitMix64::new(2);
            let (key, iv) = (random.bytes(entry.key.max), random.bytes(entry.usual_iv));
            for level in Level::available() {
                let mut mac = entry.mac(&key, &iv, level).unwrap();
                check(&format!("{entry:?}, {level}"), &iv, &mut *mac);
            }
        }
    }
}

#[test]
fn every_cut_in_two() {
    for_each(|name, iv, mac| {
        for len in (0..=50).chain([128, 300]) {
            let data = SplitMix64::new(len as u64).bytes(len);
            let expected = tag(mac, iv, &data, &[]);
            for cut in 0..=len {
                assert_eq!(tag(mac, iv, &data, &[cut]), expected, "{name}, {len} bytes, {cut}");
            }
        }
    });
}

#[test]
fn random_cuts_of_longer_messages() {
    for_each(|name, iv, mac| {
        let edges = [512, 1024, 2048, 4096];
        let around = edges.into_iter().flat_map(|edge| [edge - 1, edge, edge + 1, edge + 15]);
        for len in around.chain((60..3100).step_by(211)) {
            let mut random = SplitMix64::new(len as u64);
            let data = random.bytes(len);
            let expected = tag(mac, iv, &data, &[]);
            for _ in 0..3 {
                let mut ends: Vec<usize> =
                    (0..random.below(9)).map(|_| random.below(len + 1)).collect();
                ends.sort_unstable();
                assert_eq!(tag(mac, iv, &data, &ends), expected, "{name}, {len} bytes, {ends:?}");
            }
            if len > 0 {
                let mut other = data.clone();
                let at = random.below(len);
                other[at] ^= 1;
                assert_ne!(tag(mac, iv, &other, &[]), expected, "{name}, byte {at} of {len}");
            }
        }
    });
}
