//! Every operation at every level of this CPU gives what `portable` gives.
//!
//! A register is looked at in its 128-bit groups: no operation but `xor_groups`
//! moves anything across them, so each group must be what the portable level
//! makes of it.

use lanes::{Isa, Level, Portable, dispatch_sm4};

/// Deterministic bytes, none of them special (SplitMix64).
fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed;
    let mut word = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    };
    let mut out: Vec<u8> = (0..count.div_ceil(8)).flat_map(|_| word().to_le_bytes()).collect();
    out.truncate(count);
    out
}

/// A table without symmetry.
const TABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = (i as u8).wrapping_mul(0x6d).rotate_left(3) ^ 0x5a;
        i += 1;
    }
    table
};

/// The same of 64 entries of 16 bits.
/// Rows in which every group of 16 bytes is the same, as the groups are compared one by one.
static ROWS: [[u8; 64]; 256] = {
    let mut rows = [[0; 64]; 256];
    let mut i = 0;
    while i < 256 * 64 {
        rows[i / 64][i % 64] = (i / 64 * 29 + i % 16 * 83) as u8;
        i += 1;
    }
    rows
};

const TABLE16: [u16; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = (i as u16).wrapping_mul(0x9e6d).rotate_left(3) ^ 0x5a3c;
        i += 1;
    }
    table
};

/// Ones in the lowest two of four 32-bit lanes.
#[inline(always)]
fn lowest<I: Isa>(isa: I) -> I::V {
    isa.splat128(&u128::from(u64::MAX).to_le_bytes())
}

