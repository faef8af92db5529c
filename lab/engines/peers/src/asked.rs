//! What is asked of every peer: the modes of block ciphers and the keystreams of stream ciphers,
//! by the registry's names.
//!
//! A peer says which of these it has and by what name; lengths, models and offers are the
//! same for all, so that cells can be compared.

use lab::reply::{KnownWrong, Offer};
use lab::work::Refusal;
use lab::{Cell, Model};

/// A cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cipher {
    Sm4,
    Aes128,
    Aes192,
    Aes256,
    Idea,
    /// With as many effective key bits as the key has.
    Rc2,
    /// RC5-32/12/16.
    Rc5,
    Rc4,
    Hc128,
    Rabbit,
    /// Of 8, 12 or 20 rounds.
    Salsa20(u8),
    Sosemanuk,
    Mickey2,
    Mickey128,
    Trivium,
    GrainV1,
    Grain128,
    Enocoro128,
}

impl Cipher {
    const ALL: [Self; 20] = [
        Self::Sm4,
        Self::Aes128,
        Self::Aes192,
        Self::Aes256,
        Self::Idea,
        Self::Rc2,
        Self::Rc5,
        Self::Rc4,
        Self::Hc128,
        Self::Rabbit,
        Self::Salsa20(8),
        Self::Salsa20(12),
        Self::Salsa20(20),
        Self::Sosemanuk,
        Self::Mickey2,
        Self::Mickey128,
        Self::Trivium,
        Self::GrainV1,
        Self::Grain128,
        Self::Enocoro128,
    ];

    /// The registry's name.
    pub(crate) const fn algorithm(self) -> &'static str {
        match self {
            Self::Sm4 => "sm4",
            Self::Aes128 => "aes-128",
            Self::Aes192 => "aes-192",
            Self::Aes256 => "aes-256",
            Self::Idea => "idea",
            Self::Rc2 => "rc2",
            Self::Rc5 => "rc5",
            Self::Rc4 => "rc4",
            Self::Hc128 => "hc-128",
            Self::Rabbit => "rabbit",
            Self::Salsa20(8) => "salsa20-8",
            Self::Salsa20(12) => "salsa20-12",
            Self::Salsa20(_) => "salsa20-20",
            Self::Sosemanuk => "sosemanuk",
            Self::Mickey2 => "mickey2",
            Self::Mickey128 => "mickey-128",
            Self::Trivium => "trivium",
            Self::GrainV1 => "grain-v1",
            Self::Grain128 => "grain-128",
            Self::Enocoro128 => "enocoro-128",
        }
    }

    const fn key_bytes(self) -> u32 {
        match self {
            Self::Aes192 => 24,
            // Salsa20 as its author recommends it, which some libraries have alone.
            Self::Aes256 | Self::Salsa20(_) => 32,
            // As the first study has it; a shorter key is padded to that.
            Self::Sosemanuk => 32,
            Self::Mickey2 | Self::Trivium | Self::GrainV1 => 10,
            _ => 16,
        }
    }

    /// The length of a block in bytes; none of a stream cipher.
    pub(crate) const fn block(self) -> Option<u32> {
        match self {
            Self::Sm4 | Self::Aes128 | Self::Aes192 | Self::Aes256 => Some(16),
            Self::Idea | Self::Rc2 | Self::Rc5 => Some(8),
            _ => None,
        }
    }

    /// The length of a stream cipher's IV in bytes, of a block cipher's block.
    const fn iv_bytes(self) -> u32 {
        match self {
            Self::Rc4 => 0,
            Self::Rabbit | Self::Salsa20(_) | Self::GrainV1 | Self::Enocoro128 => 8,
            Self::Mickey2 | Self::Trivium => 10,
            Self::Grain128 => 12,
            Self::Hc128 | Self::Sosemanuk | Self::Mickey128 => 16,
            _ => match self.block() {
                Some(bytes) => bytes,
                None => 0,
            },
        }
    }

    /// Whether a mode is defined for it.
    fn has(self, mode: Mode) -> bool {
        match (self.block(), mode) {
            (None, _) => mode == Mode::Keystream,
            (Some(_), Mode::Keystream) => false,
            // XTS and GCM-SIV are defined for AES of 128 and 256 bits, XTS of GB/T 17964 for SM4.
            (Some(16), Mode::Xts | Mode::GcmSiv) => self != Self::Aes192,
            (Some(16), Mode::XtsGb) => self == Self::Sm4,
            (Some(16), _) => true,
            _ => !mode.is_xts() && !mode.is_aead() && mode != Mode::Gmac,
        }
    }
}

