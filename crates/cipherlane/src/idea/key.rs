//! The key schedule, for both directions.

use super::multiply::invert;
use crate::secret::Wipe;

/// Sub-keys of a direction: six a round, and four at the end.
pub(super) const SUBKEYS: usize = 52;

/// Words of a direction: as many as pieces of 16 bytes need.
const FILLED: usize = SUBKEYS.next_multiple_of(8);

/// The sub-keys of encryption and of decryption.
#[derive(Clone, Copy)]
pub(crate) struct Keys(pub(super) [[u16; FILLED]; 2]);

impl Wipe for Keys {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

impl Keys {
    /// A place for keys.
    pub(super) const ZERO: Self = Self([[0; FILLED]; 2]);
}

/// The sub-keys are the key's eight words, then those of the key rotated left by 25 bits,
/// and so on. Decryption takes them from the end, inverted for the operation that they
/// have; the middle words of all rounds but the first and the end are exchanged.
pub(super) fn expand(key: &[u8; 16], keys: &mut Keys) {
    let [encrypt, decrypt] = &mut keys.0;
    let mut rotated = u128::from_be_bytes(*key);
    let mut i = 0;
    while i < SUBKEYS {
        encrypt[i] = (rotated >> (112 - 16 * (i % 8))) as u16;
        i += 1;
        if i.is_multiple_of(8) {
            rotated = rotated.rotate_left(25);
        }
    }
    let mut factors = [0; FACTORS];
    for r in 0..9 {
        factors[2 * r] = encrypt[48 - 6 * r];
        factors[2 * r + 1] = encrypt[51 - 6 * r];
    }
    invert(&mut factors);
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
    lanes::wipe::wipe(&mut rotated);
}

/// Sub-keys whose inverses decryption multiplies with: two of each round, and two at the end.
const FACTORS: usize = 18;
