//! Every value of every byte of a block, a key and an IV, in every lane, at every level: whatever
//! a kernel does byte by byte, S-boxes above all, is so tried on all its inputs.

use cipherlane::Level;
use cipherlane::batch::Packet;
use cipherlane::registry::{ALGORITHMS, New, Operation, operations};
use model::effort::stride;
use model::random::SplitMix64;
use model::table;

/// Lanes of the widest tile.
const LANES: usize = 64;
/// A row has one block more than there are values, so that in as many rows as there are lanes
/// each value comes by each lane.
const ROW: usize = 257;

#[test]
fn blocks_of_every_byte_in_every_lane() {
    for algorithm in ALGORITHMS {
        let New::Block { new, block, .. } = algorithm.new else { continue };
        let mut random = SplitMix64::new(9);
        let (key, base) = (random.bytes(algorithm.key.max), random.bytes(block));
        let cipher = table::block_cipher(algorithm.name, &key).expect(algorithm.name);
        for place in 0..block {
            let plain = |i: usize| {
                let mut plain = base.clone();
                plain[place] ^= (i % ROW) as u8;
                plain
            };
            let row: Vec<u8> = (0..ROW).flat_map(plain).collect();
            let once: Vec<u8> = row.chunks(block).flat_map(|it| (cipher.encrypt)(it)).collect();
            let rows = LANES.div_ceil(stride());
            let (plain, sealed) = (row.repeat(rows), once.repeat(rows));
            for level in Level::available() {
                let it = new(&key, level).unwrap();
                let mut data = plain.clone();
                it.encrypt_blocks(data.as_mut_slice().into(), None, None);
                assert!(data == sealed, "{} byte {place} at {level}", algorithm.name);
                it.decrypt_blocks(data.as_mut_slice().into(), None, None);
                assert!(data == plain, "{} byte {place} back at {level}", algorithm.name);
            }
        }
    }
}

#[test]
fn keys_and_ivs_of_every_byte_side_by_side() {
    // One whole block, or less.
    const LEN: usize = 16;
    for algorithm in ALGORITHMS {
        // Modes with keys of their own have no model here.
        let plain = |it: &Operation| it.tag.max == 0 && it.key.max == algorithm.key.max;
        for batch in operations(algorithm).filter(plain) {
            let mut random = SplitMix64::new(5);
            let (key, data) = (random.bytes(batch.key.max), random.bytes(LEN));
            let iv = table::random_iv(algorithm.name, &mut random, batch.usual_iv);
            let expect = |key: &[u8], iv: &[u8]| match algorithm.new {
                New::Block { .. } => {
                    let cipher = table::block_cipher(algorithm.name, key)?;
                    table::operation(batch.name, &cipher, iv, &data)
                }
                New::Stream { .. } if batch.name == cipherlane::registry::KEYSTREAM => {
                    let bytes = table::keystream(algorithm.name, key, iv, LEN)?;
                    Some(bytes.iter().zip(&data).map(|(a, b)| a ^ b).collect())
                }
                New::Stream { .. } => None,
            };
            if !batch.data.allow(LEN) || expect(&key, &iv).is_none() {
                continue;
            }
            // Of the operations of one cipher all share the key schedule: one place each.
            let places: Vec<usize> = match algorithm.new {
                New::Block { .. } => vec![batch.name.len() % key.len()],
                New::Stream { .. } => (0..key.len() + iv.len()).collect(),
            };
            for place in places.into_iter().step_by(stride()) {
                let changed = |value: u8| {
                    let (mut key, mut iv) = (key.clone(), iv.clone());
                    match place.checked_sub(key.len()) {
                        None => key[place] = value,
                        Some(place) => iv[place] = value,
                    }
                    (key, iv)
                };
                let inputs: Vec<_> = (0..=255).map(changed).collect();
                // Some bytes of an IV have fewer bits than eight.
                let allowed = |(key, iv): &&(Vec<u8>, Vec<u8>)| {
                    let mut data = data.clone();
                    let mut packet = [Packet::new(key, iv, data.as_mut_slice().into())];
                    batch.fresh(Level::portable()).unwrap().apply(&mut packet).is_ok()
                };
                let inputs: Vec<_> = inputs.iter().filter(allowed).collect();
                let expected: Vec<_> = inputs.iter().map(|(key, iv)| expect(key, iv)).collect();
                for level in Level::available() {
                    let mut outputs = vec![data.clone(); inputs.len()];
                    let pairs = inputs.iter().zip(&mut outputs);
                    let mut packets: Vec<_> = pairs
                        .map(|((key, iv), out)| Packet::new(key, iv, out.as_mut_slice().into()))
                        .collect();
                    batch.fresh(level).unwrap().apply(&mut packets).unwrap();
                    for (value, (got, expected)) in outputs.iter().zip(&expected).enumerate() {
                        let what = || format!("{}/{} {value}", algorithm.name, batch.name);
                        assert_eq!(Some(got), expected.as_ref(), "{} {place} {level}", what());
                    }
                }
            }
        }
    }
}
