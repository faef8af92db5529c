//! What there is, under OpenSSL's names: the registry's block ciphers in the modes that EVP
//! has, and its stream ciphers.

use std::ops::Deref;
use std::sync::{LazyLock, OnceLock};

use ciphers::modes::Direction;
use ciphers::registry::{self, Algorithm, KEYSTREAM, Kind, Operation};
use ciphers::{Level, Sizes};
use reserve::Watch;

use crate::Outcome;
use crate::reason::Reason;

/// A mode as EVP knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Stream,
    Ecb,
    Cbc,
    Cfb,
    Cfb8,
    Ofb,
    Ctr,
    Gcm,
    GcmSiv,
    Ccm,
    Xts,
}

impl Mode {
    /// The one that the registry calls so, if EVP has it.
    fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "ecb" => Self::Ecb,
            "cbc" => Self::Cbc,
            "ctr" => Self::Ctr,
            "cfb" => Self::Cfb,
            "cfb8" => Self::Cfb8,
            "ofb" => Self::Ofb,
            "gcm" => Self::Gcm,
            "gcm-siv" => Self::GcmSiv,
            "ccm" => Self::Ccm,
            "xts" => Self::Xts,
            _ => return None,
        })
    }

    /// `EVP_CIPH_…_MODE`.
    pub(crate) const fn number(self) -> usize {
        match self {
            Self::Stream => 0,
            Self::Ecb => 1,
            Self::Cbc => 2,
            Self::Cfb | Self::Cfb8 => 3,
            Self::Ofb => 4,
            Self::Ctr => 5,
            Self::Gcm => 6,
            Self::Ccm => 7,
            Self::Xts => 0x10001,
            Self::GcmSiv => 0x10005,
        }
    }

    pub(crate) const fn is_aead(self) -> bool {
        matches!(self, Self::Gcm | Self::GcmSiv | Self::Ccm)
    }
}

/// One cipher as OpenSSL fetches it.
#[derive(Debug)]
pub(crate) struct Spec {
    /// All its names, colons between them.
    pub(crate) names: String,
    pub(crate) title: &'static str,
    pub(crate) algorithm: &'static Algorithm,
    pub(crate) mode: Mode,
    /// The registry's operations that encrypt and decrypt.
    pub(crate) operations: [Operation; 2],
    /// The key length in bytes where nothing else is said, and those allowed.
    pub(crate) key: usize,
    pub(crate) keys: Sizes,
    /// The IV length in bytes where nothing else is said, and those allowed.
    pub(crate) iv: usize,
    pub(crate) ivs: Sizes,
    /// The block length in bytes of what whole blocks are wanted for; else 1.
    pub(crate) block: usize,
    /// RC2: effective key bits.
    pub(crate) key_bits: Option<u32>,
}

impl Spec {
    /// Whether OpenSSL keeps it in its legacy provider, which nobody has without asking.
    pub(crate) fn is_legacy(&self) -> bool {
        ["rc2", "rc4", "rc5", "idea"].contains(&self.algorithm.name)
    }
}

/// The longest IV that programs have room for, `EVP_MAX_IV_LENGTH`: for a longer one they have
/// to set its length themselves.
const MOST_IV: usize = 16;

/// The level of all objects.
pub(crate) fn level() -> Level {
    static LEVEL: LazyLock<Level> = LazyLock::new(|| Level::detect().unwrap_or(Level::portable()));
    *LEVEL
}

/// A list for the life of the process. What runs out of memory while it is made is made anew when it is asked
/// for again: nothing stays in the reserve.
pub(crate) struct List<T: 'static>(OnceLock<Vec<T>>, fn(Watch) -> Outcome<Vec<T>>);

impl<T> List<T> {
    pub(crate) const fn new(make: fn(Watch) -> Outcome<Vec<T>>) -> Self {
        Self(OnceLock::new(), make)
    }

    /// The list.
    ///
    /// # Errors
    /// [`Reason::NoMemory`].
    pub(crate) fn made(&self) -> Outcome<&[T]> {
        if self.0.get().is_none() {
            let watch = Watch::begin();
            let list = (self.1)(watch)?;
            enough(watch)?;
            _ = self.0.set(list);
        }
        Ok(self.0.get().map_or(&[], Vec::as_slice))
    }
}

/// The list; nothing where there is no memory for it, which a provider that was loaded has found.
impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.made().unwrap_or(&[])
    }
}

/// That memory has not run out.
pub(crate) fn enough(watch: Watch) -> Outcome {
    if watch.holds() { Err(Reason::NoMemory.into()) } else { Ok(()) }
}

/// Every cipher there is.
pub(crate) static SPECS: List<Spec> = List::new(|watch| {
    let all = registry::ALGORITHMS.iter().flat_map(registry::operations);
    let mut specs = Vec::new();
    for it in all.filter(|it| it.direction() == Direction::Encrypt) {
        let inverse = it.inverse.and_then(|name| registry::operation(it.algorithm, name));
        let Some(inverse) = inverse else { continue };
        let both = [it, inverse];
        specs.extend(match both[0].algorithm.block() {
            Some(block) => of_block(&both, block),
            None => of_stream(&both),
        });
        // All of them are more than the reserve has room for.
        enough(watch)?;
    }
    Ok(specs)
});

