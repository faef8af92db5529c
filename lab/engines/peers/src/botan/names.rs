//! The names under which Botan knows what is asked of it.

use std::ffi::CString;

use crate::peer_operations::{Mode, Operation};

/// The name of an operation, if Botan has one. Its XTS is that of IEEE 1619; CCM without a
/// length means a tag of 16 and a nonce of 12 bytes.
pub(super) fn of(operation: &Operation) -> Option<CString> {
    let cipher = match operation.cipher {
        "sm4" => "SM4",
        "aes-128" => "AES-128",
        "aes-192" => "AES-192",
        "aes-256" => "AES-256",
        "idea" => "IDEA",
        _ => return None,
    };
    let name = match operation.mode {
        Mode::Ecb => cipher.to_owned(),
        Mode::Cbc => format!("{cipher}/CBC/NoPadding"),
        Mode::Ctr => format!("CTR-BE({cipher})"),
        Mode::Cfb => format!("{cipher}/CFB"),
        Mode::Cfb8 => format!("{cipher}/CFB(8)"),
        Mode::Ofb => format!("OFB({cipher})"),
        Mode::Xts => format!("{cipher}/XTS"),
        Mode::Gcm => format!("{cipher}/GCM"),
        Mode::Ccm => format!("{cipher}/CCM"),
        Mode::GcmSiv => format!("{cipher}/GCM-SIV"),
        Mode::Cmac => format!("CMAC({cipher})"),
        Mode::Gmac => format!("GMAC({cipher})"),
        Mode::XtsGb | Mode::Nia2 | Mode::Keystream => return None,
    };
    CString::new(name).ok()
}
