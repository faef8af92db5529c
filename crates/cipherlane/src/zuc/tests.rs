//! Known answers, splits, limits and misuse of the keystreams.
use super::*;
#[test]
fn quick() {
    for level in Level::available() {
        let mut k = [0; 8];
        Zuc128::with_level(&[0; 16], &[0; 16], level).unwrap().keystream(&mut k).unwrap();
        std::println!("{level} {k:02x?}");
        let mut k = [0; 8];
        Zuc256::with_level(&[0; 32], &[0; 25], level).unwrap().keystream(&mut k).unwrap();
        std::println!("{level} {k:02x?}");
    }
}
