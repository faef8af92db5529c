//! Known answers at every level.

use lanes::Level;

use super::*;

#[test]
fn published_tags_of_the_zero_key() {
    for level in Level::available() {
        let mut tag = [0; 4];
        let mut mac = Zuc128Mac::with_level(&[0; 16], &[0; 16], 4, level).unwrap();
        mac.update_bits(&[0], 1).unwrap();
        mac.finish(&mut tag).unwrap();
        assert_eq!(tag, [0xc8, 0xa9, 0x59, 0x5e], "TS 35.223, 128-EIA3 set 1, {level}");

        let mut mac = Zuc256Mac::with_level(&[0; 32], &[0; 25], 4, level).unwrap();
        mac.update(&[0; 50]).unwrap();
        mac.finish(&mut tag).unwrap();
        assert_eq!(tag, [0x9b, 0x97, 0x2a, 0x74], "the paper of 2018, {level}");

        let mut mac = Zuc256MacOf2023::with_level(&[0; 32], &[0; 16], 4, level).unwrap();
        mac.update(&[0; 50]).unwrap();
        mac.finish(&mut tag).unwrap();
        assert_eq!(tag, [0xd5, 0x1f, 0x12, 0xfc], "the paper of 2023, {level}");
    }
}

#[test]
fn debug_shows_no_secret() {
    let mac = Zuc128Mac::with_level(&[0xa5; 16], &[0x5a; 16], 4, Level::portable()).unwrap();
    assert_eq!(std::format!("{mac:?}"), "ZucMac { level: Portable(Portable), tag: 4, .. }");
}