macro_rules! operations {
    ($call:ident) => {
        $call!(xor | isa, a, b, c | isa.xor(a, b));
        $call!(xor3 | isa, a, b, c | isa.xor3(a, b, c));
        $call!(and | isa, a, b, c | isa.and(a, b));
        $call!(or | isa, a, b, c | isa.or(a, b));
        $call!(select | isa, a, b, c | isa.select(a, b, c));
        $call!(zero | isa, a, b, c | isa.zero());
        $call!(splat8 | isa, a, b, c | isa.splat8(0x9d));
        $call!(splat32 | isa, a, b, c | isa.splat32(0x9d2c_56f1));
        $call!(splat64 | isa, a, b, c | isa.splat64(0x9d2c_56f1_0b8e_447a));
        $call!(
            splat128 | isa,
            a,
            b,
            c | isa.splat128(&[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3])
        );
        $call!(add8 | isa, a, b, c | isa.add8(a, b));
        $call!(less8 | isa, a, b, c | isa.less8(a, b));
        $call!(less8_of_equals | isa, a, b, c | isa.less8(a, a));
        $call!(shr8_0 | isa, a, b, c | isa.shr8::<0>(a));
        $call!(shr8_4 | isa, a, b, c | isa.shr8::<4>(a));
        $call!(shr8_7 | isa, a, b, c | isa.shr8::<7>(a));
        $call!(splat16 | isa, a, b, c | isa.splat16(0x9d2c));
        $call!(add16 | isa, a, b, c | isa.add16(a, b));
        $call!(sub16 | isa, a, b, c | isa.sub16(a, b));
        $call!(mullo16 | isa, a, b, c | isa.mullo16(a, b));
        $call!(mulhi16 | isa, a, b, c | isa.mulhi16(a, b));
        $call!(less16 | isa, a, b, c | isa.less16(a, b));
        $call!(min_u16 | isa, a, b, c | isa.min_u16(a, b));
        $call!(sub_saturated16 | isa, a, b, c | isa.sub_saturated16(a, b));
        $call!(shr16_1 | isa, a, b, c | isa.shr16::<1>(a));
        $call!(shr16_15 | isa, a, b, c | isa.shr16::<15>(a));
        $call!(sign16 | isa, a, b, c | isa.sign16(a));
        $call!(less16_of_equals | isa, a, b, c | isa.less16(a, a));
        $call!(equal16 | isa, a, b, c | isa.equal16(isa.and(a, isa.splat16(0xff)), isa.zero()));
        $call!(equal16_of_equals | isa, a, b, c | isa.equal16(a, a));
        $call!(rol16_1 | isa, a, b, c | isa.rol16::<1>(a));
        $call!(rol16_5 | isa, a, b, c | isa.rol16::<5>(a));
        $call!(rol16_15 | isa, a, b, c | isa.rol16::<15>(a));
        $call!(rol16_by | isa, a, b, c | isa.rol16_by(a, b));
        $call!(rol32_by | isa, a, b, c | isa.rol32_by(a, b));
        $call!(rol32_by_none | isa, a, b, c | isa.rol32_by(a, isa.zero()));
        $call!(rol64_by | isa, a, b, c | isa.rol64_by(a, b));
        $call!(rol64_by_none | isa, a, b, c | isa.rol64_by(a, isa.zero()));
        $call!(lookup16 | isa, a, b, c | isa.lookup16(&TABLE16, a));
        $call!(pick32 | isa, a, b, c | isa.pick32(&ROWS, a));
        $call!(sub64 | isa, a, b, c | isa.sub64(a, b));
        $call!(add32 | isa, a, b, c | isa.add32(a, b));
        $call!(sub32 | isa, a, b, c | isa.sub32(a, b));
        $call!(max_i32 | isa, a, b, c | isa.max_i32(a, b));
        $call!(join16 | isa, a, b, c | isa.join16(a, b));
        $call!(across16 | isa, a, b, c | isa.across16(a, b));
        $call!(shld32_1 | isa, a, b, c | isa.shld32::<1>(a, b));
        $call!(shld32_16 | isa, a, b, c | isa.shld32::<16>(a, b));
        $call!(shld32_21 | isa, a, b, c | isa.shld32::<21>(a, b));
        $call!(shld32_31 | isa, a, b, c | isa.shld32::<31>(a, b));
        $call!(shl32_0 | isa, a, b, c | isa.shl32::<0>(a));
        $call!(shl32_9 | isa, a, b, c | isa.shl32::<9>(a));
        $call!(shl32_31 | isa, a, b, c | isa.shl32::<31>(a));
        $call!(shr32_0 | isa, a, b, c | isa.shr32::<0>(a));
        $call!(shr32_14 | isa, a, b, c | isa.shr32::<14>(a));
        $call!(shr32_31 | isa, a, b, c | isa.shr32::<31>(a));
        $call!(lookup8 | isa, a, b, c | isa.lookup8(&TABLE, a));
        $call!(add64 | isa, a, b, c | isa.add64(a, b));
        $call!(mul_low_halves | isa, a, b, c | isa.mul_low_halves(a, b));
        $call!(rol32_1 | isa, a, b, c | isa.rol32::<1>(a));
        $call!(rol32_2 | isa, a, b, c | isa.rol32::<2>(a));
        $call!(rol32_8 | isa, a, b, c | isa.rol32::<8>(a));
        $call!(rol32_16 | isa, a, b, c | isa.rol32::<16>(a));
        $call!(rol32_24 | isa, a, b, c | isa.rol32::<24>(a));
        $call!(rol32_31 | isa, a, b, c | isa.rol32::<31>(a));
        // Two lanes of four are promised.
        $call!(rol32_lowest_9 | isa, a, b, c | isa.and(isa.rol32_lowest::<9>(a), lowest(isa)));
        $call!(rol32_lowest_16 | isa, a, b, c | isa.and(isa.rol32_lowest::<16>(a), lowest(isa)));
        $call!(shl64_0 | isa, a, b, c | isa.shl64::<0>(a));
        $call!(shl64_7 | isa, a, b, c | isa.shl64::<7>(a));
        $call!(shl64_63 | isa, a, b, c | isa.shl64::<63>(a));
        $call!(shr64_0 | isa, a, b, c | isa.shr64::<0>(a));
        $call!(shr64_4 | isa, a, b, c | isa.shr64::<4>(a));
        $call!(shr64_63 | isa, a, b, c | isa.shr64::<63>(a));
        $call!(rol64_16 | isa, a, b, c | isa.rol64::<16>(a));
        $call!(rol64_32 | isa, a, b, c | isa.rol64::<32>(a));
        $call!(rol64_48 | isa, a, b, c | isa.rol64::<48>(a));
        $call!(shuffle8 | isa, a, b, c | isa.shuffle8(a, b));
        $call!(unpack_low8 | isa, a, b, c | isa.unpack_low8(a, b));
        $call!(unpack_high8 | isa, a, b, c | isa.unpack_high8(a, b));
        $call!(unpack_low32 | isa, a, b, c | isa.unpack_low32(a, b));
        $call!(unpack_high32 | isa, a, b, c | isa.unpack_high32(a, b));
        $call!(unpack_low64 | isa, a, b, c | isa.unpack_low64(a, b));
        $call!(unpack_high64 | isa, a, b, c | isa.unpack_high64(a, b));
        $call!(swap64 | isa, a, b, c | isa.swap64(a));
        $call!(align8_1 | isa, a, b, c | isa.align8::<1>(a, b));
        $call!(align8_6 | isa, a, b, c | isa.align8::<6>(a, b));
        $call!(align8_15 | isa, a, b, c | isa.align8::<15>(a, b));
        $call!(reverse8 | isa, a, b, c | isa.reverse8(a));
        $call!(clmul_low | isa, a, b, c | isa.clmul_low(a, b));
        $call!(clmul_high | isa, a, b, c | isa.clmul_high(a, b));
        $call!(aes_sub_bytes | isa, a, b, c | isa.aes_sub_bytes(a));
        $call!(affine8 | isa, a, b, c | isa.affine8::<0x4c28_7db9_1a22_505d, 0x3e>(a));
        $call!(
            affine8_pair | isa,
            a,
            b,
            c | isa.affine8_pair::<0x4c28_7db9_1a22_505d, 0xf3ab_34a9_74a6_b589>(a)
        );
        $call!(affine8_plain | isa, a, b, c | isa.affine8::<0xf3ab_34a9_74a6_b589, 0>(a));
        $call!(
            affine_inverse8 | isa,
            a,
            b,
            c | isa.affine_inverse8::<0xf3ab_34a9_74a6_b589, 0xd3>(a)
        );
        $call!(aes_encrypt_round | isa, a, b, c | isa.aes_encrypt_round(a, b));
        $call!(aes_encrypt_last | isa, a, b, c | isa.aes_encrypt_last(a, b));
        $call!(aes_decrypt_round | isa, a, b, c | isa.aes_decrypt_round(a, b));
        $call!(aes_decrypt_last | isa, a, b, c | isa.aes_decrypt_last(a, b));
        $call!(aes_inverse_mix_columns | isa, a, b, c | isa.aes_inverse_mix_columns(a));
        $call!(sm4_rounds | isa, a, b, c | isa.sm4_rounds(a, b));
        $call!(sm4_next_keys | isa, a, b, c | isa.sm4_next_keys(a, b));
        $call!(pin | isa, a, b, c | isa.pin(a));
    };
}

