//! Loads, stores and what moves between groups.

use lanes::{Isa, Level, dispatch_sm4};

use super::bytes;

#[test]
fn blocks_are_loaded_one_after_another() {
    fn together<I: Isa>(isa: I, blocks: [&[u8; 16]; 4]) -> Vec<u8> {
        let mut out = vec![0; I::BYTES];
        isa.store(isa.load_blocks(blocks), &mut out);
        out
    }
    let bytes = bytes(11, 64);
    let (blocks, _) = bytes.as_chunks::<16>();
    let blocks = [&blocks[0], &blocks[1], &blocks[2], &blocks[3]];
    for level in Level::available() {
        let whole = dispatch_sm4!(level, isa => together(isa, blocks));
        assert_eq!(whole, bytes[..level.register_bytes()], "{level}");
    }
}

#[test]
fn blocks_are_stored_one_after_another_where_there_are_places() {
    fn apart<I: Isa>(isa: I, bytes: &[u8], blocks: [Option<&mut [u8; 16]>; 4]) {
        isa.store_blocks(isa.load(bytes), blocks);
    }
    for level in Level::available() {
        let bytes = bytes(12, 64);
        let groups = level.register_bytes() / 16;
        for places in 0..16 {
            let mut out = [[0; 16]; 4];
            let mut blocks = out.each_mut().map(Some);
            for (i, block) in blocks.iter_mut().enumerate() {
                if places >> i & 1 == 0 {
                    *block = None;
                }
            }
            dispatch_sm4!(level, isa => apart(isa, &bytes, blocks));
            for (i, (block, stored)) in bytes.as_chunks().0.iter().zip(&out).enumerate() {
                let there = places >> i & 1 == 1 && i < groups;
                assert_eq!(stored, if there { block } else { &[0; 16] }, "{level}, {i}");
            }
        }
    }
}

#[test]
fn the_lowest_lanes_are_the_first_bytes() {
    fn low<I: Isa>(isa: I, bytes: &[u8]) -> (u64, u32) {
        let v = isa.load(bytes);
        (isa.low64(v), isa.low32(v))
    }
    for level in Level::available() {
        let bytes = bytes(7, level.register_bytes());
        let (low64, low32) = dispatch_sm4!(level, isa => low(isa, &bytes));
        assert_eq!(low64.to_le_bytes(), bytes[..8], "{level}");
        assert_eq!(low32.to_le_bytes(), bytes[..4], "{level}");
    }
}

#[test]
fn groups_are_summed_into_the_lowest() {
    fn sum<I: Isa>(isa: I, bytes: &[u8]) -> Vec<u8> {
        let mut out = vec![0; I::BYTES];
        isa.store(isa.xor_groups(isa.load(bytes)), &mut out);
        out
    }
    for level in Level::available() {
        let bytes = bytes(8, level.register_bytes());
        let mut expected = vec![0; bytes.len()];
        for (i, byte) in bytes.iter().enumerate() {
            expected[i % 16] ^= byte;
        }
        assert_eq!(dispatch_sm4!(level, isa => sum(isa, &bytes)), expected, "{level}");
    }
}

#[test]
fn groups_are_transposed_in_squares() {
    fn transposed<I: Isa>(isa: I, bytes: &[u8]) -> Vec<u8> {
        let mut registers = [isa.zero(); 4];
        for (i, register) in registers.iter_mut().enumerate() {
            *register = isa.load(&bytes[i * I::BYTES..]);
        }
        let mut out = vec![0; 4 * I::BYTES];
        for (i, register) in isa.transpose_groups(registers).into_iter().enumerate() {
            isa.store(register, &mut out[i * I::BYTES..]);
        }
        out
    }
    for level in Level::available() {
        let n = level.register_bytes() / 16;
        let bytes = bytes(9, 4 * 16 * n);
        let got = dispatch_sm4!(level, isa => transposed(isa, &bytes));
        let group = |of: &[u8], register: usize, group: usize| {
            of[16 * (register * n + group)..][..16].to_vec()
        };
        for register in 0..4 {
            for column in 0..n {
                let wanted = group(&bytes, register / n * n + column, register % n);
                assert_eq!(group(&got, register, column), wanted, "{level}");
            }
        }
    }
}

#[test]
fn one_group_is_loaded_below_zeros_and_stored_alone() {
    fn round_trip<I: Isa>(isa: I, bytes: &[u8; 16], full: &[u8]) -> (Vec<u8>, [u8; 16]) {
        let mut whole = vec![0xee; I::BYTES];
        isa.store(isa.load128(bytes), &mut whole);
        let mut low = [0; 16];
        isa.store128(isa.load(full), &mut low);
        (whole, low)
    }
    for level in Level::available() {
        let full = bytes(10, level.register_bytes());
        let group = *bytes(11, 16).first_chunk().unwrap();
        let (whole, low) = dispatch_sm4!(level, isa => round_trip(isa, &group, &full));
        assert_eq!(whole[..16], group, "{level}");
        assert!(whole[16..].iter().all(|&byte| byte == 0), "{level}: zeros behind");
        assert_eq!(low, full[..16], "{level}");
    }
}

#[test]
fn partial_loads_and_stores_touch_exactly_their_bytes() {
    fn round_trip<I: Isa>(isa: I, data: &[u8], out: &mut [u8]) -> Vec<u8> {
        let loaded = isa.load_part(data);
        isa.store_part(loaded, out);
        let mut whole = vec![0; I::BYTES];
        isa.store(loaded, &mut whole);
        whole
    }
    for level in Level::available() {
        let n = level.register_bytes();
        for len in 0..=n + 3 {
            let data = bytes(len as u64, len);
            let mut out = vec![0xee; n + 8];
            let (inside, _) = out.split_at_mut(len);
            let whole = dispatch_sm4!(level, isa => round_trip(isa, &data, inside));
            let filled = len.min(n);
            assert_eq!(whole[..filled], data[..filled], "{level}, {len} bytes");
            assert!(whole[filled..].iter().all(|&b| b == 0), "{level}, {len} bytes: zeros behind");
            assert_eq!(out[..filled], data[..filled], "{level}, {len} bytes");
            assert!(
                out[filled..].iter().all(|&b| b == 0xee),
                "{level}, {len} bytes: nothing behind"
            );
        }
    }
}

#[test]
fn loads_anywhere_have_zeros_outside() {
    fn load<I: Isa>(isa: I, data: &[u8], from: isize) -> Vec<u8> {
        let mut whole = vec![0xee; I::BYTES];
        isa.store(isa.load_at(data, from), &mut whole);
        whole
    }
    for level in Level::available() {
        let n = level.register_bytes();
        for len in 0..=2 * n + 1 {
            let data = bytes(len as u64, len);
            for from in -(n as isize) - 2..=(len + n) as isize {
                let expected: Vec<u8> = (from..from + n as isize)
                    .map(|i| usize::try_from(i).ok().and_then(|i| data.get(i)).copied())
                    .map(Option::unwrap_or_default)
                    .collect();
                let got = dispatch_sm4!(level, isa => load(isa, &data, from));
                assert_eq!(got, expected, "{level}, {len} bytes from {from}");
            }
        }
    }
}
