//! The key schedule (GB/T 32907-2016 §7.3).

use core::ops::{BitAnd, BitXor};

use lanes::Isa;

use super::round_keys::{CK, FK, ROUNDS, Words};
use super::{Sm4, circuit, schedule, sm4_instructions};

/// Expands keys of 16 bytes, one for each place, as many side by side as there are lanes.
#[inline(always)]
pub(super) fn expand<I: Isa>(isa: I, keys: &[&[u8]], places: &mut [Sm4]) {
    if const { I::SM4_BYTES != 0 } {
        for (key, place) in keys.iter().zip(places) {
            sm4_instructions::expand(isa.narrow(), key, &mut place.keys.0.words);
        }
    } else if const { !I::BYTE_MAPS } {
        for (key, place) in keys.iter().zip(places) {
            bit_by_bit(key, &mut place.keys.0.words);
        }
    } else {
        // Narrow registers answer sooner; with a byte map of one instruction also its rotations
        // count, and that by 16 is shorter where only the lowest two lanes do.
        if const { I::BYTE_MAPS_NATIVE } && keys.len() <= 2 {
            schedule::expand::<I::Narrow, true>(isa.narrow(), keys, places);
        } else if const { !I::BYTE_MAPS_NATIVE && I::BYTES > 16 } && keys.len() <= 4 {
            schedule::expand::<I::Narrow, false>(isa.narrow(), keys, places);
        } else {
            schedule::expand::<I, false>(isa, keys, places);
        }
    }
}

/// The rounds of the schedule with the S-box as a circuit.
#[inline(always)]
fn bit_by_bit(key: &[u8], round_keys: &mut Words) {
    let (words, _) = key.as_chunks::<4>();
    let mut k = [0; 4];
    for i in 0..4 {
        k[i] = u32::from_be_bytes(words[i]) ^ FK[i];
    }
    for i in 0..ROUNDS {
        let b = substitute(k[(i + 1) % 4] ^ k[(i + 2) % 4] ^ k[(i + 3) % 4] ^ CK[i]);
        k[i % 4] ^= b ^ b.rotate_left(13) ^ b.rotate_left(23);
        round_keys[i] = k[i % 4].to_be_bytes();
    }
}

/// τ on the four bytes of a word (§6.2.1), without a table. Plane j keeps bit j of
/// each byte at that byte's lowest bit.
#[inline(always)]
fn substitute(x: u32) -> u32 {
    let x = x ^ u32::from_ne_bytes([circuit::INPUT_CONSTANT; 4]);
    let planes = core::array::from_fn(|j| Plane(x >> j & 0x0101_0101));
    let bits = circuit::sbox(planes);
    let y = (0..8).fold(0, |y, j| y | bits[j].0 << j);
    y ^ u32::from_ne_bytes([circuit::OUTPUT_CONSTANT; 4])
}

#[derive(Clone, Copy)]
struct Plane(u32);

impl BitXor for Plane {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitAnd for Plane {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