/// Applies operation `wanted` to registers made of `a`, `b`, `c`.
#[inline(always)]
fn apply<I: Isa>(isa: I, wanted: &str, a: &[u8], b: &[u8], c: &[u8]) -> Vec<u8> {
    let [a, b, c] = [a, b, c].map(|bytes| isa.load(bytes));
    let mut out = vec![0; I::BYTES];
    macro_rules! case {
        ($name:ident |$isa:ident, $a:ident, $b:ident, $c:ident| $call:expr) => {
            if wanted == stringify!($name) {
                let ($isa, $a, $b, $c) = (isa, a, b, c);
                let _ = ($a, $b, $c);
                isa.store($call, &mut out);
                return out;
            }
        };
    }
    operations!(case);
    panic!("no operation {wanted}");
}

fn names() -> Vec<&'static str> {
    let mut names = Vec::new();
    macro_rules! name {
        ($name:ident $($rest:tt)*) => {
            names.push(stringify!($name))
        };
    }
    operations!(name);
    names
}

fn check(level: Level, name: &str, a: &[u8], b: &[u8], c: &[u8]) {
    let got = dispatch_sm4!(level, isa => apply(isa, name, a, b, c));
    for (i, group) in got.chunks(16).enumerate() {
        let [a, b, c] = [a, b, c].map(|bytes| &bytes[16 * i..16 * i + 16]);
        assert_eq!(group, apply(Portable, name, a, b, c), "{name} at {level}, group {i}");
    }
}

