//! Lanes as polynomials over GF(2), the lowest coefficient in the lowest bit.

use super::Registers;
use crate::clmul::clmul;

/// Products without carries.
pub trait CarrylessProducts: Registers {
    /// Whether carry-less multiplication is an instruction.
    const CLMUL_NATIVE: bool = true;

    /// Whether carry-less multiplication is one instruction for a whole register;
    /// where it is not, kernels made of it run on [`narrow`](Registers::narrow) registers.
    const CLMUL_WIDE: bool = Self::BYTES == 16;

    /// The product of the low 64-bit lanes of each group.
    #[inline(always)]
    fn clmul_low(self, a: Self::V, b: Self::V) -> Self::V {
        clmul_words(self, a, b, 0)
    }

    /// The product of the high 64-bit lanes of each group.
    #[inline(always)]
    fn clmul_high(self, a: Self::V, b: Self::V) -> Self::V {
        clmul_words(self, a, b, 8)
    }
}

/// The product of the 64-bit lanes at byte `offset` of each group, by words.
#[inline(always)]
fn clmul_words<I: CarrylessProducts>(isa: I, a: I::V, b: I::V, offset: usize) -> I::V {
    let (mut a_bytes, mut b_bytes) = ([0; 64], [0; 64]);
    isa.store(a, &mut a_bytes);
    isa.store(b, &mut b_bytes);
    for group in (0..I::BYTES).step_by(16) {
        let word = |bytes: &[u8; 64]| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[group + offset..group + offset + 8]);
            u64::from_le_bytes(word)
        };
        let product = clmul(word(&a_bytes), word(&b_bytes));
        a_bytes[group..group + 16].copy_from_slice(&product.to_le_bytes());
    }
    isa.load(&a_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Isa, Level};

    #[inline(always)]
    fn by_words_and_by_the_level<I: Isa>(isa: I) -> [[[u8; 64]; 2]; 2] {
        let bytes: [u8; 128] = core::array::from_fn(|i| (i * i * 37 + i * 91 + 5) as u8);
        let (a, b) = (isa.load(&bytes[..64]), isa.load(&bytes[64..]));
        let stored = |v: I::V| {
            let mut bytes = [0; 64];
            isa.store(v, &mut bytes);
            bytes
        };
        [
            [stored(clmul_words(isa, a, b, 0)), stored(isa.clmul_low(a, b))],
            [stored(clmul_words(isa, a, b, 8)), stored(isa.clmul_high(a, b))],
        ]
    }

    #[test]
    fn products_by_words_are_those_of_every_level() {
        for level in Level::available() {
            let products = crate::dispatch!(level, isa => by_words_and_by_the_level(isa));
            for [by_words, by_the_level] in products {
                assert_ne!(by_words, [0; 64], "{level}");
                assert_eq!(by_words, by_the_level, "{level}");
            }
        }
    }
}
