//! What the registry's tests can't see: the key schedules themselves, the three
//! lengths of one type, and batches wider than any tile.

use std::vec::Vec;

use lanes::{Isa, Level, dispatch_aes};

use super::{Aes, Aes128, Aes192, Aes256, formulation, key, round_keys};
use crate::error::Error;
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, Chain, ChainData, WholeMode};

/// FIPS 197, Appendix A: keys and the last round key of each.
const SCHEDULES: [(&str, u128); 3] = [
    ("2b7e151628aed2a6abf7158809cf4f3c", 0xd014_f9a8_c9ee_2589_e13f_0cc8_b663_0ca6),
    ("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", 0xe98b_a06f_448c_773c_8ecc_7204_0100_2202),
    (
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        0xfe48_90d1_e618_8d0b_046d_f344_706c_631e,
    ),
];

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |place: usize| u8::from_str_radix(&hex[place..place + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(digit).collect()
}

/// The last round key of the encryption, where a level keeps it in order.
#[inline(always)]
fn last_key<I: Isa>(isa: I, key: &[u8]) -> Option<[u8; 16]> {
    let mut keys = round_keys::RoundKeys::UNSET;
    key::expand(isa, key, &mut keys);
    (I::AES_BYTES != 0).then_some(*keys.encryption().last)
}

#[test]
fn the_schedules_of_appendix_a_end_as_printed() {
    let mut seen = 0;
    for (key, last) in SCHEDULES {
        let key = bytes(key);
        for level in Level::available() {
            if let Some(got) = dispatch_aes!(level, isa => last_key(isa, &key)) {
                assert_eq!(u128::from_be_bytes(got), last, "{level}");
                seen += 1;
            }
        }
    }
    let in_order = Level::available()
        .filter(|level| dispatch_aes!(*level, isa => formulation::describe(isa)) != "bit-sliced");
    assert_eq!(seen, SCHEDULES.len() * in_order.count());
}

#[test]
fn the_key_length_chooses_the_variant() {
    let key: Vec<u8> = (0..32).collect();
    for level in Level::available() {
        for (len, typed) in [
            (16, Aes::from(Aes128::with_level(&key[..16], level).unwrap())),
            (24, Aes::from(Aes192::with_level(&key[..24], level).unwrap())),
            (32, Aes::from(Aes256::with_level(&key, level).unwrap())),
        ] {
            let (mut a, mut b) = ([7; 16], [7; 16]);
            Aes::with_level(&key[..len], level).unwrap().encrypt_block(&mut a);
            typed.encrypt_block(&mut b);
            assert_eq!(a, b, "{level}, a key of {len} bytes");
        }
    }
}

#[test]
fn other_key_lengths_are_refused() {
    let allowed = Sizes::steps(16, 32, 8);
    for got in (0..40).filter(|len| ![16, 24, 32].contains(len)) {
        let error = Error::Length { field: "key", got, allowed };
        assert_eq!(Aes::new(&[0; 40][..got]).unwrap_err(), error);
    }
    let error = Error::Length { field: "key", got: 32, allowed: Sizes::exactly(16) };
    assert_eq!(Aes128::new(&[0; 32]).unwrap_err(), error);
}

/// More chains than lanes, of all lengths: every one as if it ran alone.
#[test]
fn a_hundred_chains_run_as_if_alone() {
    let data: Vec<Vec<u8>> = (0..100usize)
        .map(|i| (0..16 * (i * 7 % 23)).map(|j| (i * 31 + j) as u8).collect())
        .collect();
    for level in Level::available() {
        let aes = Aes::with_level(&[9; 32], level).unwrap();
        let run = |data: &mut [Vec<u8>]| {
            let mut values: Vec<[u8; 16]> = (0..data.len()).map(|i| [i as u8; 16]).collect();
            let mut chains: Vec<Chain<'_>> = data
                .iter_mut()
                .zip(&mut values)
                .map(|(data, value)| Chain {
                    value,
                    data: ChainData::Encrypt(data.as_mut_slice().into()),
                })
                .collect();
            aes.encrypt_chains(&mut chains);
            values
        };
        let mut together = data.clone();
        let values = run(&mut together);
        for (i, message) in data.iter().enumerate() {
            let mut value = [i as u8; 16];
            let mut alone = message.clone();
            let data = ChainData::Encrypt(alone.as_mut_slice().into());
            aes.encrypt_chains(&mut [Chain { value: &mut value, data }]);
            assert_eq!((&together[i], &values[i]), (&alone, &value), "{level}, chain {i}");
        }
    }
}

/// Every length up to two tiles and a bit, from numbers that wrap in the first block, in a tile or
/// not at all, against one block after another.
#[test]
fn blocks_numbered_otherwise_are_the_blocks_one_by_one() {
    const MOST: usize = 2 * 8 * 64 + 33;
    let data: [u8; MOST] = core::array::from_fn(|i| (i * 29) as u8);
    let firsts = [0, 1 << 127 | 0xffff_ffff, 0xffff_fff0, 0xffff_ff00 << 96 | 5, u128::MAX];
    for level in Level::available() {
        let aes = Aes::with_level(&[5; 16], level).unwrap();
        for (how, first) in [WholeMode::CtrLittle32, WholeMode::CtrMasked]
            .into_iter()
            .flat_map(|how| firsts.map(|first| (how, first)))
        {
            let block = |i: u32| match how {
                WholeMode::CtrLittle32 => {
                    let count = (first as u32).wrapping_add(i);
                    (first >> 32 << 32 | u128::from(count)).to_le_bytes()
                }
                _ => (first ^ u128::from(i + 1)).to_be_bytes(),
            };
            let start = match how {
                WholeMode::CtrLittle32 => first.to_le_bytes(),
                _ => first.to_be_bytes(),
            };
            let mut right = data;
            for (i, piece) in right.chunks_mut(16).enumerate() {
                let mut mask = block(i as u32);
                aes.encrypt_block(&mut mask);
                piece.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
            }
            for len in 0..MOST {
                let mut got = data;
                let done = aes.whole(how, &mut (&mut got[..len]).into(), &mut start.clone());
                let in_registers =
                    dispatch_aes!(level, isa => formulation::describe(isa)) != "bit-sliced";
                assert_eq!(done, in_registers, "{level}");
                let right = if done { &right[..len] } else { &data[..len] };
                assert_eq!((&got[..len], &got[len..]), (right, &data[len..]), "{level} {len}");
            }
        }
    }
}
