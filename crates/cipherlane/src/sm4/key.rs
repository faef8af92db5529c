//! The key schedule (GB/T 32907-2016 §7.3) and the forms the kernels take keys in.

use core::ops::{BitAnd, BitXor};

use lanes::Isa;

use super::{basis, circuit};
use crate::secret::Wipe;

/// Number of rounds.
pub(super) const ROUNDS: usize = 32;

/// The system parameter FK.
const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// The fixed parameter CK: byte `j` of `CK_i` is `(4i + j)·7 mod 256`.
const CK: [u32; ROUNDS] = {
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
/// `words` holds one word a round: in the basis of [`basis`] and the byte order
/// of memory where there are byte maps, else as the standard has them.
/// `slices[r][i]` is byte `i` of round `r` for the byte-sliced form, four times;
/// unused without byte maps.
#[derive(Clone, Copy)]
pub(super) struct RoundKeys {
    pub(super) words: [u32; ROUNDS],
    pub(super) slices: [[u32; 4]; ROUNDS],
}

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

/// Expands a key.
#[inline(always)]
pub(super) fn expand<I: Isa>(isa: I, key: &[u8; 16]) -> RoundKeys {
    let (words, _) = key.as_chunks::<4>();
    let mut k: [u32; 4] = core::array::from_fn(|i| u32::from_be_bytes(words[i]) ^ FK[i]);
    let mut keys = RoundKeys { words: [0; ROUNDS], slices: [[0; 4]; ROUNDS] };
    for i in 0..ROUNDS {
        let mixed = k[(i + 1) % 4] ^ k[(i + 2) % 4] ^ k[(i + 3) % 4] ^ CK[i];
        let b = substitute(isa, mixed);
        k[i % 4] ^= b ^ b.rotate_left(13) ^ b.rotate_left(23);
        keys.words[i] = k[i % 4];
    }
    if const { I::BYTE_MAPS } {
        change_basis(isa, &mut keys);
    }
    keys
}

/// τ on the four bytes of a word (§6.2.1).
#[inline(always)]
fn substitute<I: Isa>(isa: I, x: u32) -> u32 {
    if const { I::BYTE_MAPS } {
        let inner = isa.affine8::<{ basis::INTO }, { basis::INPUT }>(isa.splat32(x));
        isa.low32(isa.affine_inverse8::<{ basis::SBOX.0 }, { basis::SBOX.1 }>(inner))
    } else {
        // Plane j keeps bit j of each byte at that byte's lowest bit.
        let constant = u32::from_ne_bytes([circuit::INPUT_CONSTANT; 4]);
        let planes = core::array::from_fn(|j| Plane((x ^ constant) >> j & 0x0101_0101));
        let bits = circuit::sbox(planes);
        let y = (0..8).fold(0, |y, j| y | bits[j].0 << j);
        y ^ u32::from_ne_bytes([circuit::OUTPUT_CONSTANT; 4])
    }
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

/// Brings the standard's round keys into the basis and slices them.
#[inline(always)]
fn change_basis<I: Isa>(isa: I, keys: &mut RoundKeys) {
    let mut bytes = [[0; 4]; ROUNDS];
    for (bytes, word) in bytes.iter_mut().zip(keys.words) {
        *bytes = word.to_be_bytes();
    }
    for register in bytes.as_flattened_mut().chunks_exact_mut(I::BYTES) {
        isa.store(isa.affine8::<{ basis::INTO }, { basis::INPUT }>(isa.load(register)), register);
    }
    for (r, bytes) in bytes.iter().enumerate() {
        keys.words[r] = u32::from_le_bytes(*bytes);
        // The byte-sliced state is Z = (I + J)·X; so is its key.
        let sum = bytes[0] ^ bytes[1] ^ bytes[2] ^ bytes[3];
        keys.slices[r] = bytes.map(|byte| u32::from_ne_bytes([byte ^ sum; 4]));
    }
    lanes::wipe::wipe_bytes(bytes.as_flattened_mut());
}
