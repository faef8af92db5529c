//! The one generator of keys, IVs and data, the same in every engine and language.
//!
//! SplitMix64 (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*,
//! OOPSLA 2014) with its 64-bit state and arithmetic modulo 2^64:
//!
//! ```text
//! GOLDEN = 0x9E3779B97F4A7C15
//! mix(z):                z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
//!                        z = (z ^ (z >> 27)) * 0x94D049BB133111EB
//!                        return z ^ (z >> 31)
//! bytes(seed, kind, index, length):
//!     state = mix(mix(seed + GOLDEN) + kind * 2^32 + index)
//!     until there are `length` bytes:
//!         state = state + GOLDEN
//!         word = mix(state), or GOLDEN if that is 0
//!         append the 8 bytes of word, the lowest first
//!     cut to `length`
//! ```
//!
//! `kind` is 1 for keys, 2 for IVs and nonces, 3 for data, 4 for associated data, 5 for the
//! order of lengths in a mix, 6 for random messages; `index` is the number of the message, from 0. No word is 0, so no key, IV or
//! piece of data is all zeros: some libraries run faster on those.
//!
//! # What is digested
//! The digest of a cell is SHA-256 over the outputs of messages 0, 1, …, each with its
//! own key, IV and data, tags appended. For messages of `size` bytes there are
//! [`messages`]`(size)` of them. Models that process no data are checked on messages
//! of [`SETUP_CHECK_BYTES`] bytes under the keys and IVs of the timed work, `key` with
//! the key set up beforehand. In model `stream` they are the pieces of one stream
//! under the key and IV of message 0. In model `batch` there are [`batch_messages`] of
//! them, and each call takes the next `messages`. A MAC's only output is the tag; an `-open`
//! operation takes the sealed messages, and its output is the messages themselves.
//!
//! ```
//! use lab::input::{Kind, bytes};
//! assert_eq!(bytes(1, Kind::Key, 0, 4), [0x8e, 0x59, 0x51, 0xd6]);
//! ```

use crate::Mix;

/// What a string of bytes is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A key.
    Key = 1,
    /// An IV or nonce.
    Iv = 2,
    /// A message.
    Data = 3,
    /// Associated data.
    Aad = 4,
    /// The order of the lengths in a [mix](crate::Mix).
    Length = 5,
    /// The shape of a [random message](crate::random).
    Draw = 6,
}

/// Keys and IVs of the ring: so many that no branch predictor learns one message.
pub const RING: usize = 64;

/// The bytes that the different buffers of one ring may fill together.
pub const RING_BYTES: u64 = 1 << 20;

/// The length in bytes of the messages on which `init` and `key` are checked.
pub const SETUP_CHECK_BYTES: u64 = 64;

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// How many different messages of that length there are: 64, as long as they fit into
/// [`RING_BYTES`] together, and at least one.
#[must_use]
pub fn messages(size: u64) -> usize {
    let fit = (RING_BYTES / size.max(1)).clamp(1, RING as u64);
    usize::try_from(fit).expect("at most 64")
}

/// How many different messages of that length there are in model `batch`, `messages` a call:
/// as many calls as together have 64, as long as they fit into [`RING_BYTES`], and at least
/// one. Of a mix, so many that their lengths have its exact mean.
///
/// # Panics
/// If a call has no message.
#[must_use]
pub fn batch_messages(size: u64, messages: u32, mix: Mix) -> usize {
    let calls = match mix {
        Mix::Equal => 1,
        Mix::Imix => mix.period() / gcd(mix.period(), messages as usize),
    };
    let least = messages as usize * calls;
    let wanted = RING.div_ceil(least);
    let fit = RING_BYTES / (size.max(1).saturating_mul(least as u64));
    let times = if mix == Mix::Equal { wanted.min(fit as usize).max(1) } else { wanted };
    least * times
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Fills `out` with the bytes of that seed, kind and message number.
pub fn fill(seed: u64, kind: Kind, index: u64, out: &mut [u8]) {
    let start = mix(seed.wrapping_add(GOLDEN)).wrapping_add((kind as u64) << 32);
    let mut state = mix(start.wrapping_add(index));
    for chunk in out.chunks_mut(8) {
        state = state.wrapping_add(GOLDEN);
        let word = match mix(state) {
            0 => GOLDEN,
            word => word,
        };
        chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
    }
}

/// The bytes of that seed, kind and message number.
#[must_use]
pub fn bytes(seed: u64, kind: Kind, index: u64, length: usize) -> Vec<u8> {
    let mut out = vec![0; length];
    fill(seed, kind, index, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::hex;

    // Computed by a second writing of the ten lines above, in Python.
    #[test]
    fn the_bytes_are_the_documented_ones() {
        assert_eq!(hex(&bytes(1, Kind::Key, 0, 16)), "8e5951d66022b82359988d0395a933ad");
        assert_eq!(hex(&bytes(1, Kind::Iv, 63, 12)), "92302cbfeb15cb05cf3a853e");
        let odd = "34543730b323f27b14575d9e5dd187a5fb2fb3";
        assert_eq!(hex(&bytes(u64::MAX, Kind::Data, 5, 19)), odd);
        assert_eq!(hex(&bytes(0, Kind::Aad, 0, 8)), "3ffb96d6bf735224");
    }

    #[test]
    fn mix_is_that_of_splitmix64() {
        // The first outputs of the reference program for the state 1234567.
        assert_eq!(mix(1_234_567_u64.wrapping_add(GOLDEN)), 6_457_827_717_110_365_317);
        let second = 1_234_567_u64.wrapping_add(GOLDEN.wrapping_mul(2));
        assert_eq!(mix(second), 3_203_168_211_198_807_973);
    }

    #[test]
    fn a_short_string_begins_a_long_one_and_every_message_differs() {
        let long = bytes(7, Kind::Data, 3, 100);
        assert_eq!(bytes(7, Kind::Data, 3, 13), long[..13]);
        let mut all: Vec<Vec<u8>> = (0..64).map(|i| bytes(7, Kind::Key, i, 16)).collect();
        all.extend((0..64).map(|i| bytes(8, Kind::Key, i, 16)));
        all.extend((0..64).map(|i| bytes(7, Kind::Iv, i, 16)));
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 192);
    }

    #[test]
    fn the_ring_holds_64_messages_until_they_outgrow_it() {
        assert_eq!([1, 16384, 16385, 1 << 19].map(messages), [64, 64, 63, 2]);
        assert_eq!([1 << 20, 1 << 30, u64::MAX, 0].map(messages), [1, 1, 1, 64]);
    }

    #[test]
    fn a_ring_of_batches_holds_whole_calls() {
        let of = |size, messages| batch_messages(size, messages, Mix::Equal);
        assert_eq!(
            [1, 16, 24, 64, 65, 100].map(|messages| of(16, messages)),
            [64, 64, 72, 64, 65, 100]
        );
        // 16 messages a call: 1 MiB holds two calls of 32 KiB each, then one.
        assert_eq!([16384, 16385, 32768, 1 << 20].map(|size| of(size, 16)), [64, 48, 32, 16]);
        let of = |messages| batch_messages(340, messages, Mix::Imix);
        assert_eq!([1, 12, 16, 64, 5].map(of), [72, 72, 96, 192, 120]);
    }
}
