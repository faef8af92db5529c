//! What is asked of libcrypto: ciphers, modes and the names it knows them by.

use std::ffi::{CString, c_int};

use lab::Model;

/// The ciphers: the registry's name, OpenSSL's, the key in bytes.
const CIPHERS: [(&str, &str, u32); 4] = [
    ("sm4", "SM4", 16),
    ("aes-128", "AES-128", 16),
    ("aes-192", "AES-192", 24),
    ("aes-256", "AES-256", 32),
];

/// How a message is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// IV and data.
    Cipher,
    /// IV and one data unit, under two keys.
    Unit,
    /// Nonce, data, tag.
    Gcm,
    /// The same, with the length beforehand.
    Ccm,
}

impl Kind {
    pub(super) const fn tag_bytes(self) -> u32 {
        match self {
            Self::Cipher | Self::Unit => 0,
            Self::Gcm | Self::Ccm => 16,
        }
    }
}

/// The modes: OpenSSL's suffix, the two operations, the kind, IV length and granule. A
/// mode whose two directions are the same has one operation.
const MODES: [(&str, &[&str], Kind, u32, u32); 8] = [
    ("ECB", &["ecb-encrypt", "ecb-decrypt"], Kind::Cipher, 0, 16),
    ("CBC", &["cbc-encrypt", "cbc-decrypt"], Kind::Cipher, 16, 16),
    ("CTR", &["ctr"], Kind::Cipher, 16, 1),
    ("CFB", &["cfb-encrypt", "cfb-decrypt"], Kind::Cipher, 16, 1),
    ("OFB", &["ofb"], Kind::Cipher, 16, 1),
    ("GCM", &["gcm-seal", "gcm-open"], Kind::Gcm, 12, 1),
    ("CCM", &["ccm-seal", "ccm-open"], Kind::Ccm, 12, 1),
    ("XTS", &["xts-encrypt", "xts-decrypt"], Kind::Unit, 16, 1),
];

/// One operation as OpenSSL names it.
pub(super) struct Operation {
    pub(super) algorithm: &'static str,
    pub(super) operation: &'static str,
    /// E.g. `AES-128-CBC`.
    pub(super) name: CString,
    /// 1 to encrypt, 0 to decrypt.
    pub(super) encrypt: c_int,
    pub(super) kind: Kind,
    pub(super) key_bytes: u32,
    pub(super) nonce_bytes: u32,
    pub(super) granule: u32,
}

impl Operation {
    /// The models it can be measured in.
    pub(super) fn models(&self) -> Vec<Model> {
        let mut models = vec![Model::Key, Model::Packet, Model::Message];
        match self.kind {
            Kind::Cipher => models.extend([Model::Init, Model::Stream]),
            Kind::Gcm => models.push(Model::Init),
            // A unit has a block at least, and CCM makes its tag with the data.
            Kind::Unit | Kind::Ccm => {}
        }
        if self.nonce_bytes == 0 {
            models.push(Model::Latency);
        }
        models
    }
}

/// Every operation that is asked for.
pub(super) fn all() -> impl Iterator<Item = Operation> {
    CIPHERS.into_iter().flat_map(|(algorithm, cipher, key)| {
        let modes =
            MODES.into_iter().filter(move |(suffix, ..)| (cipher, *suffix) != ("AES-192", "XTS"));
        modes.flat_map(move |(suffix, operations, kind, nonce_bytes, granule)| {
            operations.iter().zip([1, 0]).map(move |(&operation, encrypt)| Operation {
                algorithm,
                operation: of_standard(algorithm, operation),
                name: CString::new(format!("{cipher}-{suffix}")).expect("no null byte"),
                encrypt,
                kind,
                key_bytes: if kind == Kind::Unit { 2 * key } else { key },
                nonce_bytes,
                granule,
            })
        })
    })
}

/// The registry's name of an operation: SM4-XTS is by default that of GB/T 17964-2021,
/// whose tweaks differ from those of IEEE 1619.
fn of_standard(algorithm: &str, operation: &'static str) -> &'static str {
    match (algorithm, operation) {
        ("sm4", "xts-encrypt") => "xts-gb-encrypt",
        ("sm4", "xts-decrypt") => "xts-gb-decrypt",
        _ => operation,
    }
}

#[cfg(test)]
mod tests {
    use cipherlane::registry;

    use super::*;

    #[test]
    fn every_operation_is_one_of_the_registry() {
        let mut count = 0;
        for it in all() {
            let algorithm = registry::algorithm(it.algorithm).expect(it.algorithm);
            let mode = it.operation.rsplit_once('-').map_or(it.operation, |(mode, _)| mode);
            let known = registry::operations(algorithm).any(|known| known.name == it.operation)
                || registry::messages(algorithm).any(|known| known.name == mode)
                || registry::aeads(algorithm).any(|known| known.name == mode);
            assert!(known, "{}/{}", it.algorithm, it.operation);
            count += 1;
        }
        assert_eq!(count, 4 * 14 - 2);
    }
}