#[test]
fn every_operation_at_every_level_equals_portable() {
    for level in Level::available() {
        let mut equal = 0;
        for name in names() {
            for seed in 0..50 {
                let n = level.register_bytes();
                check(
                    level,
                    name,
                    &bytes(3 * seed, n),
                    &bytes(3 * seed + 1, n),
                    &bytes(3 * seed + 2, n),
                );
                equal += 1;
            }
        }
        // `cargo xtask bochs` reads it.
        println!("answers at {level}: {equal} registers");
    }
}

/// Where the tests run under an emulator, the one who starts them says which levels it has.
#[test]
fn the_levels_that_are_promised_are_there() {
    let Ok(promised) = std::env::var("CIPHERLANE_TEST_LEVELS") else { return };
    let names: Vec<_> = Level::available().map(Level::name).collect();
    assert_eq!(names, promised.split(' ').collect::<Vec<_>>());
}

#[test]
fn byte_maps_are_right_for_all_256_bytes_in_every_place() {
    for level in Level::available() {
        let n = level.register_bytes();
        for name in [
            "aes_sub_bytes",
            "affine8",
            "affine8_plain",
            "affine8_pair",
            "affine_inverse8",
            "lookup8",
        ] {
            for shift in 0..=255u8 {
                let a: Vec<u8> =
                    (0..n).map(|i| (i as u8).wrapping_mul(5).wrapping_add(shift)).collect();
                check(level, name, &a, &a, &a);
            }
        }
    }
}

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
fn the_defaults_of_portable_are_what_their_names_say() {
    let [a, b] = [12, 13].map(|seed| bytes(seed, 16));
    let word = |bytes: &[u8], i: usize| u32::from_le_bytes(*bytes[4 * i..].first_chunk().unwrap());
    let check = |name: &str, wanted: fn(u32, u32) -> u32| {
        let got = apply(Portable, name, &a, &b, &b);
        for i in 0..4 {
            assert_eq!(word(&got, i), wanted(word(&a, i), word(&b, i)), "{name}");
        }
    };
    check("sub32", u32::wrapping_sub);
    check("max_i32", |a, b| a.cast_signed().max(b.cast_signed()).cast_unsigned());
    check("join16", |a, b| a >> 16 << 16 | b & 0xffff);
    check("across16", |a, b| a << 16 | b >> 16);
    check("shld32_21", |a, b| a << 21 | b >> 11);
    check("shl32_9", |a, _| a << 9);
    check("shr32_14", |a, _| a >> 14);
    check("rol32_by", |a, b| a.rotate_left(b & 31));
    let found = apply(Portable, "lookup8", &a, &b, &b);
    assert_eq!(found, a.iter().map(|&byte| TABLE[usize::from(byte)]).collect::<Vec<_>>());
}

