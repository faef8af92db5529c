//! The throughput loop of the canary at each level.

use std::hint::black_box;

use cipherlane::registry::algorithm;
use cipherlane::{BlockCipher, Level};
use lab::canary::{Load, plain_load};

/// Bytes of a round: few enough to stay in the first cache, enough for the clock.
const BYTES: usize = 16384;

/// The loop at a level: SM4 in counter mode, which fills the vector units. Where the level
/// is the library's own choice, ordinary integer instructions.
pub(crate) fn load(level: &str) -> Load {
    let Some(cipher) = sm4(level) else { return plain_load() };
    let mut data = vec![0x55; BYTES];
    Box::new(move || cipher.ctr(black_box(&mut *data).into(), &mut [0; 16]))
}

fn sm4(level: &str) -> Option<Box<dyn BlockCipher>> {
    let level = Level::by_name(level).ok()?;
    algorithm("sm4")?.cipher(&[0x2a; 16], level).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_loop_of_its_own() {
        for level in Level::available() {
            assert!(sm4(level.name()).is_some(), "{level}");
            load(level.name())();
        }
        assert!(sm4("-").is_none());
        load("-")();
    }
}
