//! Ciphers of a family whose members the registry does not list one by one.

use alloc::boxed::Box;

use lanes::Level;

use crate::{BlockCipher, Error};

/// What tells a member of a family from the others; `None` is the usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// RC2: the effective key length in bits, else that of the key.
    pub effective_key_bits: Option<u32>,
    /// RC5: the length of a word in bits, else 32.
    pub word_bits: Option<u32>,
    /// RC5: the number of rounds, else 12.
    pub rounds: Option<u32>,
}

/// Makes a block cipher from a key and parameters.
pub type NewWithParameters = fn(&[u8], Parameters, Level) -> Result<Box<dyn BlockCipher>, Error>;

/// A family of block ciphers. Its usual member is in the registry.
#[derive(Clone, Copy, Debug)]
pub struct ParameterEntry {
    /// The name of the usual member, e.g. `"rc5"`.
    pub algorithm: &'static str,
    /// Whether there is such a member at all.
    pub takes: fn(Parameters) -> bool,
    /// The constructor; keys may have any length that the family allows.
    pub new: NewWithParameters,
}

/// Every family.
pub static PARAMETERS: &[ParameterEntry] = &[
    #[cfg(feature = "rc2")]
    crate::rc2::PARAMETERS,
    #[cfg(feature = "rc5")]
    crate::rc5::PARAMETERS,
];

/// The family of the algorithm of that name.
#[must_use]
pub fn parameters(algorithm: &str) -> Option<&'static ParameterEntry> {
    PARAMETERS.iter().find(|entry| entry.algorithm == algorithm)
}
