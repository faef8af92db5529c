//! The key schedule (GB/T 32907-2016 §7.3) and the forms the kernels take keys in.

use core::ops::{BitAnd, BitXor};

use lanes::Isa;

use super::{basis, circuit, instructed};
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
/// `words` holds one word a round: as the standard has them where there are
/// instructions for rounds or no byte maps, else in the basis of [`basis`] and the
/// byte order of memory. `slices[r][i]` is byte `i` of round `r` for the byte-sliced
/// form, four times; unused where words are the standard's.
#[derive(Clone, Copy)]
pub(super) struct RoundKeys {
    pub(super) words: [u32; ROUNDS],
    pub(super) slices: [[[u8; 4]; 4]; ROUNDS],
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
    let mut keys = RoundKeys { words: [0; ROUNDS], slices: [[[0; 4]; 4]; ROUNDS] };
    if const { I::SM4_BYTES != 0 } {
        instructed::expand(isa.narrow(), key, &mut keys.words);
        return keys;
    }
    let (words, _) = key.as_chunks::<4>();
    let mut k = [0; 4];
    for i in 0..4 {
        k[i] = u32::from_be_bytes(words[i]) ^ FK[i];
    }
    if const { I::BYTE_MAPS } {
        // AES rounds on wide registers are several instructions; one word needs but one.
        if const { I::BYTE_MAPS_NATIVE } {
            in_register(isa, k, &mut keys.words);
        } else {
            in_register(isa.narrow(), k, &mut keys.words);
        }
        change_basis(isa.narrow(), &mut keys);
    } else {
        bit_by_bit(k, &mut keys.words);
    }
    keys
}

/// The rounds of the schedule on words that stay in registers, the same in every lane.
#[inline(always)]
fn in_register<I: Isa>(isa: I, k: [u32; 4], round_keys: &mut [u32; ROUNDS]) {
    let mut k = [isa.splat32(k[0]), isa.splat32(k[1]), isa.splat32(k[2]), isa.splat32(k[3])];
    for quad in (0..ROUNDS).step_by(4) {
        for i in 0..4 {
            let others = isa.xor3(k[(i + 2) % 4], k[(i + 3) % 4], isa.splat32(CK[quad + i]));
            let mixed = isa.xor(others, k[(i + 1) % 4]);
            let inner = isa.affine8::<{ basis::INTO }, { basis::INPUT }>(mixed);
            let b = isa.affine_inverse8::<{ basis::SBOX.0 }, { basis::SBOX.1 }>(inner);
            let rotated = isa.xor(isa.rol32::<13>(b), isa.rol32::<23>(b));
            k[i] = isa.xor(isa.xor(k[i], b), rotated);
            round_keys[quad + i] = isa.low32(k[i]);
        }
    }
}

/// The rounds of the schedule with the S-box as a circuit.
fn bit_by_bit(mut k: [u32; 4], round_keys: &mut [u32; ROUNDS]) {
    for i in 0..ROUNDS {
        let b = substitute(k[(i + 1) % 4] ^ k[(i + 2) % 4] ^ k[(i + 3) % 4] ^ CK[i]);
        k[i % 4] ^= b ^ b.rotate_left(13) ^ b.rotate_left(23);
        round_keys[i] = k[i % 4];
    }
}

/// τ on the four bytes of a word (§6.2.1), without a table. Plane j keeps bit j of
/// each byte at that byte's lowest bit.
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

/// Brings the standard's round keys into the basis and slices them, four words at a time.
#[inline(always)]
fn change_basis<I: Isa>(isa: I, keys: &mut RoundKeys) {
    const SWAP: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];
    let mut bytes = [[0; 4]; 4];
    for quad in (0..ROUNDS).step_by(4) {
        for i in 0..4 {
            bytes[i] = keys.words[quad + i].to_le_bytes();
        }
        let words = isa.shuffle8(isa.load(bytes.as_flattened()), isa.splat128(&SWAP));
        let words = isa.affine8::<{ basis::INTO }, { basis::INPUT }>(words);
        isa.store(words, bytes.as_flattened_mut());
        for i in 0..4 {
            keys.words[quad + i] = u32::from_le_bytes(bytes[i]);
        }
        // The byte-sliced state is Z = (I + J)·X; so is its key.
        let pairs = isa.xor(words, isa.rol32::<16>(words));
        let z = isa.xor3(words, pairs, isa.rol32::<8>(pairs));
        for i in 0..4 {
            let row = isa.shuffle8(z, isa.splat128(&ROWS[i]));
            isa.store(row, keys.slices[quad + i].as_flattened_mut());
        }
    }
    lanes::wipe::wipe_bytes(bytes.as_flattened_mut());
}

/// The shuffle that takes word `i`, each of its bytes four times.
const ROWS: [[u8; 16]; 4] = {
    let mut rows = [[0; 16]; 4];
    let mut i = 0;
    while i < 64 {
        rows[i / 16][i % 16] = (i / 16 * 4 + i % 16 / 4) as u8;
        i += 1;
    }
    rows
};
