//! The operations of stream ciphers besides their keystream: other keystreams, MACs and
//! AEADs. Each belongs to one algorithm.

use alloc::boxed::Box;

use lanes::Level;

use super::{Algorithm, Limits, NewStream};
use crate::air::PduCipher;
use crate::batch::BatchCipher;
use crate::mac::DynMac;
use crate::{Aead, Error, Sizes};

/// Makes a batch of an operation of a stream cipher.
pub type NewBatch = fn(Limits, Level) -> Box<dyn BatchCipher>;

/// A keystream operation of a stream cipher. Its operation is its name.
#[derive(Clone, Copy, Debug)]
pub struct StreamEntry {
    /// Its name, e.g. `"eea3"`.
    pub name: &'static str,
    /// The name of the stream cipher.
    pub algorithm: &'static str,
    /// The standard and clause.
    pub standard: &'static str,
    /// The key lengths in bytes.
    pub key: Sizes,
    /// The IV lengths in bytes.
    pub iv: Sizes,
    /// The constructor.
    pub new: NewStream,
    /// The constructor of a batch, in lanes.
    pub batch: NewBatch,
}

/// Makes a MAC from a key, an IV and a tag length in bytes.
pub type NewStreamMac = fn(&[u8], &[u8], usize, Level) -> Result<Box<dyn DynMac>, Error>;

/// A MAC made of a stream cipher. Its operation is its name.
#[derive(Clone, Copy, Debug)]
pub struct StreamMacEntry {
    /// Its name, e.g. `"mac64"`.
    pub name: &'static str,
    /// The name of the stream cipher.
    pub algorithm: &'static str,
    /// The standard and clause.
    pub standard: &'static str,
    /// The key lengths in bytes.
    pub key: Sizes,
    /// The IV lengths in bytes.
    pub iv: Sizes,
    /// The tag lengths in bytes.
    pub tag: Sizes,
    /// Whether a message may end inside a byte.
    pub bits: bool,
    /// The constructor. Limits of the standard are in force.
    pub new: NewStreamMac,
    /// The constructor without the limit, for measurements only; the same as `new`
    /// where the standard has none.
    pub unlimited: NewStreamMac,
    /// The most bytes of a message that the standard allows.
    pub limit: Option<u64>,
    /// The constructor of a batch, where there is one in lanes.
    pub batch: Option<NewBatch>,
}

/// Makes an AEAD from a key.
pub type NewStreamAead = fn(&[u8], Level) -> Result<Box<dyn Aead>, Error>;
/// Makes what encrypts and authenticates PDUs from a pair of keys.
pub type NewPduCipher = fn(&[u8], Level) -> Result<Box<dyn PduCipher>, Error>;

/// What a stream cipher's operation with a tag is.
#[derive(Clone, Copy, Debug)]
pub enum Sealed {
    /// An AEAD.
    Aead(NewStreamAead),
    /// Encryption and integrity of PDUs, which is not as safe: see [`PduCipher`].
    Pdu(NewPduCipher),
}

impl Sealed {
    /// The constructor, if it is an AEAD.
    #[must_use]
    pub const fn aead(self) -> Option<NewStreamAead> {
        match self {
            Self::Aead(new) => Some(new),
            Self::Pdu(_) => None,
        }
    }
}

/// What a stream cipher encrypts and authenticates with: an AEAD, or two algorithms together.
#[derive(Clone, Copy, Debug)]
pub struct StreamAeadEntry {
    /// Its name, e.g. `"gxm"`.
    pub name: &'static str,
    /// The name of the operation that encrypts, e.g. `"gxm-seal"`.
    pub seal: &'static str,
    /// The name of the operation that decrypts, e.g. `"gxm-open"`.
    pub open: &'static str,
    /// The name of the stream cipher.
    pub algorithm: &'static str,
    /// The standard and clause.
    pub standard: &'static str,
    /// The key lengths in bytes.
    pub key: Sizes,
    /// The nonce lengths in bytes.
    pub nonce: Sizes,
    /// The tag lengths in bytes.
    pub tag: Sizes,
    /// What it is, and its constructor.
    pub new: Sealed,
    /// The constructors of batches that seal and that open, where there are some in lanes.
    pub batches: Option<[NewBatch; 2]>,
}

/// Every further keystream operation of a stream cipher.
pub static STREAMS: &[StreamEntry] = &[
    #[cfg(feature = "zuc")]
    crate::zuc::operations::EEA3,
    #[cfg(feature = "zuc")]
    crate::zuc::operations::NEA6,
];

/// Every MAC made of a stream cipher.
pub static STREAM_MACS: &[StreamMacEntry] = &[
    #[cfg(feature = "zuc")]
    crate::zuc::operations::EIA3,
    #[cfg(feature = "zuc")]
    crate::zuc::operations::MAC32,
    #[cfg(feature = "zuc")]
    crate::zuc::operations::MAC64,
    #[cfg(feature = "zuc")]
    crate::zuc::operations::MAC128,
    #[cfg(feature = "zuc")]
    crate::zuc::operations::MAC32_OF_2023,
    #[cfg(feature = "zuc")]
    crate::zuc::operations::MAC64_OF_2023,
    #[cfg(feature = "zuc")]
    crate::zuc::operations::MAC128_OF_2023,
    #[cfg(feature = "zuc")]
    crate::zuc::operations::NIA6,
];

/// Every AEAD made of a stream cipher.
pub static STREAM_AEADS: &[StreamAeadEntry] = &[
    #[cfg(feature = "zuc")]
    crate::zuc::operations::EEA3_EIA3,
    #[cfg(feature = "zuc")]
    crate::zuc::operations::GXM,
    #[cfg(feature = "zuc")]
    crate::zuc::operations::MUR,
    #[cfg(feature = "zuc")]
    crate::zuc::operations::NCA6,
];

/// The keystream operations of an algorithm besides [`KEYSTREAM`](super::KEYSTREAM).
pub fn streams(algorithm: &Algorithm) -> impl Iterator<Item = &'static StreamEntry> + use<> {
    let name = algorithm.name;
    STREAMS.iter().filter(move |entry| entry.algorithm == name)
}

/// The MACs made of a stream cipher.
pub fn stream_macs(algorithm: &Algorithm) -> impl Iterator<Item = &'static StreamMacEntry> + use<> {
    let name = algorithm.name;
    STREAM_MACS.iter().filter(move |entry| entry.algorithm == name)
}

/// The AEADs made of a stream cipher.
pub fn stream_aeads(
    algorithm: &Algorithm,
) -> impl Iterator<Item = &'static StreamAeadEntry> + use<> {
    let name = algorithm.name;
    STREAM_AEADS.iter().filter(move |entry| entry.algorithm == name)
}
