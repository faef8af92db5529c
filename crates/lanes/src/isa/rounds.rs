//! Rounds of the ciphers that CPUs have instructions for.

use super::ByteMaps;
use crate::{aes, sm4};

/// Rounds of AES and of SM4 on every 128-bit group.
pub trait Rounds: ByteMaps {
    /// On how many bytes of a register one instruction does an AES round:
    /// [`BYTES`](super::Registers::BYTES), or 16 where wider registers are taken apart, or 0
    /// where there is no such instruction.
    const AES_BYTES: usize = 0;

    /// On how many bytes of a register one instruction does four rounds of SM4, and of
    /// its key schedule: [`BYTES`](super::Registers::BYTES), or 16 where wider registers are taken
    /// apart, or 0 where there is no such instruction.
    const SM4_BYTES: usize = 0;

    // Rounds of AES on every 128-bit group, byte `i` the state's row `i mod 4` and
    // column `i / 4` (FIPS 197 §3.4).

    /// `MixColumns(ShiftRows(SubBytes(a))) ⊕ key`.
    #[inline(always)]
    fn aes_encrypt_round(self, a: Self::V, key: Self::V) -> Self::V {
        let a = self.shuffle8(a, self.splat128(&aes::SHIFT_ROWS));
        self.xor(aes::mix_columns(self, self.aes_sub_bytes(a)), key)
    }

    /// `ShiftRows(SubBytes(a)) ⊕ key`.
    #[inline(always)]
    fn aes_encrypt_last(self, a: Self::V, key: Self::V) -> Self::V {
        let a = self.shuffle8(a, self.splat128(&aes::SHIFT_ROWS));
        self.xor(self.aes_sub_bytes(a), key)
    }

    /// `InvMixColumns(InvSubBytes(InvShiftRows(a))) ⊕ key`: a round of the
    /// equivalent inverse cipher (FIPS 197 §5.3.5).
    #[inline(always)]
    fn aes_decrypt_round(self, a: Self::V, key: Self::V) -> Self::V {
        let a = self.aes_decrypt_last(a, self.zero());
        self.xor(aes::inverse_mix_columns(self, a), key)
    }

    /// `InvSubBytes(InvShiftRows(a)) ⊕ key`.
    #[inline(always)]
    fn aes_decrypt_last(self, a: Self::V, key: Self::V) -> Self::V {
        let a = self.shuffle8(a, self.splat128(&aes::INVERSE_SHIFT_ROWS));
        self.xor(aes::inverse_sub_bytes(self, a), key)
    }

    /// `InvMixColumns(a)`.
    #[inline(always)]
    fn aes_inverse_mix_columns(self, a: Self::V) -> Self::V {
        if const { Self::AES_BYTES == 0 } {
            return aes::inverse_mix_columns(self, a);
        }
        self.aes_decrypt_round(self.aes_encrypt_last(a, self.zero()), self.zero())
    }

    // SM4 on every 128-bit group: four words X₀ to X₃ in the 32-bit lanes, X₀ in the
    // lowest, as numbers and not in the byte order of blocks.

    /// Four rounds (GB/T 32907-2016 §7.1): X₄ to X₇, the keys in the order of use.
    #[inline(always)]
    fn sm4_rounds(self, a: Self::V, keys: Self::V) -> Self::V {
        sm4::rounds(self, a, keys)
    }

    /// Four rounds of the key schedule (§7.3): K₄ to K₇ of K₀ to K₃ and four of the CK.
    #[inline(always)]
    fn sm4_next_keys(self, a: Self::V, constants: Self::V) -> Self::V {
        sm4::next_keys(self, a, constants)
    }
}