/// A mode of operation or a MAC of a block cipher, or what a stream cipher does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Keystream,
    Ecb,
    Cbc,
    Ctr,
    Cfb,
    Cfb8,
    Ofb,
    /// Of IEEE 1619.
    Xts,
    /// Of GB/T 17964-2021, whose tweaks differ from the second block on.
    XtsGb,
    Gcm,
    Ccm,
    GcmSiv,
    Cmac,
    Gmac,
}

impl Mode {
    const ALL: [Self; 14] = [
        Self::Keystream,
        Self::Ecb,
        Self::Cbc,
        Self::Ctr,
        Self::Cfb,
        Self::Cfb8,
        Self::Ofb,
        Self::Xts,
        Self::XtsGb,
        Self::Gcm,
        Self::Ccm,
        Self::GcmSiv,
        Self::Cmac,
        Self::Gmac,
    ];

    /// Its operations: the one that encrypts, then the one that decrypts, if that is another.
    const fn operations(self) -> &'static [&'static str] {
        match self {
            Self::Keystream => &["keystream"],
            Self::Ecb => &["ecb-encrypt", "ecb-decrypt"],
            Self::Cbc => &["cbc-encrypt", "cbc-decrypt"],
            Self::Ctr => &["ctr"],
            Self::Cfb => &["cfb-encrypt", "cfb-decrypt"],
            Self::Cfb8 => &["cfb8-encrypt", "cfb8-decrypt"],
            Self::Ofb => &["ofb"],
            Self::Xts => &["xts-encrypt", "xts-decrypt"],
            Self::XtsGb => &["xts-gb-encrypt", "xts-gb-decrypt"],
            Self::Gcm => &["gcm-seal", "gcm-open"],
            Self::Ccm => &["ccm-seal", "ccm-open"],
            Self::GcmSiv => &["gcm-siv-seal", "gcm-siv-open"],
            Self::Cmac => &["cmac"],
            Self::Gmac => &["gmac"],
        }
    }

    /// Whether two ciphers are defined for it: one cipher's keys for data and tweaks.
    pub(crate) const fn is_xts(self) -> bool {
        matches!(self, Self::Xts | Self::XtsGb)
    }

    /// Whether it seals and opens.
    pub(crate) const fn is_aead(self) -> bool {
        matches!(self, Self::Gcm | Self::Ccm | Self::GcmSiv)
    }

    /// Whether its only output is a tag.
    pub(crate) const fn is_mac(self) -> bool {
        matches!(self, Self::Cmac | Self::Gmac)
    }

    /// Whether it has a tag.
    pub(crate) const fn has_tag(self) -> bool {
        self.is_aead() || self.is_mac()
    }

    /// The models it can be measured in.
    fn models(self) -> Vec<Model> {
        let mut models = vec![Model::Packet, Model::Message];
        // XTS has no data unit without data.
        if !self.is_xts() {
            models.push(Model::Init);
        }
        // These have their IV set with their key.
        if self != Self::Gmac && self != Self::Keystream {
            models.push(Model::Key);
        }
        if !self.is_xts() && !self.has_tag() {
            models.push(Model::Stream);
        }
        if self == Self::Ecb {
            models.push(Model::Latency);
        }
        models
    }
}

/// One operation of one cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) cipher: Cipher,
    pub(crate) mode: Mode,
    /// The registry's name.
    pub(crate) name: &'static str,
    /// Whether it encrypts, seals or makes a tag.
    pub(crate) encrypt: bool,
}

impl Operation {
    const fn key_bytes(&self) -> u32 {
        let key_bytes = self.cipher.key_bytes();
        if self.mode.is_xts() { 2 * key_bytes } else { key_bytes }
    }

    /// A key and an IV of its lengths, to see whether a library takes them.
    pub(crate) fn sample(&self) -> (Vec<u8>, Vec<u8>) {
        // The halves of a key of XTS must differ.
        let bytes = |length: u32| (0..length).map(|i| i as u8).collect();
        (bytes(self.key_bytes()), bytes(self.nonce_bytes()))
    }

    const fn nonce_bytes(&self) -> u32 {
        match self.mode {
            Mode::Ecb | Mode::Cmac => 0,
            Mode::Gcm | Mode::Ccm | Mode::GcmSiv | Mode::Gmac => 12,
            _ => self.cipher.iv_bytes(),
        }
    }

    /// The tag's length in bytes, which is at most a block's; 0 where there is none.
    const fn tag_bytes(&self) -> u32 {
        match self.cipher.block() {
            Some(bytes) if self.mode.has_tag() => bytes,
            _ => 0,
        }
    }

