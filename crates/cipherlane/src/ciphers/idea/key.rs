//! The key schedule, for both directions.

use lanes::Isa;

use super::lazy_inverse::Later;
use super::multiply::{invert, invert_lanes};
use crate::secret::Wipe;

/// Sub-keys of a direction: six a round, and four at the end.
pub(super) const SUBKEYS: usize = 52;

/// Words of a direction: as many as pieces of 16 bytes need.
const FILLED: usize = SUBKEYS.next_multiple_of(8);

/// The sub-keys of a direction.
pub(super) type Words = [u16; FILLED];

/// The sub-keys of encryption, and those of decryption once they are asked for: their
/// inverses take three times as long as all the rest.
#[derive(Clone)]
pub(crate) struct Keys {
    encrypt: Words,
    decrypt: Later<FILLED>,
}

impl Wipe for Keys {
    #[inline(always)]
    fn wipe(&mut self) {
        self.encrypt.wipe();
        self.decrypt.wipe();
    }
}

impl Keys {
    /// A place for keys.
    pub(super) const fn empty() -> Self {
        Self { encrypt: [0; FILLED], decrypt: Later::none() }
    }

    /// Those of a direction: of decryption once they are made.
    #[inline(always)]
    pub(super) fn words<const DECRYPT: bool>(&self) -> &Words {
        if DECRYPT { self.decrypt.get().expect("made before they are used") } else { &self.encrypt }
    }

    /// Those of decryption, where they are kept.
    #[cfg(feature = "std")]
    pub(super) fn later(&self) -> &Later<FILLED> {
        &self.decrypt
    }

    /// The same, to be set.
    #[cfg(not(feature = "std"))]
    pub(super) fn later_mut(&mut self) -> &mut Later<FILLED> {
        &mut self.decrypt
    }
}

/// The sub-keys are the key's eight words, then those of the key rotated left by 25 bits,
/// and so on.
pub(super) fn expand(key: &[u8; 16], keys: &mut Keys) {
    keys.decrypt.wipe();
    let mut rotated = u128::from_be_bytes(*key);
    // The words behind the last sub-key are not used.
    for words in keys.encrypt.as_chunks_mut::<8>().0 {
        for i in 0..8 {
            words[i] = (rotated >> (112 - 16 * i)) as u16;
        }
        rotated = rotated.rotate_left(25);
    }
    lanes::wipe::wipe(&mut rotated);
}

/// Decryption takes the sub-keys from the end, inverted for the operation that they have; the
/// middle words of all rounds but the first and the end are exchanged.
#[inline(always)]
pub(super) fn invert_all<I: Isa>(isa: I, keys: &Keys, decrypt: &mut Words) {
    let encrypt = &keys.encrypt;
    let mut factors = [0; FACTORS];
    for r in 0..9 {
        factors[2 * r] = encrypt[48 - 6 * r];
        factors[2 * r + 1] = encrypt[51 - 6 * r];
    }
    inverses(isa, &mut factors);
    for r in 0..9 {
        let (second, third) = (encrypt[49 - 6 * r], encrypt[50 - 6 * r]);
        let [second, third] = [second.wrapping_neg(), third.wrapping_neg()];
        let exchanged = r != 0 && r != 8;
        decrypt[6 * r] = factors[2 * r];
        decrypt[6 * r + 1] = if exchanged { third } else { second };
        decrypt[6 * r + 2] = if exchanged { second } else { third };
        decrypt[6 * r + 3] = factors[2 * r + 1];
        if r < 8 {
            decrypt[6 * r + 4] = encrypt[46 - 6 * r];
            decrypt[6 * r + 5] = encrypt[47 - 6 * r];
        }
    }
    lanes::wipe::wipe(&mut factors);
}

/// Sub-keys whose inverses decryption multiplies with: two of each round, and two at the end.
const FACTORS: usize = 18;

/// The inverses of all: side by side in lanes, or all from one.
#[inline(always)]
fn inverses<I: Isa>(isa: I, factors: &mut [u16; FACTORS]) {
    if const { !I::NUMBERS16_NATIVE } {
        return invert(factors);
    }
    let mut bytes = [0; 64];
    for (bytes, factor) in bytes.as_chunks_mut().0.iter_mut().zip(&*factors) {
        *bytes = factor.to_le_bytes();
    }
    match const { I::BYTES } {
        16 => in_registers::<I, 3>(isa, &mut bytes),
        32 => in_registers::<I, 2>(isa, &mut bytes),
        _ => in_registers::<I, 1>(isa, &mut bytes),
    }
    for (factor, bytes) in factors.iter_mut().zip(bytes.as_chunks().0) {
        *factor = u16::from_le_bytes(*bytes);
    }
    lanes::wipe::wipe(&mut bytes);
}

/// The inverses of `N` registers of words.
#[inline(always)]
fn in_registers<I: Isa, const N: usize>(isa: I, bytes: &mut [u8; 64]) {
    let mut x = [isa.zero(); N];
    for i in 0..N {
        x[i] = isa.load(&bytes[i * I::BYTES..]);
    }
    invert_lanes(isa, &mut x);
    for i in 0..N {
        isa.store(x[i], &mut bytes[i * I::BYTES..]);
    }
}
