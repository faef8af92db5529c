//! The IVs that the registry makes of a packet's numbers are those of the typed objects.
#![cfg(all(
    feature = "aes",
    feature = "snow3g",
    feature = "snow-v",
    feature = "zuc",
    feature = "std"
))]

use cipherlane::air::{Bearer, Count, Direction, Frame};
use cipherlane::registry::{self, Kind, Operation};

fn operation(name: &str) -> Operation {
    let mut all = registry::ALGORITHMS.iter().flat_map(registry::operations);
    all.find(|it| it.name == name).unwrap_or_else(|| panic!("{name} is registered"))
}

fn frames() -> impl Iterator<Item = Frame> {
    let numbers = [(0, 0, 0), (0xffff_ffff, 31, 1), (0x398a_59b4, 0x15, 1), (0x6603_5492, 15, 0)];
    numbers.into_iter().map(|(count, bearer, direction)| {
        Frame::new(Count(count), Bearer::new(bearer).unwrap(), Direction::new(direction).unwrap())
    })
}

#[test]
fn the_specified_ones_are_those_of_the_frame() {
    for frame in frames() {
        let iv = |name: &str| {
            let operation = operation(name);
            assert!(!operation.assumes_air_iv(), "{name}");
            operation.air_iv(frame).expect("of 3GPP").expect("an IV").to_vec()
        };
        assert_eq!(iv("nea1"), frame.nea1_iv());
        assert_eq!(iv("nia1"), frame.nia1_iv());
        assert_eq!(iv("nea1+nia1"), frame.nea1_nia1_ivs());
        assert_eq!(iv("nea1+nia1-open"), frame.nea1_nia1_ivs());
        assert_eq!(iv("nea2"), frame.nea2_counter());
        assert_eq!(iv("nia2"), frame.nia2_iv());
        assert_eq!(iv("nea2+nia2"), frame.nea2_nia2_ivs());
        assert_eq!(iv("nea2+nia2-open"), frame.nea2_nia2_ivs());
        assert_eq!(iv("eea3"), frame.eea3_iv());
        assert_eq!(iv("eia3"), frame.eia3_iv());
        assert_eq!(iv("eea3+eia3"), frame.nonce());
        assert_eq!(iv("eea3+eia3-open"), frame.nonce());
    }
}

#[test]
fn the_assumed_ones_are_of_one_make_up_and_say_so() {
    for frame in frames() {
        let iv = |name: &str, tag: usize| {
            let operation = operation(name);
            let operation = if tag > 0 { operation.with_tag_len(tag).unwrap() } else { operation };
            assert!(operation.assumes_air_iv(), "{name}");
            operation.air_iv(frame).expect("of 3GPP").expect("an IV").to_vec()
        };
        for family in ["4", "5", "6"] {
            assert_eq!(iv(&format!("nea{family}"), 0), frame.assumed_nea6_iv());
            for tag in [4, 8, 16] {
                let expected = frame.assumed_nia6_iv(tag).unwrap();
                assert_eq!(iv(&format!("nia{family}"), tag), expected);
                let expected = frame.assumed_nca6_nonce(tag).unwrap();
                assert_eq!(iv(&format!("nca{family}-seal"), tag), expected);
                assert_eq!(iv(&format!("nca{family}-open"), tag), expected);
            }
        }
    }
}

#[test]
fn every_operation_named_after_3gpp_has_one_of_its_length_and_no_other_has() {
    let frame = frames().next().unwrap();
    let mut found = 0;
    for operation in registry::ALGORITHMS.iter().flat_map(registry::operations) {
        let named =
            ["nea", "nia", "nca", "eea", "eia"].iter().any(|it| operation.name.starts_with(it));
        let iv = operation.air_iv(frame);
        assert_eq!(iv.is_some(), named, "{operation:?}");
        if let Some(iv) = iv {
            let iv = iv.unwrap();
            assert!(operation.iv.allow(iv.len()), "{operation:?}: {}", iv.len());
            found += 1;
        } else {
            assert!(!operation.assumes_air_iv(), "{operation:?}");
        }
        if operation.kind == Kind::Mac && named {
            assert!(operation.tag.max >= 4, "{operation:?}");
        }
    }
    assert_eq!(found, 24);
}

/// The recipe of `docs/AIR.md`.
#[expect(unreachable_pub, dead_code, reason = "a core's own module, from which others import")]
#[path = "../../../docs/recipes/5g_core.rs"]
mod recipe;

#[test]
fn the_recipe_gives_what_the_specifications_print() {
    let bytes = |value: u128| value.to_be_bytes();
    // TS 35.217 UEA2 set 1, TS 33.401 annex C.1 set 1, TS 35.223 128-EEA3 set 1: the first blocks.
    let key = bytes(0xd3c5_d592_327f_b11c_4035_c668_0af8_c6d1);
    let of_zuc = bytes(0x173d_14ba_5003_731d_7a60_0494_70f0_0a29);
    let plain = 0x981b_a682_4c1b_fb1a_b485_4720_29b7_1d80;
    for (identity, key, (count, bearer, direction), plain, cipher) in [
        (0, key, (1, 1, 1), plain, plain),
        (1, key, (0x398a_59b4, 0x15, 1), plain, 0x5d5b_fe75_eb04_f68c_e0a1_2377_ea00_b37d),
        (2, key, (0x398a_59b4, 0x15, 1), plain, 0xe9fe_d8a6_3d15_5304_d71d_f20b_f3e8_2214),
        (
            3,
            of_zuc,
            (0x6603_5492, 15, 0),
            0x6cf6_5340_7355_52ab_0c97_52fa_6f90_25fe,
            0xa6c8_5fc6_6afb_8533_aafc_2518_dfe7_8494,
        ),
    ] {
        let mut data = bytes(plain);
        recipe::nea(identity, count, bearer, direction, &key, &mut data).unwrap();
        assert_eq!(data, bytes(cipher), "NEA{identity}");
        recipe::nea(identity, count, bearer, direction, &key, &mut []).unwrap();
    }
    // TS 33.401 annex C: 128-EIA1 set 1, 128-EIA2 set 2.
    let key = bytes(0x2bd6_459f_82c5_b300_952c_4910_4881_ff48);
    let tag = recipe::nia(1, 0x38a6_f056, 31, 0, &key, b"324bc98a74y").unwrap();
    assert_eq!(tag, [0x73, 0x1f, 0x11, 0x65]);
    let key = bytes(0xd3c5_d592_327f_b11c_4035_c668_0af8_c6d1);
    let message = 0x4845_83d5_afe0_82ae_u64.to_be_bytes();
    let tag = recipe::nia(2, 0x398a_59b4, 0x1a, 1, &key, &message).unwrap();
    assert_eq!(tag, [0xb9, 0x37, 0x87, 0xe6]);
    for identity in 1..=3 {
        let tag = recipe::nia(identity, 7, 3, 0, &key, &message).unwrap();
        let wrong = [tag[0] ^ 1, tag[1], tag[2], tag[3]];
        let right = |tag| recipe::is_right(identity, 7, 3, 0, &key, (&message, tag)).unwrap();
        assert_eq!((right(&tag), right(&wrong)), (true, false), "NIA{identity}");
    }
    for refused in [
        recipe::nea(4, 0, 0, 0, &key, &mut [0]).err(),
        recipe::nia(0, 0, 0, 0, &key, &[0]).err(),
        recipe::nea(2, 0, 32, 0, &key, &mut [0]).err(),
        recipe::is_right(1, 0, 0, 2, &key, (&[0], &[0; 4])).err(),
    ] {
        assert!(refused.is_some());
    }
}