/// Their names in order.
pub(crate) static NAMES: List<(&str, &Spec)> = List::new(|_| {
    let all = SPECS.made()?.iter();
    let all = all.flat_map(|spec| spec.names.split(':').map(move |it| (it, spec)));
    let mut all: Vec<_> = all.collect();
    all.sort_by(|one, two| in_any_case(one.0, two.0));
    Ok(all)
});

/// The cipher of that name, in any case. By halves: a MAC is told its cipher for every key.
pub(crate) fn spec(name: &str) -> Option<&'static Spec> {
    let at = NAMES.binary_search_by(|it| in_any_case(it.0, name)).ok()?;
    NAMES.get(at).map(|it| it.1)
}

fn in_any_case(one: &str, two: &str) -> std::cmp::Ordering {
    let small = |byte: u8| byte.to_ascii_lowercase();
    one.bytes().map(small).cmp(two.bytes().map(small))
}

/// A mode of a block cipher, from the operations that encrypt and decrypt.
fn of_block(operations: &[Operation; 2], block: usize) -> Vec<Spec> {
    let mut specs = Vec::new();
    let operation = &operations[0];
    let algorithm = operation.algorithm;
    let Some(mode) = Mode::by_name(operation.mode()) else { return specs };
    // What OpenSSL has, too.
    if matches!(mode, Mode::Cfb8 | Mode::Ctr) && block != 16 {
        return specs;
    }
    let key = if algorithm.key.allow(16) { 16 } else { algorithm.key.min };
    let spec = |names: String, key: usize, keys: Sizes, key_bits: Option<u32>| Spec {
        names,
        title: algorithm.title,
        algorithm,
        mode,
        operations: operations.clone(),
        key,
        keys,
        iv: operation.usual_iv,
        ivs: if mode == Mode::Gcm { Sizes::between(1, 128) } else { operation.iv },
        block: if operation.whole_blocks() { block } else { 1 },
        key_bits,
    };
    let effective = registry::parameters(algorithm.name).filter(|family| {
        let half = registry::Parameters { effective_key_bits: Some(64), ..Default::default() };
        family.takes(half)
    });
    // Both keys of XTS are as long.
    let usual = key * operation.key.max / algorithm.key.max;
    specs.push(spec(names(operation, mode), usual, operation.key, effective.map(|_| 128)));
    if effective.is_some() && mode == Mode::Cbc {
        let prefix = algorithm.name.to_uppercase();
        for bits in [40_u32, 64] {
            let names = format!("{prefix}-{bits}-CBC:{prefix}-{bits}");
            specs.push(spec(names, bits as usize / 8, algorithm.key, Some(bits)));
        }
    }
    specs
}

/// The names of a block cipher in a mode, as the default and the legacy provider have them.
fn names(operation: &Operation, mode: Mode) -> String {
    let (algorithm, suffix) = (operation.algorithm, operation.mode().to_uppercase());
    let name = algorithm.name.to_uppercase();
    let short = name.replace('-', "");
    let mut names = format!("{name}-{suffix}");
    let mut also = |alias: &str| {
        names.push(':');
        names.push_str(alias);
    };
    let new_names = ["SM4", "IDEA"].contains(&name.as_str());
    match mode {
        Mode::Cbc if name == "RC2" => also("RC2:RC2-128"),
        Mode::Cbc => also(&short),
        Mode::Ofb | Mode::Cfb if new_names => {
            let bits = if name == "SM4" { 128 } else { 64 };
            also(&format!("{name}-{suffix}{bits}"));
        }
        Mode::Gcm | Mode::Ccm if short.starts_with("AES") => {
            also(&format!("id-{}-{suffix}", short.to_lowercase()));
        }
        _ => {}
    }
    // One name for both standards of XTS.
    let oid = operation.oid().or_else(|| algorithm.oid("xts-gb").filter(|_| mode == Mode::Xts));
    if let Some(oid) = oid.filter(|_| mode != Mode::Cfb8) {
        also(oid);
    }
    names
}

