//! What is asked of the library: ciphers, modes and the names of its functions.

use lab::Model;

/// How a message is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ecb,
    Cbc,
    /// Cipher feedback, of so many bytes.
    Cfb(u32),
    Ofb,
    Ctr,
    Gcm,
    Ccm,
    /// GCM of associated data alone.
    Gmac,
    Xts,
    Cmac,
}

impl Kind {
    /// The length of the IV or nonce in bytes.
    pub(super) const fn nonce_bytes(self) -> u32 {
        match self {
            Self::Ecb | Self::Cmac => 0,
            Self::Cbc | Self::Cfb(_) | Self::Ofb | Self::Ctr | Self::Xts => 16,
            Self::Gcm | Self::Ccm | Self::Gmac => 12,
        }
    }

    /// The step of the lengths in bytes: CFB and OFB take whole blocks of feedback.
    pub(super) const fn granule(self) -> u32 {
        match self {
            Self::Ecb | Self::Cbc | Self::Ofb => 16,
            Self::Cfb(bytes) => bytes,
            Self::Ctr | Self::Gcm | Self::Ccm | Self::Gmac | Self::Xts | Self::Cmac => 1,
        }
    }

    /// The length of the tag in bytes.
    pub(super) const fn tag_bytes(self) -> u32 {
        match self {
            Self::Gcm | Self::Ccm | Self::Gmac | Self::Cmac => 16,
            _ => 0,
        }
    }

    /// The models it can be measured in.
    pub(super) fn models(self) -> Vec<Model> {
        let mut models = vec![Model::Key, Model::Packet, Model::Message];
        match self {
            Self::Ecb => models.extend([Model::Init, Model::Stream, Model::Latency]),
            Self::Cbc | Self::Cfb(_) | Self::Ofb | Self::Ctr => {
                models.extend([Model::Init, Model::Stream]);
            }
            Self::Gcm | Self::Ccm | Self::Cmac => models.push(Model::Init),
            // A MAC that takes an IV sets it with the key, and a data unit is never empty.
            Self::Gmac => {
                models.retain(|model| *model != Model::Key);
                models.push(Model::Init);
            }
            Self::Xts => {}
        }
        models
    }
}

/// The names of the functions of one cipher; in pairs, encryption first.
#[derive(Debug)]
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

/// The ciphers: the registry's name, the library's functions, the key in bytes.
static CIPHERS: [(&str, &Names, u32); 4] =
    [("sm4", &SM4, 16), ("aes-128", &AES, 16), ("aes-192", &AES, 24), ("aes-256", &AES, 32)];

/// The modes: the kind and its operations. A mode whose two directions are the same has
/// one operation.
const MODES: [(Kind, &[&str]); 11] = [
    (Kind::Ecb, &["ecb-encrypt", "ecb-decrypt"]),
    (Kind::Cbc, &["cbc-encrypt", "cbc-decrypt"]),
    (Kind::Ctr, &["ctr"]),
    (Kind::Cfb(16), &["cfb-encrypt", "cfb-decrypt"]),
    (Kind::Cfb(1), &["cfb8-encrypt", "cfb8-decrypt"]),
    (Kind::Ofb, &["ofb"]),
    (Kind::Gcm, &["gcm-seal", "gcm-open"]),
    (Kind::Ccm, &["ccm-seal", "ccm-open"]),
    (Kind::Xts, &["xts-encrypt", "xts-decrypt"]),
    (Kind::Cmac, &["cmac"]),
    (Kind::Gmac, &["gmac"]),
];

/// One operation.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) algorithm: &'static str,
    pub(super) operation: &'static str,
    pub(super) kind: Kind,
    /// 0 to encrypt, 1 to decrypt: the place in a pair of names.
    pub(super) direction: usize,
    pub(super) names: &'static Names,
    cipher_key: u32,
}

impl Operation {
    /// The length of the key in bytes.
    pub(super) fn key_bytes(&self) -> u32 {
        if self.kind == Kind::Xts { 2 * self.cipher_key } else { self.cipher_key }
    }

    /// The functions that it calls.
    pub(super) fn functions(&self) -> Vec<&'static str> {
        let (names, direction) = (self.names, self.direction);
        let of_mode = |pair: [&'static str; 2]| [&names.cipher[..], &[pair[direction]]].concat();
        match self.kind {
            Kind::Ecb => of_mode(names.ecb),
            Kind::Cbc => of_mode(names.cbc),
            Kind::Cfb(_) => of_mode(names.cfb),
            Kind::Ofb => of_mode(names.ofb),
            Kind::Ctr => of_mode(names.ctr),
            Kind::Gcm | Kind::Gmac => names.gcm.to_vec(),
            Kind::Ccm => names.ccm.to_vec(),
            Kind::Xts => names.xts.to_vec(),
            Kind::Cmac => names.cmac.to_vec(),
        }
    }
}

/// Every operation that is asked for. XTS with AES-192 is in no standard.
pub(super) fn all() -> impl Iterator<Item = Operation> {
    CIPHERS.iter().flat_map(|&(algorithm, names, cipher_key)| {
        let modes =
            MODES.into_iter().filter(move |(kind, _)| (algorithm, *kind) != ("aes-192", Kind::Xts));
        modes.flat_map(move |(kind, operations)| {
            operations.iter().zip([0, 1]).map(move |(&operation, direction)| Operation {
                algorithm,
                operation,
                kind,
                direction,
                names,
                cipher_key,
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_one_of_the_registry() {
        let count = all()
            .inspect(|it| assert!(crate::registered(it.algorithm, it.operation), "{it:?}"))
            .count();
        assert_eq!(count, 4 * 18 - 2);
    }

    #[test]
    fn the_functions_have_the_names_of_the_header() {
        let of = |algorithm: &str, operation: &str| {
            let it = all().find(|it| it.algorithm == algorithm && it.operation == operation);
            it.expect("asked for").functions()
        };
        let cbc = ["ippsSMS4GetSize", "ippsSMS4Init", "ippsSMS4SetKey", "ippsSMS4DecryptCBC"];
        assert_eq!(of("sm4", "cbc-decrypt"), cbc);
        assert!(of("aes-256", "gmac").contains(&"ippsAES_GCMStart"));
        assert!(of("sm4", "ccm-open").contains(&"ippsSMS4_CCMTagLen"));
    }
}
