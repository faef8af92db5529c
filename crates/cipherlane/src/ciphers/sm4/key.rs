//! The key schedule (GB/T 32907-2016 §7.3) and the forms the kernels take keys in.

use core::ops::{BitAnd, BitXor};

use lanes::Isa;

use super::{Sm4, circuit, instructed, schedule};
use crate::secret::Wipe;

/// Number of rounds.
pub(super) const ROUNDS: usize = 32;

/// The system parameter FK.
pub(super) const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// The fixed parameter CK: byte `j` of `CK_i` is `(4i + j)·7 mod 256`.
pub(super) const CK: [u32; ROUNDS] = {
    let mut ck = [0; ROUNDS];
    let mut i = 0;
    while i < 4 * ROUNDS {
        ck[i / 4] = ck[i / 4] << 8 | (i * 7 % 256) as u32;
        i += 1;
    }
    ck
};

/// Round keys in the forms that the kernels of one level take.
///
/// `words` holds one word a round, in the byte order of memory: as the standard has
/// them where there are instructions for rounds or no byte maps, else in the basis of
/// [`basis`](super::basis). `slices[r][i]` is byte `i` of round `r` for the byte-sliced
/// form, four times; unused where words are the standard's.
#[derive(Clone, Copy)]
pub(super) struct RoundKeys {
    pub(super) words: Words,
    pub(super) slices: [[[u8; 4]; 4]; ROUNDS],
}

/// One word a round.
pub(super) type Words = [[u8; 4]; ROUNDS];

impl Wipe for RoundKeys {
    fn wipe(&mut self) {
        lanes::wipe::wipe(&mut self.words);
        lanes::wipe::wipe(&mut self.slices);
    }
}

/// The order in which a direction uses the round keys: round `r` takes key `r ⊕ flip`.
pub(super) const ENCRYPT: usize = 0;
/// Decryption takes them in reverse (§7.2).
pub(super) const DECRYPT: usize = ROUNDS - 1;

impl RoundKeys {
    /// A place for round keys.
    pub(super) const ZERO: Self = Self { words: [[0; 4]; ROUNDS], slices: [[[0; 4]; 4]; ROUNDS] };
}

/// Expands keys of 16 bytes, one for each place, as many side by side as there are lanes.
#[inline(always)]
pub(super) fn expand<I: Isa>(isa: I, keys: &[&[u8]], places: &mut [Sm4]) {
    if const { I::SM4_BYTES != 0 } {
        for (key, place) in keys.iter().zip(places) {
            instructed::expand(isa.narrow(), key, &mut place.keys.0.words);
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
