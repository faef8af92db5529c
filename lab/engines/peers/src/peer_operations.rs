//! What is asked of every peer: the operations of the registry in the modes that libraries have.
//!
//! A peer says which of these it has and by what name; lengths, models and offers are the
//! registry's and the same for all, so that cells can be compared.

use std::sync::LazyLock;

use cipherlane::modes::Direction;
use cipherlane::registry::{self, ALGORITHMS, Algorithm};
use lab::reply::{KnownWrong, Offer};
use lab::work::Refusal;
use lab::{Cell, Model};

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
    /// CMAC behind an IV that stands in front of the message.
    Nia2,
    Gmac,
}

impl Mode {
    /// The one of that name, if peers are asked for it.
    fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            registry::KEYSTREAM => Self::Keystream,
            "ecb" => Self::Ecb,
            "cbc" => Self::Cbc,
            // Counters of 128 bits, and the first one is the IV, in both.
            "ctr" | "nea2" => Self::Ctr,
            "cfb" => Self::Cfb,
            "cfb8" => Self::Cfb8,
            "ofb" => Self::Ofb,
            "xts" => Self::Xts,
            "xts-gb" => Self::XtsGb,
            "gcm" => Self::Gcm,
            "ccm" => Self::Ccm,
            "gcm-siv" => Self::GcmSiv,
            "cmac" => Self::Cmac,
            "nia2" => Self::Nia2,
            "gmac" => Self::Gmac,
            _ => return None,
        })
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
        matches!(self, Self::Cmac | Self::Nia2 | Self::Gmac)
    }

    /// Whether it has a tag.
    pub(crate) const fn has_tag(self) -> bool {
        self.is_aead() || self.is_mac()
    }
}

/// One operation of one cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    /// The cipher's name in the registry.
    pub(crate) cipher: &'static str,
    /// The length of its block in bytes; none of a stream cipher.
    pub(crate) block: Option<usize>,
    pub(crate) mode: Mode,
    /// The registry's name.
    pub(crate) name: &'static str,
    /// Whether it encrypts, seals or makes a tag.
    pub(crate) encrypt: bool,
    key_bytes: u32,
    nonce_bytes: u32,
    granule: u32,
    tag_bytes: u32,
    least: usize,
}

/// Whether peers are asked for a cipher: those that have a ZUC or a SNOW say so themselves.
fn is_asked(algorithm: &&'static Algorithm) -> bool {
    !["zuc-", "snow-"].iter().any(|family| algorithm.name.starts_with(family))
}

/// The length of the keys, in bytes: 16 where a cipher takes such. But Salsa20's are as its author
/// recommends, as some libraries have no others, and Sosemanuk's as the first study has them; a
/// shorter key is padded to that.
fn key_bytes(algorithm: &Algorithm) -> usize {
    match algorithm.name {
        "salsa20-8" | "salsa20-12" | "salsa20-20" | "sosemanuk" => 32,
        _ if algorithm.key.allow(16) => 16,
        _ => algorithm.key.min,
    }
}

impl Operation {
    /// An operation of the registry; none if peers are not asked for it.
    fn of(it: registry::Operation) -> Option<Self> {
        let algorithm = it.algorithm;
        let mode = Mode::by_name(it.mode())?;
        // XTS of IEEE 1619 is of AES with 128 and 256 bits, that of GB/T 17964 is SM4's.
        match (mode, algorithm.name) {
            (Mode::Xts, "aes-192") => return None,
            (Mode::XtsGb, name) if name != "sm4" => return None,
            _ => {}
        }
        let bytes = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let keys = if mode.is_xts() { 2 } else { 1 };
        // What may go without an IV gets one, the longest.
        let nonce = if it.usual_iv == 0 { it.iv.max } else { it.usual_iv };
        Some(Self {
            cipher: algorithm.name,
            block: algorithm.block(),
            mode,
            name: it.name,
            encrypt: it.direction() == Direction::Encrypt,
            key_bytes: bytes(keys * key_bytes(algorithm)),
            nonce_bytes: bytes(nonce),
            granule: bytes(it.data.step.max(1)),
            tag_bytes: bytes(it.tag.max),
            least: it.data.min,
        })
    }

