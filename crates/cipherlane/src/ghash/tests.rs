//! Powers that are made later.

#[cfg(not(target_family = "wasm"))]
use std::thread;
use std::vec::Vec;

use lanes::Level;

#[cfg(feature = "_air256")]
use super::Running;
use super::{BLOCK, Key, ONE_REPAYS_ALL, ONE_REPAYS_SOME, REPAID, State, powers};
use crate::secret::Wipe as _;

fn byte(i: usize) -> u8 {
    (i.wrapping_mul(0x9e37_79b9) >> 11) as u8
}

fn data(seed: usize, len: usize) -> Vec<u8> {
    (0..len).map(|i| byte(i + 977 * seed)).collect()
}

fn hash<const REVERSED: bool>(key: &Key<REVERSED>, data: &[u8]) -> [u8; BLOCK] {
    let mut state = Key::<REVERSED>::start();
    key.absorb(&mut state, &[data]);
    state.0
}

/// One block a call, for which no powers are made but the first.
fn by_blocks<const REVERSED: bool>(key: &Key<REVERSED>, data: &[u8]) -> [u8; BLOCK] {
    let mut state: State = Key::<REVERSED>::start();
    for block in data.chunks(BLOCK) {
        key.absorb(&mut state, &[block]);
    }
    state.0
}

fn has_grown<const REVERSED: bool>(key: &Key<REVERSED>) -> bool {
    key.powers.0.more().is_some()
}

/// Keys that take each other's place, with calls of many lengths in an order that
/// makes the powers now at once, now after many calls, now never.
fn grows<const REVERSED: bool>(level: Level) {
    let mut key = Key::<REVERSED>::unset(level);
    let mut grown = 0;
    for round in 0..24 {
        let h: [u8; BLOCK] = core::array::from_fn(|i| byte(i + 31 * round + 5));
        key.set(&h);
        assert!(!has_grown(&key), "powers of the key before, {level}");
        let plain = Key::<REVERSED>::new(&h, level);
        let lengths = [1, 15, 16, 255, 256, 272, 513, 700, 1024, 1500, 4096, 8 * 1024 + 7];
        for (i, len) in lengths.into_iter().cycle().skip(5 * round).take(3 + round).enumerate() {
            let data = data(round + i, len);
            let expected = by_blocks(&plain, &data);
            assert_eq!(hash(&key, &data), expected, "{len} bytes, call {i} at {level}");
            let copy = key.clone();
            assert_eq!(hash(&copy, &data), expected, "a copy, {len} bytes at {level}");
        }
        assert!(!has_grown(&plain), "single blocks repay nothing");
        grown += usize::from(has_grown(&key));
    }
    let wide = {
        let key = Key::<REVERSED>::new(&[7; BLOCK], level);
        hash(&key, &[1; REPAID * BLOCK]);
        has_grown(&key)
    };
    assert!(if wide { (1..24).contains(&grown) } else { grown == 0 }, "{grown} at {level}");
}

#[test]
fn powers_made_later_change_no_hash() {
    for level in Level::available() {
        grows::<true>(level);
        grows::<false>(level);
    }
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn threads_that_share_a_key_agree() {
    for level in Level::available() {
        for round in 0..if cfg!(miri) { 1 } else { 40 } {
            let h: [u8; BLOCK] = core::array::from_fn(|i| byte(i + 13 * round));
            let key = Key::<true>::new(&h, level);
            let data = data(round, (REPAID / 3) * BLOCK);
            let expected = by_blocks(&key, &data);
            thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        for _ in 0..6 {
                            assert_eq!(hash(&key, &data), expected, "{level}");
                        }
                    });
                }
            });
        }
    }
}

#[test]
fn few_powers_are_made_for_few_blocks() {
    for level in Level::available() {
        let mut key = Key::<false>::unset(level);
        for blocks in 1..ONE_REPAYS_ALL + 40 {
            key.set_for(&[blocks as u8; BLOCK], blocks);
            let data = data(blocks, blocks * BLOCK);
            assert_eq!(hash(&key, &data), by_blocks(&key, &data), "{blocks} at {level}");
        }
    }
}

/// One place for messages that are longer than the ones before, as a MAC with an IV has.
#[test]
fn powers_are_made_ready_for_longer_calls() {
    for level in Level::available() {
        let h = core::array::from_fn(|i| byte(i + 3));
        let plain = Key::<true>::new(&h, level);
        for steps in [&[3, 9, 40][..], &[5, 63, 64, 65, 300], &[70, 3, 200], &[8, 128, 2000]] {
            let mut key = Key::<true>::unset(level);
            key.set_for(&h, powers::EARLY / 2);
            for &blocks in steps {
                key.make_ready(blocks);
                let data = data(blocks, blocks * BLOCK - 5);
                assert_eq!(hash(&key, &data), by_blocks(&plain, &data), "{blocks} at {level}");
            }
        }
    }
}

/// Keys for calls of many lengths one after another in one place, each longer or shorter than the one
/// before, some of whose powers were made later.
#[test]
fn nothing_is_left_of_powers() {
    for level in Level::available() {
        let firsts = (1..=powers::EARLY).chain([ONE_REPAYS_SOME, ONE_REPAYS_ALL]);
        for first in firsts {
            for second in [usize::MAX, 1, powers::EARLY - 1, powers::EARLY, ONE_REPAYS_SOME, first]
            {
                let mut key = Key::<true>::unset(level);
                key.set_for(&[0xa5; BLOCK], first);
                assert!(key.powers.0.left() > 0, "{level}");
                key.set_for(&[0x5a; BLOCK], second);
                if second == usize::MAX {
                    hash(&key, &[1; REPAID * BLOCK]);
                }
                if first % 2 == 0 {
                    key.set_for(&[0x77; BLOCK], first);
                }
                key.powers.0.wipe();
                assert_eq!(key.powers.0.left(), 0, "{first}, then {second} at {level}");
            }
        }
    }
}

/// A hash under way is asked before each piece how many powers are worth it: only its speed would
/// tell a wrong answer.
#[cfg(feature = "_air256")]
#[test]
fn the_blocks_that_a_piece_fills_are_those_of_both_lengths_together() {
    let key = Key::<false>::new(&[3; BLOCK], Level::portable());
    for before in 0..3 * BLOCK {
        let mut running = Running::new();
        running.update(&key, &data(1, before));
        let lengths = (0..5 * BLOCK).chain([1000, usize::MAX - BLOCK, usize::MAX - 1, usize::MAX]);
        for bytes in lengths {
            let filled = (before as u128 + bytes as u128) / 16 - before as u128 / 16;
            assert_eq!(running.blocks_with(bytes) as u128, filled, "{bytes} behind {before}");
        }
    }
}
