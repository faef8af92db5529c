//! Batches of ZUC at every level against single streams.

use cipherlane::batch::{BatchCipher, Packet};
use cipherlane::zuc::{Key128, Zuc128, ZucBatch};
use cipherlane::{Level, StreamCipher};
use model::random::SplitMix64;

#[test]
fn mixed() {
    let mut random = SplitMix64::new(7);
    for level in Level::available() {
        let mut batch = ZucBatch::<Key128>::with_level(level);
        for count in 0..=33 {
            let keys: Vec<Vec<u8>> = (0..count).map(|_| random.bytes(16)).collect();
            let ivs: Vec<Vec<u8>> = (0..count).map(|_| random.bytes(16)).collect();
            let data: Vec<Vec<u8>> = (0..count).map(|i| { let n = random.below(if i % 3 == 0 {600} else {70}); random.bytes(n)}).collect();
            let mut got = data.clone();
            let mut packets: Vec<_> = got.iter_mut().enumerate().map(|(i, d)| Packet { key: &keys[i], iv: &ivs[i], io: d.as_mut_slice().into() }).collect();
            batch.apply(&mut packets).unwrap();
            for i in 0..count {
                let mut wanted = data[i].clone();
                Zuc128::with_level(&keys[i], &ivs[i], level).unwrap().apply(&mut wanted).unwrap();
                assert_eq!(got[i], wanted, "{level} {count} {i} {}", wanted.len());
            }
        }
    }
}
