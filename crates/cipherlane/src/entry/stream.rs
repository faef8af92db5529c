//! Rows of stream ciphers' operations besides their keystream: other keystreams, MACs and AEADs.
//! Each belongs to one algorithm.

use alloc::boxed::Box;

use lanes::Level;

use super::{Limits, NewStream};
use crate::air::PduCipher;
use crate::error::Error;
use crate::sizes::Sizes;
use crate::traits::aead::Aead;
use crate::traits::batch::BatchCipher;
use crate::traits::mac::DynMac;

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
