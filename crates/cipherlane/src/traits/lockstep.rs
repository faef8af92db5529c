//! Messages of one length under neighbouring keys of a set, that go through the cipher in lockstep:
//! what a mode does, told to the cipher's kernel.

use super::mode::Direction;

/// Messages that go in lockstep, one for each of as many neighbouring keys; the first key's number
/// is a multiple.
pub const LOCKSTEP: usize = 16;

/// What is done with the blocks of each message. `v` is the value that comes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lockstep {
    /// `outᵢ = E(inᵢ)`.
    Encrypt,
    /// `outᵢ = D(inᵢ)`.
    Decrypt,
    /// `outᵢ = D(inᵢ) ⊕ inᵢ₋₁`, `v` in front of the first.
    CbcDecrypt,
    /// `outᵢ = E(inᵢ₋₁) ⊕ inᵢ`, `v` in front of the first.
    CfbDecrypt,
    /// `outᵢ = E(v + i) ⊕ inᵢ`, big-endian.
    Ctr,
    /// XTS of IEEE 1619: `outᵢ = E(inᵢ ⊕ v·αⁱ) ⊕ v·αⁱ`; `v` becomes the next tweak.
    Xts {
        /// Whether blocks are encrypted or decrypted.
        direction: Direction,
        /// The order of GB/T 17964.
        reflected: bool,
    },
    /// `v ← E(v ⊕ inᵢ)`, `outᵢ = v`: CBC encryption; without outputs, CBC-MAC.
    CbcEncrypt,
    /// `v ← E(v) ⊕ inᵢ`, `outᵢ = v`.
    CfbEncrypt,
    /// `v ← E(v)`, `outᵢ = v ⊕ inᵢ`.
    Ofb,
}

impl Lockstep {
    /// Whether each block waits for the one before.
    #[must_use]
    pub const fn serial(self) -> bool {
        matches!(self, Self::CbcEncrypt | Self::CfbEncrypt | Self::Ofb)
    }
}
