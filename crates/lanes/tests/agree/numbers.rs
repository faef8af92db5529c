//! Lanes as numbers, against integers.

use lanes::{Level, Portable};

use super::{ROWS, TABLE, TABLE16, apply, bytes, check};

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
