//! The names under which libcrypto knows what is asked of it.

use std::ffi::CString;

use crate::peer_operations::{Mode, Operation};

/// How `EVP_CIPHER_fetch` is asked for the cipher of an operation, e.g. `AES-128-CBC`. A MAC
/// is made of a cipher in a mode, too.
pub(super) fn cipher(operation: &Operation) -> CString {
    let cipher = match operation.cipher {
        "sm4" => "SM4",
        "aes-128" => "AES-128",
        "aes-192" => "AES-192",
        "aes-256" => "AES-256",
        "idea" => "IDEA",
        "rc2" => "RC2",
        "rc5" => "RC5",
        "rc4" => return c"RC4".to_owned(),
        other => other,
    };
    let mode = match operation.mode {
        Mode::Keystream => "STREAM",
        Mode::Ecb => "ECB",
        Mode::Cbc | Mode::Cmac | Mode::Nia2 => "CBC",
        Mode::Ctr => "CTR",
        Mode::Cfb => "CFB",
        Mode::Cfb8 => "CFB8",
        Mode::Ofb => "OFB",
        Mode::Xts | Mode::XtsGb => "XTS",
        Mode::Gcm | Mode::Gmac => "GCM",
        Mode::Ccm => "CCM",
        Mode::GcmSiv => "GCM-SIV",
    };
    CString::new(format!("{cipher}-{mode}")).unwrap_or_default()
}

/// How `EVP_MAC_fetch` is asked for a MAC.
pub(super) fn mac(mode: Mode) -> Option<CString> {
    match mode {
        Mode::Cmac | Mode::Nia2 => Some(c"CMAC".to_owned()),
        Mode::Gmac => Some(c"GMAC".to_owned()),
        _ => None,
    }
}