/// A keystream.
fn of_stream(operations: &[Operation; 2]) -> Vec<Spec> {
    let operation = &operations[0];
    if operation.kind != Kind::Cipher {
        return Vec::new();
    }
    let (algorithm, keys, ivs) = (operation.algorithm, operation.key, operation.iv);
    let usual = if ivs.min == 0 { ivs.max } else { ivs.min };
    let spec = |names: String, key: usize| Spec {
        names,
        title: algorithm.title,
        algorithm,
        mode: Mode::Stream,
        operations: operations.clone(),
        key,
        keys,
        iv: if usual <= MOST_IV { usual } else { 0 },
        ivs,
        block: 1,
        key_bits: None,
    };
    let name = algorithm.name.to_uppercase();
    if operation.name != KEYSTREAM {
        let (short, bits) = (operation.name.to_uppercase(), 8 * keys.min);
        return vec![spec(format!("{short}:{bits}-{short}:{name}-{short}"), keys.min)];
    }
    let key = if keys.allow(16) { 16 } else { keys.min };
    if name == "RC4" {
        let usual = spec(format!("{name}:1.2.840.113549.3.4"), key);
        return vec![usual, spec(format!("{name}-40"), 5)];
    }
    vec![spec(name, key)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_openssl() {
        for names in [
            "SM4-ECB:1.2.156.10197.1.104.1",
            "SM4-CBC:SM4:1.2.156.10197.1.104.2",
            "SM4-OFB:SM4-OFB128:1.2.156.10197.1.104.3",
            "SM4-CFB:SM4-CFB128:1.2.156.10197.1.104.4",
            "SM4-CTR:1.2.156.10197.1.104.7",
            "SM4-GCM:1.2.156.10197.1.104.8",
            "SM4-CCM:1.2.156.10197.1.104.9",
            "SM4-XTS:1.2.156.10197.1.104.10",
            "AES-128-CBC:AES128:2.16.840.1.101.3.4.1.2",
            "AES-192-GCM:id-aes192-GCM:2.16.840.1.101.3.4.1.26",
            "AES-256-CCM:id-aes256-CCM:2.16.840.1.101.3.4.1.47",
            "AES-256-XTS:1.3.111.2.1619.0.1.2",
            "AES-128-GCM-SIV",
            "AES-256-GCM-SIV",
            "SM4-GCM-SIV",
            "AES-256-CFB8",
            "AES-192-CTR",
            "IDEA-CBC:IDEA:1.3.6.1.4.1.188.7.1.1.2",
            "IDEA-OFB:IDEA-OFB64",
            "RC2-CBC:RC2:RC2-128:1.2.840.113549.3.2",
            "RC2-40-CBC:RC2-40",
            "RC4:1.2.840.113549.3.4",
            "RC4-40",
            "RC5-CBC:RC5:1.2.840.113549.3.8",
            "ZUC-128",
            "ZUC-256",
            "EEA3:128-EEA3:ZUC-128-EEA3",
        ] {
            // The registry knows some object identifiers that OpenSSL does not.
            let more = format!("{names}:");
            let found = |spec: &Spec| spec.names == names || spec.names.starts_with(&more);
            assert!(SPECS.iter().any(found), "{names}");
        }
    }

    #[test]
    fn all_of_the_registry_is_offered_but_what_evp_has_no_mode_for() {
        let ours = [
            "bc",
            "cfb1",
            "ctr32",
            "hctr",
            "nca5",
            "nea2",
            "nea2+nia2",
            "nea5",
            "ofbnlf",
            "xts-gb",
        ];
        let encrypts = |it: &Operation| it.direction() == Direction::Encrypt;
        for it in registry::ALGORITHMS.iter().flat_map(registry::operations).filter(encrypts) {
            let offered = SPECS.iter().any(|spec| {
                spec.algorithm.name == it.algorithm.name && spec.operations[0].name == it.name
            });
            let of_blocks = it.algorithm.block();
            let old = of_blocks == Some(8) && ["cfb8", "ctr"].contains(&it.mode());
            // MACs are of EVP_MAC; ZUC's AEADs have no names there.
            let none = it.kind == Kind::Mac || of_blocks.is_none() && it.kind == Kind::Seal;
            assert_eq!(offered, !(none || old || ours.contains(&it.mode())), "{it:?}");
        }
    }

    #[test]
    fn every_cipher_is_found_by_each_of_its_names() {
        for known in SPECS.iter() {
            for name in known.names.split(':') {
                for name in [name.to_owned(), name.to_lowercase(), name.to_uppercase()] {
                    let found = spec(&name);
                    assert!(found.is_some_and(|it| std::ptr::eq(it, known)), "{name}");
                }
            }
        }
        assert!(spec("DES-EDE3-CBC").is_none() && spec("").is_none());
        assert!(spec("RC4-40").is_some_and(Spec::is_legacy));
        assert!(spec("AES-192-GCM-SIV").is_none(), "no standard has it");
    }

    #[test]
    fn no_name_is_there_twice_and_no_iv_overflows_a_program() {
        let mut all: Vec<_> = SPECS.iter().flat_map(|spec| spec.names.split(':')).collect();
        all.sort_unstable();
        let count = all.len();
        all.dedup_by(|one, two| one.eq_ignore_ascii_case(two));
        assert_eq!(all.len(), count);
        assert!(SPECS.iter().all(|spec| spec.iv <= MOST_IV && spec.key <= 64));
        assert!(SPECS.iter().all(|spec| spec.block.is_power_of_two()), "as `blocks` counts");
        let streams = SPECS.iter().filter(|spec| spec.mode == Mode::Stream);
        assert!(streams.map(|spec| spec.ivs.max).all(|iv| iv <= 64), "room of `cipher::stream`");
    }
}
