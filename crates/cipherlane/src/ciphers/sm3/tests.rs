//! What can't be seen from outside.

use super::{HkdfSm3, HmacSm3, Sm3};
use crate::secret::assert_silent;

#[test]
fn debug_shows_no_secret() {
    assert_silent("Sm3", |key| {
        let mut sm3 = Sm3::new().unwrap();
        sm3.update(key);
        sm3.update(&key[..7]);
        sm3
    });
    assert_silent("HmacSm3", |key| HmacSm3::new(key).unwrap());
    assert_silent("HkdfSm3", |key| HkdfSm3::extract(&key[..5], key).unwrap());
}
