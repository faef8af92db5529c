//! The names of the library's functions.

use crate::peer_operations::{Mode, Operation};

/// The names of the functions of one cipher; in pairs, encryption first.
pub(super) struct Names {
    /// Size, initialisation, a fresh key.
    pub(super) cipher: [&'static str; 3],
    pub(super) ecb: [&'static str; 2],
    pub(super) cbc: [&'static str; 2],
    pub(super) cfb: [&'static str; 2],
    pub(super) ofb: [&'static str; 2],
    pub(super) ctr: [&'static str; 2],
    /// Size, initialisation, start, encryption, decryption, tag.
    pub(super) gcm: [&'static str; 6],
    /// The same, then the lengths of the message and of the tag.
    pub(super) ccm: [&'static str; 8],
    /// Size, initialisation, encryption, decryption.
    pub(super) xts: [&'static str; 4],
    /// Size, initialisation, data, tag.
    pub(super) cmac: [&'static str; 4],
}

macro_rules! names {
    ($cipher:literal) => {
        Names {
            cipher: [
                concat!("ipps", $cipher, "GetSize"),
                concat!("ipps", $cipher, "Init"),
                concat!("ipps", $cipher, "SetKey"),
            ],
            ecb: names!(pair $cipher, "ECB"),
            cbc: names!(pair $cipher, "CBC"),
            cfb: names!(pair $cipher, "CFB"),
            ofb: names!(pair $cipher, "OFB"),
            ctr: names!(pair $cipher, "CTR"),
            gcm: [
                concat!("ipps", $cipher, "_GCMGetSize"),
                concat!("ipps", $cipher, "_GCMInit"),
                concat!("ipps", $cipher, "_GCMStart"),
                concat!("ipps", $cipher, "_GCMEncrypt"),
                concat!("ipps", $cipher, "_GCMDecrypt"),
                concat!("ipps", $cipher, "_GCMGetTag"),
            ],
            ccm: [
                concat!("ipps", $cipher, "_CCMGetSize"),
                concat!("ipps", $cipher, "_CCMInit"),
                concat!("ipps", $cipher, "_CCMStart"),
                concat!("ipps", $cipher, "_CCMEncrypt"),
                concat!("ipps", $cipher, "_CCMDecrypt"),
                concat!("ipps", $cipher, "_CCMGetTag"),
                concat!("ipps", $cipher, "_CCMMessageLen"),
                concat!("ipps", $cipher, "_CCMTagLen"),
            ],
            xts: [
                concat!("ipps", $cipher, "_XTSGetSize"),
                concat!("ipps", $cipher, "_XTSInit"),
                concat!("ipps", $cipher, "_XTSEncrypt"),
                concat!("ipps", $cipher, "_XTSDecrypt"),
            ],
            cmac: [
                concat!("ipps", $cipher, "_CMACGetSize"),
                concat!("ipps", $cipher, "_CMACInit"),
                concat!("ipps", $cipher, "_CMACUpdate"),
                concat!("ipps", $cipher, "_CMACFinal"),
            ],
        }
    };
    (pair $cipher:literal, $mode:literal) => {
        [concat!("ipps", $cipher, "Encrypt", $mode), concat!("ipps", $cipher, "Decrypt", $mode)]
    };
}

static SM4: Names = names!("SMS4");
static AES: Names = names!("AES");

impl Names {
    /// Those of a cipher; its key length makes no difference.
    pub(super) fn of(cipher: &str) -> &'static Self {
        match cipher {
            "sm4" => &SM4,
            // Of the others `functions` says that there are none.
            _ => &AES,
        }
    }
}

/// The place of an operation's direction in a pair of names.
pub(super) const fn direction(operation: &Operation) -> usize {
    if operation.encrypt { 0 } else { 1 }
}

/// The functions that an operation calls; none if the library knows no such mode.
pub(super) fn functions(operation: &Operation) -> Vec<&'static str> {
    if operation.block != Some(16) {
        return Vec::new();
    }
    let names = Names::of(operation.cipher);
    let of_mode = |pair: [&'static str; 2]| {
        let [size, init, set_key] = names.cipher;
        vec![size, init, set_key, pair[direction(operation)]]
    };
    match operation.mode {
        Mode::Ecb => of_mode(names.ecb),
        Mode::Cbc => of_mode(names.cbc),
        Mode::Cfb | Mode::Cfb8 => of_mode(names.cfb),
        Mode::Ofb => of_mode(names.ofb),
        Mode::Ctr => of_mode(names.ctr),
        Mode::Gcm | Mode::Gmac => names.gcm.to_vec(),
        Mode::Ccm => names.ccm.to_vec(),
        Mode::Xts => names.xts.to_vec(),
        Mode::Cmac => names.cmac.to_vec(),
        Mode::XtsGb | Mode::GcmSiv | Mode::Nia2 | Mode::Keystream => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peer_operations;

    #[test]
    fn the_functions_have_the_names_of_the_header() {
        let of = |cipher: &str, name: &str| {
            let it =
                peer_operations::operations().find(|it| it.cipher == cipher && it.name == name);
            functions(&it.expect("asked for"))
        };
        let cbc = ["ippsSMS4GetSize", "ippsSMS4Init", "ippsSMS4SetKey", "ippsSMS4DecryptCBC"];
        assert_eq!(of("sm4", "cbc-decrypt"), cbc);
        assert!(of("aes-256", "gmac").contains(&"ippsAES_GCMStart"));
        assert!(of("sm4", "ccm-open").contains(&"ippsSMS4_CCMTagLen"));
        assert!(of("aes-128", "gcm-siv-open").is_empty());
    }
}