    /// The models it can be measured in.
    fn models(&self) -> Vec<Model> {
        let mut models = vec![Model::Packet, Model::Message];
        // XTS has no data unit without data.
        if self.least == 0 {
            models.push(Model::Init);
        }
        // These have their IV set with their key.
        if !matches!(self.mode, Mode::Gmac | Mode::Nia2 | Mode::Keystream) {
            models.push(Model::Key);
        }
        if self.least == 0 && !self.mode.has_tag() {
            models.push(Model::Stream);
        }
        if self.mode == Mode::Ecb {
            models.push(Model::Latency);
        }
        models
    }

    /// A key and an IV of its lengths, to see whether a library takes them.
    pub(crate) fn sample(&self) -> (Vec<u8>, Vec<u8>) {
        // The halves of a key of XTS must differ.
        let bytes = |length: u32| (0..length).map(|i| i as u8).collect();
        (bytes(self.key_bytes), bytes(self.nonce_bytes))
    }

    fn offer(&self) -> Offer {
        Offer {
            algorithm: self.cipher.to_owned(),
            operation: self.name.to_owned(),
            levels: vec![Cell::OWN_LEVEL.to_owned()],
            models: self.models(),
            key_bytes: self.key_bytes,
            nonce_bytes: vec![self.nonce_bytes],
            granule: self.granule,
            tag_bytes: self.tag_bytes,
        }
    }
}

/// Every operation that is asked for.
pub(crate) fn operations() -> impl Iterator<Item = Operation> {
    static ALL: LazyLock<Vec<Operation>> = LazyLock::new(|| {
        let asked = ALGORITHMS.iter().filter(is_asked);
        asked.flat_map(registry::operations).filter_map(Operation::of).collect()
    });
    ALL.iter().copied()
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
                algorithm: operation.cipher.to_owned(),
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
        .find(|it| it.cipher == cell.algorithm && it.name == cell.operation)
        .ok_or_else(|| format!("{engine} has no {}/{}", cell.algorithm, cell.operation))?;
    if !cell.model.is_setup() && cell.size < found.least as u64 {
        let (least, size) = (found.least, cell.size);
        return Err(format!("a data unit of XTS has at least {least} bytes, not {size}").into());
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_of_the_registry_is_asked_for_but_what_no_library_has() {
        let ours = ["aead", "bc", "cbc-mac", "cfb1", "ctr32", "hctr", "ofbnlf", "xts-gb"];
        // The algorithms of 3GPP over SNOW 3G and AES-256, and two together.
        let air = ["nea1", "nia1", "nea5", "nia5", "nca5", "nea2+nia2"];
        for algorithm in ALGORITHMS.iter().filter(is_asked) {
            for batch in registry::operations(algorithm) {
                let of = |it: &Operation| it.cipher == algorithm.name && it.name == batch.name;
                let Some(it) = operations().find(of) else {
                    let named = |mode: &&str| batch.name.starts_with(*mode);
                    let mut known = ours.iter().chain(&air).any(named);
                    known |= algorithm.name == "aes-192" && batch.name.starts_with("xts");
                    assert!(known, "{}/{}", algorithm.name, batch.name);
                    continue;
                };
                assert!(batch.key.allow(it.key_bytes as usize), "{it:?}");
                assert!(batch.iv.allow(it.nonce_bytes as usize), "{it:?}");
            }
        }
        let names: BTreeSet<_> = operations().map(|it| (it.cipher, it.name)).collect();
        assert_eq!(names.len(), operations().count(), "an operation twice");
        // Those of a block cipher: 16 of 16-byte blocks, 11 of shorter ones.
        let of = |cipher| names.iter().filter(|it| it.0 == cipher).count();
        assert_eq!([of("aes-256"), of("idea"), of("rabbit")], [20, 11, 1]);
    }

    #[test]
    fn what_a_library_lacks_is_told_with_the_reason() {
        let (there, missing) = offers(|it| (it.mode == Mode::Gmac).then(|| "no GMAC".to_owned()));
        assert_eq!(there.len() + missing.len(), operations().count());
        assert_eq!(missing.len(), operations().filter(|it| it.mode == Mode::Gmac).count());
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