#[test]
fn the_16_and_64_bit_lanes_of_portable_are_what_their_names_say() {
    for seed in 0..40 {
        let [a, b] = [2 * seed, 2 * seed + 1].map(|seed| bytes(seed, 16));
        let word = |x: &[u8], i: usize| u16::from_le_bytes(*x[2 * i..].first_chunk().unwrap());
        let check = |name: &str, wanted: fn(u16, u16) -> u16| {
            let got = apply(Portable, name, &a, &b, &b);
            for i in 0..8 {
                assert_eq!(word(&got, i), wanted(word(&a, i), word(&b, i)), "{name}");
            }
        };
        check("add16", u16::wrapping_add);
        check("sub16", u16::wrapping_sub);
        check("mullo16", u16::wrapping_mul);
        check("mulhi16", |a, b| ((u32::from(a) * u32::from(b)) >> 16) as u16);
        check("less16", |a, b| if a < b { 0xffff } else { 0 });
        check("min_u16", |a, b| a.min(b));
        check("sub_saturated16", |a, b| a.saturating_sub(b));
        check("shr16_1", |a, _| a >> 1);
        check("shr16_15", |a, _| a >> 15);
        check("sign16", |a, _| if a >> 15 == 1 { 0xffff } else { 0 });
        check("less16_of_equals", |_, _| 0);
        check("equal16_of_equals", |_, _| 0xffff);
        check("equal16", |a, _| if a & 0xff == 0 { 0xffff } else { 0 });
        check("rol16_1", |a, _| a.rotate_left(1));
        check("rol16_5", |a, _| a.rotate_left(5));
        check("rol16_15", |a, _| a.rotate_left(15));
        check("rol16_by", |a, b| a.rotate_left(u32::from(b & 15)));
        check("lookup16", |a, _| TABLE16[usize::from(a & 63)]);
        for (name, n) in [("align8_1", 1), ("align8_6", 6), ("align8_15", 15)] {
            let both = [&*b, &*a].concat();
            assert_eq!(apply(Portable, name, &a, &b, &b), both[n..n + 16], "{name}");
        }
        let picked = apply(Portable, "pick32", &a, &b, &b);
        for i in 0..16 {
            assert_eq!(picked[i], ROWS[usize::from(a[i / 4 * 4])][i]);
        }
        let long = |x: &[u8], i: usize| u64::from_le_bytes(*x[8 * i..].first_chunk().unwrap());
        let check = |name: &str, wanted: fn(u64, u64) -> u64| {
            let got = apply(Portable, name, &a, &b, &b);
            for i in 0..2 {
                assert_eq!(long(&got, i), wanted(long(&a, i), long(&b, i)), "{name}");
            }
        };
        check("sub64", u64::wrapping_sub);
        check("rol64_by", |a, b| a.rotate_left((b & 63) as u32));
    }
}

#[test]
fn comparison_of_16_bits_is_unsigned_at_the_edges() {
    for level in Level::available() {
        let n = level.register_bytes();
        let edges = [0u16, 1, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff];
        for x in edges.map(|x| x.to_le_bytes().repeat(n / 2)) {
            for y in edges.map(|y| y.to_le_bytes().repeat(n / 2)) {
                for name in ["less16", "min_u16", "sub_saturated16", "mullo16", "mulhi16"] {
                    check(level, name, &x, &y, &x);
                }
            }
        }
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
fn comparison_is_unsigned_at_the_edges() {
    for level in Level::available() {
        let n = level.register_bytes();
        for x in [0u8, 1, 127, 128, 129, 254, 255] {
            for y in [0u8, 1, 127, 128, 129, 254, 255] {
                check(level, "less8", &vec![x; n], &vec![y; n], &vec![0; n]);
            }
        }
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

#[test]
fn the_narrow_operations_of_every_level_equal_portable() {
    for level in Level::available() {
        for name in names() {
            for seed in 0..50 {
                let [a, b, c] = [0, 1, 2].map(|i| bytes(3 * seed + i, 16));
                let got = dispatch_sm4!(level, isa => apply(isa.narrow(), name, &a, &b, &c));
                assert_eq!(got, apply(Portable, name, &a, &b, &c), "{name} at {level}");
            }
        }
    }
}