    fn offer(&self) -> Offer {
        Offer {
            algorithm: self.cipher.algorithm().to_owned(),
            operation: self.name.to_owned(),
            levels: vec![Cell::OWN_LEVEL.to_owned()],
            models: self.mode.models(),
            key_bytes: self.key_bytes(),
            nonce_bytes: vec![self.nonce_bytes()],
            granule: match self.cipher.block() {
                Some(bytes) if matches!(self.mode, Mode::Ecb | Mode::Cbc) => bytes,
                _ => 1,
            },
            tag_bytes: self.tag_bytes(),
        }
    }
}

/// Every operation that is asked for.
pub(crate) fn operations() -> impl Iterator<Item = Operation> {
    Cipher::ALL.into_iter().flat_map(|cipher| {
        Mode::ALL.into_iter().filter(move |mode| cipher.has(*mode)).flat_map(move |mode| {
            let names = mode.operations().iter().zip([true, false]);
            names.map(move |(name, encrypt)| Operation { cipher, mode, name, encrypt })
        })
    })
}

/// What a library offers and what it lacks, from a function that says why it lacks an
/// operation, if it does.
pub(crate) fn offers(
    lacks: impl Fn(&Operation) -> Option<String>,
) -> (Vec<Offer>, Vec<KnownWrong>) {
    let (mut there, mut missing) = (Vec::new(), Vec::new());
    for operation in operations() {
        match lacks(&operation) {
            None => there.push(operation.offer()),
            Some(reason) => missing.push(KnownWrong {
                algorithm: operation.cipher.algorithm().to_owned(),
                operation: operation.name.to_owned(),
                reason,
            }),
        }
    }
    (there, missing)
}

/// The operation of a cell.
///
/// # Errors
/// A [`Refusal`] if the peers are not asked for it, or it takes no message of that length.
pub(crate) fn find(engine: &str, cell: &Cell) -> Result<Operation, Refusal> {
    let found = operations()
        .find(|it| it.cipher.algorithm() == cell.algorithm && it.name == cell.operation)
        .ok_or_else(|| format!("{engine} has no {}/{}", cell.algorithm, cell.operation))?;
    if found.mode.is_xts() && !cell.model.is_setup() && cell.size < 16 {
        let size = cell.size;
        return Err(format!("a data unit of XTS has at least 16 bytes, not {size}").into());
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use cipherlane::registry;

    use super::*;

    #[test]
    fn every_operation_is_one_of_the_registry_with_its_key() {
        let mut count = 0;
        for it in operations() {
            count += 1;
            // The library may be built without a cipher that peers have.
            let Some(algorithm) = registry::algorithm(it.cipher.algorithm()) else {
                assert!(it.cipher.block() != Some(16), "{it:?}");
                continue;
            };
            let mode = it.name.rsplit_once('-').map_or(it.name, |(mode, _)| mode);
            let known = registry::operations(algorithm).any(|known| known.name == it.name)
                || registry::messages(algorithm).any(|known| known.name == mode)
                || registry::aeads(algorithm).any(|known| known.name == mode)
                || registry::macs(algorithm).any(|known| known.name == it.name)
                || it.name == registry::KEYSTREAM;
            assert!(known, "{it:?}");
            let key_bytes = it.cipher.key_bytes() as usize;
            assert!(algorithm.key.allow(key_bytes), "{it:?}");
            let keys = if it.mode.is_xts() { 2 } else { 1 };
            assert_eq!(it.offer().key_bytes as usize, keys * key_bytes, "{it:?}");
        }
        assert_eq!(count, 4 * 16 + 3 * (2 + 2) + 2 + 3 * 11 + 13);
    }

    #[test]
    fn what_a_library_lacks_is_told_with_the_reason() {
        let (there, missing) = offers(|it| (it.mode == Mode::Gmac).then(|| "no GMAC".to_owned()));
        assert_eq!(there.len() + missing.len(), operations().count());
        assert_eq!(missing.len(), 4);
        assert!(missing.iter().all(|it| it.operation == "gmac" && it.reason == "no GMAC"));
    }

    #[test]
    fn a_short_data_unit_is_refused() {
        let mut cell = Cell::new("sm4", "xts-encrypt", Model::Message, 15);
        let refusal = find("x", &cell).expect_err("too short").to_string();
        assert!(refusal.contains("at least 16 bytes, not 15"), "{refusal}");
        cell.size = 16;
        assert_eq!(find("x", &cell).expect("long enough").mode, Mode::Xts);
        cell.operation = "eax".to_owned();
        assert_eq!(find("x", &cell).expect_err("none").to_string(), "x has no sm4/eax");
    }
}
