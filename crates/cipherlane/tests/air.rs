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
    assert_eq!(found, 22);
}
