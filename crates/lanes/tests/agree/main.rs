//! Every operation at every level of this CPU gives what `portable` gives.
//!
//! A register is looked at in its 128-bit groups: no operation but `xor_groups`
//! moves anything across them, so each group must be what the portable level
//! makes of it.

mod moving;
mod numbers;

use lanes::{Isa, Level, Portable, Registers as _, dispatch_sm4};

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

/// As `TABLE`, of 64 entries of 16 bits.
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
