//! The numbers of the header gcrypt.h.

use std::ffi::c_int;

use crate::peer_operations::{Mode, Operation};

/// `GCRYCTL_…`: commands.
pub(super) const RESET: c_int = 4;
pub(super) const DISABLE_SECMEM: c_int = 37;
pub(super) const INITIALIZATION_FINISHED: c_int = 38;
pub(super) const INITIALIZATION_FINISHED_P: c_int = 39;
pub(super) const SET_CCM_LENGTHS: c_int = 69;
pub(super) const SET_DECRYPTION_TAG: c_int = 80;

/// `GCRY_CIPHER_…`; 0 where the library has none. That of RC2 is of keys of 128 bits.
pub(super) fn cipher(cipher: &str) -> c_int {
    match cipher {
        "idea" => 1,
        "aes-128" => 7,
        "aes-192" => 8,
        "aes-256" => 9,
        "rc4" => 301,
        "rc2" => 308,
        "salsa20-20" => 313,
        "salsa20-12" => 314,
        "sm4" => 318,
        _ => 0,
    }
}

/// `GCRY_CIPHER_MODE_…`; its XTS is that of IEEE 1619.
pub(super) const fn mode(mode: Mode) -> Option<c_int> {
    match mode {
        Mode::Ecb => Some(1),
        Mode::Cfb => Some(2),
        Mode::Cbc => Some(3),
        Mode::Keystream => Some(4),
        Mode::Ofb => Some(5),
        Mode::Ctr => Some(6),
        Mode::Ccm => Some(8),
        Mode::Gcm => Some(9),
        Mode::Cfb8 => Some(12),
        Mode::Xts => Some(13),
        Mode::GcmSiv => Some(16),
        Mode::XtsGb | Mode::Cmac | Mode::Nia2 | Mode::Gmac => None,
    }
}

/// `GCRY_MAC_…`: those of AES take keys of every length; there is no GMAC over SM4.
pub(super) fn mac(operation: &Operation) -> Option<c_int> {
    match (operation.mode, operation.cipher) {
        (Mode::Cmac, "rc2") => Some(209),
        (Mode::Cmac, "idea") => Some(210),
        (Mode::Cmac, "sm4") => Some(212),
        (Mode::Cmac, "aes-128" | "aes-192" | "aes-256") => Some(201),
        (Mode::Gmac, "aes-128" | "aes-192" | "aes-256") => Some(401),
        _ => None,
    }
}
