//! What is asked of every peer: the modes of the 128-bit block ciphers, by the registry's names.
//!
//! A peer says which of these it has and by what name; lengths, models and offers are the
//! same for all, so that cells can be compared.

use lab::reply::{KnownWrong, Offer};
use lab::work::Refusal;
use lab::{Cell, Model};

/// A block cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cipher {
    Sm4,
    Aes128,
    Aes192,
    Aes256,
}

impl Cipher {
    const ALL: [Self; 4] = [Self::Sm4, Self::Aes128, Self::Aes192, Self::Aes256];

    /// The registry's name.
    pub(crate) const fn algorithm(self) -> &'static str {
        match self {
            Self::Sm4 => "sm4",
            Self::Aes128 => "aes-128",
            Self::Aes192 => "aes-192",
            Self::Aes256 => "aes-256",
        }
    }

    const fn key_bytes(self) -> u32 {
        match self {
            Self::Sm4 | Self::Aes128 => 16,
            Self::Aes192 => 24,
            Self::Aes256 => 32,
        }
    }
}

/// A mode of operation or a MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
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
    const ALL: [Self; 13] = [
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

    const fn nonce_bytes(self) -> u32 {
        match self {
            Self::Ecb | Self::Cmac => 0,
            Self::Gcm | Self::Ccm | Self::GcmSiv | Self::Gmac => 12,
            _ => 16,
        }
    }

    /// The tag's length in bytes; 0 where there is none.
    pub(crate) const fn tag_bytes(self) -> u32 {
        if self.is_aead() || self.is_mac() { 16 } else { 0 }
    }

    /// The models it can be measured in.
    fn models(self) -> Vec<Model> {
        let mut models = vec![Model::Packet, Model::Message];
        // XTS has no data unit without data.
        if !self.is_xts() {
            models.push(Model::Init);
        }
        // GMAC's IV is set with its key.
        if self != Self::Gmac {
            models.push(Model::Key);
        }
        if !self.is_xts() && self.tag_bytes() == 0 {
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
        (bytes(self.key_bytes()), bytes(self.mode.nonce_bytes()))
    }

    fn offer(&self) -> Offer {
        Offer {
            algorithm: self.cipher.algorithm().to_owned(),
            operation: self.name.to_owned(),
            levels: vec![Cell::OWN_LEVEL.to_owned()],
            models: self.mode.models(),
            key_bytes: self.key_bytes(),
            nonce_bytes: vec![self.mode.nonce_bytes()],
            granule: if matches!(self.mode, Mode::Ecb | Mode::Cbc) { 16 } else { 1 },
            tag_bytes: self.mode.tag_bytes(),
        }
    }
}

/// Every operation that is asked for.
pub(crate) fn operations() -> impl Iterator<Item = Operation> {
    Cipher::ALL.into_iter().flat_map(|cipher| {
        // XTS and GCM-SIV are defined for AES of 128 and 256 bits, XTS of GB/T 17964 for SM4.
        let defined = move |mode: &Mode| match mode {
            Mode::Xts | Mode::GcmSiv => cipher != Cipher::Aes192,
            Mode::XtsGb => cipher == Cipher::Sm4,
            _ => true,
        };
        Mode::ALL.into_iter().filter(defined).flat_map(move |mode| {
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
            let algorithm = registry::algorithm(it.cipher.algorithm()).expect("registered");
            let mode = it.name.rsplit_once('-').map_or(it.name, |(mode, _)| mode);
            let known = registry::operations(algorithm).any(|known| known.name == it.name)
                || registry::messages(algorithm).any(|known| known.name == mode)
                || registry::aeads(algorithm).any(|known| known.name == mode)
                || registry::macs(algorithm).any(|known| known.name == it.name);
            assert!(known, "{it:?}");
            let keys = if it.mode.is_xts() { 2 } else { 1 };
            assert_eq!(it.offer().key_bytes as usize, keys * algorithm.key.min, "{it:?}");
            count += 1;
        }
        assert_eq!(count, 4 * 16 + 3 * (2 + 2) + 2);
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
